//! Tests of mocap bodies, and of equality constraints of two bodies.

use crate::native::tests::{check, known_library, refusal};

/// Arm with a gripper that is welded to a mocap body, and a box; with attributes of `option`, and the content of `equality`.
fn arm(option: &str, equality: &str) -> String {
    format!(
        r#"<mujoco><option timestep="0.002" {option}/><default><geom friction=".7" condim="4"/><joint damping=".5" armature=".01"/></default><worldbody>
        <geom type="plane" size="1 1 1"/>
        <body name="mocap" mocap="true" pos=".4 .1 .6" euler="10 20 30"><site name="mocap" pos=".01 .02 0" euler="0 30 0"/>
          <body name="pointer" pos="0 .3 0"><geom size=".03"/></body></body>
        <body name="base" pos="0 0 .5"><joint name="a" axis="0 0 1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
          <body pos=".2 0 0" euler="0 0 20"><joint name="b" axis="0 1 0" frictionloss=".05"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
            <body name="hand" pos=".2 0 0" euler="40 0 0"><joint axis="1 0 0"/><joint axis="0 0 1"/><geom size=".04"/><site name="hand" pos=".05 0 .02" euler="20 0 10"/>
              <body name="left" pos=".05 .03 0"><joint name="l" type="slide" axis="0 1 0" limited="true" range="-.01 .02"/><geom type="box" size=".02 .005 .01"/></body>
              <body name="right" pos=".05 -.03 0"><joint name="r" type="slide" axis="0 -1 0" limited="true" range="-.01 .02"/><geom type="box" size=".02 .005 .01"/></body>
        </body></body></body>
        <body name="box" pos=".4 .3 .1"><freejoint/><geom type="box" size=".05 .04 .06"/><site name="corner" pos=".05 .04 .06" euler="0 0 50"/></body>
        </worldbody><equality>{equality}</equality><actuator><motor joint="a" gear="2"/><motor joint="l"/></actuator></mujoco>"#
    )
}

const WELDS: &[(&str, &str)] = &[
    ("a hand welded to a mocap body", r#"<weld body1="mocap" body2="hand" torquescale="3"/>"#),
    (
        "a hand welded to a mocap body at an anchor",
        r#"<weld body1="hand" body2="mocap" anchor=".1 .02 .03" relpose=".1 0 .2 .8 .1 .2 .3"/>"#,
    ),
    (
        "a hand welded to a mocap body at sites",
        r#"<weld site1="mocap" site2="hand"/><joint joint1="l" joint2="r" polycoef="0 1 .1 0 0"/>"#,
    ),
    (
        "a box welded to the world",
        r#"<weld body1="box"/><connect body1="hand" body2="mocap" anchor="0 .02 .1" solref=".01 1.5"/>"#,
    ),
    (
        "a box connected to the hand, a finger welded to the base",
        r#"<connect body1="box" body2="hand" anchor=".05 0 0"/><weld body1="base" body2="left"/>"#,
    ),
    ("sites of a box and the hand connected", r#"<connect site1="corner" site2="hand"/>"#),
    ("a box welded to the hand at sites", r#"<weld site1="hand" site2="corner" torquescale=".4"/>"#),
];

#[test]
fn welds_and_mocap_bodies_equal_the_library_bit_for_bit() {
    for (number, (name, equality)) in WELDS.iter().enumerate() {
        let option = ["", r#"cone="elliptic""#][number % 2];
        check(name, &arm(option, equality), (160, number as u64), 10);
    }
}

#[test]
fn equalities_of_unsupported_objects_are_refused() {
    let Some(library) = known_library() else { return };
    let text = arm("", r#"<weld body1="mocap" body2="pointer"/>"#);
    assert_eq!(refusal(library, &text), "equality constraints of two bodies without a joint between them");
}
