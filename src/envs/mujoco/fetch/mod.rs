//! Fetch tasks of Gymnasium-Robotics, in which a robot's arm must bring its gripper or an object to a goal:
//! `FetchReach-v4`, `FetchPushDense-v4`, ...
//!
//! The tasks reproduce `envs/fetch` of Gymnasium-Robotics 1.4.2 number for number. `arm` has the robot: its start, actions and
//! observations; `env` turns it into an environment; `goal` has goals and rewards. Version 1 is an alias of version 4, as in
//! EnvPool, because the original needs mujoco-py.

mod arm;
mod env;
pub mod goal;

use self::env::FetchEnv;
use envpool_rs_engine::Task;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 50;

/// Defaults of a task's options.
pub struct FetchSpec {
    xml_file: &'static str,
    has_object: bool,
    blocks_gripper: bool,
    is_in_the_air: bool,
    /// Height of the gripper at the start of an episode above its height at the table, in metres.
    extra_height: f64,
    /// Offset of goals from the gripper's start along the axis x, in metres.
    offset: f64,
    object_range: f64,
    target_range: f64,
    /// Position of the robot's base along the axis x, in metres.
    slide: f64,
    /// Position of the object before the first episode, in metres.
    object: [f64; 3],
}

const REACH: FetchSpec = FetchSpec {
    xml_file: "fetch/reach.xml",
    has_object: false,
    blocks_gripper: true,
    is_in_the_air: true,
    extra_height: 0.2,
    offset: 0.0,
    object_range: 0.15,
    target_range: 0.15,
    slide: 0.4049,
    object: [1.25, 0.53, 0.4],
};

const PUSH: FetchSpec =
    FetchSpec { xml_file: "fetch/push.xml", has_object: true, is_in_the_air: false, extra_height: 0.0, slide: 0.405, ..REACH };

const PICK_AND_PLACE: FetchSpec =
    FetchSpec { xml_file: "fetch/pick_and_place.xml", has_object: true, blocks_gripper: false, slide: 0.405, ..REACH };

const SLIDE: FetchSpec = FetchSpec {
    xml_file: "fetch/slide.xml",
    extra_height: -0.02,
    offset: 0.4,
    object_range: 0.1,
    target_range: 0.3,
    slide: 0.05,
    object: [1.7, 1.1, 0.41],
    ..PUSH
};

/// Lists the ids of a task: with sparse rewards, then with dense rewards, in version 4 and in version 1.
macro_rules! ids {
    ($name:literal) => {
        [[concat!($name, "-v4"), concat!($name, "-v1")], [concat!($name, "Dense-v4"), concat!($name, "Dense-v1")]]
    };
}

/// Lists all tasks of the Fetch robot.
pub fn tasks() -> Vec<Task> {
    let specs: [(&'static FetchSpec, _); 4] = [
        (const { &REACH }, ids!("FetchReach")),
        (const { &PUSH }, ids!("FetchPush")),
        (const { &SLIDE }, ids!("FetchSlide")),
        (const { &PICK_AND_PLACE }, ids!("FetchPickAndPlace")),
    ];
    let task = |spec, id, reward_type| FetchEnv::task(id, spec).max_episode_steps(STEPS).preset("reward_type", reward_type);
    let of_type = |spec, (ids, reward_type): ([&'static str; 2], _)| ids.map(|id| task(spec, id, reward_type));
    specs
        .into_iter()
        .flat_map(|(spec, ids)| ids.into_iter().zip(crate::goals::REWARD_TYPES).flat_map(move |each| of_type(spec, each)))
        .collect()
}
