//! Geoms of a model (`geom_*`) and explicit pairs (`<contact><pair>`), and the parameters of contacts between two geoms.

use crate::native::collision::height_fields::{HeightField, read_height_fields};
use crate::native::collision::hulls::read_hulls;
use crate::native::collision::pairs::{BOX, HFIELD, MESH, PLANE, PairParams};
use crate::native::mju::{IDENTITY_QUAT, MJMINVAL};
use crate::native::model::geom_pair::{GeomBox, Hull};
use crate::native::model::reader::{Reader, quadruple, triple};
use crate::native::model::{ContactFriction, FrictionSource, NativeModel, SameFrame, SolParams, Unsupported};
use std::cmp::Ordering;
use std::sync::Arc;

/// Smallest friction coefficient that MuJoCo uses (`mjMINMU`, in `mj_assignFriction`).
pub(in crate::native) const MJMINMU: f64 = 1e-5;

/// Arrays of `mjModel` with one entry per geom.
pub(super) struct GeomArrays {
    pub(super) kinds: Vec<i64>,
    pub(super) bodies: Vec<usize>,
    pub(super) frames: Vec<SameFrame>,
    pub(super) places: Vec<f64>,
    pub(super) turns: Vec<f64>,
    pub(super) sizes: Vec<f64>,
    /// Bounding boxes (`geom_aabb`): centre and half lengths of the sides.
    pub(super) boxes: Vec<f64>,
    /// Radii of the bounding spheres (`geom_rbound`).
    pub(super) bounds: Vec<f64>,
    pub(super) margins: Vec<f64>,
    pub(super) gaps: Vec<f64>,
    frictions: Vec<f64>,
    mixes: Vec<f64>,
    priorities: Vec<i64>,
    dimensions: Vec<i64>,
    pub(super) masks: [Vec<i64>; 2],
    shaped: Vec<usize>,
    references: Vec<f64>,
    impedances: Vec<f64>,
    /// Convex hull of each geom that is a mesh or a box.
    pub(super) hulls: Vec<Option<Arc<Hull>>>,
    /// Height field of each geom that is one.
    pub(super) fields: Vec<Option<Arc<HeightField>>>,
}

impl GeomArrays {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Unsupported> {
        let count = reader.size("ngeom")?;
        let same = reader.bytes("geom_sameframe", count)?;
        let (kinds, sizes) = (reader.integers("geom_type", count)?, reader.floats("geom_size", 3 * count)?);
        let meshes: Vec<_> = read_hulls(reader)?.into_iter().map(Arc::new).collect();
        let fields = read_height_fields(reader)?;
        let mesh_ids = reader.integers("geom_dataid", count)?;
        let hull = |geom: usize| match kinds[geom] {
            MESH => usize::try_from(mesh_ids[geom]).ok().map(|mesh| meshes[mesh].clone()),
            BOX => Some(Arc::new(Hull::of_box(&triple(&sizes, geom)))),
            _ => None,
        };
        let field =
            |geom: usize| usize::try_from(mesh_ids[geom]).ok().filter(|_| kinds[geom] == HFIELD).map(|id| fields[id].clone());
        Ok(Self {
            fields: (0..count).map(field).collect(),
            hulls: (0..count).map(hull).collect(),
            bodies: reader.indices("geom_bodyid", count)?,
            frames: same.iter().map(|number| SameFrame::of(*number)).collect::<Result<_, _>>()?,
            places: reader.floats("geom_pos", 3 * count)?,
            turns: reader.floats("geom_quat", 4 * count)?,
            shaped: reader.0.shaped().to_vec(),
            kinds,
            sizes,
            boxes: reader.floats("geom_aabb", 6 * count)?,
            bounds: reader.floats("geom_rbound", count)?,
            margins: reader.floats("geom_margin", count)?,
            gaps: reader.floats("geom_gap", count)?,
            frictions: reader.floats("geom_friction", 3 * count)?,
            mixes: reader.floats("geom_solmix", count)?,
            priorities: reader.integers("geom_priority", count)?,
            dimensions: reader.integers("geom_condim", count)?,
            masks: [reader.integers("geom_contype", count)?, reader.integers("geom_conaffinity", count)?],
            references: reader.floats("geom_solref", 2 * count)?,
            impedances: reader.floats("geom_solimp", 5 * count)?,
        })
    }

    pub(super) fn aabb(&self, geom: usize) -> GeomBox {
        let half: [f64; 3] = triple(&self.boxes, 2 * geom + 1);
        let radius = half.iter().map(|part| part * part).sum::<f64>().sqrt();
        GeomBox { centre: triple(&self.boxes, 2 * geom), half, radius }
    }

    /// Returns the convex hulls of two geoms, if both are meshes or boxes and at least one is a mesh.
    pub(super) fn hulls(&self, one: usize, other: usize) -> Option<[Arc<Hull>; 2]> {
        let has_mesh = self.kinds[one] == MESH || self.kinds[other] == MESH;
        let [first, second] = [one, other].map(|geom| self.hulls[geom].clone());
        first.zip(second).filter(|_| has_mesh).map(<[_; 2]>::from)
    }

    /// Returns whether `contype` and `conaffinity` allow two geoms to collide (`filterBitmask`; `canCollide2` for bodies).
    pub(super) fn filter_bitmask(&self, one: usize, other: usize) -> bool {
        let [kinds, affinities] = &self.masks;
        kinds[one] & affinities[other] != 0 || kinds[other] & affinities[one] != 0
    }

    /// Returns whether a geom is a horizontal plane of the world body.
    pub(super) fn is_ground(&self, geom: usize) -> bool {
        self.kinds[geom] == PLANE && self.bodies[geom] == 0 && quadruple(&self.turns, geom) == IDENTITY_QUAT
    }

    /// Returns whether a geom's shape can differ between lanes.
    pub(super) fn is_shaped(&self, geom: usize) -> bool {
        matches!(self.kinds[geom], HFIELD..=BOX) && self.shaped.contains(&geom)
    }

    /// Returns whether a geom is part of the bounding volume hierarchy of its body.
    pub(super) fn can_collide(&self, geom: usize) -> bool {
        self.masks.iter().any(|mask| mask[geom] != 0)
    }

    /// Returns the source of the friction of contacts of two geoms, by their priorities.
    fn friction_source(&self, one: usize, other: usize) -> FrictionSource {
        match self.priorities[one].cmp(&self.priorities[other]) {
            Ordering::Greater => FrictionSource::First,
            Ordering::Less => FrictionSource::Second,
            Ordering::Equal => FrictionSource::Mixed,
        }
    }

    /// Returns whether two geoms belong to two bodies, in any order.
    pub(super) fn are_of(&self, [one, other]: [usize; 2], [first, second]: [usize; 2]) -> bool {
        let bodies = [self.bodies[one], self.bodies[other]];
        bodies == [first, second] || bodies == [second, first]
    }

    /// Returns the parameters of the contacts of two geoms that are no explicit pair, with the geoms' own margins
    /// (`mj_assignMargin` without `mjENBL_OVERRIDE`).
    pub(super) fn pair_params(&self, one: usize, other: usize, model: &NativeModel) -> PairParams {
        let gap = self.gaps[one] + self.gaps[other];
        let [margin, includemargin] = model.dialect.margins(self.margins[one] + self.margins[other], gap);
        PairParams {
            margin,
            includemargin,
            slack: Default::default(),
            contact: self.contact_param(one, other, model.timestep).ok().filter(|_| gap >= 0.0),
            source: self.friction_source(one, other),
        }
    }

    /// Returns friction, and `solref` and `solimp`, of the contacts of two geoms, as `mj_contactParam` does: the parameters of
    /// the geom with the higher priority, or a mixture of both geoms' parameters.
    fn contact_param(&self, one: usize, other: usize, timestep: f64) -> Result<(ContactFriction, SolParams), Unsupported> {
        let share = |first: f64, second: f64| match (first >= MJMINVAL, second >= MJMINVAL) {
            (true, true) => first / (first + second),
            (false, false) => 0.5,
            (is_first, _) => f64::from(u8::from(is_first)),
        };
        let mix = share(self.mixes[one], self.mixes[other]);
        let chosen = match self.friction_source(one, other) {
            FrictionSource::First => Some(one),
            FrictionSource::Second => Some(other),
            _ => None,
        };
        let mixed = |values: &[f64], width: usize| -> Vec<f64> {
            let of = |at: usize| match chosen {
                Some(geom) => values[width * geom + at],
                None => mix * values[width * one + at] + (1.0 - mix) * values[width * other + at],
            };
            (0..width).map(of).collect()
        };
        // Stiffness and damping are not mixed.
        let are_times = [one, other].iter().all(|geom| self.references[2 * geom] > 0.0);
        let references: [f64; 2] = [0, 1].map(|at| {
            let of = |geom: usize| self.references[2 * geom + at];
            match chosen {
                Some(geom) => of(geom),
                None if are_times => mix * of(one) + (1.0 - mix) * of(other),
                None => of(one).min(of(other)),
            }
        });
        let condim = chosen.map_or(self.dimensions[one].max(self.dimensions[other]), |geom| self.dimensions[geom]);
        let friction = |kind: usize| {
            let of = |geom: usize| self.frictions[3 * geom + kind];
            chosen.map_or(of(one).max(of(other)), of).max(MJMINMU)
        };
        let [sliding, torsion, rolling] = [friction(0), friction(1), friction(2)];
        let friction = ContactFriction { condim: condim as usize, coefficients: [sliding, sliding, torsion, rolling, rolling] };
        Ok((friction, SolParams::new(&references, &mixed(&self.impedances, 5), timestep)?))
    }
}

pub(super) struct ExplicitPairs {
    geoms: [Vec<usize>; 2],
    margin: Vec<f64>,
    gap: Vec<f64>,
    condim: Vec<i64>,
    friction_of_pair: Vec<f64>,
    solref: Vec<f64>,
    solreffriction: Vec<f64>,
    solimp: Vec<f64>,
}

impl ExplicitPairs {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, Unsupported> {
        let count = reader.size("npair")?;
        Ok(Self {
            geoms: [reader.indices("pair_geom1", count)?, reader.indices("pair_geom2", count)?],
            margin: reader.floats("pair_margin", count)?,
            gap: reader.floats("pair_gap", count)?,
            condim: reader.integers("pair_dim", count)?,
            friction_of_pair: reader.floats("pair_friction", 5 * count)?,
            solref: reader.floats("pair_solref", 2 * count)?,
            solreffriction: reader.floats("pair_solreffriction", 2 * count)?,
            solimp: reader.floats("pair_solimp", 5 * count)?,
        })
    }

    /// Iterates over the explicit pairs, in MuJoCo's order: their geoms, and their indices.
    pub(super) fn iter(&self) -> impl Iterator<Item = ([usize; 2], usize)> {
        self.geoms[0].iter().zip(&self.geoms[1]).map(|(one, other)| [*one, *other]).zip(0..)
    }

    pub(super) fn params(&self, pair: usize, model: &NativeModel) -> PairParams {
        let sol = SolParams::new(&self.solref[2 * pair..][..2], &self.solimp[5 * pair..][..5], model.timestep);
        let [margin, includemargin] = model.dialect.margins(self.margin[pair], self.gap[pair]);
        let is_simple = self.gap[pair] >= 0.0 && self.solreffriction[2 * pair..][..2] == [0.0; 2];
        let coefficients = [0, 1, 2, 3, 4].map(|axis| self.friction_of_pair[5 * pair + axis].max(MJMINMU));
        let friction = ContactFriction { condim: self.condim[pair] as usize, coefficients };
        PairParams {
            margin,
            includemargin,
            // The broad and mid phase do not apply to explicit pairs.
            slack: Default::default(),
            contact: sol.ok().filter(|_| is_simple).map(|sol| (friction, sol)),
            source: FrictionSource::Pair,
        }
    }
}
