//! Swimmer: three segments in a fluid that must swim.

use super::robot::prelude::*;

/// Swimmer as in gymnasium's `swimmer_v5.py`, or in `swimmer_v4.py` if `VERSION` is 4.
#[derive(Debug)]
pub struct Swimmer<const VERSION: u8> {
    forward_weight: f64,
    action_weight: f64,
    noise: f64,
    /// Number of leading positions (`qpos`) that the observation omits.
    skipped: usize,
}

impl<const VERSION: u8> RobotClass for Swimmer<VERSION> {
    const MODEL: ModelSpec = ModelSpec::one_tree("swimmer.xml", 4, sizes(5, 5, 2, 4, 0, 0), 1.0);

    const ENVPOOL_ORDER: &'static str = "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera \
        forward_reward_weight ctrl_cost_weight reset_noise_scale";

    fn options() -> Vec<OptionSpec> {
        vec![
            number("forward_reward_weight", 1.0, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", 1e-4, "weight of the squared action in the cost"),
            noise_option(0.1),
            exclude_option(),
        ]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self {
            forward_weight: options.float("forward_reward_weight"),
            action_weight: options.float("ctrl_cost_weight"),
            noise: options.float("reset_noise_scale"),
            skipped: 2 * usize::from(options.bool("exclude_current_positions_from_observation")),
        })
    }
}

impl<const VERSION: u8> Robot for Swimmer<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 2, 0, 0)
    }

    fn derived(&self) -> Derived {
        Derived::default()
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        sizes.nq + sizes.nv - self.skipped
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let position_info = |key| if VERSION >= 5 { info(key, &[]) } else { step_info(key) };
        let positions = ["x_position", "y_position", "distance_from_origin"].map(position_info);
        let forward = step_info("reward_fwd");
        let forwards = match VERSION {
            5.. => [step_info("reward_forward").only_in_gymnasium(), forward.only_in_envpool()],
            _ => [forward, step_info("forward_reward").only_in_gymnasium()],
        };
        let speeds = ["x_velocity", "y_velocity"].map(step_info);
        positions.into_iter().chain(speeds).chain(forwards).chain([product_info("reward_ctrl")]).collect()
    }

    fn reset_model(&self, data: &mut Data, random: &mut Generator) {
        add_uniform(data.qpos_mut(), self.noise, random);
        add_uniform(data.qvel_mut(), self.noise, random);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped..]);
        to.add(data.qvel());
    }

    fn step_memory(&self, data: &Data) -> StepMemory {
        [data.qpos()[0], data.qpos()[1], 0.0]
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        infos.add(&data.qpos()[..2]);
        infos.add(&[numeric::norm(&data.qpos()[..2])]);
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let x_velocity = step.velocity(0);
        let forward = self.forward_weight * x_velocity;
        let control = step.action_cost(self.action_weight);
        infos.add(&[x_velocity, step.velocity(1), forward, forward, -control]);
        (forward - control, false)
    }
}
