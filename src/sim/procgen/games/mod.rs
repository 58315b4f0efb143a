//! Rules and level generators of all games, with one file per game.

mod bigfish;
mod bossfight;
mod caveflyer;
mod chaser;
mod climber;
mod coinrun;
mod dodgeball;
mod fruitbot;
mod heist;
mod jumper;
mod jumper_compass;
mod jumper_levels;
mod leaper;
mod maze;
mod miner;
mod ninja;
mod platformer;
mod plunder;
mod prelude;
mod starpilot;
mod std_sort;

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assets::Assets;
use crate::canvas::Canvas;
use crate::image::AssetError;
use crate::options::DistributionMode;
use crate::rules::Rules;
use crate::rules::painter::{Layers, Painter};
use crate::world::{Setup, World};

/// Declares the games: their names, rules, and their distribution modes in addition to easy and hard.
macro_rules! games {
    ($($game:ident = $module:ident, $timeout:literal, $modes:expr, $exploration:expr;)*) => {
        /// Name of a game.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum GameName {
            $(
                #[doc = concat!("`", stringify!($module), "`")]
                $game,
            )*
        }

        /// Rules of one of the games, as an enum over all games.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        pub(crate) enum GameRules {
            $($game($module::$game),)*
        }

        impl GameName {
            /// All games, in alphabetical order.
            pub const ALL: &'static [Self] = &[$(Self::$game),*];

            /// Returns procgen's name of the game.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$game => stringify!($module),)*
                }
            }

            /// Returns the number of steps after which an episode ends.
            pub fn timeout(self) -> u32 {
                match self {
                    $(Self::$game => $timeout,)*
                }
            }

            /// Returns the distribution modes of the game.
            pub fn modes(self) -> &'static [DistributionMode] {
                match self {
                    $(Self::$game => $modes,)*
                }
            }

            /// Returns the seed of the level of the distribution mode `exploration`; `None` if the game does not have this mode.
            pub fn exploration_level(self) -> Option<i32> {
                match self {
                    $(Self::$game => $exploration,)*
                }
            }

            /// Opens the game's pictures in procgen's folder `assets`.
            ///
            /// # Errors
            /// [`AssetError`] if a file is missing or damaged; the error names the file.
            pub fn open_assets(self, root: &Path) -> Result<Assets, AssetError> {
                match self {
                    $(Self::$game => Assets::open(root, $module::$game::BACKGROUNDS, $module::$game::asset_for_type),)*
                }
            }
        }

        impl GameRules {
            /// Creates the rules and the world of a game.
            pub fn new(game: GameName, setup: Arc<Setup>) -> (Self, World) {
                let mut world = World::new(setup);
                let rules = match game {
                    $(GameName::$game => Self::$game($module::$game::new(&mut world)),)*
                };
                (rules, world)
            }

            /// Returns the name of the game.
            pub fn game(&self) -> GameName {
                match self {
                    $(Self::$game(_) => GameName::$game,)*
                }
            }

            /// Generates a level in the world.
            pub fn game_reset(&mut self, world: &mut World) {
                match self {
                    $(Self::$game(rules) => rules.game_reset(world),)*
                }
            }

            /// Runs one step of the game in the world.
            pub fn game_step(&mut self, world: &mut World) {
                match self {
                    $(Self::$game(rules) => rules.game_step(world),)*
                }
            }

            /// Draws the world on a canvas; `layers` are cached layers of the game's last picture.
            pub fn draw(&self, world: &World, canvas: &mut Canvas, layers: &mut Layers) {
                match self {
                    $(Self::$game(rules) => Painter::new(rules, world, canvas, layers).draw(),)*
                }
            }

            /// Returns whether a state from an untrusted snapshot can be stepped.
            pub fn is_valid(&self, world: &World) -> bool {
                match self {
                    $(Self::$game(rules) => rules.is_valid(world),)*
                }
            }
        }
    };
}

use DistributionMode::{Easy, Extreme, Hard, Memory};

games! {
    Bigfish = bigfish, 6000, &[Easy, Hard], None;
    Bossfight = bossfight, 4000, &[Easy, Hard], None;
    Caveflyer = caveflyer, 1000, &[Easy, Hard, Memory], Some(1_259_048_185);
    Chaser = chaser, 1000, &[Easy, Hard, Extreme], None;
    Climber = climber, 1000, &[Easy, Hard], Some(1_561_126_160);
    Coinrun = coinrun, 1000, &[Easy, Hard], Some(1_949_448_038);
    Dodgeball = dodgeball, 1000, &[Easy, Hard, Extreme, Memory], None;
    Fruitbot = fruitbot, 1000, &[Easy, Hard], None;
    Heist = heist, 1000, &[Easy, Hard, Memory], Some(876_640_971);
    Jumper = jumper, 1000, &[Easy, Hard, Memory], Some(1_434_825_276);
    Leaper = leaper, 500, &[Easy, Hard, Extreme], Some(1_318_677_581);
    Maze = maze, 500, &[Easy, Hard, Memory], Some(158_988_835);
    Miner = miner, 1000, &[Easy, Hard, Memory], None;
    Ninja = ninja, 1000, &[Easy, Hard], Some(1_123_500_215);
    Plunder = plunder, 4000, &[Easy, Hard], None;
    Starpilot = starpilot, 1000, &[Easy, Hard, Extreme], None;
}
