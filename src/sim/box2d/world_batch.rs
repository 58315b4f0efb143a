//! Batches of Box2D worlds that are stepped together, several worlds per SIMD vector.

use envpool_rs_numeric::simd::SimdLevel;

#[cfg(target_arch = "x86_64")]
use super::lanes::{self, LANES, LaneSolver};
use super::prefetch::{STAGES, exceeds_cache};
use super::step::StepConfig;
#[cfg(target_arch = "x86_64")]
use super::workspace::Island;
use super::workspace::Workspace;
use super::world::World;

/// Number of position iterations that all worlds run in the same lanes.
#[cfg(target_arch = "x86_64")]
const COMMON_ITERATIONS: u32 = 3;
/// Number of worlds in the narrowest vectors.
#[cfg(target_arch = "x86_64")]
const NARROW: usize = 8;

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
    /// Indices of the worlds, in the order of their lanes.
    #[cfg(target_arch = "x86_64")]
    order: Vec<usize>,
    /// Solver of the worlds that need many position iterations, and the indices of these worlds.
    #[cfg(target_arch = "x86_64")]
    last_solver: LaneSolver,
    #[cfg(target_arch = "x86_64")]
    unsolved: Vec<usize>,
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
            self.workspaces.resize_with(count, || Workspace { level: self.level, ..Workspace::default() });
        }
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            for stage in 0..STAGES {
                let ahead = index + STAGES - stage;
                if exceeds_cache(count) && ahead < count {
                    worlds.world(ahead).prefetch_contacts(stage);
                }
            }
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
        let worlds = &mut self.workspaces[..count];
        #[cfg(target_arch = "x86_64")]
        if matches!(self.level, SimdLevel::Avx2(_) | SimdLevel::Avx512(_)) {
            let solver_count = count.div_ceil(LANES);
            self.lane_solvers.resize_with(solver_count.max(self.lane_solvers.len()), LaneSolver::default);
            let solvers = &mut self.lane_solvers[..solver_count];
            // Worlds with equally many contacts share lanes, which then have fewer rows.
            self.order.clear();
            self.order.extend(0..count);
            if solver_count > 1 {
                let contacts = |world: &Workspace| world.first_island().map_or(0, |island| island.contact_constraints.len());
                self.order.sort_unstable_by_key(|world| (contacts(&worlds[*world]), *world));
            }
            for (solver, members) in solvers.iter_mut().zip(self.order.chunks(LANES)) {
                let lanes = solver.load(worlds, members.iter().copied(), solver_count > 1);
                each_other_island(worlds, solver, lanes, |island| island.solve_velocities(iterations));
            }
            lanes::solve_velocities(solvers, iterations, self.level);
            solvers.iter().for_each(|solver| solver.store(worlds));
            return;
        }
        worlds.iter_mut().flat_map(Workspace::islands_mut).for_each(|island| island.solve_velocities(iterations));
    }

    /// Runs the position iterations of all worlds, in the same lanes as the velocity iterations. Few worlds need many iterations;
    /// after some iterations, they move to lanes of their own.
    fn solve_positions(&mut self, count: usize, iterations: u32) {
        let worlds = &mut self.workspaces[..count];
        #[cfg(target_arch = "x86_64")]
        if matches!(self.level, SimdLevel::Avx2(_) | SimdLevel::Avx512(_)) {
            let first = if count <= NARROW { iterations } else { iterations.min(COMMON_ITERATIONS) };
            let solvers = &mut self.lane_solvers[..count.div_ceil(LANES)];
            for solver in &mut *solvers {
                let lanes = solver.load_positions(worlds);
                each_other_island(worlds, solver, lanes, |island| island.solve_positions(iterations));
            }
            lanes::solve_positions(solvers, first, self.level);
            self.unsolved.clear();
            for solver in solvers {
                solver.store_positions(worlds);
                self.unsolved.extend(solver.unsolved());
            }
            if first < iterations {
                for members in self.unsolved.chunks(LANES) {
                    let solver = &mut self.last_solver;
                    solver.load(worlds, members.iter().copied(), false);
                    let lanes = solver.load_positions(worlds);
                    for (_, world) in solver.worlds(lanes, false) {
                        worlds[world].islands[0].solve_positions(iterations - first);
                    }
                    lanes::solve_positions(std::slice::from_mut(solver), iterations - first, self.level);
                    solver.store_positions(worlds);
                }
            }
            return;
        }
        worlds.iter_mut().flat_map(Workspace::islands_mut).for_each(|island| island.solve_positions(iterations));
    }
}

/// Calls `solve` with each island of a solver's worlds, except the first islands of the worlds in the bit mask `lanes`.
#[cfg(target_arch = "x86_64")]
fn each_other_island(worlds: &mut [Workspace], solver: &LaneSolver, lanes: u32, mut solve: impl FnMut(&mut Island)) {
    solver.worlds(lanes, true).for_each(|(_, world)| worlds[world].islands_mut()[1..].iter_mut().for_each(&mut solve));
    solver.worlds(lanes, false).for_each(|(_, world)| worlds[world].islands_mut().iter_mut().for_each(&mut solve));
}
