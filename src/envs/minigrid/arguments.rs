//! Options that several classes of levels have.

use crate::{
    engine::{Error, OptionSpec, Options, Result, Value},
    sim::grid_world::{Area, Point, at},
};

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
