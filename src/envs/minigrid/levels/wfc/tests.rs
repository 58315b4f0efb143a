//! Compares WFC worlds with worlds that `tools/golden/minigrid_wfc.py` recorded from minigrid.
//!
//! The environment variable `MINIGRID_WFC_WORLDS` may name a different file of recorded worlds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use super::*;
use envpool_rs_engine::{OptionSpec, Value};
use envpool_rs_numeric::random::{Generator, RandomStream};
use envpool_rs_sim_grid_world::{Kind, World};

#[derive(Deserialize)]
struct Game {
    preset: String,
    options: BTreeMap<String, Json>,
    seed: u64,
    worlds: Vec<Recorded>,
}

/// World recorded from minigrid, or the name of the exception that minigrid raised instead.
#[derive(Deserialize)]
#[serde(untagged)]
enum Recorded {
    World { walls: String, agent: [i32; 3], goal: [i32; 2], stream: String },
    Exception(String),
}

fn level(preset: &str, given: &BTreeMap<String, Json>) -> Box<dyn Level> {
    let mut values = vec![(SAMPLE[1].to_owned(), Value::from(preset))];
    for (name, value) in given {
        let value = value.as_bool().map_or_else(|| Value::from(value.as_i64().unwrap()), Value::from);
        values.push((name.clone(), value));
    }
    let declared: Vec<OptionSpec> = (CLASS.options)();
    (CLASS.level)(&Options::resolve(&declared, &[], &values).unwrap()).unwrap()
}

/// Returns the walls of a world as hexadecimal digits: one bit per cell, column by column.
fn walls(world: &World) -> String {
    let bits: String = world.grid.positions().map(|cell| if world.grid.get(cell).is_a(Kind::Wall) { '1' } else { '0' }).collect();
    let padded = format!("{bits:0>width$}", width = bits.len().div_ceil(4) * 4);
    let digits = padded.as_bytes().chunks(4).map(|four| {
        let digit = four.iter().fold(0, |sum, bit| 2 * sum + u32::from(*bit == b'1'));
        char::from_digit(digit, 16).unwrap()
    });
    digits.collect::<String>().trim_start_matches('0').to_owned()
}

#[test]
fn worlds_equal_those_recorded_from_minigrid() {
    let path = std::env::var("MINIGRID_WFC_WORLDS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data/minigrid_wfc.json").to_owned());
    let games: Vec<Game> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let (mut compared, mut refused) = (0, 0);
    for game in games {
        let level = level(&game.preset, &game.options);
        let mut random = Generator::new(game.seed);
        for (index, recorded) in game.worlds.into_iter().enumerate() {
            let case = format!("{} {:?}, seed {}, world {index}", game.preset, game.options, game.seed);
            let mut world = World::default();
            let made = level.gen_grid(&mut WorldBuilder::new(&mut world, &mut random, 6));
            match recorded {
                Recorded::Exception(name) => {
                    assert_eq!(made, Err(GenError::Rejected), "{case}: {name}");
                    refused += 1;
                }
                Recorded::World { walls: expected, agent, goal, stream } => {
                    made.unwrap_or_else(|error| panic!("{case}: {error:?}"));
                    assert_eq!(walls(&world), expected, "{case}");
                    let pos = world.agent.pos;
                    assert_eq!([pos.x, pos.y, i32::from(world.agent.dir)], agent, "{case}");
                    assert_eq!(world.grid.get(at(goal[0], goal[1])), Cell::GOAL, "{case}");
                    assert_eq!(format!("{:x}", random.pcg64().unwrap().state().0), stream, "{case}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100 && refused > 0, "{compared} worlds, {refused} exceptions");
}

#[test]
fn pattern_counts_equal_those_of_minigrid() {
    let counts = presets::NAMES.map(|name| presets::by_name(name).unwrap().catalogue().weights.len());
    assert_eq!(counts, [12, 14, 37, 5, 42, 40]);
}
