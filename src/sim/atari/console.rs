//! A console with a game, played frame by frame: resets, modes, paddles, sticky actions, rewards.
//!
//! A reset follows ALE: it switches the machine on, waits a second, holds RESET, selects the mode, holds RESET again, and
//! plays the game's starting actions. RAM is not cleared, so two resets differ.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::games::{EnvironmentWrapper, Game, ModeSelect, RamView, RomState};
use super::input::{Controller, Joystick};
use super::machine::{Machine, MachineState};
use super::recompiler::CodeCache;
use super::rom::Rom;
use super::start_states::{StartState, StartStates};
use super::tia::{MAX_ROWS, VisiblePicture, WIDTH};
use super::{palette, phosphor};
use envpool_rs_numeric::random::Mt19937;

/// Lowest resistance of a paddle, and its change per frame, in ohms. The start position is the middle between the lowest
/// and `paddle_max`.
const PADDLE_MIN: i32 = 27_450;
const PADDLE_STEP: i32 = 23_000;
/// Frames of NOOP after power-on, and frames for which RESET is held.
const POWER_ON_FRAMES: u32 = 60;
const RESET_FRAMES: u32 = 4;
/// Number of alternating frame buffers. A pixel that is not drawn shows its value of this number of frames ago.
const FRAME_BUFFERS: u32 = 2;
/// Held action after a reset.
const NO_HELD_ACTION: (Action, f32) = (Action::Noop, 1.0);
/// Attempts after which a mode counts as unreachable.
const MAX_SELECT_ATTEMPTS: u32 = 1_000;

/// Settings of a console.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Mode of the game. `None` selects the game's default.
    pub mode: Option<u16>,
    /// Difficulty of the game. `None` sets both switches to B, even if the game does not list that difficulty.
    pub difficulty: Option<u8>,
    /// Frames per action.
    pub frame_skip: u32,
    /// Probability that the last frame's action is repeated (sticky actions), 0 to 1.
    pub repeat_action_probability: f32,
    /// Seed of the generator for sticky actions.
    pub random_seed: u32,
    /// Frames of an episode after which it is truncated. `None` sets no limit.
    pub max_episode_frames: Option<u32>,
    /// Whether the program is compiled to machine code, if the host supports it. This affects speed only.
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
    /// Code cache of the program. `None` interprets it.
    code_cache: Option<Arc<CodeCache>>,
    progress: RomState,
    sticky: Mt19937,
    /// Action repeated by sticky actions, and its paddle strength.
    held: (Action, f32),
    /// Paddle strength of the next action.
    paddle_strength: f32,
    frames: u32,
    episode_frames: u32,
    /// Copy of the buffer before the last frame, if that frame was drawn into the same buffer.
    ///
    /// A frame that continues a partial frame does so.
    overdrawn: Vec<u8>,
    /// Whether the last shown frames replaced all pixels of earlier frames. If so, the next frames can be played hidden.
    replaces_all_pixels: bool,
    /// Shared start states of the cartridge. `None` after the first reset.
    start_states: Option<Arc<StartStates>>,
}

/// Result of [`Console::play`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayResult {
    /// Sum of the frames' rewards.
    pub reward: i32,
    /// Number of frames played.
    pub frames: u32,
}

/// State of a console without its frame buffers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ConsoleState {
    machine: MachineState,
    progress: RomState,
    sticky: Mt19937,
    held: (Action, f32),
    frames: u32,
    episode_frames: u32,
}

/// Complete state of a console.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    state: ConsoleState,
    /// Both frame buffers.
    #[serde(with = "super::run_length")]
    screen: [Vec<u8>; 2],
    overdrawn: Vec<u8>,
}

impl Console {
    /// Bytes of memory of a console, including both frame buffers.
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
        // Mode selection by actions draws random numbers for sticky actions, so its result cannot be shared.
        if matches!(game.select, ModeSelect::Own(_)) {
            console.load();
            return console;
        }
        let beginnings = rom.beginnings();
        if let Some(loaded) = beginnings.loaded.get() {
            console.load_start_state(loaded);
        } else {
            console.load();
            // Another console may have set it first; its value is the same.
            beginnings.loaded.set(console.start_state()).ok();
        }
        console.start_states = Some(beginnings);
        console
    }

    fn start_state(&self) -> StartState {
        let Self { machine, progress, frames, episode_frames, .. } = self;
        StartState { machine: machine.clone(), progress: progress.clone(), frames: *frames, episode_frames: *episode_frames }
    }

    fn load_start_state(&mut self, beginning: &StartState) {
        self.machine = beginning.machine.clone();
        self.progress = beginning.progress.clone();
        self.frames = beginning.frames;
        self.episode_frames = beginning.episode_frames;
    }

    fn load(&mut self) {
        self.set_television();
        self.first_reset();
    }

    /// Sets the visible part of the picture. ALE plays a second and counts lines; here the game's table has the result.
    fn set_television(&mut self) {
        self.machine.reset();
        for _ in 0..POWER_ON_FRAMES {
            self.play_frame();
        }
        self.machine.state.tia.set_picture(self.game.visible_picture());
        self.machine.reset();
    }

    /// Resets in the default mode, as ALE does while it loads a game. The RAM of later episodes depends on it.
    fn first_reset(&mut self) {
        let settings = self.settings.clone();
        self.settings.mode = None;
        self.settings.difficulty = None;
        self.play_reset();
        self.settings = settings;
    }

    /// Starts a new episode. Returns false if the mode of the settings could not be reached.
    pub fn reset(&mut self) -> bool {
        self.episode_frames = 0;
        let Some(beginnings) = self.start_states.take() else { return self.play_reset() };
        let Some(place) = beginnings.reset_cell(self.game, self.mode(), self.difficulty()) else { return self.play_reset() };
        if let Some(found) = place.get() {
            self.load_start_state(found);
            self.held = NO_HELD_ACTION;
            return true;
        }
        let reached = self.play_reset();
        if reached {
            place.set(self.start_state()).ok();
        }
        reached
    }

    fn play_reset(&mut self) -> bool {
        self.machine.state.input.difficulty = self.difficulty();
        self.machine.state.input.paddles = [PADDLE_MIN + (self.game.paddle_max - PADDLE_MIN) / 2; 2];
        self.machine.reset();
        self.emulate(Action::Noop, POWER_ON_FRAMES);
        self.soft_reset();
        self.progress = self.game.start(self.progress.setting);
        let reached = self.select_mode();
        self.soft_reset();
        for (action, times) in self.game.starting_actions {
            self.emulate(*action, *times);
        }
        reached
    }

    fn count_frame(&mut self) {
        self.frames = self.frames.wrapping_add(1);
        self.episode_frames = self.episode_frames.wrapping_add(1);
    }

    fn select_mode(&mut self) -> bool {
        let mode = i32::from(self.mode());
        match self.game.select {
            ModeSelect::Fixed => true,
            ModeSelect::Own(select) => select(self, mode),
            ModeSelect::Poll { first, hold, is_chosen } => {
                if first > 0 {
                    self.press_select(first);
                }
                for _ in 0..MAX_SELECT_ATTEMPTS {
                    if is_chosen(self.memory(), mode) {
                        return self.soft_reset();
                    }
                    self.press_select(hold);
                }
                false
            }
        }
    }

    /// Plays an action for `frame_skip` frames and returns the sum of their rewards.
    pub fn act(&mut self, action: Action) -> i32 {
        (0..self.settings.frame_skip).map(|_| self.one_step_act(action)).sum()
    }

    /// Plays an action for up to `frames` frames; stops after the frame in which the game ends.
    ///
    /// The caller may read only the pictures of the last `shown` of the `frames` frames, or of the last frames played if
    /// the game ends earlier. Frames before those may be left undrawn.
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

    /// Lets `frames` frames pass after the episode's end. Plays nothing, but draws the random numbers of sticky actions.
    pub fn skip_frames(&mut self, action: Action, frames: u32) {
        debug_assert!(self.is_over(), "the episode goes on");
        for _ in 0..frames {
            self.one_step_act(action);
        }
    }

    /// Sets the paddle strength of the next actions: 1 is the full step per frame.
    pub fn set_paddle_strength(&mut self, strength: f32) {
        self.paddle_strength = strength;
    }

    /// Plays without drawing the first `hidden` frames.
    ///
    /// Returns `None` if a later frame shows pixels of a hidden frame or if the game ends. The caller must then restore
    /// the state and replay.
    fn play_with_hidden_frames(&mut self, action: Action, frames: u32, hidden: u32) -> Option<PlayResult> {
        let mut played = PlayResult::default();
        self.machine.screen.provisional = true;
        while played.frames < frames {
            self.machine.screen.hidden = played.frames < hidden;
            played.reward += self.one_step_act(action);
            played.frames += 1;
            self.replaces_all_pixels &= self.is_whole(played.frames > hidden);
            if !self.replaces_all_pixels || self.is_over() {
                self.machine.screen.undo_swaps(played.frames);
                (self.machine.screen.hidden, self.machine.screen.provisional) = (false, false);
                return None;
            }
        }
        self.machine.screen.provisional = false;
        Some(played)
    }

    /// Whether the program ended the last frame and, if `is_shown`, the frame replaced all pixels of earlier frames.
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
        // ALE draws a random number for the second player, too, who has no action here.
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

    /// The game of the cartridge.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// Mode being played.
    pub fn mode(&self) -> u16 {
        self.settings.mode.unwrap_or(self.game.modes[0])
    }

    /// Difficulty being played.
    pub fn difficulty(&self) -> u8 {
        self.settings.difficulty.unwrap_or(0)
    }

    /// The console's RAM.
    pub fn ram(&self) -> &[u8; 128] {
        &self.machine.state.riot.ram
    }

    /// Lives left.
    pub fn lives(&self) -> i32 {
        self.game.lives(&self.progress)
    }

    /// Whether the game has ended. No more frames are played before the next reset.
    pub fn game_over(&self) -> bool {
        self.progress.ended
    }

    /// Whether the episode has reached its limit of frames.
    pub fn is_truncated(&self) -> bool {
        self.settings.max_episode_frames.is_some_and(|most| self.episode_frames >= most)
    }

    /// Whether the episode is over (game over or truncated). No more frames are played before the next reset.
    pub fn is_over(&self) -> bool {
        self.progress.ended || self.is_truncated()
    }

    /// Frames played since the last reset began. The reset's own frames count only while it selects a mode.
    pub fn episode_frames(&self) -> u32 {
        self.episode_frames
    }

    /// Frames played since the console was created, counted as in [`Self::episode_frames`].
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Visible part of the picture.
    pub fn picture(&self) -> VisiblePicture {
        self.machine.state.tia.picture()
    }

    /// Pixels of the screen as colour numbers: 160 for each of `picture().rows` rows.
    pub fn screen(&self) -> &[u8] {
        &self.machine.screen.pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// Pixels of the frame before that of [`screen`](Self::screen), in the same format.
    pub fn previous_screen(&self) -> &[u8] {
        if !self.overdrawn.is_empty() {
            return &self.overdrawn;
        }
        &self.machine.screen.previous_pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// Writes the [phosphor blend](phosphor) of the last two frames, as colour numbers.
    ///
    /// Both frames must have been drawn (see [`Self::play`]).
    pub fn screen_averaged(&self, out: &mut [u8]) {
        let blend = phosphor::blend(self.picture().pal);
        // Uses the other frame buffer, even if the last frame continued in the buffer of the frame before.
        let previous = self.machine.screen.previous_pixels();
        for ((one, other), out) in self.screen().iter().zip(previous).zip(out) {
            *out = blend[usize::from(*one)][usize::from(*other)];
        }
    }

    /// Writes the screen as red, green and blue bytes.
    pub fn screen_rgb(&self, out: &mut [u8]) {
        let palette = palette::rgb(self.picture().pal);
        for (pixel, out) in self.screen().iter().zip(out.chunks_exact_mut(3)) {
            out.copy_from_slice(&palette[usize::from(*pixel)]);
        }
    }

    /// Writes the screen as grayscale bytes.
    pub fn screen_gray(&self, out: &mut [u8]) {
        let palette = palette::gray(self.picture().pal);
        for (pixel, out) in self.screen().iter().zip(out) {
            *out = palette[usize::from(*pixel)];
        }
    }

    /// Returns a snapshot of the complete state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state(),
            screen: self.machine.screen.save(usize::from(self.picture().rows)),
            overdrawn: self.overdrawn.clone(),
        }
    }

    /// Restores a snapshot of a console with the same cartridge. Returns false, and changes nothing, if it does not fit.
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

/// Returns a paddle's resistance after one frame: left increases it, right decreases it.
fn move_paddle(resistance: i32, stick: Joystick, strength: f32, most: i32) -> i32 {
    let direction = i32::from(stick.left) - i32::from(stick.right);
    let step = ((PADDLE_STEP as f32 * strength.abs()) as i32).saturating_mul(direction);
    resistance.saturating_add(step).clamp(PADDLE_MIN, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;
    use crate::testing::any_game;
    use envpool_rs_numeric::random::Generator;

    /// Returns a cartridge of random bytes, whose programs reach all kinds of instructions and accesses.
    fn noise(game: &'static Game, seed: u64) -> Arc<Rom> {
        let mut random = Generator::new(seed);
        let image: Vec<u8> = (0..game.size).map(|_| random.integers(0, 256) as u8).collect();
        Arc::new(Rom::with_unchecked_image(game, &image))
    }

    #[test]
    fn noise_is_played_without_panic_or_endless_loop() {
        for (seed, game) in GAMES.iter().enumerate().step_by(4) {
            let mut console = Console::new(&noise(game, seed as u64), Settings { mode: None, ..Settings::default() });
            (0..50).for_each(|frame| {
                console.act(Action::from_number(frame % 18).unwrap_or_default());
            });
        }
    }

    #[test]
    fn a_snapshot_goes_on_as_the_console_would_have() {
        let settings = Settings { repeat_action_probability: 0.25, random_seed: 7, ..Settings::default() };
        let mut console = Console::new(&noise(any_game(), 3), settings);
        (0..20).for_each(|_| {
            console.act(Action::Fire);
        });
        let snapshot = console.snapshot();
        let bytes = postcard::to_allocvec(&snapshot).expect("encoded");
        let go_on = |console: &mut Console| -> Vec<u8> {
            (0..30)
                .flat_map(|i| {
                    [console.act(Action::from_number(i % 18).unwrap_or_default()) as u8, console.ram()[5], console.screen()[999]]
                })
                .collect()
        };
        let expected = (go_on(&mut console), *console.ram(), console.screen().to_vec());
        assert!(console.restore(&postcard::from_bytes(&bytes).expect("decoded")));
        assert_eq!((go_on(&mut console), *console.ram(), console.screen().to_vec()), expected);
    }

    #[test]
    fn an_episode_ends_at_its_limit_of_frames_and_chance_goes_on_beyond_it() {
        let settings = Settings { max_episode_frames: Some(3), random_seed: 7, ..Settings::default() };
        let mut console = Console::new(&noise(Game::named("assault").expect("assault"), 3), settings);
        console.progress.ended = false;
        assert_eq!(console.play(Action::Noop, 8, 1).frames, 3);
        assert!(console.is_truncated() && console.is_over());
        assert_eq!(console.play(Action::Noop, 8, 1), PlayResult::default());
        console.skip_frames(Action::Noop, 5);
        let mut chance = Mt19937::init_genrand(7);
        (0..2 * 8).for_each(|_| _ = chance.next_u32());
        assert_eq!((console.next_random(), console.frames()), (chance.next_u32(), 3));
    }

    #[test]
    fn a_picture_that_the_next_frame_goes_on_in_is_kept() {
        // A program that never writes: every frame is partial and continues in its own frame buffer.
        let image = [0x4c, 0x00, 0xf0].into_iter().cycle().take(0x1000).collect::<Vec<u8>>();
        let mut console = Console::new(&Rom::with_unchecked_image(any_game(), &image), Settings::default());
        console.act(Action::Noop);
        let before = console.screen().to_vec();
        console.act(Action::Noop);
        assert_eq!(console.previous_screen(), before);
        let mut other = Console::new(&Rom::with_unchecked_image(any_game(), &image), Settings::default());
        assert!(other.restore(&console.snapshot()));
        assert_eq!(other.previous_screen(), before);
    }

    #[test]
    fn a_weaker_turn_moves_paddles_less() {
        let left = Action::Left.stick();
        assert_eq!(move_paddle(100_000, left, 0.25, 790_196), 105_750);
        assert_eq!(move_paddle(100_000, left, -1e30, 790_196), 790_196);
    }

    #[test]
    fn paddles_stop_at_their_ends() {
        let left = Action::Left.stick();
        assert_eq!(move_paddle(790_000, left, 1.0, 790_196), 790_196);
        assert_eq!(move_paddle(30_000, Action::DownRightFire.stick(), 1.0, 790_196), PADDLE_MIN);
    }

    #[test]
    fn every_game_has_a_name_a_digest_a_mode_and_an_action_of_its_own() {
        assert!(GAMES.is_sorted_by(|one, next| one.name < next.name));
        for game in &GAMES {
            assert_eq!(Game::with_digest(game.md5).map(|found| found.name), Some(game.name));
            assert!(!game.modes.is_empty() && !game.difficulties.is_empty());
            assert!(game.minimal.iter().all(|action| game.is_legal(*action)), "{}", game.name);
        }
    }

    #[test]
    fn an_image_that_is_not_the_games_is_refused_with_both_digests() {
        let error = Rom::of_game(any_game(), "pong.bin", &[0; 2048]).expect_err("not pong").to_string();
        assert!(error.contains("pong.bin") && error.contains(&format!("{:032x}", any_game().md5)), "{error}");
    }
}
