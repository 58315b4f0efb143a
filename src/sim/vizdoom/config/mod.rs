//! ViZDoom's configurations: the keys of `.cfg` files, and the setters of the Python package `vizdoom` (`set_config`).

mod keys;

use std::path::{Path, PathBuf};

use self::keys::{FORMATS, RENDER_FLAGS, RESOLUTIONS, VARIABLE_REWARDS, did_you_mean, key_kind, normalized_key};
pub use self::keys::{KEYS, KeyKind, SCREEN_FLASHES, ScreenFormat};
use super::{buttons, game_variables};

/// Rewards of a configuration, in addition to the scenario's own rewards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rewards {
    /// Reward per tic (`living_reward`).
    pub living: f64,
    /// Reward for dying (`death_reward`, or minus `death_penalty`).
    pub death: f64,
    /// Reward for leaving the map (`map_exit_reward`).
    pub map_exit: f64,
    /// Game variables, each with the reward per unit of increase.
    pub variables: [(usize, f64); 10],
}

/// Configuration of a game: a `.cfg` file with options applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Numbers of the buttons that an action sets, in the order of the action's values.
    pub available_buttons: Vec<usize>,
    /// Numbers of the game variables in an observation, in the order of the observation's values.
    pub available_game_variables: Vec<usize>,
    /// Path of the engine's program.
    pub vizdoom_path: Option<PathBuf>,
    /// Path of the game file (IWAD).
    pub doom_game_path: Option<PathBuf>,
    /// Path of the scenario file (WAD).
    pub doom_scenario_path: Option<PathBuf>,
    /// Path of the configuration file that the engine itself reads.
    pub doom_config_path: Option<PathBuf>,
    /// Name of the map that is played.
    pub doom_map: String,
    /// Difficulty of the game, 1 to 5.
    pub doom_skill: u32,
    /// Additional command line arguments of the engine.
    pub game_args: Vec<String>,
    /// Whether the mode is `PLAYER`, in which the engine waits for actions.
    pub is_synchronous_player: bool,
    /// Number of game tics per second.
    pub ticrate: u32,
    /// Tic of the map at which an episode starts. The tics before it are played without input.
    pub episode_start_time: u32,
    /// Episode length in tics; 0 for no limit.
    pub episode_timeout: u32,
    /// Rewards that this configuration adds to the scenario's rewards.
    pub rewards: Rewards,
    /// Width and height of the screen buffer in pixels.
    pub screen_resolution: (u32, u32),
    /// Pixel layout of the screen buffer.
    pub screen_format: ScreenFormat,
    /// Whether observations have a depth buffer.
    pub depth_buffer_enabled: bool,
    /// Whether observations have a labels buffer.
    pub labels_buffer_enabled: bool,
    /// Whether observations have an automap buffer.
    pub automap_buffer_enabled: bool,
    /// Whether observations have an audio buffer.
    pub audio_buffer_enabled: bool,
    /// Whether observations have notifications.
    pub notifications_buffer_enabled: bool,
    /// Whether the engine lists the objects of the map in its state.
    pub objects_info_enabled: bool,
    /// Whether the engine lists the sectors of the map in its state.
    pub sectors_info_enabled: bool,
    /// Mode of the automap: ViZDoom's `AutomapMode`, 0 to 3.
    pub automap_mode: u32,
    /// Number of audio samples per second.
    pub audio_sampling_rate: u32,
    /// Number of tics of audio in an observation.
    pub audio_buffer_size: u32,
    /// Number of tics of notifications in an observation.
    pub notifications_buffer_size: u32,
    /// Bits of the engine's `viz_render_mode`.
    pub render_flags: u32,
    /// Whether the engine also renders the tics that are skipped.
    pub render_all_frames: bool,
    /// Whether the engine plays sounds.
    pub sound_enabled: bool,
    /// Whether the engine enables its console.
    pub console_enabled: bool,
    /// Whether the engine shows its window.
    pub window_visible: bool,
}

/// Text for error messages that describes the strings which [`is_argument`] accepts.
pub const ARGUMENT_EXPECTED: &str = "text without NUL characters";

/// Returns whether a string can be passed as a program argument.
pub fn is_argument(text: &str) -> bool {
    !text.contains('\0')
}

impl Default for Config {
    fn default() -> Self {
        let mut rewards = Rewards::default();
        for (_, slot, variable, _) in VARIABLE_REWARDS {
            rewards.variables[slot].0 = variable;
        }
        Self {
            available_buttons: Vec::new(),
            available_game_variables: Vec::new(),
            vizdoom_path: None,
            doom_game_path: None,
            doom_scenario_path: None,
            doom_config_path: None,
            doom_map: "map01".to_owned(),
            doom_skill: 3,
            game_args: Vec::new(),
            is_synchronous_player: true,
            ticrate: 35,
            episode_start_time: 1,
            episode_timeout: 0,
            rewards,
            screen_resolution: (320, 240),
            screen_format: ScreenFormat::Crcgcb,
            depth_buffer_enabled: false,
            labels_buffer_enabled: false,
            automap_buffer_enabled: false,
            audio_buffer_enabled: false,
            notifications_buffer_enabled: false,
            objects_info_enabled: false,
            sectors_info_enabled: false,
            automap_mode: 0,
            audio_sampling_rate: 44_100,
            audio_buffer_size: 4,
            notifications_buffer_size: 4,
            // The bits 4 to 2048 of `viz_render_mode` enable the weapon, decals, particles, effect sprites, automap textures,
            // corpses and screen flashes.
            render_flags: 4 | 16 | 32 | 64 | 512 | 2048 | SCREEN_FLASHES,
            render_all_frames: false,
            sound_enabled: false,
            console_enabled: false,
            window_visible: false,
        }
    }
}

impl Config {
    /// Reads a configuration file. Keys that it omits have their default values.
    ///
    /// # Errors
    /// If the file cannot be read or a line is invalid; the message states the file and the line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut config = Self::default();
        config
            .apply(&String::from_utf8_lossy(&text), path.parent().unwrap_or(Path::new(".")))
            .map_err(|(line, error)| format!("{}, line {line}: {error}", path.display()))?;
        Ok(config)
    }

    /// Applies the lines of a configuration file in `folder`. An error holds a line number and a message.
    fn apply(&mut self, text: &str, folder: &Path) -> Result<(), (usize, String)> {
        let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        while let Some((number, line)) = lines.next() {
            let line_number = number + 1;
            let (key, value) = line.split_once('=').ok_or_else(|| (line_number, format!("{line:?} is no `key = value`")))?;
            let (key, appends) = match key.trim_end().strip_suffix('+') {
                Some(key) => (key, true),
                None => (key, false),
            };
            let mut value = value.trim().to_owned();
            if key_kind(key) == Some(KeyKind::Names) {
                while !value.ends_with('}') {
                    let Some((_, more)) = lines.next() else {
                        return Err((line_number, "there is no } behind the {".to_owned()));
                    };
                    value = format!("{value} {more}");
                }
                let names = value.trim().strip_prefix('{').and_then(|names| names.strip_suffix('}'));
                let names = names.ok_or_else(|| (line_number, "expected names between { and }".to_owned()))?;
                let names: Vec<_> = names.split_whitespace().collect();
                self.set_names(key, &names, appends).map_err(|error| (line_number, error))?;
            } else {
                self.set(key, &value, folder).map_err(|error| (line_number, error))?;
            }
        }
        Ok(())
    }

    /// Sets the list of buttons or game variables.
    ///
    /// # Errors
    /// If ViZDoom has no button or game variable with one of the names.
    pub fn set_names(&mut self, key: &str, names: &[&str], appends: bool) -> Result<(), String> {
        let is_buttons = normalized_key(key) == "availablebuttons";
        let (list, item) = if is_buttons {
            (&mut self.available_buttons, "button")
        } else {
            (&mut self.available_game_variables, "game variable")
        };
        if !appends {
            list.clear();
        }
        for name in names {
            let number = if is_buttons { buttons::from_name(name) } else { game_variables::from_name(name) };
            let number = number.ok_or_else(|| format!("there is no {item} {name:?}"))?;
            if !list.contains(&number) {
                list.push(number);
            }
        }
        Ok(())
    }

    /// Returns a reference to the field that stores the value of a key of type [`KeyKind::Flag`]; `None` for keys of
    /// [`RENDER_FLAGS`] and keys of other types.
    fn flag_mut(&mut self, normalized_key: &str) -> Option<&mut bool> {
        Some(match normalized_key {
            "depthbufferenabled" => &mut self.depth_buffer_enabled,
            "labelsbufferenabled" => &mut self.labels_buffer_enabled,
            "automapbufferenabled" => &mut self.automap_buffer_enabled,
            "audiobufferenabled" => &mut self.audio_buffer_enabled,
            "notificationsbufferenabled" => &mut self.notifications_buffer_enabled,
            "objectsinfoenabled" => &mut self.objects_info_enabled,
            "sectorsinfoenabled" => &mut self.sectors_info_enabled,
            "renderallframes" => &mut self.render_all_frames,
            "soundenabled" => &mut self.sound_enabled,
            "consoleenabled" => &mut self.console_enabled,
            "windowvisible" => &mut self.window_visible,
            _ => return None,
        })
    }

    /// Sets the value of any key that is not a list. Relative paths are resolved against `folder`.
    ///
    /// # Errors
    /// If the key does not exist or does not accept the value.
    pub fn set(&mut self, key: &str, value: &str, folder: &Path) -> Result<(), String> {
        let plain = normalized_key(key);
        let wrong = |expected: &str| format!("{}={value:?}: expected {expected}", key.trim());
        if !is_argument(value) {
            return Err(wrong(ARGUMENT_EXPECTED));
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
        if let Some((_, bit)) = RENDER_FLAGS.iter().find(|(name, _)| *name == plain) {
            self.render_flags = if flag()? { self.render_flags | bit } else { self.render_flags & !bit };
            return Ok(());
        }
        if let Some((_, slot, _, sign)) = VARIABLE_REWARDS.iter().find(|(name, ..)| *name == plain) {
            self.rewards.variables[*slot].1 = sign * number()?;
            return Ok(());
        }
        if let Some(field) = self.flag_mut(&plain) {
            *field = flag()?;
            return Ok(());
        }
        match plain.as_str() {
            "doomgamepath" => self.doom_game_path = path(),
            "doomscenariopath" => self.doom_scenario_path = path(),
            "doomconfigpath" => self.doom_config_path = path(),
            "vizdoompath" => self.vizdoom_path = path(),
            "doommap" => self.doom_map = value.to_owned(),
            "doomskill" => {
                self.doom_skill = count()?;
                if !(1..=5).contains(&self.doom_skill) {
                    return Err(wrong("1 to 5"));
                }
            }
            "gameargs" => self.game_args.extend(value.split_whitespace().map(str::to_owned)),
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
            "episodestarttime" => self.episode_start_time = count()?.max(1),
            "episodetimeout" => self.episode_timeout = count()?,
            "livingreward" => self.rewards.living = number()?,
            "deathpenalty" => self.rewards.death = -number()?,
            "deathreward" => self.rewards.death = number()?,
            "mapexitreward" => self.rewards.map_exit = number()?,
            "screenresolution" => {
                let size = value.to_ascii_lowercase();
                let size = size.strip_prefix("res_").and_then(|size| size.split_once('x'));
                let size = size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
                self.screen_resolution = size
                    .filter(|size| RESOLUTIONS.contains(size))
                    .ok_or_else(|| wrong("one of the engine's sizes, RES_160X120 to RES_1920X1080"))?;
            }
            "screenformat" => {
                let format = FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                let names = || FORMATS.map(|(name, _)| name.to_ascii_uppercase()).join(", ");
                self.screen_format = format.ok_or_else(|| wrong(&format!("one of {}", names())))?.1;
            }
            "automapmode" => {
                let modes = ["normal", "whole", "objects", "objects_with_size"];
                let mode = modes.iter().position(|mode| mode.eq_ignore_ascii_case(value));
                self.automap_mode = mode.ok_or_else(|| wrong("NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE"))? as u32;
            }
            "audiosamplingrate" => {
                let rates = [("sr_11025", 11_025), ("sr_22050", 22_050), ("sr_44100", 44_100)];
                let rate = rates.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
                self.audio_sampling_rate = rate.ok_or_else(|| wrong("SR_11025, SR_22050 or SR_44100"))?.1;
            }
            "audiobuffersize" => self.audio_buffer_size = count()?,
            "notificationsbuffersize" => self.notifications_buffer_size = count()?,
            _ => return Err(format!("there is no key {:?}{}", key.trim(), did_you_mean(&plain))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, (usize, String)> {
        let mut config = Config::default();
        config.apply(text, Path::new("/games")).map(|()| config)
    }

    #[test]
    fn keys_ignore_case_and_underscores() {
        let config = read(
            "# a comment\n doom_scenario_path = basic.wad\nepisodeTimeout=300\nLIVING_REWARD = -1\ndeath_penalty = 100\n\
             screen_resolution = RES_640x480\nscreen_format = gray8\nrender_weapon = False\nrender_hud = 1\n\
             available_buttons =\n\n { \n ATTACK\n# not this one\n\tmove_left }\navailable_buttons += { USE ATTACK }\n\
             available_game_variables = {AMMO2 health}\nmode = PLAYER\nhit_taken_penalty = 2\n",
        )
        .unwrap();
        assert_eq!(config.doom_scenario_path, Some(PathBuf::from("/games/basic.wad")));
        assert_eq!((config.episode_timeout, config.rewards.living, config.rewards.death), (300, -1.0, -100.0));
        assert_eq!((config.screen_resolution, config.screen_format), ((640, 480), ScreenFormat::Gray8));
        assert_eq!(config.render_flags & 5, 1);
        assert_eq!((config.available_buttons, config.available_game_variables), (vec![0, 11, 1], vec![19, 9]));
        assert_eq!(config.rewards.variables[5], (6, -2.0));
    }

    #[test]
    fn errors_have_the_line_number() {
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
    fn every_key_of_a_config_can_be_set() {
        for (key, kind, _) in KEYS {
            let value = match kind {
                KeyKind::Names => continue,
                KeyKind::Flag => "true",
                KeyKind::Count | KeyKind::Number => "3",
                KeyKind::Path => "file",
                KeyKind::Text => match *key {
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
