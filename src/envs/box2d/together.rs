//! The physics that environments share: how long a step is, the memory of each thread, and worlds solved together.

use envpool_rs_engine::{Env, PerThread, Scheduling, Stepped};
use envpool_rs_numeric::simd::SimdLevel;
use envpool_rs_sim_box2d::{StepConfig, Team, World, Worlds};

/// Worlds that are solved together.
pub const WORLDS: usize = 16;
/// See [`WORLDS`].
pub const SCHEDULING: Scheduling = Scheduling::Together(WORLDS);

/// How gymnasium's environments step their worlds.
const CONFIG: StepConfig = StepConfig { dt: 0.02, velocity_sweeps: 6 * 30, position_sweeps: 2 * 30 };

/// A state with a world in it.
pub trait Landscape {
    /// Its world.
    fn world(&mut self) -> &mut World;
}

/// Steps worlds, one or several.
#[derive(Debug, Default)]
pub struct Physics {
    teams: PerThread<Team>,
}

impl Physics {
    fn lent(&self, work: impl FnOnce(&mut Team)) {
        if let Err(error) = self.teams.with(|| Ok(Team::new(SimdLevel::detect())), work) {
            error.raise();
        }
    }

    /// A step of one world.
    pub fn step(&self, world: &mut World) {
        self.lent(|team| team.step(world, &CONFIG));
    }

    /// A step of the worlds of several lanes.
    pub fn step_together<E: Env<State: Landscape>>(&self, lanes: &mut [Stepped<'_, E>]) {
        self.lent(|team| team.step(&mut Lanes(lanes), &CONFIG));
    }
}

/// The worlds of lanes.
struct Lanes<'l, 'a, E: Env>(&'l mut [Stepped<'a, E>]);

impl<E: Env<State: Landscape>> Worlds for Lanes<'_, '_, E> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn world(&mut self, index: usize) -> &mut World {
        self.0[index].state.world()
    }
}
