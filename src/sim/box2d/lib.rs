//! Box2D 2.3.0 rigid-body physics in the plane, with bit-equal results.
//!
//! The reference is the Box2D library in the PyPI wheel `box2d` 2.3.10: float32 arithmetic, sequential impulses with warm
//! starting, position correction, and continuous collision with static bodies. Operations have Box2D's order. Damping, bullets,
//! chains, and joints other than revolute joints are not implemented, because no environment needs them.
//!
//! # Example
//! ```
//! use envpool_rs_sim_box2d::{FixtureDef, Polygon, Shape, StepConfig, Workspace, World, vec2};
//!
//! let mut world = World::new(vec2(0.0, -10.0));
//! world.create_static(&[FixtureDef::new(Shape::Edge(vec2(-5.0, 0.0), vec2(5.0, 0.0)))]);
//! let wood = FixtureDef { density: 1.0, ..FixtureDef::new(Shape::Polygon(Polygon::centered_box(0.5, 0.5))) };
//! let crate_ = world.create_dynamic(vec2(0.0, 2.0), 0.3, &[wood]);
//! let (config, mut workspace) = (StepConfig { dt: 0.02, velocity_iterations: 180, position_iterations: 60 }, Workspace::default());
//! while world.body(crate_).is_awake() {
//!     world.step(&config, &mut workspace);
//! }
//! assert!((world.body(crate_).position().y - 0.5).abs() < 0.03);
//! ```
//!
//! A body consists of fixtures, each with a shape. [`World::events`] returns the contacts that started or ended in the last
//! step. A [`World`] holds the complete state and can be serialized with serde; a restored world gives the same results as the
//! original, bit for bit. A [`Workspace`] is reusable memory for a step, which several worlds can use one after the other.
//!
//! # Order of operations
//! Results depend on the order in which constraints are solved. Contacts are created in order of their proxies in the dynamic
//! tree. Therefore proxies have the same numbers as in Box2D, even after [`World::destroy_bodies`]. Bodies, joints and contacts
//! are visited from last to first.

mod body;
mod broad_phase;
mod collide;
mod collide_edge;
mod contact;
mod contact_solver;
mod distance;
mod dynamic_tree;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod manifold;
mod math;
mod node_stack;
mod prefetch;
mod ray_fan;
mod revolute_joint;
mod shape;
mod step;
#[cfg(test)]
mod tests;
mod time_of_impact;
mod toi_solver;
mod trigonometry;
mod workspace;
mod world;
mod world_batch;

pub use body::{Body, BodyId, Fixture, FixtureDef, FixtureId};
pub use contact::ContactEvent;
pub use math::{Rot, Transform, Vec2, vec2};
pub use prefetch::exceeds_cache;
pub use revolute_joint::{JointId, RevoluteJointDef};
pub use shape::{Polygon, Shape, ShapeRef};
pub use step::StepConfig;
pub use workspace::Workspace;
pub use world::World;
pub use world_batch::{WorldBatch, Worlds};
