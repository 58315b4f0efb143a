//! Pusher (`pusher_v5.py`, `pusher_v4.py`): an arm that must push a cylinder to a goal.

use super::robot::prelude::*;
use super::vector::distance;

const JOINTS: usize = 7;
/// Number of position coordinates of cylinder and goal together; they are the last elements of `qpos`.
const LOOSE: usize = 4;
/// Number of random positions that are tried for the cylinder before the reset fails with an error.
const TRIES: usize = 1_000_000;

made! {
    #[derive(Debug)]
    pub struct Pusher<const VERSION: u8> by FromOptions::new(options: &Options) with {
        let bounds = |low: &str, high: &str| {
            let bounds = (options.float(low), options.float(high));
            let allowed = format_args!("{low} or more, {}", bounds.0).to_string();
            if bounds.0 <= bounds.1 { Ok(bounds) } else { Err(Error::value(high, bounds.1, allowed)) }
        };
        let cylinder = [bounds("cylinder_x_min", "cylinder_x_max")?, bounds("cylinder_y_min", "cylinder_y_max")?];
        let distance = options.float("cylinder_dist_min");
        let farthest = cylinder.map(|(low, high)| low.abs().max(high.abs()));
        if numpy::norm(&farthest) <= distance {
            return Err(Error::value("cylinder_dist_min", distance, "less than the cylinder can be from the goal"));
        }
    } {
        near_weight: f64 = value_or_alias(options, "reward_near_weight", "near_cost_weight"),
        distance_weight: f64 = value_or_alias(options, "reward_dist_weight", "dist_cost_weight"),
        action_weight: f64 = value_or_alias(options, "reward_control_weight", "ctrl_cost_weight"),
        /// Whether rewards use the distances at the end of the step instead of the distances at its start.
        judges_after: bool = options.bool("reward_after_step"),
        reports_weighted_rewards: bool = options.bool("weighted_reward_info"),
        speed: f64 = options.float("reset_qvel_scale"),
        cylinder: [(f64, f64); 2] = cylinder,
        distance: f64 = distance,
        /// Body ids of the hand, the cylinder and the goal, in this order.
        bodies: [usize; 3] = [0; 3],
    }
}

impl<const VERSION: u8> Pusher<VERSION> {
    fn distance(&self, data: &Data, to: usize) -> f64 {
        distance(data.body(self.bodies[1]), data.body(self.bodies[to]))
    }
}

impl<const VERSION: u8> RobotClass for Pusher<VERSION> {
    const MODEL: ModelSpec = ModelSpec {
        xml_file: if VERSION >= 5 { "pusher_v5.xml" } else { "pusher.xml" },
        frame_skip: 5,
        sizes: sizes(11, 11, 7, 13, 0, 0),
        control: 2.0,
        without: &[],
    };
    const CAMERA: CameraPreset = robot_camera(Some(4.0), None, None);

    const ENVPOOL_ORDER: &'static str = "ctrl_cost_weight dist_cost_weight near_cost_weight xml_file gymnasium_v5_render_camera \
        reward_after_step weighted_reward_info reset_qvel_scale cylinder_x_min cylinder_x_max cylinder_y_min cylinder_y_max \
        cylinder_dist_min";

    fn options() -> Vec<OptionSpec> {
        vec![
            number("reward_near_weight", 0.5, "weight of the hand's distance to the cylinder"),
            number("reward_dist_weight", 1.0, "weight of the cylinder's distance to the goal"),
            number("reward_control_weight", 0.1, "weight of the squared action"),
            alias("near_cost_weight", "EnvPool's name of reward_near_weight; None: its value"),
            alias("dist_cost_weight", "EnvPool's name of reward_dist_weight; None: its value"),
            alias("ctrl_cost_weight", "EnvPool's name of reward_control_weight; None: its value"),
            flag("reward_after_step", VERSION >= 5, "whether the reward uses the distances after the step instead of before"),
            flag("weighted_reward_info", VERSION >= 5, "whether infos report weighted distances and costs"),
            number("reset_qvel_scale", 0.005, "maximum velocity of the arm after a reset in rad/s").numbers(0.0..=f64::MAX),
            number("cylinder_x_min", -0.3, "minimum x of the cylinder after a reset in m"),
            number("cylinder_x_max", 0.0, "maximum x of the cylinder after a reset in m"),
            number("cylinder_y_min", -0.2, "minimum y of the cylinder after a reset in m"),
            number("cylinder_y_max", 0.2, "maximum y of the cylinder after a reset in m"),
            number("cylinder_dist_min", 0.17, "minimum distance of the cylinder from the goal after a reset in m"),
        ]
    }
}

impl<const VERSION: u8> Robot for Pusher<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        self.bodies = [body(model, "tips_arm")?, body(model, "object")?, body(model, "goal")?];
        check_sizes(model, JOINTS + LOOSE, JOINTS + LOOSE, 0)
    }

    fn derived(&self) -> Derived {
        Derived::XPOS
    }

    fn observation_len(&self, _sizes: &ModelSizes) -> usize {
        2 * JOINTS + 3 * 3
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        let near = step_info("reward_near");
        let near = if VERSION >= 5 { near } else { near.only_in_envpool() };
        vec![step_info("reward_dist"), if VERSION >= 5 { product_info("reward_ctrl") } else { single_info("reward_ctrl") }, near]
    }

    fn reset_model(&self, data: &mut Data, _noise: f64, random: &mut Generator) {
        let position = (0..TRIES)
            .map(|_| self.cylinder.map(|(low, high)| random.uniform(low, high)))
            .find(|position| numpy::norm(position) > self.distance);
        let [x, y] = position.unwrap_or_else(|| {
            Error::State(format!("cylinder_dist_min={}: no place so far from the goal was drawn", self.distance)).raise()
        });
        let positions = data.qpos_mut();
        let loose = positions.len() - LOOSE;
        positions[loose..].copy_from_slice(&[x, y, 0.0, 0.0]);
        let velocities = data.qvel_mut();
        add_uniform(velocities, self.speed, random);
        let loose = velocities.len() - LOOSE;
        velocities[loose..].fill(0.0);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        to.add(&data.qpos()[..JOINTS]);
        to.add(&data.qvel()[..JOINTS]);
        self.bodies.iter().for_each(|body| to.add(&data.body(*body)));
    }

    /// Returns the distances from hand to cylinder and from cylinder to goal.
    fn step_memory(&self, data: &Data) -> StepMemory {
        [self.distance(data, 0), self.distance(data, 2), 0.0]
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let [hand, goal, _] = if self.judges_after { step.after } else { step.before };
        let near = -hand * self.near_weight;
        let distance = -goal * self.distance_weight;
        let control = -step.action_cost(self.action_weight);
        match self.reports_weighted_rewards {
            true => infos.add(&[distance, control, near]),
            false => infos.add(&[-goal, -step.action_cost(1.0), -hand]),
        }
        (distance + control + near, false)
    }
}
