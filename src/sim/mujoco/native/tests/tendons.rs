//! Tests of tendons of all kinds, and of muscles.

use std::fmt::Write;

use crate::native::tests;

/// A tendon with inertia between a free body and a pendulum on a ball joint, and another from the world.
const LOOSE: &str = r#"<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="1 1 1"/><site name="a" pos=".1 .2 1"/>
    <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .06 .03"/><site name="b" pos=".08 .02 .03"/></body>
    <body pos=".3 0 .9"><joint type="ball" damping=".01"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2"/>
      <body pos="0 0 -.2"><joint axis="0 1 0"/><joint type="slide" axis="0 0 1" stiffness="50" damping="1"/><geom size=".03"/>
        <site name="c" pos="0 .02 -.03"/></body></body></worldbody>
    <tendon><spatial armature=".2" stiffness="10"><site site="b"/><site site="c"/></spatial>
      <spatial armature=".1" range="0 .8" limited="true"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="a"/><site site="c"/></spatial></tendon>
    </mujoco>"#;

/// MJCF of an arm of two hinges with two fingers, spatial tendons and fixed tendons. `wraps` inserts the geoms around which the
/// tendons run, and `actuators` is the content of `<actuator>`.
fn arm(wraps: bool, option: &str, tendon: &str, actuators: &str) -> String {
    let geom = |text: &str| if wraps { text.to_owned() } else { String::new() };
    format!(
        r#"<mujoco><option timestep="0.002" {option}/><default><geom contype="0" conaffinity="0"/><tendon {tendon}/></default>
        <worldbody><geom type="plane" size="1 1 1" contype="1"/><site name="s0" pos=".05 .02 .7"/>
        <geom name="ball" type="sphere" size=".04" pos="0 0 .6"/><site name="outer" pos=".08 0 .6"/>
        <body name="upper" pos="0 0 .6"><joint name="a" axis="0 1 0" damping=".2" range="-150 150"/><joint name="b" axis="1 0 .2" damping=".2"/>
          <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.25"/><site name="s1" pos=".04 .01 -.1"/><site name="s2" pos="-.05 0 -.2"/>
          <geom name="pin" type="cylinder" size=".03 .1" pos="0 0 -.25" euler="90 0 0"/><site name="inner" pos=".005 .01 -.25"/>
          <site name="behind" pos="-.06 0 -.25"/>
          <body name="lower" pos="0 0 -.25"><joint name="c" axis="0 1 0" damping=".2" range="-140 140"/>
            <geom type="capsule" size=".025" fromto="0 0 0 0 0 -.2"/><geom type="sphere" size=".03" pos="0 0 -.2" conaffinity="1"/>
            <site name="s3" pos=".04 0 -.1"/><site name="s4" pos="-.05 .02 -.12"/>
            <body pos="0 .02 -.2"><joint name="d" axis="1 0 0" damping=".05" armature=".01"/><geom type="capsule" size=".01" fromto="0 0 0 0 .05 -.05"/>
              <site name="s5" pos="0 .02 -.04"/></body>
            <body pos="0 -.02 -.2"><joint name="e" axis="1 0 0" damping=".05" armature=".01"/><geom type="capsule" size=".01" fromto="0 0 0 0 -.05 -.05"/></body>
          </body></body></worldbody>
        <tendon><spatial name="t0"><site site="s0"/>{}<site site="s1"/><site site="s3"/></spatial>
          <spatial name="t1"><site site="s2"/>{}<site site="s4"/></spatial>
          <spatial name="t2"><site site="s1"/>{}<site site="s3"/><pulley divisor="2"/><site site="s3"/><site site="s5"/>
            <pulley divisor="3"/><site site="s4"/><site site="s5"/></spatial>
          <spatial name="t3"><site site="s0"/>{}<site site="s2"/></spatial>
          <fixed name="f0"><joint joint="e" coef=".5"/><joint joint="a" coef="-.3"/><joint joint="c" coef="1.1"/><joint joint="b" coef=".7"/>
            <joint joint="d" coef=".9"/></fixed>
          <fixed name="f1"><joint joint="d" coef="1"/><joint joint="e" coef="-1"/></fixed></tendon>
        <actuator>{actuators}</actuator></mujoco>"#,
        geom(r#"<geom geom="ball" sidesite="outer"/>"#),
        geom(r#"<geom geom="pin" sidesite="behind"/>"#),
        geom(r#"<geom geom="pin" sidesite="inner"/>"#),
        geom(r#"<geom geom="ball"/>"#),
    )
}

const TENDONS: [&str; 6] = ["t0", "t1", "t2", "t3", "f0", "f1"];

fn muscles(attributes: &str) -> String {
    let mut text = String::new();
    for tendon in &TENDONS[..4] {
        write!(text, r#"<muscle tendon="{tendon}" scale="300" lengthrange=".05 .4" {attributes}/>"#).unwrap();
    }
    text + r#"<muscle joint="d" force="2" lengthrange="-1 1" range=".6 1.3"/><motor tendon="f0" gear="2" ctrlrange="-1 1"/>"#
}

fn check(name: &str, text: &str) {
    tests::check(name, text, (240, 7), 5);
}

#[test]
fn paths_around_geoms_and_pulleys_equal_the_library_bit_for_bit() {
    for wraps in [false, true] {
        check(
            "motors",
            &arm(wraps, "", "", r#"<motor tendon="t0" gear="30"/><position tendon="t2" kp="40" kv="2" gear="-1.5"/>"#),
        );
        check("elliptic cones", &arm(wraps, r#"cone="elliptic""#, "", r#"<motor tendon="t1"/><velocity tendon="t3" kv="3"/>"#));
    }
}

#[test]
fn forces_of_tendons_equal_the_library_bit_for_bit() {
    check("inertia of bodies with free and ball joints", LOOSE);
    for wraps in [false, true] {
        for (name, attributes) in [
            ("springs and dampers", r#"stiffness="40" damping="2" springlength=".1 .2""#),
            ("limits", r#"range=".1 .3" limited="true" margin=".01""#),
            ("friction", r#"frictionloss=".4" solreffriction=".03 1""#),
            ("all", r#"stiffness="30" damping="1" range=".05 .35" limited="true" frictionloss=".2""#),
        ] {
            check(name, &arm(wraps, "", attributes, r#"<motor tendon="t1" gear="20"/>"#));
        }
        if !wraps {
            // MuJoCo refuses tendons with inertia around geoms.
            for option in ["", r#"integrator="RK4""#, r#"integrator="implicitfast""#] {
                let text = arm(wraps, option, r#"stiffness="30""#, r#"<motor tendon="t2" gear="20"/>"#);
                check(
                    "inertia",
                    &text.replace("<spatial ", r#"<spatial armature=".3" "#).replace("<fixed ", r#"<fixed armature=".2" "#),
                );
            }
        }
        let motors: String = TENDONS.iter().map(|tendon| format!(r#"<motor tendon="{tendon}"/>"#).repeat(2)).collect();
        let limited = |kind: &str| format!(r#"<{kind} actuatorfrclimited="true" actuatorfrcrange="-.6 1" "#);
        let text = arm(wraps, "", "", &motors).replace("<spatial ", &limited("spatial")).replace("<fixed ", &limited("fixed"));
        check("ranges of forces", &text);
    }
}

#[test]
fn muscles_equal_the_library_bit_for_bit() {
    for wraps in [false, true] {
        for (name, attributes) in [
            ("muscles", ""),
            ("smooth activation", r#"tausmooth=".4" timeconst=".02 .05""#),
            ("ranges of forces", r#"force="40" forcerange="-20 0" fpmax="2.5" range=".8 1.05""#),
        ] {
            check(name, &arm(wraps, "", "", &muscles(attributes)));
        }
        let early = r#"<general tendon="t0" dyntype="muscle" gaintype="muscle" biastype="muscle" dynprm=".01 .04" actearly="true"
            gainprm=".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2" biasprm=".75 1.05 9 200 .5 1.6 1.5 1.3 1.2" lengthrange=".05 .4"
            actlimited="true" actrange=".1 .8"/><general joint="c" dyntype="filter" dynprm=".03" actlimited="true" actrange="-.3 .6"/>
            <general joint="c" dyntype="filterexact" dynprm=".02" gainprm="2"/>"#;
        for option in ["", r#"integrator="RK4""#] {
            check("early and limited activation", &arm(wraps, option, "", early));
            check("muscles", &arm(wraps, option, "", &muscles("")));
        }
        let gain = r#"<general tendon="t1" gaintype="affine" gainprm="9 -8 -2"/><damper joint="a" kv="2" ctrlrange="0 1"/>"#;
        check("affine gains", &arm(wraps, "", "", gain));
    }
}

#[test]
fn many_muscles_equal_the_library_bit_for_bit() {
    check("many muscles", &arm(false, "", "", &muscles("").repeat(12)));
}

#[test]
fn tendons_without_moment_arms_or_lengths_equal_the_library_bit_for_bit() {
    // The tendon runs from the hinge's axis, so that its Jacobian is zero, but for rounding errors in some positions: without it,
    // there is no row of friction.
    let text = r#"<mujoco><worldbody><site name="s1"/><body><joint type="hinge"/>
        <inertial pos="0 0 0" mass="1" diaginertia=".01 .012 .015"/><site name="s3" pos="-.326 .358 -.356"/></body></worldbody>
        <tendon><spatial frictionloss="10"><site site="s1"/><site site="s3"/></spatial></tendon></mujoco>"#;
    check("a tendon from the axis", text);
    // Both sites coincide in the initial state, in which the tendon's spring pushes no body.
    let text = r#"<mujoco><worldbody><site name="a" pos="0 0 1"/><body pos="0 0 1"><joint type="slide" axis="0 0 1"/><geom size=".1"/>
        <site name="b"/></body></worldbody><tendon><spatial stiffness="50" springlength="1"><site site="a"/><site site="b"/></spatial></tendon>
        </mujoco>"#;
    check("a tendon without length", text);
}
