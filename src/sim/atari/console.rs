//! Plays a cartridge's game on a console, frame by frame: resets, modes, paddles, sticky actions, rewards.
//!
//! A reset follows ALE: it switches the machine on, waits a second, holds the RESET switch, selects the game mode, holds RESET
//! again, and plays the game's starting actions. A reset does not clear RAM, so the state after a reset depends on the state
//! before it.

mod queries;
mod reset;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::games::{EnvironmentWrapper, Game, ModeSelect, RamView, RomState};
use super::input::{Controller, Joystick};
use super::machine::{Machine, MachineState};
use super::recompiler::CodeCache;
use super::rom::Rom;
use super::start_states::StartStates;
use super::tia::{MAX_ROWS, WIDTH};
use envpool_rs_numeric::random::Mt19937;

/// Lowest resistance of a paddle in ohms. `PADDLE_STEP` is the maximum change of the resistance per frame. The initial
/// resistance is the mean of the lowest resistance and the game's `paddle_max`.
const PADDLE_MIN: i32 = 27_450;
const PADDLE_STEP: i32 = 23_000;
/// Number of frames for which NOOP is played after power-on. `RESET_FRAMES` is the number of frames for which RESET is held.
const POWER_ON_FRAMES: u32 = 60;
const RESET_FRAMES: u32 = 4;
/// Number of frame buffers, used in turn: a pixel that a frame does not draw has its value of this number of frames earlier.
const FRAME_BUFFERS: u32 = 2;
/// Initial value of the field `held` after a reset: the action that sticky actions repeat, and its paddle strength (1 is the
/// full change of resistance per frame).
const NO_HELD_ACTION: (Action, f32) = (Action::Noop, 1.0);
/// Number of attempts to select a game mode after which the mode counts as unreachable.
const MAX_SELECT_ATTEMPTS: u32 = 1_000;

/// Settings of a console.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Number of the game mode. `None` selects the game's default.
    pub mode: Option<u16>,
    /// Difficulty of the game. `None` sets both difficulty switches to B, even if the game does not list this difficulty.
    pub difficulty: Option<u8>,
    /// Number of frames for which an action is played.
    pub frame_skip: u32,
    /// Probability from 0 to 1 that the last frame's action is repeated (sticky actions).
    pub repeat_action_probability: f32,
    /// Seed of the generator for sticky actions.
    pub random_seed: u32,
    /// Number of frames after which an episode is truncated. `None` sets no limit.
    pub max_episode_frames: Option<u32>,
    /// Whether the cartridge's program is compiled to machine code, if the host supports this. The setting affects only the
    /// speed.
    pub translate: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: None,
            difficulty: None,
            frame_skip: 1,
            repeat_action_probability: 0.0,
            random_seed: 0,
            max_episode_frames: None,
            translate: true,
        }
    }
}

/// Atari 2600 with a cartridge, its game's rules and two frame buffers.
#[derive(Clone, Debug)]
pub struct Console {
    game: &'static Game,
    settings: Settings,
    machine: Machine,
    /// Compiled machine code of the cartridge's program; `None` if the program is interpreted.
    code_cache: Option<Arc<CodeCache>>,
    progress: RomState,
    sticky: Mt19937,
    /// Action of the last frame, which sticky actions repeat, and its paddle strength (see the field `paddle_strength`).
    held: (Action, f32),
    /// Paddle strength of the next action: the change of a paddle's resistance per frame, as a fraction of the maximum change.
    paddle_strength: f32,
    frames: u32,
    episode_frames: u32,
    /// Copy of the frame buffer before the last frame, if that frame was drawn into the same buffer.
    ///
    /// A frame is drawn into the previous frame's buffer if it continues a partial frame.
    overdrawn: Vec<u8>,
    /// Whether the last drawn frames replaced all pixels of earlier frames. If so, frames whose pictures the caller does not
    /// need can be played without drawing.
    replaces_all_pixels: bool,
    /// Start states that all consoles of the cartridge share. `None` after the first reset.
    start_states: Option<Arc<StartStates>>,
}

/// Result of [`Console::play`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayResult {
    /// Sum of the rewards of all frames that were played.
    pub reward: i32,
    /// Number of frames that were played.
    pub frames: u32,
}

/// State of a console for snapshots, without its frame buffers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ConsoleState {
    machine: MachineState,
    progress: RomState,
    sticky: Mt19937,
    held: (Action, f32),
    frames: u32,
    episode_frames: u32,
}

/// Snapshot of a console, which contains its complete state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    state: ConsoleState,
    /// Pixels of both frame buffers.
    #[serde(with = "super::run_length")]
    screen: [Vec<u8>; 2],
    overdrawn: Vec<u8>,
}

impl Console {
    /// Number of bytes of memory of a console, including both frame buffers.
    pub const BYTES: usize = size_of::<Self>() + 2 * WIDTH * MAX_ROWS;

    /// Returns a console with the cartridge. Call [`reset`](Self::reset) before playing.
    pub fn new(rom: &Rom, settings: Settings) -> Self {
        let game = rom.game();
        let mut console = Self {
            game,
            machine: rom.machine(),
            code_cache: if settings.translate { rom.code_cache() } else { None },
            progress: game.start(0),
            sticky: Mt19937::init_genrand(settings.random_seed),
            settings,
            held: NO_HELD_ACTION,
            paddle_strength: 1.0,
            frames: 0,
            episode_frames: 0,
            overdrawn: Vec::new(),
            replaces_all_pixels: true,
            start_states: None,
        };
        // If the game selects its mode by actions, the selection draws random numbers for sticky actions, so the start state
        // cannot be shared.
        if matches!(game.select, ModeSelect::Own(_)) {
            console.load();
            return console;
        }
        let beginnings = rom.beginnings();
        if let Some(loaded) = beginnings.loaded.get() {
            console.load_start_state(loaded);
        } else {
            console.load();
            // Another console may have set the shared start state first. That state equals this console's state, so the error
            // is ignored.
            beginnings.loaded.set(console.start_state()).ok();
        }
        console.start_states = Some(beginnings);
        console
    }

    /// Plays an action for `frame_skip` frames and returns the sum of their rewards.
    pub fn act(&mut self, action: Action) -> i32 {
        (0..self.settings.frame_skip).map(|_| self.one_step_act(action)).sum()
    }

    /// Plays an action for up to `frames` frames; stops after the frame in which the game ends.
    ///
    /// Only the pictures of the last `shown` of the `frames` frames are drawn; the caller must not read earlier pictures. If
    /// the game ends earlier, the pictures of the last frames that were played are drawn.
    pub fn play(&mut self, action: Action, frames: u32, shown: u32) -> PlayResult {
        if self.is_over() {
            return PlayResult::default();
        }
        let hidden = frames.saturating_sub(shown.max(FRAME_BUFFERS));
        if hidden > 0 && self.replaces_all_pixels && !self.machine.state.tia.is_partial() {
            let before = self.state();
            if let Some(played) = self.play_with_hidden_frames(action, frames, hidden) {
                return played;
            }
            self.restore_state(before);
        }
        self.play_with_all_frames(action, frames)
    }

    fn play_with_all_frames(&mut self, action: Action, frames: u32) -> PlayResult {
        let mut played = PlayResult::default();
        self.replaces_all_pixels = true;
        while played.frames < frames && !self.is_over() {
            played.reward += self.one_step_act(action);
            played.frames += 1;
            self.replaces_all_pixels &= self.is_whole(played.frames + FRAME_BUFFERS > frames);
        }
        played
    }

    /// Advances the console by `frames` frames after the end of the episode. The frames are not played; only their random
    /// numbers for sticky actions are drawn.
    pub fn skip_frames(&mut self, action: Action, frames: u32) {
        debug_assert!(self.is_over(), "the episode goes on");
        for _ in 0..frames {
            self.one_step_act(action);
        }
    }

    /// Sets the paddle strength of the next actions: the change of a paddle's resistance per frame, as a fraction of at most 1
    /// of the maximum change.
    pub fn set_paddle_strength(&mut self, strength: f32) {
        self.paddle_strength = strength;
    }

    /// Plays `frames` frames, and skips drawing in the first `hidden` of them.
    ///
    /// Returns `None` if a later frame contains pixels that a hidden frame should have drawn, or if the game ends. The caller
    /// must then restore the state and play the frames again.
    fn play_with_hidden_frames(&mut self, action: Action, frames: u32, hidden: u32) -> Option<PlayResult> {
        let mut played = PlayResult::default();
        self.machine.screen.provisional = true;
        while played.frames < frames {
            self.machine.screen.hidden = played.frames < hidden;
            played.reward += self.one_step_act(action);
            played.frames += 1;
            self.replaces_all_pixels &= self.is_whole(played.frames > hidden);
            if !self.replaces_all_pixels || self.is_over() || self.machine.state.tia.has_read_unknown() {
                return self.undo_frames(played.frames);
            }
        }
        let unknown = self.machine.state.tia.unknown_collisions();
        if unknown != 0 {
            self.machine.screen.unread_collisions &= !unknown;
            return self.undo_frames(played.frames);
        }
        self.machine.screen.provisional = false;
        Some(played)
    }

    /// Undoes the effects of `frames` frames on the frame buffers; the caller restores all other state.
    fn undo_frames(&mut self, frames: u32) -> Option<PlayResult> {
        let screen = &mut self.machine.screen;
        screen.undo_swaps(frames);
        (screen.hidden, screen.provisional) = (false, false);
        None
    }

    /// Returns whether the last frame is complete: the program itself ended it, and, if `is_shown` is set, it replaced all
    /// pixels of earlier frames.
    fn is_whole(&self, is_shown: bool) -> bool {
        let tia = &self.machine.state.tia;
        !tia.is_partial() && (!is_shown || tia.replaces_all_pixels())
    }

    fn state(&self) -> ConsoleState {
        ConsoleState {
            machine: self.machine.state.clone(),
            progress: self.progress.clone(),
            sticky: self.sticky.clone(),
            held: self.held,
            frames: self.frames,
            episode_frames: self.episode_frames,
        }
    }

    fn restore_state(&mut self, moment: ConsoleState) {
        self.machine.state = moment.machine;
        self.progress = moment.progress;
        self.sticky = moment.sticky;
        self.held = moment.held;
        self.frames = moment.frames;
        self.episode_frames = moment.episode_frames;
    }

    /// Plays one frame and returns its reward.
    fn one_step_act(&mut self, action: Action) -> i32 {
        let goes_on = f64::from(self.settings.repeat_action_probability);
        if self.random_unit() >= goes_on {
            self.held = (action, self.paddle_strength);
        }
        // ALE also draws a random number for the second player, who plays no action here.
        self.random_unit();
        if self.is_over() {
            return 0;
        }
        self.save_overdrawn_frame();
        let (held, strength) = self.held;
        let action = if self.game.is_legal(held) { held } else { Action::Noop };
        self.emulate_with(action, strength, 1);
        self.count_frame();
        self.progress.reward
    }

    fn save_overdrawn_frame(&mut self) {
        self.overdrawn.clear();
        if self.machine.state.tia.is_partial() {
            let pixels = usize::from(self.picture().rows) * WIDTH;
            self.overdrawn.extend_from_slice(&self.machine.screen.pixels()[..pixels]);
        }
    }

    fn random_unit(&mut self) -> f64 {
        f64::from(self.next_random()) / 4_294_967_296.0
    }

    fn emulate(&mut self, action: Action, frames: u32) {
        self.emulate_with(action, 1.0, frames);
    }

    fn emulate_with(&mut self, action: Action, strength: f32, frames: u32) {
        for _ in 0..frames {
            self.hold(action, strength);
            self.play_frame();
            let memory = RamView { ram: &self.machine.state.riot.ram, cartridge: self.machine.state.cartridge.ram() };
            (self.game.rule)(&mut self.progress, memory);
        }
    }

    fn play_frame(&mut self) {
        match &self.code_cache {
            Some(translations) => translations.play_frame(&mut self.machine),
            None => self.machine.play_frame(),
        }
    }

    fn hold(&mut self, action: Action, strength: f32) {
        let input = &mut self.machine.state.input;
        let stick = action.stick();
        input.reset = action == Action::Reset;
        input.select = action == Action::Select;
        input.sticks[0] = stick;
        if self.game.controller == Controller::Paddles {
            input.paddles[0] = move_paddle(input.paddles[0], stick, strength, self.game.paddle_max);
        }
    }

    /// Returns a snapshot of the console's complete state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state(),
            screen: self.machine.screen.save(usize::from(self.picture().rows)),
            overdrawn: self.overdrawn.clone(),
        }
    }

    /// Restores a snapshot of a console with the same cartridge. If the snapshot does not fit this console, returns false and
    /// changes nothing.
    pub fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let (own, other) = (&self.machine.state, &snapshot.state.machine);
        let is_ours = own.tia.picture() == other.tia.picture()
            && own.cartridge.is_compatible(&other.cartridge)
            && own.input.is_compatible(&other.input);
        let pixels = usize::from(self.picture().rows) * WIDTH;
        let fits = snapshot.overdrawn.is_empty() || snapshot.overdrawn.len() == pixels;
        if !is_ours || !fits || !other.tia.is_valid() || !other.riot.is_valid() {
            return false;
        }
        self.restore_state(snapshot.state.clone());
        self.overdrawn.clone_from(&snapshot.overdrawn);
        self.start_states = None;
        self.machine.screen.restore(&snapshot.screen);
        true
    }
}

impl EnvironmentWrapper for Console {
    fn memory(&self) -> RamView<'_> {
        RamView { ram: &self.machine.state.riot.ram, cartridge: self.machine.state.cartridge.ram() }
    }

    fn next_random(&mut self) -> u32 {
        self.sticky.next_u32()
    }

    fn act(&mut self, action: Action) {
        Self::act(self, action);
    }

    fn press_select(&mut self, frames: u32) {
        self.emulate(Action::Select, frames);
        self.emulate(Action::Noop, 1);
        self.count_frame();
    }

    fn soft_reset(&mut self) -> bool {
        self.held = NO_HELD_ACTION;
        self.emulate(Action::Reset, RESET_FRAMES);
        true
    }

    fn set_game_setting(&mut self, setting: i32) {
        self.progress.setting = setting;
    }
}

/// Returns a paddle's resistance after one frame: pushing the joystick left increases the resistance, and pushing it right
/// decreases it.
fn move_paddle(resistance: i32, stick: Joystick, strength: f32, most: i32) -> i32 {
    let direction = i32::from(stick.left) - i32::from(stick.right);
    let step = ((PADDLE_STEP as f32 * strength.abs()) as i32).saturating_mul(direction);
    resistance.saturating_add(step).clamp(PADDLE_MIN, most)
}

#[cfg(test)]
mod tests;
