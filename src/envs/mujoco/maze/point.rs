//! Agent of PointMaze: a ball that two forces push in the plane.

use crate::robot::{FromOptions, ModelSpec, Robot, RobotClass, StepOutcome, Writer, sizes};
use envpool_rs_engine::{OptionSpec, Options, Result};

/// Agent of Gymnasium-Robotics' `point.py`: a ball that two forces push in the plane.
#[derive(Debug)]
pub struct Ball;

/// MJCF model of the ball and the ground, with the same numbers as Gymnasium-Robotics' `point.xml`.
pub const BALL: &str = r#"<mujoco model="point_maze">
  <compiler angle="radian" inertiafromgeom="true"/>
  <option integrator="Euler" timestep="0.01" iterations="20" gravity="0 0 0"/>
  <visual>
    <headlight diffuse="0.8 0.8 0.8" ambient="0.4 0.4 0.4" specular="0.1 0.1 0.1"/>
    <quality shadowsize="2048"/>
    <map znear="0.01"/>
  </visual>
  <default>
    <geom condim="1" contype="2" conaffinity="1" margin="0.002" density="1000" friction="0.5 0.1 0.1"/>
    <joint limited="false" damping="1"/>
  </default>
  <asset>
    <texture name="groundplane" type="2d" builtin="checker" width="100" height="100" rgb1="0.2 0.3 0.4" rgb2="0.1 0.2 0.3"/>
    <texture name="skybox" type="skybox" builtin="gradient" width="800" height="800" rgb1="0.4 0.6 0.8" rgb2="0 0 0"
      mark="random" markrgb="1 1 1"/>
    <material name="groundplane" texture="groundplane" texrepeat="20 20"/>
  </asset>
  <worldbody>
    <geom name="ground" type="plane" material="groundplane" pos="0 0 -0.1" size="40 40 0.25" contype="1" conaffinity="0"/>
    <body name="particle">
      <joint name="ball_x" type="slide" axis="1 0 0"/>
      <joint name="ball_y" type="slide" axis="0 1 0"/>
      <geom name="particle_geom" type="sphere" size="0.1" contype="1" rgba="0 0 1 0"/>
      <site name="particle_site" size="0.2" rgba="0.3 0.6 0.3 1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="motor_x" joint="ball_x" gear="100" ctrllimited="true" ctrlrange="-1 1"/>
    <motor name="motor_y" joint="ball_y" gear="100" ctrllimited="true" ctrlrange="-1 1"/>
  </actuator>
</mujoco>
"#;

impl RobotClass for Ball {
    const MODEL: ModelSpec =
        ModelSpec { xml_file: "point.xml", frame_skip: 1, sizes: sizes(2, 2, 2, 2, 2, 0), control: 1.0, without: &[] };

    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }
}

impl FromOptions for Ball {
    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }
}

impl Robot for Ball {
    fn evaluate(&self, _step: &StepOutcome<'_>, _infos: &mut Writer<'_>) -> (f64, bool) {
        (0.0, false)
    }
}
