//! Batches of Box2D worlds that are stepped together, several worlds per SIMD vector.

use std::ops::Range;

use envpool_rs_numeric::simd::SimdLevel;

#[cfg(target_arch = "x86_64")]
use super::lanes::LaneSolver;
use super::step::StepConfig;
use super::workspace::Workspace;
use super::world::World;

/// Maximum number of worlds that are solved at the same time, one per SIMD lane.
const MAX_LANES: usize = 16;

/// Collection of worlds that are stepped together; worlds are accessed by index and may be stored anywhere.
pub trait Worlds {
    /// Returns the number of worlds in the batch.
    fn count(&self) -> usize;

    /// Returns the world at `index` of the batch.
    fn world(&mut self, index: usize) -> &mut World;
}

impl Worlds for World {
    fn count(&self) -> usize {
        1
    }

    fn world(&mut self, _index: usize) -> &mut World {
        self
    }
}

/// Reusable memory and SIMD level for stepping several worlds together.
#[derive(Debug, Default)]
pub struct WorldBatch {
    workspaces: Vec<Workspace>,
    level: SimdLevel,
    #[cfg(target_arch = "x86_64")]
    lane_solver: LaneSolver,
}

impl WorldBatch {
    /// Creates a batch that uses the vector instructions of `level`. Results are equal for all levels.
    pub fn new(level: SimdLevel) -> Self {
        Self { level, ..Self::default() }
    }

    /// Advances all worlds of the batch by one step.
    pub fn step(&mut self, worlds: &mut impl Worlds, config: &StepConfig) {
        let count = worlds.count();
        if self.workspaces.len() < count {
            self.workspaces.resize_with(count, Workspace::default);
        }
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).start_step(config, workspace);
        }
        self.solve_velocities(count, config.velocity_iterations);
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).finish_step(config, workspace);
        }
    }

    /// Runs the velocity iterations of all worlds. The first islands of the worlds share SIMD lanes; the few other islands are
    /// solved one by one.
    fn solve_velocities(&mut self, count: usize, iterations: u32) {
        for start in (0..count).step_by(MAX_LANES) {
            let workspaces = start..count.min(start + MAX_LANES);
            let solved = if workspaces.len() > 1 { self.solve_lanes(workspaces.clone(), iterations) } else { 0 };
            for (lane, workspace) in self.workspaces[workspaces].iter_mut().enumerate() {
                let first = usize::from(solved >> lane & 1);
                workspace.islands_mut().iter_mut().skip(first).for_each(|island| island.solve_velocities(iterations));
            }
        }
    }

    /// Solves the velocity iterations of the first islands of the worlds whose workspaces have the indices `workspaces`, one
    /// world per SIMD lane. Returns a bit mask of the solved worlds.
    fn solve_lanes(&mut self, workspaces: Range<usize>, iterations: u32) -> u16 {
        let has_registers = matches!(self.level, SimdLevel::Avx2(_) | SimdLevel::Avx512(_));
        #[cfg(target_arch = "x86_64")]
        if has_registers {
            return self.lane_solver.solve(&mut self.workspaces[workspaces], iterations, self.level);
        }
        let _ = (has_registers, workspaces, iterations);
        0
    }
}
