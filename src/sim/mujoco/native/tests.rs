//! Steps beside the library's, where `ENVPOOL_RS_MUJOCO` says where that lies and `ENVPOOL_RS_MUJOCO_MODELS` where gymnasium's models are;
//! skipped elsewhere. `NATIVE_STEPS` steps of each of 13 simulations.

use std::path::Path;

use super::dialect::Dialect;
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
    if Dialect::of(library.version(), Solver::Newton).is_err() {
        return;
    }
    let steps = std::env::var("NATIVE_STEPS").map_or(500, |steps| steps.parse().unwrap());
    let only = std::env::var("NATIVE_MODEL").unwrap_or_default();
    let mut differing = 0;
    for (file, without) in ROBOTS.iter().filter(|(file, _)| file.starts_with(&only)) {
        for (round, without) in [*without, &[]].into_iter().enumerate() {
            let model = Model::from_xml(library, &Path::new(&folder).join(file), without).unwrap();
            let stepper = match Stepper::new(&model) {
                Ok(stepper) => stepper,
                Err(reason) if file.starts_with("humanoid") && library.version() == 3_008_001 => {
                    assert!(reason.contains("3.8.1"), "{reason}");
                    continue;
                }
                Err(reason) => {
                    assert_eq!((*file, reason.as_str()), ("reacher.xml", "several trees of bodies with constraints"));
                    continue;
                }
            };
            let is_planar = ["half_cheetah", "hopper", "walker2d"].iter().any(|name| file.starts_with(name));
            assert_eq!(stepper.flat.is_some(), is_planar, "{file}");
            let found = compare(&stepper, steps, round as u64).unwrap();
            println!("{file} without {without:?}: {found:?}");
            assert!(found.left < found.steps / 2, "{file} is left to the library: {found:?}");
            differing += found.differing;
        }
    }
    assert_eq!(differing, 0, "steps differ: see above");
}

#[test]
fn versions_that_are_not_known_are_refused_by_name() {
    for (version, name) in [(3_004_000, "3.4.0"), (4_000_001, "4.0.1"), (4_012_000, "4.12.0"), (5_000_000, "5.0.0")] {
        let reason = Dialect::of(version, Solver::Newton).unwrap_err();
        assert_eq!(reason, format!("version {name} of MuJoCo: known are 3.5.0 to 4.0.0"));
    }
    assert!(Dialect::of(3_008_001, Solver::GaussSeidel).unwrap_err().contains("3.8.1"));
}

#[test]
fn known_versions_differ_from_where_it_is_written_on() {
    let of = |version| Dialect::of(version, Solver::Newton).unwrap();
    let changes = [3_009_000, 3_010_000, 3_011_000, 3_012_000, 3_013_000, 3_016_000, 3_017_000, 4_000_000];
    for [one, other] in
        [3_005_000, 3_006_000, 3_007_000, 3_008_000, 3_008_001, 3_009_000].windows(2).map(|pair| [pair[0], pair[1]])
    {
        assert_eq!(of(one) == of(other), !changes.contains(&other), "{one} and {other}");
    }
    for minor in 10..=17 {
        let (one, other) = (3_000_000 + 1_000 * (minor - 1), 3_000_000 + 1_000 * minor);
        assert_eq!(of(one) == of(other), !changes.contains(&other), "{one} and {other}");
    }
    assert_ne!(of(3_017_000), of(4_000_000));
}
