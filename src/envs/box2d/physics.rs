//! Physics that the Box2D environments share: duration of a step, per-thread memory, and batches of worlds.

use std::slice::from_ref;

use envpool_rs_engine::{Env, LaneStep, Scheduling, ScratchPool};
use envpool_rs_numeric::simd::{SimdLevel, prefetch};
use envpool_rs_sim_box2d::{StepConfig, World, WorldBatch, Worlds, exceeds_cache};

/// Maximum number of worlds that are solved in one batch.
pub const BATCH_SIZE: usize = 32;
/// Scheduling that steps up to [`BATCH_SIZE`] lanes in one call.
pub const SCHEDULING: Scheduling = Scheduling::Batched(BATCH_SIZE);

/// Parameters of a physics step, as in gymnasium's environments: duration in seconds, and numbers of solver iterations.
const CONFIG: StepConfig = StepConfig { dt: 0.02, velocity_iterations: 6 * 30, position_iterations: 2 * 30 };

/// State of an environment that contains a Box2D world.
pub trait HasWorld {
    /// Returns the world of the environment.
    fn world(&mut self) -> &mut World;
}

/// Steps Box2D worlds. Each thread reuses its solver memory for all its steps.
#[derive(Debug, Default)]
pub struct Physics {
    batches: ScratchPool<WorldBatch>,
}

impl Physics {
    fn with_batch(&self, work: impl FnOnce(&mut WorldBatch)) {
        if let Err(error) = self.batches.with(|| Ok(WorldBatch::new(SimdLevel::detect())), work) {
            error.raise();
        }
    }

    /// Advances one world by one step.
    pub fn step(&self, world: &mut World) {
        self.with_batch(|batch| batch.step(world, &CONFIG));
    }

    /// Calls `act` with each lane, and then advances the worlds of all lanes by one step. Of many lanes, one is loaded into the cache
    /// while `act` is called with another.
    pub fn step_together<E: Env<State: HasWorld>>(&self, lanes: &mut [LaneStep<'_, E>], act: impl Fn(&mut LaneStep<'_, E>)) {
        for index in 0..lanes.len() {
            if exceeds_cache(lanes.len()) {
                // The state has the addresses of the joints, bodies and shapes, which are loaded two lanes later.
                if let Some(lane) = lanes.get(index + 4) {
                    prefetch(from_ref(lane.state));
                }
                if let Some(lane) = lanes.get_mut(index + 2) {
                    lane.state.world().prefetch_moving();
                }
            }
            act(&mut lanes[index]);
        }
        self.with_batch(|batch| batch.step(&mut LaneWorlds(lanes), &CONFIG));
    }
}

/// Gives access to the Box2D worlds of several lanes by lane index.
struct LaneWorlds<'l, 'a, E: Env>(&'l mut [LaneStep<'a, E>]);

impl<E: Env<State: HasWorld>> Worlds for LaneWorlds<'_, '_, E> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn world(&mut self, index: usize) -> &mut World {
        self.0[index].state.world()
    }
}
