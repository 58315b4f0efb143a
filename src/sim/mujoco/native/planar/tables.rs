//! A model as it is stepped in the plane, or nothing.

use super::super::algebra::NO_TURN;
use super::super::pairs::CARE;
use super::super::tables::{
    Body, Dof, Frame, Ground, Integrator, Joint, JointKind, Pair, Round, SameFrame, Shape, Softness, Tables, Touch,
};
use super::tree::{Leg, LongLeg, MOST, Tree, TwoLegs};

/// Which tree a model's bodies are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Known {
    Leg,
    LongLeg,
    TwoLegs,
}

/// Places in the plane: along x, along z.
pub(super) type Place = [f64; 2];
/// Turns about y: the first and the third number of a quaternion.
pub(super) type Turn = [f64; 2];

/// A body and the joint that turns it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlatBody {
    pub(super) place: Place,
    /// Against the body above, where it is turned.
    pub(super) turn: Option<Turn>,
    /// Where it is turned about, where that is not its own place.
    pub(super) pivot: Option<Place>,
    pub(super) sign: f64,
    pub(super) position: usize,
    pub(super) rest: f64,
    /// Where its mass is, where that is not its own place.
    pub(super) centre: Option<Place>,
    /// How its inertia is turned, where it is; not always about y.
    pub(super) centre_turn: Option<[f64; 4]>,
    pub(super) mass: f64,
    /// Its mass and that of all below it.
    pub(super) tree_mass: f64,
    pub(super) inertia: [f64; 3],
}

/// A way along x or z.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slide {
    /// 0 or 1.
    pub(super) axis: usize,
    pub(super) sign: f64,
    pub(super) position: usize,
    pub(super) rest: f64,
}

/// A shape that may touch something.
#[derive(Debug, Clone)]
pub(super) struct FlatShape {
    pub(super) body: usize,
    /// Where it is, where that is not its body's place.
    pub(super) place: Option<Place>,
    /// Whether `place` does not count, as it is where the body's mass is.
    pub(super) is_central: bool,
    /// Where it is along y, more or less.
    pub(super) across: f64,
    pub(super) turn: ShapeTurn,
}

impl FlatShape {
    /// Whether it is not in the plane.
    fn is_aside(&self) -> bool {
        self.across != 0.0 || matches!(self.turn, ShapeTurn::Tilted(_))
    }
}

/// How a shape is turned.
#[derive(Debug, Clone, Copy)]
pub(super) enum ShapeTurn {
    /// As its body.
    Body,
    /// As its body's inertia.
    Inertia,
    /// By its own quaternion.
    Own(Turn),
    /// The same out of the plane, be it by next to nothing: half turns about x and z are.
    Tilted([f64; 4]),
}

/// A capsule above the ground.
#[derive(Debug, Clone)]
pub(super) struct FlatGround {
    pub(super) shape: usize,
    pub(super) leg: usize,
    /// How many of the leg's degrees of freedom move it.
    pub(super) len: usize,
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) radius: f64,
    pub(super) half: f64,
    pub(super) friction: f64,
    /// Whether its axis is in the plane, so that the second tangent lies across.
    pub(super) is_level: bool,
    pub(super) weight: f64,
    pub(super) softness: Softness,
}

/// Two shapes of one leg that may touch, without friction.
#[derive(Debug, Clone)]
pub(super) struct FlatRound {
    /// By number.
    pub(super) pair: usize,
    pub(super) leg: usize,
    /// Degrees of freedom that move but one of them: 1 where it is the second, -1 where it is the first, 0 elsewhere.
    pub(super) signs: [i8; MOST],
}

/// Two shapes that may touch in a way that is not of the plane.
#[derive(Debug, Clone)]
pub(super) struct FlatOther {
    pub(super) shapes: [usize; 2],
    /// Distance of their centres within which they are looked at more closely, squared.
    pub(super) near: f64,
    /// Half the lengths of the segments that they are around.
    pub(super) halves: [f64; 2],
    /// How far from one another those are when they touch.
    pub(super) reach: f64,
}

/// A model in the plane.
#[derive(Debug, Clone)]
pub(in super::super) struct Flat {
    pub(in super::super) known: Known,
    /// By number; the world is not used.
    pub(super) bodies: [FlatBody; MOST],
    pub(super) slides: [Slide; 2],
    pub(super) by_tree_mass: f64,
    pub(super) shapes: Vec<FlatShape>,
    pub(super) grounds: Vec<FlatGround>,
    /// They come after all that touch the ground.
    pub(super) rounds: Vec<FlatRound>,
    pub(super) others: Vec<FlatOther>,
    /// Pairs that are watched, by number.
    pub(super) watched: Vec<usize>,
}

impl Flat {
    /// A model as it is stepped in the plane: where all bodies but the world are one known tree, all that matters lies in the plane of x
    /// and z, and nothing is there but joints, their springs and limits, motors, and capsules above the ground.
    pub(in super::super) fn new(tables: &Tables) -> Option<Self> {
        flat_as::<Leg, 6, 6>(tables, Known::Leg)
            .or_else(|| flat_as::<LongLeg, 7, 7>(tables, Known::LongLeg))
            .or_else(|| flat_as::<TwoLegs, 9, 6>(tables, Known::TwoLegs))
    }
}

/// A quaternion about y.
fn turn_of(quaternion: &[f64; 4]) -> Option<Turn> {
    let [w, x, y, z] = *quaternion;
    (x == 0.0 && z == 0.0).then_some([w, y])
}

/// Without what lies across the plane, which never changes and moves nothing in it.
fn place_of(place: &[f64; 3]) -> Place {
    [place[0], place[2]]
}

/// Where something is that is fixed to a body, if it is not where the body is.
fn offset_of(frame: &Frame) -> Option<Place> {
    match frame.same {
        SameFrame::Body | SameFrame::Inertia => None,
        _ => Some(place_of(&frame.place)),
    }
}

fn flat_as<T: Tree<N, W>, const N: usize, const W: usize>(tables: &Tables, known: Known) -> Option<Flat> {
    let has_others =
        tables.fluid.is_some() || !tables.tendons.is_empty() || !tables.equalities.is_empty() || tables.gravity[1] != 0.0;
    let is_tree = tables.dofs.len() == N && tables.bodies.len() == N - 1 && tables.positions == N;
    if has_others
        || !is_tree
        || tables.joints.len() != N
        || tables.motors.iter().any(|motor| motor.bias.is_some() || motor.activation.is_some())
    {
        return None;
    }
    for (number, dof) in tables.dofs.iter().enumerate() {
        let Dof { body, parent, mass, len, .. } = dof;
        let above = T::ABOVE[number];
        if *body != super::tree::body_of(number) || *parent != above.last().copied() || mass.is_some() || *len != above.len() + 1
        {
            return None;
        }
    }
    let mut flat = Flat {
        known,
        bodies: [FlatBody::default(); MOST],
        slides: [Slide::default(); 2],
        by_tree_mass: tables.bodies[1].by_tree_mass,
        shapes: Vec::new(),
        grounds: Vec::new(),
        rounds: Vec::new(),
        others: Vec::new(),
        watched: Vec::new(),
    };
    for (id, body) in tables.bodies.iter().enumerate().skip(1) {
        let first = id + 1;
        let (dofs, parent) = if id == 1 { (0..3, 0) } else { (first..first + 1, super::tree::body_of(*T::ABOVE[first].last()?)) };
        if body.dofs != dofs || body.joints != dofs || body.parent != parent {
            return None;
        }
        flat.bodies[id] = flat_body(body, &tables.joints[first])?;
    }
    if tables.bodies[1].turn != NO_TURN {
        return None;
    }
    for id in (2..tables.bodies.len()).rev() {
        let own = flat.bodies[id].tree_mass;
        flat.bodies[tables.bodies[id].parent].tree_mass += own;
    }
    for (slide, joint) in flat.slides.iter_mut().zip(&tables.joints) {
        *slide = match (joint.kind, joint.along) {
            (JointKind::Slide, Some((axis @ (0 | 2), sign))) => {
                Slide { axis: axis / 2, sign, position: joint.position, rest: joint.rest }
            }
            _ => return None,
        };
    }
    if flat.slides[0].axis == flat.slides[1].axis {
        return None;
    }
    for shape in &tables.shapes {
        flat.shapes.push(FlatShape {
            body: shape.body,
            place: offset_of(&shape.frame),
            across: across(tables, shape),
            is_central: shape.frame.same == SameFrame::Inertia,
            turn: match shape.frame.same {
                _ if shape.body == 0 => ShapeTurn::Body,
                SameFrame::Neither => turn_of(&shape.frame.turn).map_or(ShapeTurn::Tilted(shape.frame.turn), ShapeTurn::Own),
                SameFrame::Body | SameFrame::BodyRotation => ShapeTurn::Body,
                // Where inertia is turned out of the plane, if by nothing but noise, so is such a shape.
                _ if flat.bodies[shape.body].centre_turn.is_some_and(|turn| turn_of(&turn).is_none()) => return None,
                _ => ShapeTurn::Inertia,
            },
        });
    }
    for (number, pair) in tables.pairs.iter().enumerate() {
        let Pair { shapes, bodies, touch, .. } = pair;
        match touch {
            Touch::Solid(..) | Touch::Watched { ellipsoid: Some(_), .. } => return None,
            Touch::Ground(_) if !(flat.rounds.is_empty() && flat.others.is_empty()) => return None,
            Touch::Ground(ground) => {
                let is_level = !matches!(flat.shapes[shapes[1]].turn, ShapeTurn::Tilted(_));
                flat.grounds.push(flat_ground::<T, N, W>((shapes[1], is_level), ground)?);
            }
            Touch::Watched { .. } if bodies.contains(&0) => return None,
            Touch::Watched { .. } | Touch::WatchedGround(_) => flat.watched.push(number),
            Touch::Round(round) => {
                let is_aside = shapes.iter().any(|shape| flat.shapes[*shape].is_aside());
                match flat_round::<T, N, W>(number, round).filter(|_| !is_aside) {
                    Some(round) => flat.rounds.push(round),
                    None => flat.others.push(FlatOther {
                        shapes: *shapes,
                        near: round.near + CARE,
                        halves: round.halves.map(Option::unwrap_or_default),
                        reach: round.radii[0] + round.radii[1] + round.margin + CARE,
                    }),
                }
            }
        }
    }
    let is_fit = matches!(tables.integrator, Integrator::Euler | Integrator::RungeKutta) && tables.impedance_ratio == 1.0;
    (is_fit && tables.frictions.is_empty() && !tables.has_cones).then_some(flat)
}

/// Where a shape is along y.
fn across(tables: &Tables, shape: &Shape) -> f64 {
    let mut place = match shape.frame.same {
        SameFrame::Body => 0.0,
        SameFrame::Inertia => tables.bodies[shape.body].centre.place[1],
        _ => shape.frame.place[1],
    };
    let mut body = shape.body;
    while body > 0 {
        place += tables.bodies[body].place[1];
        body = tables.bodies[body].parent;
    }
    place
}

fn flat_body(body: &Body, joint: &Joint) -> Option<FlatBody> {
    let (JointKind::Hinge, Some((1, sign))) = (joint.kind, joint.along) else { return None };
    let pivot = place_of(&joint.place);
    Some(FlatBody {
        place: place_of(&body.place),
        turn: if body.turn == NO_TURN { None } else { Some(turn_of(&body.turn)?) },
        pivot: (pivot != [0.0; 2]).then_some(pivot),
        sign,
        position: joint.position,
        rest: joint.rest,
        centre: offset_of(&body.centre),
        centre_turn: (body.centre.same == SameFrame::Neither).then_some(body.centre.turn),
        mass: body.mass,
        tree_mass: body.mass,
        inertia: body.inertia,
    })
}

fn flat_ground<T: Tree<N, W>, const N: usize, const W: usize>(
    (shape, is_level): (usize, bool),
    ground: &Ground,
) -> Option<FlatGround> {
    let Ground { height, near, margin, radius, half, friction, weight, softness, chain, tree } = ground;
    let mut upwards = chain.clone();
    upwards.reverse();
    let leg = T::LEGS.iter().position(|leg| leg.starts_with(&upwards))?;
    (*tree == 0 && *height == 0.0).then_some(())?;
    Some(FlatGround {
        shape,
        leg,
        len: chain.len(),
        near: *near,
        margin: *margin,
        radius: *radius,
        half: (*half)?,
        friction: (*friction)?,
        is_level,
        weight: *weight,
        softness: *softness,
    })
}

fn flat_round<T: Tree<N, W>, const N: usize, const W: usize>(pair: usize, round: &Round) -> Option<FlatRound> {
    let is_of = |leg: &[usize; W]| round.chains.iter().flatten().all(|dof| leg.contains(dof));
    let leg = T::LEGS.iter().position(is_of)?;
    let mut signs = [0; MOST];
    for (sign, dof) in signs.iter_mut().zip(&T::LEGS[leg]) {
        *sign = i8::from(round.chains[1].contains(dof)) - i8::from(round.chains[0].contains(dof));
    }
    (round.friction.is_none() && round.trees == [0; 2] && round.roots == [1; 2]).then_some(FlatRound { pair, leg, signs })
}
