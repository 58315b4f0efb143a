//! MyoSuite's tasks of musculoskeletal models: `myoElbowPose1D6MRandom-v0`, `myoHandReachFixed-v0`, ...
//!
//! The tasks reproduce the package `myosuite` 2.12.2 number for number: environment `i` of a pool with seed `s` equals
//! `gymnasium.make(id, seed=s + i)` and its further resets. The models are the package's own files.
//!
//! # Adding a class of tasks
//! A class of the package is a file with a struct of what its ids differ in, which implements [`task::Class`], and its
//! [`task::Rules`]. `tools/myosuite_tasks.py` writes the table in `tasks.rs` from the package's registry.

mod baoding;
mod bimanual;
mod brown_noise;
mod chase_tag;
mod env;
mod hold;
mod key_turn;
mod muscles;
mod opponent;
mod pen;
mod pose;
mod reach;
mod relocate;
mod reorient;
mod reorient_sar;
mod run_track;
mod soccer;
mod streams;
mod table_tennis;
pub mod task;
mod tasks;
mod terrain;
mod track;
mod walk;

use self::env::MyoEnv;
use envpool_rs_engine::Task;

/// Conditions of the muscles, each with the letters in ids and the start of the plain ids that have it.
const VARIANTS: [(&str, &str, &str); 3] =
    [("sarcopenia", "Sarc", "myo"), ("fatigue", "Fati", "myo"), ("reafferentation", "Reaf", "myoHand")];

/// Lists all tasks, in the order in which the package registers them: each followed by its variants.
pub fn tasks() -> Vec<Task> {
    let mut listed = Vec::new();
    for spec in &tasks::TASKS {
        let plain = MyoEnv::task(spec);
        let variants = VARIANTS.iter().filter(|(.., start)| spec.id.starts_with(start)).map(|(condition, letters, _)| {
            let id = format!("myo{letters}{}", &spec.id["myo".len()..]).leak();
            plain.with_id(id).preset("muscle_condition", *condition)
        });
        let variants: Vec<_> = variants.collect();
        listed.push(plain);
        listed.extend(variants);
    }
    listed
}
