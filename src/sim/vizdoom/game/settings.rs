//! Settings that all engine processes of an environment share, and the command line that the settings give.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::config::Config;
use crate::pk3_cache;
use crate::screen_copy::CodePatch;

/// Time within which an engine process must start, unless `engine_timeout` is longer.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// Pixel format in which the engine writes its buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelFormat {
    /// One palette index per pixel. This format is the fastest, but it does not show screen flashes.
    Doom256Colors8,
    /// One gray value per pixel, from the current palette.
    Gray8,
    /// Red, green and blue of each pixel, from the current palette.
    Rgb24,
}

impl PixelFormat {
    /// Returns the value of the engine's option `viz_screen_format` that selects the pixel format.
    fn viz_screen_format(self) -> &'static str {
        match self {
            Self::Doom256Colors8 => "9",
            Self::Gray8 => "8",
            Self::Rgb24 => "1",
        }
    }

    /// Returns the number of bytes per pixel.
    pub(super) fn bytes_per_pixel(self) -> usize {
        if self == Self::Rgb24 { 3 } else { 1 }
    }
}

/// Settings that all engine processes of an environment share.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Path of the engine's program.
    pub program: PathBuf,
    /// Path of the game file (IWAD).
    pub iwad: PathBuf,
    /// Configuration of the game.
    pub config: Config,
    /// Width and height of the screens that the engine renders, in pixels.
    pub render_size: (u32, u32),
    /// Pixel format in which the engine writes its buffers.
    pub pixel_format: PixelFormat,
    /// Time within which an engine process must reply.
    pub engine_timeout: Duration,
    /// Minimum time within which an engine process must start. It is long because many engine processes may start at the same
    /// time.
    pub(crate) startup_timeout: Duration,
    /// Program name (`argv[0]`) by which the engine finds its optimized archive.
    pub(crate) arg0: Option<PathBuf>,
    /// Patch of the routine with which the engine copies its screen; `None` if the program is not a known engine.
    pub(crate) screen_copy_patch: Option<CodePatch>,
    /// Folder into which engines record demos; `None` if they record none.
    pub recording_folder: Option<PathBuf>,
}

impl Settings {
    /// Creates settings with which the engine renders at the configuration's screen resolution.
    pub fn new(program: PathBuf, game: PathBuf, config: Config, timeout: Duration) -> Self {
        let render_size = config.screen_resolution;
        // Additional arguments (`game_args`) or a configuration file of the engine may select another language, for which the
        // optimized archive is not valid.
        let is_plain = config.game_args.is_empty() && config.doom_config_path.is_none();
        let name = is_plain.then(|| pk3_cache::optimized_arg0(&program, &game, config.doom_scenario_path.as_deref())).flatten();
        let screen_copy_patch = CodePatch::find(&program);
        Self {
            program,
            iwad: game,
            config,
            render_size,
            pixel_format: PixelFormat::Doom256Colors8,
            engine_timeout: timeout,
            startup_timeout: STARTUP_TIMEOUT,
            arg0: name,
            screen_copy_patch,
            recording_folder: None,
        }
    }

    /// Returns the engine's command line arguments.
    pub(super) fn arguments(&self, id: &str, seed: u32) -> Vec<String> {
        let config = &self.config;
        let (width, height) = self.render_size;
        let aspect = match f64::from(width) / f64::from(height) {
            ratio if ratio == 16.0 / 9.0 => "1",
            ratio if ratio == 16.0 / 10.0 => "2",
            ratio if ratio == 4.0 / 3.0 => "3",
            ratio if ratio == 5.0 / 4.0 => "4",
            _ => "0",
        };
        let path = |path: &Path| path.display().to_string();
        let mut all: Vec<String> = vec!["-iwad".into(), path(&self.iwad)];
        let mut add = |words: &[&str]| all.extend(words.iter().map(|word| (*word).to_owned()));
        if let Some(scenario) = &config.doom_scenario_path {
            add(&["-file", &path(scenario)]);
        }
        let ini = config.doom_config_path.as_ref().map_or_else(|| "/dev/null".to_owned(), |ini| path(ini));
        add(&["-config", &ini, "+map", &config.doom_map, "-skill", &config.doom_skill.to_string()]);
        add(&["-width", &width.to_string(), "-height", &height.to_string(), "+vid_aspect", aspect, "+fullscreen", "0"]);
        add(&["+viz_controlled", "1", "+viz_instance_id", id, "+use_mouse", "0", "-rngseed", &seed.to_string()]);
        // The option `cl_capfps` limits the frame rate. The engine sets it itself once the game runs. Without it, the engine
        // uses a timer with 200 ticks per second during its start, and creates a thread for each tick.
        add(&["+cl_capfps", "1"]);
        if config.depth_buffer_enabled {
            add(&["+viz_depth", "1"]);
        }
        if config.labels_buffer_enabled {
            add(&["+viz_labels", "1"]);
        }
        if config.automap_buffer_enabled {
            add(&["+viz_automap", "1", "+viz_automap_mode", &config.automap_mode.to_string()]);
        }
        if config.objects_info_enabled {
            add(&["+viz_objects", "1"]);
        }
        if config.sectors_info_enabled {
            add(&["+viz_sectors", "1"]);
        }
        add(&["+viz_render_mode", &config.render_flags.to_string()]);
        if config.render_all_frames {
            add(&["+viz_render_all", "1"]);
        }
        if !config.console_enabled {
            add(&["+viz_noconsole", "1"]);
        }
        add(&[
            "+viz_screen_format",
            self.pixel_format.viz_screen_format(),
            "+viz_window_hidden",
            "1",
            "+viz_noxserver",
            "1",
            "-noidle",
            "-nojoy",
        ]);
        if config.audio_buffer_enabled {
            let (rate, tics) = (config.audio_sampling_rate.to_string(), config.audio_buffer_size.to_string());
            add(&["+viz_soft_audio", "1", "+snd_backend", "openal", "+viz_samp_freq", &rate, "+viz_audio_tics", &tics]);
        } else if !config.sound_enabled {
            add(&["-nosound", "+viz_nosound", "1"]);
        }
        if config.ticrate != 35 {
            add(&["-ticrate", &config.ticrate.to_string()]);
        }
        if config.notifications_buffer_enabled {
            add(&["+viz_notifications", "1", "+viz_notifications_tics", &config.notifications_buffer_size.to_string()]);
        }
        add(&config.game_args.iter().map(String::as_str).collect::<Vec<_>>());
        all
    }
}
