//! Reads and checks the values of the Atari tasks' options.

use std::fmt::Display;

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value, suggestion};
use envpool_rs_sim_atari::games::{GAMES, Game};

/// Maximum number of frames in one step, and of NOOPs in one reset. Playing this number of frames takes about a second.
pub const MAX_FRAMES_PER_STEP: i64 = 10_000;
/// Maximum width and height of a resized picture, in pixels.
pub const MAX_SIDE: i64 = 4_096;
/// Maximum number of frames in a frame stack.
pub const MAX_STACK: i64 = 1_000;
/// Maximum size of an observation, in bytes.
const MAX_OBSERVATION_BYTES: usize = 1 << 28;

/// Returns the game named by the option `name`.
pub fn game(options: &Options, name: &str) -> Result<&'static Game> {
    let value = options.text(name).unwrap_or_default();
    Game::named(value).ok_or_else(|| {
        let names: Vec<_> = GAMES.iter().map(|game| game.name).collect();
        Error::value(name, options.get(name), format_args!("the name of a game{}", suggestion(value, &names)))
    })
}

/// Returns the value of an `int` option that is declared to be at least 0.
pub fn non_negative(options: &Options, name: &str) -> usize {
    options.int(name) as usize
}

/// Returns the value of an option that is declared to be one or two `int`s of at least 0; a single `int` is used for both
/// elements of the pair.
pub fn integer_or_pair(options: &Options, name: &str) -> (usize, usize) {
    match options.get(name) {
        Value::Ints(pair) => (pair[0] as usize, pair[1] as usize),
        _ => (non_negative(options, name), non_negative(options, name)),
    }
}

/// Returns the value of the option `name`, after checking that the game supports it.
///
/// Returns `None` for the game's default, which the option values `None` and `default_code` select.
pub fn supported_value<T: Copy + Into<i64> + Display>(
    options: &Options,
    name: &str,
    default_code: Option<i64>,
    of: &Game,
    all: &[T],
) -> Result<Option<T>> {
    let value = match options.get(name) {
        Value::Int(value) if Some(*value) != default_code => *value,
        _ => return Ok(None),
    };
    all.iter().find(|one| (**one).into() == value).copied().map(Some).ok_or_else(|| {
        let list: Vec<_> = all.iter().map(ToString::to_string).collect();
        let default = default_code.map_or("None".to_owned(), |default_code| default_code.to_string());
        Error::value(name, value, format_args!("{default} for the default, or one of {}'s: {}", of.name, list.join(", ")))
    })
}

/// Checks that the size of an observation, `bytes`, is at most [`MAX_OBSERVATION_BYTES`]. Otherwise, returns an error that
/// names the option `name` and its `value`.
pub fn check_size(name: &str, value: impl Display, bytes: usize) -> Result<()> {
    match bytes <= MAX_OBSERVATION_BYTES {
        true => Ok(()),
        false => {
            Err(Error::value(name, value, format_args!("observations of at most {MAX_OBSERVATION_BYTES} bytes, not {bytes}")))
        }
    }
}

/// Returns the bounds of ALE's option `frameskip`; both are equal if the option is one number.
pub fn frameskip(options: &Options) -> Result<(u32, u32)> {
    let (low, high) = integer_or_pair(options, "frameskip");
    if matches!(options.get("frameskip"), Value::Ints(_)) && low >= high {
        return Err(Error::value("frameskip", options.get("frameskip"), "two integers, the first smaller than the second"));
    }
    Ok((low as u32, high as u32))
}

/// Returns ALE's option `max_num_frames_per_episode`, after which an episode is truncated; `None` if there is no limit.
pub fn max_frames(options: &Options) -> Option<u32> {
    match options.get("max_num_frames_per_episode") {
        Value::Int(frames) => Some(*frames as u32).filter(|frames| *frames > 0),
        _ => None,
    }
}

/// Returns the option `stack_size`, the number of frames of gymnasium's `FrameStackObservation`.
pub fn stack_size(options: &Options) -> Option<usize> {
    match options.get("stack_size") {
        Value::Int(size) => Some(*size as usize),
        _ => None,
    }
}

/// Returns the option `stack_once`.
pub fn stack_once_option() -> OptionSpec {
    let doc = "whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory";
    OptionSpec::new("stack_once", false, doc)
}

/// Returns whether observations are the newest frames of the stacks only.
pub fn stack_once(options: &Options, stack_size: Option<usize>) -> Result<bool> {
    match (options.bool("stack_once"), stack_size) {
        (true, None) => Err(Error::value("stack_once", "True", "False without stack_size, which gives the frames of a stack")),
        (stack_once, _) => Ok(stack_once),
    }
}

/// Returns whether gymnasium's `FrameStackObservation` pads the stack with zeros.
pub fn pad_with_zeros(options: &Options, stack_size: Option<usize>) -> Result<bool> {
    match (options.text("padding_type"), stack_size) {
        (Some("zero"), Some(_)) => Ok(true),
        (Some("zero"), None) => Err(Error::value("padding_type", options.get("padding_type"), r#""reset", without stack_size"#)),
        _ => Ok(false),
    }
}
