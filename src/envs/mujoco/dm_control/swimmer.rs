//! Swimmer (`dm_control/suite/swimmer.py`): a planar chain of links in a fluid that must swim to a target.

use super::joints;
use super::suite::prelude::*;
use envpool_rs_engine::Value;
use envpool_rs_sim_mujoco::model_overrides::{GEOM_POS, LIGHT_POS};

const MAX_LINKS: i64 = 256;
/// Number of position coordinates (`qpos`) of the root body.
const ROOT: usize = 3;
/// Number of elements of `sensordata` that precede the measured velocities of the links.
const OTHERS: usize = 12;

made! {
    #[derive(Debug)]
    pub struct Swimmer by Bind::bind(_task: &str, _options: &Options, names: Names<'_>) with {
        let target = names.geom("target")?;
        let size = names.0.geom_size()[3 * target];
    } {
        near: Tolerance = Tolerance::new(0.0, size).with_sigmoid(Sigmoid::LongTail, 5.0 * size, 0.1),
        head: usize = names.body("head")?,
        nose: usize = names.geom("nose")?,
        target: usize = target,
        light: usize = names.light("target_light")?,
    }
}

fn links(task: &str, options: &Options) -> usize {
    match (options.get("n_links"), task) {
        (Value::Int(count), _) => *count as usize,
        (_, "swimmer6") => 6,
        _ => 15,
    }
}

impl Swimmer {
    /// Returns the vector from the nose to the target, in the head's frame.
    fn to_target(&self, physics: &Physics) -> [f64; 2] {
        let (target, nose) = (physics.geom(self.target), physics.geom(self.nose));
        let [x, y, _] = in_frame(&[0, 1, 2].map(|axis| target[axis] - nose[axis]), &physics.xmat()[9 * self.head..][..9]);
        [x, y]
    }
}

impl DomainClass for Swimmer {
    const INFO: DomainInfo =
        DomainInfo { name: "swimmer", tasks: &["swimmer6", "swimmer15"], timestep: 0.002, sub_steps: 15, time_limit: 30.0 };

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::optional("n_links", 3, "number of links of the chain; None: the task's").integers(3..=MAX_LINKS)]
    }

    fn task_spec(task: &str, options: &Options) -> Result<TaskSpec> {
        let links = links(task, options);
        let observation =
            vec![Block::new("joints", links - 1), Block::new("to_target", 2), Block::new("body_velocities", 3 * links)];
        let spec = TaskSpec::new(observation, unit_controls(links - 1)).up_to(Stage::Vel);
        Ok(TaskSpec { generator_arguments: Some(links.to_string()), ..spec })
    }
}

impl Domain for Swimmer {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        joints::randomize(physics, random);
        let reach = if random.random_sample() < 0.2 { 0.3 } else { 2.0 };
        let position = [random.uniform(-reach, reach), random.uniform(-reach, reach)];
        physics.model_array_mut(GEOM_POS)[3 * self.target..][..2].copy_from_slice(&position);
        physics.model_array_mut(LIGHT_POS)[3 * self.light..][..2].copy_from_slice(&position);
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(&physics.qpos()[ROOT..]);
        to.extend(self.to_target(physics));
        for [x, y, _, _, _, turning] in physics.sensordata()[OTHERS..].as_chunks().0 {
            to.extend([x, y, turning]);
        }
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        self.near.of(numpy::norm(&self.to_target(physics)))
    }
}
