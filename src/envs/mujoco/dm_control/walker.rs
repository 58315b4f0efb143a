//! Walker (`dm_control/suite/walker.py`): a planar robot with two legs that must stand, walk or run.

use super::joints;
use super::suite::prelude::*;

/// Height of the torso of a standing walker, in m.
const STANDING: f64 = 1.2;

made! {
    #[derive(Debug)]
    pub struct Walker by Bind::bind(task: &str, _options: &Options, names: Names<'_>) with {
        let moving = |speed: f64| Tolerance::from(speed).with_sigmoid(Sigmoid::Linear, speed / 2.0, 0.5);
    } {
        standing: Tolerance = Tolerance::from(STANDING).with_margin(STANDING / 2.0),
        /// Reward for the horizontal speed; `None` in the stand task.
        moving: Option<Tolerance> = match task {
            "stand" => None,
            "walk" => Some(moving(1.0)),
            _ => Some(moving(8.0)),
        },
        torso: usize = names.body("torso")?,
        velocity: usize = names.sensor("torso_subtreelinvel")?.start,
    }
}

impl DomainClass for Walker {
    const INFO: DomainInfo =
        DomainInfo { name: "walker", tasks: &["stand", "walk", "run"], timestep: 0.0025, sub_steps: 10, time_limit: 25.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        let observation = vec![Block::new("orientations", 14), Block::number("height"), Block::new("velocity", 9)];
        Ok(TaskSpec::new(observation, unit_controls(6))
            .up_to(Stage::Vel)
            .with_arrays(Derived::FINAL_XPOS | Derived::FINAL_XMAT | Derived::FINAL_SUBTREE_LINVEL))
    }
}

impl Domain for Walker {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        joints::randomize(physics, random);
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        for body in 1..physics.model().sizes().nbody {
            to.extend([XX, XZ].map(|element| physics.axes(body, element)));
        }
        to.push(physics.body(self.torso)[2]);
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let standing = self.standing.of(physics.body(self.torso)[2]);
        let upright = (1.0 + physics.axes(self.torso, ZZ)) / 2.0;
        let standing = (3.0 * standing + upright) / 4.0;
        match &self.moving {
            None => standing,
            Some(moving) => standing * (5.0 * moving.of(physics.sensordata()[self.velocity]) + 1.0) / 6.0,
        }
    }
}
