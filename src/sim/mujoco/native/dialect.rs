//! Differences between MuJoCo versions that affect the results of a step.
//!
//! | since | difference |
//! |---|---|
//! | 3.5.0 | the baseline, whose behaviour all other modules describe |
//! | 3.6.0 | `ten_velocity` is a sum over the degrees of freedom that move the tendon, not over all |
//! | 3.7.0 | the reference accelerations of welds and connects include the change of their Jacobian |
//! | 3.8.1 | PGS visits rows in a random order, drawn for each sweep and seeded by the time of the step |
//! | 3.9.0 | PGS still shuffles, but all solves draw the same orders |
//! | 3.9.0 | collision functions write `mjPreContact` instead of `mjContact` |
//! | 3.10.0 | Newton's line search computes costs relative to its start; its improvement decides whether the solver continues |
//! | 3.11.0 | Newton ends at a small expected decrease, also before the first iteration; a line search must decrease the cost |
//! | 3.11.0 | the cost difference of an elliptic cone on a line has one formula per pair of zones, instead of a subtraction |
//! | 3.11.0 | PGS uses Nesterov momentum, and restarts the momentum where the cost rises |
//! | 3.12.0 | the factored Hessian clears a column that loses its pivot |
//! | 3.13.0 | the Gauss cost of Newton's warmstart is a product with the mass matrix |
//! | 3.13.0 | the lowest point of an ellipsoid is scaled once, not transformed to the unit sphere first |
//! | 3.14.0 | `cfrc_ext` includes the forces of tendon limits, and the torques of welds |
//! | 3.16.0 | the nearest points of two capsules use cross products; segments are parallel within 1e-8, not 1e-15 |
//! | 3.17.0 | the nearest points of two capsules are counted from the segments' ends, not from their centres |
//! | 3.17.0 | the solver's cost scale is the trace of the current mass matrix, not `stat.meaninertia` from compilation |
//! | 4.0.0 | products, squared norms and matrices of quaternions are summed pairwise |
//! | 4.0.0 | `mj_RungeKutta` corrects rotations of the stages (Munthe-Kaas) |
//! | 4.0.0 | elliptic cones use the direction of slip, not the slip velocity |
//! | 4.0.0 | the back substitution of the factored Hessian goes from the last unknown to the first, column by column |
//!
//! A version that the table does not list behaves as the listed version before it, for models that have native steps; each
//! version was compared. With a MuJoCo version that was not compared, MuJoCo steps all models. A difference can be rare: if the
//! steps of MuJoCo 3.10.0 are computed by the rules of 3.9.0, 3 of 819,000 steps differ. A comparison of a few thousand steps
//! would not reveal this.

/// MuJoCo versions whose steps were compared with the native steps, as numbers that `mj_version` returns.
pub(super) const COMPARED: [i32; 15] = [
    3_005_000, 3_006_000, 3_007_000, 3_008_000, 3_008_001, 3_009_000, 3_010_000, 3_011_000, 3_012_000, 3_013_000, 3_014_000,
    3_015_000, 3_016_000, 3_017_000, 4_000_000,
];

/// Size of `mjContact`, in float64 values.
const CONTACT: usize = 72;
/// Size of `mjPreContact`, in float64 values.
const PRE_CONTACT: usize = 10;

/// Constraint solver (`mjtSolver`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Solver {
    Newton,
    Pgs,
}

/// Order in which PGS visits the constraint rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SweepOrder {
    /// PGS visits the constraint rows in the order of their indices.
    Rows,
    /// PGS visits the constraint rows in a shuffled order, which changes with each sweep. The sequence of orders is the same in
    /// each solve.
    Shuffled,
}

/// Method of finding the nearest points of two capsules' axis segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearest {
    /// The nearest points are computed from two linear equations, which are solved by their determinant.
    ByDeterminant,
    /// The nearest points are computed from cross products, which lose less accuracy for nearly parallel segments.
    ByCrossProduct,
    /// The nearest points are computed from cross products, with fractions that are counted from one end of each segment.
    FromEnds,
}

/// Behaviour of one MuJoCo version: a field for each difference between versions that affects results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) order: SweepOrder,
    /// Whether `ten_velocity` is a sum over all degrees of freedom, instead of only the degrees of freedom that move the
    /// tendon.
    pub(super) has_dense_tendons: bool,
    /// Whether `efc_aref` of equality constraints of two bodies includes the change of the Jacobian (`mj_Jdotv`).
    pub(super) jdotv: bool,
    /// Whether the Newton solver's line search computes costs relative to the cost at its start.
    pub(super) relative_cost: bool,
    /// Whether the Newton solver also ends at a small Newton decrement.
    pub(super) newton_decrement: bool,
    /// Whether the cost difference of an elliptic cone between two points of a search line has one formula per pair of zones.
    pub(super) zonewise_cone_cost: bool,
    /// Whether PGS uses Nesterov momentum.
    pub(super) nesterov: bool,
    /// Whether the Cholesky factorization clears a column whose pivot is too small.
    pub(super) clears_columns: bool,
    /// Whether the Gauss cost of the warmstart is a product with the mass matrix.
    pub(super) warmstart_by_mass: bool,
    /// Whether the lowest point of an ellipsoid is scaled once, instead of being transformed to the unit sphere first.
    pub(super) ellipsoid_scales_once: bool,
    /// Whether `cfrc_ext` includes the forces of tendon limits.
    pub(super) tendon_cfrc_ext: bool,
    /// Whether `cfrc_ext` includes the torque of a weld, instead of the forces of the weld's rotational rows.
    pub(super) turns_weld_torque: bool,
    pub(super) nearest: Nearest,
    /// Number of float64 values of each contact that a collision function writes.
    pub(super) contact_stride: usize,
    /// Number of values of each equality constraint in `eq_data` (`mjNEQDATA`).
    pub(super) neqdata: usize,
    /// Whether the solver's cost scale is the trace of the current mass matrix, instead of `stat.meaninertia`.
    pub(super) scale_by_trace: bool,
    /// Whether products, squared norms and matrices of quaternions are summed pairwise.
    pub(super) pairwise_quat: bool,
    /// Whether `mj_RungeKutta` corrects the rotations of its stages (Munthe-Kaas).
    pub(super) munthe_kaas: bool,
    /// Whether an elliptic cone uses the direction of slip instead of the slip velocity.
    pub(super) slips_by_direction: bool,
    /// Whether the back substitution of the factored Hessian runs column by column.
    pub(super) solves_by_columns: bool,
    /// Whether `implicitfast` ignores the actuators' damping of a joint whose actuator force is at a bound of its range.
    pub(super) bounds_joint_slopes: bool,
    /// Whether `implicitfast` has its own equations for a free body without other joints: the midpoint rule or, from 3.11 on,
    /// gyroscopic derivatives.
    pub(super) has_free_body_equations: bool,
}

impl Dialect {
    /// Returns the behaviour of a MuJoCo version.
    ///
    /// # Errors
    /// Returns the version's name if its steps were not compared with the native steps.
    pub(super) fn of(version: i32, solver: Solver) -> Result<Self, String> {
        let name = |version: i32| format!("{}.{}.{}", version / 1_000_000, version / 1_000 % 1_000, version % 1_000);
        if !COMPARED.contains(&version) {
            let compared = COMPARED.map(name).join(", ");
            return Err(format!("version {} of MuJoCo: compared were {compared}", name(version)));
        }
        if solver == Solver::Pgs && version == 3_008_001 {
            return Err("the order of the solver's rows, which version 3.8.1 of MuJoCo draws from the time".into());
        }
        let from = |first: i32| version >= first;
        Ok(Self {
            order: if from(3_009_000) { SweepOrder::Shuffled } else { SweepOrder::Rows },
            has_dense_tendons: !from(3_006_000),
            jdotv: from(3_007_000),
            relative_cost: from(3_010_000),
            newton_decrement: from(3_011_000),
            zonewise_cone_cost: from(3_011_000),
            nesterov: from(3_011_000),
            clears_columns: from(3_012_000),
            warmstart_by_mass: from(3_013_000),
            ellipsoid_scales_once: from(3_013_000),
            tendon_cfrc_ext: from(3_014_000),
            turns_weld_torque: from(3_014_000),
            nearest: if from(3_017_000) {
                Nearest::FromEnds
            } else if from(3_016_000) {
                Nearest::ByCrossProduct
            } else {
                Nearest::ByDeterminant
            },
            contact_stride: if from(3_009_000) { PRE_CONTACT } else { CONTACT },
            scale_by_trace: from(3_017_000),
            neqdata: if from(3_017_000) { 12 } else { 11 },
            pairwise_quat: from(4_000_000),
            munthe_kaas: from(4_000_000),
            slips_by_direction: from(4_000_000),
            solves_by_columns: from(4_000_000),
            bounds_joint_slopes: from(4_000_000),
            has_free_body_equations: from(3_007_000),
        })
    }
}
