//! HalfCheetah and Swimmer: robots that must move along x, on two legs or in a fluid.

use super::robot::prelude::*;

/// Value of `KIND` with which [`Runner`] is the HalfCheetah of `half_cheetah_v4.py` and `half_cheetah_v5.py`.
pub const HALF_CHEETAH: u8 = 0;
/// Value of `KIND` with which [`Runner`] is the Swimmer of `swimmer_v4.py` and `swimmer_v5.py`.
pub const SWIMMER: u8 = 1;

made! {
    /// Robot of gymnasium's `VERSION` 4 or 5: HalfCheetah if `KIND` is [`HALF_CHEETAH`], Swimmer if it is [`SWIMMER`].
    #[derive(Debug)]
    pub struct Runner<const KIND: u8, const VERSION: u8> by FromOptions::new(options: &Options) {
        forward_weight: f64 = options.float("forward_reward_weight"),
        action_weight: f64 = options.float("ctrl_cost_weight"),
        /// Number of leading positions (`qpos`) that the observation omits.
        skipped: usize = Self::COORDINATES * usize::from(options.bool("exclude_current_positions_from_observation")),
    }
}

impl<const KIND: u8, const VERSION: u8> Runner<KIND, VERSION> {
    /// Number of coordinates of the robot's position, which are the first positions (`qpos`).
    const COORDINATES: usize = if KIND == HALF_CHEETAH { 1 } else { 2 };
}

impl<const KIND: u8, const VERSION: u8> RobotClass for Runner<KIND, VERSION> {
    const MODEL: ModelSpec = match KIND {
        HALF_CHEETAH => ModelSpec::one_tree("half_cheetah.xml", 5, sizes(9, 9, 6, 8, 0, 0), 1.0),
        _ => ModelSpec::one_tree("swimmer.xml", 4, sizes(5, 5, 2, 4, 0, 0), 1.0),
    };
    const CAMERA: CameraPreset = robot_camera(if KIND == HALF_CHEETAH { Some(4.0) } else { None }, None, None);

    const ENVPOOL_ORDER: &'static str = if KIND == HALF_CHEETAH {
        "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera ctrl_cost_weight forward_reward_weight \
            reset_noise_scale"
    } else {
        "exclude_current_positions_from_observation xml_file gymnasium_v5_render_camera forward_reward_weight ctrl_cost_weight \
            reset_noise_scale"
    };

    fn options() -> Vec<OptionSpec> {
        let control = if KIND == HALF_CHEETAH { 0.1 } else { 1e-4 };
        vec![
            number("forward_reward_weight", 1.0, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", control, "weight of the squared action in the cost"),
            noise_option(0.1),
            exclude_option(),
        ]
    }
}

impl<const KIND: u8, const VERSION: u8> Robot for Runner<KIND, VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, Self::COORDINATES, 0, 0)
    }

    fn skipped(&self) -> usize {
        self.skipped
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let (positions, speeds, forward) = match KIND {
            HALF_CHEETAH => (&["x_position"][..], &["x_velocity"][..], "reward_run"),
            _ => (&["x_position", "y_position", "distance_from_origin"][..], &["x_velocity", "y_velocity"][..], "reward_fwd"),
        };
        let position = |key: &&'static str| if VERSION >= 5 { info(key, &[]) } else { step_info(key) };
        let mut infos: Vec<_> = positions.iter().map(position).chain(speeds.iter().map(|key| step_info(key))).collect();
        let forward = step_info(forward);
        match (KIND, VERSION) {
            (_, 5..) => infos.extend([step_info("reward_forward").only_in_gymnasium(), forward.only_in_envpool()]),
            (HALF_CHEETAH, _) => infos.push(forward),
            _ => infos.extend([forward, step_info("forward_reward").only_in_gymnasium()]),
        }
        infos.push(product_info("reward_ctrl"));
        infos
    }

    fn reset_model(&self, data: &mut Data, noise: f64, random: &mut Generator) {
        add_uniform(data.qpos_mut(), noise, random);
        match KIND {
            HALF_CHEETAH => add_normal(data.qvel_mut(), noise, random),
            _ => add_uniform(data.qvel_mut(), noise, random),
        }
    }

    fn step_memory(&self, data: &Data) -> StepMemory {
        [data.qpos()[0], if KIND == HALF_CHEETAH { 0.0 } else { data.qpos()[1] }, 0.0]
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        let position = &data.qpos()[..Self::COORDINATES];
        infos.add(position);
        if KIND == SWIMMER {
            infos.add(&[numpy::norm(position)]);
        }
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let x_velocity = step.velocity(0);
        let forward = self.forward_weight * x_velocity;
        let control = step.action_cost(self.action_weight);
        match (KIND, VERSION) {
            (HALF_CHEETAH, ..5) => infos.add(&[x_velocity, forward, -control]),
            (HALF_CHEETAH, _) => infos.add(&[x_velocity, forward, forward, -control]),
            _ => infos.add(&[x_velocity, step.velocity(1), forward, forward, -control]),
        }
        (forward - control, false)
    }
}
