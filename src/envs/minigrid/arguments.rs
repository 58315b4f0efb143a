//! Options that several classes of levels have.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_sim_grid_world::{Area, Point, at};

/// The option for a number of things, by minigrid's name and by EnvPool's.
pub const OBJECTS: [&str; 2] = ["numObjs", "num_objs"];

/// Longest side of a world that may be asked for.
const MOST: i64 = 200;

/// Cells on each side.
pub fn size(default: i64, least: i64) -> OptionSpec {
    OptionSpec::new("size", default, "cells on each side, walls included").integers(least..=MOST).each_episode()
}

/// An option for a count.
pub fn count(name: &'static str, default: i64, least: i64, most: i64, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).integers(least..=most).each_episode()
}

/// An option for a count that has another name in EnvPool: EnvPool's counts where both are given.
pub fn count_as(names: [&'static str; 2], default: i64, least: i64, most: i64, doc: &'static str) -> [OptionSpec; 2] {
    let other = OptionSpec::optional(names[1], default, "EnvPool's name for the option before it; None: as that says");
    [count(names[0], default, least, most, doc), other.integers(least..=most).each_episode()]
}

/// An option that is yes or no.
pub fn flag(name: &'static str, default: bool, doc: &'static str) -> OptionSpec {
    OptionSpec::new(name, default, doc).each_episode()
}

/// Where the agent starts, and where it faces.
pub fn start() -> [OptionSpec; 2] {
    [
        OptionSpec::new("agent_start_pos", vec![1, 1], "column and row where the agent starts; None: anywhere")
            .or(Value::None)
            .each_episode(),
        OptionSpec::new("agent_start_dir", 0, "where it faces: 0 right, 1 down, 2 left, 3 up").integers(0..=3).each_episode(),
    ]
}

/// A declared integer.
pub fn integer(options: &Options, name: &str) -> i32 {
    options.int(name) as i32
}

/// A declared integer, by EnvPool's name for it where that is given.
pub fn integer_as(options: &Options, names: [&str; 2]) -> i32 {
    match options.get(names[1]) {
        Value::Int(value) => *value as i32,
        _ => integer(options, names[0]),
    }
}

/// A declared cell, which has to be one within the outer walls of a world of this size; `None` where there is none.
pub fn cell(options: &Options, name: &str, (width, height): (i32, i32)) -> Result<Option<Point>> {
    let inside = Area::new(at(1, 1), width - 2, height - 2);
    let value = match options.get(name) {
        Value::None => return Ok(None),
        value => value,
    };
    let pair = match value {
        Value::Ints(pair) => <[i64; 2]>::try_from(pair.as_slice()).ok(),
        _ => None,
    };
    let cell = pair.and_then(|[x, y]| Some(at(i32::try_from(x).ok()?, i32::try_from(y).ok()?)));
    match cell.filter(|cell| inside.contains(*cell)) {
        Some(cell) => Ok(Some(cell)),
        None => {
            let allowed = format!("a column from 1 to {} and a row from 1 to {}, or None", width - 2, height - 2);
            Err(Error::value(name, value, allowed))
        }
    }
}
