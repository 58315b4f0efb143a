//! Reacher (`reacher_v5.py`, `reacher_v4.py`): a planar arm with two links that must reach a target.

use super::robot::prelude::*;
use super::vector::sub;

const JOINTS: usize = 2;

made! {
    #[derive(Debug)]
    pub struct Reacher<const VERSION: u8> by FromOptions::new(options: &Options) with {
        let goal = options.float("reset_goal_scale");
        if goal <= 0.0 {
            return Err(Error::value("reset_goal_scale", goal, "more than 0"));
        }
    } {
        distance_weight: f64 = value_or_alias(options, "reward_dist_weight", "dist_cost_weight"),
        action_weight: f64 = value_or_alias(options, "reward_control_weight", "ctrl_cost_weight"),
        /// Whether rewards use the distance at the end of the step instead of the distance at its start.
        judges_after: bool = options.bool("reward_after_step"),
        /// Whether the last element of the observation is the distance between fingertip and target along z.
        shows_z: bool = options.bool("obs_include_z_distance"),
        angle: f64 = options.float("reset_qpos_scale"),
        speed: f64 = options.float("reset_qvel_scale"),
        goal: f64 = goal,
        /// Body ids of the fingertip and the target, in this order.
        bodies: [usize; 2] = [0; 2],
    }
}

impl<const VERSION: u8> RobotClass for Reacher<VERSION> {
    const MODEL: ModelSpec =
        ModelSpec { xml_file: "reacher.xml", frame_skip: 2, sizes: sizes(4, 4, 2, 5, 0, 0), control: 1.0, without: &[] };

    const ENVPOOL_ORDER: &'static str = "ctrl_cost_weight reward_after_step obs_include_z_distance dist_cost_weight xml_file \
        gymnasium_v5_render_camera reset_qpos_scale reset_qvel_scale reset_goal_scale";

    fn options() -> Vec<OptionSpec> {
        vec![
            number("reward_dist_weight", 1.0, "weight of the distance to the target"),
            number("reward_control_weight", 1.0, "weight of the squared action"),
            alias("dist_cost_weight", "EnvPool's name of reward_dist_weight; None: its value"),
            alias("ctrl_cost_weight", "EnvPool's name of reward_control_weight; None: its value"),
            flag("reward_after_step", VERSION >= 5, "whether the reward uses the distance after the step instead of before"),
            flag("obs_include_z_distance", VERSION < 5, "whether the distance along z, always 0, is observed"),
            number("reset_qpos_scale", 0.1, "maximum angle of the arm's joints after a reset in rad").numbers(0.0..=f64::MAX),
            number("reset_qvel_scale", 0.005, "maximum velocity of the arm after a reset in rad/s").numbers(0.0..=f64::MAX),
            number("reset_goal_scale", 0.2, "maximum distance of the target after a reset in m"),
        ]
    }
}

impl<const VERSION: u8> Robot for Reacher<VERSION> {
    fn bind(&mut self, model: &Model) -> Result<()> {
        self.bodies = [body(model, "fingertip")?, body(model, "target")?];
        check_sizes(model, 2 * JOINTS, 2 * JOINTS, 0)
    }

    fn derived(&self) -> Derived {
        Derived::XPOS
    }

    fn observation_len(&self, sizes: &ModelSizes) -> usize {
        2 * JOINTS + sizes.nq - JOINTS + JOINTS + 2 + usize::from(self.shows_z)
    }

    fn infos(&self, _sizes: &ModelSizes) -> Vec<InfoSpec> {
        vec![step_info("reward_dist"), if VERSION >= 5 { product_info("reward_ctrl") } else { single_info("reward_ctrl") }]
    }

    fn reset_model(&self, data: &mut Data, _noise: f64, random: &mut Generator) {
        add_uniform(data.qpos_mut(), self.angle, random);
        let goal = loop {
            let goal = [random.uniform(-self.goal, self.goal), random.uniform(-self.goal, self.goal)];
            if numpy::norm(&goal) < self.goal {
                break goal;
            }
        };
        let positions = data.qpos_mut();
        let target = positions.len() - 2;
        positions[target..].copy_from_slice(&goal);
        let velocities = data.qvel_mut();
        add_uniform(velocities, self.speed, random);
        let target = velocities.len() - 2;
        velocities[target..].fill(0.0);
    }

    fn observe(&self, data: &Data, to: &mut Writer<'_>) {
        let (joints, others) = data.qpos().split_at(JOINTS);
        to.add_mapped(joints, f64::cos);
        to.add_mapped(joints, f64::sin);
        to.add(others);
        to.add(&data.qvel()[..JOINTS]);
        to.add(&self.step_memory(data)[..2 + usize::from(self.shows_z)]);
    }

    /// Returns the vector from the target to the fingertip, from which the next step computes its reward.
    fn step_memory(&self, data: &Data) -> StepMemory {
        sub(data.body(self.bodies[0]), data.body(self.bodies[1]))
    }

    fn evaluate(&self, step: &StepOutcome<'_>, infos: &mut Writer<'_>) -> (f64, bool) {
        let offset = if self.judges_after { step.after } else { step.before };
        let distance = -numpy::norm(&offset) * self.distance_weight;
        let control = -step.action_cost(self.action_weight);
        infos.add(&[distance, control]);
        (distance + control, false)
    }
}
