//! Mazes of Gymnasium-Robotics, in which an agent must reach goals: `PointMaze_UMaze-v3`, `AntMaze_LargeDense-v5`, ...
//!
//! The tasks reproduce `envs/maze` of Gymnasium-Robotics 1.4.2 number for number. `map` has the maps, and the draws of goals and
//! starts; `env` turns an agent, which is a [`Robot`](crate::robot::Robot), into an environment; `goal` has the
//! rewards.

mod env;
pub mod goal;
mod map;
mod point;

use self::env::{MazeEnv, MazeSpec};
use self::point::{BALL, Ball};
use crate::ant::Ant;
use crate::robot::RobotSpec;
use envpool_rs_engine::Task;

/// Tasks of an agent on one map: ids with sparse and dense rewards, the map's name, and the index of the step limit.
type MapTasks = ([&'static str; 2], &'static str, usize);

/// Lists the tasks of an agent as [`MapTasks`].
macro_rules! maps {
    ($agent:literal, $version:literal) => {
        [
            maps!($agent, $version, "UMaze", "U_MAZE", 0),
            maps!($agent, $version, "Open", "OPEN", 0),
            maps!($agent, $version, "Open_Diverse_G", "OPEN_DIVERSE_G", 0),
            maps!($agent, $version, "Open_Diverse_GR", "OPEN_DIVERSE_GR", 0),
            maps!($agent, $version, "Medium", "MEDIUM_MAZE", 1),
            maps!($agent, $version, "Medium_Diverse_G", "MEDIUM_MAZE_DIVERSE_G", 1),
            maps!($agent, $version, "Medium_Diverse_GR", "MEDIUM_MAZE_DIVERSE_GR", 1),
            maps!($agent, $version, "Large", "LARGE_MAZE", 2),
            maps!($agent, $version, "Large_Diverse_G", "LARGE_MAZE_DIVERSE_G", 2),
            maps!($agent, $version, "Large_Diverse_GR", "LARGE_MAZE_DIVERSE_GR", 2),
        ]
    };
    ($agent:literal, $version:literal, $name:literal, $map:literal, $size:literal) => {
        ([concat!($agent, "_", $name, "-", $version), concat!($agent, "_", $name, "Dense-", $version)], $map, $size)
    };
}

/// PointMaze: a ball whose velocity is limited to 5 m/s along each axis.
const POINT: MazeSpec = MazeSpec {
    agent: RobotSpec::of::<Ball>(),
    model: Some(BALL),
    skipped: 0,
    is_legacy: false,
    scale: 1.0,
    height: 0.4,
    max_speed: Some(5.0),
    distances: [8.8, 12.5],
};

/// AntMaze in version 5: the robot of `Ant-v5`.
const ANT: MazeSpec = MazeSpec {
    agent: RobotSpec::of::<Ant<5>>(),
    model: None,
    skipped: 2,
    is_legacy: false,
    scale: 4.0,
    height: 0.5,
    max_speed: None,
    distances: [4.0, 4.0],
};

/// AntMaze in version 4: the robot of `Ant-v4`.
const ANT_4: MazeSpec = MazeSpec { agent: RobotSpec::of::<Ant<4>>(), ..ANT };

/// AntMaze in version 3: the robot of `Ant-v4` with the goal rules of older versions.
const ANT_3: MazeSpec = MazeSpec { agent: RobotSpec::of::<Ant<4>>(), is_legacy: true, ..ANT };

/// Returns the tasks of the agent that `spec` describes. `limits` holds the step limits of small, medium and large maps.
fn tasks_of(spec: &'static MazeSpec, maps: [MapTasks; 10], limits: [u32; 3]) -> impl Iterator<Item = Task> {
    maps.into_iter().flat_map(move |(ids, map, size)| {
        ids.into_iter().zip(crate::goals::REWARD_TYPES).map(move |(id, reward_type)| {
            let task = MazeEnv::task(id, spec).max_episode_steps(limits[size]);
            task.preset("maze_map", map).preset("reward_type", reward_type)
        })
    })
}

/// Lists all tasks of PointMaze and AntMaze.
pub fn tasks() -> Vec<Task> {
    const ANT_LIMITS: [u32; 3] = [700, 1000, 1000];
    let points = tasks_of(const { &POINT }, maps!("PointMaze", "v3"), [300, 600, 800]);
    let ants = tasks_of(const { &ANT }, maps!("AntMaze", "v5"), ANT_LIMITS);
    let ants_4 = tasks_of(const { &ANT_4 }, maps!("AntMaze", "v4"), ANT_LIMITS);
    let ants_3 = tasks_of(const { &ANT_3 }, maps!("AntMaze", "v3"), ANT_LIMITS);
    points.chain(ants).chain(ants_4).chain(ants_3).collect()
}
