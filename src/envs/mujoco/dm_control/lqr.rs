//! Linear quadratic regulator (`dm_control/suite/lqr.py`): masses on springs that must come to rest.

use super::suite::prelude::*;
use envpool_rs_sim_mujoco::model_overrides::JNT_STIFFNESS;

/// Weight of the control cost, which is half the squared norm of the control.
const CONTROL_COST: f64 = 0.1;
/// Norm of the state below which the masses count as at rest, so that the episode terminates.
const AT_REST: f64 = 1e-6;
/// Maximum number of positions, of velocities and of controls.
const MAX_LEN: usize = 12;

#[derive(Debug)]
pub struct Lqr;

/// Returns the number of masses and the number of actuated masses of a task.
fn counts(task: &str) -> (usize, usize) {
    if task == "lqr_2_1" { (2, 1) } else { (6, 2) }
}

impl DomainClass for Lqr {
    const INFO: DomainInfo =
        DomainInfo { name: "lqr", tasks: &["lqr_2_1", "lqr_6_2"], timestep: 0.03, sub_steps: 1, time_limit: f64::INFINITY };

    fn task_spec(task: &str, _options: &Options) -> Result<TaskSpec> {
        let (masses, driven) = counts(task);
        let observation = vec![Block::new("position", masses), Block::new("velocity", masses)];
        let made_with = Some(format!("{masses} {driven}"));
        Ok(TaskSpec { generator_arguments: made_with, ..TaskSpec::new(observation, vec![[-UNLIMITED, UNLIMITED]; driven]) })
    }
}

impl Bind for Lqr {
    fn bind(_task: &str, _options: &Options, _names: Names<'_>) -> Result<Self> {
        Ok(Self)
    }
}

impl Domain for Lqr {
    fn initialize_episode(&self, physics: &mut Physics, random: &mut RandomState, is_first: bool) -> Result<(), Fault> {
        if is_first {
            // dm_control draws the stiffnesses from the same random stream when it creates the model. It also draws the damping,
            // which is always 0.
            for stiffness in physics.model_array_mut(JNT_STIFFNESS) {
                *stiffness = random.uniform(15.0, 25.0);
                random.uniform(0.0, 0.0);
            }
            physics.forward_unactuated()?;
        }
        let positions = physics.qpos_mut();
        positions.fill_with(|| random.standard_normal());
        let length = numpy::norm(positions);
        positions.iter_mut().for_each(|position| *position = 2.0_f64.sqrt() * *position / length);
        Ok(())
    }

    fn get_reward(&self, physics: &Physics) -> f64 {
        let state = 0.5 * numpy::dot(physics.qpos(), physics.qpos());
        let control = 0.5 * numpy::dot(physics.ctrl(), physics.ctrl());
        1.0 - (state + control * CONTROL_COST)
    }

    fn get_termination(&self, physics: &Physics) -> bool {
        let masses = physics.qpos().len();
        let mut state = [0.0; MAX_LEN];
        state[..masses].copy_from_slice(physics.qpos());
        state[masses..2 * masses].copy_from_slice(physics.qvel());
        numpy::norm(&state[..2 * masses]) < AT_REST
    }
}
