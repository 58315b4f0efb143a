//! Tendons: lengths, velocities and Jacobians (`mj_tendon`), and constraint rows of their limits.

use crate::native::constraint::{Constraints, RowSpec, jac_dot, jac_point, limit_distance, object_velocity};
use crate::native::data::{NativeData, arrays, in_lane};
use crate::native::mju::{MJMINVAL, add3, dot, dot3, dot6, normalize3, scl3, sub3};
use crate::native::model::{MAX_NV, NativeModel, Tendon, TendonLimit, TendonPath, TendonPiece, TendonSpan};
use crate::native::outlined::outlined;
use crate::native::wrap::{WrapPose, wrap};
use envpool_rs_numeric::simd::Float64Lanes;

arrays! {
    /// Lengths, velocities and Jacobians of all tendons, for a batch of simulations.
    pub(super) struct TendonData(model, none) -> Self {
        let sites = if model.tendon_sites.is_empty() { 0 } else { model.sites.len() };
        let entries = model.tendons.iter().map(|tendon| tendon.rowadr + tendon.colind.len()).max().unwrap_or(0);
        let mut ten_j = vec![none; entries];
        for tendon in &model.tendons {
            let TendonPath::Fixed(parts) = &tendon.path else { continue };
            for (entry, dof) in tendon.colind.iter().enumerate() {
                let own = parts.iter().filter(|(_, own, _)| own == dof);
                ten_j[tendon.rowadr + entry] = V::splat(own.fold(0.0, |sum, (_, _, share)| sum + share));
            }
        }
    }
    ten_length: Vec<V> = vec![none; model.tendons.len()];
    ten_velocity: Vec<V> = vec![none; model.tendons.len()];
    /// Sparse Jacobian of the lengths (`ten_J`), row by row.
    ten_j: Vec<V> = ten_j;
    /// Positions of all sites (`site_xpos`), valid only for those on the paths of tendons.
    site_xpos: Vec<[V; 3]> = vec![[none; 3]; sites];
    /// Poses of the geoms that tendons wrap around.
    wrap_poses: Vec<WrapPose<V>> = vec![WrapPose { xpos: [none; 3], xmat: [none; 9] }; model.wrap_geoms.len()];
}

impl<V: Float64Lanes> TendonData<V> {
    /// Returns the straight parts of a piece of a tendon's path in one lane, as pairs of bodies and of points of these bodies.
    pub(super) fn lines_in(&self, model: &NativeModel, piece: &TendonPiece, lane: usize) -> Vec<([usize; 2], [[f64; 3]; 2])> {
        let site = |site: usize| in_lane(&self.site_xpos[site], lane);
        let sites = piece.sites.map(site);
        if let Some(around) = &piece.wrap {
            let (geom, pose) = (&model.wrap_geoms[around.geom], &self.wrap_poses[around.geom]);
            let pose = WrapPose { xpos: in_lane(&pose.xpos, lane), xmat: in_lane(&pose.xmat, lane) };
            let wrapped = wrap((&sites, around.side.map(site).as_ref()), geom, &pose, model.dialect.wraps);
            if wrapped.lanes != 0 {
                let [first, second] = wrapped.points;
                return vec![
                    ([piece.bodies[0], geom.body], [sites[0], first]),
                    ([geom.body, piece.bodies[1]], [second, sites[1]]),
                ];
            }
        }
        vec![(piece.bodies, sites)]
    }

    /// Returns a tendon's row of `ten_J`.
    #[inline(always)]
    pub(super) fn row(&self, tendon: &Tendon) -> &[V] {
        &self.ten_j[tendon.rowadr..][..tendon.colind.len()]
    }
}

outlined!(
    /// Computes the lengths, velocities and Jacobians of all tendons, as `mj_tendon` and `mj_fwdVelocity` do.
    pub(super) fn tendon<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>) {
        for &site in &model.tendon_sites {
            let place = data.frame_xpos(model.sites[site].body, &model.sites[site].frame);
            data.tendons.site_xpos[site] = place;
        }
        for (number, geom) in model.wrap_geoms.iter().enumerate() {
            let xpos = data.frame_xpos(geom.body, &geom.frame);
            let xmat = data.frame_xmat(model, geom.body, &geom.frame);
            data.tendons.wrap_poses[number] = WrapPose { xpos, xmat };
        }
        for (number, tendon) in model.tendons.iter().enumerate() {
            let mut length = V::splat(0.0);
            match &tendon.path {
                TendonPath::Fixed(parts) => {
                    for (position, _, share) in parts {
                        length = length + V::splat(*share) * data.qpos[*position];
                    }
                }
                TendonPath::Spatial(pieces) => {
                    // Not `fill`, which would be compiled without the instructions of the vectors.
                    for entry in &mut data.tendons.ten_j[tendon.rowadr..][..tendon.colind.len()] {
                        *entry = V::splat(0.0);
                    }
                    for piece in pieces {
                        length = length + add_piece(model, piece, tendon.rowadr, data);
                    }
                }
            }
            data.tendons.ten_length[number] = length;
            let row = &data.tendons.ten_j[tendon.rowadr..];
            data.tendons.ten_velocity[number] = dot_sparse(row, &tendon.colind, &data.qvel);
        }
    }
);

outlined!(
    /// Adds the inertia of tendons to the inertia matrix, as `mj_tendonArmature` does.
    pub(super) fn tendon_armature<V: Float64Lanes>(model: &NativeModel, data: &mut NativeData<V>) {
        for tendon in model.tendons.iter().filter(|tendon| tendon.armature != 0.0) {
            let row = data.tendons.row(tendon);
            for (entry, dof) in row.iter().zip(&tendon.colind) {
                let (first, scale) = (model.dofs[*dof].m_rowadr, V::splat(tendon.armature) * *entry);
                for (at, column) in model.m_colind_of(*dof).iter().enumerate() {
                    if let Ok(other) = tendon.colind.binary_search(column) {
                        data.qm[first + at] = data.qm[first + at] + scale * row[other];
                    }
                }
            }
        }
    }
);

outlined!(
    /// Returns `qfrc_bias`: the bias forces of `mj_rne`, and those of the tendons' inertia as `mj_tendonBias` adds them.
    pub(super) fn bias_with_tendons<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>) -> [V; MAX_NV] {
        let mut qfrc_bias = [V::splat(0.0); MAX_NV];
        for (number, dof) in model.dofs.iter().enumerate() {
            qfrc_bias[number] = dot6(&data.cdof[number], &data.cfrc_body[dof.body]);
        }
        // The Jacobian of a fixed tendon is constant.
        for tendon in model.tendons.iter().filter(|tendon| tendon.armature != 0.0 && !tendon.pieces().is_empty()) {
            let coef = V::splat(tendon.armature) * tendon_dot(model, data, tendon, &data.qvel);
            for (entry, dof) in data.tendons.row(tendon).iter().zip(&tendon.colind) {
                qfrc_bias[*dof] = qfrc_bias[*dof] + coef * *entry;
            }
        }
        qfrc_bias
    }
);

outlined!(
    /// Returns the product of `vec` with the time derivative of a spatial tendon's Jacobian, as `mj_tendonDot` does.
    pub(super) fn tendon_dot<V: Float64Lanes>(model: &NativeModel, data: &NativeData<V>, tendon: &Tendon, vec: &[V]) -> V {
        let (none, one, dofs) = (V::splat(0.0), V::splat(1.0), model.dofs.len());
        let (mut product, mut sums) = (none, [none; MAX_NV]);
        for TendonPiece { sites, bodies, divisor, straight, .. } in tendon.pieces() {
            let points = [data.tendons.site_xpos[sites[0]], data.tendons.site_xpos[sites[1]]];
            let offsets = span_offsets(straight, &points, data);
            let first = object_velocity(&data.cvel[bodies[0]], offsets[0]);
            let second = object_velocity(&data.cvel[bodies[1]], offsets[1]);
            let (dpnt, length) = normalize3(sub3(points[1], points[0]));
            let dvel = sub3(second, first);
            let along = dot3(&dpnt, &dvel);
            let by = V::select(length.gt(V::splat(MJMINVAL)), one / length, none);
            // Without the velocity's part along the line (`mju_addToScl3`), per length.
            let dvel = scl3(add3(dvel, scl3(dpnt, -along)), by);
            let mut terms = [[none; MAX_NV]; 2];
            for (_, dof, moves) in &straight.columns {
                let (mut jac, mut change) = ([none; 3], [none; 3]);
                if moves[1] {
                    jac = jac_point(&data.cdof[*dof], &offsets[1]);
                    [change, _] = jac_dot(model, data, *dof, [offsets[1], second]);
                }
                if moves[0] {
                    jac = sub3(jac, jac_point(&data.cdof[*dof], &offsets[0]));
                    let [other, _] = jac_dot(model, data, *dof, [offsets[0], first]);
                    change = sub3(change, other);
                }
                (terms[0][*dof], terms[1][*dof]) = (dot3(&change, &dpnt), dot3(&jac, &dvel));
            }
            for term in &terms {
                if model.dialect.sums_tendon_dot {
                    product = product + dot(term, vec, dofs) / V::splat(*divisor);
                    continue;
                }
                for dof in 0..dofs {
                    sums[dof] = sums[dof] + term[dof] * V::splat(1.0 / divisor);
                }
            }
        }
        if model.dialect.sums_tendon_dot { product } else { dot(&sums, vec, dofs) }
    }
);

/// Returns the vectors from the reference points of `cdof` to the ends of a straight line.
#[inline(always)]
fn span_offsets<V: Float64Lanes>(span: &TendonSpan, points: &[[V; 3]; 2], data: &NativeData<V>) -> [[V; 3]; 2] {
    [sub3(points[0], data.subtree_com[span.roots[0]]), sub3(points[1], data.subtree_com[span.roots[1]])]
}

/// Returns the product of a sparse row and a dense vector, as `mju_dotSparse` does: four partial sums, and then the rest.
#[inline(always)]
pub(super) fn dot_sparse<V: Float64Lanes>(row: &[V], colind: &[usize], vec: &[V]) -> V {
    let mut sum = V::splat(0.0);
    let whole = colind.len() / 4 * 4;
    if whole > 0 {
        let mut sums = [V::splat(0.0); 4];
        for at in 0..4 {
            sums[at] = row[at] * vec[colind[at]];
        }
        for at in 4..whole {
            sums[at % 4] = sums[at % 4] + row[at] * vec[colind[at]];
        }
        sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    }
    for at in whole..colind.len() {
        sum = sum + row[at] * vec[colind[at]];
    }
    sum
}

/// Adds a piece of a spatial tendon's path to the tendon's row of `ten_J`, which begins at `rowadr`, and returns its length.
#[inline(always)]
fn add_piece<V: Float64Lanes>(model: &NativeModel, piece: &TendonPiece, rowadr: usize, data: &mut NativeData<V>) -> V {
    let sites = [data.tendons.site_xpos[piece.sites[0]], data.tendons.site_xpos[piece.sites[1]]];
    let mut length = V::splat(0.0);
    let mut wrapping = 0;
    if let Some(around) = &piece.wrap {
        let tendons = &data.tendons;
        let side = around.side.map(|side| &tendons.site_xpos[side]);
        let wrapped = wrap((&sites, side), &model.wrap_geoms[around.geom], &tendons.wrap_poses[around.geom], model.dialect.wraps);
        wrapping = wrapped.lanes;
        if wrapping != 0 {
            let [first, second] = wrapped.points;
            let whole = distance(sites[0], first) + wrapped.length + distance(second, sites[1]);
            length = whole / V::splat(piece.divisor);
            let lanes = V::mask(wrapping);
            add_span(&around.spans[0], (rowadr, piece.divisor), [sites[0], first], lanes, data);
            add_span(&around.spans[1], (rowadr, piece.divisor), [second, sites[1]], lanes, data);
        }
    }
    if wrapping != V::ALL {
        let straight = distance(sites[0], sites[1]) / V::splat(piece.divisor);
        length = V::select(V::mask(wrapping), length, straight);
        add_span(&piece.straight, (rowadr, piece.divisor), sites, V::mask(V::ALL & !wrapping), data);
    }
    length
}

/// Returns the distance of two points, as `mju_dist3` does.
#[inline(always)]
fn distance<V: Float64Lanes>(one: [V; 3], other: [V; 3]) -> V {
    let apart = sub3(one, other);
    dot3(&apart, &apart).sqrt()
}

/// Adds the change of a straight line's length to a tendon's row of `ten_J`, in `lanes`.
#[inline(always)]
fn add_span<V: Float64Lanes>(
    span: &TendonSpan,
    (rowadr, divisor): (usize, f64),
    points: [[V; 3]; 2],
    lanes: V::Mask,
    data: &mut NativeData<V>,
) {
    if span.columns.is_empty() {
        return;
    }
    let (none, scale) = (V::splat(0.0), V::splat(1.0 / divisor));
    let (way, _) = normalize3(sub3(points[1], points[0]));
    let offsets = span_offsets(span, &points, data);
    for (entry, dof, moves) in &span.columns {
        let cdof = &data.cdof[*dof];
        let mut column = [none; 3];
        if moves[1] {
            column = jac_point(cdof, &offsets[1]);
        }
        if moves[0] {
            column = sub3(column, jac_point(cdof, &offsets[0]));
        }
        let change = column[0] * way[0] + column[1] * way[1] + column[2] * way[2];
        let entry = &mut data.tendons.ten_j[rowadr + entry];
        *entry = *entry + (scale * change).select_or_zero(lanes);
    }
}

/// Constraint row of a tendon's friction loss or limit, for all lanes.
#[derive(Clone, Copy)]
pub(super) struct TendonRow<V> {
    /// Bit mask of the lanes that have the row.
    pub(super) lanes: u32,
    /// Index of the constraint row in each lane.
    pub(super) rows: [u16; 8],
    /// Sign of the tendon's Jacobian in the row: -1 in the lanes at the upper limit.
    pub(super) sign: V,
}

outlined!(
    /// Adds the constraint row of a tendon's limit, as `mj_instantiateLimit` does, in the lanes that are at a limit. `number` is the
    /// tendon's index, and `limited` its index among the tendons with limits. Returns a bit mask of the lanes that MuJoCo must step
    /// instead of the native stepper.
    pub(super) fn instantiate_tendon_limit<V: Float64Lanes>(
        number: usize,
        limited: (usize, &TendonLimit),
        model: &NativeModel,
        data: &NativeData<V>,
        rows: &mut Constraints<V>,
    ) -> u32 {
        let (limited, limit) = limited;
        let (tendon, one) = (&model.tendons[number], V::splat(1.0));
        let length = data.tendons.ten_length[number];
        let (is_below, is_on, pos_minus_margin) = limit_distance([limit.low, limit.high, limit.margin], length);
        let sign = V::select(is_below, one, -one);
        let is_on = V::mask_and(is_on, V::mask(pulled_lanes(tendon, data)[0]));
        rows.tendon_rows[number][1] = TendonRow { lanes: V::bits(is_on), rows: rows.next_rows(), sign };
        if !V::any(is_on) {
            return 0;
        }
        let spec = RowSpec::new(&limit.sol, is_on, V::splat(tendon.invweight0), pos_minus_margin);
        add_tendon_row(tendon, sign, (model, data), rows, RowSpec { colind: limited, ..spec })
    }
);

/// Adds a constraint row whose Jacobian is the tendon's row of `ten_J`, times `sign`. `constraint.colind` is the index of the row
/// among those of tendons. Returns a bit mask of the lanes that MuJoCo must step instead of the native stepper.
#[inline(always)]
pub(super) fn add_tendon_row<V: Float64Lanes>(
    tendon: &Tendon,
    sign: V,
    (model, data): (&NativeModel, &NativeData<V>),
    rows: &mut Constraints<V>,
    mut constraint: RowSpec<'_, V>,
) -> u32 {
    let (dofs, jacobian) = (model.dofs.len(), data.tendons.row(tendon));
    let room = rows.alloc_rows(dofs, 1);
    for (entry, dof) in tendon.colind.iter().enumerate() {
        room[*dof] = (jacobian[entry] * sign).select_or_zero(constraint.lanes);
    }
    constraint.single_dof = if let [dof] = tendon.colind[..] { dof as u8 + 1 } else { 0 };
    constraint.colind += model.pairs.len();
    rows.add_constraint(data, (dofs, 1), tendon.tree_mask(), &constraint);
    // A row acts only on the kinematic trees in which it has a non-zero entry.
    V::bits(constraint.lanes) & !pulled_lanes(tendon, data)[1]
}

/// Returns two bit masks: the lanes in which any entry of the tendon's row of `ten_J` is not zero, without which MuJoCo adds no
/// constraint row, and the lanes in which each kinematic tree has such an entry.
#[inline(always)]
pub(super) fn pulled_lanes<V: Float64Lanes>(tendon: &Tendon, data: &NativeData<V>) -> [u32; 2] {
    let jacobian = data.tendons.row(tendon);
    let (mut any, mut all) = (0, V::ALL);
    for (_, entries) in &tendon.trees {
        let mut is_pulled = V::mask(0);
        for entry in entries {
            is_pulled = V::mask_or(is_pulled, jacobian[*entry].ne(V::splat(0.0)));
        }
        any |= V::bits(is_pulled);
        all &= V::bits(is_pulled);
    }
    [any, all]
}
