//! A console with a game, played frame by frame: resets, modes, paddles, sticky actions, rewards.
//!
//! A reset follows ALE: it switches the machine on, waits a second, holds RESET, selects the mode, holds RESET again, and
//! plays the game's starting actions. RAM is not cleared, so two resets differ.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::beginnings::{Beginning, Beginnings};
use super::games::{Game, Memory, Panel, Progress, Select};
use super::input::{Controller, Stick};
use super::machine::{Machine, State};
use super::rom::Rom;
use super::tia::{MOST_ROWS, Picture, WIDTH};
use super::translate::Translations;
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
const PICTURES: u32 = 2;
/// Held action after a reset.
const LET_GO: (Action, f32) = (Action::Noop, 1.0);
/// Attempts after which a mode counts as unreachable.
const PATIENCE: u32 = 1_000;

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
    translations: Option<Arc<Translations>>,
    progress: Progress,
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
    covers: bool,
    /// Shared start states of the cartridge. `None` after the first reset.
    beginnings: Option<Arc<Beginnings>>,
}

/// Result of [`Console::play`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Sum of the frames' rewards.
    pub reward: i32,
    /// Number of frames played.
    pub frames: u32,
}

/// State of a console without its frame buffers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Moment {
    machine: State,
    progress: Progress,
    sticky: Mt19937,
    held: (Action, f32),
    frames: u32,
    episode_frames: u32,
}

/// Complete state of a console.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    moment: Moment,
    /// Both frame buffers.
    #[serde(with = "super::runs")]
    screen: [Vec<u8>; 2],
    overdrawn: Vec<u8>,
}

impl Console {
    /// Bytes of memory of a console, including both frame buffers.
    pub const BYTES: usize = size_of::<Self>() + 2 * WIDTH * MOST_ROWS;

    /// Returns a console with the cartridge. Call [`reset`](Self::reset) before playing.
    pub fn new(rom: &Rom, settings: Settings) -> Self {
        let game = rom.game();
        let mut console = Self {
            game,
            machine: rom.machine(),
            translations: if settings.translate { rom.translations() } else { None },
            progress: game.start(0),
            sticky: Mt19937::init_genrand(settings.random_seed),
            settings,
            held: LET_GO,
            paddle_strength: 1.0,
            frames: 0,
            episode_frames: 0,
            overdrawn: Vec::new(),
            covers: true,
            beginnings: None,
        };
        // Mode selection by actions draws random numbers for sticky actions, so its result cannot be shared.
        if matches!(game.select, Select::Own(_)) {
            console.load();
            return console;
        }
        let beginnings = rom.beginnings();
        if let Some(loaded) = beginnings.loaded.get() {
            console.begin(loaded);
        } else {
            console.load();
            // Another console may have set it first; its value is the same.
            beginnings.loaded.set(console.beginning()).ok();
        }
        console.beginnings = Some(beginnings);
        console
    }

    fn beginning(&self) -> Beginning {
        let Self { machine, progress, frames, episode_frames, .. } = self;
        Beginning { machine: machine.clone(), progress: progress.clone(), frames: *frames, episode_frames: *episode_frames }
    }

    fn begin(&mut self, beginning: &Beginning) {
        self.machine = beginning.machine.clone();
        self.progress = beginning.progress.clone();
        self.frames = beginning.frames;
        self.episode_frames = beginning.episode_frames;
    }

    fn load(&mut self) {
        self.choose_television();
        self.first_reset();
    }

    /// Sets the visible part of the picture. ALE plays a second and counts lines; here the game's table has the result.
    fn choose_television(&mut self) {
        self.machine.reset();
        for _ in 0..POWER_ON_FRAMES {
            self.play_frame();
        }
        self.machine.state.tia.set_picture(self.game.shown());
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
        let Some(beginnings) = self.beginnings.take() else { return self.play_reset() };
        let Some(place) = beginnings.of_reset(self.game, self.mode(), self.difficulty()) else { return self.play_reset() };
        if let Some(found) = place.get() {
            self.begin(found);
            self.held = LET_GO;
            return true;
        }
        let reached = self.play_reset();
        if reached {
            place.set(self.beginning()).ok();
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
        for (action, times) in self.game.starts {
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
            Select::Fixed => true,
            Select::Own(select) => select(self, mode),
            Select::Poll { first, hold, is_chosen } => {
                if first > 0 {
                    self.press_select(first);
                }
                for _ in 0..PATIENCE {
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
        (0..self.settings.frame_skip).map(|_| self.act_once(action)).sum()
    }

    /// Plays an action for up to `frames` frames; stops after the frame in which the game ends.
    ///
    /// The caller may read only the pictures of the last `shown` of the `frames` frames, or of the last frames played if
    /// the game ends earlier. Frames before those may be left undrawn.
    pub fn play(&mut self, action: Action, frames: u32, shown: u32) -> Played {
        if self.is_over() {
            return Played::default();
        }
        let hidden = frames.saturating_sub(shown.max(PICTURES));
        if hidden > 0 && self.covers && !self.machine.state.tia.is_partial() {
            let before = self.moment();
            if let Some(played) = self.play_hiding(action, frames, hidden) {
                return played;
            }
            self.go_back(before);
        }
        self.play_drawing(action, frames)
    }

    fn play_drawing(&mut self, action: Action, frames: u32) -> Played {
        let mut played = Played::default();
        self.covers = true;
        while played.frames < frames && !self.is_over() {
            played.reward += self.act_once(action);
            played.frames += 1;
            self.covers &= self.is_whole(played.frames + PICTURES > frames);
        }
        played
    }

    /// Lets `frames` frames pass after the episode's end. Plays nothing, but draws the random numbers of sticky actions.
    pub fn pass(&mut self, action: Action, frames: u32) {
        debug_assert!(self.is_over(), "the episode goes on");
        for _ in 0..frames {
            self.act_once(action);
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
    fn play_hiding(&mut self, action: Action, frames: u32, hidden: u32) -> Option<Played> {
        let mut played = Played::default();
        self.machine.screen.provisional = true;
        while played.frames < frames {
            self.machine.screen.hidden = played.frames < hidden;
            played.reward += self.act_once(action);
            played.frames += 1;
            self.covers &= self.is_whole(played.frames > hidden);
            if !self.covers || self.is_over() {
                self.machine.screen.unswap(played.frames);
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
        !tia.is_partial() && (!is_shown || tia.covers())
    }

    fn moment(&self) -> Moment {
        Moment {
            machine: self.machine.state.clone(),
            progress: self.progress.clone(),
            sticky: self.sticky.clone(),
            held: self.held,
            frames: self.frames,
            episode_frames: self.episode_frames,
        }
    }

    fn go_back(&mut self, moment: Moment) {
        self.machine.state = moment.machine;
        self.progress = moment.progress;
        self.sticky = moment.sticky;
        self.held = moment.held;
        self.frames = moment.frames;
        self.episode_frames = moment.episode_frames;
    }

    /// Plays one frame and returns its reward.
    fn act_once(&mut self, action: Action) -> i32 {
        let goes_on = f64::from(self.settings.repeat_action_probability);
        if self.draw_unit() >= goes_on {
            self.held = (action, self.paddle_strength);
        }
        // ALE draws a random number for the second player, too, who has no action here.
        self.draw_unit();
        if self.is_over() {
            return 0;
        }
        self.keep_what_is_drawn_over();
        let (held, strength) = self.held;
        let action = if self.game.is_legal(held) { held } else { Action::Noop };
        self.emulate_with(action, strength, 1);
        self.count_frame();
        self.progress.reward
    }

    fn keep_what_is_drawn_over(&mut self) {
        self.overdrawn.clear();
        if self.machine.state.tia.is_partial() {
            let pixels = usize::from(self.picture().rows) * WIDTH;
            self.overdrawn.extend_from_slice(&self.machine.screen.pixels()[..pixels]);
        }
    }

    fn draw_unit(&mut self) -> f64 {
        f64::from(self.draw()) / 4_294_967_296.0
    }

    fn emulate(&mut self, action: Action, frames: u32) {
        self.emulate_with(action, 1.0, frames);
    }

    fn emulate_with(&mut self, action: Action, strength: f32, frames: u32) {
        for _ in 0..frames {
            self.hold(action, strength);
            self.play_frame();
            let memory = Memory { ram: &self.machine.state.riot.ram, cartridge: self.machine.state.cartridge.ram() };
            (self.game.rule)(&mut self.progress, memory);
        }
    }

    fn play_frame(&mut self) {
        match &self.translations {
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
            input.paddles[0] = turned(input.paddles[0], stick, strength, self.game.paddle_max);
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
    pub fn picture(&self) -> Picture {
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
            moment: self.moment(),
            screen: self.machine.screen.save(usize::from(self.picture().rows)),
            overdrawn: self.overdrawn.clone(),
        }
    }

    /// Restores a snapshot of a console with the same cartridge. Returns false, and changes nothing, if it does not fit.
    pub fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let (own, other) = (&self.machine.state, &snapshot.moment.machine);
        let is_ours = own.tia.picture() == other.tia.picture()
            && own.cartridge.is_like(&other.cartridge)
            && own.input.is_like(&other.input);
        let pixels = usize::from(self.picture().rows) * WIDTH;
        let fits = snapshot.overdrawn.is_empty() || snapshot.overdrawn.len() == pixels;
        if !is_ours || !fits || !other.tia.is_valid() || !other.riot.is_valid() {
            return false;
        }
        self.go_back(snapshot.moment.clone());
        self.overdrawn.clone_from(&snapshot.overdrawn);
        self.beginnings = None;
        self.machine.screen.restore(&snapshot.screen);
        true
    }
}

impl Panel for Console {
    fn memory(&self) -> Memory<'_> {
        Memory { ram: &self.machine.state.riot.ram, cartridge: self.machine.state.cartridge.ram() }
    }

    fn draw(&mut self) -> u32 {
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
        self.held = LET_GO;
        self.emulate(Action::Reset, RESET_FRAMES);
        true
    }

    fn set_game_setting(&mut self, setting: i32) {
        self.progress.setting = setting;
    }
}

/// Returns a paddle's resistance after one frame: left increases it, right decreases it.
fn turned(resistance: i32, stick: Stick, strength: f32, most: i32) -> i32 {
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
        Arc::new(Rom::pretend(game, &image))
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
        assert_eq!(console.play(Action::Noop, 8, 1), Played::default());
        console.pass(Action::Noop, 5);
        let mut chance = Mt19937::init_genrand(7);
        (0..2 * 8).for_each(|_| _ = chance.next_u32());
        assert_eq!((console.draw(), console.frames()), (chance.next_u32(), 3));
    }

    #[test]
    fn a_picture_that_the_next_frame_goes_on_in_is_kept() {
        // A program that never writes: every frame is partial and continues in its own frame buffer.
        let image = [0x4c, 0x00, 0xf0].into_iter().cycle().take(0x1000).collect::<Vec<u8>>();
        let mut console = Console::new(&Rom::pretend(any_game(), &image), Settings::default());
        console.act(Action::Noop);
        let before = console.screen().to_vec();
        console.act(Action::Noop);
        assert_eq!(console.previous_screen(), before);
        let mut other = Console::new(&Rom::pretend(any_game(), &image), Settings::default());
        assert!(other.restore(&console.snapshot()));
        assert_eq!(other.previous_screen(), before);
    }

    #[test]
    fn a_weaker_turn_moves_paddles_less() {
        let left = Action::Left.stick();
        assert_eq!(turned(100_000, left, 0.25, 790_196), 105_750);
        assert_eq!(turned(100_000, left, -1e30, 790_196), 790_196);
    }

    #[test]
    fn paddles_stop_at_their_ends() {
        let left = Action::Left.stick();
        assert_eq!(turned(790_000, left, 1.0, 790_196), 790_196);
        assert_eq!(turned(30_000, Action::DownRightFire.stick(), 1.0, 790_196), PADDLE_MIN);
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
