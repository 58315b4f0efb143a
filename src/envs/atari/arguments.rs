//! Options, checked.

use std::fmt::Display;

use envpool_rs_engine::{Error, Options, Result, Value, suggestion};
use envpool_rs_sim_atari::games::{GAMES, Game};

/// Most frames that one step may play, and most NOOPs of a reset: a second or so of computing.
pub const MOST_FRAMES: i64 = 10_000;
/// Largest side of a resized picture.
pub const MOST_PIXELS: i64 = 4_096;
/// Most frames in a stack.
pub const MOST_STACKED: i64 = 1_000;
/// Largest observation, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// The game that the option `name` names.
pub fn game(options: &Options, name: &str) -> Result<&'static Game> {
    let value = options.text(name).unwrap_or_default();
    Game::named(value).ok_or_else(|| {
        let names: Vec<_> = GAMES.iter().map(|game| game.name).collect();
        Error::value(name, options.get(name), format_args!("the name of a game{}", suggestion(value, &names)))
    })
}

/// An `int` option that is declared to be none below zero.
pub fn count(options: &Options, name: &str) -> usize {
    options.int(name) as usize
}

/// An option that is declared to be an `int` or two of them, none below zero.
pub fn integer_or_pair(options: &Options, name: &str) -> (usize, usize) {
    match options.get(name) {
        Value::Ints(pair) => (pair[0] as usize, pair[1] as usize),
        _ => (count(options, name), count(options, name)),
    }
}

/// The option `name`, `None` or `absent` standing for the default, else one of the game's.
pub fn one_of<T: Copy + Into<i64> + Display>(
    options: &Options,
    name: &str,
    absent: Option<i64>,
    of: &Game,
    all: &[T],
) -> Result<Option<T>> {
    let value = match options.get(name) {
        Value::Int(value) if Some(*value) != absent => *value,
        _ => return Ok(None),
    };
    all.iter().find(|one| (**one).into() == value).copied().map(Some).ok_or_else(|| {
        let list: Vec<_> = all.iter().map(ToString::to_string).collect();
        let default = absent.map_or("None".to_owned(), |absent| absent.to_string());
        Error::value(name, value, format_args!("{default} for the default, or one of {}'s: {}", of.name, list.join(", ")))
    })
}

/// Refuses observations that no machine holds many of. `name` is the option to blame.
pub fn check_size(name: &str, value: impl Display, bytes: usize) -> Result<()> {
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => Err(Error::value(name, value, format_args!("observations of at most {MOST_BYTES} bytes, not {bytes}"))),
    }
}

/// Frames of a step of `ale_py`'s: one number twice, or two between which it is drawn.
pub fn frameskip(options: &Options) -> Result<(u32, u32)> {
    let (low, high) = integer_or_pair(options, "frameskip");
    if matches!(options.get("frameskip"), Value::Ints(_)) && low >= high {
        return Err(Error::value("frameskip", options.get("frameskip"), "two integers of which the first is the smaller"));
    }
    Ok((low as u32, high as u32))
}

/// Frames after which an episode of `ale_py`'s is truncated.
pub fn max_frames(options: &Options) -> Option<u32> {
    match options.get("max_num_frames_per_episode") {
        Value::Int(frames) => Some(*frames as u32).filter(|frames| *frames > 0),
        _ => None,
    }
}

/// Observations in a stack of gymnasium's.
pub fn stack_size(options: &Options) -> Option<usize> {
    match options.get("stack_size") {
        Value::Int(size) => Some(*size as usize),
        _ => None,
    }
}

/// Whether a stack of gymnasium's is filled with zeros.
pub fn pads_with_zeros(options: &Options, stack_size: Option<usize>) -> Result<bool> {
    match (options.text("padding_type"), stack_size) {
        (Some("zero"), Some(_)) => Ok(true),
        (Some("zero"), None) => Err(Error::value("padding_type", options.get("padding_type"), r#""reset", without stack_size"#)),
        _ => Ok(false),
    }
}
