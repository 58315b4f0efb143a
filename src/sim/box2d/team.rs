//! Worlds that are stepped together.

use std::ops::Range;

use envpool_rs_numeric::simd::SimdLevel;

#[cfg(target_arch = "x86_64")]
use super::lanes::Group;
use super::step::StepConfig;
use super::workspace::Workspace;
use super::world::World;

/// Worlds that are solved together at most.
const MOST: usize = 16;

/// Worlds wherever they lie.
pub trait Worlds {
    /// How many there are.
    fn count(&self) -> usize;

    /// One of them.
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

/// Memory for stepping several worlds at once, and how it is done.
#[derive(Debug, Default)]
pub struct Team {
    workspaces: Vec<Workspace>,
    level: SimdLevel,
    #[cfg(target_arch = "x86_64")]
    group: Group,
}

impl Team {
    /// Makes a team that uses these vector instructions. The results are the same with all.
    pub fn new(level: SimdLevel) -> Self {
        Self { level, ..Self::default() }
    }

    /// Steps all worlds.
    pub fn step(&mut self, worlds: &mut impl Worlds, config: &StepConfig) {
        let count = worlds.count();
        if self.workspaces.len() < count {
            self.workspaces.resize_with(count, Workspace::default);
        }
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).begin_step(config, workspace);
        }
        self.solve_velocities(count, config.velocity_sweeps);
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).end_step(config, workspace);
        }
    }

    /// The sweeps over the velocities of all islands: of the first of each world together, of the others, which are few, one by one.
    fn solve_velocities(&mut self, count: usize, sweeps: u32) {
        for start in (0..count).step_by(MOST) {
            let workspaces = start..count.min(start + MOST);
            let solved = if workspaces.len() > 1 { self.solve_together(workspaces.clone(), sweeps) } else { 0 };
            for (lane, workspace) in self.workspaces[workspaces].iter_mut().enumerate() {
                let first = usize::from(solved >> lane & 1);
                workspace.islands_mut().iter_mut().skip(first).for_each(|island| island.solve_velocities(sweeps));
            }
        }
    }

    /// Solves the first islands of worlds together, and says of which.
    fn solve_together(&mut self, workspaces: Range<usize>, sweeps: u32) -> u16 {
        let has_registers = matches!(self.level, SimdLevel::Avx2(_) | SimdLevel::Avx512(_));
        #[cfg(target_arch = "x86_64")]
        if has_registers {
            return self.group.solve(&mut self.workspaces[workspaces], sweeps, self.level);
        }
        let _ = (has_registers, workspaces, sweeps);
        0
    }
}
