//! Batches of Box2D worlds that are stepped together, several worlds per SIMD vector.

use envpool_rs_numeric::simd::SimdLevel;

#[cfg(target_arch = "x86_64")]
use super::lanes::{self, LaneSolver};
use super::step::StepConfig;
use super::workspace::{Island, Workspace};
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
    lane_solvers: Vec<LaneSolver>,
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
            worlds.world(index).integrate_islands(config, workspace);
        }
        self.solve_positions(count, config.position_iterations);
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).finish_step(config, workspace);
        }
    }

    /// Runs the velocity iterations of all worlds. The first islands of the worlds share SIMD lanes; the few other islands are
    /// solved one by one.
    fn solve_velocities(&mut self, count: usize, iterations: u32) {
        let groups = self.workspaces[..count].chunks_mut(MAX_LANES);
        #[cfg(target_arch = "x86_64")]
        let has_registers = matches!(self.level, SimdLevel::Avx2(_) | SimdLevel::Avx512(_));
        #[cfg(target_arch = "x86_64")]
        if has_registers {
            self.lane_solvers.resize_with(groups.len().max(self.lane_solvers.len()), LaneSolver::default);
            let solvers = &mut self.lane_solvers[..groups.len()];
            for (solver, group) in solvers.iter_mut().zip(groups) {
                let lanes = solver.load(group);
                each_island(group, lanes, |island| island.solve_velocities(iterations));
            }
            lanes::solve_velocities(solvers, iterations, self.level);
            for (solver, group) in solvers.iter().zip(self.workspaces[..count].chunks_mut(MAX_LANES)) {
                solver.store(group);
            }
            return;
        }
        groups.for_each(|group| each_island(group, 0, |island| island.solve_velocities(iterations)));
    }

    /// Runs the position iterations of all worlds, in the same lanes as the velocity iterations.
    fn solve_positions(&mut self, count: usize, iterations: u32) {
        let groups = self.workspaces[..count].chunks_mut(MAX_LANES);
        #[cfg(target_arch = "x86_64")]
        if !self.lane_solvers.is_empty() {
            let solvers = &mut self.lane_solvers[..groups.len()];
            for (solver, group) in solvers.iter_mut().zip(groups) {
                let lanes = solver.load_positions(group);
                each_island(group, lanes, |island| island.solve_positions(iterations));
            }
            lanes::solve_positions(solvers, iterations, self.level);
            for (solver, group) in solvers.iter().zip(self.workspaces[..count].chunks_mut(MAX_LANES)) {
                solver.store_positions(group);
            }
            return;
        }
        groups.for_each(|group| each_island(group, 0, |island| island.solve_positions(iterations)));
    }
}

/// Calls `solve` with each island of a group of worlds, except the first islands of the worlds in the bit mask `lanes`.
fn each_island(group: &mut [Workspace], lanes: u16, mut solve: impl FnMut(&mut Island)) {
    for (lane, workspace) in group.iter_mut().enumerate() {
        let first = usize::from(lanes >> lane & 1);
        workspace.islands_mut().iter_mut().skip(first).for_each(&mut solve);
    }
}
