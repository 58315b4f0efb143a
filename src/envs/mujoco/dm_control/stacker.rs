//! Stacker (`dm_control/suite/stacker.py`): a planar arm that must put a box at the target, on top of other boxes if necessary.

use std::f64::consts::PI;

use super::arm::{Arm, distance, pose};
use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::BODY_POS;

/// Distance of the hand from the target, in m, that is rewarded with 1. `CLOSE` is the margin of rewards for distances, in m.
const FAR: f64 = 0.1;
const CLOSE: f64 = 0.01;

made! {
    #[derive(Debug)]
    pub struct Stacker by Bind::bind(task: &str, options: &Options, names: Names<'_>) with {
        let size = names.0.geom_size()[3 * names.geom("target")?];
    } {
        arm: Arm = Arm::bind(options, names)?,
        boxes: Vec<Brick> = (0..boxes(task)).map(|number| Brick::bind(number, names)).collect::<Result<_>>()?,
        target: usize = names.body("target")?,
        /// Half the side length of each box, in m.
        size: f64 = size,
        box_is_close: Tolerance = Tolerance::new(0.0, 0.0).with_margin(2.0 * size),
        hand_is_far: Tolerance = Tolerance::from(FAR).with_margin(CLOSE),
        grasp: usize = names.site("grasp")?,
        goal: usize = names.site("target")?,
    }
}

/// Ids and indices of one box in the model.
#[derive(Debug)]
struct Brick {
    body: usize,
    site: usize,
    /// Indices in `qpos` of the box's positions along x and z, and about y.
    positions: [usize; 3],
    /// Indices in `qvel` of the box's velocities along x, about y, and along z.
    velocities: [usize; 3],
}

impl Brick {
    fn bind(number: usize, names: Names<'_>) -> Result<Self> {
        let name = format!("box{number}");
        let [x, y, z] = ["x", "y", "z"].map(|axis| format!("{name}_{axis}"));
        Ok(Self {
            body: names.body(&name)?,
            site: names.site(&name)?,
            positions: [names.position(&x)?, names.position(&z)?, names.position(&y)?],
            velocities: [names.velocity(&x)?, names.velocity(&y)?, names.velocity(&z)?],
        })
    }
}

fn boxes(task: &str) -> usize {
    if task == "stack_2" { 2 } else { 4 }
}

impl DomainClass for Stacker {
    const INFO: DomainInfo =
        DomainInfo { name: "stacker", tasks: &["stack_2", "stack_4"], timestep: 0.001, sub_steps: 10, time_limit: 10.0 };

    fn options() -> Vec<OptionSpec> {
        Arm::options()
    }

    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec> {
        let count = boxes(task);
        let others = vec![Block::shaped("box_pos", &[count, 4]), Block::new("box_vel", 3 * count), Block::new("target_pos", 2)];
        let observation = Arm::observation(options, others);
        let spec = TaskSpec::new(observation, unit_controls(5)).up_to(Stage::Acc);
        Ok(TaskSpec { generator_arguments: Some(count.to_string()), moves_bodies: true, ..spec })
    }
}

impl Domain for Stacker {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let model = physics.model().clone();
        repeat_until(&model, (CHEAP_ATTEMPTS, "start states without contacts"), || {
            self.arm.randomize(physics, random);
            let height = 2 * random.randint(0, self.boxes.len() as i64) + 1;
            let position = &mut physics.model_array_mut(BODY_POS)[3 * self.target..];
            position[2] = self.size * height as f64;
            position[0] = random.uniform(-0.37, 0.37);
            for each in &self.boxes {
                let bounds = [[0.1, 0.3], [0.0, 0.7], [0.0, 2.0 * PI]];
                for (position, [low, high]) in each.positions.into_iter().zip(bounds) {
                    physics.qpos_mut()[position] = random.uniform(low, high);
                }
            }
            physics.forward_unactuated()?;
            Ok(physics.ncon() == 0)
        })
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        self.arm.observe(physics, to);
        if self.arm.is_all_seen {
            to.extend(self.boxes.iter().flat_map(|each| pose(physics, each.body)));
            to.extend(self.boxes.iter().flat_map(|each| each.velocities.map(|velocity| physics.qvel()[velocity])));
            let target = physics.body(self.target);
            to.extend([target[0], target[2]]);
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let distances = self.boxes.iter().map(|each| distance(physics, each.site, self.goal));
        let box_is_close = self.box_is_close.of(distances.fold(f64::INFINITY, f64::min));
        box_is_close * self.hand_is_far.of(distance(physics, self.grasp, self.goal))
    }
}
