//! Tests of models with other numbers of degrees of freedom, and of meshes.

use std::fmt::Write;

use crate::native::tests::{check_bound, known_library, refusal};

/// Returns MJCF of a free body with `hinges` hinges in legs of up to four, whose feet are spheres that can touch the ground.
fn many_legs(hinges: usize, options: &str) -> String {
    let (mut legs, mut motors) = (String::new(), String::new());
    let mut number = 0;
    while number < hinges {
        let depth = (hinges - number).min(4);
        for level in 0..depth {
            let place = if level == 0 { format!("{} .1 0", 0.1 * number as f64 - 0.4) } else { "0 .02 -.12".to_owned() };
            let axis = ["1 0 0", "0 1 0", "1 .2 0", "0 1 .3"][level];
            let limit = if level == 2 { r#"limited="true" range="-40 40""# } else { "" };
            write!(
                legs,
                r#"<body pos="{place}"><joint name="j{number}" axis="{axis}" damping="1" armature=".02" {limit}/>
                <geom type="sphere" size=".03" pos="0 .02 -.1" mass=".3"/>"#
            )
            .unwrap();
            write!(motors, r#"<motor joint="j{number}" gear="5" ctrlrange="-1 1" ctrllimited="true"/>"#).unwrap();
            number += 1;
        }
        legs.push_str(&"</body>".repeat(depth));
    }
    format!(
        r#"<mujoco><option timestep="0.005" {options}/><worldbody><geom type="plane" size="5 5 1"/>
        <body pos="0 0 .6"><freejoint/><geom type="capsule" size=".05 .4" euler="0 90 0" contype="0" conaffinity="0"/>{legs}</body>
        </worldbody><actuator>{motors}</actuator></mujoco>"#
    )
}

#[test]
fn any_number_of_degrees_of_freedom_equals_the_library_bit_for_bit() {
    // The Newton solver is compiled for up to 4, 9, 15, 27 and 60 degrees of freedom.
    for dofs in [10, 11, 12, 15, 16, 17, 18, 23, 24, 27, 28, 40, 59] {
        check_bound(&format!("{dofs} degrees of freedom"), &many_legs(dofs - 6, ""), (60, 5), 10);
    }
    for (dofs, options) in [(13, r#"cone="elliptic""#), (29, r#"integrator="implicitfast""#)] {
        check_bound(options, &many_legs(dofs - 6, options), (120, 5), 10);
    }
    let Some(library) = known_library() else { return };
    let refusal = refusal(library, &many_legs(55, r#"jacobian="dense""#));
    assert_eq!(refusal, "61 degrees of freedom: at most 60");
}

/// MJCF of an arm with a gripper. One actuator with a velocity gain closes both fingers, as Franka Emika's Panda has.
const GRIPPER: &str = r#"<mujoco><option timestep="0.002" integrator="implicitfast"/><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .4"><joint name="arm" axis="0 1 0" damping="1" armature=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 -.1"/>
      <body pos=".2 0 -.15"><joint name="a" type="slide" axis="0 1 0" limited="true" range="0 .04" damping="2"/>
        <geom type="sphere" size=".02" pos=".01 .03 -.1" condim="4"/></body>
      <body pos=".2 0 -.15"><joint name="b" type="slide" axis="0 -1 0" limited="true" range="0 .04" damping="2"/>
        <geom type="sphere" size=".02" pos=".01 -.03 -.1"/></body></body></worldbody>
    <tendon><fixed name="split"><joint joint="a" coef=".5"/><joint joint="b" coef=".7"/></fixed></tendon>
    <actuator><position joint="arm" kp="40" kv="3" forcerange="-8 8"/>
      <general tendon="split" gainprm="80" biastype="affine" biasprm="0 -100 -10" forcerange="-3 3" ctrlrange="0 .04"/></actuator></mujoco>"#;

#[test]
fn an_actuator_that_damps_two_fingers_equals_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    check_bound("gripper", GRIPPER, (600, 4), 5);
    let refusal = refusal(library, &GRIPPER.replace(r#"<joint joint="b" "#, r#"<joint joint="arm" "#));
    assert!(refusal.contains("of a joint and of a joint above it"), "{refusal}");
}

/// MJCF of boxes that fall on the ground and on one another, with meshes next to them.
const BOXES: &str = r#"<mujoco><option timestep="0.004"/><asset><mesh name="wedge" vertex="0 0 0 .2 0 0 0 .1 0 0 0 .15 .2 .1 .05"/></asset><worldbody>
    <geom type="plane" size="5 5 1" pos="0 0 .05"/>
    <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .06 .03"/>
      <body pos=".15 0 0"><joint axis="0 1 0" damping=".1"/><geom type="box" size=".05 .04 .02" pos=".06 0 0" euler="0 20 30" margin=".01"/></body></body>
    <body pos=".4 0 .4"><freejoint/><geom type="mesh" mesh="wedge"/><geom type="box" size=".04 .05 .06" pos="0 .2 0" condim="1"/></body>
    <body pos=".2 .3 .4"><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/><joint axis="1 0 0"/><geom type="mesh" mesh="wedge" euler="40 0 20"/>
      <geom type="capsule" size=".02 .1" pos=".1 0 0"/></body></worldbody></mujoco>"#;

#[test]
fn boxes_and_meshes_equal_the_library_bit_for_bit() {
    for options in ["", r#"cone="elliptic" impratio="2""#] {
        check_bound(options, &BOXES.replace("<option ", &format!("<option {options} ")), (500, 6), 2);
    }
}
