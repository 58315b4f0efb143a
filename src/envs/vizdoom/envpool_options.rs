//! Defaults and parsers of the EnvPool options that are tables.

use super::actions::DeltaValues;
use envpool_rs_engine::{Error, Options, Result, Value, suggestion};
use envpool_rs_sim_vizdoom::{buttons, game_variables};

/// Returns the default of `reward_config`: for each game variable, the rewards per unit of increase and per unit of decrease.
pub(super) fn default_rewards() -> Value {
    let mut rewards: Vec<(String, Vec<f64>)> = Vec::new();
    let mut add = |name: &str, more: f32, less: f32| rewards.push((name.to_owned(), vec![f64::from(more), f64::from(less)]));
    for slot in 0..8 {
        let (more, less) =
            [(0.0002, -0.0001), (0.001, -0.0005), (0.002, -0.001)][if slot < 3 { 0 } else { (slot >= 6) as usize + 1 }];
        add(&format!("AMMO{slot}"), more, less);
    }
    for (name, more, less) in [
        ("ARMOR", 0.005, -0.001),
        ("DAMAGECOUNT", 0.003, -0.003),
        ("DEATHCOUNT", -0.75, 0.75),
        ("FRAGCOUNT", 1.0, -1.5),
        ("HEALTH", 0.005, -0.003),
        ("HITCOUNT", 0.01, -0.01),
        ("KILLCOUNT", 1.0, 0.0),
    ] {
        add(name, more, less);
    }
    for slot in 0..8 {
        let (more, less) = [(0.02, -0.01), (0.1, -0.05), (0.2, -0.1)][if slot < 3 { 0 } else { (slot >= 6) as usize + 1 }];
        add(&format!("WEAPON{slot}"), more, less);
    }
    Value::Table(rewards)
}

/// Returns the default of `selected_weapon_reward_config`: the reward for holding each weapon, by its number.
pub(super) fn default_weapon_rewards() -> Value {
    let each = [0.0002_f32, 0.0002, 0.0002, 0.001, 0.001, 0.001, 0.002, 0.002];
    Value::Table(each.into_iter().enumerate().map(|(weapon, reward)| (weapon.to_string(), vec![f64::from(reward)])).collect())
}

/// Returns the entries of the option `name`, which is a table from names to lists of numbers. The length of each list must
/// occur in `numbers`; `what` describes the expected entries in errors.
fn table<'a>(options: &'a Options, name: &str, numbers: &[usize], what: &str) -> Result<Vec<(&'a str, &'a [f64])>> {
    let Value::Table(table) = options.get(name) else { return Ok(Vec::new()) };
    let entry = |(key, values): &'a (String, Vec<f64>)| match numbers.contains(&values.len()) {
        true => Ok((key.as_str(), values.as_slice())),
        false => Err(Error::value(name, options.get(name), format_args!("a dict of {what}"))),
    };
    table.iter().map(entry).collect()
}

/// Parses `reward_config` (or its older name `reward_metric`): game variables with two rewards each.
///
/// # Errors
/// `Value` for an unknown variable, or if both options are given.
pub(super) fn rewards(options: &Options) -> Result<Vec<(usize, [f64; 2])>> {
    let older = matches!(options.get("reward_metric"), Value::Table(_));
    let name = if older { "reward_metric" } else { "reward_config" };
    let given =
        table(options, name, &[2], "two numbers for each variable: rewards per unit of increase and per unit of decrease")?;
    if older && *options.get("reward_config") != default_rewards() {
        return Err(Error::Value("reward_config and reward_metric are both given: expected one of them".into()));
    }
    let all: Vec<_> = (0..game_variables::COUNT).map(game_variables::name).collect();
    let reward = |(key, values): (&str, &[f64])| {
        let variable = game_variables::from_name(key).filter(|_| key == key.to_ascii_uppercase()).ok_or_else(|| {
            let names: Vec<_> = all.iter().map(String::as_str).collect();
            Error::Value(format!("{name}: there is no variable {key:?}{}", suggestion(key, &names)))
        })?;
        Ok((variable, [0, 1].map(|index| f64::from(values[index] as f32))))
    };
    given.into_iter().map(reward).collect()
}

/// Parses `selected_weapon_reward_config`: the reward for holding each weapon.
///
/// # Errors
/// `Value` for an unknown weapon.
pub(super) fn weapon_rewards(options: &Options) -> Result<[f64; 10]> {
    let name = "selected_weapon_reward_config";
    let mut rewards = [0.0; 10];
    for (key, values) in table(options, name, &[1], "a number for each weapon from 0 to 7")? {
        let weapon = key.parse::<usize>().ok().filter(|weapon| *weapon < 8);
        let weapon = weapon.ok_or_else(|| Error::Value(format!("{name}: there is no weapon {key:?}: expected 0 to 7")))?;
        rewards[weapon] = f64::from(values[0] as f32);
    }
    Ok(rewards)
}

/// Parses `delta_button_config`: delta buttons with their values.
///
/// # Errors
/// `Value` for an unknown button or an invalid number of values.
pub(super) fn delta_button_config(options: &Options) -> Result<Vec<(usize, DeltaValues)>> {
    let name = "delta_button_config";
    let given =
        table(options, name, &[3], "three numbers for each delta button: number of values, smallest value, largest value")?;
    let deltas = |(key, values): (&str, &[f64])| {
        let names = &buttons::NAMES[buttons::FIRST_DELTA_BUTTON..];
        let button = names
            .iter()
            .position(|other| *other == key)
            .ok_or_else(|| Error::Value(format!("{name}: there is no delta button {key:?}{}", suggestion(key, names))))?;
        if values[0].fract() != 0.0 || !(0.0..=1000.0).contains(&values[0]) {
            return Err(Error::Value(format!("{name}: {key} has {} values: expected an integer from 0 to 1000", values[0])));
        }
        let deltas = DeltaValues { count: values[0] as i64, min: values[1] as f32, max: values[2] as f32 };
        Ok((button + buttons::FIRST_DELTA_BUTTON, deltas))
    };
    given.into_iter().map(deltas).collect()
}
