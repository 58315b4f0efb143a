//! Worlds that are stepped together.

use super::step::StepConfig;
use super::workspace::Workspace;
use super::world::World;

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
}

impl Team {
    /// Steps all worlds.
    pub fn step(&mut self, worlds: &mut impl Worlds, config: &StepConfig) {
        let count = worlds.count();
        if self.workspaces.len() < count {
            self.workspaces.resize_with(count, Workspace::default);
        }
        for (index, workspace) in self.workspaces[..count].iter_mut().enumerate() {
            worlds.world(index).step(config, workspace);
        }
    }
}
