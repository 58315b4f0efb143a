//! Levels in which doors are to be opened.

use super::super::{
    arguments::{count, flag},
    level::{
        Class,
        Preset::{Flag, Int, Text},
    },
};
use super::{
    go_to::{NINE, like},
    lesson::{Lesson, rooms, shape},
};
use envpool_rs_engine::{OptionSpec, Options};
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Id, Kind, Made, Part, Passage, RoomAt, Rooms, Shape, Side, Wanted};

/// Its classes.
pub static CLASSES: [Class; 5] = [
    Class {
        name: "babyai_open",
        mission_bytes: 512,
        options: rooms,
        level: |options| Ok(Box::new(Lesson::new(shape(options), (), any_door))),
        tasks: &[("BabyAI-Open-v0", &[])],
    },
    Class {
        name: "babyai_open_red_door",
        mission_bytes: 512,
        options: Vec::new,
        level: |_| Ok(Box::new(Lesson::new(Shape { room: 5, columns: 2, rows: 1 }, (), red_door))),
        tasks: &[("BabyAI-OpenRedDoor-v0", &[])],
    },
    Class {
        name: "babyai_open_door",
        mission_bytes: 512,
        options: || {
            let by = "what the door is known by; None: drawn";
            let select_by = OptionSpec::optional("select_by", "color", by).one_of(&["color", "loc"]).each_episode();
            vec![flag("debug", false, "whether opening another door ends the episode"), select_by]
        },
        level: |options| {
            let select_by = options.text("select_by").map(|by| by == "loc");
            Ok(Box::new(Lesson::new(NINE, (options.bool("debug"), select_by), one_of_four)))
        },
        tasks: &[
            ("BabyAI-OpenDoor-v0", &[]),
            ("BabyAI-OpenDoorDebug-v0", &[("debug", Flag(true))]),
            ("BabyAI-OpenDoorColor-v0", &[("select_by", Text("color"))]),
            ("BabyAI-OpenDoorLoc-v0", &[("select_by", Text("loc"))]),
        ],
    },
    Class {
        name: "babyai_open_two_doors",
        mission_bytes: 512,
        options: || {
            let names = &["red", "green", "blue", "purple", "yellow", "grey"];
            let colour = |name, doc| OptionSpec::optional(name, "red", doc).one_of(names).each_episode();
            vec![
                colour("first_color", "colour of the first door; None: drawn"),
                colour("second_color", "colour of the second door; None: drawn"),
                flag("strict", false, "whether opening another door than the first ends the episode"),
            ]
        },
        level: |options| {
            let choices = (colour(options, "first_color"), colour(options, "second_color"), options.bool("strict"));
            Ok(Box::new(Lesson::new(Shape { room: 6, ..NINE }, choices, two_doors).steps(20)))
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
    Class {
        name: "babyai_open_doors_order",
        mission_bytes: 512,
        options: || {
            vec![count("num_doors", 2, 2, 4, "doors"), flag("debug", false, "whether opening a wrong door ends the episode")]
        },
        level: |options| {
            let choices = (options.int("num_doors") as usize, options.bool("debug"));
            Ok(Box::new(Lesson::new(Shape { room: 6, ..NINE }, choices, in_order).steps(20)))
        },
        tasks: &[
            ("BabyAI-OpenDoorsOrderN2-v0", &[]),
            ("BabyAI-OpenDoorsOrderN4-v0", &[("num_doors", Int(4))]),
            ("BabyAI-OpenDoorsOrderN2Debug-v0", &[("debug", Flag(true))]),
            ("BabyAI-OpenDoorsOrderN4Debug-v0", &[("debug", Flag(true)), ("num_doors", Int(4))]),
        ],
    },
];

const MIDDLE: RoomAt = (1, 1);
/// Any door.
pub const DOOR: Option<Kind> = Some(Kind::ClosedDoor);

fn colour(options: &Options, name: &str) -> Option<Colour> {
    options.text(name).and_then(Colour::named)
}

fn any_door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.place_agent_anywhere()?;
    rooms.connect_all(&Colour::SORTED)?;
    rooms.add_distractors(None, 18, false)?;
    rooms.check_reach()?;
    // Each door twice, once for either of its rooms.
    let sides = rooms.all_by_column().flat_map(|room| rooms.passages(room));
    let doors: Vec<Id> = sides.filter_map(|side| if let Passage::Door(id) = side { Some(id) } else { None }).collect();
    let door = rooms.site.one_of(&doors)?;
    Ok(Deed::Open(like(rooms, door), false).into())
}

fn red_door(rooms: &mut Rooms<'_, '_>, (): &()) -> Made<Errand> {
    rooms.add_door((0, 0), 0, Some(Colour::Red), Some(false))?;
    rooms.place_agent((0, 0))?;
    Ok(Deed::Open(Wanted::new(DOOR, Some(Colour::Red)), false).into())
}

fn one_of_four(rooms: &mut Rooms<'_, '_>, (strict, by_side): &(bool, Option<bool>)) -> Made<Errand> {
    let colours = rooms.site.some_of(&Colour::SORTED, 4)?;
    for (side, colour) in colours.iter().enumerate() {
        rooms.add_door(MIDDLE, side, Some(*colour), Some(false))?;
    }
    let by_side = match by_side {
        Some(by_side) => *by_side,
        None => rooms.site.one_of(&[false, true])?,
    };
    let wanted = if by_side {
        Wanted { side: Some(rooms.site.one_of(&Side::ALL)?), ..Wanted::new(DOOR, None) }
    } else {
        Wanted::new(DOOR, Some(colours[0]))
    };
    rooms.place_agent(MIDDLE)?;
    Ok(Deed::Open(wanted, *strict).into())
}

fn two_doors(rooms: &mut Rooms<'_, '_>, (first, second, strict): &(Option<Colour>, Option<Colour>, bool)) -> Made<Errand> {
    let drawn = rooms.site.some_of(&Colour::SORTED, 2)?;
    let (first, second) = (first.unwrap_or(drawn[0]), second.unwrap_or(drawn[1]));
    rooms.add_door(MIDDLE, 2, Some(first), Some(false))?;
    rooms.add_door(MIDDLE, 0, Some(second), Some(false))?;
    rooms.place_agent(MIDDLE)?;
    let open = |colour, strict| Part::One(Deed::Open(Wanted::new(DOOR, Some(colour)), strict));
    Ok(Errand::Before(open(first, *strict), open(second, false)))
}

fn in_order(rooms: &mut Rooms<'_, '_>, (count, strict): &(usize, bool)) -> Made<Errand> {
    let colours = rooms.site.some_of(&Colour::SORTED, *count)?;
    for colour in &colours {
        rooms.add_any_door(MIDDLE, Some(*colour), Some(false))?;
    }
    rooms.place_agent(MIDDLE)?;
    let chosen = rooms.site.some_of(&colours, 2)?;
    let [first, second] = [chosen[0], chosen[1]].map(|colour| Part::One(Deed::Open(Wanted::new(DOOR, Some(colour)), *strict)));
    Ok(match rooms.site.integer(0, 3)? {
        0 => Errand::Only(first),
        1 => Errand::Before(first, second),
        _ => Errand::After(first, second),
    })
}
