//! Shadow hand tasks of Gymnasium-Robotics, in which a hand must bring its fingers, a block, an egg or a pen to a goal:
//! `HandReach-v3`, `HandManipulateBlockRotateZ_BooleanTouchSensorsDense-v1`, ...
//!
//! The tasks reproduce `envs/shadow_dexterous_hand` of Gymnasium-Robotics 1.4.2 number for number. `fingers` has the hand's
//! joints and actions, `reach` and `manipulate` the starts and goals of the two kinds of tasks, `goal` the rewards; `env` turns
//! them into environments. Version 0 is an alias of the newest version, as in EnvPool, because the original needs mujoco-py.

mod env;
mod fingers;
pub mod goal;
mod manipulate;
mod reach;

use self::env::HandEnv;
use envpool_rs_engine::Task;

/// Model of a task, and defaults of its options.
pub struct HandSpec {
    xml_file: &'static str,
    /// Whether the hand moves an object. If not, its fingers move.
    has_object: bool,
    has_touch_sensors: bool,
    /// Whether the object starts with a random orientation.
    turns_object: bool,
    ignores_z: bool,
    /// Distance in metres at which a goal is reached.
    threshold: f64,
}

const BLOCK: HandSpec = HandSpec {
    xml_file: "hand/manipulate_block.xml",
    has_object: true,
    has_touch_sensors: false,
    turns_object: true,
    ignores_z: false,
    threshold: 0.01,
};
const BLOCK_TOUCH: HandSpec = HandSpec { xml_file: "hand/manipulate_block_touch_sensors.xml", has_touch_sensors: true, ..BLOCK };
const EGG: HandSpec = HandSpec { xml_file: "hand/manipulate_egg.xml", ..BLOCK };
const EGG_TOUCH: HandSpec = HandSpec { xml_file: "hand/manipulate_egg_touch_sensors.xml", has_touch_sensors: true, ..BLOCK };
const PEN: HandSpec =
    HandSpec { xml_file: "hand/manipulate_pen.xml", turns_object: false, ignores_z: true, threshold: 0.05, ..BLOCK };
const PEN_TOUCH: HandSpec = HandSpec { xml_file: "hand/manipulate_pen_touch_sensors.xml", has_touch_sensors: true, ..PEN };
const REACH: HandSpec = HandSpec { xml_file: "hand/reach.xml", has_object: false, ..BLOCK };

/// Ids of a task: with sparse rewards, then with dense rewards, in the newest version and in version 0.
type Ids = [[&'static str; 2]; 2];

/// Lists the ids of a task, given the parts of its name and its newest version.
macro_rules! ids {
    ($($part:literal)*, $version:literal) => {
        [
            [concat!($($part,)* $version), concat!($($part,)* "-v0")],
            [concat!($($part,)* "Dense", $version), concat!($($part,)* "Dense-v0")],
        ]
    };
}

/// Lists the ids of a task of manipulation, without touch sensors, with boolean and with continuous ones.
macro_rules! with_touch {
    ($name:literal) => {
        [
            ids!($name, "-v1"),
            ids!($name "_BooleanTouchSensors", "-v1"),
            ids!($name "_ContinuousTouchSensors", "-v1"),
        ]
    };
}

/// Tasks with and without touch sensors: ids, specifications, and values of `target_position` and `target_rotation`.
const TOUCHING: [([Ids; 3], [&HandSpec; 2], [&str; 2]); 8] = [
    (with_touch!("HandManipulateBlockRotateZ"), [&BLOCK, &BLOCK_TOUCH], ["ignore", "z"]),
    (with_touch!("HandManipulateBlockRotateParallel"), [&BLOCK, &BLOCK_TOUCH], ["ignore", "parallel"]),
    (with_touch!("HandManipulateBlockRotateXYZ"), [&BLOCK, &BLOCK_TOUCH], ["ignore", "xyz"]),
    (with_touch!("HandManipulateBlock"), [&BLOCK, &BLOCK_TOUCH], ["random", "xyz"]),
    (with_touch!("HandManipulateEggRotate"), [&EGG, &EGG_TOUCH], ["ignore", "xyz"]),
    (with_touch!("HandManipulateEgg"), [&EGG, &EGG_TOUCH], ["random", "xyz"]),
    (with_touch!("HandManipulatePenRotate"), [&PEN, &PEN_TOUCH], ["ignore", "xyz"]),
    (with_touch!("HandManipulatePen"), [&PEN, &PEN_TOUCH], ["random", "xyz"]),
];

/// Ids and specifications of the tasks of manipulation of which the package has no version with touch sensors.
const FULL: [(Ids, &HandSpec); 3] = [
    (ids!("HandManipulateBlockFull", "-v1"), &BLOCK),
    (ids!("HandManipulateEggFull", "-v1"), &EGG),
    (ids!("HandManipulatePenFull", "-v1"), &PEN),
];

/// Creates the tasks of `ids` with a step limit and the given values of options.
fn tasks_of(
    ids: Ids,
    spec: &'static HandSpec,
    steps: u32,
    presets: &[(&'static str, &'static str)],
) -> impl Iterator<Item = Task> {
    let task = move |id, reward_type| {
        let task = HandEnv::task(id, spec).max_episode_steps(steps).preset("reward_type", reward_type);
        presets.iter().fold(task, |task, (name, value)| task.preset(name, *value))
    };
    let tasks: Vec<_> =
        ids.into_iter().zip(crate::goals::REWARD_TYPES).flat_map(|(ids, kind)| ids.map(|id| task(id, kind))).collect();
    tasks.into_iter()
}

/// Lists all tasks of the Shadow hand.
pub fn tasks() -> Vec<Task> {
    let mut tasks: Vec<_> = tasks_of(ids!("HandReach", "-v3"), const { &REACH }, 50, &[]).collect();
    for ([plain, boolean, continuous], [spec, touch], [position, rotation]) in TOUCHING {
        let target = [("target_position", position), ("target_rotation", rotation)];
        tasks.extend(tasks_of(plain, spec, 100, &target));
        for (ids, shown) in [(boolean, "boolean"), (continuous, "sensordata")] {
            tasks.extend(tasks_of(ids, touch, 100, &[target[0], target[1], ("touch_get_obs", shown)]));
        }
    }
    for (ids, spec) in FULL {
        tasks.extend(tasks_of(ids, spec, 100, &[("target_position", "random"), ("target_rotation", "xyz")]));
    }
    tasks
}
