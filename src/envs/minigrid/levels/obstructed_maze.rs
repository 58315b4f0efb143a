//! A blue ball behind locked doors, with balls before them and their keys in boxes.

use super::super::{
    arguments::{count, flag, integer},
    level::{
        Class, Level,
        Preset::{Flag, Int, Pair},
        Row,
    },
};
use super::unlock::step_until_carried;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_numeric::random::Generator;
use envpool_rs_sim_grid_world::{Act, Colour, Kind, Made, Outcome, Quest, RoomAt, Rooms, Shape, Site, WAYS, World};

fn hiding() -> [OptionSpec; 2] {
    [flag("key_in_box", true, "whether keys lie in boxes"), flag("blocked", true, "whether balls lie before locked doors")]
}

/// Two rooms.
pub static ONE_DOOR: Class = Class {
    name: "obstructed_maze_1dlhb",
    mission_bytes: 96,
    options: || hiding().into(),
    level: |options| Ok(Box::new(ObstructedMaze { plan: Plan::OneDoor, ..ObstructedMaze::hiding(options) })),
    tasks: &[
        ("MiniGrid-ObstructedMaze-1Dl-v0", &[("key_in_box", Flag(false)), ("blocked", Flag(false))]),
        ("MiniGrid-ObstructedMaze-1Dlh-v0", &[("blocked", Flag(false))]),
        ("MiniGrid-ObstructedMaze-1Dlhb-v0", &[]),
    ],
};

const FULL_TASKS: &[Row] = &[
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

/// Nine rooms, in which a ball may come to lie where a key was.
pub static FULL: Class = Class {
    name: "obstructed_maze_full",
    mission_bytes: 96,
    options: full_options,
    level: |options| Ok(Box::new(ObstructedMaze::full(options, false)?)),
    tasks: FULL_TASKS,
};

/// Nine rooms, all doors first.
pub static FULL_1: Class = Class {
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
    let room = OptionSpec::new("agent_room", vec![1, 1], "column and row of the room where the agent starts").each_episode();
    let quarters = count("num_quarters", 4, 1, 4, "quarters of the maze that are open");
    let visited = count("num_rooms_visited", 25, 1, 1000, "rooms that the time limit is reckoned by");
    [vec![room], hiding().into(), vec![quarters, visited]].concat()
}

const ROOM: i32 = 6;
const BALL: Colour = Colour::Blue;
const BLOCKING_BALL: Colour = Colour::Green;
const BOX: Colour = Colour::Grey;
/// Rooms beside the middle one, and those in the corners between them, in the order in which quarters are opened.
const SIDES: [RoomAt; 4] = [(2, 1), (1, 2), (0, 1), (1, 0)];
const CORNERS: [RoomAt; 4] = [(2, 0), (2, 2), (0, 2), (0, 0)];

enum Plan {
    OneDoor,
    Full {
        agent_room: RoomAt,
        quarters: usize,
        /// Whether both doors of a room come before both keys.
        doors_first: bool,
    },
}

struct ObstructedMaze {
    plan: Plan,
    key_in_box: bool,
    blocked: bool,
    rooms_visited: u32,
}

impl ObstructedMaze {
    fn hiding(options: &Options) -> Self {
        let (key_in_box, blocked) = (options.bool("key_in_box"), options.bool("blocked"));
        Self { plan: Plan::OneDoor, key_in_box, blocked, rooms_visited: 2 }
    }

    fn full(options: &Options, doors_first: bool) -> Result<Self> {
        let agent_room = match options.get("agent_room") {
            Value::Ints(room) if room.len() == 2 && room.iter().all(|at| (0..3).contains(at)) => (room[0] as i32, room[1] as i32),
            other => return Err(Error::value("agent_room", other, "a column and a row from 0 to 2")),
        };
        let plan = Plan::Full { agent_room, quarters: options.int("num_quarters") as usize, doors_first };
        Ok(Self { plan, rooms_visited: integer(options, "num_rooms_visited") as u32, ..Self::hiding(options) })
    }

    fn shape(&self) -> Shape {
        match self.plan {
            Plan::OneDoor => Shape { room: ROOM, columns: 2, rows: 1 },
            Plan::Full { .. } => Shape { room: ROOM, columns: 3, rows: 3 },
        }
    }

    fn add_locked_door(&self, rooms: &mut Rooms<'_, '_>, room: RoomAt, side: usize, colour: Colour) -> Made<()> {
        let door = rooms.add_door(room, side, Some(colour), Some(true))?;
        if self.blocked {
            let before = rooms.site.world.object(door).place - WAYS[side];
            rooms.site.put(before, Kind::Ball, BLOCKING_BALL)?;
        }
        Ok(())
    }

    fn add_key(&self, rooms: &mut Rooms<'_, '_>, room: RoomAt, colour: Colour) -> Made<()> {
        let key = rooms.site.object(Kind::Key, colour)?;
        let thing = if self.key_in_box { rooms.site.box_with(BOX, key)? } else { key };
        rooms.place(room, thing)
    }
}

impl Level for ObstructedMaze {
    fn size(&self) -> (i32, i32) {
        self.shape().size()
    }

    fn max_steps(&self) -> u32 {
        4 * self.rooms_visited * (ROOM * ROOM) as u32
    }

    fn make(&self, site: &mut Site<'_>) -> Made<()> {
        let mut rooms = Rooms::new(site, self.shape())?;
        let colours = rooms.site.some_of(&Colour::SORTED, 6)?;
        let (ball_room, agent_room) = match self.plan {
            Plan::OneDoor => {
                self.add_locked_door(&mut rooms, (0, 0), 0, colours[0])?;
                self.add_key(&mut rooms, (0, 0), colours[0])?;
                ((1, 0), (0, 0))
            }
            Plan::Full { agent_room, quarters, doors_first } => {
                for (i, side_room) in SIDES.into_iter().take(quarters).enumerate() {
                    rooms.add_door((1, 1), i, Some(colours[i]), Some(false))?;
                    let doors = [((i + 3) % 4, colours[(i + 5) % 6]), ((i + 1) % 4, colours[(i + 1) % 6])];
                    for (side, colour) in doors {
                        self.add_locked_door(&mut rooms, side_room, side, colour)?;
                        if !doors_first {
                            self.add_key(&mut rooms, side_room, colour)?;
                        }
                    }
                    for (_, colour) in doors.into_iter().filter(|_| doors_first) {
                        self.add_key(&mut rooms, side_room, colour)?;
                    }
                }
                (rooms.site.one_of(&CORNERS[..quarters])?, agent_room)
            }
        };
        let ball = rooms.add_object(ball_room, Some(Kind::Ball), Some(BALL))?;
        rooms.place_agent(agent_room)?;
        site.world.quest = Quest::Object(ball);
        site.tell("pick up the blue ball", 0);
        Ok(())
    }

    fn step(&self, world: &mut World, act: Act, _margin: i32, _random: &mut Generator) -> Outcome {
        step_until_carried(world, act)
    }
}
