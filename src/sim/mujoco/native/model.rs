//! The parts of `mjModel` that a native step reads, as Rust types.

mod equality;
pub(super) mod geom_pair;
mod tendon;

pub(super) mod read;
mod read_actuators;
mod read_tendons;
pub(super) mod reader;
mod refusals;

pub(super) use self::equality::{BodyAnchor, BodyEquality, Equality, WeldPose};
pub(super) use self::geom_pair::{
    AlignedBox, BoxFilter, Collider, ContactFriction, ContactParams, FilterSlack, FrictionSource, GeomPair, Guard, LibraryPair,
    PlanePair, PlaneSolid, RoundPair,
};
pub(super) use self::tendon::{
    Spring, Tendon, TendonFriction, TendonLimit, TendonPath, TendonPiece, TendonSpan, TendonWrap, WrapGeom,
};
use crate::native::dialect::{Dialect, Solver, SweepOrder};
use crate::native::mju::MJMINVAL;
use crate::native::muscle::Muscle;

/// Maximum number of bodies of a model that the native stepper supports.
pub(super) const MAX_NBODY: usize = 64;
/// Maximum number of degrees of freedom of a model that the native stepper supports.
pub(super) const MAX_NV: usize = 60;
/// Maximum number of position coordinates (`nq`) of a model that the native stepper supports.
pub(super) const MAX_NQ: usize = 72;
/// Maximum number of entries in the lower triangle of the inertia matrix (`nC`) that the native stepper supports.
pub(super) const MAX_NC: usize = 820;
/// Maximum number of kinematic trees: sets of trees are bit masks.
pub(super) const MAX_NTREE: usize = u64::BITS as usize;
/// Largest accepted number of constraint rows, and of lists of their columns: the stepper counts both in 16 bits.
pub(super) const MAX_NEFC: usize = u16::MAX as usize;

/// Reason why the native stepper cannot step a model, so that MuJoCo must step it.
pub(super) type Unsupported = String;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JointKind {
    Free,
    Ball,
    Slide,
    Hinge,
}

impl JointKind {
    /// Returns the number of degrees of freedom of a joint.
    pub(super) fn dofs(self) -> usize {
        match self {
            Self::Free => 6,
            Self::Ball => 3,
            Self::Slide | Self::Hinge => 1,
        }
    }
}

/// Relation of a body-fixed frame to the body's own frame (`mjtSameFrame`): which parts of position and rotation are equal.
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
    /// Relation of the frame to the body's own frame (`geom_sameframe`, `site_sameframe` or `body_sameframe`).
    pub(super) same: SameFrame,
    pub(super) pos: [f64; 3],
    pub(super) quat: [f64; 4],
}

#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) parent: usize,
    pub(super) root: usize,
    pub(super) joints: std::ops::Range<usize>,
    pub(super) dofs: std::ops::Range<usize>,
    pub(super) pos: [f64; 3],
    pub(super) quat: [f64; 4],
    pub(super) inertial: Frame,
    pub(super) mass: f64,
    /// Reciprocal mass of the body and its descendants (`body_subtreemass`); `None` if MuJoCo treats them as massless.
    pub(super) inv_subtreemass: Option<f64>,
    pub(super) inertia: [f64; 3],
    /// Side lengths of the box that has the same inertia as the body. MuJoCo computes fluid forces on this box.
    pub(super) fluid_box: [f64; 3],
    /// Last degree of freedom of the body, or of the nearest ancestor that has any.
    pub(super) last_dof: Option<usize>,
    /// Index of the body's pose in `mocap_pos` and `mocap_quat` (`body_mocapid`); `None` if the body is no mocap body.
    pub(super) mocap: Option<usize>,
}

/// Constants of a joint (`jnt_*`).
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) kind: JointKind,
    pub(super) qposadr: usize,
    pub(super) dofadr: usize,
    pub(super) pos: [f64; 3],
    pub(super) axis: [f64; 3],
    /// Index of the coordinate axis that `axis` points along, and its sign; `None` for other directions.
    pub(super) axis_coordinate: Option<(usize, f64)>,
    /// Position of the joint in the model's initial configuration (`qpos0`).
    pub(super) qpos0: f64,
    /// Position at which the spring is at rest (`qpos_spring`): one number, of a ball joint four.
    pub(super) qpos_spring: [f64; 7],
    pub(super) stiffness: f64,
    /// Range of the sum of the actuators' forces on the joint (`jnt_actfrcrange`); `None` if it is not limited.
    pub(super) actfrcrange: Option<[f64; 2]>,
    pub(super) limit: Option<Limit>,
}

/// Limit of a joint: `jnt_range` and `jnt_margin`. A ball joint has only an upper limit, that of the angle of its rotation.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) margin: f64,
    /// `efc_diagApprox` of the limit's row, which equals `dof_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
}

/// Constants of a degree of freedom (`dof_*`).
#[derive(Debug, Clone)]
pub(super) struct Dof {
    pub(super) body: usize,
    pub(super) parent: Option<usize>,
    pub(super) armature: f64,
    pub(super) damping: f64,
    /// Diagonal entry of the inertia matrix if it is constant (`dof_M0` by `mj_setM0`, if `dof_simplenum` is not 0); otherwise
    /// `None`.
    pub(super) m0: Option<f64>,
    pub(super) tree: usize,
    /// Offset in the inertia matrix of this degree of freedom's row (`M_rowadr`).
    pub(super) m_rowadr: usize,
    /// Number of entries in this degree of freedom's row of the inertia matrix (`M_rownnz`); the last entry is the diagonal.
    pub(super) m_rownnz: usize,
    /// Number of rows of the inertia matrix with an entry in this degree of freedom's column: those that follow its row.
    pub(super) descendants: usize,
}

impl Dof {
    /// Returns the offset of the row's diagonal entry in the inertia matrix.
    pub(super) fn m_diagadr(&self) -> usize {
        self.m_rowadr + self.m_rownnz - 1
    }
}

#[derive(Debug, Clone)]
pub(super) struct Actuator {
    /// Transmission (`mj_transmission`): the degrees of freedom that the actuator drives (`moment_colind`, `moment_rownnz`), with
    /// the moment arm (`actuator_moment`) of each. The moment arms of a spatial tendon are those of its row of `ten_J`, times the
    /// gear, instead.
    pub(super) moment: Vec<(usize, f64)>,
    pub(super) transmission: Transmission,
    pub(super) gear: f64,
    /// All six numbers of `actuator_gear`.
    pub(super) wrench: [f64; 6],
    /// Fixed gain of the actuator (`actuator_gainprm[0]`, with `mjGAIN_FIXED`).
    pub(super) gain: f64,
    /// Coefficients of the gain by the actuator's length and velocity (`mjGAIN_AFFINE`), which replace the fixed gain.
    pub(super) affine_gain: Option<[f64; 3]>,
    /// Gain of a muscle (`mjGAIN_MUSCLE`), which replaces the fixed gain.
    pub(super) muscle_gain: Option<Box<Muscle>>,
    /// Activation dynamics of the actuator; `None` if `dyntype` is `mjDYN_NONE`.
    pub(super) activation: Option<Activation>,
    /// Affine bias of the actuator's force (`mjBIAS_AFFINE`).
    pub(super) bias: Option<Bias>,
    /// Bias of a muscle (`mjBIAS_MUSCLE`): its passive force.
    pub(super) muscle_bias: Option<Box<Muscle>>,
    /// Range of the actuator's force (`actuator_forcerange`); `None` if it is not limited.
    pub(super) forcerange: Option<[f64; 2]>,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Actuator {
    pub(super) fn spatial_tendon(&self, model: &NativeModel) -> Option<usize> {
        match self.transmission {
            Transmission::Tendon(tendon) if matches!(model.tendons[tendon].path, TendonPath::Spatial(_)) => Some(tendon),
            _ => None,
        }
    }
}

/// Object that an actuator drives (`actuator_trntype`, `actuator_trnid`).
#[derive(Debug, Clone)]
pub(super) enum Transmission {
    /// Slide or hinge with the position at this index in `qpos`.
    Joint(usize),
    Tendon(usize),
    /// Ball joint with the quaternion at this index in `qpos`. The gear is a torque in the frame of the child or of the parent.
    Ball {
        qposadr: usize,
        is_in_parent: bool,
    },
    /// Free joint with the pose at this index in `qpos`. The gear is a wrench, the torque in the frame of the body or of the world.
    Free {
        qposadr: usize,
        is_in_parent: bool,
    },
    /// Site, in whose frame the gear is a wrench.
    Site(Site),
    SliderCrank(Box<SliderCrank>),
}

impl Transmission {
    /// Returns whether the moment arms depend on the positions, and are not those of a tendon.
    pub(super) fn is_posed(&self) -> bool {
        !matches!(self, Self::Joint(_) | Self::Tendon(_))
    }

    /// Returns whether moment arms that are zero have no entry in `actuator_moment`, so that the order of sums depends on them.
    pub(super) fn drops_zeros(&self) -> bool {
        matches!(self, Self::Site(_) | Self::SliderCrank(_))
    }
}

/// Slider-crank that an actuator drives (`mjTRN_SLIDERCRANK`).
#[derive(Debug, Clone)]
pub(super) struct SliderCrank {
    /// Site of the joint between the crank and the rod.
    pub(super) pin: Site,
    /// Site along whose z axis the slider moves.
    pub(super) slider: Site,
    /// Length of the rod (`actuator_cranklength`).
    pub(super) rod: f64,
    /// Root bodies of the kinematic trees of the pin and of the slider.
    pub(super) roots: [usize; 2],
    /// For each degree of freedom in [`Actuator::moment`], whether it moves the pin, and whether it moves the slider.
    pub(super) moves: Vec<[bool; 2]>,
}

/// Activation state of an actuator (`act`), a state variable that follows the actuator's control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activation {
    pub(super) actadr: usize,
    pub(super) dynamics: Dynamics,
    /// Range of the activation (`actuator_actrange`); `None` if it is not limited.
    pub(super) actrange: Option<[f64; 2]>,
    /// Whether the force depends on the activation after the step (`actuator_actearly`).
    pub(super) is_early: bool,
}

/// Activation dynamics of an actuator (`actuator_dyntype`).
#[derive(Debug, Clone, Copy)]
pub(super) enum Dynamics {
    Integrator,
    /// Linear filter with this time constant.
    Filter(f64),
    /// Linear filter with exact integration: the time constant, and 1 minus the share of the distance that is left.
    FilterExact(f64, f64),
    /// Muscle with these time constants of activation and deactivation, and this width of the transition between them.
    Muscle([f64; 3]),
}

/// Forces that compensate gravity (`body_gravcomp`).
#[derive(Debug, Clone)]
pub(super) struct Gravcomp {
    /// Bodies with such a force, which acts at their centre of mass.
    pub(super) forces: Vec<(usize, [f64; 3])>,
    /// For each degree of freedom, whether the force belongs to `qfrc_actuator` (`jnt_actgravcomp`), not to `qfrc_passive`.
    pub(super) is_actuated: Vec<bool>,
}

/// Friction loss along a degree of freedom (`mjCNSTR_FRICTION_DOF`).
#[derive(Debug, Clone)]
pub(super) struct Friction {
    pub(super) dof: usize,
    /// Largest friction force (`dof_frictionloss`).
    pub(super) frictionloss: f64,
    /// Approximate diagonal of `J * inv(M) * J'` for the friction row (`efc_diagApprox`), which equals `dof_invweight0`.
    pub(super) diag_approx: f64,
    pub(super) sol: SolParams,
}

/// Affine actuator bias (`mjBIAS_AFFINE`).
#[derive(Debug, Clone)]
pub(super) struct Bias {
    pub(super) constant: f64,
    pub(super) by_length: f64,
    /// Coefficient of the actuator's velocity.
    pub(super) by_velocity: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) body: usize,
    pub(super) frame: Frame,
}

/// Impedance and reference parameters of a constraint: `solimp`, and `solref` as stiffness and damping.
#[derive(Debug, Clone, Copy)]
pub(super) struct SolParams {
    /// Impedance `dmin` at distance 0 (`solimp[0]`).
    pub(super) dmin: f64,
    /// Impedance `dmax` at distance `width` (`solimp[1]`).
    pub(super) dmax: f64,
    pub(super) width: f64,
    /// Power of the sigmoid that the impedance follows (`solimp[4]`); the sigmoid of the power 1 is a line.
    pub(super) power: f64,
    /// Midpoint of the sigmoid that the impedance follows, as a fraction of `width` (`solimp[3]`).
    pub(super) midpoint: f64,
    pub(super) k: f64,
    pub(super) b: f64,
}

impl SolParams {
    /// Computes the constants of `solref` and `solimp`, as `getsolparam` and `mj_makeImpedance` (`mj_assignRef`, `mj_assignImp`)
    /// do.
    pub(super) fn new(reference: &[f64], impedance: &[f64], timestep: f64) -> Result<Self, Unsupported> {
        let bounded = |value: f64| value.clamp(0.0001, 0.9999);
        let (least, most) = (bounded(impedance[0]), bounded(impedance[1]));
        let (k, b) = match (reference[0] > 0.0, reference[1] > 0.0) {
            (true, true) => {
                let [time, ratio] = [reference[0].max(2.0 * timestep), reference[1]];
                (1.0 / (most * most * time * time * ratio * ratio).max(MJMINVAL), 2.0 / (most * time).max(MJMINVAL))
            }
            // Stiffness and damping themselves.
            (false, false) => (-reference[0] / (most * most).max(MJMINVAL), -reference[1] / most.max(MJMINVAL)),
            _ => return Err("solref with one positive number and one that is not".into()),
        };
        Ok(Self {
            dmin: least,
            dmax: most,
            width: impedance[2],
            power: impedance[4].max(1.0),
            midpoint: bounded(impedance[3]),
            k,
            b,
        })
    }

    /// Returns whether the impedance does not depend on the distance.
    pub(super) fn is_flat(&self) -> bool {
        self.dmin == self.dmax || self.width <= MJMINVAL
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrator {
    Euler,
    RungeKutta,
    ImplicitFast,
}

/// Constants of a model that a native step reads.
#[derive(Debug, Clone)]
pub(super) struct NativeModel {
    /// Behaviour of the MuJoCo version that compiled the model, for each difference between versions that affects results.
    pub(super) dialect: Dialect,
    pub(super) timestep: f64,
    pub(super) gravity: [f64; 3],
    /// Viscosity and density of the medium (`opt.viscosity`, `opt.density`); `None` if both are 0.
    pub(super) fluid: Option<(f64, f64)>,
    pub(super) integrator: Integrator,
    /// Compensation of gravity; `None` if no body has any, or gravity is 0.
    pub(super) gravcomp: Option<Gravcomp>,
    /// Whether the Euler step integrates damping implicitly (`eulerdamp`).
    pub(super) eulerdamp: bool,
    /// Whether the model disables `eulerdamp`, so that it also has no effect in lanes with own values of `dof_damping`.
    pub(super) disables_eulerdamp: bool,
    pub(super) iterations: usize,
    /// Maximum number of iterations of the solver's line search (`opt.ls_iterations`).
    pub(super) ls_iterations: usize,
    pub(super) tolerance: f64,
    /// Tolerance of the solver's line search (`opt.ls_tolerance`).
    pub(super) ls_tolerance: f64,
    /// Whether the solver treats constraint islands separately.
    pub(super) has_islands: bool,
    /// Whether mid-phase collision detection is disabled, so that the contacts of two bodies keep the order of the geoms.
    pub(super) disables_midphase: bool,
    pub(super) solver: Solver,
    /// Mean diagonal inertia of the model (`stat.meaninertia`).
    pub(super) meaninertia: f64,
    /// Ratio of frictional to normal constraint impedance (`opt.impratio`).
    pub(super) impratio: f64,
    pub(super) nq: usize,
    /// Number of mocap bodies (`nmocap`).
    pub(super) nmocap: usize,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) dofs: Vec<Dof>,
    /// Column indices of the inertia matrix, row by row (`M_colind`).
    pub(super) m_colind: Vec<usize>,
    /// Entries of all rows of the whole inertia matrix, of which `m_colind` has the lower triangle.
    pub(super) full_m: FullInertia,
    pub(super) actuators: Vec<Actuator>,
    pub(super) na: usize,
    pub(super) sites: Vec<Site>,
    pub(super) tendons: Vec<Tendon>,
    /// Sites on the paths of tendons, in ascending order.
    pub(super) tendon_sites: Vec<usize>,
    pub(super) wrap_geoms: Vec<WrapGeom>,
    pub(super) equalities: Vec<Equality>,
    pub(super) frictions: Vec<Friction>,
    /// Whether friction cones are elliptic (`mjCONE_ELLIPTIC`) instead of pyramidal (`mj_isPyramidal`).
    pub(super) is_elliptic: bool,
    /// Geoms that are part of a collision pair.
    pub(super) geoms: Vec<Geom>,
    pub(super) pairs: Vec<GeomPair>,
    pub(super) box_filters: Vec<BoxFilter>,
    /// For each pair, the index in `box_filters` of its filter, if it has one.
    pub(super) pair_filters: Vec<Option<usize>>,
    /// Lists of the degrees of freedom with non-zero entries in a constraint row, in ascending order. The first lists belong to
    /// the collision pairs, the next ones to the tendons with limits, to those with friction and to the ball joints with limits, and
    /// the last ones to the equalities.
    pub(super) efc_colind: Vec<Vec<usize>>,
    /// Maximum number of constraint rows that can exist at the same time.
    pub(super) max_nefc: usize,
    /// Maximum number of constraint rows of contacts that MuJoCo's collision functions find; `max_nefc` includes them.
    pub(super) max_library_nefc: usize,
    /// Number of rows for which `narena` certainly has room; with more, MuJoCo might drop contacts or constraints.
    pub(super) arena_rows: usize,
    /// Whether the solver must look for islands, instead of always treating all kinematic trees together.
    pub(super) can_have_islands: bool,
}

/// Geom that is part of a collision pair.
#[derive(Debug, Clone)]
pub(super) struct Geom {
    /// Index of the geom in the model.
    pub(super) id: usize,
    pub(super) body: usize,
    pub(super) frame: Frame,
}

impl NativeModel {
    /// Returns whether a step may call MuJoCo's collision functions.
    pub(super) fn may_search(&self) -> bool {
        self.max_library_nefc > 0 || self.pairs.iter().any(GeomPair::has_slack)
    }

    /// Returns whether constraints of several batches are solved together: in each lane by itself, so that other lanes' work fills the
    /// time for which an update waits for the previous one.
    pub(super) fn sweeps_together(&self) -> bool {
        self.solver == Solver::Pgs && self.dialect.order == SweepOrder::Shuffled
    }

    pub(super) fn limited_tendons(&self) -> impl Iterator<Item = &Tendon> {
        self.tendons.iter().filter(|tendon| tendon.limit.is_some())
    }

    pub(super) fn friction_tendons(&self) -> impl Iterator<Item = &Tendon> {
        self.tendons.iter().filter(|tendon| tendon.friction.is_some())
    }

    /// Returns whether any tendon has inertia.
    pub(super) fn has_tendon_armature(&self) -> bool {
        self.tendons.iter().any(|tendon| tendon.armature != 0.0)
    }

    /// Iterates over the degrees of freedom of all ball joints that have a limit, in order.
    pub(super) fn limited_balls(&self) -> impl Iterator<Item = [usize; 3]> {
        let limited = self.joints.iter().filter(|joint| joint.kind == JointKind::Ball && joint.limit.is_some());
        limited.map(|joint| [0, 1, 2].map(|axis| joint.dofadr + axis))
    }

    /// Returns the column indices of a row of the inertia matrix; the last index is the diagonal's.
    #[inline(always)]
    pub(super) fn m_colind_of(&self, dof: usize) -> &[usize] {
        &self.m_colind[self.dofs[dof].m_rowadr..][..self.dofs[dof].m_rownnz]
    }

    /// Returns whether an actuator drives a degree of freedom and also an ancestor of it.
    pub(super) fn moves_ancestors(&self, actuator: &Actuator) -> bool {
        actuator.moment.iter().any(|(dof, _)| {
            let mut ancestors = std::iter::successors(self.dofs[*dof].parent, |dof| self.dofs[*dof].parent);
            ancestors.any(|ancestor| actuator.moment.iter().any(|(dof, _)| *dof == ancestor))
        })
    }

    /// Returns the index of the kinematic tree that a body belongs to; `None` if the body cannot move.
    pub(super) fn tree_of(&self, body: usize) -> Option<usize> {
        self.bodies[body].last_dof.map(|dof| self.dofs[dof].tree)
    }
}

/// Sparsity of the whole inertia matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct FullInertia {
    /// Number of entries of the rows up to and including each row.
    pub(super) ends: Vec<usize>,
    /// Offset of each entry in the lower triangle, and its column. In each row, the diagonal comes first, then the ancestors from
    /// the nearest to the root, then the descendants in ascending order: the order of sums of `mj_mulM`.
    pub(super) entries: Vec<[usize; 2]>,
}

impl FullInertia {
    pub(super) fn new(dofs: &[Dof], m_colind: &[usize]) -> Self {
        let mut full = Self::default();
        for (row, dof) in dofs.iter().enumerate() {
            full.entries.extend((dof.m_rowadr..=dof.m_diagadr()).rev().map(|at| [at, m_colind[at]]));
            for (below, dof) in dofs.iter().enumerate().skip(row + 1) {
                full.entries.extend((dof.m_rowadr..dof.m_diagadr()).filter(|at| m_colind[*at] == row).map(|at| [at, below]));
            }
            full.ends.push(full.entries.len());
        }
        full
    }
}

/// Constraint island: a set of kinematic trees that constraints can connect, with the tables with which the solver solves it.
#[derive(Debug, Clone)]
pub(super) struct Island {
    /// Bit mask of the island's kinematic trees.
    pub(super) trees: u64,
    /// Indices of the degrees of freedom whose `dof_island` is this island (`map_idof2dof`).
    pub(super) dofs: Vec<usize>,
    /// Index in `dofs` of each degree of freedom plus 1, or 0 if it is not in the island (`map_dof2idof`).
    pub(super) map_dof2idof: Vec<u8>,
    /// Offsets of the island's entries in the inertia matrix.
    pub(super) masses: Vec<usize>,
    pub(super) model: NativeModel,
}
