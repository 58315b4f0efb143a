//! Options of the kitchen, and the checks of combinations.

use super::encoding::{Distances, Encoding, MAX_POTS};
use super::kitchen::{Kitchen, Shaping};
use super::layout::Layout;
use super::potential::Potential;
use super::recipe::{Recipe, RecipeTable};
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};

const ENCODINGS: &[&str] = &["lossless", "featurized"];
const MAX_STEPS: i64 = 1_000_000;
/// Cooking time and value of recipes for which nothing is stated.
const DEFAULT_COOK_TIME: i32 = 20;
const DEFAULT_VALUE: f64 = 20.0;
const DEFAULT_ORDER_BONUS: f64 = 2.0;
/// Rewards of the package's `BASE_REW_SHAPING_PARAMS`. The last three have no effect there, either.
const SHAPING: [(&str, f64); 6] = [
    ("PLACEMENT_IN_POT_REW", 3.0),
    ("DISH_PICKUP_REWARD", 3.0),
    ("SOUP_PICKUP_REWARD", 5.0),
    ("DISH_DISP_DISTANCE_REW", 0.0),
    ("POT_DISTANCE_REW", 0.0),
    ("SOUP_DISTANCE_REW", 0.0),
];
/// Largest number of random places of all players.
const MAX_PLACES: usize = 1 << 31;

/// Returns the declarations of all options, with the package's names. `None` leaves a parameter as the layout states it.
pub fn options() -> Vec<OptionSpec> {
    let recipes = |name, doc| OptionSpec::optional(name, Vec::<String>::new(), doc);
    let steps = |name, doc| OptionSpec::optional(name, 20, doc).integers(1..=MAX_STEPS);
    let number = |name, doc| OptionSpec::optional(name, 20.0, doc);
    vec![
        OptionSpec::new(
            "layout",
            "cramped_room",
            "name of a layout, or rows of a grid: X, O, T, P, D, S, spaces, digits of players",
        ),
        OptionSpec::new("horizon", 400, "number of steps of an episode").integers(1..=i64::from(i32::MAX)),
        OptionSpec::new("encoding", "lossless", "form of observations").one_of(ENCODINGS),
        OptionSpec::new("num_pots", 2, "number of pots in features, nearest first").integers(0..=MAX_POTS as i64),
        OptionSpec::new(
            "reward_shaping_factor",
            0.0,
            "weight of each player's shaped reward, which is added to the team's reward",
        )
        .per_episode(),
        recipes("start_all_orders", "recipes with a value, such as [\"onion onion tomato\"]; empty: all"),
        recipes("start_bonus_orders", "recipes with a bonus, each one of start_all_orders"),
        OptionSpec::optional("recipe_values", Vec::<f64>::new(), "value of each recipe of start_all_orders"),
        OptionSpec::optional("recipe_times", Vec::<i64>::new(), "cooking time of each recipe of start_all_orders"),
        number("onion_value", "value of each onion in a soup"),
        number("tomato_value", "value of each tomato in a soup"),
        steps("onion_time", "cooking time of each onion in a soup"),
        steps("tomato_time", "cooking time of each tomato in a soup"),
        number("delivery_reward", "value of all recipes"),
        steps("cook_time", "cooking time of all recipes"),
        number("order_bonus", "factor of the value of recipes with a bonus"),
        OptionSpec::optional(
            "rew_shaping_params",
            Value::Table(Vec::new()),
            "shaped rewards by the package's names, such as {\"DISH_PICKUP_REWARD\": 3}",
        ),
        OptionSpec::new("old_dynamics", false, "whether soups of three ingredients cook by themselves, and others never"),
        OptionSpec::new("random_start_pos", false, "whether players start on random cells"),
        OptionSpec::new(
            "rnd_obj_prob_thresh",
            0.0,
            "probability of ingredients in each pot, and of an object in each player's hands",
        )
        .probability()
        .per_episode(),
        OptionSpec::new(
            "random_agent_idx",
            false,
            "whether the order of two players is drawn for each episode, as in the package's gym environment",
        ),
        OptionSpec::new(
            "display_phi",
            false,
            "whether infos have the package's potentials `phi_s` and `phi_s_prime` of each step",
        ),
        OptionSpec::new("event_infos", false, "whether infos have `event_infos`: 1 for each event of a player in the last step"),
    ]
}

/// Parameters that a layout states, replaced by those that options state.
struct Parameters<'a> {
    options: &'a Options,
    layout: &'a Layout,
}

impl Parameters<'_> {
    /// Returns the numbers of a parameter; `None` if neither the options nor the layout state it.
    fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        match self.options.get(name) {
            Value::Float(value) => Some(vec![*value]),
            Value::Int(value) => Some(vec![*value as f64]),
            Value::Floats(values) => Some(values.clone()),
            Value::Ints(values) => Some(values.iter().map(|value| *value as f64).collect()),
            _ => Some(self.layout.parameter(name)?.iter().filter_map(|word| word.parse().ok()).collect()),
        }
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.numbers(name)?.first().copied()
    }

    /// Returns a value of recipes; 0 is refused, which the package takes as not given.
    fn value(&self, name: &str) -> Result<Option<f64>> {
        match self.number(name) {
            Some(0.0) => Err(self.refuse(name, "a number other than 0, which the package ignores")),
            value => Ok(value),
        }
    }

    fn refuse(&self, name: &str, expected: impl std::fmt::Display) -> Error {
        match self.options.get(name) {
            Value::None => Error::value(name, self.layout.parameter(name).unwrap_or_default().join(" "), expected),
            given => Error::value(name, given, expected),
        }
    }

    fn recipes(&self, name: &str) -> Result<Vec<Recipe>> {
        let words = match self.options.get(name) {
            Value::Lines(words) => words.as_slice(),
            Value::None => self.layout.parameter(name).unwrap_or_default(),
            _ => &[],
        };
        let recipes: Option<Vec<_>> = words.iter().map(|word| Recipe::parse(word)).collect();
        let recipes = recipes.ok_or_else(|| self.refuse(name, "recipes of one to three ingredients, each onion or tomato"))?;
        match recipes.iter().enumerate().any(|(number, recipe)| recipes[..number].contains(recipe)) {
            true => Err(self.refuse(name, "each recipe once")),
            false => Ok(recipes),
        }
    }

    /// Returns the numbers of a list with one for each order.
    fn of_orders(&self, name: &str, orders: usize) -> Result<Option<Vec<f64>>> {
        match self.numbers(name) {
            Some(values) if values.is_empty() || values.len() != orders => {
                Err(self.refuse(name, format!("{orders} numbers, one for each of start_all_orders")))
            }
            values => Ok(values),
        }
    }

    /// Refuses parameters of which the package accepts one alone.
    fn exclude(&self, name: &str, others: &[&str]) -> Result<()> {
        match others.iter().find(|other| self.numbers(name).is_some() && self.numbers(other).is_some()) {
            Some(other) => Err(self.refuse(name, format!("None, because of {other}"))),
            None => Ok(()),
        }
    }

    /// Returns the values of an onion and of a tomato, which exist together.
    fn pair(&self, [onion, tomato]: [&str; 2]) -> Result<Option<[f64; 2]>> {
        match (self.value(onion)?, self.value(tomato)?) {
            (Some(first), Some(second)) => Ok(Some([first, second])),
            (None, None) => Ok(None),
            (None, _) => Err(self.refuse(tomato, format!("None; or set {onion}, too"))),
            (_, None) => Err(self.refuse(onion, format!("None; or set {tomato}, too"))),
        }
    }
}

/// Creates the kitchen with resolved options.
///
/// # Errors
/// `Value` for a bad layout, contradictory parameters, and observations that the layout does not have.
pub fn checked(options: &Options) -> Result<Kitchen> {
    let layout = Layout::new(options.text("layout").unwrap_or_default())?;
    let parameters = Parameters { options, layout: &layout };
    let orders = match parameters.recipes("start_all_orders")? {
        orders if orders.is_empty() => Recipe::all().collect(),
        orders => orders,
    };
    let bonus_orders = parameters.recipes("start_bonus_orders")?;
    if bonus_orders.iter().any(|recipe| !orders.contains(recipe)) {
        return Err(parameters.refuse("start_bonus_orders", "recipes of start_all_orders"));
    }
    let has_old_dynamics = options.bool("old_dynamics");
    if has_old_dynamics && orders.iter().any(|recipe| recipe.size() < 3) {
        return Err(Error::value(
            "old_dynamics",
            "True",
            "False, unless start_all_orders has recipes of three ingredients alone",
        ));
    }
    let recipes = table(&parameters, &orders, &bonus_orders)?;
    if recipes.best_value(Recipe::default()) <= 0.0 {
        return Err(Error::Value("start_all_orders: expected a recipe with a value above 0".to_owned()));
    }
    let players = layout.players.len();
    let encoding = match options.text("encoding") {
        Some("featurized") => Encoding::Features,
        _ if players == 2 => Encoding::lossless(&layout),
        _ => {
            return Err(Error::value(
                "encoding",
                "\"lossless\"",
                format!("\"featurized\" for a layout with {players} instead of 2 players"),
            ));
        }
    };
    let has_random_agent_idx = options.bool("random_agent_idx");
    if has_random_agent_idx && players != 2 {
        return Err(Error::value("random_agent_idx", "True", format!("False for a layout with {players} instead of 2 players")));
    }
    let random_places = match options.bool("random_start_pos") {
        true => Some(random_places(&layout)?),
        false => None,
    };
    let has_potential = options.bool("display_phi");
    if has_potential && !recipes.best_value(Recipe::default()).is_finite() {
        return Err(Error::value("display_phi", "True", "False for recipes of infinite value"));
    }
    Ok(Kitchen {
        distances: (has_potential || encoding == Encoding::Features).then(|| Distances::new(&layout)),
        potential: match has_potential {
            true => Some(Potential::new(&recipes, parameters.pair(["onion_value", "tomato_value"])?)),
            false => None,
        },
        recipes,
        bonus_orders,
        shaping: shaping(options)?,
        shaping_factor: options.float("reward_shaping_factor"),
        horizon: options.int("horizon") as i32,
        has_old_dynamics,
        encoding,
        num_pots: options.int("num_pots") as usize,
        random_places,
        object_probability: options.float("rnd_obj_prob_thresh"),
        has_random_agent_idx,
        has_event_infos: options.bool("event_infos"),
        layout,
    })
}

/// Returns the times and values of all recipes.
fn table(parameters: &Parameters<'_>, orders: &[Recipe], bonus_orders: &[Recipe]) -> Result<RecipeTable> {
    parameters.exclude("delivery_reward", &["onion_value", "recipe_values"])?;
    parameters.exclude("recipe_values", &["onion_value"])?;
    parameters.exclude("cook_time", &["onion_time", "recipe_times"])?;
    parameters.exclude("recipe_times", &["onion_time"])?;
    let values = parameters.of_orders("recipe_values", orders.len())?;
    let times = parameters.of_orders("recipe_times", orders.len())?;
    if times.iter().flatten().any(|time| !(1.0..=MAX_STEPS as f64).contains(time)) {
        return Err(parameters.refuse("recipe_times", format!("integers from 1 to {MAX_STEPS}")));
    }
    let ingredient_values = parameters.pair(["onion_value", "tomato_value"])?;
    let ingredient_times = parameters.pair(["onion_time", "tomato_time"])?;
    let delivery_reward = parameters.value("delivery_reward")?;
    let cook_time = parameters.number("cook_time");
    let bonus = parameters.number("order_bonus").unwrap_or(DEFAULT_ORDER_BONUS);
    let listed = |list: &Option<Vec<f64>>, recipe| {
        list.as_ref().and_then(|list| orders.iter().position(|own| *own == recipe).map(|i| list[i]))
    };
    let sum = |pair: [f64; 2], recipe: Recipe| pair[1] * f64::from(recipe.tomatoes) + pair[0] * f64::from(recipe.onions);
    let time = |recipe| {
        let stated = cook_time.or_else(|| listed(&times, recipe)).or_else(|| ingredient_times.map(|pair| sum(pair, recipe)));
        stated.map_or(DEFAULT_COOK_TIME, |time| time as i32)
    };
    let value = |recipe| {
        let stated =
            delivery_reward.or_else(|| listed(&values, recipe)).or_else(|| ingredient_values.map(|pair| sum(pair, recipe)));
        let value = stated.unwrap_or(DEFAULT_VALUE);
        match (orders.contains(&recipe), bonus_orders.contains(&recipe)) {
            (false, _) => 0.0,
            (true, true) => bonus * value,
            (true, false) => value,
        }
    };
    Ok(RecipeTable::new(time, value))
}

fn shaping(options: &Options) -> Result<Shaping> {
    let given = match options.get("rew_shaping_params") {
        Value::Table(entries) => entries.as_slice(),
        _ => &[],
    };
    let is_known = |(name, values): &(String, Vec<f64>)| SHAPING.iter().any(|(known, _)| known == name) && values.len() == 1;
    if !given.iter().all(is_known) {
        let expected = format!("a number for each of {}", SHAPING.map(|(name, _)| name).join(", "));
        return Err(Error::value("rew_shaping_params", options.get("rew_shaping_params"), expected));
    }
    let value = |(name, default): (&str, f64)| given.iter().find(|(own, _)| own == name).map_or(default, |(_, values)| values[0]);
    let [placement_in_pot, dish_pickup, soup_pickup, ..] = SHAPING.map(value);
    Ok(Shaping { placement_in_pot, dish_pickup, soup_pickup })
}

/// Returns the number of ways to place all players on different cells.
fn random_places(layout: &Layout) -> Result<usize> {
    let cells = layout.floor.len();
    let places = (0..layout.players.len()).try_fold(1_usize, |places, placed| places.checked_mul(cells - placed));
    places.filter(|places| *places <= MAX_PLACES).ok_or_else(|| {
        let expected = format!("False for {} players on {cells} free cells", layout.players.len());
        Error::value("random_start_pos", "True", expected)
    })
}
