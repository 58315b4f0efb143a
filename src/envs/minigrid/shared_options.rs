//! Declares and reads options that several classes of levels share.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_sim_grid_world::{Area, Point, at};

/// Names of the option for the number of objects: minigrid's name, then EnvPool's.
pub const NUM_OBJS: [&str; 2] = ["numObjs", "num_objs"];

/// Maximum width and height of a world that an option may set, in cells.
const MAX_SIZE: i64 = 200;

/// Returns the specification of the option for the width and height of a square world in cells, including its walls.
pub fn size(default: i64, min: i64) -> OptionSpec {
    OptionSpec::new("size", default, "cells on each side, walls included").integers(min..=MAX_SIZE).per_episode()
}

/// Declares an integer option for a number of objects or cells.
pub fn count(name: &'static str, default: i64, min: i64, max: i64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).integers(min..=max).per_episode()
}

/// Declares two integer options with the same meaning: minigrid's name, then EnvPool's name, which takes precedence.
pub fn count_with_alias(names: [&'static str; 2], default: i64, min: i64, max: i64, doc: &'static str) -> [OptionSpec; 2] {
    let alias = OptionSpec::optional(names[1], default, "EnvPool's name for the option above; None: that option's value");
    [count(names[0], default, min, max, doc), alias.integers(min..=max).per_episode()]
}

/// Returns the specification of the boolean option `name`.
pub fn flag(name: &'static str, default: bool, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).per_episode()
}

/// Returns the specifications of the options for the agent's start position and direction.
pub fn start_options() -> [OptionSpec; 2] {
    [
        OptionSpec::new("agent_start_pos", vec![1, 1], "column and row where the agent starts; None: random")
            .or(Value::None)
            .per_episode(),
        OptionSpec::new("agent_start_dir", 0, "direction at the start: 0 right, 1 down, 2 left, 3 up")
            .integers(0..=3)
            .per_episode(),
    ]
}

/// Returns the value of the integer option `name`.
pub fn integer(options: &Options, name: &str) -> i32 {
    options.int(name) as i32
}

/// Returns the value of an integer option that has two names; the second name takes precedence.
pub fn integer_with_alias(options: &Options, names: [&str; 2]) -> i32 {
    match options.get(names[1]) {
        Value::Int(value) => *value as i32,
        _ => integer(options, names[0]),
    }
}

/// Returns the value of a position option; `None` if it is not set.
///
/// # Errors
/// `Value` unless the position is inside the outer walls of a world of `width` by `height` cells.
pub fn position(options: &Options, name: &str, (width, height): (i32, i32)) -> Result<Option<Point>> {
    let inside = Area::new(at(1, 1), width - 2, height - 2);
    let value = match options.get(name) {
        Value::None => return Ok(None),
        value => value,
    };
    let pair = match value {
        Value::Ints(pair) => <[i64; 2]>::try_from(pair.as_slice()).ok(),
        _ => None,
    };
    let pos = pair.and_then(|[x, y]| Some(at(i32::try_from(x).ok()?, i32::try_from(y).ok()?)));
    match pos.filter(|pos| inside.contains(*pos)) {
        Some(pos) => Ok(Some(pos)),
        None => {
            let allowed = format!("a column from 1 to {} and a row from 1 to {}, or None", width - 2, height - 2);
            Err(Error::value(name, value, allowed))
        }
    }
}
