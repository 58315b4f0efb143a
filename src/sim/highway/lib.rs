//! Traffic simulator of HighwayEnv 1.12.1: roads, vehicles and their behaviour, bit for bit.
//!
//! [`RoadModel`] holds what never changes during an episode: the [`RoadNetwork`] and the parameters of the Intelligent Driver
//! Model. [`Road`] holds the vehicles. All arithmetic follows the order of the package's Python code, with the C library's
//! `sin`, `cos`, `tan`, `asin`, `atan`, `atan2`, `exp` and `pow`.

mod behavior;
mod collision;
mod dynamics;
pub mod lane;
pub mod math;
pub mod network;
mod regulation;
pub mod road;
pub mod vehicle;

pub use self::collision::rect_corners;
pub use self::lane::{Lane, LineType, Shape};
pub use self::network::{LaneId, NetworkBuilder, Road as RoadEdge, RoadNetwork};
pub use self::road::{IdmParameters, Road, RoadModel};
pub use self::vehicle::{Kind, MetaAction, RouteStep, Vehicle};
