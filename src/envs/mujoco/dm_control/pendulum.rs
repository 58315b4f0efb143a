//! Pendulum (`dm_control/suite/pendulum.py`): a pole that must be swung up by a motor that is too weak to lift it directly.

use std::f64::consts::PI;

use super::suite::prelude::*;

/// Largest angle from the vertical at which the pole counts as upright, in degrees.
const ANGLE: f64 = 8.0;

made! {
    #[derive(Debug)]
    pub struct Pendulum by Bind::bind(_task: &str, _options: &Options, names: Names<'_>) with {
        // The angle is converted to radians as `np.deg2rad` does: it is multiplied by the rounded quotient `PI / 180`.
        let cosine = numpy_ufuncs::cos(ANGLE * (PI / 180.0));
    } {
        upright: Tolerance = Tolerance::new(cosine, 1.0),
        hinge: usize = names.position("hinge")?,
        pole: usize = names.body("pole")?,
    }
}

impl DomainClass for Pendulum {
    const INFO: DomainInfo = DomainInfo { name: "pendulum", tasks: &["swingup"], timestep: 0.02, sub_steps: 1, time_limit: 20.0 };

    fn task_spec(_task: &str, _options: &Options) -> Result<TaskSpec> {
        Ok(TaskSpec::new(vec![Block::new("orientation", 2), Block::new("velocity", 1)], unit_controls(1))
            .up_to(Stage::Pos)
            .with_arrays(Derived::FINAL_XMAT))
    }
}

impl Domain for Pendulum {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, _is_first: bool) -> Result<(), Fault> {
        physics.qpos_mut()[self.hinge] = random.uniform(-PI, PI);
        Ok(())
    }

    fn observe(&self, physics: &Physics, to: &mut Vec<f64>) {
        to.extend([ZZ, XZ].map(|element| physics.axes(self.pole, element)));
        to.extend_from_slice(physics.qvel());
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        self.upright.of(physics.axes(self.pole, ZZ))
    }
}
