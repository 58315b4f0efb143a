//! Box2D 2.3.0's physics of rigid bodies in the plane, number for number.
//!
//! This is the Box2D that PyPI's wheel `box2d` 2.3.10 holds: float32 throughout, sequential impulses with warm starting, positions put right
//! afterwards, continuous collision with what does not move. Its operations stand in its order; what is left out is what nobody needs (damping,
//! bullets, chains, joints other than revolute ones).
//!
//! # A world
//! ```
//! use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, StepConfig, Workspace, World, vec2};
//!
//! let mut world = World::new(vec2(0.0, -10.0));
//! world.create_static(&[FixtureDef::new(Shape::Edge(vec2(-5.0, 0.0), vec2(5.0, 0.0)))]);
//! let wood = FixtureDef { density: 1.0, ..FixtureDef::new(Shape::Polygon(Polygon::centered_box(0.5, 0.5))) };
//! let crate_ = world.create_dynamic(vec2(0.0, 2.0), 0.3, &[wood]);
//! let (config, mut workspace) = (StepConfig { dt: 0.02, velocity_sweeps: 180, position_sweeps: 60 }, Workspace::default());
//! while world.body(crate_).is_awake() {
//!     world.step(&config, &mut workspace);
//! }
//! assert!((world.body(crate_).position().y - 0.5).abs() < 0.03);
//! ```
//!
//! Bodies are made of fixtures, which have shapes. Who touches whom, [`World::events`] says after each step. A world is all of its state, and
//! serde saves it: the saved one goes on bit for bit. Solving takes memory that worlds can share one after the other, a [`Workspace`].
//!
//! # What the order of things is
//! Results depend on the order in which constraints are solved. Contacts are made in the order of their leaves in the tree of boxes, so that its
//! numbers are Box2D's, too, also after [`World::destroy_bodies`]; bodies, joints and contacts are gone through from the last to the first.

mod body;
mod broad_phase;
mod collide;
mod collide_edge;
mod contact;
mod distance;
mod fan;
mod impact;
mod joint;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod manifold;
mod math;
mod shape;
mod solver;
mod stack;
mod step;
mod team;
#[cfg(test)]
mod tests;
mod time_of_impact;
mod tree;
mod trigonometry;
mod workspace;
mod world;

pub use body::{Body, BodyId, Fixture, FixtureDef, FixtureId};
pub use contact::ContactEvent;
pub use joint::{JointId, RevoluteJointDef};
pub use math::{Rot, Transform, Vec2, vec2};
pub use shape::{Polygon, Shape, ShapeRef};
pub use step::StepConfig;
pub use team::{Team, Worlds};
pub use workspace::Workspace;
pub use world::World;
