//! ObstructedMaze: a blue ball behind locked doors; balls block the doors, and the keys are in boxes.

use super::super::{
    level::{
        Level, LevelClass,
        Preset::{Flag, Int, Pair},
        TaskRow,
    },
    shared_options::{count, flag, integer},
};
use super::unlock::step_pickup;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{
    Actions, Color, DIR_TO_VEC, GenResult, Kind, Outcome, RoomGrid, RoomGridShape, RoomIndex, Target, World, WorldBuilder,
};

fn hiding_options() -> [OptionSpec; 2] {
    [flag("key_in_box", true, "whether keys lie in boxes"), flag("blocked", true, "whether balls block locked doors")]
}

/// Class of the ObstructedMaze tasks with two rooms.
pub static ONE_DOOR: LevelClass = LevelClass {
    name: "obstructed_maze_1dlhb",
    mission_bytes: 96,
    options: || hiding_options().into(),
    level: |options| Ok(Box::new(ObstructedMaze { layout: Layout::OneDoor, ..ObstructedMaze::one_door(options) })),
    tasks: &[
        ("MiniGrid-ObstructedMaze-1Dl-v0", &[("key_in_box", Flag(false)), ("blocked", Flag(false))]),
        ("MiniGrid-ObstructedMaze-1Dlh-v0", &[("blocked", Flag(false))]),
        ("MiniGrid-ObstructedMaze-1Dlhb-v0", &[]),
    ],
};

const FULL_TASKS: &[TaskRow] = &[
    (
        "MiniGrid-ObstructedMaze-2Dl-v0",
        &[
            ("agent_room", Pair(2, 1)),
            ("key_in_box", Flag(false)),
            ("blocked", Flag(false)),
            ("num_quarters", Int(1)),
            ("num_rooms_visited", Int(4)),
        ],
    ),
    (
        "MiniGrid-ObstructedMaze-2Dlh-v0",
        &[("agent_room", Pair(2, 1)), ("blocked", Flag(false)), ("num_quarters", Int(1)), ("num_rooms_visited", Int(4))],
    ),
    ("MiniGrid-ObstructedMaze-2Dlhb-v0", &[("agent_room", Pair(2, 1)), ("num_quarters", Int(1)), ("num_rooms_visited", Int(4))]),
    ("MiniGrid-ObstructedMaze-1Q-v0", &[("num_quarters", Int(1)), ("num_rooms_visited", Int(5))]),
    ("MiniGrid-ObstructedMaze-2Q-v0", &[("agent_room", Pair(2, 1)), ("num_quarters", Int(2)), ("num_rooms_visited", Int(11))]),
    ("MiniGrid-ObstructedMaze-Full-v0", &[]),
];

/// Class of the ObstructedMaze tasks with nine rooms, in which a blocking ball may replace a key (`v0`).
pub static FULL: LevelClass = LevelClass {
    name: "obstructed_maze_full",
    mission_bytes: 96,
    options: full_options,
    level: |options| Ok(Box::new(ObstructedMaze::full(options, false)?)),
    tasks: FULL_TASKS,
};

/// Class of the ObstructedMaze tasks with nine rooms in `v1`. Both doors of a room are placed before its keys, so that no ball
/// replaces a key.
pub static FULL_V1: LevelClass = LevelClass {
    name: "obstructed_maze_full_v1",
    mission_bytes: 96,
    options: full_options,
    level: |options| Ok(Box::new(ObstructedMaze::full(options, true)?)),
    tasks: &[
        (
            "MiniGrid-ObstructedMaze-2Dlhb-v1",
            &[("agent_room", Pair(2, 1)), ("num_quarters", Int(1)), ("num_rooms_visited", Int(4))],
        ),
        ("MiniGrid-ObstructedMaze-1Q-v1", &[("num_quarters", Int(1)), ("num_rooms_visited", Int(5))]),
        (
            "MiniGrid-ObstructedMaze-2Q-v1",
            &[("agent_room", Pair(2, 1)), ("num_quarters", Int(2)), ("num_rooms_visited", Int(11))],
        ),
        ("MiniGrid-ObstructedMaze-Full-v1", &[]),
    ],
};

fn full_options() -> Vec<OptionSpec> {
    let room = OptionSpec::new("agent_room", vec![1, 1], "column and row of the room where the agent starts").per_episode();
    let quarters = count("num_quarters", 4, 1, 4, "number of quarters with doors and keys");
    let num_rooms_visited = count("num_rooms_visited", 25, 1, 1000, "number of rooms that the time limit is computed from");
    [vec![room], hiding_options().into(), vec![quarters, num_rooms_visited]].concat()
}

const ROOM_SIZE: i32 = 6;
const BALL_COLOR: Color = Color::Blue;
const BLOCKING_BALL_COLOR: Color = Color::Green;
const BOX_COLOR: Color = Color::Grey;
/// Rooms next to the middle room, as (column, row); `CORNERS` are the rooms in the corners of the grid. `SIDES[i]` and
/// `CORNERS[i]` form a quarter of the maze.
const SIDES: [RoomIndex; 4] = [(2, 1), (1, 2), (0, 1), (1, 0)];
const CORNERS: [RoomIndex; 4] = [(2, 0), (2, 2), (0, 2), (0, 0)];

enum Layout {
    OneDoor,
    Full {
        agent_room: RoomIndex,
        quarters: usize,
        /// Whether both doors of a room are placed before the room's keys (`v1`), not each door before its key.
        doors_first: bool,
    },
}

struct ObstructedMaze {
    layout: Layout,
    key_in_box: bool,
    blocked: bool,
    rooms_visited: u32,
}

impl ObstructedMaze {
    fn one_door(options: &Options) -> Self {
        let (key_in_box, blocked) = (options.bool("key_in_box"), options.bool("blocked"));
        Self { layout: Layout::OneDoor, key_in_box, blocked, rooms_visited: 2 }
    }

    fn full(options: &Options, doors_first: bool) -> Result<Self> {
        let agent_room = match options.get("agent_room") {
            Value::Ints(room) if room.len() == 2 && room.iter().all(|at| (0..3).contains(at)) => (room[0] as i32, room[1] as i32),
            other => return Err(Error::value("agent_room", other, "a column and a row from 0 to 2")),
        };
        let layout = Layout::Full { agent_room, quarters: options.int("num_quarters") as usize, doors_first };
        Ok(Self { layout, rooms_visited: integer(options, "num_rooms_visited") as u32, ..Self::one_door(options) })
    }

    fn shape(&self) -> RoomGridShape {
        match self.layout {
            Layout::OneDoor => RoomGridShape { room_size: ROOM_SIZE, num_cols: 2, num_rows: 1 },
            Layout::Full { .. } => RoomGridShape { room_size: ROOM_SIZE, num_cols: 3, num_rows: 3 },
        }
    }

    fn add_locked_door(&self, rooms: &mut RoomGrid<'_, '_>, room: RoomIndex, side: usize, color: Color) -> GenResult<()> {
        let door = rooms.add_door(room, side, Some(color), Some(true))?;
        if self.blocked {
            let front_of_door = rooms.builder.world.object(door).cur_pos - DIR_TO_VEC[side];
            rooms.builder.put_new(front_of_door, Kind::Ball, BLOCKING_BALL_COLOR)?;
        }
        Ok(())
    }

    fn add_key(&self, rooms: &mut RoomGrid<'_, '_>, room: RoomIndex, color: Color) -> GenResult<()> {
        let key = rooms.builder.new_object(Kind::Key, color)?;
        let object = if self.key_in_box { rooms.builder.new_box(BOX_COLOR, key)? } else { key };
        rooms.place_in_room(room, object)
    }
}

impl Level for ObstructedMaze {
    fn size(&self) -> (i32, i32) {
        self.shape().size()
    }

    fn max_steps(&self) -> u32 {
        4 * self.rooms_visited * (ROOM_SIZE * ROOM_SIZE) as u32
    }

    fn gen_grid(&self, builder: &mut WorldBuilder<'_>) -> GenResult<()> {
        let mut rooms = RoomGrid::new(builder, self.shape())?;
        let colors = rooms.builder.rand_subset(&Color::SORTED, 6)?;
        let (ball_room, agent_room) = match self.layout {
            Layout::OneDoor => {
                self.add_locked_door(&mut rooms, (0, 0), 0, colors[0])?;
                self.add_key(&mut rooms, (0, 0), colors[0])?;
                ((1, 0), (0, 0))
            }
            Layout::Full { agent_room, quarters, doors_first } => {
                for (i, side_room) in SIDES.into_iter().take(quarters).enumerate() {
                    rooms.add_door((1, 1), i, Some(colors[i]), Some(false))?;
                    let doors = [((i + 3) % 4, colors[(i + 5) % 6]), ((i + 1) % 4, colors[(i + 1) % 6])];
                    for (side, color) in doors {
                        self.add_locked_door(&mut rooms, side_room, side, color)?;
                        if !doors_first {
                            self.add_key(&mut rooms, side_room, color)?;
                        }
                    }
                    for (_, color) in doors.into_iter().filter(|_| doors_first) {
                        self.add_key(&mut rooms, side_room, color)?;
                    }
                }
                (rooms.builder.rand_elem(&CORNERS[..quarters])?, agent_room)
            }
        };
        let ball = rooms.add_object(ball_room, Some(Kind::Ball), Some(BALL_COLOR))?;
        rooms.place_agent(agent_room)?;
        builder.world.target = Target::Object(ball);
        builder.set_mission("pick up the blue ball", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, action: Actions, _margin: i32, _random: &mut Generator) -> Outcome {
        step_pickup(world, action)
    }
}
