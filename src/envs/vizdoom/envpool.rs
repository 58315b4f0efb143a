//! EnvPool 1.2.5's ViZDoom tasks (`D3Battle-v1`): frame skip, resized and stacked frames, and rewards for changes of game
//! variables.

use super::{
    actions::{self, DeltaValues},
    envpool_options,
    files::{self, AssetPaths},
    scenarios::{self, SCENARIOS, Scenario},
    screen,
};

use envpool_rs_engine::{
    AssetCache, Dtype, EnvSpec, Error, InfoSpec, OptionSpec, Options, ProcessEnv, ProcessLane, RenderSpec, Result, Space, Task,
    Value,
};
use envpool_rs_pictures::resize::Interpolation;
use envpool_rs_sim_vizdoom::{
    Shared,
    config::{ARGUMENT_EXPECTED, Config, SCREEN_FLASHES, ScreenFormat, is_argument},
};

/// Infos that contain game variables: the name of each info, and the number of its game variable.
const INFOS: [(&str, usize); 16] = [
    ("AMMO2", 19),
    ("AMMO3", 20),
    ("AMMO4", 21),
    ("AMMO5", 22),
    ("AMMO6", 23),
    ("AMMO7", 24),
    ("ARMOR", 10),
    ("DAMAGECOUNT", 7),
    ("DEATHCOUNT", 4),
    ("FRAGCOUNT", 3),
    ("HEALTH", 9),
    ("HITCOUNT", 5),
    ("KILLCOUNT", 0),
    ("SELECTED_WEAPON", 15),
    ("SELECTED_WEAPON_AMMO", 16),
    ("USER2", 73),
];

/// Maximum width and height of a frame in pixels. The two constants after it are the maximum number of stacked frames, and the
/// maximum number of tics per step.
const MAX_FRAME_SIDE: i64 = 4_096;
const MAX_STACK_NUM: i64 = 1_000;
const MAX_FRAME_SKIP: i64 = 10_000;
/// Maximum size of an observation in bytes.
const MAX_OBSERVATION_BYTES: usize = 1 << 28;

/// EnvPool's ViZDoom environment.
///
/// Observation: uint8 `(stack_num * channels, img_height, img_width)`, the oldest frame first. Action: one float64 per button, or
/// `Discrete` with `use_combined_action`. Reward: weighted sum of the changes of game variables. Infos: 16 game variables.
#[derive(Debug)]
pub struct EnvPoolVizdoom {
    scenario: &'static Scenario,
    paths: AssetPaths,
    size: (usize, usize),
    stack_num: usize,
    stack_once: bool,
    frame_skip: u32,
    lmp_save_dir: Option<String>,
    episodic_life: bool,
    force_speed: bool,
    use_combined_action: bool,
    method: Interpolation,
    weapon_duration: i64,
    rewards: Vec<(usize, [f64; 2])>,
    weapon_rewards: [f64; 10],
    delta_button_config: Vec<(usize, DeltaValues)>,
    cfg_path: Option<String>,
    wad_path: Option<String>,
    iwad_path: Option<String>,
    vzd_path: Option<String>,
    map_id: String,
    game_args: Vec<String>,
    buttons: Vec<usize>,
    format: ScreenFormat,
    native: (usize, usize),
    loaded: Option<Loaded>,
}

/// Settings of the task's rules and of the engine, shared by all lanes of a pool; available once the game's files have been
/// read.
#[derive(Debug, Clone)]
struct Loaded {
    settings: Shared<super::envpool_rules::EnvPoolSettings>,
    engine: super::envpool_rules::EnvPoolEngine,
}

/// Returns the value of a string option; `None` if it is empty.
fn text(options: &Options, name: &str) -> Option<String> {
    options.text(name).filter(|text| !text.is_empty()).map(str::to_owned)
}

impl EnvPoolVizdoom {
    fn channels(&self) -> usize {
        if matches!(self.format, ScreenFormat::Gray8 | ScreenFormat::Doom256Colors8) { 1 } else { 3 }
    }

    /// Copies buttons, screen format and resolution from the configuration file that the option `option` names.
    fn apply_description(&mut self, config: &Config, option: &str) -> Result<()> {
        if let ScreenFormat::Other(name) = config.screen_format {
            return Err(Error::value("screen_format", name, format_args!("CRCGCB, GRAY8 or DOOM_256_COLORS8 in {option}")));
        }
        if config.screen_format == ScreenFormat::Rgb24 {
            return Err(Error::value("screen_format", "RGB24", format_args!("CRCGCB, GRAY8 or DOOM_256_COLORS8 in {option}")));
        }
        if config.available_buttons.is_empty() {
            return Err(Error::Value(format!("{option}: expected a configuration with available_buttons")));
        }
        self.buttons.clone_from(&config.available_buttons);
        self.format = config.screen_format;
        self.native = (config.screen_resolution.1 as usize, config.screen_resolution.0 as usize);
        Ok(())
    }

    fn config(&mut self, store: &AssetCache) -> Result<Config> {
        let mut config = match self.cfg_path.clone() {
            Some(path) => {
                let path = self.paths.resolve(&path);
                let config = files::read_config(store, "cfg_path", &path)?;
                self.apply_description(&config, "cfg_path")?;
                config
            }
            None if self.scenario.base_name.is_empty() => {
                let expected = "one of the scenarios, or a ViZDoom configuration (.cfg) in cfg_path";
                return Err(files::not_found("scenario", "\"\"", expected));
            }
            None => {
                let (path, scenario) = self.paths.scenario_files(self.scenario.id, self.scenario.base_name, true)?;
                let mut config = files::read_config(store, "assets_dir", &path)?;
                config.doom_scenario_path = Some(scenario);
                if config.available_buttons != self.scenario.buttons() || config.screen_format != self.scenario.format() {
                    return Err(Error::Value(format!(
                        "{}: expected the released configuration of {}; its buttons or screen format differ",
                        path.display(),
                        self.scenario.id
                    )));
                }
                self.native = (config.screen_resolution.1 as usize, config.screen_resolution.0 as usize);
                config.available_game_variables.extend(self.scenario.extra_variables.iter().copied());
                config
            }
        };
        if let Some(path) = &self.wad_path {
            let path = self.paths.resolve(path);
            config.doom_scenario_path = Some(if path.extension().is_none() { path.with_extension("wad") } else { path });
        }
        let listed = config.available_game_variables.clone();
        config.available_game_variables.dedup();
        for variable in listed.into_iter().chain(INFOS.map(|(_, variable)| variable)) {
            if !config.available_game_variables.contains(&variable) {
                config.available_game_variables.push(variable);
            }
        }
        config.doom_map.clone_from(&self.map_id);
        config.game_args.extend(self.game_args.iter().cloned());
        // Only the pool limits the length of an episode, and EnvPool's engine does not render screen flashes.
        config.episode_timeout = 0;
        config.render_flags &= !SCREEN_FLASHES;
        Ok(config)
    }
}

impl ProcessEnv for EnvPoolVizdoom {
    fn options() -> Vec<OptionSpec> {
        let text = |name, doc| OptionSpec::new(name, "", doc);
        let mut options = vec![
            OptionSpec::new("scenario", "basic", "the scenario").one_of(scenarios::BASE_NAMES),
            OptionSpec::new("img_height", 84, "rows of a frame").integers(1..=MAX_FRAME_SIDE),
            OptionSpec::new("img_width", 84, "columns of a frame").integers(1..=MAX_FRAME_SIDE),
            OptionSpec::new("stack_num", 4, "frames in an observation").integers(1..=MAX_STACK_NUM),
            OptionSpec::new("frame_skip", 4, "tics of a step").integers(1..=MAX_FRAME_SKIP),
            OptionSpec::new("use_inter_area_resize", true, "OpenCV's INTER_AREA, or else INTER_LINEAR"),
            OptionSpec::new("episodic_life", false, "a death ends the episode even if the game continues"),
            OptionSpec::new("use_combined_action", false, "an action is an index into the list of button combinations"),
            OptionSpec::new("force_speed", false, "combined actions always press SPEED"),
            OptionSpec::new("lmp_save_dir", "", "folder for recordings of all episodes except each environment's first"),
            OptionSpec::new(
                "reward_config",
                envpool_options::default_rewards(),
                "by game variable: reward per unit of increase, and reward per unit of decrease",
            ),
            OptionSpec::optional("reward_metric", Value::Table(Vec::new()), "older name of reward_config"),
            OptionSpec::new(
                "selected_weapon_reward_config",
                envpool_options::default_weapon_rewards(),
                "by weapon number: reward for holding it",
            ),
            OptionSpec::new("weapon_duration", 5, "steps after which a held weapon is rewarded").integers(0..=1 << 30),
            OptionSpec::new(
                "delta_button_config",
                Value::Table(Vec::new()),
                "by delta button: number of values in combined actions, smallest value, largest value",
            ),
            text("cfg_path", "ViZDoom configuration (.cfg) to use instead of the scenario's"),
            text("wad_path", "scenario file (.wad) to use instead of the configuration's"),
            text("iwad_path", "game file (IWAD); default: freedoom2.wad of EnvPool's assets or of the package"),
            text("vzd_path", "path of the engine; default: the package's"),
            text("game_args", "additional arguments of the engine"),
            OptionSpec::new("map_id", "map01", "the map"),
            OptionSpec::path("assets_dir", "folder of EnvPool's assets; default: the installed ones"),
            OptionSpec::new(
                "stack_once",
                false,
                "whether an observation is the newest frame of the stack only, and infos have stack_age: for FrameMemory",
            ),
        ];
        options.extend(files::options());
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let file = options.text("scenario").unwrap_or_default();
        let scenario = scenarios::scenario(file);
        let int = |name: &str| options.int(name) as usize;
        let env = Self {
            scenario,
            paths: AssetPaths::new(options)?,
            size: (int("img_height"), int("img_width")),
            stack_num: int("stack_num"),
            stack_once: options.bool("stack_once"),
            frame_skip: int("frame_skip") as u32,
            lmp_save_dir: text(options, "lmp_save_dir"),
            episodic_life: options.bool("episodic_life"),
            force_speed: options.bool("force_speed"),
            use_combined_action: options.bool("use_combined_action"),
            method: if options.bool("use_inter_area_resize") { Interpolation::Area } else { Interpolation::Linear },
            weapon_duration: options.int("weapon_duration"),
            rewards: envpool_options::rewards(options)?,
            weapon_rewards: envpool_options::weapon_rewards(options)?,
            delta_button_config: envpool_options::delta_button_config(options)?,
            cfg_path: text(options, "cfg_path"),
            wad_path: text(options, "wad_path"),
            iwad_path: text(options, "iwad_path"),
            vzd_path: text(options, "vzd_path"),
            map_id: options.text("map_id").unwrap_or_default().to_owned(),
            game_args: options.text("game_args").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            buttons: scenario.buttons(),
            format: scenario.format(),
            native: scenario.size(),
            loaded: None,
        };
        let game_args = options.text("game_args").unwrap_or_default();
        if !is_argument(game_args) {
            return Err(Error::value("game_args", format_args!("{game_args:?}"), ARGUMENT_EXPECTED));
        }
        let bytes = env.stack_num * env.size.0 * env.size.1 * 3;
        if bytes > MAX_OBSERVATION_BYTES {
            let expected = format_args!("observations of at most {MAX_OBSERVATION_BYTES} bytes, not {bytes}");
            return Err(Error::value("stack_num", env.stack_num, expected));
        }
        Ok(env)
    }

    fn spec_needs_load(&self) -> bool {
        self.cfg_path.is_some()
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let config = self.config(store)?;
        let paths = &self.paths;
        let iwad = self.iwad_path.as_ref().map(|path| {
            let path = paths.resolve(path);
            if path.extension().is_some() { path } else { paths.resolve(&format!("{}.wad", path.display())) }
        });
        let game = paths.game("iwad_path", iwad.as_deref(), true, "freedoom2.wad")?;
        let scenario = config.doom_scenario_path.as_ref().map(|path| paths.scenario("wad_path", path)).transpose()?;
        files::check_map("map_id", &config.doom_map, &game, scenario.as_deref())?;
        let engine = paths.engine("vzd_path", self.vzd_path.as_ref().map(|path| paths.resolve(path)).as_deref())?;
        let palette = files::palette(store, &game, scenario.as_deref())?;
        let config = Config { doom_scenario_path: scenario, ..config };
        let rendered = super::envpool_rules::render_size(&config);
        let frames = screen::FrameConverter::new(&palette, self.format, rendered, self.native, self.size, self.method);
        let rewards = config
            .available_game_variables
            .iter()
            .map(|variable| self.rewards.iter().find(|(other, _)| other == variable).map_or([0.0; 2], |(_, rewards)| *rewards));
        let index_of = |variable: usize| config.available_game_variables.iter().position(|other| *other == variable);
        let settings = super::envpool_rules::EnvPoolSettings {
            frames,
            palette,
            screen_format: self.format,
            rendered,
            native: self.native,
            method: self.method,
            stack_num: self.stack_num,
            stack_once: self.stack_once,
            frame_skip: self.frame_skip,
            episodic_life: self.episodic_life,
            is_recording: self.lmp_save_dir.is_some(),
            weapon_duration: self.weapon_duration,
            rewards: rewards.collect(),
            weapon_rewards: self.weapon_rewards,
            action_set: actions::build_action_set(&self.buttons, self.force_speed, &self.delta_button_config),
            use_combined_action: self.use_combined_action,
            info_indices: INFOS.map(|(_, variable)| index_of(variable)),
            variables: config.available_game_variables.clone(),
        };
        let engine = super::envpool_rules::EnvPoolEngine::new(paths, engine, game, config, self.lmp_save_dir.as_deref())?;
        self.loaded = Some(Loaded { settings: Shared::new(settings), engine });
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let frames = if self.stack_once { 1 } else { self.stack_num };
        let shape = [frames * self.channels(), self.size.0, self.size.1];
        let observation = Space::uniform(0.0, 255.0, &shape, Dtype::U8);
        let infos = INFOS.map(|(name, _)| InfoSpec::new(name, Dtype::F64, &[]).with_envpool_dtype(Dtype::F64));
        let spec = match self.use_combined_action {
            true => {
                let count = actions::action_set_size(&self.buttons, self.force_speed, &self.delta_button_config);
                EnvSpec::new(observation, Space::discrete(count as i64))
            }
            false => {
                let shape = [self.buttons.len()];
                let action = Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &shape, Dtype::F64);
                // The lower bound of EnvPool's action space is the smallest positive float64.
                let envpool_action = Some(Space::uniform(f64::MIN_POSITIVE, f64::MAX, &shape, Dtype::F64));
                EnvSpec { envpool_action, ..EnvSpec::new(observation, action) }
            }
        };
        let age = InfoSpec::new("stack_age", Dtype::I64, &[]);
        let age = if self.stack_once { age } else { age.hidden() };
        EnvSpec { info: infos.into_iter().chain([age]).collect(), ..spec }
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(self.native.1 as u32, self.native.0 as u32, 35_u32.div_ceil(self.frame_skip))
    }

    fn lane_bytes(&self) -> usize {
        // The estimate is the size of the stacked frames, plus 1 MiB for the mapped part of the engine's memory.
        self.stack_num * self.channels() * self.size.0 * self.size.1 + (1 << 20)
    }

    fn lane(&self, lane: usize) -> Result<Box<dyn ProcessLane>> {
        let loaded = self.loaded.as_ref().ok_or_else(|| Error::State("its files have not been read".into()))?;
        loaded.engine.lane(lane, &loaded.settings)
    }
}

/// Returns EnvPool's ViZDoom tasks, one per scenario.
pub fn tasks() -> Vec<Task> {
    /// Maximum number of environment steps of an episode.
    const STEPS: u32 = 525;
    let any = Task::processes::<EnvPoolVizdoom>("").max_episode_steps(STEPS);
    let task = |scenario: &Scenario| any.with_id(scenario.id).preset("scenario", scenario.base_name);
    SCENARIOS.iter().map(task).collect()
}
