//! MuJoCo versions that have native steps, and their differences that affect the results of a step.
//!
//! | version | differences from the version before it in this table |
//! |---|---|
//! | 3.6.0 | the baseline, whose behaviour all other modules describe |
//! | 3.16.0 | the reference accelerations of welds and connects include the change of their Jacobian |
//! | | PGS visits rows in a random order, drawn for each sweep; all solves draw the same orders |
//! | | PGS uses Nesterov momentum, and restarts the momentum where the cost rises |
//! | | collision functions write `mjPreContact` instead of `mjContact` |
//! | | Newton's line search computes costs relative to its start, and must decrease the cost; its improvement decides whether the solver continues |
//! | | Newton ends at a small expected decrease, also before the first iteration |
//! | | the cost difference of an elliptic cone on a line has one formula per pair of zones |
//! | | the factored Hessian clears a column that loses its pivot |
//! | | the Gauss cost of Newton's warmstart is a product with the mass matrix |
//! | | the lowest point of an ellipsoid is scaled once, not transformed to the unit sphere first |
//! | | `cfrc_ext` includes the forces of spatial tendons, and the torques of welds |
//! | | the nearest points of two capsules use cross products; segments are parallel within 1e-8, not 1e-15 |
//! | | tendons wrap around geoms by arc tangents instead of arc cosines |
//! | | a `gap` begins at the margin of two geoms, instead of ending there |
//! | | `implicitfast` has its own equations for a free body without other joints |
//! | | the bias forces of a tendon's inertia sum a product with the velocities for each piece |
//! | 3.17.0 | the nearest points of two capsules are counted from the segments' ends, not from their centres |
//! | | the solver's cost scale is the trace of the current mass matrix, not `stat.meaninertia` from compilation |
//! | 4.0.0 | a tendon winds around a geom as the line through its sites and its side site does |
//! | | products, squared norms and matrices of quaternions are summed pairwise |
//! | | `mj_RungeKutta` corrects rotations of the stages (Munthe-Kaas) |
//! | | `mj_RungeKutta` leaves the mean of the stages' accelerations in `qacc`, not the last stage's |
//! | | elliptic cones use the direction of slip, not the slip velocity |
//! | | the back substitution of the factored Hessian goes from the last unknown to the first, column by column |
//! | | `implicitfast` ignores the actuators' damping of a joint whose actuator force is at a bound of its range |
//!
//! The table has the oldest version that a reference requires (dm_control 1.0.38: 3.6.0), and the last three minor versions, each
//! with its newest patch release. With any other version of MuJoCo, its library steps all models, because a difference can be rare:
//! if the steps of MuJoCo 3.10.0 are computed by the rules of 3.9.0, 3 of 819,000 steps differ.

/// MuJoCo versions that have native steps, as numbers that `mj_version` returns.
pub(super) const NATIVE_VERSIONS: [i32; 4] = [3_006_000, 3_016_000, 3_017_000, 4_000_000];

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
    /// PGS visits rows in an order that changes with each sweep and repeats in each solve, with Nesterov momentum.
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

/// Method of finding the path of a tendon around a geom (`mju_wrap`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrapMethod {
    /// Arcs are arc cosines. Newton's method for inside wraps varies the sine of an angle.
    ArcCosine,
    /// Arcs are arc tangents, and crossing segments are found without a division. Newton's method varies the angle.
    ArcTangent,
    /// As `ArcTangent`, and the tendon winds around the geom as the line through both sites and the side site does.
    Winding,
}

/// Behaviour of one MuJoCo version: a field for each difference between versions that affects results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) order: SweepOrder,
    /// Whether `efc_aref` of equality constraints of two bodies includes the change of the Jacobian (`mj_Jdotv`).
    pub(super) jdotv: bool,
    /// Whether the Newton solver's line search computes costs relative to the cost at its start, and has to decrease the cost.
    /// The solver then also ends at a small Newton decrement.
    pub(super) relative_cost: bool,
    /// Whether the Cholesky factorization clears a column whose pivot is too small.
    pub(super) clears_columns: bool,
    /// Whether the Gauss cost of the warmstart is a product with the mass matrix.
    pub(super) warmstart_by_mass: bool,
    /// Whether the lowest point of an ellipsoid is scaled once, instead of being transformed to the unit sphere first.
    pub(super) ellipsoid_scales_once: bool,
    /// Whether `cfrc_ext` has forces of spatial tendons, and a weld's torque instead of its rows' forces.
    pub(super) complete_cfrc_ext: bool,
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
    /// Whether `mj_RungeKutta` leaves the mean of its stages' accelerations in `qacc`.
    pub(super) leaves_mean_qacc: bool,
    /// Whether an elliptic cone uses the direction of slip instead of the slip velocity.
    pub(super) slips_by_direction: bool,
    /// Whether the back substitution of the factored Hessian runs column by column.
    pub(super) solves_by_columns: bool,
    /// Whether `implicitfast` ignores the actuators' damping of a joint whose actuator force is at a bound of its range.
    pub(super) bounds_joint_slopes: bool,
    /// Whether `implicitfast` has its own equations for a free body without other joints.
    pub(super) has_free_body_equations: bool,
    pub(super) wraps: WrapMethod,
    /// Whether the gap of two geoms begins at their margin, instead of ending there.
    pub(super) gap_extends_margin: bool,
    /// Whether `mj_tendonDot` sums products of each piece of a tendon, instead of the Jacobian's derivative.
    pub(super) sums_tendon_dot: bool,
}

impl Dialect {
    /// Returns the distance of two geoms up to which MuJoCo finds contacts, and that up to which they act (`includemargin`), by
    /// the results of `getMargin` and `getGap`.
    pub(super) fn margins(&self, margin: f64, gap: f64) -> [f64; 2] {
        if self.gap_extends_margin { [margin + gap, margin] } else { [margin, margin - gap] }
    }

    /// Returns the behaviour of a MuJoCo version.
    pub(super) fn of(version: i32) -> Result<Self, String> {
        let name = |version: i32| format!("{}.{}.{}", version / 1_000_000, version / 1_000 % 1_000, version % 1_000);
        if !NATIVE_VERSIONS.contains(&version) {
            let versions = NATIVE_VERSIONS.map(name).join(", ");
            return Err(format!("version {} of MuJoCo: native steps exist for {versions}", name(version)));
        }
        let [_, is_3_16, is_3_17, is_4] = NATIVE_VERSIONS.map(|first| version >= first);
        Ok(Self {
            order: if is_3_16 { SweepOrder::Shuffled } else { SweepOrder::Rows },
            jdotv: is_3_16,
            relative_cost: is_3_16,
            clears_columns: is_3_16,
            warmstart_by_mass: is_3_16,
            ellipsoid_scales_once: is_3_16,
            complete_cfrc_ext: is_3_16,
            nearest: if is_3_17 {
                Nearest::FromEnds
            } else if is_3_16 {
                Nearest::ByCrossProduct
            } else {
                Nearest::ByDeterminant
            },
            contact_stride: if is_3_16 { PRE_CONTACT } else { CONTACT },
            has_free_body_equations: is_3_16,
            sums_tendon_dot: is_3_16,
            gap_extends_margin: is_3_16,
            scale_by_trace: is_3_17,
            neqdata: if is_3_17 { 12 } else { 11 },
            pairwise_quat: is_4,
            munthe_kaas: is_4,
            leaves_mean_qacc: is_4,
            slips_by_direction: is_4,
            solves_by_columns: is_4,
            bounds_joint_slopes: is_4,
            wraps: if is_4 {
                WrapMethod::Winding
            } else if is_3_16 {
                WrapMethod::ArcTangent
            } else {
                WrapMethod::ArcCosine
            },
        })
    }
}
