//! Options of the warehouse, and the checks of combinations.

use super::layout::Layout;
use super::observation::{Layer, ObservationType};
use super::warehouse::{RewardType, Warehouse};
use crate::game::action_mask_option;
use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};

/// Largest number of agents.
pub const MAX_AGENTS: usize = 256;

const REWARD_TYPES: &[&str] = &["individual", "global", "two_stage"];
const OBSERVATION_TYPES: &[&str] = &["flattened", "dict", "image", "image_dict"];
/// Image layers of the package. AGENT_DIRECTION and AGENT_LOAD fail there, because they swap x and y.
const LAYERS: [&str; 5] = ["shelves", "requests", "agents", "goals", "accessible"];

/// Returns the declarations of all options, with the package's names.
pub fn options() -> Vec<OptionSpec> {
    let limit = 1..=i64::from(i32::MAX);
    let layers: Vec<_> = LAYERS.map(str::to_owned).into();
    vec![
        OptionSpec::new("shelf_columns", 3, "number of columns of shelves, odd").integers(1..=99),
        OptionSpec::new("column_height", 8, "number of rows of shelves in a column").integers(1..=99),
        OptionSpec::new("shelf_rows", 1, "number of columns above one another").integers(1..=9),
        OptionSpec::new("n_agents", 2, "number of players").integers(1..=MAX_AGENTS as i64),
        OptionSpec::new("msg_bits", 0, "number of bits that each player sends in each step").integers(0..=32),
        OptionSpec::new("sensor_range", 1, "number of cells that a player sees in each direction").integers(0..=20),
        OptionSpec::new("request_queue_size", 2, "number of shelves that are requested at the same time").integers(0..=65_535),
        OptionSpec::optional("max_inactivity_steps", 100, "number of steps without a delivery that terminate an episode")
            .integers(limit.clone()),
        OptionSpec::new("max_steps", 500, "number of steps after which an episode terminates").integers(limit),
        OptionSpec::new("reward_type", "individual", "whom a delivery rewards, and when").one_of(REWARD_TYPES),
        OptionSpec::optional("layout", "", "layout as text: rows of x (shelf), . (highway) and g (goal)"),
        OptionSpec::new("observation_type", "flattened", "form of observations").one_of(OBSERVATION_TYPES),
        OptionSpec::new("image_observation_layers", Value::Lines(layers), "layers of images, in order"),
        OptionSpec::new("image_observation_directional", true, "whether images are turned to the player's direction"),
        OptionSpec::new("normalised_coordinates", false, "whether positions are shares of the warehouse's size"),
        action_mask_option(),
    ]
}

/// Creates the environment with resolved options.
///
/// # Errors
/// `Value` for an unknown image layer, a bad layout, and a warehouse without room for all agents or requests.
pub fn checked(options: &Options) -> Result<Warehouse> {
    let layout = Layout::new(options)?;
    let (agents, requests) = (options.int("n_agents") as usize, options.int("request_queue_size") as usize);
    let (cells, shelves) = (layout.width as usize * layout.height as usize, layout.shelves.len());
    if agents > cells {
        return Err(Error::value("n_agents", agents, format!("at most {cells}, the number of cells; enlarge the warehouse")));
    }
    if requests > 0 && requests >= shelves {
        let expected = format!("less than {shelves}, the number of shelves; enlarge the warehouse or reduce the requests");
        return Err(Error::value("request_queue_size", requests, expected));
    }
    let observation_type = match options.text("observation_type") {
        Some("dict") => ObservationType::Dict,
        Some("image") => ObservationType::Image,
        Some("image_dict") => ObservationType::ImageDict,
        _ => ObservationType::Flattened,
    };
    let reward_type = match options.text("reward_type") {
        Some("global") => RewardType::Global,
        Some("two_stage") => RewardType::TwoStage,
        _ => RewardType::Individual,
    };
    Ok(Warehouse {
        layout,
        agents,
        message_bits: options.int("msg_bits") as usize,
        sensor_range: options.int("sensor_range") as i32,
        requests,
        max_inactivity_steps: match options.get("max_inactivity_steps") {
            Value::Int(steps) => *steps as i32,
            _ => i32::MAX,
        },
        max_steps: options.int("max_steps") as i32,
        reward_type,
        observation_type,
        layers: layers(options)?,
        is_directional: options.bool("image_observation_directional"),
        is_normalised: options.bool("normalised_coordinates"),
    })
}

fn layers(options: &Options) -> Result<Vec<Layer>> {
    let given = options.get("image_observation_layers");
    let names = match given {
        Value::Lines(names) => names.as_slice(),
        _ => &[],
    };
    let layer = |name: &String| match name.as_str() {
        "shelves" => Some(Layer::Shelves),
        "requests" => Some(Layer::Requests),
        "agents" => Some(Layer::Agents),
        "goals" => Some(Layer::Goals),
        "accessible" => Some(Layer::Accessible),
        _ => None,
    };
    match names.iter().map(layer).collect::<Option<Vec<_>>>() {
        Some(layers) if !layers.is_empty() && layers.len() <= LAYERS.len() => Ok(layers),
        _ => Err(Error::value("image_observation_layers", given, format!("one to five of {}", LAYERS.join(", ")))),
    }
}
