//! Hopper and Walker2d: planar robots with one or two legs that must hop or walk.

use super::robot::prelude::*;

/// Value of `KIND` with which [`Planar`] is the Hopper of `hopper_v4.py` and `hopper_v5.py`.
pub const HOPPER: u8 = 0;
/// Value of `KIND` with which [`Planar`] is the Walker2d of `walker2d_v4.py` and `walker2d_v5.py`.
pub const WALKER: u8 = 1;

made! {
    /// Planar robot of gymnasium's `VERSION` 4 or 5: Hopper if `KIND` is [`HOPPER`], Walker2d if it is [`WALKER`].
    #[derive(Debug)]
    pub struct Planar<const KIND: u8, const VERSION: u8> by FromOptions::new(options: &Options) {
        forward_weight: f64 = options.float("forward_reward_weight"),
        action_weight: f64 = options.float("ctrl_cost_weight"),
        health: Health = Health::new(options),
        /// Interval that contains all positions and velocities of a healthy robot, except the first two; unbounded for Walker2d.
        healthy_state: Range = Range::of(options, "healthy_state_range", "healthy_state_min", "healthy_state_max"),
        healthy_z: Range = Range::of(options, "healthy_z_range", "healthy_z_min", "healthy_z_max"),
        healthy_angle: Range = Range::of(options, "healthy_angle_range", "healthy_angle_min", "healthy_angle_max"),
        observed_velocities: Range = Range { low: options.float("velocity_min"), high: options.float("velocity_max") },
        /// Number of leading positions (`qpos`) that the observation omits.
        skipped: usize = usize::from(options.bool("exclude_current_positions_from_observation")),
    }
}

impl<const KIND: u8, const VERSION: u8> Planar<KIND, VERSION> {
    fn is_healthy(&self, data: &Data) -> bool {
        let (z, angle) = (data.qpos()[1], data.qpos()[2]);
        let mut state = data.qpos()[2..].iter().chain(data.qvel());
        let has_healthy_state = KIND == WALKER || state.all(|value| self.healthy_state.has_within(*value));
        has_healthy_state && self.healthy_z.has_within(z) && self.healthy_angle.has_within(angle)
    }
}

impl<const KIND: u8, const VERSION: u8> RobotClass for Planar<KIND, VERSION> {
    const MODEL: ModelSpec = match (KIND, VERSION) {
        (HOPPER, _) => ModelSpec::one_tree("hopper.xml", 4, sizes(6, 6, 3, 5, 0, 0), 1.0),
        (_, 5) => ModelSpec::one_tree("walker2d_v5.xml", 4, sizes(9, 9, 6, 8, 0, 0), 1.0),
        _ => ModelSpec::one_tree("walker2d.xml", 4, sizes(9, 9, 6, 8, 0, 0), 1.0),
    };
    const TIMESTEP: f64 = 0.002;
    const CAMERA: CameraPreset = robot_camera(Some(if KIND == HOPPER { 3.0 } else { 4.0 }), Some(1.15), Some(-20.0));

    const ENVPOOL_ORDER: &'static str = if KIND == HOPPER {
        "terminate_when_unhealthy legacy_healthy_reward exclude_current_positions_from_observation xml_file \
            gymnasium_v5_render_camera ctrl_cost_weight forward_reward_weight healthy_reward velocity_min velocity_max \
            healthy_state_min healthy_state_max healthy_angle_min healthy_angle_max healthy_z_min reset_noise_scale"
    } else {
        "ctrl_cost_weight terminate_when_unhealthy exclude_current_positions_from_observation legacy_healthy_reward xml_file \
            gymnasium_v5_render_camera forward_reward_weight healthy_reward healthy_z_min healthy_z_max healthy_angle_min \
            healthy_angle_max velocity_min velocity_max reset_noise_scale"
    };

    fn options() -> Vec<OptionSpec> {
        let (low, angle) = if KIND == HOPPER { (0.7, 0.2) } else { (0.8, 1.0) };
        let mut options = vec![
            number("forward_reward_weight", 1.0, "weight of the velocity along x in the reward"),
            number("ctrl_cost_weight", 1e-3, "weight of the squared action in the cost"),
        ];
        options.extend(Health::options(1.0, VERSION));
        if KIND == HOPPER {
            options.extend([
                range_option(
                    "healthy_state_range",
                    "range of healthy positions and velocities beyond the first two; None: healthy_state_min to healthy_state_max",
                ),
                number("healthy_state_min", -100.0, "lower bound of healthy positions and velocities beyond the first two"),
                number("healthy_state_max", 100.0, "upper bound of healthy positions and velocities beyond the first two"),
                range_option("healthy_z_range", "range of healthy heights; None: above healthy_z_min"),
                number("healthy_z_min", low, "minimum healthy height in m"),
            ]);
        } else {
            options.extend([
                range_option("healthy_z_range", "range of healthy heights; None: healthy_z_min to healthy_z_max"),
                number("healthy_z_min", low, "minimum healthy height in m"),
                number("healthy_z_max", 2.0, "maximum healthy height in m"),
            ]);
        }
        options.extend([
            range_option("healthy_angle_range", "range of healthy angles; None: healthy_angle_min to healthy_angle_max"),
            number("healthy_angle_min", -angle, "minimum healthy angle in rad"),
            number("healthy_angle_max", angle, "maximum healthy angle in rad"),
            number("velocity_min", -10.0, "lower bound of the velocities observed"),
            number("velocity_max", 10.0, "upper bound of the velocities observed"),
            noise_option(5e-3),
            exclude_option(),
        ]);
        options
    }
}

impl<const KIND: u8, const VERSION: u8> Robot for Planar<KIND, VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        check_sizes(model, 3, 0, 0)
    }

    fn skipped(&self) -> usize {
        self.skipped
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        if VERSION < 5 {
            return ["x_position", "x_velocity"].map(step_info).to_vec();
        }
        let gymnasiums = |info: InfoSpec| info.only_in_gymnasium();
        vec![
            info("x_position", &[]),
            gymnasiums(info("z_distance_from_origin", &[])),
            step_info("x_velocity"),
            gymnasiums(step_info("reward_forward")),
            gymnasiums(product_info("reward_ctrl")),
            gymnasiums(step_info("reward_survive")),
        ]
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[self.skipped..]);
        to.add_clipped(data.qvel(), self.observed_velocities);
    }

    fn step_memory(&self, data: &Data) -> StepMemory {
        [data.qpos()[0], 0.0, 0.0]
    }

    fn write_reset_infos(&self, data: &Data, infos: &mut Writer<'_>) {
        infos.add(&[data.qpos()[0]]);
        if VERSION >= 5 {
            infos.add(&[data.qpos()[1] - data.model().qpos0()[1]]);
        }
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let is_healthy = self.is_healthy(step.data);
        let x_velocity = step.velocity(0);
        let forward = self.forward_weight * x_velocity;
        let survive = self.health.reward(is_healthy);
        let control = step.action_cost(self.action_weight);
        infos.add(&[x_velocity]);
        if VERSION >= 5 {
            infos.add(&[forward, -control, survive]);
        }
        ((forward + survive) - control, self.health.terminates_when(is_healthy))
    }
}
