//! HalfCheetah: a planar robot with two legs and a spine that must run.

use super::robot::prelude::*;

/// HalfCheetah as in gymnasium's `half_cheetah_v5.py`, or in `half_cheetah_v4.py` if `VERSION` is 4.
#[derive(Debug)]
pub struct HalfCheetah<const VERSION: u8> {
    forward_weight: f64,
    action_weight: f64,
    noise: f64,
    /// Number of leading positions (`qpos`) that the observation omits.
    skipped: usize,
}

impl<const VERSION: u8> RobotClass for HalfCheetah<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("half_cheetah.xml", 5, sizes(9, 9, 6, 8, 0, 0), 1.0);
    const CAMERA: CameraPreset = robot_camera(Some(4.0), None, None);

    const ENVPOOL_ORDER: &'static str = "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera \
        ctrl_cost_weight forward_reward_weight reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        vec![
            number("forward_reward_weight", 1.0, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", 0.1, "weight of the squared action in the cost"),
            noise_option(0.1),
            exclude_option(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            forward_weight: options.float("forward_reward_weight"),
            action_weight: options.float("ctrl_cost_weight"),
            noise: options.float("reset_noise_scale"),
            skipped: usize::from(options.bool("exclude_current_positions_from_observation")),
        })
    }
}

impl<const VERSION: u8> Robot for HalfCheetah<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 1, 0, 0)
    }

    fn derived(&self) -> Derived {
        Derived::default()
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        sizes.nq + sizes.nv - self.skipped
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let position = if VERSION >= 5 { info("x_position", &[]) } else { step_info("x_position") };
        let run = step_info("reward_run");
        let mut infos = vec![position, step_info("x_velocity")];
        match VERSION {
            5.. => infos.extend([step_info("reward_forward").only_in_gymnasium(), run.only_in_envpool()]),
            _ => infos.push(run),
        }
        infos.push(product_info("reward_ctrl"));
        infos
    }

    fn reset_model(&self, data: &mut Data, random: &mut Generator) {
        add_uniform(data.qpos_mut(), self.noise, random);
        add_normal(data.qvel_mut(), self.noise, random);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped..]);
        to.add(data.qvel());
    }

    fn step_memory(&self, data: &Data) -> StepMemory {
        [data.qpos()[0], 0.0, 0.0]
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        infos.add(&[data.qpos()[0]]);
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let x_velocity = step.velocity(0);
        let forward = self.forward_weight * x_velocity;
        let control = step.action_cost(self.action_weight);
        infos.add(&[x_velocity, forward]);
        if VERSION >= 5 {
            infos.add(&[forward]);
        }
        infos.add(&[-control]);
        (forward - control, false)
    }
}
