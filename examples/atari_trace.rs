//! Plays a cartridge with a file of actions, and writes what is seen after each frame.
//!
//! ```text
//! atari_trace ROM ACTIONS OUT [mode=M] [difficulty=D] [skip=N] [sticky=P] [seed=S] [dump=I]
//! ```
//!
//! `ACTIONS` holds a byte for each step: an action's number, or 255 for a reset. The first reset is implied; a step after
//! the game's end resets. For each of them `OUT` gets 148 bytes: reward (i32, little-endian), lives (i32), end (u32), a CRC-32 of the screen
//! (u32), a CRC-32 of the screen in red, green, blue and then in gray (u32, every 16th
//! entry), memory (128 bytes). `dump` writes the
//! screen of one entry into `OUT.screen`. `tests/atari/compare.py` does the same with the reference and compares.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use envpool_rs::sim::atari::{Action, Console, Rom, Settings};

/// Bytes of an entry, and how many entries have one with colours.
const ENTRY: usize = 148;
const SHADES_EVERY: usize = 16;

/// Settings, and the entry whose screen is wanted.
fn settings(arguments: &[String]) -> (Settings, Option<usize>) {
    let mut settings = Settings::default();
    let mut dump = None;
    for argument in arguments {
        let (name, value) = argument.split_once('=').expect("options are NAME=VALUE");
        match name {
            "mode" => settings.mode = Some(value.parse().expect("a mode")),
            "difficulty" => settings.difficulty = Some(value.parse().expect("a difficulty")),
            "skip" => settings.frame_skip = value.parse().expect("a number of frames"),
            "sticky" => settings.repeat_action_probability = value.parse().expect("a probability"),
            "seed" => settings.random_seed = value.parse().expect("a seed"),
            "dump" => dump = Some(value.parse().expect("an entry's number")),
            _ => panic!("unknown option {name}"),
        }
    }
    (settings, dump)
}

fn record(console: &Console, reward: i32, out: &mut Vec<u8>) {
    let mut shades = Vec::new();
    if (out.len() / ENTRY).is_multiple_of(SHADES_EVERY) {
        shades.resize(4 * console.screen().len(), 0);
        let (rgb, gray) = shades.split_at_mut(3 * console.screen().len());
        console.screen_rgb(rgb);
        console.screen_gray(gray);
    }
    out.extend(reward.to_le_bytes());
    out.extend(console.lives().to_le_bytes());
    out.extend(u32::from(console.game_over()).to_le_bytes());
    out.extend(crc32fast::hash(console.screen()).to_le_bytes());
    out.extend(crc32fast::hash(&shades).to_le_bytes());
    out.extend(console.ram());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rom, actions, out, options @ ..] = arguments.as_slice() else { panic!("ROM ACTIONS OUT [NAME=VALUE...]") };
    let rom = Rom::read(Path::new(rom)).unwrap_or_else(|error| panic!("{error}"));
    let actions = std::fs::read(actions).expect("actions");
    let (settings, dump) = settings(options);
    let mut console = Console::new(&Arc::new(rom), settings);
    let mut trace = Vec::new();
    let screen = |console: &Console, trace: &[u8]| {
        if dump == Some(trace.len() / ENTRY) {
            std::fs::write(format!("{out}.screen"), console.screen()).expect("written");
        }
    };
    console.reset();
    screen(&console, &trace);
    record(&console, 0, &mut trace);
    for action in actions {
        let reward = if action == 255 || console.game_over() {
            console.reset();
            0
        } else {
            console.act(Action::from_number(usize::from(action)).expect("an action's number"))
        };
        screen(&console, &trace);
        record(&console, reward, &mut trace);
    }
    std::fs::File::create(out).and_then(|mut file| file.write_all(&trace)).expect("written");
}
