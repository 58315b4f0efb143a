//! Rules of EnvPool's ViZDoom tasks: frames, rewards and infos of a game.

use std::path::PathBuf;

use super::files::AssetPaths;
use super::screen::FrameConverter;
use envpool_rs_engine::{Error, ProcessLane, Result};
use envpool_rs_pictures::resize::Interpolation;
use envpool_rs_sim_vizdoom::{
    Shared,
    config::{Config, ScreenFormat},
    wad::Palette,
};

/// Settings of EnvPool's tasks, shared by all lanes of a pool.
#[derive(Debug)]
pub struct EnvPoolSettings {
    /// Converter of the engine's screens to observed frames.
    pub frames: FrameConverter,
    /// Palette of the game, which converts the screens' palette indices to colours.
    pub palette: Palette,
    /// Screen format of the observed frames.
    pub screen_format: ScreenFormat,
    /// Rows and columns of the screens that the engine renders.
    pub rendered: (usize, usize),
    /// Rows and columns of the scenario's screen resolution.
    pub native: (usize, usize),
    /// Interpolation method that resizes frames.
    pub method: Interpolation,
    /// Number of frames in an observation.
    pub stack_num: usize,
    /// Whether an observation is the newest frame only.
    pub stack_once: bool,
    /// Number of tics per step.
    pub frame_skip: u32,
    /// Whether the player's death ends an episode although the game continues.
    pub episodic_life: bool,
    /// Whether games are recorded to files.
    pub is_recording: bool,
    /// Number of steps for which a weapon must be held before it is rewarded.
    pub weapon_duration: i64,
    /// Rewards per unit of increase and per unit of decrease, for each game variable.
    pub rewards: Vec<[f64; 2]>,
    /// Reward for holding each weapon, by the weapon's number.
    pub weapon_rewards: [f64; 10],
    /// Action set: the button values of each combined action.
    pub action_set: Vec<Vec<f64>>,
    /// Whether an action is an index into the action set.
    pub use_combined_action: bool,
    /// For each info, its index in the list of game variables; `None` if the game variable is not read.
    pub info_indices: [Option<usize>; 16],
    /// Numbers of the game variables that are read from the engine.
    pub variables: Vec<usize>,
}

/// Returns the rows and columns of the screens that the engine renders: those of the scenario, or 240 x 320 if the scenario's
/// screen has fewer than 320 columns.
pub fn render_size(config: &Config) -> (usize, usize) {
    if config.screen_resolution.0 < 320 {
        (240, 320)
    } else {
        (config.screen_resolution.1 as usize, config.screen_resolution.0 as usize)
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod supported {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::{engine_lane::EngineLane, screen, task_rules::TaskRules};
    use envpool_rs_engine::{Action, EpisodeEnd, Frame, RenderParams, Row};
    use envpool_rs_numeric::random::Mt19937;
    use envpool_rs_pictures::FrameStack;
    use envpool_rs_sim_vizdoom::{
        Spawner,
        game::{Game, Settings, max_recording_name},
        game_variables,
        shared_memory::Region,
    };

    /// Engine settings, and the spawner of the engine processes, shared by all lanes of a pool.
    #[derive(Debug, Clone)]
    pub struct EnvPoolEngine {
        engine_settings: Shared<Settings>,
        spawner: Spawner,
        restart: bool,
    }

    impl EnvPoolEngine {
        /// Creates the engine settings. Screens narrower than 320 columns are rendered with 320 columns and 240 rows.
        ///
        /// # Errors
        /// `Value` or `NotFound` error that names the option.
        pub fn new(
            paths: &AssetPaths,
            program: PathBuf,
            game: PathBuf,
            config: Config,
            recordings: Option<&str>,
        ) -> Result<Self> {
            let map = config.doom_map.clone();
            let (height, width) = render_size(&config);
            let mut settings = Settings::new(program, game, config, paths.engine_timeout);
            settings.render_size = (width as u32, height as u32);
            if let Some(folder) = recordings {
                let path = super::super::files::absolute(&PathBuf::from(folder));
                if !path.is_dir() {
                    return Err(Error::NotFound(format!("lmp_save_dir={folder:?}: expected an existing folder")));
                }
                settings.recording_folder = Some(path);
                if max_recording_name(&map) < "env_16777216_4294967295.lmp".len() {
                    return Err(Error::value(
                        "map_id",
                        format_args!("{map:?}"),
                        "a shorter name if episodes are recorded (lmp_save_dir)",
                    ));
                }
            }
            Ok(Self { engine_settings: Shared::new(settings), spawner: Spawner::default(), restart: paths.restart })
        }

        /// Creates a lane (one environment of the pool) whose game runs in an engine process.
        ///
        /// # Errors
        /// This function never fails.
        pub fn lane(&self, lane: usize, settings: &Shared<EnvPoolSettings>) -> Result<Box<dyn ProcessLane>> {
            let rules = EnvPoolRules::new(lane, Shared::clone(settings));
            Ok(Box::new(EngineLane::new(rules, Shared::clone(&self.engine_settings), self.spawner.clone(), self.restart)))
        }
    }

    /// Stacked frames and game variables of one observation.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    struct ObservedState {
        stack: FrameStack,
        values: Vec<f64>,
    }

    /// Rules and state of one lane that plays an EnvPool task.
    #[derive(Debug)]
    struct EnvPoolRules {
        settings: Shared<EnvPoolSettings>,
        lane_index: usize,
        episodes: u32,
        state: EnvPoolState,
    }

    /// State of the rules, which is part of snapshots. The order of its fields defines the serialized format.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct EnvPoolState {
        seed_generator: Mt19937,
        observed: ObservedState,
        final_observed: Option<ObservedState>,
        /// Hits, damage and deaths at the start of the episode. They are subtracted, because the engine does not reset these
        /// variables between episodes.
        episode_start: [f64; 3],
        weapon: i64,
        held_steps: i64,
        reward: f32,
    }

    /// Numbers of the game variables hits, damage and deaths, which the engine does not reset at the start of an episode.
    const CUMULATIVE: [usize; 3] = [game_variables::HITCOUNT, game_variables::DAMAGECOUNT, game_variables::DEATHCOUNT];

    impl EnvPoolRules {
        fn new(lane_index: usize, settings: Shared<EnvPoolSettings>) -> Self {
            let observed = ObservedState {
                stack: FrameStack::new(settings.stack_num, settings.frames.bytes()),
                values: vec![0.0; settings.variables.len()],
            };
            let seeds = Mt19937::init_genrand(0);
            let state = EnvPoolState {
                seed_generator: seeds,
                observed,
                final_observed: None,
                episode_start: [0.0; 3],
                weapon: -1,
                held_steps: 0,
                reward: 0.0,
            };
            Self { settings, lane_index, episodes: 0, state }
        }

        fn observed(&self, is_last: bool) -> &ObservedState {
            let EnvPoolState { observed, final_observed, .. } = &self.state;
            if is_last { final_observed.as_ref().unwrap_or(observed) } else { observed }
        }

        /// Updates frames, game variables and the reward from the game. `begins` is true at the start of an episode.
        fn update(&mut self, game: &Game, begins: bool) {
            let (memory, settings, state) = (game.memory(), &*self.settings, &mut self.state);
            let now: Vec<f64> = settings.variables.iter().map(|variable| game.game_variable(*variable)).collect();
            let mut before = if begins { now.clone() } else { std::mem::take(&mut state.observed.values) };
            if begins {
                (state.weapon, state.held_steps) = (-1, 0);
            }
            state.observed.values = now;
            let now = &mut state.observed.values;
            for (variable, episode_start) in CUMULATIVE.into_iter().zip(&mut state.episode_start) {
                if let Some(index) = settings.variables.iter().position(|other| *other == variable) {
                    if begins {
                        (*episode_start, before[index]) = (now[index], 0.0);
                    }
                    now[index] -= *episode_start;
                }
            }
            let (mut weapon, mut ammunition, mut reward) = (-1, 0, 0.0_f32);
            for (index, variable) in settings.variables.iter().enumerate() {
                let mut change = now[index] - before[index];
                match *variable {
                    game_variables::DAMAGECOUNT => change = change.min(200.0),
                    game_variables::HITCOUNT => change = change.min(5.0),
                    game_variables::SELECTED_WEAPON => weapon = now[index] as i64,
                    game_variables::SELECTED_WEAPON_AMMO => ammunition = now[index] as i64,
                    game_variables::HEALTH => {
                        // The engine reports a health of -999900 if there is no player.
                        match (before[index] < 0.0, now[index] < 0.0) {
                            (true, true) => (before[index], now[index]) = (100.0, 100.0),
                            (false, true) => now[index] = before[index],
                            (true, false) => before[index] = now[index],
                            (false, false) => {}
                        }
                        change = now[index] - before[index];
                    }
                    _ => {}
                }
                let [more, less] = settings.rewards[index];
                if change >= 0.0 {
                    reward += (change * more) as f32;
                } else {
                    reward -= (change * less) as f32;
                }
            }
            if weapon == state.weapon {
                state.held_steps = state.held_steps.saturating_add(1);
            } else {
                (state.weapon, state.held_steps) = (weapon, 1);
            }
            if weapon >= 0 && state.held_steps >= settings.weapon_duration && ammunition > 0 {
                let held = usize::try_from(weapon).ok().and_then(|weapon| settings.weapon_rewards.get(weapon));
                reward = (f64::from(reward) + held.copied().unwrap_or_default()) as f32;
            }
            state.reward = reward;
            state.observed.stack.push(|frame| settings.frames.convert(memory.region(Region::Screen), frame));
            if begins {
                state.observed.stack.fill_with_newest();
            }
        }
    }

    impl TaskRules for EnvPoolRules {
        type State = EnvPoolState;

        fn save(&self) -> EnvPoolState {
            self.state.clone()
        }

        fn is_valid(&self, state: &EnvPoolState) -> bool {
            let settings = &*self.settings;
            std::iter::once(&state.observed).chain(&state.final_observed).all(|observed| {
                observed.stack.has_shape(settings.stack_num, settings.frames.bytes())
                    && observed.values.len() == settings.variables.len()
            })
        }

        fn load(&mut self, state: EnvPoolState) {
            self.state = state;
        }

        fn seed(&mut self, seed: u64) {
            self.state.seed_generator = Mt19937::init_genrand(seed as u32);
        }

        fn next_seed(&mut self) -> u32 {
            self.state.seed_generator.next_u32()
        }

        fn recording_name(&mut self, first: bool) -> Option<String> {
            let number = self.episodes;
            self.episodes += 1;
            (self.settings.is_recording && !first).then(|| format!("env_{}_{number}.lmp", self.lane_index))
        }

        fn write_buttons(&self, action: &Action<'_>, values: &mut Vec<f64>) {
            match self.settings.use_combined_action {
                true => values.extend(&self.settings.action_set[action.discrete() as usize]),
                false => values.extend(action.doubles(0, self.settings.action_set[0].len())),
            }
        }

        fn continuing_buttons(&self, game: &Game, ended: EpisodeEnd) -> Option<Vec<f64>> {
            (!ended.at_limit && !game.is_episode_finished()).then(|| self.settings.action_set[0].clone())
        }

        fn tics(&self) -> u32 {
            self.settings.frame_skip
        }

        fn stops_at_episode_end(&self) -> bool {
            self.settings.is_recording
        }

        fn on_episode_start(&mut self, game: &mut Game) {
            // With `episodic_life`, the new episode can continue the previous episode's game, which may already have ended.
            if game.is_episode_finished() {
                self.state.reward = 0.0;
            } else {
                self.update(game, true);
            }
        }

        fn on_step(&mut self, game: &mut Game, truncate: bool) -> (bool, bool) {
            let is_finished = game.is_episode_finished();
            if is_finished {
                self.state.reward = 0.0;
            } else {
                self.update(game, false);
            }
            let is_dead = self.settings.episodic_life && game.memory().is_dead();
            ((is_finished || is_dead) && !truncate, false)
        }

        fn keep_final(&mut self) {
            self.state.final_observed = Some(self.state.observed.clone());
        }

        fn observe(&self, is_last: bool, observation: &mut Row<'_>) {
            let stack = &self.observed(is_last).stack;
            if self.settings.stack_once {
                observation.write_at(0, 0, stack.newest_frame());
                return;
            }
            let [older, newer] = stack.as_slices();
            observation.write_at(0, 0, older);
            observation.write_at(0, older.len(), newer);
        }

        fn info(&self, is_last: bool, infos: &mut Row<'_>) {
            let values = &self.observed(is_last).values;
            for (info, index) in self.settings.info_indices.iter().enumerate() {
                infos.scalar(info, index.map_or(0.0, |index| values[index]));
            }
            infos.scalar(self.settings.info_indices.len(), i64::from(self.observed(is_last).stack.age()));
        }

        fn reward(&self) -> f64 {
            f64::from(self.state.reward)
        }

        fn paint(&self, game: &Game, params: &RenderParams) -> Frame {
            let EnvPoolSettings { palette, screen_format, rendered, native, method, .. } = &*self.settings;
            let sizes = screen::ScreenSizes {
                rendered: *rendered,
                native: *native,
                output: (params.height as usize, params.width as usize),
            };
            screen::render_frame(palette, *screen_format, game.memory().region(Region::Screen), sizes, *method)
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use supported::EnvPoolEngine;

/// Message of the error on platforms on which the engine does not run.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
pub const UNSUPPORTED_PLATFORM: &str = "ViZDoom needs Linux with glibc on x86-64, for which its engine is built";

/// Replaces the engine settings on platforms without an engine; every function returns an error.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
#[derive(Debug, Clone)]
pub struct EnvPoolEngine;

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
impl EnvPoolEngine {
    /// Returns an error, because ViZDoom's engine does not run on this platform.
    ///
    /// # Errors
    /// Always an error of the kind `State`.
    pub fn new(_: &AssetPaths, _: PathBuf, _: PathBuf, _: Config, _: Option<&str>) -> Result<Self> {
        Err(Error::State(UNSUPPORTED_PLATFORM.into()))
    }

    /// Returns an error, because ViZDoom's engine does not run on this platform.
    ///
    /// # Errors
    /// Always an error of the kind `State`.
    pub fn lane(&self, _: usize, _: &Shared<EnvPoolSettings>) -> Result<Box<dyn ProcessLane>> {
        Err(Error::State(UNSUPPORTED_PLATFORM.into()))
    }
}
