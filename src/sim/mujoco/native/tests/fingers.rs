//! Tests of the parts that hands have: pairs of shapes that the model defines, and length limits of fixed tendons.

use crate::native::Stepper;
use crate::native::tests::{check_bound, compile, known_library};
use envpool_rs_numeric::simd::SimdLevel;

/// Two fingers with friction and limits of fixed tendons above a box that falls; `pairs` are pairs of geoms.
fn fingers(option: &str, pairs: &str) -> String {
    let finger = |name: &str, place: &str| {
        format!(
            r#"<body pos="{place}"><joint name="{name}1" axis="1 0 0" range="-60 60"/><geom name="{name}1" fromto="0 0 0 0 .06 0"/>
            <body pos="0 .06 0"><joint name="{name}2" axis="1 0 .2" range="-60 60"/><geom name="{name}2" fromto="0 0 0 0 .05 0" condim="4"/>
            </body></body>"#
        )
    };
    let (one, other) = (finger("a", "-.01 0 .05"), finger("b", ".012 0 .05"));
    format!(
        r#"<mujoco><option timestep="0.002" iterations="20" {option}/><default>
        <joint limited="true" damping=".01" armature=".001" frictionloss=".001" margin=".01"/>
        <geom type="capsule" size=".01" contype="1" conaffinity="0" margin=".0005"/></default><worldbody>
        <geom type="plane" size="1 1 1" contype="0" conaffinity="1" pos="0 0 -.1"/>
        <body><joint name="wrist" axis="0 1 0" range="-40 40"/><geom name="palm" type="box" size=".03 .02 .01"/>{one}{other}</body>
        <body pos="0 .05 .1"><freejoint/><geom name="box" type="box" size=".02 .02 .02" conaffinity="1" condim="4"/></body></worldbody>
        <contact>{pairs}</contact>
        <tendon><fixed name="wrist" limited="true" range="-.3 .3"><joint joint="wrist" coef="-.7"/></fixed>
          <fixed name="free"><joint joint="a1" coef=".5"/></fixed>
          <fixed name="difference" limited="true" range="-.001 .001"><joint joint="a2" coef=".00705"/><joint joint="a1" coef="-.00805"/></fixed>
          <fixed name="sum" limited="true" range="-.2 .3" margin=".01"><joint joint="b1" coef=".5"/><joint joint="b2" coef=".4"/></fixed></tendon>
        <actuator><position joint="wrist" kp="3" ctrlrange="-1 1"/><position tendon="free" kp="5" ctrlrange="-1 1"/>
          <position joint="b1" kp="2" ctrlrange="-1 1"/><position joint="b2" kp="2" ctrlrange="-1 1"/></actuator></mujoco>"#
    )
}

const PAIRS: &str = r#"<pair geom1="a2" geom2="b2" condim="1" margin=".001"/><pair geom1="a1" geom2="b1" condim="1" solref=".03 .9"/>
<pair geom1="palm" geom2="b2" condim="1"/><pair geom1="a2" geom2="b2" condim="1"/><pair geom1="b2" geom2="box" condim="1"/>"#;

#[test]
fn fingers_equal_the_library_bit_for_bit() {
    for option in ["", r#"cone="elliptic""#] {
        let Some(found) = check_bound(&format!("fingers {option}"), &fingers(option, PAIRS), (400, 3), 5) else { return };
        // Only some lanes have the island of hand and box. On processors without SIMD, no lane is solved by itself.
        let has_simd = matches!(SimdLevel::detect(), SimdLevel::Avx2(_) | SimdLevel::Avx512(_));
        assert_eq!(found.stats.single_lanes > 0, has_simd, "{option}: {found:?}");
    }
}

#[test]
fn pairs_and_limits_change_the_steps() {
    let Some(library) = known_library() else { return };
    let print = |text: &str| Stepper::new(&compile(library, text)).map(|stepper| stepper.fingerprint());
    let (with, without) = (print(&fingers("", PAIRS)).unwrap(), print(&fingers("", "")).unwrap());
    assert_ne!(with, without);
    let unlimited = fingers("", "").replace(r#"name="sum" limited="true""#, r#"name="sum" limited="false""#);
    assert_ne!(print(&unlimited).unwrap(), without);
}
