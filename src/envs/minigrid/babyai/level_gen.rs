//! Levels whose errands are drawn from a grammar.

use super::super::{
    arguments::{flag, integer},
    level::{
        Class, Level, Preset,
        Preset::{Flag, Float, Int, Texts},
    },
};
use super::lesson::{Lesson, num_dists, rooms, shape};
use super::open::DOOR;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_sim_grid_world::{Colour, Deed, Errand, Kind, Made, Part, RoomAt, Rooms, Side, Unmade, Wanted};

const fn class(name: &'static str, tasks: &'static [(&'static str, &'static [(&'static str, Preset)])]) -> Class {
    Class { name, mission_bytes: 512, options, level, tasks }
}

/// Its classes, which differ in names and presets only.
pub static CLASSES: [Class; 8] = [
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
    let kinds = |name, words: &[&str], doc| OptionSpec::new(name, texts(words), doc).each_episode();
    let chance = OptionSpec::new("locked_room_prob", 0.5, "probability that a room is locked").probability().each_episode();
    let own = vec![
        num_dists(18),
        chance,
        flag("locations", true, "whether errands may say where something lies"),
        flag("unblocking", true, "whether ways may be blocked"),
        flag("implicit_unlock", true, "whether errands may be all about what is locked in"),
        kinds("action_kinds", &["goto", "pickup", "open", "putnext"], "what may be asked for"),
        kinds("instr_kinds", &["action", "and", "seq"], "how errands may be put together"),
    ];
    [rooms(), own].concat()
}

fn level(options: &Options) -> Result<Box<dyn Level>> {
    let grammar = Grammar::new(options)?;
    let keeps_keys = grammar.unblocking;
    Ok(Box::new(Lesson { keeps_keys, ..Lesson::new(shape(options), grammar, boss) }))
}

#[derive(Clone, Copy)]
enum Action {
    GoTo,
    PickUp,
    Open,
    PutNext,
}

#[derive(Clone, Copy)]
enum Form {
    Action,
    And,
    Sequence,
}

struct Grammar {
    dists: i32,
    locked_room: f64,
    locations: bool,
    unblocking: bool,
    implicit_unlock: bool,
    actions: Vec<Action>,
    forms: Vec<Form>,
}

impl Grammar {
    fn new(options: &Options) -> Result<Self> {
        let action = |word: &str| match word {
            "goto" => Some(Action::GoTo),
            "pickup" => Some(Action::PickUp),
            "open" => Some(Action::Open),
            "putnext" => Some(Action::PutNext),
            _ => None,
        };
        let form = |word: &str| match word {
            "action" => Some(Form::Action),
            "and" => Some(Form::And),
            "seq" => Some(Form::Sequence),
            _ => None,
        };
        Ok(Self {
            dists: integer(options, "num_dists"),
            locked_room: options.float("locked_room_prob"),
            locations: options.bool("locations"),
            unblocking: options.bool("unblocking"),
            implicit_unlock: options.bool("implicit_unlock"),
            actions: words(options, "action_kinds", action, "a list of \"goto\", \"pickup\", \"open\" and \"putnext\"")?,
            forms: words(options, "instr_kinds", form, "a list of \"action\", \"and\" and \"seq\"")?,
        })
    }
}

/// The words of a list, each as what it stands for.
fn words<T>(options: &Options, name: &str, meaning: impl Fn(&str) -> Option<T>, allowed: &str) -> Result<Vec<T>> {
    let value = options.get(name);
    let meant = match value {
        Value::Lines(words) if !words.is_empty() => words.iter().map(|word| meaning(word)).collect(),
        _ => None,
    };
    meant.ok_or_else(|| Error::value(name, value, allowed))
}

const THINGS: [Kind; 3] = [Kind::Box, Kind::Ball, Kind::Key];
const ANYTHING: [Kind; 4] = [Kind::Box, Kind::Ball, Kind::Key, Kind::ClosedDoor];
/// Attempts to think of something that there is.
const MOST_IDEAS: u32 = 100;

fn boss(rooms: &mut Rooms<'_, '_>, grammar: &Grammar) -> Made<Errand> {
    let locked = if rooms.site.share() < grammar.locked_room { Some(add_locked_room(rooms)?) } else { None };
    rooms.connect_all(&Colour::SORTED)?;
    rooms.add_distractors(None, grammar.dists, false)?;
    loop {
        rooms.site.try_again()?;
        rooms.place_agent_anywhere()?;
        if Some(rooms.agents_room()) != locked {
            break;
        }
    }
    if !grammar.unblocking {
        rooms.check_reach()?;
    }
    let mut author = Author { rooms, grammar, locked };
    let form = author.rooms.site.one_of(&grammar.forms)?;
    match form {
        Form::Action | Form::And => Ok(Errand::Only(author.part(form)?)),
        Form::Sequence => {
            let first = author.any_part()?;
            let second = author.any_part()?;
            Ok(if author.rooms.site.integer(0, 2)? == 0 { Errand::Before(first, second) } else { Errand::After(first, second) })
        }
    }
}

fn add_locked_room(rooms: &mut Rooms<'_, '_>) -> Made<RoomAt> {
    let (locked, side) = loop {
        rooms.site.try_again()?;
        let room = rooms.any_room()?;
        let side = rooms.site.integer(0, 4)? as usize;
        if rooms.has_neighbour(room, side) {
            break (room, side);
        }
    };
    let door = rooms.add_door(locked, side, None, Some(true))?;
    let colour = rooms.site.world.object(door).look.colour();
    loop {
        rooms.site.try_again()?;
        let room = rooms.any_room()?;
        if room != locked {
            rooms.add_object(room, Some(Kind::Key), Some(colour))?;
            return Ok(locked);
        }
    }
}

/// Who thinks up errands in a world.
struct Author<'r, 'a, 'b> {
    rooms: &'r mut Rooms<'a, 'b>,
    grammar: &'r Grammar,
    locked: Option<RoomAt>,
}

impl Author<'_, '_, '_> {
    fn any_part(&mut self) -> Made<Part> {
        let form = self.rooms.site.one_of(&[Form::Action, Form::And])?;
        self.part(form)
    }

    fn part(&mut self, form: Form) -> Made<Part> {
        Ok(match form {
            Form::And => Part::Both(self.deed()?, self.deed()?),
            _ => Part::One(self.deed()?),
        })
    }

    fn deed(&mut self) -> Made<Deed> {
        Ok(match self.rooms.site.one_of(&self.grammar.actions)? {
            Action::GoTo => Deed::GoTo(self.something(&ANYTHING)?),
            Action::PickUp => Deed::PickUp(self.something(&THINGS)?, false),
            Action::Open => Deed::Open(self.something(&[Kind::ClosedDoor])?, false),
            Action::PutNext => Deed::PutNext(self.something(&THINGS)?, self.something(&ANYTHING)?),
        })
    }

    /// Something that there is, of one of these kinds.
    fn something(&mut self, kinds: &[Kind]) -> Made<Wanted> {
        for _ in 0..=MOST_IDEAS {
            let site = &mut *self.rooms.site;
            let colour = match site.integer(0, 7)? {
                0 => None,
                number => Some(Colour::SORTED[number as usize - 1]),
            };
            let kind = site.one_of(kinds)?;
            let side = if self.grammar.locations && site.flag() { Some(site.one_of(&Side::ALL)?) } else { None };
            let wanted = Wanted { kind: if kind.is_door() { DOOR } else { Some(kind) }, colour, side };
            let hidden = self.locked.filter(|_| !self.grammar.implicit_unlock).map(|room| self.rooms.area(room));
            let room = self.rooms.area(self.rooms.agents_room());
            if wanted.is_found(self.rooms.site.world, room, |cell| !hidden.is_some_and(|area| area.contains(cell))) {
                return Ok(wanted);
            }
        }
        Err(Unmade::Rejected)
    }
}
