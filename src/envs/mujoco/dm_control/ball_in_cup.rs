//! Ball in cup (`dm_control/suite/ball_in_cup.py`): a cup that must catch a ball, which hangs on a string.

use super::suite::prelude::*;

made! {
    #[derive(Debug)]
    pub struct BallInCup by Bind::bind(_task: &str, _options: &Options, names: Names<'_>) with {
        let (ball, target) = (names.geom("ball")?, names.site("target")?);
        let size = names.0.geom_size()[3 * ball];
    } {
        /// Index of the ball's x position in `qpos`.
        x: usize = names.position("ball_x")?,
        z: usize = names.position("ball_z")?,
        ball: usize = names.body("ball")?,
        target: usize = target,
        /// Largest distances of the ball from the target, along x and along z, at which the ball counts as caught.
        room: [f64; 2] = [0, 2].map(|axis| names.0.site_size()[3 * target + axis] - size),
    }
}

impl DomainClass for BallInCup {
    const INFO: DomainInfo =
        DomainInfo { name: "ball_in_cup", tasks: &["catch"], timestep: 0.002, sub_steps: 10, time_limit: 20.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        Ok(TaskSpec::new(vec![Block::new("position", 4), Block::new("velocity", 4)], unit_controls(2))
            .up_to(Stage::Pos)
            .with_arrays(Derived::FINAL_XPOS | Derived::FINAL_SITE_XPOS))
    }
}

impl Domain for BallInCup {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        let model = physics.model().clone();
        repeat_until(&model, (CHEAP_ATTEMPTS, "start states without contacts"), || {
            physics.qpos_mut()[self.x] = random.uniform(-0.2, 0.2);
            physics.qpos_mut()[self.z] = random.uniform(0.2, 0.5);
            physics.forward_unactuated()?;
            Ok(physics.ncon() == 0)
        })
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let (target, ball) = (physics.site(self.target), physics.body(self.ball));
        let is_inside = [0, 2].into_iter().zip(self.room).all(|(axis, room)| (target[axis] - ball[axis]).abs() < room);
        f64::from(u8::from(is_inside))
    }
}
