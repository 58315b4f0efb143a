//! Selects the modes of games for which holding SELECT until a byte of RAM has a value is not enough.
//!
//! Each function gets the console and the mode, and leaves the console in a state from which a reset starts the mode. Each
//! function returns false if the mode cannot be selected. Every loop that waits for a value in RAM has a limit of attempts,
//! because with a damaged image, the loop would not end.

use crate::action::Action;
use crate::games::rules::RamView;

/// Operations of the console that functions for mode selection use.
pub trait EnvironmentWrapper {
    /// Returns the RAM that the game's rule reads.
    fn memory(&self) -> RamView<'_>;
    /// Draws a random 32-bit word from the generator of sticky actions.
    fn next_random(&mut self) -> u32;
    /// Plays an action for `frame_skip` frames.
    fn act(&mut self, action: Action);
    /// Holds SELECT for `frames` frames and releases it for one frame. Only the frame in which SELECT is released counts as
    /// played.
    fn press_select(&mut self, frames: u32);
    /// Holds RESET, and sets the action that sticky actions repeat to NOOP. Always returns true, so that functions for mode
    /// selection can return the result of this call.
    fn soft_reset(&mut self) -> bool;
    /// Sets the parameter of the game's rule (`RomState::setting`).
    fn set_game_setting(&mut self, setting: i32);
}

/// Maximum number of SELECT presses before a mode counts as unreachable. `MAX_JOYSTICK_MOVES` is the maximum number of joystick
/// moves.
const MAX_SELECT_PRESSES: u32 = 1_000;
const MAX_JOYSTICK_MOVES: u32 = 2_000;
/// Maximum number of SELECT presses in Adventure; each holds SELECT for up to 257 frames. About one press in three selects the
/// wanted mode.
const MAX_LONG_SELECT_PRESSES: u32 = 100;

/// Calls the function `round` until it returns true, at most `rounds` times. Returns whether a call returned true.
fn retry(rounds: u32, mut round: impl FnMut() -> bool) -> bool {
    (0..rounds).any(|_| round())
}

/// Selects a mode of Adventure: holds SELECT for a random number of frames until the mode is selected, because the game changes
/// modes too fast for a fixed number. Returns whether the mode was selected.
pub(super) fn adventure(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    let reached = retry(MAX_LONG_SELECT_PRESSES, || {
        if console.memory().byte(0xdd) >> 1 & 3 == mode {
            return true;
        }
        let frames = 2 + console.next_random() % 256;
        console.press_select(frames);
        console.act(Action::Noop);
        false
    });
    reached && console.soft_reset()
}

pub(super) fn berzerk(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    for _ in 0..20 {
        console.act(Action::Noop);
    }
    poll(console, 2, |memory| memory.byte(0x80) == mode)
}

/// Presses SELECT until `is_chosen` returns true, which means that the mode is selected, then holds RESET. Returns whether the
/// mode was selected.
fn poll(console: &mut dyn EnvironmentWrapper, hold: u32, is_chosen: impl Fn(RamView<'_>) -> bool) -> bool {
    let reached = retry(MAX_SELECT_PRESSES, || {
        let chosen = is_chosen(console.memory());
        if !chosen {
            console.press_select(hold);
        }
        chosen
    });
    reached && console.soft_reset()
}

pub(super) fn gopher(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    console.soft_reset();
    poll(console, 5, |memory| memory.byte(0xd3) == mode)
}

/// Selects a mode of Video Checkers: checkers (modes below 11) or reverse checkers. Passes the kind of game to the rule that
/// computes rewards. Returns whether the mode was selected.
pub(super) fn video_checkers(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    let reverse = mode >= 11;
    console.set_game_setting(i32::from(reverse));
    let shown = if reverse { mode + 6 } else { mode };
    poll(console, 1, |memory| memory.byte(0xf6) == shown)
}

/// Selects a mode of Video Cube. The mode's hundreds are the number of the cube, which the joystick selects. The mode's
/// remainder is the cube's view, which SELECT selects. Returns whether the mode was selected.
pub(super) fn video_cube(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    let cube = (mode / 100).max(1);
    let shown = [0, 2, 8][(mode % 100) as usize % 3];
    if !poll(console, 2, |memory| memory.byte(0xfb) & 0x1f == shown) {
        return false;
    }
    retry(MAX_JOYSTICK_MOVES, || {
        let chosen = console.memory().decimal([0x9f]) == cube;
        if !chosen {
            console.act(Action::Right);
        }
        chosen
    })
}

/// Selects four menu options of Double Dunk, one per bit of the mode. Returns whether all were selected.
pub(super) fn double_dunk(console: &mut dyn EnvironmentWrapper, mode: i32) -> bool {
    console.press_select(1);
    let mut reached = go_down(console);
    for (wanted, option) in [(1, 0x08), (2, 0x10), (4, 0x04), (8, 0x20)] {
        reached = reached && go_down(console) && set_option(console, option, mode & wanted != 0);
    }
    reached = reached && console.soft_reset();
    console.act(Action::UpFire);
    console.act(Action::Noop);
    reached
}

fn go_down(console: &mut dyn EnvironmentWrapper) -> bool {
    let line = console.memory().byte(0xb0);
    retry(MAX_JOYSTICK_MOVES, || {
        let moved = console.memory().byte(0xb0) != line;
        if !moved {
            console.act(Action::Down);
            console.act(Action::Noop);
        }
        moved
    })
}

fn set_option(console: &mut dyn EnvironmentWrapper, option: i32, on: bool) -> bool {
    retry(MAX_JOYSTICK_MOVES, || {
        let set = (console.memory().byte(0x80) & option != 0) == on;
        if !set {
            console.act(if on { Action::Right } else { Action::Left });
            console.act(Action::Noop);
        }
        set
    })
}
