//! Tests of sensors, which are read from the arrays of native steps.

use std::fmt::Write;
use std::path::Path;

use crate::native::dialect::Dialect;
use crate::native::verify::{OwnValues, compare, compare_with};
use crate::native::{Model, Stepper};
use crate::tests::library;

/// MJCF of two bodies that fall onto a plane, joined by a ball joint and a tendon, and of an arm without contacts. `sensors` is the
/// content of `<sensor>`.
fn bodies(option: &str, sensors: &str) -> String {
    format!(
        r#"<mujoco><option timestep="0.002" {option}/><default><geom friction=".7" condim="4"/><joint damping=".1" armature=".01"/></default>
        <worldbody><geom type="plane" size="5 5 1"/><site name="fixed" pos=".1 .2 .3" euler="10 20 30"/>
        <body name="trunk" pos="0 0 .4" euler="5 0 10"><freejoint name="root"/><geom type="capsule" size=".06" fromto="-.2 0 0 .2 .02 0"/>
          <site name="imu" pos=".05 .01 .02" euler="20 -10 40"/>
          <body name="head" pos=".25 0 .05"><joint name="neck" type="ball"/><geom size=".07" pos=".05 0 0"/>
            <site name="skin" pos=".05 0 0" size=".08"/><site name="scalp" type="capsule" size=".05 .04" pos=".05 0 -.03" euler="0 70 0"/></body>
          <body name="leg" pos="-.2 0 0"><joint name="hip" axis="0 1 0" range="-40 40" limited="true"/><joint name="knee" axis="1 0 .3" pos="0 0 .02"/>
            <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.3"/><site name="sole" pos="0 0 -.3" size=".05"/>
            <site name="pad" type="box" pos="0 0 -.32" size=".02 .03 .01" euler="0 0 30"/><site name="ring" type="cylinder" pos="0 0 -.3" size=".04 .02"/>
            <site name="egg" type="ellipsoid" pos="0 .01 -.3" size=".02 .03 .05"/></body></body>
        <body name="arm" pos="1 0 1"><joint name="slide" type="slide" axis="0 0 1" frictionloss=".2"/><joint name="turn" axis="0 1 0"/>
          <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="hand" pos=".3 0 0" euler="0 30 0"/>
          <body name="tip" pos=".3 0 0" euler="0 0 20"><joint name="wrist" axis="0 0 1"/><geom type="box" size=".05 .03 .02" pos=".05 0 0"/></body></body>
        </worldbody>
        <tendon><spatial name="cord" stiffness="20" damping=".3" range="0 .3" limited="true"><site site="imu"/><site site="sole"/></spatial>
          <fixed name="pair"><joint joint="hip" coef="1"/><joint joint="knee" coef="-.4"/></fixed></tendon>
        <actuator><motor name="m" joint="hip" gear="3" ctrlrange="-1 1"/><position name="p" joint="turn" kp="20" kv="1" ctrlrange="-1 1"/>
          <motor name="t" tendon="cord" gear="4" ctrlrange="-1 1"/><velocity name="v" tendon="pair" kv="2" gear=".5" ctrlrange="-1 1"/>
          <motor name="s" site="imu" gear="1 0 2 0 .1 0" ctrlrange="-1 1"/></actuator>
        <sensor>{sensors}</sensor></mujoco>"#
    )
}

/// Returns sensors of all kinds that are read natively.
fn sensors() -> String {
    let mut text = String::from(
        r#"<touch site="skin"/><touch site="sole" cutoff="20"/><touch site="scalp"/><touch site="pad"/><touch site="ring"/><touch site="egg"/><jointpos joint="hip"/><jointvel joint="slide"/><ballquat joint="neck"/>
        <ballangvel joint="neck" cutoff=".5"/><tendonpos tendon="cord"/><tendonvel tendon="pair"/><actuatorpos actuator="t"/>
        <actuatorpos actuator="s"/><actuatorvel actuator="m"/><actuatorvel actuator="t"/><actuatorvel actuator="v"/><actuatorfrc actuator="p"/>
        <actuatorfrc actuator="s" cutoff=".3"/><jointactuatorfrc joint="hip"/><tendonactuatorfrc tendon="cord"/>"#,
    );
    for body in ["trunk", "head", "leg", "tip", "world"] {
        write!(text, r#"<subtreecom body="{body}"/><subtreelinvel body="{body}"/>"#).unwrap();
    }
    for site in ["imu", "sole", "hand", "fixed"] {
        for kind in ["accelerometer", "velocimeter", "gyro", "force", "torque"] {
            write!(text, r#"<{kind} site="{site}"/>"#).unwrap();
        }
    }
    let objects = [("body", "head"), ("xbody", "leg"), ("xbody", "tip"), ("site", "imu"), ("site", "hand"), ("body", "world")];
    for (number, (kind, name)) in objects.into_iter().enumerate() {
        for sensor in ["pos", "quat", "xaxis", "yaxis", "zaxis", "linvel", "angvel"] {
            let (reftype, refname) = objects[(number + 2) % objects.len()];
            write!(text, r#"<frame{sensor} objtype="{kind}" objname="{name}"/>"#).unwrap();
            write!(text, r#"<frame{sensor} objtype="{kind}" objname="{name}" reftype="{reftype}" refname="{refname}"/>"#)
                .unwrap();
        }
        for sensor in ["linacc", "angacc"] {
            write!(text, r#"<frame{sensor} objtype="{kind}" objname="{name}" cutoff="50"/>"#).unwrap();
        }
    }
    text
}

/// Returns the stepper of a model with sensors; `None` if this version of MuJoCo has no native steps.
fn stepper(text: &str) -> Option<Stepper> {
    let library = library()?;
    Dialect::of(library.version()).ok()?;
    let model = Model::from_text(library, Path::new("sensors.xml"), text, &[]).unwrap();
    Some(Stepper::new(&model).unwrap())
}

#[test]
fn sensors_equal_the_library_bit_for_bit() {
    for option in ["", r#"integrator="implicitfast" cone="elliptic""#, r#"gravity="0 0 0""#, r#"gravity="1 -2 -9""#] {
        let text = bodies(option, &sensors());
        // `implicitfast` has no native steps with damped tendons.
        let text =
            if option.contains("fast") { text.replace(r#" damping=".3""#, "").replace(r#"kv="2""#, r#"kv="0""#) } else { text };
        let Some(stepper) = stepper(&text) else { return };
        assert_eq!(stepper.obstacle_of_sensors(), None);
        let found = compare(&stepper, 240, 5).unwrap();
        assert_eq!((found.differing, found.fallbacks), (0, 0), "{option}: {found:?}");
        let found = compare_with(&stepper, 120, 6, OwnValues::InPlace).unwrap();
        assert_eq!(found.differing, 0, "{option}, own values: {found:?}");
    }
}

#[test]
fn sensors_that_only_the_library_computes_are_named() {
    for (sensor, reason) in [
        (r#"<rangefinder site="imu"/>"#, "rangefinder sensors"),
        (r#"<clock/>"#, "energy, clock, user and tactile sensors"),
        (r#"<actuatorvel actuator="s"/>"#, "velocities of actuators of sites or slider-cranks"),
    ] {
        let Some(stepper) = stepper(&bodies("", sensor)) else { return };
        assert_eq!(stepper.obstacle_of_sensors(), Some(reason));
    }
}
