//! Configurations of a game: what ViZDoom's `.cfg` files say, and what its package takes as `set_config`.

use std::path::{Path, PathBuf};

use super::{buttons, variables};

/// How the engine lays out the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenFormat {
    /// A plane for each of red, green and blue.
    Planes,
    /// Red, green, blue of each pixel.
    Rgb,
    /// One gray.
    Gray,
    /// Numbers of the game's 256 colours.
    Colours,
    /// Anything else, by its name.
    Other(&'static str),
}

/// Names of formats.
const FORMATS: [(&str, ScreenFormat); 10] = [
    ("crcgcb", ScreenFormat::Planes),
    ("rgb24", ScreenFormat::Rgb),
    ("rgba32", ScreenFormat::Other("RGBA32")),
    ("argb32", ScreenFormat::Other("ARGB32")),
    ("cbcgcr", ScreenFormat::Other("CBCGCR")),
    ("bgr24", ScreenFormat::Other("BGR24")),
    ("bgra32", ScreenFormat::Other("BGRA32")),
    ("abgr32", ScreenFormat::Other("ABGR32")),
    ("gray8", ScreenFormat::Gray),
    ("doom_256_colors8", ScreenFormat::Colours),
];

/// Sizes of pictures.
const RESOLUTIONS: [(u32, u32); 36] = [
    (160, 120),
    (200, 125),
    (200, 150),
    (256, 144),
    (256, 160),
    (256, 192),
    (320, 180),
    (320, 200),
    (320, 240),
    (320, 256),
    (400, 225),
    (400, 250),
    (400, 300),
    (512, 288),
    (512, 320),
    (512, 384),
    (640, 360),
    (640, 400),
    (640, 480),
    (800, 450),
    (800, 500),
    (800, 600),
    (1024, 576),
    (1024, 640),
    (1024, 768),
    (1280, 720),
    (1280, 800),
    (1280, 960),
    (1280, 1024),
    (1400, 787),
    (1400, 875),
    (1400, 1050),
    (1600, 900),
    (1600, 1000),
    (1600, 1200),
    (1920, 1080),
];

/// What a key's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// An integer, none below zero.
    Count,
    /// A number.
    Number,
    /// Any text.
    Text,
    /// A file.
    Path,
    /// Names between braces.
    Names,
}

/// The keys, with what their values are and what they are for.
pub const KEYS: &[(&str, Kind, &str)] = &[
    ("available_buttons", Kind::Names, "the buttons that actions press or move, by name"),
    ("available_game_variables", Kind::Names, "the variables that observations tell, by name"),
    ("doom_game_path", Kind::Path, "the game's file (IWAD)"),
    ("doom_scenario_path", Kind::Path, "the scenario's file (WAD)"),
    ("doom_config_path", Kind::Path, "the engine's own configuration file"),
    ("vizdoom_path", Kind::Path, "the engine"),
    ("doom_map", Kind::Text, "the map"),
    ("doom_skill", Kind::Count, "difficulty, 1 to 5"),
    ("game_args", Kind::Text, "further arguments for the engine"),
    ("mode", Kind::Text, "who plays: PLAYER alone is known here"),
    ("seed", Kind::Count, "not looked at: environments are seeded by resets"),
    ("ticrate", Kind::Count, "tics of a second, where the engine does not run as fast as it can"),
    ("episode_start_time", Kind::Count, "tics that pass before an episode begins"),
    ("episode_timeout", Kind::Count, "tics after which an episode ends; 0 for never"),
    ("living_reward", Kind::Number, "reward of each tic"),
    ("death_penalty", Kind::Number, "what dying costs"),
    ("death_reward", Kind::Number, "reward for dying"),
    ("map_exit_reward", Kind::Number, "reward for leaving the map by its exit"),
    ("kill_reward", Kind::Number, "reward of each kill"),
    ("item_reward", Kind::Number, "reward of each item"),
    ("secret_reward", Kind::Number, "reward of each secret"),
    ("frag_reward", Kind::Number, "reward of each frag"),
    ("hit_reward", Kind::Number, "reward of each hit"),
    ("hit_taken_reward", Kind::Number, "reward of each hit that the player takes"),
    ("hit_taken_penalty", Kind::Number, "what each hit costs that the player takes"),
    ("damage_made_reward", Kind::Number, "reward of each point of damage"),
    ("damage_taken_reward", Kind::Number, "reward of each point of damage that the player takes"),
    ("damage_taken_penalty", Kind::Number, "what each point of damage costs that the player takes"),
    ("health_reward", Kind::Number, "reward of each point of health that is won"),
    ("armor_reward", Kind::Number, "reward of each point of armor that is won"),
    ("screen_resolution", Kind::Text, "size of the picture, such as RES_320X240"),
    ("screen_format", Kind::Text, "format of the picture: GRAY8, or any other for colours"),
    ("depth_buffer_enabled", Kind::Flag, "whether observations have a picture of distances"),
    ("labels_buffer_enabled", Kind::Flag, "whether observations have a picture of which thing is where"),
    ("automap_buffer_enabled", Kind::Flag, "whether observations have the map as a picture"),
    ("audio_buffer_enabled", Kind::Flag, "whether observations have the sound"),
    ("notifications_buffer_enabled", Kind::Flag, "whether observations have the game's messages"),
    ("objects_info_enabled", Kind::Flag, "whether the engine lists things"),
    ("sectors_info_enabled", Kind::Flag, "whether the engine lists sectors"),
    ("automap_mode", Kind::Text, "what the map shows: NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE"),
    ("automap_rotate", Kind::Flag, "whether the map turns with the player"),
    ("automap_render_textures", Kind::Flag, "whether the map has textures"),
    ("automap_render_objects_as_sprites", Kind::Flag, "whether the map shows things as they look"),
    ("audio_sampling_rate", Kind::Text, "SR_11025, SR_22050 or SR_44100"),
    ("audio_buffer_size", Kind::Count, "tics of sound in an observation"),
    ("notifications_buffer_size", Kind::Count, "tics whose messages are in an observation"),
    ("render_hud", Kind::Flag, "whether the picture has the status bar"),
    ("render_minimal_hud", Kind::Flag, "whether the status bar is the small one"),
    ("render_weapon", Kind::Flag, "whether the picture has the weapon"),
    ("render_crosshair", Kind::Flag, "whether the picture has a crosshair"),
    ("render_decals", Kind::Flag, "whether the picture has marks on walls"),
    ("render_particles", Kind::Flag, "whether the picture has particles"),
    ("render_effects_sprites", Kind::Flag, "whether the picture has smoke and blood"),
    ("render_messages", Kind::Flag, "whether the picture has messages"),
    ("render_corpses", Kind::Flag, "whether the picture has corpses"),
    ("render_screen_flashes", Kind::Flag, "whether the picture flashes"),
    ("render_all_frames", Kind::Flag, "whether skipped tics are drawn, too"),
    ("sound_enabled", Kind::Flag, "whether the engine plays sounds"),
    ("console_enabled", Kind::Flag, "whether the engine has its console"),
    ("window_visible", Kind::Flag, "whether the engine shows its window"),
];

/// What is rewarded beside the scenario's own rewards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rewards {
    /// Of each tic.
    pub living: f64,
    /// For dying.
    pub death: f64,
    /// For leaving the map.
    pub map_exit: f64,
    /// Of each one more of a variable: its number and the reward.
    pub variables: [(usize, f64); 10],
}

/// Keys of rewards for variables, with the variables, and whether the reward is a penalty.
const VARIABLE_REWARDS: [(&str, usize, usize, f64); 12] = [
    ("killreward", 0, 0, 1.0),
    ("itemreward", 1, 1, 1.0),
    ("secretreward", 2, 2, 1.0),
    ("fragreward", 3, 3, 1.0),
    ("hitreward", 4, 5, 1.0),
    ("hittakenreward", 5, 6, 1.0),
    ("hittakenpenalty", 5, 6, -1.0),
    ("damagemadereward", 6, 7, 1.0),
    ("damagetakenreward", 7, 8, 1.0),
    ("damagetakenpenalty", 7, 8, -1.0),
    ("healthreward", 8, 9, 1.0),
    ("armorreward", 9, 10, 1.0),
];

/// A configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Buttons of an action.
    pub buttons: Vec<usize>,
    /// Variables of a state.
    pub variables: Vec<usize>,
    /// The engine.
    pub engine: Option<PathBuf>,
    /// The game's file.
    pub game: Option<PathBuf>,
    /// The scenario's file.
    pub scenario: Option<PathBuf>,
    /// The engine's own configuration.
    pub engine_config: Option<PathBuf>,
    /// The map.
    pub map: String,
    /// Difficulty, 1 to 5.
    pub skill: u32,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// Whether the player is a program that the engine waits for.
    pub is_synchronous_player: bool,
    /// Tics of a second.
    pub ticrate: u32,
    /// The tic in which an episode begins.
    pub start: u32,
    /// Tics of an episode; 0 for no limit.
    pub timeout: u32,
    /// Rewards.
    pub rewards: Rewards,
    /// Width and height of the picture.
    pub resolution: (u32, u32),
    /// Its format.
    pub format: ScreenFormat,
    /// Whether there is a picture of distances.
    pub depth: bool,
    /// Whether there is a picture of things.
    pub labels: bool,
    /// Whether there is a map.
    pub automap: bool,
    /// Whether there is sound.
    pub audio: bool,
    /// Whether there are messages.
    pub notifications: bool,
    /// Whether the engine lists things.
    pub objects: bool,
    /// Whether the engine lists sectors.
    pub sectors: bool,
    /// What the map shows.
    pub automap_mode: u32,
    /// Samples of a second.
    pub sampling_rate: u32,
    /// Tics of sound.
    pub audio_tics: u32,
    /// Tics of messages.
    pub notification_tics: u32,
    /// What is drawn, as bits of the engine's.
    pub drawn: u32,
    /// Whether skipped tics are drawn.
    pub draws_all: bool,
    /// Whether the engine plays sounds.
    pub plays_sound: bool,
    /// Whether the engine has its console.
    pub has_console: bool,
    /// Whether the engine shows its window.
    pub shows_window: bool,
}

/// What [`is_argument`] expects.
pub const ARGUMENT: &str = "text without NUL characters";

/// Whether a program can be given a text as an argument.
pub fn is_argument(text: &str) -> bool {
    !text.contains('\0')
}

/// The bit of what is drawn for flashes of the whole picture.
pub const FLASHES: u32 = 4096;

/// Bits of what is drawn.
const DRAWN: [(&str, u32); 13] = [
    ("renderhud", 1),
    ("renderminimalhud", 2),
    ("renderweapon", 4),
    ("rendercrosshair", 8),
    ("renderdecals", 16),
    ("renderparticles", 32),
    ("rendereffectssprites", 64),
    ("rendermessages", 128),
    ("automaprotate", 256),
    ("automaprendertextures", 512),
    ("automaprenderobjectsassprites", 1024),
    ("rendercorpses", 2048),
    ("renderscreenflashes", FLASHES),
];

impl Default for Config {
    fn default() -> Self {
        let mut rewards = Rewards::default();
        for (_, slot, variable, _) in VARIABLE_REWARDS {
            rewards.variables[slot].0 = variable;
        }
        Self {
            buttons: Vec::new(),
            variables: Vec::new(),
            engine: None,
            game: None,
            scenario: None,
            engine_config: None,
            map: "map01".to_owned(),
            skill: 3,
            arguments: Vec::new(),
            is_synchronous_player: true,
            ticrate: 35,
            start: 1,
            timeout: 0,
            rewards,
            resolution: (320, 240),
            format: ScreenFormat::Planes,
            depth: false,
            labels: false,
            automap: false,
            audio: false,
            notifications: false,
            objects: false,
            sectors: false,
            automap_mode: 0,
            sampling_rate: 44_100,
            audio_tics: 4,
            notification_tics: 4,
            // Weapon, marks, particles, effects, textures of the map, corpses, flashes.
            drawn: 4 | 16 | 32 | 64 | 512 | 2048 | FLASHES,
            draws_all: false,
            plays_sound: false,
            has_console: false,
            shows_window: false,
        }
    }
}

impl Config {
    /// What a file says, over the defaults.
    ///
    /// # Errors
    /// In words, naming the file and the line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut config = Self::default();
        config
            .apply(&String::from_utf8_lossy(&text), path.parent().unwrap_or(Path::new(".")))
            .map_err(|(line, error)| format!("{}, line {line}: {error}", path.display()))?;
        Ok(config)
    }

    /// Applies the lines of a file that lies in `folder`.
    fn apply(&mut self, text: &str, folder: &Path) -> Result<(), (usize, String)> {
        let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        while let Some((number, line)) = lines.next() {
            let place = number + 1;
            let (key, value) = line.split_once('=').ok_or_else(|| (place, format!("{line:?} is no `key = value`")))?;
            let (key, appends) = match key.trim_end().strip_suffix('+') {
                Some(key) => (key, true),
                None => (key, false),
            };
            let mut value = value.trim().to_owned();
            if kind(key) == Some(Kind::Names) {
                while !value.ends_with('}') {
                    let Some((_, more)) = lines.next() else { return Err((place, "there is no } behind the {".to_owned())) };
                    value = format!("{value} {more}");
                }
                let names = value.trim().strip_prefix('{').and_then(|names| names.strip_suffix('}'));
                let names = names.ok_or_else(|| (place, "expected names between { and }".to_owned()))?;
                let names: Vec<_> = names.split_whitespace().collect();
                self.set_names(key, &names, appends).map_err(|error| (place, error))?;
            } else {
                self.set(key, &value, folder).map_err(|error| (place, error))?;
            }
        }
        Ok(())
    }

    /// Sets a list.
    ///
    /// # Errors
    /// In words, where there is no such button, variable or list.
    pub fn set_names(&mut self, key: &str, names: &[&str], appends: bool) -> Result<(), String> {
        let is_buttons = plain(key) == "availablebuttons";
        let (list, what) = if is_buttons { (&mut self.buttons, "button") } else { (&mut self.variables, "game variable") };
        if !appends {
            list.clear();
        }
        for name in names {
            let number = if is_buttons { buttons::named(name) } else { variables::named(name) };
            let number = number.ok_or_else(|| format!("there is no {what} {name:?}"))?;
            if !list.contains(&number) {
                list.push(number);
            }
        }
        Ok(())
    }

    /// Sets anything else. Relative paths are those of `folder`.
    ///
    /// # Errors
    /// In words, where there is no such key or it does not take that value.
    pub fn set(&mut self, key: &str, value: &str, folder: &Path) -> Result<(), String> {
        let plain = plain(key);
        let wrong = |expected: &str| format!("{}={value:?}: expected {expected}", key.trim());
        if !is_argument(value) {
            return Err(wrong(ARGUMENT));
        }
        let flag = || match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(wrong("true or false")),
        };
        let count = || value.parse::<u32>().map_err(|_| wrong("an integer, 0 or more"));
        let number = || match value.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(wrong("a number")),
        };
        let path = || Some(folder.join(value)).filter(|_| !value.is_empty());
        if let Some((_, bit)) = DRAWN.iter().find(|(name, _)| *name == plain) {
            self.drawn = if flag()? { self.drawn | bit } else { self.drawn & !bit };
            return Ok(());
        }
        if let Some((_, slot, _, sign)) = VARIABLE_REWARDS.iter().find(|(name, ..)| *name == plain) {
            self.rewards.variables[*slot].1 = sign * number()?;
            return Ok(());
        }
        match plain.as_str() {
            "doomgamepath" => self.game = path(),
            "doomscenariopath" => self.scenario = path(),
            "doomconfigpath" => self.engine_config = path(),
            "vizdoompath" => self.engine = path(),
            "doommap" => self.map = value.to_owned(),
            "doomskill" => {
                self.skill = count()?;
                if !(1..=5).contains(&self.skill) {
                    return Err(wrong("1 to 5"));
                }
            }
            "gameargs" => self.arguments.extend(value.split_whitespace().map(str::to_owned)),
            "mode" => {
                let modes = ["player", "spectator", "async_player", "async_spectator"];
                let mode = value.to_ascii_lowercase();
                if !modes.contains(&mode.as_str()) {
                    return Err(wrong("PLAYER, SPECTATOR, ASYNC_PLAYER or ASYNC_SPECTATOR"));
                }
                self.is_synchronous_player = mode == "player";
            }
            "seed" => drop(count()?),
            "ticrate" => self.ticrate = count()?,
            "episodestarttime" => self.start = count()?.max(1),
            "episodetimeout" => self.timeout = count()?,
            "livingreward" => self.rewards.living = number()?,
            "deathpenalty" => self.rewards.death = -number()?,
            "deathreward" => self.rewards.death = number()?,
            "mapexitreward" => self.rewards.map_exit = number()?,
            "screenresolution" => {
                let size = value.to_ascii_lowercase();
                let size = size.strip_prefix("res_").and_then(|size| size.split_once('x'));
                let size = size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
                self.resolution = size
                    .filter(|size| RESOLUTIONS.contains(size))
                    .ok_or_else(|| wrong("one of the engine's sizes, RES_160X120 to RES_1920X1080"))?;
            }
            "screenformat" => {
                let format = FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                let names = || FORMATS.map(|(name, _)| name.to_ascii_uppercase()).join(", ");
                self.format = format.ok_or_else(|| wrong(&format!("one of {}", names())))?.1;
            }
            "depthbufferenabled" => self.depth = flag()?,
            "labelsbufferenabled" => self.labels = flag()?,
            "automapbufferenabled" => self.automap = flag()?,
            "audiobufferenabled" => self.audio = flag()?,
            "notificationsbufferenabled" => self.notifications = flag()?,
            "objectsinfoenabled" => self.objects = flag()?,
            "sectorsinfoenabled" => self.sectors = flag()?,
            "automapmode" => {
                let modes = ["normal", "whole", "objects", "objects_with_size"];
                let mode = modes.iter().position(|mode| mode.eq_ignore_ascii_case(value));
                self.automap_mode = mode.ok_or_else(|| wrong("NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE"))? as u32;
            }
            "audiosamplingrate" => {
                let rates = [("sr_11025", 11_025), ("sr_22050", 22_050), ("sr_44100", 44_100)];
                let rate = rates.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                self.sampling_rate = rate.ok_or_else(|| wrong("SR_11025, SR_22050 or SR_44100"))?.1;
            }
            "audiobuffersize" => self.audio_tics = count()?,
            "notificationsbuffersize" => self.notification_tics = count()?,
            "renderallframes" => self.draws_all = flag()?,
            "soundenabled" => self.plays_sound = flag()?,
            "consoleenabled" => self.has_console = flag()?,
            "windowvisible" => self.shows_window = flag()?,
            _ => return Err(format!("there is no key {:?}{}", key.trim(), near(&plain))),
        }
        Ok(())
    }
}

/// A key as keys are compared: `episode_timeout` and `episodeTimeout` are the same.
fn plain(key: &str) -> String {
    key.trim().chars().filter(|character| *character != '_').collect::<String>().to_ascii_lowercase()
}

fn kind(key: &str) -> Option<Kind> {
    let key = plain(key);
    KEYS.iter().find(|(name, ..)| plain(name) == key).map(|(_, kind, _)| *kind)
}

/// A key that begins or ends like one that there is not.
fn near(key: &str) -> String {
    let shared = |name: &str| plain(name).bytes().zip(key.bytes()).take_while(|(one, other)| one == other).count();
    let best = KEYS.iter().map(|(name, ..)| *name).max_by_key(|name| shared(name));
    best.filter(|name| shared(name) >= 4).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, (usize, String)> {
        let mut config = Config::default();
        config.apply(text, Path::new("/games")).map(|()| config)
    }

    #[test]
    fn keys_are_written_in_any_way() {
        let config = read(
            "# a comment\n doom_scenario_path = basic.wad\nepisodeTimeout=300\nLIVING_REWARD = -1\ndeath_penalty = 100\n\
             screen_resolution = RES_640x480\nscreen_format = gray8\nrender_weapon = False\nrender_hud = 1\n\
             available_buttons =\n\n { \n ATTACK\n# not this one\n\tmove_left }\navailable_buttons += { USE ATTACK }\n\
             available_game_variables = {AMMO2 health}\nmode = PLAYER\nhit_taken_penalty = 2\n",
        )
        .unwrap();
        assert_eq!(config.scenario, Some(PathBuf::from("/games/basic.wad")));
        assert_eq!((config.timeout, config.rewards.living, config.rewards.death), (300, -1.0, -100.0));
        assert_eq!((config.resolution, config.format), ((640, 480), ScreenFormat::Gray));
        assert_eq!(config.drawn & 5, 1);
        assert_eq!((config.buttons, config.variables), (vec![0, 11, 1], vec![19, 9]));
        assert_eq!(config.rewards.variables[5], (6, -2.0));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, line, error) in [
            ("a line", 1, r#""a line" is no `key = value`"#),
            ("\nepisode_timeouts = 3", 2, r#"there is no key "episode_timeouts"; did you mean "episode_timeout"?"#),
            ("available_buttons = { JUMPS }", 1, r#"there is no button "JUMPS""#),
            ("available_game_variables = { AMMO10 }", 1, r#"there is no game variable "AMMO10""#),
            ("available_buttons = { JUMP", 1, "there is no } behind the {"),
            ("doom_skill = 6", 1, r#"doom_skill="6": expected 1 to 5"#),
            ("episode_timeout = -1", 1, r#"episode_timeout="-1": expected an integer, 0 or more"#),
            ("living_reward = nan", 1, r#"living_reward="nan": expected a number"#),
            ("render_hud = maybe", 1, r#"render_hud="maybe": expected true or false"#),
            (
                "screen_resolution = RES_321X240",
                1,
                "screen_resolution=\"RES_321X240\": expected one of the engine's sizes, RES_160X120 to RES_1920X1080",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), (line, error.to_owned()), "{text}");
        }
    }

    #[test]
    fn every_key_is_known_to_be_set() {
        for (key, kind, _) in KEYS {
            let value = match kind {
                Kind::Names => continue,
                Kind::Flag => "true",
                Kind::Count | Kind::Number => "3",
                Kind::Path => "file",
                Kind::Text => match *key {
                    "mode" => "PLAYER",
                    "screen_resolution" => "RES_320X240",
                    "screen_format" => "RGB24",
                    "automap_mode" => "WHOLE",
                    "audio_sampling_rate" => "SR_22050",
                    _ => "text",
                },
            };
            assert_eq!(Config::default().set(key, value, Path::new("/")), Ok(()), "{key}");
        }
    }
}
