//! Hopper (`dm_control/suite/hopper.py`): a planar robot with one leg that must stand or hop.

use super::joints;
use super::suite::prelude::*;

/// Smallest speed at which hopping gets the full reward, in m/s.
const SPEED: f64 = 2.0;

made! {
    #[derive(Debug)]
    pub struct Hopper by Bind::bind(task: &str, _options: &Options, names: Names<'_>) {
        standing: Tolerance = Tolerance::new(0.6, 2.0),
        small_control: Tolerance = Tolerance::new(0.0, 0.0).with_sigmoid(Sigmoid::Quadratic, 1.0, 0.0),
        /// Reward for the horizontal speed; `None` in the stand task.
        hopping: Option<Tolerance> = (task == "hop").then(|| Tolerance::from(SPEED).with_sigmoid(Sigmoid::Linear, SPEED / 2.0, 0.5)),
        torso: usize = names.body("torso")?,
        foot: usize = names.body("foot")?,
        velocity: usize = names.sensor("torso_subtreelinvel")?.start,
        touch: [usize; 2] = [names.sensor("touch_toe")?.start, names.sensor("touch_heel")?.start],
    }
}

impl DomainClass for Hopper {
    const INFO: DomainInfo =
        DomainInfo { name: "hopper", tasks: &["stand", "hop"], timestep: 0.005, sub_steps: 4, time_limit: 20.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        let observation = vec![Block::new("position", 6), Block::new("velocity", 7), Block::new("touch", 2)];
        Ok(TaskSpec::new(observation, unit_controls(4))
            .up_to(Stage::Acc)
            .with_arrays(Derived::FINAL_XIPOS | Derived::FINAL_SUBTREE_LINVEL))
    }
}

impl Domain for Hopper {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        joints::randomize(physics, random);
        Ok(())
    }

    /// Appends the observation, which omits the robot's horizontal position.
    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend_from_slice(&physics.qpos()[1..]);
        to.extend_from_slice(physics.qvel());
        to.extend(self.touch.map(|sensor| numpy_ufuncs::log1p(physics.sensordata()[sensor])));
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let height = |body: usize| physics.xipos()[3 * body + 2];
        let standing = self.standing.of(height(self.torso) - height(self.foot));
        if let Some(hopping) = &self.hopping {
            return standing * hopping.of(physics.sensordata()[self.velocity]);
        }
        standing * ((mean_reward(&self.small_control, physics.ctrl()) + 4.0) / 5.0)
    }
}

/// Returns the mean of the rewards that `tolerance` gives for each element of `values`.
pub fn mean_reward(tolerance: &Tolerance, values: &[f64]) -> f64 {
    numpy::sum_by(0, values.len(), &|index| tolerance.of_element(values[index])) / values.len() as f64
}
