//! Options of a game and of its levels, with EnvPool's names or with the Python package's names.

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Value};
use envpool_rs_sim_procgen::{DistributionMode, GameName, GameOptions, LevelRange};

use crate::pictures;

/// Number that EnvPool uses for the distribution mode `exploration`.
pub(crate) const EXPLORATION: i64 = 20;
/// Name of the option with the number of a pool's first environment.
pub(crate) const FIRST_ENV: &str = "first_env";
/// Largest value of the option [`FIRST_ENV`].
const MAX_FIRST_ENV: i64 = 1 << 16;
/// Exclusive upper bound of level seeds.
const SEED_LIMIT: i64 = i32::MAX as i64;

/// Names of all games.
const GAMES: [&str; 16] = [
    "bigfish",
    "bossfight",
    "caveflyer",
    "chaser",
    "climber",
    "coinrun",
    "dodgeball",
    "fruitbot",
    "heist",
    "jumper",
    "leaper",
    "maze",
    "miner",
    "ninja",
    "plunder",
    "starpilot",
];

/// Names of the distribution modes in the Python package procgen.
const MODES: [&str; 5] = ["easy", "hard", "extreme", "memory", "exploration"];

/// Returns the specifications of the options that EnvPool's and the Python package's tasks share.
fn shared() -> Vec<OptionSpec> {
    vec![
        OptionSpec::new("num_levels", 0, "number of different levels; 0: all").integers(0..=SEED_LIMIT),
        OptionSpec::new("start_level", 0, "seed of the first of num_levels levels").integers(0..=SEED_LIMIT),
        OptionSpec::new("use_sequential_levels", false, "whether a completed level is followed by the next within the episode"),
        OptionSpec::new("center_agent", true, "whether the view follows the agent, in games whose view moves"),
        OptionSpec::new("use_backgrounds", true, "whether backgrounds are drawn; otherwise they are black"),
        OptionSpec::new("use_monochrome_assets", false, "whether objects are rectangles of one colour"),
        OptionSpec::new("restrict_themes", false, "whether objects of a type look the same in all levels"),
        OptionSpec::new("use_generated_assets", false, "generated pictures: only False is supported"),
        OptionSpec::new("paint_vel_info", false, "whether two gray squares show the agent's velocity, in games with gravity"),
    ]
}

/// Returns the specification of the option [`FIRST_ENV`].
fn first_env() -> OptionSpec {
    OptionSpec::new(FIRST_ENV, 0, "number of the pool's first environment, where several pools are parts of a larger one")
        .integers(0..=MAX_FIRST_ENV)
}

/// Returns the options of EnvPool's tasks, in EnvPool's order.
pub(crate) fn envpool() -> Vec<OptionSpec> {
    let mut all = vec![
        pictures::option(),
        OptionSpec::new("env_name", "bigfish", "the game").one_of(&GAMES),
        OptionSpec::new("channel_first", true, "whether pictures are three planes instead of (64, 64, 3)"),
    ];
    all.extend(shared());
    all.push(OptionSpec::new("use_easy_jump", false, "an option of a game that EnvPool does not have; no effect"));
    all.push(
        OptionSpec::new("distribution_mode", 1, "0: easy, 1: hard, 2: extreme, 10: memory, 20: exploration")
            .integers(0..=EXPLORATION),
    );
    all.push(first_env());
    all
}

/// Returns the options of the Python package's tasks.
pub(crate) fn package() -> Vec<OptionSpec> {
    let mut all = vec![
        pictures::option(),
        OptionSpec::new("env_name", "bigfish", "the game").one_of(&GAMES),
        OptionSpec::new("distribution_mode", "hard", "distribution of levels; not every game has all").one_of(&MODES),
    ];
    all.extend(shared());
    all.push(first_env());
    all
}

/// Returns the name of the game that the options select.
pub(crate) fn game(options: &Options) -> GameName {
    let name = options.text("env_name");
    GameName::ALL.iter().copied().find(|game| Some(game.name()) == name).expect("the option's values are the games")
}

/// Returns the number that EnvPool uses for a distribution mode.
pub(crate) fn mode_number(mode: DistributionMode) -> i64 {
    match mode {
        DistributionMode::Easy => 0,
        DistributionMode::Hard => 1,
        DistributionMode::Extreme => 2,
        DistributionMode::Memory => 10,
    }
}

/// Reads the distribution mode from the options; returns `None` for the mode `exploration`.
fn mode(options: &Options, game: GameName) -> Result<Option<DistributionMode>> {
    let value = options.get("distribution_mode");
    let is_it = |mode: DistributionMode| match value {
        Value::Int(number) => *number == mode_number(mode),
        Value::Text(name) => name == mode.name(),
        _ => false,
    };
    let is_exploration = matches!(value, Value::Int(EXPLORATION)) || *value == Value::Text("exploration".to_owned());
    if is_exploration && game.exploration_level().is_some() {
        return Ok(None);
    }
    game.modes().iter().copied().find(|mode| is_it(*mode)).map(Some).ok_or_else(|| {
        let spelled = |number: i64, name: &str| match value {
            Value::Int(_) => format!("{number} ({name})"),
            _ => format!("{name:?}"),
        };
        let mut modes: Vec<_> = game.modes().iter().map(|mode| spelled(mode_number(*mode), mode.name())).collect();
        modes.extend(game.exploration_level().map(|_| spelled(EXPLORATION, "exploration")));
        let quoted = if let Value::Text(name) = value { format!("{name:?}") } else { value.to_string() };
        Error::value("distribution_mode", quoted, format_args!("a mode of {}: {}", game.name(), modes.join(", ")))
    })
}

/// Reads the options of a game. Returns the options on which rules and pictures depend, and the range of level seeds.
///
/// # Errors
/// `Value` for a mode that the game does not have, for level seeds out of range, and for the option of generated pictures,
/// which is not supported.
pub(crate) fn read(options: &Options, game: GameName) -> Result<(GameOptions, LevelRange)> {
    if options.bool("use_generated_assets") {
        let expected = "False: generated pictures are not supported; use_monochrome_assets=True needs no themes either";
        return Err(Error::value("use_generated_assets", "True", expected));
    }
    let mode = mode(options, game)?;
    let levels = levels(options, if mode.is_none() { game.exploration_level() } else { None })?;
    let game_options = GameOptions {
        distribution_mode: mode.unwrap_or(DistributionMode::Hard),
        use_sequential_levels: options.bool("use_sequential_levels"),
        center_agent: options.bool("center_agent"),
        use_backgrounds: options.bool("use_backgrounds"),
        use_monochrome_assets: options.bool("use_monochrome_assets"),
        restrict_themes: options.bool("restrict_themes"),
        paint_vel_info: options.bool("paint_vel_info"),
    };
    Ok((game_options, levels))
}

fn levels(options: &Options, exploration: Option<i32>) -> Result<LevelRange> {
    let (number, first) = (options.int("num_levels"), options.int("start_level"));
    if let Some(level) = exploration {
        let given = [("num_levels", number), ("start_level", first)].into_iter().find(|(_, value)| *value != 0);
        return match given {
            Some((name, value)) => Err(Error::value(name, value, "0: the distribution mode exploration has one fixed level")),
            None => Ok(LevelRange { low: level, high: level + 1 }),
        };
    }
    if number == 0 {
        return Ok(LevelRange::ALL);
    }
    if first + number > SEED_LIMIT {
        let expected = format!("at most {} with num_levels={number}: level seeds are below {SEED_LIMIT}", SEED_LIMIT - number);
        return Err(Error::value("start_level", first, expected));
    }
    Ok(LevelRange { low: first as i32, high: (first + number) as i32 })
}
