//! BabyAI's levels based on `LevelGen`: missions are drawn from a grammar.

use super::super::{
    level::{
        Level, LevelClass, Preset,
        Preset::{Flag, Float, Int, Texts},
    },
    shared_options::{flag, integer},
};
use super::open::DOOR;
use super::room_grid_level::{RoomGridLevel, num_dists, room_grid_options, shape_from};
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_sim_grid_world::{
    ActionInstr, AndInstr, Color, GenError, GenResult, Instr, Kind, Loc, ObjDesc, RoomGrid, RoomIndex,
};

const fn class(name: &'static str, tasks: &'static [(&'static str, &'static [(&'static str, Preset)])]) -> LevelClass {
    LevelClass { name, mission_bytes: 512, options, level, tasks }
}

/// Classes of levels based on `LevelGen`, which differ only in names and preset options.
pub static CLASSES: [LevelClass; 8] = [
    class(
        "babyai_goto_seq",
        &[
            (
                "BabyAI-GoToSeq-v0",
                &[
                    ("action_kinds", Texts(&["goto"])),
                    ("locked_room_prob", Float(0.0)),
                    ("locations", Flag(false)),
                    ("unblocking", Flag(false)),
                ],
            ),
            (
                "BabyAI-GoToSeqS5R2-v0",
                &[
                    ("action_kinds", Texts(&["goto"])),
                    ("locked_room_prob", Float(0.0)),
                    ("locations", Flag(false)),
                    ("unblocking", Flag(false)),
                    ("room_size", Int(5)),
                    ("num_rows", Int(2)),
                    ("num_cols", Int(2)),
                    ("num_dists", Int(4)),
                ],
            ),
        ],
    ),
    class(
        "babyai_synth",
        &[
            (
                "BabyAI-Synth-v0",
                &[("instr_kinds", Texts(&["action"])), ("locations", Flag(false)), ("implicit_unlock", Flag(false))],
            ),
            (
                "BabyAI-SynthS5R2-v0",
                &[
                    ("instr_kinds", Texts(&["action"])),
                    ("locations", Flag(false)),
                    ("implicit_unlock", Flag(false)),
                    ("room_size", Int(5)),
                    ("num_rows", Int(2)),
                ],
            ),
        ],
    ),
    class(
        "babyai_synth_loc",
        &[("BabyAI-SynthLoc-v0", &[("instr_kinds", Texts(&["action"])), ("implicit_unlock", Flag(false))])],
    ),
    class("babyai_synth_seq", &[("BabyAI-SynthSeq-v0", &[("implicit_unlock", Flag(false))])]),
    class(
        "babyai_pickup_loc",
        &[(
            "BabyAI-PickupLoc-v0",
            &[
                ("action_kinds", Texts(&["pickup"])),
                ("instr_kinds", Texts(&["action"])),
                ("num_rows", Int(1)),
                ("num_cols", Int(1)),
                ("num_dists", Int(8)),
                ("locked_room_prob", Float(0.0)),
                ("unblocking", Flag(false)),
            ],
        )],
    ),
    class(
        "babyai_mini_boss_level",
        &[(
            "BabyAI-MiniBossLevel-v0",
            &[
                ("num_cols", Int(2)),
                ("num_rows", Int(2)),
                ("room_size", Int(5)),
                ("num_dists", Int(7)),
                ("locked_room_prob", Float(0.25)),
            ],
        )],
    ),
    class("babyai_boss_level", &[("BabyAI-BossLevel-v0", &[])]),
    class(
        "babyai_boss_level_no_unlock",
        &[("BabyAI-BossLevelNoUnlock-v0", &[("locked_room_prob", Float(0.0)), ("implicit_unlock", Flag(false))])],
    ),
];

fn options() -> Vec<OptionSpec> {
    let texts = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    let kinds = |name, words: &[&str], doc| OptionSpec::new(name, texts(words), doc).per_episode();
    let locked_room_prob =
        OptionSpec::new("locked_room_prob", 0.5, "probability that a room is locked").probability().per_episode();
    let options = vec![
        num_dists(18),
        locked_room_prob,
        flag("locations", true, "whether missions may mention locations"),
        flag("unblocking", true, "whether objects may block the agent's path"),
        flag("implicit_unlock", true, "whether all objects that a mission means may be in the locked room"),
        kinds("action_kinds", &["goto", "pickup", "open", "putnext"], "kinds of actions in missions"),
        kinds("instr_kinds", &["action", "and", "seq"], "kinds of missions: one action, two in any order, or a sequence"),
    ];
    [room_grid_options(), options].concat()
}

fn level(options: &Options) -> Result<Box<dyn Level>> {
    let params = LevelGenParams::new(options)?;
    let unblocking = params.unblocking;
    Ok(Box::new(RoomGridLevel { unblocking, ..RoomGridLevel::new(shape_from(options), params, gen_mission) }))
}

#[derive(Clone, Copy)]
enum ActionKind {
    GoTo,
    Pickup,
    Open,
    PutNext,
}

#[derive(Clone, Copy)]
enum InstrKind {
    Action,
    And,
    Seq,
}

struct LevelGenParams {
    num_dists: i32,
    locked_room_prob: f64,
    locations: bool,
    unblocking: bool,
    implicit_unlock: bool,
    action_kinds: Vec<ActionKind>,
    instr_kinds: Vec<InstrKind>,
}

impl LevelGenParams {
    fn new(options: &Options) -> Result<Self> {
        let action = |word: &str| match word {
            "goto" => Some(ActionKind::GoTo),
            "pickup" => Some(ActionKind::Pickup),
            "open" => Some(ActionKind::Open),
            "putnext" => Some(ActionKind::PutNext),
            _ => None,
        };
        let kind = |word: &str| match word {
            "action" => Some(InstrKind::Action),
            "and" => Some(InstrKind::And),
            "seq" => Some(InstrKind::Seq),
            _ => None,
        };
        Ok(Self {
            num_dists: integer(options, "num_dists"),
            locked_room_prob: options.float("locked_room_prob"),
            locations: options.bool("locations"),
            unblocking: options.bool("unblocking"),
            implicit_unlock: options.bool("implicit_unlock"),
            action_kinds: parse_words(
                options,
                "action_kinds",
                action,
                "a list of \"goto\", \"pickup\", \"open\" and \"putnext\"",
            )?,
            instr_kinds: parse_words(options, "instr_kinds", kind, "a list of \"action\", \"and\" and \"seq\"")?,
        })
    }
}

/// Parses each word of the option `name`, which is a list of words, with the function `parse`.
///
/// # Errors
/// `Value` for an empty list and for unknown words.
fn parse_words<T>(options: &Options, name: &str, parse: impl Fn(&str) -> Option<T>, allowed: &str) -> Result<Vec<T>> {
    let value = options.get(name);
    let parsed = match value {
        Value::Lines(words) if !words.is_empty() => words.iter().map(|word| parse(word)).collect(),
        _ => None,
    };
    parsed.ok_or_else(|| Error::value(name, value, allowed))
}

const OBJ_TYPES_NOT_DOOR: [Kind; 3] = [Kind::Box, Kind::Ball, Kind::Key];
const OBJ_TYPES: [Kind; 4] = [Kind::Box, Kind::Ball, Kind::Key, Kind::ClosedDoor];
/// Maximum number of attempts to draw a description that matches an object.
const MAX_TRIES: u32 = 100;

fn gen_mission(rooms: &mut RoomGrid<'_, '_>, params: &LevelGenParams) -> GenResult<Instr> {
    let locked = if rooms.builder.rand_float() < params.locked_room_prob { Some(add_locked_room(rooms)?) } else { None };
    rooms.connect_all(&Color::SORTED)?;
    rooms.add_distractors(None, params.num_dists, false)?;
    loop {
        rooms.builder.count_attempt()?;
        rooms.place_agent_anywhere()?;
        if Some(rooms.agent_room()) != locked {
            break;
        }
    }
    if !params.unblocking {
        rooms.check_objs_reachable()?;
    }
    let mut sampler = InstrSampler { rooms, params, locked };
    let kind = sampler.rooms.builder.rand_elem(&params.instr_kinds)?;
    match kind {
        InstrKind::Action | InstrKind::And => Ok(Instr::Single(sampler.rand_part(kind)?)),
        InstrKind::Seq => {
            let first = sampler.rand_and_instr()?;
            let second = sampler.rand_and_instr()?;
            Ok(if sampler.rooms.builder.rand_int(0, 2)? == 0 {
                Instr::Before(first, second)
            } else {
                Instr::After(first, second)
            })
        }
    }
}

fn add_locked_room(rooms: &mut RoomGrid<'_, '_>) -> GenResult<RoomIndex> {
    let (locked, side) = loop {
        rooms.builder.count_attempt()?;
        let room = rooms.rand_room()?;
        let side = rooms.builder.rand_int(0, 4)? as usize;
        if rooms.has_neighbour(room, side) {
            break (room, side);
        }
    };
    let door = rooms.add_door(locked, side, None, Some(true))?;
    let color = rooms.builder.world.object(door).cell.color();
    loop {
        rooms.builder.count_attempt()?;
        let room = rooms.rand_room()?;
        if room != locked {
            rooms.add_object(room, Some(Kind::Key), Some(color))?;
            return Ok(locked);
        }
    }
}

/// Sampler that draws missions for a world from BabyAI's grammar.
struct InstrSampler<'r, 'a, 'b> {
    rooms: &'r mut RoomGrid<'a, 'b>,
    params: &'r LevelGenParams,
    locked: Option<RoomIndex>,
}

impl InstrSampler<'_, '_, '_> {
    fn rand_and_instr(&mut self) -> GenResult<AndInstr> {
        let kind = self.rooms.builder.rand_elem(&[InstrKind::Action, InstrKind::And])?;
        self.rand_part(kind)
    }

    fn rand_part(&mut self, kind: InstrKind) -> GenResult<AndInstr> {
        Ok(match kind {
            InstrKind::And => AndInstr::Both(self.rand_action()?, self.rand_action()?),
            _ => AndInstr::One(self.rand_action()?),
        })
    }

    fn rand_action(&mut self) -> GenResult<ActionInstr> {
        Ok(match self.rooms.builder.rand_elem(&self.params.action_kinds)? {
            ActionKind::GoTo => ActionInstr::GoTo(self.rand_obj(&OBJ_TYPES)?),
            ActionKind::Pickup => ActionInstr::Pickup(self.rand_obj(&OBJ_TYPES_NOT_DOOR)?, false),
            ActionKind::Open => ActionInstr::Open(self.rand_obj(&[Kind::ClosedDoor])?, false),
            ActionKind::PutNext => ActionInstr::PutNext(self.rand_obj(&OBJ_TYPES_NOT_DOOR)?, self.rand_obj(&OBJ_TYPES)?),
        })
    }

    /// Draws a description that has one of the kinds `kinds` and matches an object of the world (`LevelGen.rand_obj`).
    ///
    /// # Errors
    /// `Rejected` after more than [`MAX_TRIES`] attempts.
    fn rand_obj(&mut self, kinds: &[Kind]) -> GenResult<ObjDesc> {
        for _ in 0..=MAX_TRIES {
            let builder = &mut *self.rooms.builder;
            let color = match builder.rand_int(0, 7)? {
                0 => None,
                number => Some(Color::SORTED[number as usize - 1]),
            };
            let kind = builder.rand_elem(kinds)?;
            let loc = if self.params.locations && builder.rand_bool() { Some(builder.rand_elem(&Loc::ALL)?) } else { None };
            let desc = ObjDesc { kind: if kind.is_door() { DOOR } else { Some(kind) }, color, loc };
            let excluded = self.locked.filter(|_| !self.params.implicit_unlock).map(|room| self.rooms.room_area(room));
            let room = self.rooms.room_area(self.rooms.agent_room());
            if desc.has_matching_obj(self.rooms.builder.world, room, |pos| !excluded.is_some_and(|area| area.contains(pos))) {
                return Ok(desc);
            }
        }
        Err(GenError::Rejected)
    }
}
