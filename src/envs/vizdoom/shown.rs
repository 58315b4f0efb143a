//! What is made of a game for the package's own tasks: everything that the engine shows, as it is.

use std::path::PathBuf;

use super::files::Places;
use envpool_rs_engine::{Error, ProcessLane, Result};
use envpool_rs_sim_vizdoom::{Shared, config::Config, wad::Palette};

/// What all lanes of a group have in common.
#[derive(Debug)]
pub struct Settings {
    /// Colours.
    pub palette: Palette,
    /// The configuration.
    pub config: Config,
    /// Tics of a step.
    pub frame_skip: u32,
    /// Buttons that move, which come first.
    pub deltas: usize,
    /// Buttons that are pressed.
    pub binaries: usize,
    /// Combinations that actions are numbers of, if they are.
    pub listed: Vec<u32>,
    /// Whether the game's time limit truncates.
    pub limit_truncates: bool,
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod here {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::lane::{Lane, Rules};
    use envpool_rs_engine::{Action, Ended, Picture, Row};
    use envpool_rs_numeric::random::{Generator, Mt19937};
    use envpool_rs_sim_vizdoom::{
        Starter,
        config::{FLASHES, ScreenFormat},
        game::{self, Game, Pictures},
        memory::Region,
        wad::gray,
    };

    /// Engines, as all lanes of a group have them.
    #[derive(Debug, Clone)]
    pub struct Engine {
        game: Shared<game::Settings>,
        shown: Shared<Settings>,
        starter: Starter,
        restarts: bool,
    }

    impl Engine {
        /// From what was found.
        ///
        /// # Errors
        /// `Value`, naming the option.
        pub fn new(places: &Places, program: PathBuf, iwad: PathBuf, config: Config, shown: Shared<Settings>) -> Result<Self> {
            let (flashes, format) = (config.drawn & FLASHES != 0, config.format);
            let mut game = game::Settings::new(program, iwad, config, places.patience);
            if flashes {
                game.pictures = if format == ScreenFormat::Gray { Pictures::Grays } else { Pictures::Colours };
            }
            if places.copies_faster {
                game.copy_faster().map_err(|expected| Error::value("fast_palette_copy", "True", expected))?;
            }
            Ok(Self { game: Shared::new(game), shown, starter: Starter::default(), restarts: places.restarts })
        }

        /// A lane of a pool.
        ///
        /// # Errors
        /// None here.
        pub fn lane(&self) -> Result<Box<dyn ProcessLane>> {
            let rules = PackageRules::new(Shared::clone(&self.shown));
            Ok(Box::new(Lane::new(rules, Shared::clone(&self.game), self.starter.clone(), self.restarts)))
        }
    }

    /// What is shown of a game; nothing after its end.
    #[derive(Debug, Clone, Default, Serialize, Deserialize)]
    struct View {
        is_there: bool,
        screen: Vec<u8>,
        automap: Vec<u8>,
        depth: Vec<u8>,
        labels: Vec<u8>,
        audio: Vec<u8>,
        variables: Vec<f32>,
        notifications: String,
    }

    /// What is kept of a lane, for another one to go on with.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    pub struct PackageState {
        random: Generator,
        view: View,
        last: Option<View>,
        reward: f64,
    }

    /// A lane's view and seeds.
    #[derive(Debug)]
    struct PackageRules {
        settings: Shared<Settings>,
        state: PackageState,
    }

    impl PackageRules {
        fn new(settings: Shared<Settings>) -> Self {
            Self { settings, state: PackageState { random: Generator::new(0), view: View::default(), last: None, reward: 0.0 } }
        }

        /// The engine's numbers of colours as colours, or grays. Where the whole picture may flash, it has written these itself.
        fn coloured(&self, numbers: &[u8], out: &mut Vec<u8>) {
            out.clear();
            if self.settings.config.drawn & FLASHES != 0 {
                return out.extend_from_slice(numbers);
            }
            let palette = &self.settings.palette;
            match self.settings.config.format {
                ScreenFormat::Gray => {
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

        fn look(&mut self, game: &Game) {
            let mut view = std::mem::take(&mut self.state.view);
            view.is_there = !game.is_finished();
            if view.is_there {
                let (memory, config) = (game.memory(), &self.settings.config);
                self.coloured(memory.region(Region::Screen), &mut view.screen);
                if config.automap {
                    self.coloured(memory.region(Region::Automap), &mut view.automap);
                }
                for (is_there, region, part) in [
                    (config.depth, Region::Depth, &mut view.depth),
                    (config.labels, Region::Labels, &mut view.labels),
                    (config.audio, Region::Audio, &mut view.audio),
                ] {
                    if is_there {
                        part.clear();
                        part.extend_from_slice(memory.region(region));
                    }
                }
                view.variables.clear();
                view.variables.extend(config.variables.iter().map(|variable| game.variable(*variable) as f32));
                if config.notifications {
                    view.notifications = memory.notifications();
                }
            }
            self.state.view = view;
        }
    }

    /// Writes bytes as they are, or zeros where there is nothing.
    fn write(row: &mut Row<'_>, leaf: &mut usize, is_there: bool, bytes: &[u8]) {
        if let Some(memory) = row.bytes(*leaf) {
            match is_there && bytes.len() >= memory.len() {
                true => memory.copy_from_slice(&bytes[bytes.len() - memory.len()..]),
                false => memory.fill(0),
            }
        }
        *leaf += 1;
    }

    impl Rules for PackageRules {
        type State = PackageState;

        fn save(&self) -> PackageState {
            self.state.clone()
        }

        fn is_valid(&self, state: &PackageState) -> bool {
            let config = &self.settings.config;
            let pixels = config.resolution.0 as usize * config.resolution.1 as usize;
            let colours = if config.format == ScreenFormat::Gray { pixels } else { 3 * pixels };
            let is_like = |view: &View| {
                let fits = |is_there: bool, part: &[u8], bytes: usize| !is_there || part.len() == bytes;
                !view.is_there
                    || (view.variables.len() == config.variables.len()
                        && view.screen.len() == colours
                        && fits(config.automap, &view.automap, colours)
                        && fits(config.depth, &view.depth, pixels)
                        && fits(config.labels, &view.labels, pixels))
            };
            std::iter::once(&state.view).chain(&state.last).all(is_like)
        }

        fn load(&mut self, state: PackageState) {
            self.state = state;
        }

        fn seed(&mut self, seed: u64) {
            self.state.random = Generator::new(seed);
        }

        fn next_game(&mut self) -> u32 {
            // The package draws a seed for a generator of its own, which the game's seed is drawn from.
            Mt19937::from_integer(self.state.random.integers_inclusive(0_u32, u32::MAX)).next_u32()
        }

        fn recording(&mut self, _first: bool) -> Option<String> {
            None
        }

        fn press(&self, action: &Action<'_>, values: &mut Vec<f64>) {
            let Settings { deltas, binaries, listed, .. } = &*self.settings;
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

        fn goes_on(&self, _game: &Game, _ended: Ended) -> Option<Vec<f64>> {
            None
        }

        fn tics(&self) -> u32 {
            self.settings.frame_skip
        }

        fn is_exact(&self) -> bool {
            true
        }

        fn begun(&mut self, game: &mut Game) {
            self.state.reward = 0.0;
            self.look(game);
        }

        fn stepped(&mut self, game: &mut Game, _cut: bool) -> (bool, bool) {
            self.state.reward = game.take_reward();
            self.look(game);
            (game.is_finished(), self.settings.limit_truncates && game.is_timed_out())
        }

        fn keep_last(&mut self) {
            self.state.last = Some(self.state.view.clone());
        }

        fn observe(&self, is_last: bool, row: &mut Row<'_>) {
            let view = if is_last { self.state.last.as_ref().unwrap_or(&self.state.view) } else { &self.state.view };
            let (config, is_there, mut leaf) = (&self.settings.config, view.is_there, 0);
            if config.audio {
                write(row, &mut leaf, is_there, &view.audio);
            }
            if config.automap {
                write(row, &mut leaf, is_there, &view.automap);
            }
            if config.depth {
                write(row, &mut leaf, is_there, &view.depth);
            }
            match (config.variables.len(), is_there) {
                (0, _) => {}
                (count, false) => {
                    row.write(leaf, &vec![0.0_f32; count]);
                    leaf += 1;
                }
                (_, true) => {
                    row.write(leaf, &view.variables);
                    leaf += 1;
                }
            }
            if config.labels {
                write(row, &mut leaf, is_there, &view.labels);
            }
            if config.notifications {
                row.text(leaf, if is_there { &view.notifications } else { "" });
                leaf += 1;
            }
            write(row, &mut leaf, is_there, &view.screen);
        }

        fn info(&self, _is_last: bool, _infos: &mut Row<'_>) {}

        fn reward(&self) -> f64 {
            self.state.reward
        }

        fn paint(&self, game: &Game, _view: &envpool_rs_engine::View) -> Picture {
            let config = &self.settings.config;
            let (width, height) = (config.resolution.0 as usize, config.resolution.1 as usize);
            let mut parts: Vec<Vec<u8>> = Vec::new();
            let in_grays = |bytes: &[u8]| bytes.iter().flat_map(|byte| [*byte; 3]).collect::<Vec<u8>>();
            let in_colours = |bytes: &[u8]| if config.format == ScreenFormat::Gray { in_grays(bytes) } else { bytes.to_vec() };
            parts.push(in_colours(&self.state.view.screen));
            if config.depth {
                parts.push(in_grays(&self.state.view.depth));
            }
            if config.labels {
                let mut colours = [[0; 3]; 256];
                let mut random = Generator::new(42);
                let things: Vec<[u8; 3]> = (0..256).map(|_| [(); 3].map(|()| random.uniform(25.0, 256.0) as u8)).collect();
                for (value, thing) in game.memory().labels() {
                    colours[usize::from(value)] = things[thing as usize % 256];
                }
                parts.push(self.state.view.labels.iter().flat_map(|value| colours[usize::from(*value)]).collect());
            }
            if config.automap {
                parts.push(in_colours(&self.state.view.automap));
            }
            let mut pixels = Vec::with_capacity(parts.len() * width * height * 3);
            for row in 0..height {
                for part in &parts {
                    match self.state.view.is_there {
                        true => pixels.extend_from_slice(&part[row * width * 3..(row + 1) * width * 3]),
                        false => pixels.extend(std::iter::repeat_n(0, width * 3)),
                    }
                }
            }
            Picture::new((width * parts.len()) as u32, height as u32, pixels)
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
pub use here::Engine;

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
    pub fn new(_: &Places, _: PathBuf, _: PathBuf, _: Config, _: Shared<Settings>) -> Result<Self> {
        Err(Error::State(super::play::ELSEWHERE.into()))
    }

    /// None.
    ///
    /// # Errors
    /// `State`, always.
    pub fn lane(&self) -> Result<Box<dyn ProcessLane>> {
        Err(Error::State(super::play::ELSEWHERE.into()))
    }
}
