//! What is made of a game for EnvPool's tasks: frames, rewards, infos.

use std::path::PathBuf;

use super::files::Places;
use super::screen::Frames;
use envpool_rs_engine::{Error, ProcessLane, Result};
use envpool_rs_pictures::resize::Method;
use envpool_rs_sim_vizdoom::{
    Shared,
    config::{Config, ScreenFormat},
    wad::Palette,
};

/// What all lanes of a group have in common.
#[derive(Debug)]
pub struct Played {
    /// Makes frames of pictures.
    pub frames: Frames,
    /// Colours.
    pub palette: Palette,
    /// What the pictures are to be.
    pub format: ScreenFormat,
    /// Rows and columns that the engine draws.
    pub drawn: (usize, usize),
    /// Rows and columns of the scenario's pictures.
    pub native: (usize, usize),
    /// How pictures are resized.
    pub method: Method,
    /// Frames in an observation.
    pub stack_num: usize,
    /// Tics of a step.
    pub frame_skip: u32,
    /// Whether deaths end episodes where the game goes on.
    pub episodic_life: bool,
    /// Whether episodes are recorded.
    pub records: bool,
    /// Steps a weapon has to be held.
    pub weapon_duration: i64,
    /// For each variable, what one more brings and one less does.
    pub rewards: Vec<[f64; 2]>,
    /// For each weapon, what holding it brings.
    pub weapon_rewards: [f64; 10],
    /// Combined actions.
    pub actions: Vec<Vec<f64>>,
    /// Whether actions are numbers of them.
    pub combined: bool,
    /// Where each info is among the variables.
    pub infos: [Option<usize>; 16],
    /// The variables.
    pub variables: Vec<usize>,
}

/// Rows and columns that the engine draws.
pub fn drawn(config: &Config) -> (usize, usize) {
    if config.resolution.0 < 320 { (240, 320) } else { (config.resolution.1 as usize, config.resolution.0 as usize) }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod here {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::{
        lane::{Lane, Rules},
        screen,
    };
    use envpool_rs_engine::{Action, Ended, Picture, Row, View};
    use envpool_rs_numeric::random::Mt19937;
    use envpool_rs_pictures::FrameStack;
    use envpool_rs_sim_vizdoom::{
        Starter,
        game::{Game, Settings, longest_recording},
        memory::Region,
        variables,
    };

    /// Engines, as all lanes of a group have them.
    #[derive(Debug, Clone)]
    pub struct Engine {
        settings: Shared<Settings>,
        starter: Starter,
        restarts: bool,
    }

    impl Engine {
        /// From what was found. Pictures of less than 320 columns are drawn at 320 x 240.
        ///
        /// # Errors
        /// `Value`, naming the option.
        pub fn new(places: &Places, program: PathBuf, game: PathBuf, config: Config, recordings: Option<&str>) -> Result<Self> {
            let map = config.map.clone();
            let (height, width) = drawn(&config);
            let mut settings = Settings::new(program, game, config, places.patience);
            settings.drawn = (width as u32, height as u32);
            if let Some(folder) = recordings {
                let path = super::super::files::absolute(&PathBuf::from(folder));
                if !path.is_dir() {
                    return Err(Error::NotFound(format!("lmp_save_dir={folder:?}: expected a folder")));
                }
                settings.recordings = Some(path);
                if longest_recording(&map) < "env_16777216_4294967295.lmp".len() {
                    return Err(Error::value("map_id", format_args!("{map:?}"), "a shorter name, where episodes are recorded"));
                }
            }
            if places.copies_faster {
                settings.copy_faster().map_err(|expected| Error::value("fast_palette_copy", "True", expected))?;
            }
            Ok(Self { settings: Shared::new(settings), starter: Starter::default(), restarts: places.restarts })
        }

        /// A lane of a pool.
        ///
        /// # Errors
        /// None here.
        pub fn lane(&self, lane: usize, played: &Shared<Played>) -> Result<Box<dyn ProcessLane>> {
            let rules = EnvPoolRules::new(lane, Shared::clone(played));
            Ok(Box::new(Lane::new(rules, Shared::clone(&self.settings), self.starter.clone(), self.restarts)))
        }
    }

    /// What is shown of a game.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    struct Shown {
        stack: FrameStack,
        values: Vec<f64>,
    }

    /// A lane's frames and counts.
    #[derive(Debug)]
    struct EnvPoolRules {
        played: Shared<Played>,
        lane: usize,
        episodes: u32,
        state: EnvPoolState,
    }

    /// What is kept of it, for another lane to go on with.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct EnvPoolState {
        seeds: Mt19937,
        shown: Shown,
        last: Option<Shown>,
        /// Hits, damage and deaths when the episode began, which the engine does not begin anew.
        beginning: [f64; 3],
        weapon: i64,
        held: i64,
        reward: f32,
    }

    /// Variables that the engine does not begin anew with an episode.
    const COUNTED_ON: [usize; 3] = [variables::HITS, variables::DAMAGE, variables::DEATHS];

    impl EnvPoolRules {
        fn new(lane: usize, played: Shared<Played>) -> Self {
            let shown = Shown {
                stack: FrameStack::new(played.stack_num, played.frames.bytes()),
                values: vec![0.0; played.variables.len()],
            };
            let seeds = Mt19937::from_integer(0);
            let state = EnvPoolState { seeds, shown, last: None, beginning: [0.0; 3], weapon: -1, held: 0, reward: 0.0 };
            Self { played, lane, episodes: 0, state }
        }

        fn shown(&self, is_last: bool) -> &Shown {
            let EnvPoolState { shown, last, .. } = &self.state;
            if is_last { last.as_ref().unwrap_or(shown) } else { shown }
        }

        /// Takes in a state of the game: the reward that it brings.
        fn take_in(&mut self, game: &Game, begins: bool) {
            let (memory, played, state) = (game.memory(), &*self.played, &mut self.state);
            let now: Vec<f64> = played.variables.iter().map(|variable| game.variable(*variable)).collect();
            let mut before = if begins { now.clone() } else { std::mem::take(&mut state.shown.values) };
            if begins {
                (state.weapon, state.held) = (-1, 0);
            }
            state.shown.values = now;
            let now = &mut state.shown.values;
            for (variable, beginning) in COUNTED_ON.into_iter().zip(&mut state.beginning) {
                if let Some(place) = played.variables.iter().position(|other| *other == variable) {
                    if begins {
                        (*beginning, before[place]) = (now[place], 0.0);
                    }
                    now[place] -= *beginning;
                }
            }
            let (mut weapon, mut ammunition, mut reward) = (-1, 0, 0.0_f32);
            for (place, variable) in played.variables.iter().enumerate() {
                let mut change = now[place] - before[place];
                match *variable {
                    variables::DAMAGE => change = change.min(200.0),
                    variables::HITS => change = change.min(5.0),
                    variables::WEAPON => weapon = now[place] as i64,
                    variables::WEAPON_AMMO => ammunition = now[place] as i64,
                    variables::HEALTH => {
                        // Of a player that is not there, the engine says -999900.
                        match (before[place] < 0.0, now[place] < 0.0) {
                            (true, true) => (before[place], now[place]) = (100.0, 100.0),
                            (false, true) => now[place] = before[place],
                            (true, false) => before[place] = now[place],
                            (false, false) => {}
                        }
                        change = now[place] - before[place];
                    }
                    _ => {}
                }
                let [more, less] = played.rewards[place];
                if change >= 0.0 {
                    reward += (change * more) as f32;
                } else {
                    reward -= (change * less) as f32;
                }
            }
            if weapon == state.weapon {
                state.held = state.held.saturating_add(1);
            } else {
                (state.weapon, state.held) = (weapon, 1);
            }
            if weapon >= 0 && state.held >= played.weapon_duration && ammunition > 0 {
                let held = usize::try_from(weapon).ok().and_then(|weapon| played.weapon_rewards.get(weapon));
                reward = (f64::from(reward) + held.copied().unwrap_or_default()) as f32;
            }
            state.reward = reward;
            state.shown.stack.push(|frame| played.frames.draw(memory.region(Region::Screen), frame));
            if begins {
                state.shown.stack.fill_with_newest();
            }
        }
    }

    impl Rules for EnvPoolRules {
        type State = EnvPoolState;

        fn save(&self) -> EnvPoolState {
            self.state.clone()
        }

        fn is_valid(&self, state: &EnvPoolState) -> bool {
            let played = &*self.played;
            std::iter::once(&state.shown).chain(&state.last).all(|shown| {
                shown.stack.is_like(played.stack_num, played.frames.bytes()) && shown.values.len() == played.variables.len()
            })
        }

        fn load(&mut self, state: EnvPoolState) {
            self.state = state;
        }

        fn seed(&mut self, seed: u64) {
            self.state.seeds = Mt19937::from_integer(seed as u32);
        }

        fn next_game(&mut self) -> u32 {
            self.state.seeds.next_u32()
        }

        fn recording(&mut self, first: bool) -> Option<String> {
            let number = self.episodes;
            self.episodes += 1;
            (self.played.records && !first).then(|| format!("env_{}_{number}.lmp", self.lane))
        }

        fn press(&self, action: &Action<'_>, values: &mut Vec<f64>) {
            match self.played.combined {
                true => values.extend(&self.played.actions[action.discrete() as usize]),
                false => values.extend(action.doubles(0, self.played.actions[0].len())),
            }
        }

        fn goes_on(&self, game: &Game, ended: Ended) -> Option<Vec<f64>> {
            (!ended.at_limit && !game.is_finished()).then(|| self.played.actions[0].clone())
        }

        fn tics(&self) -> u32 {
            self.played.frame_skip
        }

        fn is_exact(&self) -> bool {
            self.played.records
        }

        fn begun(&mut self, game: &mut Game) {
            // A game that has gone on may have ended meanwhile.
            if game.is_finished() {
                self.state.reward = 0.0;
            } else {
                self.take_in(game, true);
            }
        }

        fn stepped(&mut self, game: &mut Game, cut: bool) -> (bool, bool) {
            let is_finished = game.is_finished();
            if is_finished {
                self.state.reward = 0.0;
            } else {
                self.take_in(game, false);
            }
            let is_dead = self.played.episodic_life && game.memory().is_dead();
            ((is_finished || is_dead) && !cut, false)
        }

        fn keep_last(&mut self) {
            self.state.last = Some(self.state.shown.clone());
        }

        fn observe(&self, is_last: bool, observation: &mut Row<'_>) {
            let [older, newer] = self.shown(is_last).stack.pieces();
            observation.write_at(0, 0, older);
            observation.write_at(0, older.len(), newer);
        }

        fn info(&self, is_last: bool, infos: &mut Row<'_>) {
            let values = &self.shown(is_last).values;
            for (info, place) in self.played.infos.iter().enumerate() {
                infos.scalar(info, place.map_or(0.0, |place| values[place]));
            }
        }

        fn reward(&self) -> f64 {
            f64::from(self.state.reward)
        }

        fn paint(&self, game: &Game, view: &View) -> Picture {
            let Played { palette, format, drawn, native, method, .. } = &*self.played;
            let sizes = screen::Sizes { drawn: *drawn, native: *native, to: (view.height as usize, view.width as usize) };
            screen::picture(palette, *format, game.memory().region(Region::Screen), sizes, *method)
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use here::Engine;

/// Why there are none.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
pub const ELSEWHERE: &str = "ViZDoom is played on Linux with glibc, on x86-64: its engine is spoken to as it is built there";

/// Engines, where there are none.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
#[derive(Debug, Clone)]
pub struct Engine;

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64")))]
impl Engine {
    /// None.
    ///
    /// # Errors
    /// `State`, always.
    pub fn new(_: &Places, _: PathBuf, _: PathBuf, _: Config, _: Option<&str>) -> Result<Self> {
        Err(Error::State(ELSEWHERE.into()))
    }

    /// None.
    ///
    /// # Errors
    /// `State`, always.
    pub fn lane(&self, _: usize, _: &Shared<Played>) -> Result<Box<dyn ProcessLane>> {
        Err(Error::State(ELSEWHERE.into()))
    }
}
