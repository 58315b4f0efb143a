//! Walkthrough of adding a MiniGrid level: a generated world, its mission, and a pool that plays it.
//!
//! In the level, a wall with a locked door divides a room. The agent and the key are in the left part, the goal is in the right
//! one. Views, actions, rewards, pictures and snapshots are those of every MiniGrid level.
//!
//! ```sh
//! cargo run --example minigrid_level
//! ```
//!
//! In this repository the level would be `src/envs/minigrid/levels/locked_half.rs`, and one line in
//! `src/envs/minigrid/levels/mod.rs`. A separate program needs only the code below.

use envpool_rs::engine::{Dialect, Format, OptionSpec, Outputs, Pool, PoolConfig, Registry, ResetOptions, Result, Role, Task};
use envpool_rs::envs::minigrid::{Level, LevelClass, Preset, tasks_of};
use envpool_rs::random::{Generator, RandomStream};
use envpool_rs::sim::grid_world::{Area, Cell, GenResult, Kind, MaxTries, WorldBuilder, at};

/// The level's class: name, options, and tasks with preset options.
static CLASS: LevelClass = LevelClass {
    name: "locked_half",
    // Number of bytes of a mission in EnvPool's observations, which cut longer missions.
    mission_bytes: 96,
    options: || vec![OptionSpec::new("size", 8, "cells on each side, walls included").integers(5..=50).per_episode()],
    level: |options| Ok(Box::new(LockedHalf { size: options.int("size") as i32 })),
    tasks: &[("LockedHalf-5x5-v0", &[("size", Preset::Int(5))]), ("LockedHalf-8x8-v0", &[])],
};

/// A level whose options are fixed.
struct LockedHalf {
    size: i32,
}

impl Level for LockedHalf {
    fn size(&self) -> (i32, i32) {
        (self.size, self.size)
    }

    fn max_steps(&self) -> u32 {
        10 * (self.size * self.size) as u32
    }

    /// Generates a world. All random draws come from the environment's random stream, so the same seed gives the same world.
    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(self.size, self.size);
        builder.world.grid.wall_rect(builder.area());
        builder.set(at(self.size - 2, self.size - 2), Cell::GOAL);

        let column = builder.rand_int(2, self.size - 2)?;
        builder.world.grid.vert_wall(at(column, 1), self.size - 2, Cell::WALL);
        let (row, color) = (builder.rand_int(1, self.size - 1)?, builder.rand_color());
        builder.put_new(at(column, row), Kind::LockedDoor, color)?;

        let left = Area::new(at(0, 0), column, self.size);
        builder.place_agent(left, MaxTries::Unlimited)?;
        builder.place_new(Kind::Key, color, left)?;
        builder.set_mission(format!("open the {} door and get to the goal", color.name()), 0);
        Ok(())
    }
}

fn main() -> Result<()> {
    let mut registry = Registry::default();
    registry.add(tasks_of(&CLASS));
    for task in registry.tasks() {
        println!("{:<20} {} of 64 agents reach the goal by random actions", task.id, play(task, 3_000)?);
    }
    Ok(())
}

/// Steps 64 agents with random actions. Returns the number of agents that have reached the goal at least once.
fn play(task: &Task, steps: usize) -> Result<usize> {
    const ENVS: usize = 64;
    let config = PoolConfig { max_episode_steps: task.max_episode_steps, ..PoolConfig::new(ENVS as i64)?.seed(1)? };
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pool = Pool::new(task, &task.resolve(&[])?, config, outputs)?;
    let mut batch = pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
    let (mut random, mut reached) = (Generator::from_seed(1), [false; ENVS]);
    for _ in 0..steps {
        let actions: Vec<_> = (0..ENVS).map(|_| random.integers(0, 6)).collect();
        let mut call = pool.step(None)?;
        call.set_action(0, &actions)?;
        batch = call.run(&mut Some(batch), &mut || false)?;
        let terminated: &[u8] = batch.values(Role::Terminated).expect("gymnasium's format has the flag");
        reached.iter_mut().zip(terminated).for_each(|(reached, terminated)| *reached |= *terminated != 0);
    }
    Ok(reached.into_iter().filter(|reached| *reached).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_actions_solve_small_worlds() {
        let small = &tasks_of(&CLASS)[0];
        assert!(play(small, 3_000).unwrap() > 10);
    }

    #[test]
    fn sizes_without_two_halves_are_refused() {
        let task = &tasks_of(&CLASS)[1];
        let error = task.resolve(&[("size".into(), 4.into())]).err().unwrap();
        assert_eq!(error.to_string(), "size=4: expected an integer from 5 to 50");
    }
}
