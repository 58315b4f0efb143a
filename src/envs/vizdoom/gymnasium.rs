//! ViZDoom's own tasks for gymnasium (`VizdoomBasic-v1`), as its package 1.3.2 has them: everything that the engine shows, as it is.

use std::path::Path;

use super::files::{self, Places};
use super::scenarios::{DEATHMATCH, STEP_AND_SHOOT, TURN_AND_SHOOT, TURN_AND_WALK};
use envpool_rs_engine::{
    Dtype, EnvSpec, Error, OptionSpec, Options, ProcessEnv, ProcessLane, Rendering, Result, Space, Store, Task, Value,
};
use envpool_rs_sim_vizdoom::{
    Shared,
    buttons::FIRST_DELTA,
    config::{Config, KEYS, Kind, ScreenFormat},
    wad::Palette,
};

/// Most tics of a step.
const MOST_SKIPPED: i64 = 10_000;
/// Most buttons whose combinations are listed.
const MOST_BUTTONS: usize = 22;
/// Most characters of the game's messages.
const MOST_TEXT: usize = 32_768;
/// Largest observation, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// What a configuration of the package's is described by, so that it can be without its file.
struct Known {
    name: &'static str,
    file: &'static str,
    buttons: &'static str,
    variables: &'static str,
    /// Whether there is the map, sound, messages.
    has: [bool; 3],
}

const fn known(name: &'static str, file: &'static str, buttons: &'static str, variables: &'static str) -> Known {
    Known { name, file, buttons, variables, has: [false; 3] }
}

const WHOLE_GAME: &str = "ATTACK SPEED STRAFE USE MOVE_RIGHT MOVE_LEFT MOVE_BACKWARD MOVE_FORWARD TURN_RIGHT TURN_LEFT SELECT_WEAPON1 \
    SELECT_WEAPON2 SELECT_WEAPON3 SELECT_WEAPON4 SELECT_WEAPON5 SELECT_WEAPON6 SELECT_WEAPON7 SELECT_NEXT_WEAPON SELECT_PREV_WEAPON";

/// The scenarios, each with a task for single buttons and one for several.
const SCENARIOS: [Known; 12] = [
    known("Basic", "basic.cfg", STEP_AND_SHOOT, "AMMO2"),
    Known { has: [false, true, false], ..known("BasicAudio", "basic_audio.cfg", STEP_AND_SHOOT, "AMMO2") },
    Known { has: [false, false, true], ..known("BasicNotifications", "basic_notifications.cfg", STEP_AND_SHOOT, "AMMO2") },
    known(
        "DeadlyCorridor",
        "deadly_corridor.cfg",
        "MOVE_LEFT MOVE_RIGHT ATTACK MOVE_FORWARD MOVE_BACKWARD TURN_LEFT TURN_RIGHT",
        "HEALTH",
    ),
    known("DefendCenter", "defend_the_center.cfg", TURN_AND_SHOOT, "AMMO2 HEALTH"),
    known("DefendLine", "defend_the_line.cfg", TURN_AND_SHOOT, "AMMO2 HEALTH"),
    known("HealthGathering", "health_gathering.cfg", TURN_AND_WALK, "HEALTH"),
    known("MyWayHome", "my_way_home.cfg", "TURN_LEFT TURN_RIGHT MOVE_FORWARD MOVE_LEFT MOVE_RIGHT", ""),
    known("PredictPosition", "predict_position.cfg", TURN_AND_SHOOT, ""),
    known("TakeCover", "take_cover.cfg", "MOVE_LEFT MOVE_RIGHT", "HEALTH"),
    known("Deathmatch", "deathmatch.cfg", DEATHMATCH, "KILLCOUNT HEALTH ARMOR SELECTED_WEAPON SELECTED_WEAPON_AMMO"),
    known("HealthGatheringSupreme", "health_gathering_supreme.cfg", TURN_AND_WALK, "HEALTH"),
];

/// Whole games, with a task for each map and difficulty.
const GAMES: [Known; 4] = [
    Known { has: [true, true, false], ..known("Doom", "doom.cfg", WHOLE_GAME, "") },
    Known { has: [true, true, false], ..known("Doom2", "doom2.cfg", WHOLE_GAME, "") },
    Known { has: [true, true, false], ..known("Freedoom1", "freedoom1.cfg", WHOLE_GAME, "") },
    Known { has: [true, true, false], ..known("Freedoom2", "freedoom2.cfg", WHOLE_GAME, "") },
];

/// Names of the configurations.
const FILES: &[&str] = &[
    "basic.cfg",
    "basic_audio.cfg",
    "basic_notifications.cfg",
    "deadly_corridor.cfg",
    "defend_the_center.cfg",
    "defend_the_line.cfg",
    "health_gathering.cfg",
    "my_way_home.cfg",
    "predict_position.cfg",
    "take_cover.cfg",
    "deathmatch.cfg",
    "health_gathering_supreme.cfg",
    "doom.cfg",
    "doom2.cfg",
    "freedoom1.cfg",
    "freedoom2.cfg",
];

/// Two tasks for each scenario, and five for each map of four games.
pub fn tasks() -> Vec<Task> {
    let any = Task::processes::<GymnasiumVizdoom>("");
    let task = |id: String, known: &Known, pressed: i64| {
        any.named(id.leak()).preset("scenario_config_file", known.file).preset("max_buttons_pressed", pressed)
    };
    let mut tasks = Vec::new();
    for known in &SCENARIOS {
        tasks.push(task(format!("Vizdoom{}-v1", known.name), known, 1));
        tasks.push(task(format!("Vizdoom{}-MultiBinary-v1", known.name), known, 0));
    }
    let episodes = || (1..=4).flat_map(|episode| (1..=9).map(move |map| format!("E{episode}M{map}")));
    let numbers = || (1..=32).map(|map| format!("MAP{map:02}"));
    for skill in 1..=5_i64 {
        for known in &GAMES {
            let maps: Vec<String> = if known.name.ends_with('2') { numbers().collect() } else { episodes().collect() };
            for map in maps {
                let id = format!("Vizdoom{}{map}-S{skill}-v0", known.name);
                tasks.push(task(id, known, 0).preset("doom_map", map).preset("doom_skill", skill));
            }
        }
    }
    tasks
}

/// Keys that are options: seeds are the pool's.
fn keys() -> impl Iterator<Item = &'static (&'static str, Kind, &'static str)> {
    KEYS.iter().filter(|(name, ..)| *name != "seed")
}

/// The options that are keys of configurations.
fn key_options() -> Vec<OptionSpec> {
    let option = |(name, kind, doc): &(&'static str, Kind, &'static str)| match kind {
        Kind::Flag => OptionSpec::optional(name, false, doc),
        Kind::Count => OptionSpec::optional(name, 0, doc).integers(0..=i64::from(u32::MAX)),
        Kind::Number => OptionSpec::optional(name, 0.0, doc),
        Kind::Text => OptionSpec::optional(name, "", doc),
        Kind::Path => OptionSpec::place(name, doc),
        Kind::Names => OptionSpec::optional(name, Value::Lines(Vec::new()), doc),
    };
    keys().map(option).collect()
}

/// The environment. Observation a `Dict` of what the configuration enables, action what its buttons make of it, reward the scenario's and
/// the configuration's. No infos.
#[derive(Debug)]
pub struct GymnasiumVizdoom {
    file: &'static str,
    places: Places,
    given: Vec<(&'static str, Value)>,
    frame_skip: u32,
    max_buttons_pressed: usize,
    limit_truncates: bool,
    is_multi_binary: bool,
    config: Config,
    engine: Option<super::shown::Engine>,
}

impl GymnasiumVizdoom {
    /// Applies the options to a configuration.
    fn apply(&self, config: &mut Config) -> Result<()> {
        let folder = std::env::current_dir().unwrap_or_default();
        for (name, value) in &self.given {
            let set = match value {
                Value::Lines(names) => config.set_names(name, &names.iter().map(String::as_str).collect::<Vec<_>>(), false),
                Value::Text(text) => config.set(name, text, &folder),
                Value::Bool(flag) => config.set(name, if *flag { "true" } else { "false" }, &folder),
                other => config.set(name, &other.to_string(), &folder),
            };
            set.map_err(|error| Error::Value(if error.starts_with(name) { error } else { format!("{name}: {error}") }))?;
        }
        let is_given = |name: &str| self.given.iter().any(|(other, _)| *other == name);
        if !is_given("audio_buffer_size") {
            config.audio_tics = self.frame_skip;
        }
        if !is_given("notifications_buffer_size") {
            config.notification_tics = self.frame_skip;
        }
        if config.format != ScreenFormat::Gray {
            config.format = ScreenFormat::Rgb;
        }
        if config.shows_window {
            return Err(Error::value("window_visible", "True", "False: pictures are shown by render_mode"));
        }
        if !config.is_synchronous_player {
            return Err(Error::value("mode", "another", "PLAYER: environments wait for their actions"));
        }
        // Those that move come first.
        config.buttons.sort_by_key(|button| *button < FIRST_DELTA);
        if config.buttons.is_empty() {
            return Err(Error::Value("available_buttons=[]: expected one button or more".into()));
        }
        Ok(())
    }

    fn deltas(&self) -> usize {
        self.config.buttons.iter().filter(|button| **button >= FIRST_DELTA).count()
    }

    fn binaries(&self) -> usize {
        self.config.buttons.len() - self.deltas()
    }
}

/// Combinations of so many buttons of which at most `pressed` are, the first button's bit the highest.
pub fn combinations(buttons: usize, pressed: usize) -> impl Iterator<Item = u32> {
    (0..1_u32 << buttons).filter(move |bits| bits.count_ones() as usize <= pressed)
}

/// All characters that the game's messages may have.
fn charset() -> String {
    (0..127_u8).map(char::from).collect()
}

impl ProcessEnv for GymnasiumVizdoom {
    fn options() -> Vec<OptionSpec> {
        let mut options = vec![
            OptionSpec::new("scenario_config_file", "basic.cfg", "the configuration, of the package's").one_of(FILES),
            OptionSpec::new("frame_skip", 1, "tics of a step").integers(1..=MOST_SKIPPED),
            OptionSpec::new("max_buttons_pressed", 0, "buttons pressed together; 0: each by itself, as MultiBinary")
                .integers(0..=64),
            OptionSpec::new("treat_episode_timeout_as_truncation", true, "the game's time limit truncates, too"),
            OptionSpec::new("use_multi_binary_action_space", true, "MultiBinary, or else MultiDiscrete"),
        ];
        options.extend(files::options());
        options.extend(key_options());
        options
    }

    fn new(options: &Options) -> Result<Self> {
        let file = options.text("scenario_config_file").unwrap_or_default();
        let known = SCENARIOS.iter().chain(&GAMES).find(|known| known.file == file).expect("one of the configurations");
        let given = keys().map(|(name, ..)| (*name, options.get(name).clone()));
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        let mut config = Config::default();
        config.set_names("available_buttons", &words(known.buttons), false).expect("known buttons");
        config.set_names("available_game_variables", &words(known.variables), false).expect("known variables");
        [config.automap, config.audio, config.notifications] = known.has;
        let mut env = Self {
            file: known.file,
            places: Places::new(options)?,
            given: given.filter(|(_, value)| *value != Value::None).collect(),
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
        if pressed > 0 && binaries > MOST_BUTTONS {
            let expected = format_args!("0: the combinations of {binaries} buttons are too many to be listed");
            return Err(Error::value("max_buttons_pressed", pressed, expected));
        }
        let (width, height) = env.config.resolution;
        let bytes = width as usize * height as usize * 8 + env.config.audio_tics as usize * 4 * 1260;
        if bytes > MOST_BYTES {
            return Err(Error::value("audio_buffer_size", env.config.audio_tics, "observations that fit the machine"));
        }
        Ok(env)
    }

    fn load(&mut self, store: &Store) -> Result<()> {
        let path = self.places.config(self.file)?;
        let mut config = files::read_config(store, "vizdoom_dir", &path)?;
        self.apply(&mut config)?;
        let described = |config: &Config| {
            let Config { depth, labels, automap, audio, notifications, format, resolution, .. } = config.clone();
            let buffers = (depth, labels, automap, audio, notifications, format, resolution);
            (config.buttons.clone(), config.variables.clone(), buffers)
        };
        if described(&config) != described(&self.config) {
            let path = path.display();
            return Err(Error::Value(format!(
                "{path} is not the configuration that is known: its buttons, variables or buffers differ"
            )));
        }
        let given = |name: &str| self.given.iter().any(|(other, _)| *other == name);
        let engine = config.engine.clone().filter(|_| given("vizdoom_path"));
        let engine = self.places.engine("vizdoom_path", engine.as_deref())?;
        let (game_name, option) = match &config.game {
            Some(game) if !given("doom_game_path") => {
                (game.file_name().map(|name| name.to_string_lossy().into_owned()), "doom_game_path")
            }
            _ => (Some("freedoom2.wad".to_owned()), "doom_game_path"),
        };
        let given_game = config.game.clone().filter(|_| given("doom_game_path"));
        let name = game_name.unwrap_or_default();
        let game = self.places.game(option, given_game.as_deref(), false, &name).map_err(|error| match error {
            Error::NotFound(text) if name.starts_with("doom") => {
                Error::NotFound(format!("{text}, which is the user's own (it is sold): name it by doom_game_path"))
            }
            error => error,
        })?;
        let scenario =
            config.scenario.as_ref().map(|path: &std::path::PathBuf| self.places.scenario("doom_scenario_path", Path::new(path)));
        let scenario = scenario.transpose()?;
        files::check_map("doom_map", &config.map, &game, scenario.as_deref())?;
        let palette: Palette = files::palette(store, &game, scenario.as_deref())?;
        let config = Config { scenario, ..config };
        let (deltas, binaries) = (self.deltas(), self.binaries());
        let pressed = self.max_buttons_pressed.min(binaries);
        let listed = if pressed > 0 { combinations(binaries, pressed).collect() } else { Vec::new() };
        let shown = super::shown::Settings {
            palette,
            config: config.clone(),
            frame_skip: self.frame_skip,
            deltas,
            binaries,
            listed,
            limit_truncates: self.limit_truncates,
        };
        self.engine = Some(super::shown::Engine::new(&self.places, engine, game, config, Shared::new(shown))?);
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let config = &self.config;
        let (width, height) = (config.resolution.0 as usize, config.resolution.1 as usize);
        let channels = if config.format == ScreenFormat::Gray { 1 } else { 3 };
        let picture = |channels: usize| Space::uniform(0.0, 255.0, &[height, width, channels], Dtype::U8);
        let mut parts = Vec::new();
        let mut add = |is_there: bool, name: &str, space: Space| {
            if is_there {
                parts.push((name.to_owned(), space));
            }
        };
        // In the order in which gymnasium sorts them.
        let samples = (f64::from(config.sampling_rate) / 35.0 * f64::from(self.frame_skip)) as usize;
        add(config.audio, "audio", Space::uniform(-32768.0, 32767.0, &[samples, 2], Dtype::I16));
        add(config.automap, "automap", picture(channels));
        add(config.depth, "depth", picture(1));
        let (least, most) = (f64::from(f32::MIN), f64::from(f32::MAX));
        let count = config.variables.len();
        add(count > 0, "gamevariables", Space::uniform(least, most, &[count], Dtype::F32));
        add(config.labels, "labels", picture(1));
        add(config.notifications, "notifications", Space::text(MOST_TEXT, &charset()));
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

    fn rendering(&self) -> Rendering {
        let config = &self.config;
        let pictures = 1 + [config.depth, config.labels, config.automap].into_iter().map(u32::from).sum::<u32>();
        Rendering::pictures(config.resolution.0 * pictures, config.resolution.1, 35)
    }

    fn lane_bytes(&self) -> usize {
        self.config.resolution.0 as usize * self.config.resolution.1 as usize * 8 + (1 << 20)
    }

    fn lane(&self, _lane: usize) -> Result<Box<dyn ProcessLane>> {
        self.engine.as_ref().ok_or_else(|| Error::State("its files have not been read".into()))?.lane()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_as_itertools_has_them() {
        assert_eq!(combinations(3, 1).collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert_eq!(combinations(2, 2).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(combinations(3, 2).count(), 7);
    }

    #[test]
    fn there_are_as_many_tasks_as_in_the_package() {
        let tasks = tasks();
        assert_eq!(tasks.len(), 704);
        for id in ["VizdoomBasic-v1", "VizdoomDeathmatch-MultiBinary-v1", "VizdoomDoomE4M9-S5-v0", "VizdoomFreedoom2MAP32-S1-v0"]
        {
            assert!(tasks.iter().any(|task| task.id == id), "{id}");
        }
    }
}
