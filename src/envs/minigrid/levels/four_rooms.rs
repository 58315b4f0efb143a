//! FourRooms: four rooms with an opening between neighbouring rooms.

use super::super::{
    level::{Level, LevelClass},
    shared_options::position,
};
use envpool_rs_engine::{OptionSpec, Options, Result};
use envpool_rs_sim_grid_world::{Cell, GenResult, Point, WorldBuilder, at};

/// Class of the FourRooms levels, with its options and tasks.
pub static CLASS: LevelClass = LevelClass {
    name: "four_rooms",
    mission_bytes: 96,
    options: || {
        let pos = |name, doc| OptionSpec::optional(name, Vec::<i64>::new(), doc).per_episode();
        vec![
            pos("agent_pos", "column and row where the agent starts; None: random"),
            pos("goal_pos", "column and row of the goal; None: random"),
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
        let pos = |name| position(options, name, (SIZE, SIZE));
        Ok(Self { agent: pos("agent_pos")?, goal: pos("goal_pos")? })
    }
}

impl Level for FourRooms {
    fn size(&self) -> (i32, i32) {
        (SIZE, SIZE)
    }

    fn max_steps(&self) -> u32 {
        100
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        builder.clear(SIZE, SIZE);
        builder.world.grid.wall_rect(builder.area());
        let room = SIZE / 2;
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (left, top) = (i * room, j * room);
            let (right, bottom) = (left + room, top + room);
            if i == 0 {
                builder.world.grid.vert_wall(at(right, top), room, Cell::WALL);
                let gap = at(right, builder.rand_int(top + 1, bottom)?);
                builder.set(gap, Cell::EMPTY);
            }
            if j == 0 {
                builder.world.grid.horz_wall(at(left, bottom), room, Cell::WALL);
                let gap = at(builder.rand_int(left + 1, right)?, bottom);
                builder.set(gap, Cell::EMPTY);
            }
        }
        match self.agent {
            Some(pos) => {
                builder.set(pos, Cell::EMPTY);
                let direction = builder.rand_int(0, 4)?;
                builder.set_agent(pos, direction as u8);
            }
            None => builder.place_agent_anywhere()?,
        }
        match self.goal {
            Some(pos) => builder.set(pos, Cell::GOAL),
            None => builder.place_goal(builder.area())?,
        }
        builder.set_mission("reach the goal", 0);
        Ok(())
    }
}
