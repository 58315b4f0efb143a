//! Runs a cartridge with actions from a file, and writes a record of each step.
//!
//! ```text
//! atari_trace ROM ACTIONS OUT [NAME=VALUE...]
//! ```
//!
//! | option | |
//! |---|---|
//! | `mode`, `difficulty` | default: the game's defaults |
//! | `skip` | frames per step, by the console's own frame skip |
//! | `frames`, `shown` | frames per step, and number of drawn frames, for `Console::play` instead of the frame skip |
//! | `sticky`, `seed` | probability that the previous action is repeated, and its seed |
//! | `translate` | 0: interpret the program instead of translating it into machine code |
//! | `averaged` | 1: record the screens of `Console::screen_averaged` |
//! | `dump` | number of a record whose screen is written to `OUT.screen` |
//!
//! `ACTIONS` holds one byte per step: an action's number, or 255 for a reset. The first reset is implicit; a step after the end
//! of the game resets. `OUT` gets 148 bytes per step or reset:
//!
//! | bytes | |
//! |---|---|
//! | 0 | reward (i32, little-endian) |
//! | 4 | lives (i32) |
//! | 8 | whether the game is over (u32) |
//! | 12 | CRC-32 of the screen, followed by the previous one if two are `shown`, but not for a single frame after a reset |
//! | 16 | CRC-32 of the screen in red, green, blue and then in gray, for every 16th record (u32) |
//! | 20 | RAM (128 bytes) |
//!
//! `tools/atari/compare.py` runs the reference with the same actions, and compares the records.

use std::path::Path;
use std::sync::Arc;

use envpool_rs::sim::atari::{Action, Console, Rom, Settings, palette};

/// Number of bytes per record.
const ENTRY: usize = 148;
/// Every record whose number is a multiple of this includes a CRC of the screen's colours.
const COLORS_EVERY: usize = 16;

/// Options from the command line.
#[derive(Default)]
struct TraceOptions {
    settings: Settings,
    /// Arguments of `Console::play`: frames per step, and how many of them are drawn. `None` if the console's own frame skip is
    /// used.
    play: Option<(u32, u32)>,
    averaged: bool,
    dump: Option<usize>,
}

/// Console, with the records that were written so far.
struct Trace {
    console: Console,
    options: TraceOptions,
    entries: Vec<u8>,
    /// Whether no step was made since the last reset.
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

    /// Returns the screen's colour and gray bytes if the current record includes a CRC of them; otherwise empty bytes.
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
