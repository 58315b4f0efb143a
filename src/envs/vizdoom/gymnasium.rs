//! Gymnasium tasks of the Python package `vizdoom` 1.3.2 (`VizdoomBasic-v1`): observations are all enabled buffers without
//! preprocessing.

use std::path::Path;

use super::files::{self, AssetPaths};
use super::gymnasium_scenarios::{FILES, SCENARIOS, ScenarioSpec, WHOLE_GAMES};

use envpool_rs_engine::{
    AssetCache, Dtype, EnvSpec, Error, OptionSpec, Options, ProcessEnv, ProcessLane, RenderSpec, Result, Space, Task, Value,
};
use envpool_rs_sim_vizdoom::{
    Shared,
    buttons::FIRST_DELTA_BUTTON,
    config::{Config, KEYS, KeyKind, ScreenFormat},
    wad::Palette,
};

/// Maximum value of the option `frame_skip`.
const MAX_FRAME_SKIP: i64 = 10_000;
/// Maximum number of binary buttons whose combinations are enumerated for a `Discrete` action space.
const MAX_COMBINED_BUTTONS: usize = 22;
/// Maximum length of the notifications in an observation, in characters.
const MAX_NOTIFICATION_CHARS: usize = 32_768;
/// Maximum size of an observation in bytes.
const MAX_OBSERVATION_BYTES: usize = 1 << 28;

/// Returns all tasks of the package `vizdoom`: two per scenario, and five per map of the four Doom games.
pub fn tasks() -> Vec<Task> {
    let any = Task::processes::<GymnasiumVizdoom>("");
    let task = |id: String, known: &ScenarioSpec, pressed: i64| {
        any.with_id(id.leak()).preset("scenario_config_file", known.file).preset("max_buttons_pressed", pressed)
    };
    let mut tasks = Vec::new();
    for known in &SCENARIOS {
        tasks.push(task(format!("Vizdoom{}-v1", known.name), known, 1));
        tasks.push(task(format!("Vizdoom{}-MultiBinary-v1", known.name), known, 0));
    }
    let episodes = || (1..=4).flat_map(|episode| (1..=9).map(move |map| format!("E{episode}M{map}")));
    let numbers = || (1..=32).map(|map| format!("MAP{map:02}"));
    for skill in 1..=5_i64 {
        for known in &WHOLE_GAMES {
            let maps: Vec<String> = if known.name.ends_with('2') { numbers().collect() } else { episodes().collect() };
            for map in maps {
                let id = format!("Vizdoom{}{map}-S{skill}-v0", known.name);
                tasks.push(task(id, known, 0).preset("doom_map", map).preset("doom_skill", skill));
            }
        }
    }
    tasks
}

/// Returns the configuration keys that are also options: all keys except `seed`, because the pool's own option `seed` seeds the
/// environments.
fn option_keys() -> impl Iterator<Item = &'static (&'static str, KeyKind, &'static str)> {
    KEYS.iter().filter(|(name, ..)| *name != "seed")
}

/// Returns the specifications of the options that set configuration keys.
fn key_options() -> Vec<OptionSpec> {
    let option = |(name, kind, doc): &(&'static str, KeyKind, &'static str)| match kind {
        KeyKind::Flag => OptionSpec::optional(name, false, doc),
        KeyKind::Count => OptionSpec::optional(name, 0, doc).integers(0..=i64::from(u32::MAX)),
        KeyKind::Number => OptionSpec::optional(name, 0.0, doc),
        KeyKind::Text => OptionSpec::optional(name, "", doc),
        KeyKind::Path => OptionSpec::path(name, doc),
        KeyKind::Names => OptionSpec::optional(name, Value::Lines(Vec::new()), doc),
    };
    option_keys().map(option).collect()
}

/// ViZDoom's gymnasium environment.
///
/// Observation: `Dict` of the enabled buffers and game variables. Action: a space for the available buttons. Reward: the sum of
/// the scenario's and the configuration's rewards. No infos.
#[derive(Debug)]
pub struct GymnasiumVizdoom {
    file: &'static str,
    paths: AssetPaths,
    overrides: Vec<(&'static str, Value)>,
    frame_skip: u32,
    max_buttons_pressed: usize,
    limit_truncates: bool,
    is_multi_binary: bool,
    config: Config,
    engine: Option<super::package_rules::PackageEngine>,
}

impl GymnasiumVizdoom {
    /// Applies this environment's options to a configuration, and checks the resulting configuration.
    fn apply(&self, config: &mut Config) -> Result<()> {
        let folder = std::env::current_dir().unwrap_or_default();
        for (name, value) in &self.overrides {
            let set = match value {
                Value::Lines(names) => config.set_names(name, &names.iter().map(String::as_str).collect::<Vec<_>>(), false),
                Value::Text(text) => config.set(name, text, &folder),
                Value::Bool(flag) => config.set(name, if *flag { "true" } else { "false" }, &folder),
                other => config.set(name, &other.to_string(), &folder),
            };
            set.map_err(|error| Error::Value(if error.starts_with(name) { error } else { format!("{name}: {error}") }))?;
        }
        let is_set = |name: &str| self.overrides.iter().any(|(other, _)| *other == name);
        if !is_set("audio_buffer_size") {
            config.audio_buffer_size = self.frame_skip;
        }
        if !is_set("notifications_buffer_size") {
            config.notifications_buffer_size = self.frame_skip;
        }
        if config.screen_format != ScreenFormat::Gray8 {
            config.screen_format = ScreenFormat::Rgb24;
        }
        if config.window_visible {
            return Err(Error::value("window_visible", "True", "False; use render_mode to show frames"));
        }
        if !config.is_synchronous_player {
            return Err(Error::value("mode", "another", "PLAYER, in which the engine waits for actions"));
        }
        // The package `vizdoom` puts delta buttons before the other buttons.
        config.available_buttons.sort_by_key(|button| *button < FIRST_DELTA_BUTTON);
        if config.available_buttons.is_empty() {
            return Err(Error::Value("available_buttons=[]: expected one button or more".into()));
        }
        Ok(())
    }

    fn deltas(&self) -> usize {
        self.config.available_buttons.iter().filter(|button| **button >= FIRST_DELTA_BUTTON).count()
    }

    fn binaries(&self) -> usize {
        self.config.available_buttons.len() - self.deltas()
    }
}

/// Returns bit masks of the combinations of `buttons` buttons in which at most `pressed` buttons are pressed. The highest bit
/// of a mask is the first button.
pub fn combinations(buttons: usize, pressed: usize) -> impl Iterator<Item = u32> {
    (0..1_u32 << buttons).filter(move |bits| bits.count_ones() as usize <= pressed)
}

/// Returns all characters that notifications may contain.
fn charset() -> String {
    (0..127_u8).map(char::from).collect()
}

impl ProcessEnv for GymnasiumVizdoom {
    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::new("scenario_config_file", "basic.cfg", "one of the package's configurations").one_of(FILES),
            OptionSpec::new("frame_skip", 1, "tics of a step").integers(1..=MAX_FRAME_SKIP),
            OptionSpec::new("max_buttons_pressed", 0, "most buttons pressed at once; 0: a MultiBinary or MultiDiscrete action")
                .integers(0..=64),
            OptionSpec::new("treat_episode_timeout_as_truncation", true, "the game's time limit truncates the episode"),
            OptionSpec::new("use_multi_binary_action_space", true, "MultiBinary, or else MultiDiscrete"),
        ];
        options.extend(files::options());
        options.extend(key_options());
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let file = options.text("scenario_config_file").unwrap_or_default();
        let known = SCENARIOS.iter().chain(&WHOLE_GAMES).find(|known| known.file == file).expect("one of the configurations");
        let given = option_keys().map(|(name, ..)| (*name, options.get(name).clone()));
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        let mut config = Config::default();
        config.set_names("available_buttons", &words(known.buttons), false).expect("known buttons");
        config.set_names("available_game_variables", &words(known.variables), false).expect("known variables");
        [config.automap_buffer_enabled, config.audio_buffer_enabled, config.notifications_buffer_enabled] = known.has;
        let mut env = Self {
            file: known.file,
            paths: AssetPaths::new(options)?,
            overrides: given.filter(|(_, value)| *value != Value::None).collect(),
            frame_skip: options.int("frame_skip") as u32,
            max_buttons_pressed: options.int("max_buttons_pressed") as usize,
            limit_truncates: options.bool("treat_episode_timeout_as_truncation"),
            is_multi_binary: options.bool("use_multi_binary_action_space"),
            config: Config::default(),
            engine: None,
        };
        env.apply(&mut config)?;
        env.config = config;
        let (binaries, pressed) = (env.binaries(), env.max_buttons_pressed);
        if pressed > 0 && binaries > MAX_COMBINED_BUTTONS {
            let expected = format_args!("0, because {binaries} buttons have too many combinations");
            return Err(Error::value("max_buttons_pressed", pressed, expected));
        }
        let (width, height) = env.config.screen_resolution;
        let bytes = width as usize * height as usize * 8 + env.config.audio_buffer_size as usize * 4 * 1260;
        if bytes > MAX_OBSERVATION_BYTES {
            return Err(Error::value(
                "audio_buffer_size",
                env.config.audio_buffer_size,
                "a smaller buffer: observations may have at most 268435456 bytes",
            ));
        }
        Ok(env)
    }

    fn load(&mut self, store: &AssetCache) -> Result<()> {
        let path = self.paths.config(self.file)?;
        let mut config = files::read_config(store, "vizdoom_dir", &path)?;
        self.apply(&mut config)?;
        let described = |config: &Config| {
            let Config {
                depth_buffer_enabled: depth,
                labels_buffer_enabled: labels,
                automap_buffer_enabled: automap,
                audio_buffer_enabled: audio,
                notifications_buffer_enabled: notifications,
                screen_format: format,
                screen_resolution: resolution,
                ..
            } = config.clone();
            let buffers = (depth, labels, automap, audio, notifications, format, resolution);
            (config.available_buttons.clone(), config.available_game_variables.clone(), buffers)
        };
        if described(&config) != described(&self.config) {
            let path = path.display();
            return Err(Error::Value(format!(
                "{path}: expected the released configuration; its buttons, variables or buffers differ"
            )));
        }
        let given = |name: &str| self.overrides.iter().any(|(other, _)| *other == name);
        let engine = config.vizdoom_path.clone().filter(|_| given("vizdoom_path"));
        let engine = self.paths.engine("vizdoom_path", engine.as_deref())?;
        let (game_name, option) = match &config.doom_game_path {
            Some(game) if !given("doom_game_path") => {
                (game.file_name().map(|name| name.to_string_lossy().into_owned()), "doom_game_path")
            }
            _ => (Some("freedoom2.wad".to_owned()), "doom_game_path"),
        };
        let given_game = config.doom_game_path.clone().filter(|_| given("doom_game_path"));
        let name = game_name.unwrap_or_default();
        let game = self.paths.game(option, given_game.as_deref(), false, &name).map_err(|error| match error {
            Error::NotFound(text) if name.starts_with("doom") => {
                Error::NotFound(format!("{text}; set doom_game_path to your copy (the game is sold)"))
            }
            error => error,
        })?;
        let scenario = config
            .doom_scenario_path
            .as_ref()
            .map(|path: &std::path::PathBuf| self.paths.scenario("doom_scenario_path", Path::new(path)));
        let scenario = scenario.transpose()?;
        files::check_map("doom_map", &config.doom_map, &game, scenario.as_deref())?;
        let palette: Palette = files::palette(store, &game, scenario.as_deref())?;
        let config = Config { doom_scenario_path: scenario, ..config };
        let (deltas, binaries) = (self.deltas(), self.binaries());
        let pressed = self.max_buttons_pressed.min(binaries);
        let listed = if pressed > 0 { combinations(binaries, pressed).collect() } else { Vec::new() };
        let settings = super::package_rules::PackageSettings {
            palette,
            config: config.clone(),
            frame_skip: self.frame_skip,
            delta_buttons: deltas,
            binary_buttons: binaries,
            button_combinations: listed,
            limit_truncates: self.limit_truncates,
        };
        self.engine = Some(super::package_rules::PackageEngine::new(&self.paths, engine, game, config, Shared::new(settings))?);
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let config = &self.config;
        let (width, height) = (config.screen_resolution.0 as usize, config.screen_resolution.1 as usize);
        let channels = if config.screen_format == ScreenFormat::Gray8 { 1 } else { 3 };
        let picture = |channels: usize| Space::uniform(0.0, 255.0, &[height, width, channels], Dtype::U8);
        let mut parts = Vec::new();
        let mut add = |is_there: bool, name: &str, space: Space| {
            if is_there {
                parts.push((name.to_owned(), space));
            }
        };
        // The entries of the observation are in alphabetical order, as in gymnasium's `Dict`.
        let samples = (f64::from(config.audio_sampling_rate) / 35.0 * f64::from(self.frame_skip)) as usize;
        add(config.audio_buffer_enabled, "audio", Space::uniform(-32768.0, 32767.0, &[samples, 2], Dtype::I16));
        add(config.automap_buffer_enabled, "automap", picture(channels));
        add(config.depth_buffer_enabled, "depth", picture(1));
        let (least, most) = (f64::from(f32::MIN), f64::from(f32::MAX));
        let count = config.available_game_variables.len();
        add(count > 0, "gamevariables", Space::uniform(least, most, &[count], Dtype::F32));
        add(config.labels_buffer_enabled, "labels", picture(1));
        add(config.notifications_buffer_enabled, "notifications", Space::text(MAX_NOTIFICATION_CHARS, &charset()));
        add(true, "screen", picture(channels));
        let (deltas, binaries) = (self.deltas(), self.binaries());
        let pressed = self.max_buttons_pressed.min(binaries);
        let binary = match pressed {
            0 if self.is_multi_binary => Space::multi_binary(binaries),
            0 => Space::multi_discrete(&vec![2; binaries]),
            pressed => Space::discrete(combinations(binaries, pressed).count() as i64),
        };
        let continuous = Space::uniform(least, most, &[deltas], Dtype::F32);
        let action = match (binaries, deltas) {
            (_, 0) => binary,
            (0, _) => continuous,
            _ => Space::Dict(vec![("binary".to_owned(), binary), ("continuous".to_owned(), continuous)]),
        };
        EnvSpec::new(Space::Dict(parts), action)
    }

    fn render_spec(&self) -> RenderSpec {
        let config = &self.config;
        let pictures = 1 + [config.depth_buffer_enabled, config.labels_buffer_enabled, config.automap_buffer_enabled]
            .into_iter()
            .map(u32::from)
            .sum::<u32>();
        RenderSpec::with_frame_size(config.screen_resolution.0 * pictures, config.screen_resolution.1, 35)
    }

    fn lane_bytes(&self) -> usize {
        self.config.screen_resolution.0 as usize * self.config.screen_resolution.1 as usize * 8 + (1 << 20)
    }

    fn lane(&self, _lane: usize) -> Result<Box<dyn ProcessLane>> {
        self.engine.as_ref().ok_or_else(|| Error::State("its files have not been read".into()))?.lane()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_have_the_order_of_itertools() {
        assert_eq!(combinations(3, 1).collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert_eq!(combinations(2, 2).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(combinations(3, 2).count(), 7);
    }

    #[test]
    fn the_number_of_tasks_equals_the_packages() {
        let tasks = tasks();
        assert_eq!(tasks.len(), 704);
        for id in ["VizdoomBasic-v1", "VizdoomDeathmatch-MultiBinary-v1", "VizdoomDoomE4M9-S5-v0", "VizdoomFreedoom2MAP32-S1-v0"]
        {
            assert!(tasks.iter().any(|task| task.id == id), "{id}");
        }
    }
}
