//! Static description of a game.

use super::mode_select::EnvironmentWrapper;
use super::rules::{RamView, RomState};
use crate::action::{ACTIONS, Action};
use crate::bank_switching::BankSwitching;
use crate::input::Controller;
use crate::tia::VisiblePicture;

/// Visible rows of a PAL picture.
const PAL_ROWS: u16 = 250;

/// How a game's lives are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lives {
    /// The game's count, and 0 at the end.
    Counted,
    /// The game's count, at the end too.
    CountedAlways,
    /// One, and 0 at the end.
    OneUntilEnd,
    /// One.
    One,
    /// None at all.
    None,
}

/// Selection of a mode.
#[derive(Clone, Copy)]
pub enum ModeSelect {
    /// The game has one mode only.
    Fixed,
    /// SELECT is held for a number of frames, repeatedly, until RAM shows the mode.
    Poll {
        /// Frames for which SELECT is held once beforehand.
        first: u32,
        /// Frames for which it is held each time.
        hold: u32,
        /// Whether the mode is selected.
        is_chosen: fn(RamView<'_>, i32) -> bool,
    },
    /// A function of the game's own. It returns false if the mode cannot be reached.
    Own(fn(&mut dyn EnvironmentWrapper, i32) -> bool),
}

/// A game: its cartridge, controllers, modes and rule.
pub struct Game {
    /// Name in snake_case.
    pub name: &'static str,
    /// MD5 digest of the cartridge image.
    pub md5: u128,
    /// Bank-switching scheme of the cartridge.
    pub scheme: BankSwitching,
    /// Bytes of the cartridge image.
    pub size: usize,
    /// Visible part of the picture on an NTSC television.
    pub picture: VisiblePicture,
    /// Whether it is made for PAL televisions.
    pub is_pal: bool,
    /// Controllers that are plugged in.
    pub controller: Controller,
    /// Whether the first player uses the right port.
    pub swapped_ports: bool,
    /// Whether the first player uses the second paddle.
    pub swapped_paddles: bool,
    /// Whether the right port has paddles too.
    pub right_paddles: bool,
    /// Highest resistance of a paddle, in ohms.
    pub paddle_max: i32,
    /// Modes; the first one is the default.
    pub modes: &'static [u16],
    /// Selection of the modes.
    pub select: ModeSelect,
    /// Difficulties that differ from each other.
    pub difficulties: &'static [u8],
    /// Minimal action set.
    pub minimal: &'static [Action],
    /// Whether actions with the button pressed are replaced by NOOP.
    pub no_button: bool,
    /// Starting actions after a reset, with their number of frames.
    pub starting_actions: &'static [(Action, u32)],
    /// Rule that updates reward, lives and end after a frame.
    pub rule: fn(&mut RomState, RamView<'_>),
    /// Initial score, lives and `memory[0]` of the rule.
    pub initial: (i32, i32, i32),
    /// How lives are reported.
    pub lives: Lives,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Game {
    /// Actions that the game accepts.
    pub fn legal(&self) -> Vec<Action> {
        ACTIONS.into_iter().filter(|action| self.is_legal(*action)).collect()
    }

    /// Whether the game accepts the action. A rejected action is replaced by NOOP.
    pub fn is_legal(&self, action: Action) -> bool {
        !(self.no_button && action.stick().fire)
    }

    /// Visible part of the picture on the game's own television.
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
