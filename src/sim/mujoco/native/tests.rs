//! Tests that compare native steps with MuJoCo's.
//!
//! The tests need `ENVPOOL_RS_MUJOCO`, the path of a file that describes MuJoCo's library, and `ENVPOOL_RS_MUJOCO_MODELS`, the
//! directory of gymnasium's models; without them the tests are skipped. `NATIVE_STEPS` is the number of steps of each of 13
//! simulations.

mod actuation;
mod body_equalities;
mod fields;
mod fingers;
mod planar;
mod sensors;
mod sizes;
mod tendons;
mod touch_sensors;

use std::path::Path;

use crate::native::dialect::{Dialect, NATIVE_VERSIONS};
use crate::native::verify::{Comparison, compare};
use crate::native::*;
use crate::tests::{library, model as compile};
use crate::{DisableFlag, Library, Workspace};

/// Returns the library, if its steps have a native implementation.
fn known_library() -> Option<&'static Library> {
    library().filter(|library| Dialect::of(library.version()).is_ok())
}

fn refusal(library: &'static Library, text: &str) -> String {
    Stepper::new(&compile(library, text)).map(|_| ()).unwrap_err()
}

/// Compares `steps` native steps of a model with MuJoCo's, which may take at most `left` percent of them. Returns the counts.
fn check(name: &str, text: &str, (steps, seed): (u32, u64), left: u64) -> Option<Comparison> {
    let model = compile(known_library()?, text);
    let stepper = Stepper::new(&model).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let found = compare(&stepper, steps, seed).unwrap();
    println!("{name}: {found:?}");
    assert_eq!(found.differing, 0, "{name}: {found:?}");
    assert!(100 * found.fallbacks <= left * found.steps, "{name} is left to the library: {found:?}");
    Some(found)
}

/// As [`check`], and also checks that constraints were added or removed in some of the steps.
fn check_bound(name: &str, text: &str, steps: (u32, u64), left: u64) -> Option<Comparison> {
    let found = check(name, text, steps, left)?;
    assert!(found.stats.updates[0] > 0, "{name} was never bound by anything: {found:?}");
    Some(found)
}

/// gymnasium's models that have native steps, each with the stages of a step that its environment disables.
const ROBOTS: &[(&str, &[DisableFlag])] = &[
    ("half_cheetah.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("hopper.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("walker2d.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("walker2d_v5.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("ant.xml", &[DisableFlag::Islands]),
    ("swimmer.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("reacher.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("inverted_pendulum.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("inverted_double_pendulum.xml", &[DisableFlag::Islands, DisableFlag::MidPhase]),
    ("pusher.xml", &[DisableFlag::MidPhase]),
    ("pusher_v5.xml", &[DisableFlag::MidPhase]),
    ("humanoid.xml", &[DisableFlag::Islands]),
    ("humanoidstandup.xml", &[DisableFlag::Islands]),
];

#[test]
fn robots_equal_the_library_bit_for_bit() {
    let (Some(library), Some(folder)) = (known_library(), std::env::var_os("ENVPOOL_RS_MUJOCO_MODELS")) else { return };
    let steps = std::env::var("NATIVE_STEPS").map_or(500, |steps| steps.parse().unwrap());
    let only = std::env::var("NATIVE_MODEL").unwrap_or_default();
    let mut differing = 0;
    for (file, without) in ROBOTS.iter().filter(|(file, _)| file.starts_with(&only)) {
        for (round, without) in [*without, &[]].into_iter().enumerate() {
            let model = Model::from_xml(library, &Path::new(&folder).join(file), without).unwrap();
            let stepper = Stepper::new(&model).unwrap_or_else(|reason| panic!("{file} without {without:?}: {reason}"));
            let is_planar = ["half_cheetah", "hopper", "walker2d"].iter().any(|name| file.starts_with(name));
            assert_eq!(stepper.planar.is_some(), is_planar, "{file}");
            let found = compare(&stepper, steps, round as u64).unwrap();
            println!("{file} without {without:?}: {found:?}");
            assert!(found.fallbacks < found.steps / 2, "{file} is left to the library: {found:?}");
            differing += found.differing;
        }
    }
    assert_eq!(differing, 0, "steps differ: see above");
}

/// Further geoms and contacts, each with the largest percentage of steps that MuJoCo takes.
const SHAPES: &[(&str, &str, u64)] = &[
    (
        "boxes and cylinders that fall on one another",
        r#"<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="5 5 1"/>
        <geom type="box" size=".2 .2 .1" pos="0 0 .1" euler="0 10 0"/>
        <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos=".05 .1 .8"><joint type="slide" axis="0 0 1"/><joint axis="1 0 0"/><joint axis="0 1 0"/>
          <geom type="cylinder" size=".06 .1" euler="80 20 0"/><geom type="ellipsoid" size=".05 .1 .08" pos=".2 0 0"/></body>
        </worldbody></mujoco>"#,
        1,
    ),
    (
        "fingers whose pads touch exactly in the initial state",
        r#"<mujoco><option timestep="0.002"/><worldbody><body pos=".8 .2 .5" euler="73 56 48"><joint type="slide" axis="0 1 0" damping="5"/>
        <geom type="box" size=".01 .01 .01" euler="0 0 45"/>
        <body><joint name="a" type="slide" axis="0 1 0" damping="1" range="0 .04" limited="true"/><geom type="box" size=".01 .005 .004" pos="0 .005 .1"/>
          <geom type="box" size=".01 .005 .004" pos="0 .005 .108"/></body>
        <body quat="0 0 0 1"><joint name="b" type="slide" axis="0 1 0" damping="1"/><geom type="box" size=".01 .005 .004" pos="0 .005 .1"/>
          <geom type="box" size=".01 .005 .004" pos="0 .005 .108"/></body></body></worldbody>
        <actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"#,
        10,
    ),
    (
        "elliptic cones with torsion and rolling friction",
        r#"<mujoco><option timestep="0.004" cone="elliptic" impratio="3"/><worldbody>
        <geom type="plane" size="5 5 1" condim="6" friction=".8 .1 .02"/>
        <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1" condim="4" friction=".6 .05 .01" priority="1"/></body>
        <body pos=".3 0 .4"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><joint axis="0 0 1"/>
          <geom size=".1" friction=".9 .02 .1"/><geom type="capsule" size=".05 .1" pos=".2 0 0" condim="3"/></body>
        </worldbody></mujoco>"#,
        1,
    ),
    (
        "elliptic cones of a cylinder and an ellipsoid, other impedances",
        r#"<mujoco><option timestep="0.002" cone="elliptic"/><worldbody><geom type="plane" size="5 5 1"/>
        <body name="a" pos="0 0 .3"><freejoint/><geom type="cylinder" size=".05 .1" solimp=".8 .95 .01 .5 1" priority="1"/>
          <geom type="ellipsoid" size=".05 .1 .08" pos=".2 0 0" euler="80 20 0" solimp=".9 .9 .01 .5 3" priority="1"/></body>
        <body name="b" pos="0 0 .3"><joint type="slide" axis="1 0 0"/><geom size=".2" contype="2" conaffinity="1" solmix="3"/></body>
        </worldbody><contact><exclude body1="a" body2="b"/></contact></mujoco>"#,
        1,
    ),
    (
        "gaps of planes, round geoms, boxes and a pair",
        r#"<mujoco><option timestep="0.004"/><default><geom margin=".03" gap=".02"/></default><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 .3"><freejoint/><geom name="a" type="box" size=".1 .06 .03"/><geom type="capsule" size=".03 .1" pos=".2 0 0"/></body>
        <body pos=".1 0 .5"><freejoint/><geom type="capsule" size=".04 .1" euler="90 0 0"/><geom type="cylinder" size=".05 .06" pos="0 .2 0"/></body>
        <body pos="0 .2 .6"><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/><geom name="b" type="box" size=".2 .1 .02"/>
          <geom size=".05" pos="0 -.2 .1"/></body></worldbody>
        <contact><pair geom1="a" geom2="b" margin=".04" gap=".01"/></contact></mujoco>"#,
        1,
    ),
    (
        "pyramids with torsion and rolling friction",
        r#"<mujoco><option timestep="0.004"/><worldbody>
        <geom type="plane" size="5 5 1" condim="4" friction=".8 .1 .02"/>
        <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1" condim="6" friction=".6 .05 .01"/></body>
        <body pos=".3 0 .4"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><joint axis="0 0 1"/>
          <geom size=".1" friction=".9 .02 .1"/><geom type="capsule" size=".05 .1" pos=".2 0 0" condim="1" priority="2"/></body>
        </worldbody></mujoco>"#,
        1,
    ),
];

#[test]
fn shapes_and_contacts_equal_the_library_bit_for_bit() {
    for (name, text, left) in SHAPES {
        check(name, text, (400, 3), *left);
    }
}

/// Further elements, each with the largest percentage of steps that MuJoCo takes.
const PARTS: &[(&str, &str, u64)] = &[
    (
        "cones: a finger that turns a body with friction in its hinge, a foot that slips",
        r#"<mujoco><option timestep="0.01" cone="elliptic" impratio="2"/><default><geom friction=".6"/>
        <default class="finger"><joint axis="0 -1 0" damping="2" limited="true" range="-80 80"/></default></default><worldbody>
        <geom type="plane" size="1 1 1"/>
        <body pos="-.1 0 .4" childclass="finger"><joint name="a" frictionloss=".02"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.17" contype="0"/>
          <body pos="0 0 -.18"><joint name="b"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.16"/>
            <site name="tip" type="ellipsoid" size=".05 .04 .06" pos="0 0 -.16"/></body></body>
        <body pos=".04 0 .3"><joint axis="0 -1 0" frictionloss=".1" damping=".05"/><geom type="capsule" size=".04 .09" pos=".02 0 0" contype="2"/></body>
        <body pos=".5 0 .2"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
          <geom size=".1"/><geom size=".05" pos=".1 0 0" condim="1"/></body></worldbody>
        <actuator><motor joint="a" gear="10"/><motor joint="b" gear="5"/></actuator><sensor><touch site="tip"/></sensor></mujoco>"#,
        20,
    ),
    (
        "islands: a cup, a ball on a string, another that is by itself, a ground at another height",
        r#"<mujoco><option timestep="0.002"/><default><geom friction=".7"/></default><worldbody>
        <geom type="plane" size="1 1 1" pos=".3 -.2 -.1" conaffinity="3"/>
        <body name="cup" pos="0 0 .6"><joint name="x" type="slide" axis="1 0 0" damping="3" stiffness="20"/>
          <joint type="slide" axis="0 0 1" damping="3" stiffness="20"/><joint type="hinge" axis="0 1 0" damping=".1" stiffness="1"/>
          <geom type="capsule" size=".01" fromto="-.05 0 0 -.03 0 -.1"/><geom type="capsule" size=".01" fromto="-.03 0 -.1 .05 0 -.1"/>
          <geom type="capsule" size=".01" fromto=".05 0 -.1 .07 .01 0" condim="1"/><site name="cup" pos="0 0 -.1"/></body>
        <body name="ball" pos="0 0 .2"><freejoint/><geom type="sphere" size=".03"/><site name="ball" pos="0 .01 .02"/></body>
        <body name="other" pos=".5 0 .1"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0" limited="true" range="-.3 .3"/>
          <geom type="sphere" size=".04" contype="2" conaffinity="0"/></body></worldbody>
        <tendon><spatial limited="true" range="0.05 0.35"><site site="ball"/><site site="cup"/></spatial></tendon>
        <actuator><motor joint="x" gear="5"/></actuator>
        <sensor><subtreelinvel body="cup"/><subtreelinvel body="ball"/><subtreelinvel body="world"/></sensor></mujoco>"#,
        5,
    ),
    (
        "solids and legs: an ellipsoid and a cylinder on the ground, equalities, activations",
        r#"<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="5 5 1"/>
        <body name="trunk" pos="0 0 .4"><freejoint/><geom type="ellipsoid" size=".2 .1 .05"/>
          <geom type="cylinder" size=".04 .1" pos=".2 0 .05" euler="30 60 0" condim="1"/>
          <body name="thigh" pos=".1 .2 0"><joint name="a" axis="1 0 0" damping="2" armature=".01"/><geom type="capsule" size=".03" fromto="0 0 0 0 .2 -.1"/>
            <body pos="0 .2 -.1"><joint name="b" axis="1 0 0" damping="2" armature=".01"/><geom type="sphere" size=".05" pos="0 0 -.1"/>
              <body pos="0 0 -.1"><joint name="c" axis="0 1 0" damping="2" armature=".01" limited="true" range="-40 40"/>
                <geom type="capsule" size=".02" fromto="0 0 0 .1 0 -.1"/></body></body></body></body></worldbody>
        <tendon><fixed name="sum"><joint joint="a" coef=".3"/><joint joint="b" coef=".3"/><joint joint="c" coef=".4"/></fixed>
          <fixed name="both"><joint joint="a" coef=".5"/><joint joint="c" coef="-.5"/></fixed></tendon>
        <equality><tendon tendon1="sum" solref=".02 .5" polycoef=".1 1 0 0 0"/></equality>
        <actuator><general joint="a" dyntype="filter" dynprm=".1" gainprm="20" biasprm="0 -20" biastype="affine" ctrllimited="true" ctrlrange="-1 1"/>
          <general tendon="both" dyntype="integrator" gainprm="3" ctrllimited="true" ctrlrange="-1 1"/></actuator>
        <sensor><subtreelinvel body="trunk"/><subtreelinvel body="thigh"/></sensor></mujoco>"#,
        20,
    ),
];

#[test]
fn model_features_equal_the_library_bit_for_bit() {
    for (name, text, left) in PARTS {
        let Some(found) = check_bound(name, text, (400, 3), *left) else { return };
        let has_cones = text.contains("elliptic");
        assert_eq!(
            found.stats.zones.iter().all(|zone| *zone > 0),
            has_cones,
            "{name} is not in all zones of friction: {found:?}"
        );
    }
}

/// MJCF of a body with two equal joints, so that its inertia matrix is singular.
const SINGULAR: &str = r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<actuator><motor joint="j" ctrlrange="-1 1"/></actuator></mujoco>"#;

#[test]
fn a_model_with_mostly_fallback_steps_is_refused_and_shares_reported() {
    let Some(library) = known_library() else { return };
    let verified = |text: &str| Stepper::verified(&compile(library, text));
    let reason = verified(SINGULAR).map(|_| ()).unwrap_err();
    assert!(reason.contains("were left to it"), "{reason}");
    for (name, text, left) in PARTS {
        let share = verified(text).unwrap().fallback_share().unwrap();
        assert!(100.0 * share <= 2.0 * *left as f64, "{name}: {share}");
    }
}

#[test]
fn debug_builds_hide_fields_that_were_not_requested() {
    let Some(library) = known_library().filter(|_| cfg!(debug_assertions)) else { return };
    let model = compile(library, PARTS[0].1);
    let (stepper, workspace) = (Stepper::new(&model).unwrap(), Workspace::new(&model));
    let control = vec![0.0; model.sizes().nu];
    let step = |derived: Derived| {
        let mut state = stepper.layout.initial.clone();
        let mut shown = Vec::new();
        let lanes = &mut [Lane { state: &mut state, control: &control, nefc: 0 }];
        stepper.step_with_values(&workspace, (lanes, &[]), (1, derived), |_, data| {
            let data = data.unwrap();
            shown = [&data.xpos()[3..], data.site_xpos(), &data.cvel()[6..], data.qfrc_constraint()].concat();
        });
        shown
    };
    assert!(step(Derived::ALL).iter().all(|number| number.is_finite()));
    assert!(step(Derived::default()).iter().all(|number| number.is_nan()));
}

#[test]
fn sensors_and_fields_without_a_reader_are_parts_of_a_models_fingerprint() {
    let Some(library) = known_library() else { return };
    let stepper = |text: &str| Stepper::new(&compile(library, text)).unwrap();
    let (_, with_touch, _) = PARTS[0];
    let without_touch = with_touch.replace(r#"<sensor><touch site="tip"/></sensor>"#, "");
    let numbered = with_touch.replace("<worldbody>", r#"<custom><numeric name="n" data="1"/></custom><worldbody>"#);
    for other in [without_touch, numbered] {
        assert!(other != with_touch && stepper(with_touch).fingerprint() != stepper(&other).fingerprint());
    }
}

#[test]
fn versions_without_native_steps_are_refused_by_name() {
    for (version, name) in
        [(3_005_000, "3.5.0"), (3_006_001, "3.6.1"), (3_015_000, "3.15.0"), (3_017_001, "3.17.1"), (5_000_000, "5.0.0")]
    {
        let reason = Dialect::of(version).unwrap_err();
        let expected = "native steps exist for 3.6.0, 3.16.0, 3.17.0, 4.0.0";
        assert_eq!(reason, format!("version {name} of MuJoCo: {expected}"));
    }
}

#[test]
fn each_native_version_has_its_own_dialect() {
    let dialects = NATIVE_VERSIONS.map(|version| Dialect::of(version).unwrap());
    for [one, other] in dialects.array_windows() {
        assert_ne!(one, other);
    }
}
