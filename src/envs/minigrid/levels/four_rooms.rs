//! Four rooms with a gap between any two neighbours.

use super::super::{
    arguments::cell,
    level::{Class, Level},
};
use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_sim_grid_world::{Look, Made, Point, Site, at};

/// Its tasks.
pub static CLASS: Class = Class {
    name: "four_rooms",
    mission_bytes: 96,
    options: || {
        let place = |name, doc| OptionSpec::optional(name, Vec::<i64>::new(), doc).each_episode();
        vec![
            place("agent_pos", "column and row where the agent starts; None: anywhere"),
            place("goal_pos", "column and row of the goal; None: anywhere"),
        ]
    },
    level: |options| Ok(Box::new(FourRooms::new(options)?)),
    tasks: &[("MiniGrid-FourRooms-v0", &[])],
};

const SIZE: i32 = 19;

struct FourRooms {
    agent: Option<Point>,
    goal: Option<Point>,
}

impl FourRooms {
    fn new(options: &Options) -> Result<Self> {
        let place = |name| cell(options, name, (SIZE, SIZE));
        Ok(Self { agent: place("agent_pos")?, goal: place("goal_pos")? })
    }
}

impl Level for FourRooms {
    fn size(&self) -> (i32, i32) {
        (SIZE, SIZE)
    }

    fn max_steps(&self) -> u32 {
        100
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        site.clear(SIZE, SIZE);
        site.world.grid.wall_around(site.area());
        let room = SIZE / 2;
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (left, top) = (i * room, j * room);
            let (right, bottom) = (left + room, top + room);
            if i == 0 {
                site.world.grid.column_of(at(right, top), room, Look::WALL);
                let gap = at(right, site.integer(top + 1, bottom)?);
                site.set(gap, Look::EMPTY);
            }
            if j == 0 {
                site.world.grid.row_of(at(left, bottom), room, Look::WALL);
                let gap = at(site.integer(left + 1, right)?, bottom);
                site.set(gap, Look::EMPTY);
            }
        }
        match self.agent {
            Some(place) => {
                site.set(place, Look::EMPTY);
                let direction = site.integer(0, 4)?;
                site.set_agent(place, direction as u8);
            }
            None => site.place_agent_anywhere()?,
        }
        match self.goal {
            Some(place) => site.set(place, Look::GOAL),
            None => site.place_goal(site.area())?,
        }
        site.tell("reach the goal", 0);
        Ok(())
    }
}
