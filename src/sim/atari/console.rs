//! A console with a game in it, played frame by frame: resets, modes, paddles, sticky actions, rewards.
//!
//! A reset does what the reference does: it switches the machine on, waits a second, holds RESET, chooses the mode,
//! holds RESET again, and makes the game's first moves. Memory is not cleared, so that two resets differ.

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

/// The least that a paddle is turned, the middle's other end, and how much it moves in a frame, in ohms.
const PADDLE_MIN: i32 = 27_450;
const PADDLE_STEP: i32 = 23_000;
/// Frames that are waited after power-on, and that RESET is held.
const POWER_ON_FRAMES: u32 = 60;
const RESET_FRAMES: u32 = 4;
/// Pictures that take turns: what is not drawn anew shows what it showed so many frames ago.
const PICTURES: u32 = 2;
/// No action goes on.
const LET_GO: (Action, f32) = (Action::Noop, 1.0);
/// Rounds after which a mode counts as unreachable.
const PATIENCE: u32 = 1_000;

/// How a console is to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The game's mode; its default if none.
    pub mode: Option<u16>,
    /// The game's difficulty; both switches at B if none, even where the game does not list that.
    pub difficulty: Option<u8>,
    /// Frames of an action.
    pub frame_skip: u32,
    /// With which probability the last frame's action goes on instead.
    pub repeat_action_probability: f32,
    /// Seed of that chance.
    pub random_seed: u32,
    /// Frames of an episode after which nothing is played any more; none if there is no such limit.
    pub max_episode_frames: Option<u32>,
    /// Whether the program is translated into machine code, where the host can have that. Nothing depends on it but speed.
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

/// A console.
#[derive(Clone, Debug)]
pub struct Console {
    game: &'static Game,
    settings: Settings,
    machine: Machine,
    /// The program as machine code, if it is not to be interpreted.
    translations: Option<Arc<Translations>>,
    progress: Progress,
    sticky: Mt19937,
    /// The action that goes on, and how far it turns paddles.
    held: (Action, f32),
    /// How far the next action turns paddles.
    paddle_strength: f32,
    frames: u32,
    episode_frames: u32,
    /// The picture before the last frame, if that went on in it: a frame that was given up does.
    overdrawn: Vec<u8>,
    /// The last frames that were shown had nothing of those before: it is worth while to hide the next ones.
    covers: bool,
    /// Where the first reset will lead, or has led, other consoles with the cartridge; none after it.
    beginnings: Option<Arc<Beginnings>>,
}

/// What [`Console::play`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// What the frames were worth, together.
    pub reward: i32,
    /// Frames played.
    pub frames: u32,
}

/// A console but for its pictures.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Moment {
    machine: State,
    progress: Progress,
    sticky: Mt19937,
    held: (Action, f32),
    frames: u32,
    episode_frames: u32,
}

/// All that makes a console differ from a new one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    moment: Moment,
    /// Both pictures.
    #[serde(with = "super::runs")]
    screen: [Vec<u8>; 2],
    overdrawn: Vec<u8>,
}

impl Console {
    /// Bytes that a console takes, with both pictures.
    pub const BYTES: usize = size_of::<Self>() + 2 * WIDTH * MOST_ROWS;

    /// A console with the cartridge in it. It has to be [reset](Self::reset) before it is played.
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
        // Where choosing a mode takes actions, they can be sticky ones.
        if matches!(game.select, Select::Own(_)) {
            console.load();
            return console;
        }
        let beginnings = rom.beginnings();
        if let Some(loaded) = beginnings.loaded.get() {
            console.begin(loaded);
        } else {
            console.load();
            // Another console may have been quicker: what it came to is the same.
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

    /// The reference plays a second and counts lines, to find out what the game's table says here.
    fn choose_television(&mut self) {
        self.machine.reset();
        for _ in 0..POWER_ON_FRAMES {
            self.play_frame();
        }
        self.machine.state.tia.set_picture(self.game.shown());
        self.machine.reset();
    }

    /// The reference resets once while it loads a game, in its default mode. Memory shows it ever after.
    fn first_reset(&mut self) {
        let settings = self.settings.clone();
        self.settings.mode = None;
        self.settings.difficulty = None;
        self.play_reset();
        self.settings = settings;
    }

    /// Starts a new episode. False if the mode of the settings could not be reached.
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

    /// Plays an action for as many frames as the settings say, and returns what that was worth.
    pub fn act(&mut self, action: Action) -> i32 {
        (0..self.settings.frame_skip).map(|_| self.act_once(action)).sum()
    }

    /// Plays an action for up to `frames` frames; the frame in which the game ends is the last one.
    ///
    /// The caller looks only at the pictures of the last `shown` of the `frames` frames, or, where the game ends before
    /// them, of the last frames that were played: those before need not be drawn.
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

    /// Lets `frames` frames pass after the episode's end. Nothing is played, but chance goes on.
    pub fn pass(&mut self, action: Action, frames: u32) {
        debug_assert!(self.is_over(), "the episode goes on");
        for _ in 0..frames {
            self.act_once(action);
        }
    }

    /// How far actions turn paddles from now on: 1 is as far as they can in a frame.
    pub fn set_paddle_strength(&mut self, strength: f32) {
        self.paddle_strength = strength;
    }

    /// Plays without drawing the first `hidden` frames. None where later frames turn out to show something of them, or
    /// where the game ends: then everything has to be played again.
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

    /// Whether the last frame has been ended by the program and, if it is shown, shows nothing of earlier ones.
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

    /// Plays one frame.
    fn act_once(&mut self, action: Action) -> i32 {
        let goes_on = f64::from(self.settings.repeat_action_probability);
        if self.draw_unit() >= goes_on {
            self.held = (action, self.paddle_strength);
        }
        // The second player's chance, who has no action.
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

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// The mode that is played.
    pub fn mode(&self) -> u16 {
        self.settings.mode.unwrap_or(self.game.modes[0])
    }

    /// The difficulty that is played.
    pub fn difficulty(&self) -> u8 {
        self.settings.difficulty.unwrap_or(0)
    }

    /// The console's memory.
    pub fn ram(&self) -> &[u8; 128] {
        &self.machine.state.riot.ram
    }

    /// Lives left.
    pub fn lives(&self) -> i32 {
        self.game.lives(&self.progress)
    }

    /// Whether the game has ended: it is not played on before the next reset.
    pub fn game_over(&self) -> bool {
        self.progress.ended
    }

    /// Whether the episode has reached its limit of frames.
    pub fn is_truncated(&self) -> bool {
        self.settings.max_episode_frames.is_some_and(|most| self.episode_frames >= most)
    }

    /// Whether nothing is played any more before the next reset.
    pub fn is_over(&self) -> bool {
        self.progress.ended || self.is_truncated()
    }

    /// Frames played since the reset began. Of the reset's own only those count in which a mode was chosen.
    pub fn episode_frames(&self) -> u32 {
        self.episode_frames
    }

    /// Frames played since the console was made, counted in the same way.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// What is shown of the picture.
    pub fn picture(&self) -> Picture {
        self.machine.state.tia.picture()
    }

    /// The screen as colour numbers: 160 pixels for each of `picture().rows` rows.
    pub fn screen(&self) -> &[u8] {
        &self.machine.screen.pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// The picture before that of [`screen`](Self::screen), in the same form.
    pub fn previous_screen(&self) -> &[u8] {
        if !self.overdrawn.is_empty() {
            return &self.overdrawn;
        }
        &self.machine.screen.previous_pixels()[..usize::from(self.picture().rows) * WIDTH]
    }

    /// Writes what a slow screen shows, on which the last picture and the one before it [blend](phosphor), as colour numbers.
    /// Both pictures must have been drawn (see [`Self::play`]).
    pub fn screen_averaged(&self, out: &mut [u8]) {
        let blend = phosphor::blend(self.picture().pal);
        // What turns with the screen, also where a frame has gone on in the picture before.
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

    /// Writes the screen as gray bytes.
    pub fn screen_gray(&self, out: &mut [u8]) {
        let palette = palette::gray(self.picture().pal);
        for (pixel, out) in self.screen().iter().zip(out) {
            *out = palette[usize::from(*pixel)];
        }
    }

    /// Everything that would have to be put back to go on from here.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            moment: self.moment(),
            screen: self.machine.screen.save(usize::from(self.picture().rows)),
            overdrawn: self.overdrawn.clone(),
        }
    }

    /// Goes back to a snapshot of a console with the same cartridge. False, and nothing changed, if it cannot be one.
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

/// A paddle moved by a frame: left turns it up, right down.
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

    /// A cartridge of noise in which programs run into everything there is.
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
        // A program that never writes: every frame is given up, and goes on in its own picture.
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
