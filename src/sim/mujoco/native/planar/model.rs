//! Converts a model to its planar form, if it has one.

use crate::native::collision::pairs::DISTANCE_SLACK;
use crate::native::mju::IDENTITY_QUAT;
use crate::native::model::{
    Body, Collider, ContactParams, Dof, FilterSlack, Frame, Geom, GeomPair, Guard, Integrator, Joint, JointKind, NativeModel,
    PlanePair, RoundPair, SameFrame, SolParams,
};
use crate::native::planar::tree::{Leg, LongLeg, MAX_PLANAR_NV, Tree, TwoLegs};

/// Kinematic trees for which the planar stepper is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::native) enum TreeShape {
    Leg,
    LongLeg,
    TwoLegs,
}

/// Position in the plane: x and z, in metres.
pub(super) type Pos2 = [f64; 2];
/// Rotation about y: the first and the third component of a quaternion.
pub(super) type Quat2 = [f64; 2];

/// Body of a planar model, with the hinge joint that rotates it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlanarBody {
    pub(super) pos: Pos2,
    /// Orientation relative to the parent (`body_quat`); `None` for the identity.
    pub(super) quat: Option<Quat2>,
    /// Anchor of the hinge, relative to the body (`jnt_pos`); `None` if the anchor is at the body's origin.
    pub(super) pivot: Option<Pos2>,
    pub(super) sign: f64,
    pub(super) qposadr: usize,
    pub(super) qpos0: f64,
    /// Centre of mass, relative to the body (`body_ipos`); `None` if the centre of mass is at the body's origin.
    pub(super) ipos: Option<Pos2>,
    /// Orientation of the inertial frame (`body_iquat`), which can be about any axis; `None` for the identity.
    pub(super) iquat: Option<[f64; 4]>,
}

/// Slide joint of the root body, along x or z.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slide {
    /// Axis of the joint: 0 for x, 1 for z.
    pub(super) axis: usize,
    pub(super) sign: f64,
    pub(super) qposadr: usize,
    pub(super) qpos0: f64,
}

/// Geom of a planar model that is part of a collision pair.
#[derive(Debug, Clone)]
pub(super) struct PlanarGeom {
    pub(super) body: usize,
    /// Position of the geom relative to its body; `None` if the position is zero.
    pub(super) pos: Option<Pos2>,
    /// Whether the geom is at the body's centre of mass; `pos` is then ignored.
    pub(super) is_central: bool,
    /// Approximate y coordinate of the geom, perpendicular to the plane, in metres.
    pub(super) across: f64,
    pub(super) rotation: GeomRotation,
}

impl PlanarGeom {
    /// Returns whether the geom's axis is exactly in the plane, or parallel to it.
    fn is_level(&self) -> bool {
        !matches!(self.rotation, GeomRotation::Tilted(_))
    }
}

/// Method by which the rotation of a geom in a planar model is computed.
#[derive(Debug, Clone, Copy)]
pub(super) enum GeomRotation {
    /// The geom has the rotation of its body.
    Body,
    /// The geom has the rotation of its body's inertial frame.
    Inertia,
    /// The geom has its own rotation about y.
    Own(Quat2),
    /// The geom has its own rotation, given by a quaternion whose axis is not exactly y, if only because of rounding.
    Tilted([f64; 4]),
}

/// Constants of contacts between a capsule and the ground.
#[derive(Debug, Clone)]
pub(super) struct PlanarGround {
    pub(super) pair: usize,
    pub(super) geom: usize,
    pub(super) leg: usize,
    /// Number of the leg's degrees of freedom that move the capsule, counted from the root.
    pub(super) len: usize,
    pub(super) near: f64,
    pub(super) margin: f64,
    pub(super) slack: FilterSlack,
    pub(super) radius: f64,
    pub(super) half: f64,
    /// Whether the capsule's axis is in the plane. If so, the second tangent of a contact is orthogonal to the plane.
    pub(super) is_level: bool,
    pub(super) sol: SolParams,
}

/// Pair of geoms of one leg that may collide.
#[derive(Debug, Clone)]
pub(super) struct PlanarRound {
    pub(super) pair: usize,
    pub(super) leg: usize,
    /// Whether the contacts have friction. All pairs of a model have friction, or none has.
    pub(super) has_friction: bool,
    /// Effect of each degree of freedom: 1 if it moves only the second geom, -1 only the first, otherwise 0.
    pub(super) signs: [i8; MAX_PLANAR_NV],
}

/// Pair of geoms that may collide outside the plane, which a distance test detects and only MuJoCo computes.
#[derive(Debug, Clone)]
pub(super) struct PlanarGuard {
    pub(super) geoms: [usize; 2],
    /// Bound on the squared distance of the centres, up to which the exact distance is computed.
    pub(super) near: f64,
    /// Half lengths of the two geoms' axis segments.
    pub(super) halves: [f64; 2],
    /// Distance of the axis segments at which the geoms touch.
    pub(super) reach: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PlanarSite {
    pub(super) body: usize,
    /// Position of the site relative to its body; `None` if the position is zero.
    pub(super) pos: Option<Pos2>,
    /// Whether the site is at the body's centre of mass; `pos` is then ignored.
    pub(super) is_central: bool,
}

/// Planar form of a model: its bodies, joints, geoms and collision pairs.
#[derive(Debug, Clone)]
pub(in crate::native) struct PlanarModel {
    pub(in crate::native) tree_shape: TreeShape,
    /// Bodies by index; entry 0, the world's, is unused.
    pub(super) bodies: [PlanarBody; MAX_PLANAR_NV],
    pub(super) slides: [Slide; 2],
    pub(super) geoms: Vec<PlanarGeom>,
    pub(super) grounds: Vec<PlanarGround>,
    /// Pairs of geoms of one leg, which come after all pairs of a geom with the ground.
    pub(super) rounds: Vec<PlanarRound>,
    pub(super) out_of_plane: Vec<PlanarGuard>,
    /// Indices of the pairs of geoms that have a guard instead of a collider.
    pub(super) guarded_pairs: Vec<usize>,
    /// Pairs whose contacts MuJoCo's collision functions find; where they may touch, the step has three dimensions.
    pub(super) library_pairs: Vec<usize>,
    /// Sites of the touch sensors; `None` if a planar step cannot compute the sensors.
    pub(super) touch_sites: Option<Vec<PlanarSite>>,
}

impl PlanarModel {
    /// Returns the planar form of a model; `None` if the model is not planar.
    ///
    /// All bodies except the world must form one of the known kinematic trees. All relevant positions and axes must be in the
    /// plane of x and z. The model may only have joints with springs and limits, motors, and capsules above the ground.
    pub(in crate::native) fn new(model: &NativeModel) -> Option<Self> {
        planar_as::<Leg, 6, 6>(model, TreeShape::Leg)
            .or_else(|| planar_as::<LongLeg, 7, 7>(model, TreeShape::LongLeg))
            .or_else(|| planar_as::<TwoLegs, 9, 6>(model, TreeShape::TwoLegs))
    }
}

/// Converts a quaternion about y to a [`Quat2`]; returns `None` for a rotation about another axis.
fn quat_of(quaternion: &[f64; 4]) -> Option<Quat2> {
    let [w, x, y, z] = *quaternion;
    (x == 0.0 && z == 0.0).then_some([w, y])
}

/// Converts a position to the plane: drops the y component, which is constant and has no effect in the plane.
fn pos_of(pos: &[f64; 3]) -> Pos2 {
    [pos[0], pos[2]]
}

/// Returns the position of a body-fixed frame relative to its body; `None` if it equals the body's own position.
fn offset_of(frame: &Frame) -> Option<Pos2> {
    match frame.same {
        SameFrame::Body | SameFrame::Inertia => None,
        _ => Some(pos_of(&frame.pos)),
    }
}

fn planar_as<T: Tree<N, W>, const N: usize, const W: usize>(model: &NativeModel, tree_shape: TreeShape) -> Option<PlanarModel> {
    let has_others = model.fluid.is_some()
        || model.gravcomp.is_some()
        || !model.tendons.is_empty()
        || !model.equalities.is_empty()
        || model.gravity[1] != 0.0;
    let is_tree = model.dofs.len() == N && model.bodies.len() == N - 1 && model.nq == N;
    if has_others
        || !is_tree
        || model.joints.len() != N
        || model.actuators.iter().any(|actuator| {
            actuator.transmission.is_posed()
                || actuator.bias.is_some()
                || actuator.muscle_bias.is_some()
                || actuator.muscle_gain.is_some()
                || actuator.affine_gain.is_some()
                || actuator.activation.is_some()
                || actuator.forcerange.is_some()
        })
        || model.joints.iter().any(|joint| joint.actfrcrange.is_some())
    {
        return None;
    }
    for (number, dof) in model.dofs.iter().enumerate() {
        let Dof { body, parent, m0, m_rownnz: len, .. } = dof;
        let above = T::ABOVE[number];
        if *body != crate::native::planar::tree::body_of(number)
            || *parent != above.last().copied()
            || m0.is_some()
            || *len != above.len() + 1
        {
            return None;
        }
    }
    let mut planar = PlanarModel {
        tree_shape,
        bodies: [PlanarBody::default(); MAX_PLANAR_NV],
        slides: [Slide::default(); 2],
        geoms: Vec::new(),
        grounds: Vec::new(),
        rounds: Vec::new(),
        out_of_plane: Vec::new(),
        guarded_pairs: Vec::new(),
        library_pairs: Vec::new(),
        touch_sites: None,
    };
    for (id, body) in model.bodies.iter().enumerate().skip(1) {
        let first = id + 1;
        let (dofs, parent) =
            if id == 1 { (0..3, 0) } else { (first..first + 1, crate::native::planar::tree::body_of(*T::ABOVE[first].last()?)) };
        if body.dofs != dofs || body.joints != dofs || body.parent != parent {
            return None;
        }
        planar.bodies[id] = planar_body(body, &model.joints[first])?;
    }
    if model.bodies[1].quat != IDENTITY_QUAT || model.bodies[1].inv_subtreemass.is_none() {
        return None;
    }
    for (slide, joint) in planar.slides.iter_mut().zip(&model.joints) {
        *slide = match (joint.kind, joint.axis_coordinate) {
            (JointKind::Slide, Some((axis @ (0 | 2), sign))) => {
                Slide { axis: axis / 2, sign, qposadr: joint.qposadr, qpos0: joint.qpos0 }
            }
            _ => return None,
        };
    }
    if planar.slides[0].axis == planar.slides[1].axis {
        return None;
    }
    for geom in &model.geoms {
        planar.geoms.push(PlanarGeom {
            body: geom.body,
            pos: offset_of(&geom.frame),
            across: across(model, geom),
            is_central: geom.frame.same == SameFrame::Inertia,
            rotation: match geom.frame.same {
                _ if geom.body == 0 => GeomRotation::Body,
                SameFrame::Neither => quat_of(&geom.frame.quat).map_or(GeomRotation::Tilted(geom.frame.quat), GeomRotation::Own),
                SameFrame::Body | SameFrame::BodyRotation => GeomRotation::Body,
                // If the inertial frame is rotated out of the plane, even by a rounding error, a geom with the same rotation
                // is also rotated out of the plane. The model is then not planar.
                _ if planar.bodies[geom.body].iquat.is_some_and(|rotation| quat_of(&rotation).is_none()) => return None,
                _ => GeomRotation::Inertia,
            },
        });
    }
    for (number, pair) in model.pairs.iter().enumerate() {
        let GeomPair { geoms, bodies, collider, .. } = pair;
        match collider {
            _ if pair.has_gap() => return None,
            Collider::Solid(..) => return None,
            Collider::Ground(_) if !(planar.rounds.is_empty() && planar.out_of_plane.is_empty()) => return None,
            Collider::Ground(ground) => {
                planar.grounds.push(planar_ground::<T, N, W>((number, geoms[1], planar.geoms[geoms[1]].is_level()), ground)?);
            }
            Collider::Guard(guard) if !is_planar_guard(guard, bodies) => return None,
            Collider::Library(library) if !is_planar_guard(&library.guard, bodies) => return None,
            Collider::Round(_) if bodies.contains(&0) => return None,
            Collider::Guard(_) => planar.guarded_pairs.push(number),
            Collider::Library(_) => planar.library_pairs.push(number),
            Collider::Round(round) => {
                let is_aside = geoms.iter().any(|geom| planar.geoms[*geom].across != 0.0);
                // Contacts with friction precede those without in the planar lists, so a model may have only one kind.
                let is_like_others =
                    |found: &PlanarRound| planar.rounds.iter().all(|other| other.has_friction == found.has_friction);
                match planar_round::<T, N, W>(number, round).filter(|found| !is_aside && is_like_others(found)) {
                    Some(round) => planar.rounds.push(round),
                    None => planar.out_of_plane.push(PlanarGuard {
                        geoms: *geoms,
                        near: round.near + DISTANCE_SLACK,
                        halves: round.halves.map(Option::unwrap_or_default),
                        reach: round.radii[0] + round.radii[1] + round.contact.margin + DISTANCE_SLACK,
                    }),
                }
            }
        }
    }
    let is_fit = matches!(model.integrator, Integrator::Euler | Integrator::RungeKutta) && model.impratio == 1.0;
    (is_fit && model.frictions.is_empty() && !model.is_elliptic).then_some(planar)
}

/// Returns whether a guard between two bodies can be tested by the positions that a planar step computes.
fn is_planar_guard(guard: &Guard, bodies: &[usize; 2]) -> bool {
    match guard {
        Guard::Plane(_) => true,
        Guard::Distance { ellipsoid, .. } => ellipsoid.is_none() && !bodies.contains(&0),
        Guard::Box { .. } | Guard::Slope(_) => false,
    }
}

/// Returns the approximate y coordinate of a geom, in metres.
fn across(model: &NativeModel, geom: &Geom) -> f64 {
    let mut pos = match geom.frame.same {
        SameFrame::Body => 0.0,
        SameFrame::Inertia => model.bodies[geom.body].inertial.pos[1],
        _ => geom.frame.pos[1],
    };
    let mut body = geom.body;
    while body > 0 {
        pos += model.bodies[body].pos[1];
        body = model.bodies[body].parent;
    }
    pos
}

fn planar_body(body: &Body, joint: &Joint) -> Option<PlanarBody> {
    let (JointKind::Hinge, Some((1, sign))) = (joint.kind, joint.axis_coordinate) else { return None };
    let pivot = pos_of(&joint.pos);
    Some(PlanarBody {
        pos: pos_of(&body.pos),
        quat: if body.quat == IDENTITY_QUAT { None } else { Some(quat_of(&body.quat)?) },
        pivot: (pivot != [0.0; 2]).then_some(pivot),
        sign,
        qposadr: joint.qposadr,
        qpos0: joint.qpos0,
        ipos: offset_of(&body.inertial),
        iquat: (body.inertial.same == SameFrame::Neither).then_some(body.inertial.quat),
    })
}

fn planar_ground<T: Tree<N, W>, const N: usize, const W: usize>(
    (pair, geom, is_level): (usize, usize, bool),
    ground: &PlanePair,
) -> Option<PlanarGround> {
    let PlanePair { height, near, radius, half, contact } = ground;
    let ContactParams { margin, slack, friction, sol, chains: [_, chain], trees, .. } = contact;
    let mut upwards = chain.clone();
    upwards.reverse();
    let leg = T::LEGS.iter().position(|leg| leg.starts_with(&upwards))?;
    (*trees == 1 && *height == 0.0 && friction.condim > 1).then_some(())?;
    Some(PlanarGround {
        pair,
        geom,
        leg,
        len: chain.len(),
        near: *near,
        margin: *margin,
        slack: slack[0],
        radius: *radius,
        half: (*half)?,
        is_level,
        sol: *sol,
    })
}

fn planar_round<T: Tree<N, W>, const N: usize, const W: usize>(pair: usize, round: &RoundPair) -> Option<PlanarRound> {
    let contact = &round.contact;
    let is_of = |leg: &[usize; W]| contact.chains.iter().flatten().all(|dof| leg.contains(dof));
    let leg = T::LEGS.iter().position(is_of)?;
    let mut signs = [0; MAX_PLANAR_NV];
    for (sign, dof) in signs.iter_mut().zip(&T::LEGS[leg]) {
        *sign = i8::from(contact.chains[1].contains(dof)) - i8::from(contact.chains[0].contains(dof));
    }
    let is_known = matches!(contact.friction.condim, 1 | 3) && contact.trees == 1 && contact.roots == [1; 2];
    is_known.then_some(PlanarRound { pair, leg, has_friction: contact.friction.condim > 1, signs })
}
