//! Static description of a game: cartridge, controllers, modes, and the rule for rewards, lives and the end.

use super::mode_select::EnvironmentWrapper;
use super::rules::{RamView, RomState};
use crate::action::{ACTIONS, Action};
use crate::bank_switching::BankSwitching;
use crate::input::Controller;
use crate::tia::VisiblePicture;

/// Number of visible rows of a PAL picture.
const PAL_ROWS: u16 = 250;

/// Rule by which the number of lives is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lives {
    /// The number of lives is the value that the game stores in RAM, and 0 after the end of the game.
    Counted,
    /// The number of lives is the value that the game stores in RAM, even after the end of the game.
    CountedAlways,
    /// The number of lives is 1 during the game, and 0 after its end.
    OneUntilEnd,
    /// The number of lives is always 1.
    One,
    /// The number of lives is always 0.
    None,
}

/// Method by which a console selects a game mode.
#[derive(Clone, Copy)]
pub enum ModeSelect {
    /// The game has only one mode.
    Fixed,
    /// SELECT is held for a number of frames, repeatedly, until RAM contains the mode.
    Poll {
        /// Number of frames for which SELECT is held once, before the repetitions.
        first: u32,
        /// Number of frames for which SELECT is held in each repetition.
        hold: u32,
        /// Function that reads from RAM whether the given mode is selected.
        is_chosen: fn(RamView<'_>, i32) -> bool,
    },
    /// A game-specific function selects the mode. It returns false if the mode cannot be reached.
    Own(fn(&mut dyn EnvironmentWrapper, i32) -> bool),
}

/// Description of a game: cartridge, controllers, modes, and the rule for rewards, lives and the end.
pub struct Game {
    /// Name of the game in snake_case.
    pub name: &'static str,
    /// MD5 digest of the cartridge image.
    pub md5: u128,
    /// Bank-switching scheme of the cartridge.
    pub scheme: BankSwitching,
    /// Size of the cartridge image in bytes.
    pub size: usize,
    /// Visible part of the picture on an NTSC television.
    pub picture: VisiblePicture,
    /// Whether the game is made for PAL televisions.
    pub is_pal: bool,
    /// Type of the controllers that are plugged in.
    pub controller: Controller,
    /// Whether the first player uses the right port.
    pub swapped_ports: bool,
    /// Whether the first player uses the second paddle of the port.
    pub swapped_paddles: bool,
    /// Whether paddles are plugged into the right port as well as into the left.
    pub right_paddles: bool,
    /// Highest resistance of a paddle, in ohms.
    pub paddle_max: i32,
    /// Game modes; the first one is the default.
    pub modes: &'static [u16],
    /// Method by which a console selects a game mode.
    pub select: ModeSelect,
    /// Difficulties that make a difference in the game.
    pub difficulties: &'static [u8],
    /// Minimal action set of the game.
    pub minimal: &'static [Action],
    /// Whether the console replaces actions with the button pressed by NOOP, because the game does not use the button.
    pub no_button: bool,
    /// Actions that are played after a reset to start the game, each with the number of frames for which it is played.
    pub starting_actions: &'static [(Action, u32)],
    /// Rule that computes the reward, lives and end of the game from RAM after a frame.
    pub rule: fn(&mut RomState, RamView<'_>),
    /// Initial values of three fields of the rule's state ([`RomState`]): score, number of lives and `memory[0]`.
    pub initial: (i32, i32, i32),
    /// Rule by which the number of lives is reported.
    pub lives: Lives,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Game {
    /// Returns the actions that the game accepts.
    pub fn legal(&self) -> Vec<Action> {
        ACTIONS.into_iter().filter(|action| self.is_legal(*action)).collect()
    }

    /// Returns whether the game accepts the action. The console replaces other actions by NOOP.
    pub fn is_legal(&self, action: Action) -> bool {
        !(self.no_button && action.stick().fire)
    }

    /// Returns the visible part of the picture on the type of television for which the game is made.
    pub fn visible_picture(&self) -> VisiblePicture {
        match self.is_pal {
            true => VisiblePicture { rows: PAL_ROWS, pal: true, ..self.picture },
            false => self.picture,
        }
    }

    pub(crate) fn start(&self, setting: i32) -> RomState {
        let (score, lives, first) = self.initial;
        RomState { score, lives, memory: [first, 0, 0, 0, 0, 0], setting, ..RomState::default() }
    }

    pub(crate) fn lives(&self, progress: &RomState) -> i32 {
        match self.lives {
            Lives::Counted if progress.ended => 0,
            Lives::Counted | Lives::CountedAlways => progress.lives,
            Lives::OneUntilEnd => i32::from(!progress.ended),
            Lives::One => 1,
            Lives::None => 0,
        }
    }
}
