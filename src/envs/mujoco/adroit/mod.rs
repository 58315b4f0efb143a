//! Adroit tasks of Gymnasium-Robotics, in which a hand with an arm opens a door, drives a nail, turns a pen or moves a ball:
//! `AdroitHandDoor-v1`, `AdroitHandPenSparse-v1`, ...
//!
//! The tasks reproduce `envs/adroit_hand` of Gymnasium-Robotics 1.4.2 number for number. `rules` has observations, rewards and
//! starts of the four tasks; `env` turns them into environments.

mod env;
mod rules;

use self::env::AdroitEnv;
use self::rules::{DOOR, HAMMER, PEN, RELOCATE, RulesClass};
use crate::render_setup::CameraPreset;
use envpool_rs_engine::Task;
use envpool_rs_sim_mujoco::render::FreeCamera;

/// Default step limit of an episode, in environment steps.
const STEPS: u32 = 200;

/// Reset option for the state in which an episode starts: a dict with positions, velocities and the places of objects.
const INITIAL_STATE: &str = "initial_state_dict";

/// Rules, reset options and camera of a task.
pub struct AdroitSpec {
    class: &'static RulesClass,
    /// Names of all numbers of the reset option `initial_state_dict`: of positions, of velocities, of places.
    reset_options: Vec<&'static str>,
    camera: CameraPreset,
}

impl AdroitSpec {
    /// Describes the task with the rules `class`, whose camera has the given distance in metres and azimuth in degrees; never freed.
    fn leaked(class: &'static RulesClass, [distance, azimuth]: [f64; 2]) -> &'static Self {
        let camera = FreeCamera { distance: Some(distance), azimuth: Some(azimuth), ..FreeCamera::DEFAULT };
        let keys = [("qpos", class.positions), ("qvel", class.positions)].into_iter().chain(class.places.iter().copied());
        let names =
            |(key, len): (&str, usize)| (0..len).map(|index| format!("{INITIAL_STATE}.{key}[{index}]")).collect::<Vec<_>>();
        let reset_options = keys.flat_map(names).map(|name| &*name.leak()).collect();
        Box::leak(Box::new(Self { class, reset_options, camera: CameraPreset::Robot(camera) }))
    }
}

/// Lists all tasks of the Adroit hand.
pub fn tasks() -> Vec<Task> {
    let specs = [
        (AdroitSpec::leaked(&DOOR, [1.5, 90.0]), ["AdroitHandDoorSparse-v1", "AdroitHandDoor-v1"]),
        (AdroitSpec::leaked(&HAMMER, [2.0, 45.0]), ["AdroitHandHammerSparse-v1", "AdroitHandHammer-v1"]),
        (AdroitSpec::leaked(&PEN, [1.0, -45.0]), ["AdroitHandPenSparse-v1", "AdroitHandPen-v1"]),
        (AdroitSpec::leaked(&RELOCATE, [1.5, 90.0]), ["AdroitHandRelocateSparse-v1", "AdroitHandRelocate-v1"]),
    ];
    let task = |(spec, ids): (&'static AdroitSpec, [&'static str; 2])| {
        let of_type =
            move |(id, reward_type)| AdroitEnv::task(id, spec).max_episode_steps(STEPS).preset("reward_type", reward_type);
        ids.into_iter().zip(crate::goals::REWARD_TYPES).map(of_type)
    };
    specs.into_iter().flat_map(task).collect()
}
