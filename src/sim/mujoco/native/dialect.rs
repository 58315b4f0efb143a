//! What a step is in one version of the library and not in another: all of it, in one place.
//!
//! | from | |
//! |---|---|
//! | 3.5.0 | what everything else says |
//! | 3.6.0 | how fast tendons get longer is a sum over the degrees of freedom that move them, not over all |
//! | 3.8.1 | the projected Gauss-Seidel method takes rows in an order drawn anew for each sweep, from the time of the step |
//! | 3.9.0 | the same, but all solves draw the same orders |
//! | 3.10.0 | Newton's method counts costs along a line from where it stands; what the line gained decides whether it goes on |
//! | 3.11.0 | Newton's method ends where little is to be gained, before it begins too; a line has to gain something |
//! | 3.11.0 | what a contact's cone costs more than at a line's start is a formula for each way from zone to zone, not a difference |
//! | 3.11.0 | the projected Gauss-Seidel method keeps its momentum (Nesterov), until it goes uphill |
//! | 3.12.0 | where the factored Hessian loses a pivot, its column is cleared |
//! | 3.13.0 | what Newton's method's beginning costs beside its constraints is a product with the mass matrix |
//! | 3.13.0 | the lowest point of an ellipsoid is scaled once, not brought to the sphere first |
//! | 3.14.0 | outer forces on bodies count in what ropes pull that are as long as they can be |
//! | 3.16.0 | where two capsules touch is computed by cross products; parallel they are within 1e-8, not 1e-15 |
//! | 3.17.0 | the same from end to end of their segments, not from the middles |
//! | 3.17.0 | what costs are measured in is the trace of the mass matrix as it is, not as it was when the model was made |
//! | 4.0.0 | quaternions' products, squares and matrices are summed pair by pair |
//! | 4.0.0 | Runge's and Kutta's method corrects how bodies turn (Munthe-Kaas) |
//! | 4.0.0 | where contacts slip is told by a direction in elliptic cones, not by how fast |
//! | 4.0.0 | the factored Hessian is solved for from the last unknown to the first, column by column |
//!
//! Versions in between are as the one before them, as far as models go that are stepped here: each was compared. A version that is not
//! known is left to the library, by name, without being tried. What differs can be rare: by the rules of 3.9.0, three of 819,000 steps on
//! 3.10.0 are others, which some thousand steps would not show.

/// The versions whose steps were compared, as the library numbers them.
const COMPARED: [i32; 15] = [
    3_005_000, 3_006_000, 3_007_000, 3_008_000, 3_008_001, 3_009_000, 3_010_000, 3_011_000, 3_012_000, 3_013_000, 3_014_000,
    3_015_000, 3_016_000, 3_017_000, 4_000_000,
];

/// How accelerations and constraints come to agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Solver {
    Newton,
    GaussSeidel,
}

/// In which order the projected Gauss-Seidel method takes rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As they come.
    Rows,
    /// Another one for each sweep, the same ones for each solve.
    Drawn,
}

/// How the nearest points of two capsules' segments are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nearest {
    /// By two equations' determinant.
    ByDeterminant,
    /// By cross products, in which less is lost where segments are nearly parallel.
    ByCrossProduct,
    /// The same, counted from one end of each segment.
    FromEnds,
}

/// What differs between versions of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) order: Order,
    /// Whether tendons' velocities are sums over all degrees of freedom.
    pub(super) has_dense_tendons: bool,
    /// Whether costs along a line are counted from its start.
    pub(super) counts_from_start: bool,
    /// Whether Newton's method asks what is to be gained.
    pub(super) asks_for_gain: bool,
    /// Whether what a cone costs more than at a line's start is told zone by zone.
    pub(super) tells_zones_apart: bool,
    /// Whether the projected Gauss-Seidel method keeps its momentum.
    pub(super) keeps_momentum: bool,
    /// Whether a column of the Hessian is cleared that has lost its pivot.
    pub(super) clears_columns: bool,
    /// Whether the beginning's own cost is a product with the mass matrix.
    pub(super) begins_by_mass: bool,
    /// Whether the lowest point of an ellipsoid is scaled once.
    pub(super) scales_once: bool,
    /// Whether ropes count among what pushes and pulls bodies from outside.
    pub(super) counts_ropes: bool,
    pub(super) nearest: Nearest,
    /// Numbers that each equality constraint has.
    pub(super) equality_numbers: usize,
    /// Whether costs are measured in the trace of the mass matrix.
    pub(super) measures_by_trace: bool,
    /// Whether sums of quaternions go pair by pair.
    pub(super) sums_in_pairs: bool,
    /// Whether a stage's turning is corrected.
    pub(super) corrects_turning: bool,
    /// Whether a cone knows the direction in which it slips.
    pub(super) slips_by_direction: bool,
    /// Whether the factored Hessian is solved for column by column.
    pub(super) solves_by_columns: bool,
}

impl Dialect {
    /// That of a version.
    ///
    /// # Errors
    /// The version's name, where it is not known.
    pub(super) fn of(version: i32, solver: Solver) -> Result<Self, String> {
        let name = |version: i32| format!("{}.{}.{}", version / 1_000_000, version / 1_000 % 1_000, version % 1_000);
        if !COMPARED.contains(&version) {
            let compared = COMPARED.map(name).join(", ");
            return Err(format!("version {} of MuJoCo: compared were {compared}", name(version)));
        }
        if solver == Solver::GaussSeidel && version == 3_008_001 {
            return Err("the order of the solver's rows, which version 3.8.1 of MuJoCo draws from the time".into());
        }
        let from = |first: i32| version >= first;
        Ok(Self {
            order: if from(3_009_000) { Order::Drawn } else { Order::Rows },
            has_dense_tendons: !from(3_006_000),
            counts_from_start: from(3_010_000),
            asks_for_gain: from(3_011_000),
            tells_zones_apart: from(3_011_000),
            keeps_momentum: from(3_011_000),
            clears_columns: from(3_012_000),
            begins_by_mass: from(3_013_000),
            scales_once: from(3_013_000),
            counts_ropes: from(3_014_000),
            nearest: if from(3_017_000) {
                Nearest::FromEnds
            } else if from(3_016_000) {
                Nearest::ByCrossProduct
            } else {
                Nearest::ByDeterminant
            },
            measures_by_trace: from(3_017_000),
            equality_numbers: if from(3_017_000) { 12 } else { 11 },
            sums_in_pairs: from(4_000_000),
            corrects_turning: from(4_000_000),
            slips_by_direction: from(4_000_000),
            solves_by_columns: from(4_000_000),
        })
    }
}
