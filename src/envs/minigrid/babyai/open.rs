//! BabyAI's Open levels (`open.py`): the agent must open doors.

use super::super::{
    level::{
        LevelClass,
        Preset::{Flag, Int, Text},
    },
    shared_options::{count, flag},
};
use super::{
    go_to::{NINE_ROOMS, obj_desc},
    room_grid_level::{RoomGridLevel, room_grid_options, shape_from},
};
use envpool_rs_engine::{OptionSpec, Options};
use envpool_rs_sim_grid_world::{
    ActionInstr, AndInstr, Color, GenResult, Instr, Kind, Loc, ObjDesc, ObjectId, Passage, RoomGrid, RoomGridShape, RoomIndex,
};

/// Classes of BabyAI's Open levels, with their options and tasks.
pub static CLASSES: [LevelClass; 5] = [
    LevelClass {
        name: "babyai_open",
        mission_bytes: 512,
        options: room_grid_options,
        level: |options| Ok(Box::new(RoomGridLevel::new(shape_from(options), (), any_door))),
        tasks: &[("BabyAI-Open-v0", &[])],
    },
    LevelClass {
        name: "babyai_open_red_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(RoomGridLevel::new(RoomGridShape { room_size: 5, num_cols: 2, num_rows: 1 }, (), red_door))),
        tasks: &[("BabyAI-OpenRedDoor-v0", &[])],
    },
    LevelClass {
        name: "babyai_open_door",
        mission_bytes: 512,
        options: || {
            let by = "how the mission describes the door; None: random";
            let select_by = OptionSpec::optional("select_by", "color", by).one_of(&["color", "loc"]).per_episode();
            vec![flag("debug", false, "whether opening another door ends the episode"), select_by]
        },
        level: |options| {
            let select_by = options.text("select_by").map(|by| by == "loc");
            Ok(Box::new(RoomGridLevel::new(NINE_ROOMS, (options.bool("debug"), select_by), one_of_four)))
        },
        tasks: &[
            ("BabyAI-OpenDoor-v0", &[]),
            ("BabyAI-OpenDoorDebug-v0", &[("debug", Flag(true))]),
            ("BabyAI-OpenDoorColor-v0", &[("select_by", Text("color"))]),
            ("BabyAI-OpenDoorLoc-v0", &[("select_by", Text("loc"))]),
        ],
    },
    LevelClass {
        name: "babyai_open_two_doors",
        mission_bytes: 512,
        options: || {
            let names = &["red", "green", "blue", "purple", "yellow", "grey"];
            let color = |name, doc| OptionSpec::optional(name, "red", doc).one_of(names).per_episode();
            vec![
                color("first_color", "colour of the first door; None: random"),
                color("second_color", "colour of the second door; None: random"),
                flag("strict", false, "whether opening another door than the first ends the episode"),
            ]
        },
        level: |options| {
            let choices = (color(options, "first_color"), color(options, "second_color"), options.bool("strict"));
            Ok(Box::new(
                RoomGridLevel::new(RoomGridShape { room_size: 6, ..NINE_ROOMS }, choices, two_doors).with_max_steps_per_cell(20),
            ))
        },
        tasks: &[
            ("BabyAI-OpenTwoDoors-v0", &[]),
            ("BabyAI-OpenRedBlueDoors-v0", &[("first_color", Text("red")), ("second_color", Text("blue"))]),
            (
                "BabyAI-OpenRedBlueDoorsDebug-v0",
                &[("first_color", Text("red")), ("second_color", Text("blue")), ("strict", Flag(true))],
            ),
        ],
    },
    LevelClass {
        name: "babyai_open_doors_order",
        mission_bytes: 512,
        options: || {
            vec![count("num_doors", 2, 2, 4, "doors"), flag("debug", false, "whether opening a wrong door ends the episode")]
        },
        level: |options| {
            let choices = (options.int("num_doors") as usize, options.bool("debug"));
            Ok(Box::new(
                RoomGridLevel::new(RoomGridShape { room_size: 6, ..NINE_ROOMS }, choices, in_order).with_max_steps_per_cell(20),
            ))
        },
        tasks: &[
            ("BabyAI-OpenDoorsOrderN2-v0", &[]),
            ("BabyAI-OpenDoorsOrderN4-v0", &[("num_doors", Int(4))]),
            ("BabyAI-OpenDoorsOrderN2Debug-v0", &[("debug", Flag(true))]),
            ("BabyAI-OpenDoorsOrderN4Debug-v0", &[("debug", Flag(true)), ("num_doors", Int(4))]),
        ],
    },
];

const MIDDLE: RoomIndex = (1, 1);
/// Kind in a description that matches doors in any state: open, closed and locked.
pub const DOOR: Option<Kind> = Some(Kind::ClosedDoor);

fn color(options: &Options, name: &str) -> Option<Color> {
    options.text(name).and_then(Color::from_name)
}

fn any_door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Color::SORTED)?;
    rooms.add_distractors(None, 18, false)?;
    rooms.check_objs_reachable()?;
    // `doors` contains each door twice, once for each of the two rooms that it connects.
    let sides = rooms.rooms_by_column().flat_map(|room| rooms.passages(room));
    let doors: Vec<ObjectId> = sides.filter_map(|side| if let Passage::Door(id) = side { Some(id) } else { None }).collect();
    let door = rooms.builder.rand_elem(&doors)?;
    Ok(ActionInstr::Open(obj_desc(rooms, door), false).into())
}

fn red_door(rooms: &mut RoomGrid<'_, '_>, (): &()) -> GenResult<Instr> {
    rooms.add_door((0, 0), 0, Some(Color::Red), Some(false))?;
    rooms.place_agent((0, 0))?;
    Ok(ActionInstr::Open(ObjDesc::new(DOOR, Some(Color::Red)), false).into())
}

fn one_of_four(rooms: &mut RoomGrid<'_, '_>, (strict, by_side): &(bool, Option<bool>)) -> GenResult<Instr> {
    let colors = rooms.builder.rand_subset(&Color::SORTED, 4)?;
    for (side, color) in colors.iter().enumerate() {
        rooms.add_door(MIDDLE, side, Some(*color), Some(false))?;
    }
    let by_side = match by_side {
        Some(by_side) => *by_side,
        None => rooms.builder.rand_elem(&[false, true])?,
    };
    let desc = if by_side {
        ObjDesc { loc: Some(rooms.builder.rand_elem(&Loc::ALL)?), ..ObjDesc::new(DOOR, None) }
    } else {
        ObjDesc::new(DOOR, Some(colors[0]))
    };
    rooms.place_agent(MIDDLE)?;
    Ok(ActionInstr::Open(desc, *strict).into())
}

fn two_doors(rooms: &mut RoomGrid<'_, '_>, (first, second, strict): &(Option<Color>, Option<Color>, bool)) -> GenResult<Instr> {
    let drawn = rooms.builder.rand_subset(&Color::SORTED, 2)?;
    let (first, second) = (first.unwrap_or(drawn[0]), second.unwrap_or(drawn[1]));
    rooms.add_door(MIDDLE, 2, Some(first), Some(false))?;
    rooms.add_door(MIDDLE, 0, Some(second), Some(false))?;
    rooms.place_agent(MIDDLE)?;
    let open = |color, strict| AndInstr::One(ActionInstr::Open(ObjDesc::new(DOOR, Some(color)), strict));
    Ok(Instr::Before(open(first, *strict), open(second, false)))
}

fn in_order(rooms: &mut RoomGrid<'_, '_>, (count, strict): &(usize, bool)) -> GenResult<Instr> {
    let colors = rooms.builder.rand_subset(&Color::SORTED, *count)?;
    for color in &colors {
        rooms.add_rand_door(MIDDLE, Some(*color), Some(false))?;
    }
    rooms.place_agent(MIDDLE)?;
    let chosen = rooms.builder.rand_subset(&colors, 2)?;
    let [first, second] =
        [chosen[0], chosen[1]].map(|color| AndInstr::One(ActionInstr::Open(ObjDesc::new(DOOR, Some(color)), *strict)));
    Ok(match rooms.builder.rand_int(0, 3)? {
        0 => Instr::Single(first),
        1 => Instr::Before(first, second),
        _ => Instr::After(first, second),
    })
}
