//! What is known of a game.

use super::rules::{Memory, Progress};
use super::select::Panel;
use crate::action::{ACTIONS, Action};
use crate::input::Controller;
use crate::scheme::Scheme;
use crate::tia::Picture;

/// Rows that are shown of a European picture.
const EUROPEAN_ROWS: u16 = 250;

/// How lives are told.
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

/// How a mode is chosen.
#[derive(Clone, Copy)]
pub enum Select {
    /// There is only one.
    Fixed,
    /// SELECT is held for so many frames, over and over, until memory shows the mode.
    Poll {
        /// Frames to hold SELECT once beforehand.
        first: u32,
        /// Frames to hold it each time.
        hold: u32,
        /// Whether the mode is chosen.
        is_chosen: fn(Memory<'_>, i32) -> bool,
    },
    /// In its own way. False if the mode cannot be reached.
    Own(fn(&mut dyn Panel, i32) -> bool),
}

/// A game: its cartridge, its controllers, its rule.
pub struct Game {
    /// In snake_case.
    pub name: &'static str,
    /// MD5 digest of the cartridge's memory.
    pub md5: u128,
    /// How the cartridge maps its memory.
    pub scheme: Scheme,
    /// Bytes of the cartridge's memory.
    pub size: usize,
    /// What of the picture is shown on an American television.
    pub picture: Picture,
    /// Whether it is made for European televisions.
    pub european: bool,
    /// What is plugged in.
    pub controller: Controller,
    /// Whether the first player sits at the right port.
    pub swapped_ports: bool,
    /// Whether the first player holds the second paddle.
    pub swapped_paddles: bool,
    /// Whether the right port has paddles too.
    pub right_paddles: bool,
    /// The most that a paddle is turned, in ohms.
    pub paddle_max: i32,
    /// Modes, the first one the default.
    pub modes: &'static [u16],
    /// How they are chosen.
    pub select: Select,
    /// Difficulties that make a difference.
    pub difficulties: &'static [u8],
    /// The actions that make a difference.
    pub minimal: &'static [Action],
    /// Whether actions with the button pressed are nothing.
    pub no_button: bool,
    /// What has to be done to start, and how often.
    pub starts: &'static [(Action, u32)],
    /// What a frame was worth.
    pub rule: fn(&mut Progress, Memory<'_>),
    /// Score, lives and first memory that the rule starts with.
    pub initial: (i32, i32, i32),
    /// How lives are told.
    pub lives: Lives,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Game {
    /// All actions that the game takes.
    pub fn legal(&self) -> Vec<Action> {
        ACTIONS.into_iter().filter(|action| self.is_legal(*action)).collect()
    }

    /// Whether the action is not the same as doing nothing.
    pub fn is_legal(&self, action: Action) -> bool {
        !(self.no_button && action.stick().fire)
    }

    /// What of the picture is shown.
    pub fn shown(&self) -> Picture {
        match self.european {
            true => Picture { rows: EUROPEAN_ROWS, pal: true, ..self.picture },
            false => self.picture,
        }
    }

    pub(crate) fn start(&self, setting: i32) -> Progress {
        let (score, lives, first) = self.initial;
        Progress { score, lives, memory: [first, 0, 0, 0, 0, 0], setting, ..Progress::default() }
    }

    pub(crate) fn lives(&self, progress: &Progress) -> i32 {
        match self.lives {
            Lives::Counted if progress.ended => 0,
            Lives::Counted | Lives::CountedAlways => progress.lives,
            Lives::OneUntilEnd => i32::from(!progress.ended),
            Lives::One => 1,
            Lives::None => 0,
        }
    }
}
