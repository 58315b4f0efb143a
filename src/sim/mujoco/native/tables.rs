//! The parts of `mjModel` that a native step reads.

use super::algebra::MJMINVAL;
use super::dialect::{Dialect, Solver};

/// Maximum number of bodies.
pub(super) const MAX_NBODY: usize = 24;
/// Maximum number of degrees of freedom.
pub(super) const MAX_NV: usize = 28;
/// Maximum number of positions.
pub(super) const MAX_NQ: usize = 32;
/// Maximum number of entries in the lower triangle of the inertia matrix (`nC`).
pub(super) const MAX_NC: usize = 300;
/// Maximum number of geoms in collision pairs.
pub(super) const MAX_GEOMS: usize = 24;

/// Reason why a model falls back to MuJoCo.
pub(super) type Unsupported = String;

/// Joint type (`mjtJoint`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JointKind {
    Free,
    Slide,
    Hinge,
}

/// Relation between a body-fixed frame and the body's own (`mjtSameFrame`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SameFrame {
    Neither,
    Body,
    Inertia,
    BodyRotation,
    InertiaRotation,
}

impl SameFrame {
    pub(super) fn of(number: u8) -> Result<Self, Unsupported> {
        [Self::Neither, Self::Body, Self::Inertia, Self::BodyRotation, Self::InertiaRotation]
            .get(usize::from(number))
            .copied()
            .ok_or_else(|| format!("a frame of kind {number}"))
    }
}

/// Frame that is fixed to a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// `geom_sameframe`, `site_sameframe` or `body_sameframe`.
    pub(super) same: SameFrame,
    pub(super) pos: [f64; 3],
    pub(super) quat: [f64; 4],
}

/// Rigid body (`body_*`).
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) parent: usize,
    /// Root body of the kinematic tree, `body_rootid`.
    pub(super) root: usize,
    pub(super) joints: std::ops::Range<usize>,
    pub(super) dofs: std::ops::Range<usize>,
    pub(super) pos: [f64; 3],
    pub(super) quat: [f64; 4],
    /// Inertial frame: `body_ipos`, `body_iquat`.
    pub(super) inertial: Frame,
    pub(super) mass: f64,
    /// Reciprocal of `body_subtreemass`.
    pub(super) inv_subtreemass: f64,
    pub(super) inertia: [f64; 3],
    /// Side lengths of the box with the body's inertia, for fluid forces.
    pub(super) fluid_box: [f64; 3],
    /// Last degree of freedom of the body, or of the nearest ancestor that has any.
    pub(super) last_dof: Option<usize>,
}

/// Joint (`jnt_*`).
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) kind: JointKind,
    pub(super) qposadr: usize,
    pub(super) dofadr: usize,
    pub(super) pos: [f64; 3],
    pub(super) axis: [f64; 3],
    /// Coordinate along which `axis` points, and its sign; `None` for other axes.
    pub(super) axis_coordinate: Option<(usize, f64)>,
    /// `qpos0`.
    pub(super) qpos0: f64,
    /// `qpos_spring`.
    pub(super) qpos_spring: f64,
    pub(super) stiffness: f64,
    pub(super) limit: Option<Limit>,
}

/// Limit of a joint: `jnt_range`, `jnt_margin`.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) margin: f64,
    /// `efc_diagApprox`, here `dof_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
}

/// Degree of freedom (`dof_*`).
#[derive(Debug, Clone)]
pub(super) struct Dof {
    pub(super) body: usize,
    pub(super) parent: Option<usize>,
    /// `dof_armature`.
    pub(super) armature: f64,
    pub(super) damping: f64,
    /// Constant diagonal entry of the inertia matrix (`dof_M0`, if `dof_simplenum` is not 0).
    pub(super) m0: Option<f64>,
    pub(super) tree: usize,
    /// Offset of its row in the inertia matrix (`M_rowadr`).
    pub(super) m_rowadr: usize,
    /// Number of entries in its row (`M_rownnz`); the last is the diagonal.
    pub(super) m_rownnz: usize,
}

impl Dof {
    /// Returns the offset of the diagonal entry.
    pub(super) fn m_diagadr(&self) -> usize {
        self.m_rowadr + self.m_rownnz - 1
    }
}

/// Actuator (`actuator_*`).
#[derive(Debug, Clone)]
pub(super) struct Actuator {
    /// Transmission: degrees of freedom, and the moment arm (`actuator_moment`) of each.
    pub(super) moment: Vec<(usize, f64)>,
    /// `actuator_gainprm[0]`, a fixed gain (`mjGAIN_FIXED`).
    pub(super) gain: f64,
    /// Activation dynamics; `None` if `dyntype` is `mjDYN_NONE`.
    pub(super) activation: Option<Activation>,
    /// Bias term; `None` if `biastype` is `mjBIAS_NONE`.
    pub(super) bias: Option<Bias>,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Activation state of an actuator, which follows its control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activation {
    pub(super) actadr: usize,
    /// Time constant of the filter (`mjDYN_FILTER`); `None` for an integrator (`mjDYN_INTEGRATOR`).
    pub(super) time_constant: Option<f64>,
}

/// Equality constraint on a fixed tendon's length (`mjEQ_TENDON`).
#[derive(Debug, Clone)]
pub(super) struct Equality {
    /// Index of the tendon.
    pub(super) tendon: usize,
    /// `tendon_length0`.
    pub(super) length0: f64,
    /// Desired length minus `tendon_length0` (`eq_data`).
    pub(super) offset: f64,
    /// `efc_diagApprox`, here `tendon_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
    /// Index of the kinematic tree.
    pub(super) tree: usize,
}

/// Friction loss along a degree of freedom (`mjCNSTR_FRICTION_DOF`).
#[derive(Debug, Clone)]
pub(super) struct Friction {
    pub(super) dof: usize,
    /// Largest force, `dof_frictionloss`.
    pub(super) frictionloss: f64,
    /// `efc_diagApprox`, here `dof_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
}

/// Affine actuator bias (`mjBIAS_AFFINE`) without a velocity term.
#[derive(Debug, Clone)]
pub(super) struct Bias {
    pub(super) constant: f64,
    pub(super) by_length: f64,
    pub(super) gear: f64,
    /// Sum that is the actuator's length: positions, and the coefficient of each; `None` for a joint transmission.
    pub(super) length: Vec<(usize, Option<f64>)>,
}

/// Site (`site_*`).
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) body: usize,
    pub(super) frame: Frame,
}

/// Impedance and reference parameters of a constraint: `solimp` with power 2, and `solref` as stiffness and damping.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolParams {
    /// `solimp[0]`, the impedance `dmin` at distance 0.
    pub(super) dmin: f64,
    /// `solimp[1]`, the impedance `dmax` at distance `width`.
    pub(super) dmax: f64,
    pub(super) width: f64,
    /// `solimp[3]`, the midpoint of the sigmoid, as a fraction of `width`.
    pub(super) midpoint: f64,
    pub(super) k: f64,
    pub(super) b: f64,
}

impl SolParams {
    pub(super) fn new(reference: &[f64], impedance: &[f64], timestep: f64) -> Result<Self, Unsupported> {
        let bounded = |value: f64| value.clamp(0.0001, 0.9999);
        let [time, ratio] = [reference[0].max(2.0 * timestep), reference[1]];
        if impedance[4] != 2.0 || reference[0] <= 0.0 || ratio <= 0.0 || impedance[2] <= MJMINVAL {
            return Err("solref or solimp of another kind".into());
        }
        let (least, most) = (bounded(impedance[0]), bounded(impedance[1]));
        Ok(Self {
            dmin: least,
            dmax: most,
            width: impedance[2],
            midpoint: bounded(impedance[3]),
            k: 1.0 / (most * most * time * time * ratio * ratio).max(MJMINVAL),
            b: 2.0 / (most * time).max(MJMINVAL),
        })
    }
}

/// Integrator (`mjtIntegrator`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrator {
    Euler,
    RungeKutta,
}

/// Tendon, whose length callers may request.
#[derive(Debug, Clone)]
pub(super) enum Tendon {
    Fixed(FixedTendon),
    Spatial(Box<SpatialTendon>),
}

/// Fixed tendon: a linear combination of joint positions, with an optional spring.
#[derive(Debug, Clone)]
pub(super) struct FixedTendon {
    /// Offset of the position, degree of freedom and coefficient (`wrap_prm`) of each joint.
    pub(super) parts: Vec<(usize, usize, f64)>,
    pub(super) spring: Option<Spring>,
}

/// Tendon spring with a rest interval (`tendon_lengthspring`).
#[derive(Debug, Clone)]
pub(super) struct Spring {
    pub(super) stiffness: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Model, as a native step reads it.
#[derive(Debug, Clone)]
pub(super) struct NativeModel {
    /// Behaviour of the model's MuJoCo version.
    pub(super) dialect: Dialect,
    pub(super) timestep: f64,
    pub(super) gravity: [f64; 3],
    /// `opt.viscosity` and `opt.density`; `None` if both are 0.
    pub(super) fluid: Option<(f64, f64)>,
    pub(super) integrator: Integrator,
    /// Whether the Euler step integrates damping implicitly (`eulerdamp`).
    pub(super) eulerdamp: bool,
    pub(super) iterations: usize,
    /// `opt.ls_iterations`.
    pub(super) ls_iterations: usize,
    pub(super) tolerance: f64,
    /// `opt.ls_tolerance`.
    pub(super) ls_tolerance: f64,
    /// Whether the solver treats islands separately.
    pub(super) has_islands: bool,
    /// Whether the mid phase is disabled, so that the contacts of two bodies keep the order of the geoms.
    pub(super) disables_midphase: bool,
    pub(super) solver: Solver,
    /// `stat.meaninertia`.
    pub(super) meaninertia: f64,
    /// `opt.impratio`.
    pub(super) impratio: f64,
    pub(super) nq: usize,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) dofs: Vec<Dof>,
    /// Column indices of the inertia matrix, row by row (`M_colind`).
    pub(super) m_colind: Vec<usize>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) sites: Vec<Site>,
    pub(super) tendons: Vec<Tendon>,
    pub(super) equalities: Vec<Equality>,
    pub(super) frictions: Vec<Friction>,
    /// Whether friction cones are elliptic (`mjCONE_ELLIPTIC`) instead of pyramidal.
    pub(super) is_elliptic: bool,
    /// Geoms in collision pairs.
    pub(super) geoms: Vec<Geom>,
    pub(super) pairs: Vec<GeomPair>,
    /// Degrees of freedom with non-zero entries in rows, ascending: of each pair, then of each rope, then of each equality.
    pub(super) efc_colind: Vec<Vec<usize>>,
    /// Maximum number of constraint rows at once.
    pub(super) max_nefc: usize,
    /// Possible islands; empty if the solver treats all trees together.
    pub(super) islands: Vec<Island>,
}

/// Geom in a collision pair.
#[derive(Debug, Clone)]
pub(super) struct Geom {
    pub(super) body: usize,
    pub(super) frame: Frame,
}

impl Tendon {
    /// Returns the spatial tendon; `None` for a fixed tendon.
    pub(super) fn spatial_mut(&mut self) -> Option<&mut SpatialTendon> {
        match self {
            Self::Spatial(rope) => Some(rope),
            Self::Fixed(_) => None,
        }
    }
}

impl NativeModel {
    /// Iterates over all spatial tendons in order.
    pub(super) fn spatial_tendons(&self) -> impl Iterator<Item = &SpatialTendon> {
        self.tendons.iter().filter_map(|tendon| match tendon {
            Tendon::Spatial(rope) => Some(&**rope),
            Tendon::Fixed(_) => None,
        })
    }

    /// Returns the column indices of a row of the inertia matrix, with the diagonal last.
    #[inline(always)]
    pub(super) fn m_colind_of(&self, dof: usize) -> &[usize] {
        &self.m_colind[self.dofs[dof].m_rowadr..][..self.dofs[dof].m_rownnz]
    }

    /// Returns the number of rows of a contact with this friction coefficient, or without friction.
    pub(super) fn rows_of(&self, friction: Option<f64>) -> usize {
        match friction {
            None => 1,
            Some(_) if self.is_elliptic => 3,
            Some(_) => 4,
        }
    }

    /// Returns the degrees of freedom with non-zero entries in an equality's row, ascending.
    pub(super) fn colind_of(&self, equality: &Equality) -> Vec<usize> {
        let mut support: Vec<_> = self.parts_of(equality).iter().map(|(_, dof, _)| *dof).collect();
        support.sort_unstable();
        support
    }

    /// Returns the terms of an equality's tendon.
    pub(super) fn parts_of(&self, equality: &Equality) -> &[(usize, usize, f64)] {
        match &self.tendons[equality.tendon] {
            Tendon::Fixed(sum) => &sum.parts,
            Tendon::Spatial(_) => &[],
        }
    }

    /// Returns the kinematic tree of a body; `None` if it cannot move.
    pub(super) fn tree_of(&self, body: usize) -> Option<usize> {
        self.bodies[body].last_dof.map(|dof| self.dofs[dof].tree)
    }
}

/// Set of trees that constraints can connect, with its own model for the solver.
#[derive(Debug, Clone)]
pub(super) struct Island {
    /// The trees, as bits.
    pub(super) trees: u64,
    /// The island's degrees of freedom.
    pub(super) dofs: Vec<usize>,
    /// Index in `dofs` of each degree of freedom of the model, plus 1 (`map_dof2idof`).
    ///
    /// It is 0 if the degree of freedom is not in the island.
    pub(super) map_dof2idof: Vec<u8>,
    /// Offsets of the island's entries in the inertia matrix.
    pub(super) masses: Vec<usize>,
    pub(super) tables: NativeModel,
}

/// Spatial tendon between two sites.
#[derive(Debug, Clone)]
pub(super) struct SpatialTendon {
    /// Sites at its ends.
    pub(super) sites: [Site; 2],
    /// Root bodies of the ends; their `subtree_com` are the reference points of `cdof`.
    pub(super) roots: [usize; 2],
    /// Degrees of freedom that move one end but not the other.
    pub(super) chains: [Vec<usize>; 2],
    /// Trees of the movable ends, as bits.
    pub(super) trees: u64,
    pub(super) limit: Option<TendonLimit>,
}

impl SpatialTendon {
    /// Returns the degrees of freedom with non-zero entries in its row, ascending.
    pub(super) fn colind(&self) -> Vec<usize> {
        let mut support = self.chains.concat();
        support.sort_unstable();
        support
    }

    /// Returns the trees that its row connects, as bits.
    pub(super) fn trees(&self) -> u64 {
        self.trees
    }
}

/// Limit of a tendon: `tendon_range`, `tendon_margin`.
#[derive(Debug, Clone)]
pub(super) struct TendonLimit {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) margin: f64,
    /// `efc_diagApprox`, here `tendon_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
}

/// Geom other than a sphere or capsule that has a collider with planes.
#[derive(Debug, Clone, Copy)]
pub(super) enum PlaneSolid {
    /// Ellipsoid with these semi-axes.
    Ellipsoid([f64; 3]),
    /// Cylinder with this radius and half height.
    Cylinder([f64; 2]),
}

impl PlaneSolid {
    /// Returns the maximum number of contact points.
    pub(super) fn places(self) -> usize {
        match self {
            Self::Ellipsoid(_) => 1,
            Self::Cylinder(_) => 4,
        }
    }
}

/// Pair of geoms that may collide.
#[derive(Debug, Clone)]
pub(super) struct GeomPair {
    pub(super) geoms: [usize; 2],
    pub(super) bodies: [usize; 2],
    pub(super) collider: Collider,
}

/// Collider of a pair, or a guard that triggers the fallback to MuJoCo.
#[derive(Debug, Clone)]
pub(super) enum Collider {
    /// The second geom, a sphere or capsule, collides with a plane.
    Ground(PlanePair),
    /// Two spheres or capsules collide.
    Round(RoundPair),
    /// The second geom, an ellipsoid or cylinder, collides with a plane.
    Solid(PlanePair, PlaneSolid),
    /// Guard: falls back to MuJoCo if the second geom's centre is not above this height.
    PlaneGuard(f64),
    /// Guard: falls back to MuJoCo if the geoms' distance is not above `reach`.
    Guard {
        /// Squared distance of the centres within which the exact test runs.
        near: f64,
        /// Half lengths of the geoms' axis segments, if both have one.
        halves: Option<[f64; 2]>,
        /// Semi-axes of the second geom, if it is an ellipsoid, and the half length of the first geom's axis segment.
        ellipsoid: Option<([f64; 3], f64)>,
        reach: f64,
    },
}

/// Contact parameters of a geom and a horizontal plane.
#[derive(Debug, Clone)]
pub(super) struct PlanePair {
    /// Height of the plane.
    pub(super) height: f64,
    /// Height of the centre above the plane beyond which they cannot touch.
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) radius: f64,
    /// Half length of a capsule's segment; `None` for other geoms.
    pub(super) half: Option<f64>,
    /// Friction coefficient; `None` without friction.
    pub(super) friction: Option<f64>,
    /// `efc_diagApprox`, from `body_invweight0` of both bodies.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
    /// Degrees of freedom that move the geom, descending.
    pub(super) chain: Vec<usize>,
    /// Index of the geom's kinematic tree.
    pub(super) tree: usize,
}

/// Contact parameters of two spheres or capsules.
#[derive(Debug, Clone)]
pub(super) struct RoundPair {
    /// Squared distance of the centres beyond which they cannot touch.
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) radii: [f64; 2],
    /// Half lengths of the capsules' segments; `None` for a sphere, which comes first.
    pub(super) halves: [Option<f64>; 2],
    /// Friction coefficient; `None` without friction.
    pub(super) friction: Option<f64>,
    /// `efc_diagApprox`, from `body_invweight0` of both bodies.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
    /// Degrees of freedom that move only the first geom, and only the second.
    pub(super) chains: [Vec<usize>; 2],
    /// Indices of the geoms' kinematic trees.
    pub(super) trees: [usize; 2],
    /// Root bodies; their `subtree_com` are the reference points of `cdof`.
    pub(super) roots: [usize; 2],
}

impl GeomPair {
    /// Returns the maximum number of its contacts' rows.
    pub(super) fn max_rows(&self) -> usize {
        match &self.collider {
            Collider::Ground(ground) => {
                (if ground.half.is_some() { 2 } else { 1 }) * (if ground.friction.is_some() { 4 } else { 1 })
            }
            // Parallel capsules have two contacts.
            Collider::Round(round) => {
                (if round.halves[0].is_some() { 2 } else { 1 }) * (if round.friction.is_some() { 4 } else { 1 })
            }
            Collider::Solid(ground, solid) => solid.places() * (if ground.friction.is_some() { 4 } else { 1 }),
            _ => 0,
        }
    }

    /// Returns the friction coefficient; `None` without friction.
    pub(super) fn friction(&self) -> Option<f64> {
        match &self.collider {
            Collider::Ground(ground) | Collider::Solid(ground, _) => ground.friction,
            Collider::Round(round) => round.friction,
            _ => None,
        }
    }

    /// Returns the degrees of freedom with non-zero entries in its rows, ascending.
    pub(super) fn colind(&self) -> Vec<usize> {
        let mut support = match &self.collider {
            Collider::Ground(ground) | Collider::Solid(ground, _) => ground.chain.clone(),
            Collider::Round(round) => round.chains.concat(),
            _ => Vec::new(),
        };
        support.sort_unstable();
        support
    }

    /// Returns the trees that its rows connect, as bits.
    pub(super) fn trees(&self) -> u64 {
        match &self.collider {
            Collider::Ground(PlanePair { tree, .. }) | Collider::Solid(PlanePair { tree, .. }, _) => 1 << tree,
            Collider::Round(round) => round.trees.iter().fold(0, |trees, tree| trees | 1 << tree),
            _ => 0,
        }
    }
}
