//! Steps beside the library's, where `ENVPOOL_RS_MUJOCO` says where that lies and `ENVPOOL_RS_MUJOCO_MODELS` where gymnasium's models are;
//! skipped elsewhere. `NATIVE_STEPS` steps of each of 13 simulations.

use std::path::Path;

use super::trust::compare;
use super::*;
use crate::sim::mujoco::{Flag, tests::library};

/// gymnasium's models that are stepped here, and the stages that gymnasium's robots are stepped without.
const ROBOTS: &[(&str, &[Flag])] = &[
    ("half_cheetah.xml", &[Flag::Islands, Flag::MidPhase]),
    ("hopper.xml", &[Flag::Islands, Flag::MidPhase]),
    ("walker2d.xml", &[Flag::Islands, Flag::MidPhase]),
    ("walker2d_v5.xml", &[Flag::Islands, Flag::MidPhase]),
    ("ant.xml", &[Flag::Islands]),
    ("swimmer.xml", &[Flag::Islands, Flag::MidPhase]),
    ("reacher.xml", &[Flag::Islands, Flag::MidPhase]),
    ("inverted_pendulum.xml", &[Flag::Islands, Flag::MidPhase]),
    ("inverted_double_pendulum.xml", &[Flag::Islands, Flag::MidPhase]),
    ("humanoid.xml", &[Flag::Islands]),
    ("humanoidstandup.xml", &[Flag::Islands]),
];

#[test]
fn robots_are_stepped_to_the_librarys_bits() {
    let (Some(library), Some(folder)) = (library(), std::env::var_os("ENVPOOL_RS_MUJOCO_MODELS")) else { return };
    if !VERSIONS.contains(&library.version()) {
        return;
    }
    let steps = std::env::var("NATIVE_STEPS").map_or(500, |steps| steps.parse().unwrap());
    let only = std::env::var("NATIVE_MODEL").unwrap_or_default();
    for (file, without) in ROBOTS.iter().filter(|(file, _)| file.starts_with(&only)) {
        for (round, without) in [*without, &[]].into_iter().enumerate() {
            let model = Model::from_xml(library, &Path::new(&folder).join(file), without).unwrap();
            let stepper = match Stepper::new(&model) {
                Ok(stepper) => stepper,
                Err(reason) => {
                    assert_eq!((*file, reason.as_str()), ("reacher.xml", "several trees of bodies with constraints"));
                    continue;
                }
            };
            let found = compare(&stepper, steps, round as u64).unwrap();
            println!("{file} without {without:?}: {found:?}");
            assert_eq!(found.differing, 0, "{file} without {without:?}: {found:?}");
            assert!(found.left < found.steps / 2, "{file} is left to the library: {found:?}");
        }
    }
}
