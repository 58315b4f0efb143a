//! What is stepped: a model, as it is stepped.

use super::algebra::TINY;
use super::dialect::{Dialect, Solver};

/// Bodies, at most.
pub(super) const BODIES: usize = 24;
/// Degrees of freedom, at most.
pub(super) const DOFS: usize = 28;
/// Positions, at most.
pub(super) const POSITIONS: usize = 32;
/// Numbers of the lower half of the mass matrix, at most.
pub(super) const MASSES: usize = 300;
/// Shapes that may touch, at most.
pub(super) const SHAPES: usize = 24;

/// Why a model is left to the library.
pub(super) type Refusal = String;

/// Kinds of joints, as the library numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JointKind {
    Free,
    Slide,
    Hinge,
}

/// How a frame of a body's follows from the body's own (`mjtSameFrame`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SameFrame {
    Neither,
    Body,
    Inertia,
    BodyRotation,
    InertiaRotation,
}

impl SameFrame {
    pub(super) fn of(number: u8) -> Result<Self, Refusal> {
        [Self::Neither, Self::Body, Self::Inertia, Self::BodyRotation, Self::InertiaRotation]
            .get(usize::from(number))
            .copied()
            .ok_or_else(|| format!("a frame of kind {number}"))
    }
}

/// A frame that is fixed to a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) same: SameFrame,
    pub(super) place: [f64; 3],
    pub(super) turn: [f64; 4],
}

/// A body.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) parent: usize,
    /// The body at the root of its tree.
    pub(super) root: usize,
    pub(super) joints: std::ops::Range<usize>,
    pub(super) dofs: std::ops::Range<usize>,
    pub(super) place: [f64; 3],
    pub(super) turn: [f64; 4],
    /// Where its mass is.
    pub(super) centre: Frame,
    pub(super) mass: f64,
    /// One by the mass of all below it.
    pub(super) by_tree_mass: f64,
    pub(super) inertia: [f64; 3],
    /// Sides of the box that has its inertia, for drag.
    pub(super) sides: [f64; 3],
    /// The nearest body above it, or itself, that has degrees of freedom, and its last one.
    pub(super) last_dof: Option<usize>,
}

/// A joint.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) kind: JointKind,
    pub(super) position: usize,
    pub(super) dof: usize,
    pub(super) place: [f64; 3],
    pub(super) axis: [f64; 3],
    /// Which coordinate its axis lies along, and with which sign.
    pub(super) along: Option<(usize, f64)>,
    pub(super) rest: f64,
    pub(super) spring_rest: f64,
    pub(super) stiffness: f64,
    pub(super) limit: Option<Limit>,
}

/// Bounds of a joint.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) margin: f64,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
}

/// A degree of freedom.
#[derive(Debug, Clone)]
pub(super) struct Dof {
    pub(super) body: usize,
    pub(super) parent: Option<usize>,
    pub(super) armature: f64,
    pub(super) damping: f64,
    /// Its mass, where that never changes.
    pub(super) mass: Option<f64>,
    pub(super) tree: usize,
    /// Its row of the mass matrix: where that begins and how many numbers it has, the last of which is the diagonal's.
    pub(super) row: usize,
    pub(super) len: usize,
}

impl Dof {
    /// Where the diagonal's number is.
    pub(super) fn diagonal(&self) -> usize {
        self.row + self.len - 1
    }
}

/// A motor.
#[derive(Debug, Clone)]
pub(super) struct Motor {
    /// Degrees of freedom along which it pushes, and how much of its force comes there.
    pub(super) along: Vec<(usize, f64)>,
    pub(super) gain: f64,
    /// What it has of its own between its control and its force.
    pub(super) activation: Option<Activation>,
    /// What its length pushes, if that does.
    pub(super) bias: Option<Bias>,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A state of a motor, which follows its control.
#[derive(Debug, Clone, Copy)]
pub(super) struct Activation {
    pub(super) number: usize,
    /// In how much time it follows, unless it is the sum of controls.
    pub(super) time: Option<f64>,
}

/// A sum of joints that constraints keep at a length.
#[derive(Debug, Clone)]
pub(super) struct Equality {
    /// The tendon.
    pub(super) tendon: usize,
    /// Its length when the model is at its beginning, and what it is to be longer.
    pub(super) rest: f64,
    pub(super) offset: f64,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
    /// Its tree, by number.
    pub(super) tree: usize,
}

/// Friction in a joint, along one of its degrees of freedom.
#[derive(Debug, Clone)]
pub(super) struct Friction {
    pub(super) dof: usize,
    /// The force of it, at most.
    pub(super) loss: f64,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
}

/// A force that goes by a motor's length.
#[derive(Debug, Clone)]
pub(super) struct Bias {
    pub(super) constant: f64,
    pub(super) by_length: f64,
    pub(super) gear: f64,
    /// What the length is a sum of: positions, and the share of each; one without for a joint.
    pub(super) length: Vec<(usize, Option<f64>)>,
}

/// A site.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) body: usize,
    pub(super) frame: Frame,
}

/// What becomes of a distance: how stiff and how soft a constraint is (`solref` and `solimp`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Softness {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) width: f64,
    pub(super) middle: f64,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
}

impl Softness {
    pub(super) fn new(reference: &[f64], impedance: &[f64], timestep: f64) -> Result<Self, Refusal> {
        let bounded = |value: f64| value.clamp(0.0001, 0.9999);
        let [time, ratio] = [reference[0].max(2.0 * timestep), reference[1]];
        if impedance[4] != 2.0 || reference[0] <= 0.0 || ratio <= 0.0 || impedance[2] <= TINY {
            return Err("solref or solimp of another kind".into());
        }
        let (least, most) = (bounded(impedance[0]), bounded(impedance[1]));
        Ok(Self {
            least,
            most,
            width: impedance[2],
            middle: bounded(impedance[3]),
            stiffness: 1.0 / (most * most * time * time * ratio * ratio).max(TINY),
            damping: 2.0 / (most * time).max(TINY),
        })
    }
}

/// How a step goes from accelerations to positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrator {
    Euler,
    RungeKutta,
}

/// A tendon, of which somebody may want to know the length.
#[derive(Debug, Clone)]
pub(super) enum Tendon {
    Sum(Sum),
    Rope(Box<Rope>),
}

/// A tendon that is a sum of joints' positions, and may be a spring.
#[derive(Debug, Clone)]
pub(super) struct Sum {
    /// Positions and degrees of freedom, with their shares.
    pub(super) parts: Vec<(usize, usize, f64)>,
    pub(super) spring: Option<Spring>,
}

/// A spring that is at rest between two lengths.
#[derive(Debug, Clone)]
pub(super) struct Spring {
    pub(super) stiffness: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A model, as it is stepped.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    /// What the library's version has of its own.
    pub(super) dialect: Dialect,
    pub(super) timestep: f64,
    pub(super) gravity: [f64; 3],
    /// Viscosity and density of what it moves in, if there is anything.
    pub(super) fluid: Option<(f64, f64)>,
    pub(super) integrator: Integrator,
    /// Whether a step with Euler's method counts in the damping of its end.
    pub(super) has_damping: bool,
    pub(super) iterations: usize,
    pub(super) search_iterations: usize,
    pub(super) tolerance: f64,
    pub(super) search_tolerance: f64,
    /// Whether the solver works at one tree of bodies by itself.
    pub(super) has_islands: bool,
    /// Whether contacts of two bodies come in the order in which they are looked for.
    pub(super) lacks_middle_phase: bool,
    pub(super) solver: Solver,
    pub(super) mean_inertia: f64,
    pub(super) impedance_ratio: f64,
    pub(super) positions: usize,
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) dofs: Vec<Dof>,
    /// Degrees of freedom of the mass matrix' numbers, row by row.
    pub(super) columns: Vec<usize>,
    pub(super) motors: Vec<Motor>,
    pub(super) sites: Vec<Site>,
    pub(super) tendons: Vec<Tendon>,
    pub(super) equalities: Vec<Equality>,
    pub(super) frictions: Vec<Friction>,
    /// Whether contacts' forces stay within elliptic cones, and not within pyramids.
    pub(super) has_cones: bool,
    /// What may touch.
    pub(super) shapes: Vec<Shape>,
    pub(super) pairs: Vec<Pair>,
    /// Degrees of freedom in which rows are not zero, the first one first: of each pair, then of each rope, then of each equality.
    pub(super) supports: Vec<Vec<usize>>,
    /// Rows that there can be at once.
    pub(super) rows: usize,
    /// Trees that constraints can bind together, where the solver looks at each such island by itself.
    pub(super) islands: Vec<Island>,
}

/// Something that may touch something else.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) body: usize,
    pub(super) frame: Frame,
}

impl Tendon {
    /// The rope that it is, unless it is a sum.
    pub(super) fn rope_mut(&mut self) -> Option<&mut Rope> {
        match self {
            Self::Rope(rope) => Some(rope),
            Self::Sum(_) => None,
        }
    }
}

impl Tables {
    /// All ropes, one after the other.
    pub(super) fn ropes(&self) -> impl Iterator<Item = &Rope> {
        self.tendons.iter().filter_map(|tendon| match tendon {
            Tendon::Rope(rope) => Some(&**rope),
            Tendon::Sum(_) => None,
        })
    }

    /// Degrees of freedom of a row of the mass matrix, the diagonal's last.
    #[inline(always)]
    pub(super) fn columns_of(&self, dof: usize) -> &[usize] {
        &self.columns[self.dofs[dof].row..][..self.dofs[dof].len]
    }

    /// Rows that a contact has with this coefficient of friction, if with any.
    pub(super) fn rows_of(&self, friction: Option<f64>) -> usize {
        match friction {
            None => 1,
            Some(_) if self.has_cones => 3,
            Some(_) => 4,
        }
    }

    /// Degrees of freedom in which an equality's row is not zero, the first one first.
    pub(super) fn support_of(&self, equality: &Equality) -> Vec<usize> {
        let mut support: Vec<_> = self.parts_of(equality).iter().map(|(_, dof, _)| *dof).collect();
        support.sort_unstable();
        support
    }

    /// What an equality's sum is of.
    pub(super) fn parts_of(&self, equality: &Equality) -> &[(usize, usize, f64)] {
        match &self.tendons[equality.tendon] {
            Tendon::Sum(sum) => &sum.parts,
            Tendon::Rope(_) => &[],
        }
    }

    /// The tree that a body is of, unless it cannot move.
    pub(super) fn tree_of(&self, body: usize) -> Option<usize> {
        self.bodies[body].last_dof.map(|dof| self.dofs[dof].tree)
    }
}

/// Some trees that are bound together, as a model of their own, as far as the solver goes.
#[derive(Debug, Clone)]
pub(super) struct Island {
    /// The trees, as bits.
    pub(super) trees: u64,
    /// Their degrees of freedom.
    pub(super) dofs: Vec<usize>,
    /// Which of these each degree of freedom of the model is, counted from 1.
    pub(super) of_all: Vec<u8>,
    /// Where their numbers are in the mass matrix.
    pub(super) masses: Vec<usize>,
    pub(super) tables: Tables,
}

/// A tendon from site to site.
#[derive(Debug, Clone)]
pub(super) struct Rope {
    /// Where it begins and ends.
    pub(super) ends: [Site; 2],
    /// The bodies whose trees' centres of mass the ends' motions are about.
    pub(super) roots: [usize; 2],
    /// The degrees of freedom that move each end, and no other.
    pub(super) chains: [Vec<usize>; 2],
    /// The trees of the ends that can move, as bits.
    pub(super) trees: u64,
    pub(super) limit: Option<RopeLimit>,
}

impl Rope {
    /// Degrees of freedom in which its row is not zero, the first one first.
    pub(super) fn support(&self) -> Vec<usize> {
        let mut support = self.chains.concat();
        support.sort_unstable();
        support
    }

    /// The trees that its row binds together, as bits.
    pub(super) fn trees(&self) -> u64 {
        self.trees
    }
}

/// How long a rope can be.
#[derive(Debug, Clone)]
pub(super) struct RopeLimit {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) margin: f64,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
}

/// What may touch the ground beside spheres and capsules.
#[derive(Debug, Clone, Copy)]
pub(super) enum Solid {
    /// Half its axes.
    Ellipsoid([f64; 3]),
    /// Its radius, and half its height.
    Cylinder([f64; 2]),
}

impl Solid {
    /// Points where it touches, at most.
    pub(super) fn places(self) -> usize {
        match self {
            Self::Ellipsoid(_) => 1,
            Self::Cylinder(_) => 4,
        }
    }
}

/// Two shapes that may touch.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) shapes: [usize; 2],
    pub(super) bodies: [usize; 2],
    pub(super) touch: Touch,
}

/// What it is when two shapes touch.
#[derive(Debug, Clone)]
pub(super) enum Touch {
    /// The second one touches the ground.
    Ground(Ground),
    /// Two spheres or capsules touch.
    Round(Round),
    /// The second one, an ellipsoid or cylinder, touches the ground.
    Solid(Ground, Solid),
    /// The library's business, where the centre of the second is not above this height.
    WatchedGround(f64),
    /// The library's business, where the distance of these two is not above `reach`.
    Watched {
        /// Distance of the centres within which they are looked at more closely, squared.
        near: f64,
        /// Half the lengths of the segments that they are around, if they are around segments.
        halves: Option<[f64; 2]>,
        /// Half the axes of the second, if that is an ellipsoid, and half the length of the segment that the first is around.
        ellipsoid: Option<([f64; 3], f64)>,
        reach: f64,
    },
}

/// A shape above the ground.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// Height of the ground.
    pub(super) height: f64,
    /// Height of the centre above the ground from which on it cannot touch.
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) radius: f64,
    /// Half the length of a capsule's segment.
    pub(super) half: Option<f64>,
    /// The coefficient of friction, if there is friction.
    pub(super) friction: Option<f64>,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
    /// The degrees of freedom that move it, the last one first.
    pub(super) chain: Vec<usize>,
    /// Its tree, by number.
    pub(super) tree: usize,
}

/// Two spheres or capsules.
#[derive(Debug, Clone)]
pub(super) struct Round {
    /// Distance of the centres from which on they cannot touch, squared.
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) radii: [f64; 2],
    /// Half the lengths of the capsules' segments; a sphere, which comes first, has none.
    pub(super) halves: [Option<f64>; 2],
    /// The coefficient of friction, if there is friction.
    pub(super) friction: Option<f64>,
    /// The constraint's share of the diagonal of the inverse mass.
    pub(super) weight: f64,
    pub(super) softness: Softness,
    /// The degrees of freedom that move the first and not the second, and the other way round.
    pub(super) chains: [Vec<usize>; 2],
    /// Their trees, by number.
    pub(super) trees: [usize; 2],
    /// The bodies whose trees' centres of mass the motions are about.
    pub(super) roots: [usize; 2],
}

impl Pair {
    /// Rows that its contacts have.
    pub(super) fn most_rows(&self) -> usize {
        match &self.touch {
            Touch::Ground(ground) => {
                (if ground.half.is_some() { 2 } else { 1 }) * (if ground.friction.is_some() { 4 } else { 1 })
            }
            // Parallel capsules touch twice.
            Touch::Round(round) => {
                (if round.halves[0].is_some() { 2 } else { 1 }) * (if round.friction.is_some() { 4 } else { 1 })
            }
            Touch::Solid(ground, solid) => solid.places() * (if ground.friction.is_some() { 4 } else { 1 }),
            _ => 0,
        }
    }

    /// The coefficient of friction, if there is friction.
    pub(super) fn friction(&self) -> Option<f64> {
        match &self.touch {
            Touch::Ground(ground) | Touch::Solid(ground, _) => ground.friction,
            Touch::Round(round) => round.friction,
            _ => None,
        }
    }

    /// Degrees of freedom in which its rows are not zero, the first one first.
    pub(super) fn support(&self) -> Vec<usize> {
        let mut support = match &self.touch {
            Touch::Ground(ground) | Touch::Solid(ground, _) => ground.chain.clone(),
            Touch::Round(round) => round.chains.concat(),
            _ => Vec::new(),
        };
        support.sort_unstable();
        support
    }

    /// The trees that its rows bind together, as bits.
    pub(super) fn trees(&self) -> u64 {
        match &self.touch {
            Touch::Ground(Ground { tree, .. }) | Touch::Solid(Ground { tree, .. }, _) => 1 << tree,
            Touch::Round(round) => round.trees.iter().fold(0, |trees, tree| trees | 1 << tree),
            _ => 0,
        }
    }
}
