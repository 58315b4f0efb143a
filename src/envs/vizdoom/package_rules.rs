//! Rules of the tasks of the package `vizdoom`: observations are all enabled buffers without preprocessing.

use std::path::PathBuf;

use super::files::AssetPaths;
use envpool_rs_engine::{ProcessLane, Result};
use envpool_rs_sim_vizdoom::{Shared, config::Config, wad::Palette};

/// Settings of the tasks of the package `vizdoom`, shared by all lanes of a pool.
#[derive(Debug)]
pub struct PackageSettings {
    /// Palette of the game, which converts the screens' palette indices to colours.
    pub palette: Palette,
    /// Configuration of the game.
    pub config: Config,
    /// Number of tics per step.
    pub frame_skip: u32,
    /// Number of delta buttons, which precede the binary buttons in the list of buttons.
    pub delta_buttons: usize,
    /// Number of binary buttons.
    pub binary_buttons: usize,
    /// Button combinations (bit masks) to which discrete actions refer by index; empty for other action spaces.
    pub button_combinations: Vec<u32>,
    /// Whether an episode that the game's time limit ends counts as truncated.
    pub limit_truncates: bool,
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod supported {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::{engine_lane::EngineLane, task_rules::TaskRules};
    use envpool_rs_engine::{Action, EpisodeEnd, Frame, Row};
    use envpool_rs_numeric::random::{Generator, Mt19937};
    use envpool_rs_sim_vizdoom::{
        Spawner,
        config::{SCREEN_FLASHES, ScreenFormat},
        game::{self, Game, PixelFormat},
        shared_memory::Region,
        wad::gray,
    };

    /// Engine settings, and the spawner of the engine processes, shared by all lanes of a pool.
    #[derive(Debug, Clone)]
    pub struct PackageEngine {
        engine_settings: Shared<game::Settings>,
        settings: Shared<PackageSettings>,
        spawner: Spawner,
        restart: bool,
    }

    impl PackageEngine {
        /// Creates the settings of the engine processes.
        ///
        /// # Errors
        /// This function never fails.
        pub fn new(
            paths: &AssetPaths,
            program: PathBuf,
            iwad: PathBuf,
            config: Config,
            settings: Shared<PackageSettings>,
        ) -> Result<Self> {
            let (flashes, format) = (config.render_flags & SCREEN_FLASHES != 0, config.screen_format);
            let mut game = game::Settings::new(program, iwad, config, paths.engine_timeout);
            if flashes {
                game.pixel_format = if format == ScreenFormat::Gray8 { PixelFormat::Gray8 } else { PixelFormat::Rgb24 };
            }
            Ok(Self { engine_settings: Shared::new(game), settings, spawner: Spawner::default(), restart: paths.restart })
        }

        /// Creates a lane (one environment of the pool) whose game runs in an engine process.
        ///
        /// # Errors
        /// This function never fails.
        pub fn lane(&self) -> Result<Box<dyn ProcessLane>> {
            let rules = PackageRules::new(Shared::clone(&self.settings));
            Ok(Box::new(EngineLane::new(rules, Shared::clone(&self.engine_settings), self.spawner.clone(), self.restart)))
        }
    }

    /// Buffers and game variables of one observation; empty after the end of an episode.
    #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    struct ObservedState {
        has_state: bool,
        screen: Vec<u8>,
        automap: Vec<u8>,
        depth: Vec<u8>,
        labels: Vec<u8>,
        audio: Vec<u8>,
        variables: Vec<f32>,
        notifications: String,
    }

    /// State of the rules, which is part of snapshots. The order of its fields defines the serialized format.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct PackageState {
        random: Generator,
        observed: ObservedState,
        final_observed: Option<ObservedState>,
        reward: f64,
    }

    /// Rules and state of one lane that plays a task of the package `vizdoom`.
    #[derive(Debug)]
    struct PackageRules {
        settings: Shared<PackageSettings>,
        state: PackageState,
    }

    impl PackageRules {
        fn new(settings: Shared<PackageSettings>) -> Self {
            Self {
                settings,
                state: PackageState {
                    random: Generator::new(0),
                    observed: ObservedState::default(),
                    final_observed: None,
                    reward: 0.0,
                },
            }
        }

        /// Converts palette indices to colours or gray values. If screen flashes are enabled, copies the bytes instead, because
        /// the engine has already written colours or gray values.
        fn convert_palette(&self, numbers: &[u8], out: &mut Vec<u8>) {
            out.clear();
            if self.settings.config.render_flags & SCREEN_FLASHES != 0 {
                return out.extend_from_slice(numbers);
            }
            let palette = &self.settings.palette;
            match self.settings.config.screen_format {
                ScreenFormat::Gray8 => {
                    let grays = palette.map(gray);
                    out.extend(numbers.iter().map(|number| grays[usize::from(*number)]));
                }
                _ => {
                    out.resize(numbers.len() * 3, 0);
                    let pixels = out.chunks_exact_mut(3).zip(numbers);
                    pixels.for_each(|(pixel, number)| pixel.copy_from_slice(&palette[usize::from(*number)]));
                }
            }
        }

        fn capture(&mut self, game: &Game) {
            let mut observed = std::mem::take(&mut self.state.observed);
            observed.has_state = !game.is_episode_finished();
            if observed.has_state {
                let (memory, config) = (game.memory(), &self.settings.config);
                self.convert_palette(memory.region(Region::Screen), &mut observed.screen);
                if config.automap_buffer_enabled {
                    self.convert_palette(memory.region(Region::Automap), &mut observed.automap);
                }
                for (is_enabled, region, part) in [
                    (config.depth_buffer_enabled, Region::Depth, &mut observed.depth),
                    (config.labels_buffer_enabled, Region::Labels, &mut observed.labels),
                    (config.audio_buffer_enabled, Region::Audio, &mut observed.audio),
                ] {
                    if is_enabled {
                        part.clear();
                        part.extend_from_slice(memory.region(region));
                    }
                }
                observed.variables.clear();
                observed
                    .variables
                    .extend(config.available_game_variables.iter().map(|variable| game.game_variable(*variable) as f32));
                if config.notifications_buffer_enabled {
                    observed.notifications = memory.notifications();
                }
            }
            self.state.observed = observed;
        }
    }

    /// Fills an array of the observation with the last bytes of a buffer. Fills it with zeros if the game has no state or the
    /// buffer is too short.
    fn write_buffer(row: &mut Row<'_>, leaf: &mut usize, has_state: bool, bytes: &[u8]) {
        if let Some(memory) = row.bytes(*leaf) {
            match has_state && bytes.len() >= memory.len() {
                true => memory.copy_from_slice(&bytes[bytes.len() - memory.len()..]),
                false => memory.fill(0),
            }
        }
        *leaf += 1;
    }

    impl TaskRules for PackageRules {
        type State = PackageState;

        fn save(&self) -> PackageState {
            self.state.clone()
        }

        fn is_valid(&self, state: &PackageState) -> bool {
            let config = &self.settings.config;
            let pixels = config.screen_resolution.0 as usize * config.screen_resolution.1 as usize;
            let colours = if config.screen_format == ScreenFormat::Gray8 { pixels } else { 3 * pixels };
            let is_valid_state = |observed: &ObservedState| {
                let fits = |is_enabled: bool, part: &[u8], bytes: usize| !is_enabled || part.len() == bytes;
                !observed.has_state
                    || (observed.variables.len() == config.available_game_variables.len()
                        && observed.screen.len() == colours
                        && fits(config.automap_buffer_enabled, &observed.automap, colours)
                        && fits(config.depth_buffer_enabled, &observed.depth, pixels)
                        && fits(config.labels_buffer_enabled, &observed.labels, pixels))
            };
            std::iter::once(&state.observed).chain(&state.final_observed).all(is_valid_state)
        }

        fn load(&mut self, state: PackageState) {
            self.state = state;
        }

        fn seed(&mut self, seed: u64) {
            self.state.random = Generator::new(seed);
        }

        fn next_seed(&mut self) -> u32 {
            // The package `vizdoom` seeds a separate generator and draws the game's seed from it.
            Mt19937::init_genrand(self.state.random.integers_inclusive(0_u32, u32::MAX)).next_u32()
        }

        fn recording_name(&mut self, _first: bool) -> Option<String> {
            None
        }

        fn write_buttons(&self, action: &Action<'_>, values: &mut Vec<f64>) {
            let PackageSettings { delta_buttons: deltas, binary_buttons: binaries, button_combinations: listed, .. } =
                &*self.settings;
            let (binary, continuous) = if *binaries > 0 { (0, 1) } else { (1, 0) };
            if *deltas > 0 {
                values.extend(action.continuous(continuous, *deltas).iter().map(|value| f64::from(*value)));
            }
            if *binaries == 0 {
                return;
            }
            if listed.is_empty() {
                values.extend(action.discretes(binary, *binaries).iter().map(|value| f64::from(*value)));
            } else {
                let bits = listed[action.discretes(binary, 1)[0] as usize];
                values.extend((0..*binaries).rev().map(|button| f64::from(bits >> button & 1)));
            }
        }

        fn continuing_buttons(&self, _game: &Game, _ended: EpisodeEnd) -> Option<Vec<f64>> {
            None
        }

        fn tics(&self) -> u32 {
            self.settings.frame_skip
        }

        fn stops_at_episode_end(&self) -> bool {
            true
        }

        fn on_episode_start(&mut self, game: &mut Game) {
            self.state.reward = 0.0;
            self.capture(game);
        }

        fn on_step(&mut self, game: &mut Game, _cut: bool) -> (bool, bool) {
            self.state.reward = game.take_reward();
            self.capture(game);
            (game.is_episode_finished(), self.settings.limit_truncates && game.is_episode_timeout_reached())
        }

        fn keep_final(&mut self) {
            self.state.final_observed = Some(self.state.observed.clone());
        }

        fn observe(&self, is_last: bool, row: &mut Row<'_>) {
            let observed =
                if is_last { self.state.final_observed.as_ref().unwrap_or(&self.state.observed) } else { &self.state.observed };
            let (config, has_state, mut leaf) = (&self.settings.config, observed.has_state, 0);
            if config.audio_buffer_enabled {
                write_buffer(row, &mut leaf, has_state, &observed.audio);
            }
            if config.automap_buffer_enabled {
                write_buffer(row, &mut leaf, has_state, &observed.automap);
            }
            if config.depth_buffer_enabled {
                write_buffer(row, &mut leaf, has_state, &observed.depth);
            }
            match (config.available_game_variables.len(), has_state) {
                (0, _) => {}
                (count, false) => {
                    row.write(leaf, &vec![0.0_f32; count]);
                    leaf += 1;
                }
                (_, true) => {
                    row.write(leaf, &observed.variables);
                    leaf += 1;
                }
            }
            if config.labels_buffer_enabled {
                write_buffer(row, &mut leaf, has_state, &observed.labels);
            }
            if config.notifications_buffer_enabled {
                row.text(leaf, if has_state { &observed.notifications } else { "" });
                leaf += 1;
            }
            write_buffer(row, &mut leaf, has_state, &observed.screen);
        }

        fn info(&self, _is_last: bool, _infos: &mut Row<'_>) {}

        fn reward(&self) -> f64 {
            self.state.reward
        }

        fn paint(&self, game: &Game, _view: &envpool_rs_engine::RenderParams) -> Frame {
            let config = &self.settings.config;
            let (width, height) = (config.screen_resolution.0 as usize, config.screen_resolution.1 as usize);
            let mut parts: Vec<Vec<u8>> = Vec::new();
            let in_grays = |bytes: &[u8]| bytes.iter().flat_map(|byte| [*byte; 3]).collect::<Vec<u8>>();
            let in_colours =
                |bytes: &[u8]| if config.screen_format == ScreenFormat::Gray8 { in_grays(bytes) } else { bytes.to_vec() };
            parts.push(in_colours(&self.state.observed.screen));
            if config.depth_buffer_enabled {
                parts.push(in_grays(&self.state.observed.depth));
            }
            if config.labels_buffer_enabled {
                let mut colours = [[0; 3]; 256];
                let mut random = Generator::new(42);
                let palette: Vec<[u8; 3]> = (0..256).map(|_| [(); 3].map(|()| random.uniform(25.0, 256.0) as u8)).collect();
                for (value, thing_id) in game.memory().labels() {
                    colours[usize::from(value)] = palette[thing_id as usize % 256];
                }
                parts.push(self.state.observed.labels.iter().flat_map(|value| colours[usize::from(*value)]).collect());
            }
            if config.automap_buffer_enabled {
                parts.push(in_colours(&self.state.observed.automap));
            }
            let mut pixels = Vec::with_capacity(parts.len() * width * height * 3);
            for row in 0..height {
                for part in &parts {
                    match self.state.observed.has_state {
                        true => pixels.extend_from_slice(&part[row * width * 3..(row + 1) * width * 3]),
                        false => pixels.extend(std::iter::repeat_n(0, width * 3)),
                    }
                }
            }
            Frame::new((width * parts.len()) as u32, height as u32, pixels)
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use supported::PackageEngine;

/// Replaces the engine settings on platforms without an engine; every function returns an error.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
#[derive(Debug, Clone)]
pub struct PackageEngine;

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
impl PackageEngine {
    /// Returns an error, because ViZDoom's engine does not run on this platform.
    ///
    /// # Errors
    /// Always an error of the kind `State`.
    pub fn new(_: &AssetPaths, _: PathBuf, _: PathBuf, _: Config, _: Shared<PackageSettings>) -> Result<Self> {
        Err(envpool_rs_engine::Error::State(super::envpool_rules::UNSUPPORTED_PLATFORM.into()))
    }

    /// Returns an error, because ViZDoom's engine does not run on this platform.
    ///
    /// # Errors
    /// Always an error of the kind `State`.
    pub fn lane(&self) -> Result<Box<dyn ProcessLane>> {
        Err(envpool_rs_engine::Error::State(super::envpool_rules::UNSUPPORTED_PLATFORM.into()))
    }
}
