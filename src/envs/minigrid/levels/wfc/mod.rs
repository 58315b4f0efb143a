//! Mazes, rooms and obstacles that wave function collapse generates from a sample picture; the goal is somewhere in the world.
//!
//! Worlds equal those of minigrid 3.2.0 with networkx 3.6 on CPython 3.11 to 3.14, whose iteration order of sets decides where
//! the agent starts. The reference takes 0.1 to 3 seconds for a reset, this module about a millisecond.

mod component;
mod patterns;
mod presets;
mod tuple_set;
mod wave;

#[cfg(test)]
mod tests;

use super::super::{
    arguments::{flag, integer, size},
    level::{Class, Level, Preset::Text},
};
use envpool_rs_engine::{OptionSpec, Options, Result, Value};
use envpool_rs_sim_grid_world::{Look, Made, Site, Unmade, at};
use patterns::Catalogue;
use presets::{NAMES, Preset};

/// The option for the sample: minigrid's name, and EnvPool's.
const SAMPLE: [&str; 2] = ["wfc_config", "wfc_preset"];
/// Collapses that may end in a contradiction before the reference gives up.
const ATTEMPTS: u32 = 1000;

/// Its tasks.
pub static CLASS: Class = Class {
    name: "wfc",
    mission_bytes: 96,
    options: || {
        let doc = "the sample picture, by the name of minigrid's preset";
        let other = OptionSpec::optional(SAMPLE[1], NAMES[0], "EnvPool's name for the option before it; None: as that says");
        vec![
            OptionSpec::new(SAMPLE[0], NAMES[0], doc).one_of(&NAMES),
            other.one_of(&NAMES),
            size(25, 3),
            flag("ensure_connected", true, "whether all but the largest connected part of the world becomes wall"),
        ]
    },
    level: |options| Ok(Box::new(Wfc::new(options)?)),
    tasks: &[
        ("MiniGrid-WFC-MazeSimple-v0", &[(SAMPLE[0], Text("MazeSimple"))]),
        ("MiniGrid-WFC-DungeonMazeScaled-v0", &[(SAMPLE[0], Text("DungeonMazeScaled"))]),
        ("MiniGrid-WFC-RoomsFabric-v0", &[(SAMPLE[0], Text("RoomsFabric"))]),
        ("MiniGrid-WFC-ObstaclesBlackdots-v0", &[(SAMPLE[0], Text("ObstaclesBlackdots"))]),
        ("MiniGrid-WFC-ObstaclesAngular-v0", &[(SAMPLE[0], Text("ObstaclesAngular"))]),
        ("MiniGrid-WFC-ObstaclesHogs3-v0", &[(SAMPLE[0], Text("ObstaclesHogs3"))]),
    ],
};

struct Wfc {
    preset: &'static Preset,
    catalogue: Catalogue,
    size: i32,
    ensure_connected: bool,
}

impl Wfc {
    fn new(options: &Options) -> Result<Self> {
        let name = match options.get(SAMPLE[1]) {
            Value::Text(name) => Some(name.as_str()),
            _ => options.text(SAMPLE[0]),
        };
        let preset = name.and_then(presets::named).expect("the options allow the presets' names only");
        Ok(Self {
            preset,
            catalogue: preset.catalogue(),
            size: integer(options, "size"),
            ensure_connected: options.bool("ensure_connected"),
        })
    }
}

impl Level for Wfc {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        20 * self.size as u32
    }

    fn resets_fast(&self) -> bool {
        false
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let side = self.size as usize - 2;
        let is_free = wave::collapse(&self.catalogue, side, self.preset.is_periodic, ATTEMPTS, site)?;
        let nodes = match self.ensure_connected {
            true => component::largest(&is_free, side).ok_or(Unmade::Rejected)?,
            false => (0..is_free.len()).filter(|cell| is_free[*cell]).collect(),
        };
        site.clear(self.size, self.size);
        site.world.grid.cells().for_each(|cell| site.set(cell, Look::WALL));
        // The first index of a pattern's cell is the column.
        let cell = |node: usize| at((node / side) as i32 + 1, (node % side) as i32 + 1);
        nodes.iter().for_each(|node| site.set(cell(*node), Look::EMPTY));
        let order = site.permutation(nodes.len());
        let [start, goal, ..] = order[..] else { return Err(Unmade::Rejected) };
        site.set(cell(nodes[goal]), Look::GOAL);
        let direction = site.integer(0, 4)? as u8;
        site.set_agent(cell(nodes[start]), direction);
        site.tell("traverse the maze to get to the goal", 0);
        Ok(())
    }
}
