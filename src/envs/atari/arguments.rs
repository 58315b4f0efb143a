//! Options that both kinds of tasks check alike.

use std::{fmt::Display, ops::RangeInclusive};

use crate::{
    engine::{Error, Options, Result, Value, suggestion},
    sim::atari::games::{GAMES, Game},
};

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

/// An `int` option in a range.
pub fn integer(options: &Options, name: &str, range: RangeInclusive<i64>) -> Result<usize> {
    let value = options.int(name);
    match range.contains(&value) {
        true => Ok(value as usize),
        false => Err(refused(name, value, &range)),
    }
}

fn refused(name: &str, value: impl Display, range: &RangeInclusive<i64>) -> Error {
    Error::value(name, value, format_args!("an integer from {} to {}", range.start(), range.end()))
}

/// An option that is an `int` or two of them.
pub fn integer_or_pair(options: &Options, name: &str, range: RangeInclusive<i64>) -> Result<(usize, usize)> {
    match options.get(name) {
        Value::Int(value) if range.contains(value) => Ok((*value as usize, *value as usize)),
        Value::Ints(pair) if pair.len() == 2 && pair.iter().all(|value| range.contains(value)) => {
            Ok((pair[0] as usize, pair[1] as usize))
        }
        other => {
            let allowed = format_args!("an integer from {} to {}, or two of them", range.start(), range.end()).to_string();
            Err(Error::value(name, other, allowed))
        }
    }
}

/// A probability.
pub fn probability(options: &Options, name: &str) -> Result<f32> {
    let value = options.float(name);
    match (0.0..=1.0).contains(&value) {
        true => Ok(value as f32),
        false => Err(Error::value(name, options.get(name), "a probability, from 0 to 1")),
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
