//! Plays a cartridge with a file of actions, and writes what is seen after each step.
//!
//! ```text
//! atari_trace ROM ACTIONS OUT [NAME=VALUE...]
//! ```
//!
//! | option | |
//! |---|---|
//! | `mode`, `difficulty` | the game's defaults, if not given |
//! | `skip` | frames of a step that is one action of the console |
//! | `frames`, `shown` | a step is `Console::play` with these instead |
//! | `sticky`, `seed` | probability that an action goes on, and the seed of that chance |
//! | `translate` | 0: the program is interpreted, and not translated into machine code |
//! | `averaged` | 1: the screens are those of `Console::screen_averaged` |
//! | `dump` | writes the screen of this entry into `OUT.screen` |
//!
//! `ACTIONS` holds a byte for each step: an action's number, or 255 for a reset. The first reset is implied; a step after
//! the game's end resets. For each of them `OUT` gets 148 bytes:
//!
//! | bytes | |
//! |---|---|
//! | 0 | reward (i32, little-endian) |
//! | 4 | lives (i32) |
//! | 8 | whether the game has ended (u32) |
//! | 12 | CRC-32 of the screen, followed by the one before if two are `shown`, but not for a single frame after a reset |
//! | 16 | CRC-32 of the screen in red, green, blue and then in gray, for every 16th entry (u32) |
//! | 20 | memory (128 bytes) |
//!
//! `tests/atari/compare.py` does the same with the reference and compares.

use std::path::Path;
use std::sync::Arc;

use envpool_rs::sim::atari::{Action, Console, Rom, Settings, palette};

/// Bytes of an entry, and how many entries have one with colours.
const ENTRY: usize = 148;
const COLORS_EVERY: usize = 16;

/// What the options say.
#[derive(Default)]
struct TraceOptions {
    settings: Settings,
    /// Arguments of `Console::play`, if it is to be used.
    play: Option<(u32, u32)>,
    averaged: bool,
    dump: Option<usize>,
}

/// A console that is traced.
struct Trace {
    console: Console,
    options: TraceOptions,
    entries: Vec<u8>,
    /// Nothing but a reset has been played.
    is_after_reset: bool,
}

fn value<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is no value of this option"))
}

impl TraceOptions {
    fn new(arguments: &[String]) -> Self {
        let mut options = Self::default();
        for argument in arguments {
            let (name, text) = argument.split_once('=').expect("options are NAME=VALUE");
            options.set(name, text);
        }
        options
    }

    fn set(&mut self, name: &str, text: &str) {
        let settings = &mut self.settings;
        match name {
            "mode" => settings.mode = Some(value(text)),
            "difficulty" => settings.difficulty = Some(value(text)),
            "skip" => settings.frame_skip = value(text),
            "sticky" => settings.repeat_action_probability = value(text),
            "seed" => settings.random_seed = value(text),
            "frames" => self.play.get_or_insert((1, 1)).0 = value(text),
            "shown" => self.play.get_or_insert((1, 1)).1 = value(text),
            "translate" => settings.translate = text == "1",
            "averaged" => self.averaged = text == "1",
            "dump" => self.dump = Some(value(text)),
            _ => panic!("unknown option {name}"),
        }
    }
}

impl Trace {
    fn reset(&mut self) {
        self.console.reset();
        self.is_after_reset = true;
        self.record(0, 0);
    }

    fn step(&mut self, action: u8) {
        if action == 255 || self.console.game_over() {
            return self.reset();
        }
        let action = Action::from_number(usize::from(action)).expect("an action's number");
        let (reward, frames) = match self.options.play {
            Some((frames, shown)) => {
                let played = self.console.play(action, frames, shown);
                (played.reward, played.frames)
            }
            None => (self.console.act(action), 1),
        };
        self.record(reward, frames);
        self.is_after_reset = false;
    }

    fn record(&mut self, reward: i32, frames: u32) {
        let console = &self.console;
        let mut screen = console.screen().to_vec();
        if self.options.averaged {
            console.screen_averaged(&mut screen);
        }
        let shades = self.colors(&screen);
        let two = self.options.play.is_some_and(|(_, shown)| shown > 1) && (frames > 1 || frames == 1 && !self.is_after_reset);
        if two {
            screen.extend(console.previous_screen());
        }
        self.entries.extend(reward.to_le_bytes());
        self.entries.extend(console.lives().to_le_bytes());
        self.entries.extend(u32::from(console.game_over()).to_le_bytes());
        self.entries.extend(crc32fast::hash(&screen).to_le_bytes());
        self.entries.extend(crc32fast::hash(&shades).to_le_bytes());
        self.entries.extend(console.ram());
    }

    /// The screen in colours and in gray, where the entry has them.
    fn colors(&self, screen: &[u8]) -> Vec<u8> {
        if !(self.entries.len() / ENTRY).is_multiple_of(COLORS_EVERY) {
            return Vec::new();
        }
        let pal = self.console.picture().pal;
        let (rgb, gray) = (palette::rgb(pal), palette::gray(pal));
        let rgb = screen.iter().flat_map(|pixel| rgb[usize::from(*pixel)]);
        rgb.chain(screen.iter().map(|pixel| gray[usize::from(*pixel)])).collect()
    }

    fn dump(&self, out: &str) {
        if self.options.dump.is_some_and(|entry| (entry + 1) * ENTRY == self.entries.len()) {
            std::fs::write(format!("{out}.screen"), self.console.screen()).expect("written");
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rom, actions, out, options @ ..] = arguments.as_slice() else { panic!("ROM ACTIONS OUT [NAME=VALUE...]") };
    let rom = Rom::read(Path::new(rom)).unwrap_or_else(|error| panic!("{error}"));
    let options = TraceOptions::new(options);
    let console = Console::new(&Arc::new(rom), options.settings.clone());
    let mut trace = Trace { console, options, entries: Vec::new(), is_after_reset: true };
    trace.reset();
    trace.dump(out);
    for action in std::fs::read(actions).expect("actions") {
        trace.step(action);
        trace.dump(out);
    }
    std::fs::write(out, trace.entries).expect("written");
}
