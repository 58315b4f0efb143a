//! Tests of limits of forces, servos, the integrator `implicitfast`, and equalities of joints.

use crate::native::tests::check_bound;

/// Limb of three hinges with position servos, whose joints have the names `{name}1` to `{name}3`.
fn limb(name: &str, place: &str) -> String {
    format!(
        r#"<body pos="{place}"><joint name="{name}1" axis="1 0 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 .1 0"/>
        <body pos="0 .1 0"><joint name="{name}2" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.2"/>
          <body pos="0 0 -.2"><joint name="{name}3" axis="0 1 0" limited="true" range="-100 20"/>
            <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.15"/><geom size=".03" pos="0 0 -.17"/></body></body></body>"#
    )
}

/// Robot with a floating body and four limbs; `option`, `joint` and `servo` are attributes of these elements.
fn quadruped(option: &str, joint: &str, servo: &str) -> String {
    let limbs = [("a", ".2 .1 0"), ("b", ".2 -.2 0"), ("c", "-.2 .1 0"), ("d", "-.2 -.2 0")];
    let bodies: String = limbs.iter().map(|(name, place)| limb(name, place)).collect();
    let joints = limbs.iter().flat_map(|(name, _)| [1, 2, 3].map(|number| format!("{name}{number}")));
    let servos: String = joints.map(|joint| format!(r#"<position joint="{joint}"/>"#)).collect();
    format!(
        r#"<mujoco><option timestep="0.004" {option}/><default><geom contype="0" friction=".7"/><joint damping=".5" armature=".01" {joint}/>
        <position kp="40" {servo} ctrlrange="-1 1"/></default><worldbody><geom type="plane" size="5 5 1" contype="1"/>
        <body pos="0 0 .45"><freejoint/><geom type="box" size=".25 .1 .05" conaffinity="0"/>{bodies}</body></worldbody>
        <actuator>{servos}</actuator></mujoco>"#
    )
}

/// Gripper whose second finger follows the first by a polynomial, on an arm of two hinges; one joint is held at an angle.
fn gripper(option: &str) -> String {
    format!(
        r#"<mujoco><option timestep="0.004" {option}/><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 .4"><joint name="a" axis="0 1 0" damping="1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
          <body pos=".2 0 0"><joint name="b" axis="0 1 0" damping="1" frictionloss=".05"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
            <body pos=".2 .05 0"><joint name="left" type="slide" axis="0 1 0" limited="true" range="-.02 .05" damping="2"/><geom size=".02"/></body>
            <body pos=".2 -.05 0"><joint name="right" type="slide" axis="0 -1 0" damping="2"/><geom size=".02"/></body>
            <body pos="0 0 .1"><joint name="held" axis="1 0 0" damping=".1"/><geom size=".03" pos="0 .05 0"/></body></body></body></worldbody>
        <equality><joint joint1="right" joint2="left" polycoef=".01 .9 2 -3 5"/><joint joint1="held" polycoef=".3 0 0 0 0" solref=".05 1"/></equality>
        <actuator><position joint="a" kp="30" kv="3" ctrlrange="-1 1" forcerange="-5 6"/><velocity joint="b" kv="2" ctrlrange="-1 1"/>
          <position joint="left" kp="100" kv="5" ctrlrange="-.02 .05"/><motor joint="b" gear="3" ctrlrange="-1 1"/></actuator></mujoco>"#
    )
}

#[test]
fn limits_of_forces_equal_the_library_bit_for_bit() {
    check_bound("ranges of actuators' forces", &quadruped("", "", r#"forcerange="-6 8""#), (80, 3), 5);
    check_bound("ranges of joints' forces", &quadruped("cone='elliptic'", r#"actuatorfrcrange="-5 7""#, ""), (80, 3), 5);
}

#[test]
fn servos_and_implicit_velocities_equal_the_library_bit_for_bit() {
    check_bound("servos with damping", &quadruped("", "", r#"kv="2""#), (80, 3), 5);
    check_bound("implicitfast without servos' damping", &quadruped(r#"integrator="implicitfast""#, "", ""), (80, 3), 5);
    let both = r#"kv="2" forcerange="-6 8""#;
    check_bound(
        "implicitfast",
        &quadruped(r#"integrator="implicitfast" cone="elliptic" impratio="20""#, r#"frictionloss=".1""#, both),
        (80, 3),
        5,
    );
    check_bound(
        "implicitfast with ranges",
        &quadruped(r#"integrator="implicitfast""#, r#"actuatorfrcrange="-5 7""#, both),
        (80, 3),
        5,
    );
}

#[test]
fn bodies_with_six_hinges_equal_the_library_bit_for_bit() {
    let hinges: String = ["1 0 0", "0 1 0", "0 0 1", "1 1 0", "0 1 1", "1 0 1"]
        .map(|axis| format!(r#"<joint axis="{axis}" damping=".1" armature=".1"/>"#))
        .concat();
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .3">{hinges}
        <geom type="capsule" size=".05" fromto="0 0 0 .3 0 -.2"/></body></worldbody></mujoco>"#
    );
    check_bound("six hinges", &text, (80, 3), 5);
}

#[test]
fn equalities_of_joints_equal_the_library_bit_for_bit() {
    for option in ["", r#"integrator="implicitfast" cone="elliptic""#] {
        check_bound(&format!("equalities of joints {option}"), &gripper(option), (160, 3), 5);
    }
}

#[test]
fn compensated_gravity_equals_the_library_bit_for_bit() {
    let geom = r#"<geom type="box" size=".25 .1 .05" conaffinity="0"/>"#;
    for (name, option, joint) in [
        ("passive", "", ""),
        ("through actuators", r#"integrator="implicitfast""#, r#"actuatorgravcomp="true" actuatorfrcrange="-5 7""#),
        ("in a fluid", r#"viscosity=".1" density="1.2""#, ""),
        ("oblique", r#"gravity="1 -2 -8" integrator="RK4""#, r#"actuatorgravcomp="true""#),
    ] {
        let text = quadruped(option, joint, "").replace("<body pos=\"0 .1 0\">", "<body pos=\"0 .1 0\" gravcomp=\"1.2\">");
        let text = text.replace(
            geom,
            &format!("{geom}<body pos=\"0 0 .2\" gravcomp=\"40\"><joint type=\"ball\"/><geom size=\".1\"/></body>"),
        );
        check_bound(name, &text, (80, 3), 5);
    }
}
