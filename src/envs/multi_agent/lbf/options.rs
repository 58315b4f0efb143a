//! Options of level-based foraging, and the checks of combinations.

use super::foraging::Foraging;
use crate::game::action_mask_option;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};

/// Largest number of players.
pub const MAX_PLAYERS: usize = 64;
/// Largest number of rows and of columns.
const MAX_SIDE: i64 = 255;
/// Largest level of a player, and of a food.
const MAX_LEVEL: i64 = 1000;
/// Largest number of foods.
const MAX_FOODS: i64 = 1000;

/// Returns the declarations of all options, with the package's names.
pub fn options() -> Vec<OptionSpec> {
    let level = |name, default: i64, doc| OptionSpec::new(name, default, doc).or(Vec::<i64>::new());
    vec![
        OptionSpec::new("players", 2, "number of players").integers(1..=MAX_PLAYERS as i64),
        OptionSpec::new("field_size", 8, "rows and columns of the field: one number for both, or two")
            .integer_or_pair(3..=MAX_SIDE),
        OptionSpec::new("max_num_food", 3, "number of foods, fewer if they find no place").integers(1..=MAX_FOODS),
        OptionSpec::optional("sight", 2, "number of cells that a player sees in each direction; None: all")
            .integers(1..=MAX_SIDE),
        level("min_player_level", 1, "lowest level of all players, or of each"),
        level("max_player_level", 2, "highest level of all players, or of each"),
        level("min_food_level", 1, "lowest level of all foods, or of each"),
        level("max_food_level", 0, "highest level of all foods, or of each; 0: sum of the three lowest levels of the players"),
        OptionSpec::new("force_coop", false, "whether all foods have their highest level, so that players must cooperate")
            .per_episode(),
        OptionSpec::new(
            "divide_rewards",
            true,
            "whether all rewards of an episode sum to at most 1; the package's normalize_reward",
        )
        .per_episode(),
        OptionSpec::new("penalty", 0.0, "penalty of each player of a group that fails to load a food").per_episode(),
        OptionSpec::new("observe_agent_levels", true, "whether observations have the levels of players"),
        OptionSpec::new("grid_observation", false, "whether observations are grids around the player"),
        OptionSpec::new("max_steps", 50, "number of steps after which an episode terminates; the package's max_episode_steps")
            .integers(1..=i64::from(i32::MAX))
            .per_episode(),
        action_mask_option(),
    ]
}

/// Creates the environment with resolved options.
///
/// # Errors
/// `Value` for levels out of range or out of order, a list of the wrong length, and a field with too little room.
pub fn checked(options: &Options) -> Result<Foraging> {
    let players = options.int("players") as usize;
    let foods = options.int("max_num_food") as usize;
    let (rows, columns) = match options.get("field_size") {
        Value::Ints(size) => (size[0] as i32, size[1] as i32),
        _ => (options.int("field_size") as i32, options.int("field_size") as i32),
    };
    if rows as usize * (columns as usize) < players {
        let expected = format!("{players} cells or more, one for each player; reduce players or enlarge the field");
        return Err(Error::value("field_size", options.get("field_size"), expected));
    }
    let player_levels = levels(options, ("min_player_level", "max_player_level"), (players, "players"), 0)?;
    let has_fixed_foods = *options.get("max_food_level") != Value::Int(0);
    let food_levels = if has_fixed_foods {
        levels(options, ("min_food_level", "max_food_level"), (foods, "max_num_food"), 1)?
    } else {
        let least = list(options, "min_food_level", (foods, "max_num_food"), 1)?;
        let lowest_sum = lowest_three(player_levels.iter().map(|(least, _)| *least));
        let forced = options.bool("force_coop");
        if let Some(level) = least.iter().find(|level| !forced && **level > lowest_sum) {
            let expected = format!("at most {lowest_sum}, the least sum of three players' levels; set max_food_level");
            return Err(Error::value("min_food_level", level, expected));
        }
        least.into_iter().map(|least| (least, 0)).collect()
    };
    Ok(Foraging {
        rows,
        columns,
        sight: match options.get("sight") {
            Value::Int(sight) => *sight as i32,
            _ => rows.max(columns),
        },
        player_levels,
        food_levels,
        has_fixed_foods,
        force_coop: options.bool("force_coop"),
        divides_rewards: options.bool("divide_rewards"),
        penalty: options.float("penalty"),
        shows_levels: options.bool("observe_agent_levels"),
        observes_grid: options.bool("grid_observation"),
        max_steps: options.int("max_steps") as i32,
    })
}

/// Returns the sum of the three lowest levels.
pub fn lowest_three(levels: impl Iterator<Item = i32>) -> i32 {
    let mut least = [i32::MAX; 3];
    for mut level in levels {
        for slot in &mut least {
            if level < *slot {
                std::mem::swap(&mut level, slot);
            }
        }
    }
    least.into_iter().filter(|level| *level < i32::MAX).sum()
}

/// Returns the lowest and the highest level of each of `count` players or foods.
fn levels(options: &Options, (low, high): (&str, &str), count: (usize, &str), least: i64) -> Result<Vec<(i32, i32)>> {
    let (lowest, highest) = (list(options, low, count, least)?, list(options, high, count, least)?);
    let pairs: Vec<_> = lowest.into_iter().zip(highest).collect();
    match pairs.iter().find(|(lowest, highest)| lowest > highest) {
        Some((lowest, _)) => Err(Error::value(high, options.get(high), format!("at least {low}={lowest}"))),
        None => Ok(pairs),
    }
}

/// Returns the values of an option that is one level for all, or a list with one for each.
fn list(options: &Options, name: &str, (count, counted): (usize, &str), least: i64) -> Result<Vec<i32>> {
    let given = options.get(name);
    let values = match given {
        Value::Ints(values) => values.clone(),
        _ => vec![options.int(name); count],
    };
    if values.len() != count {
        return Err(Error::value(name, given, format!("one level, or {counted}={count} of them")));
    }
    if values.iter().any(|value| !(least..=MAX_LEVEL).contains(value)) {
        return Err(Error::value(name, given, format!("levels from {least} to {MAX_LEVEL}")));
    }
    Ok(values.into_iter().map(|value| value as i32).collect())
}
