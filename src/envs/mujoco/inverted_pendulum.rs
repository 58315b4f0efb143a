//! InvertedPendulum (`inverted_pendulum_v5.py`, `inverted_pendulum_v4.py`): a pole on a cart, which must balance it upright.

use super::robot::prelude::*;
use envpool_rs_engine::Dtype;

made! {
    #[derive(Debug)]
    pub struct InvertedPendulum<const VERSION: u8> by FromOptions::new(options: &Options) {
        healthy_reward: f64 = options.float("healthy_reward"),
        healthy_angle: Range = Range::of(options, "healthy_z_range", "healthy_z_min", "healthy_z_max"),
        /// Whether the step that terminates the episode has the reward 0 instead of 1.
        pays_survivors: bool = options.bool("reward_if_not_terminated"),
    }
}

impl<const VERSION: u8> RobotClass for InvertedPendulum<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("inverted_pendulum.xml", 2, sizes(2, 2, 1, 3, 0, 0), 3.0);
    const TIMESTEP: f64 = 0.02;
    const CAMERA: CameraPreset = robot_camera(Some(2.04), None, None);

    const ENVPOOL_ORDER: &'static str = "healthy_reward reward_if_not_terminated xml_file gymnasium_v5_render_camera \
        healthy_z_min healthy_z_max reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        vec![
            number("healthy_reward", 1.0, "reward of each step"),
            range_option("healthy_z_range", "range of healthy angles; None: healthy_z_min to healthy_z_max"),
            number("healthy_z_min", -0.2, "minimum healthy angle in rad"),
            number("healthy_z_max", 0.2, "maximum healthy angle in rad"),
            flag("reward_if_not_terminated", VERSION >= 5, "whether the step that ends an episode has reward 0"),
            noise_option(0.01),
        ]
    }
}

impl<const VERSION: u8> Robot for InvertedPendulum<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 2, 0, 0)
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let survive = InfoSpec { dtype: Dtype::I64, ..step_info("reward_survive").only_in_gymnasium() };
        if VERSION >= 5 { vec![survive] } else { Vec::new() }
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let data = step.data;
        let finite = data.qpos().iter().chain(data.qvel()).all(|value| value.is_finite());
        let angle = data.qpos()[1];
        let ends = !finite || angle < self.healthy_angle.low || angle > self.healthy_angle.high;
        let reward = if ends && self.pays_survivors { 0.0 } else { self.healthy_reward };
        if VERSION >= 5 {
            infos.add(&[reward]);
        }
        (reward, ends)
    }
}
