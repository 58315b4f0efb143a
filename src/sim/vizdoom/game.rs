//! Controls one engine: starts it, sends commands and processes replies without blocking the caller.
//!
//! Operations of several messages, such as a new episode, are sequences of `Stage`s. [`Game::advance`] moves to the next stage as
//! the engine replies.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::buttons;
use super::config::{Config, Rewards};
use super::engine::{self, Engine, LaunchArgs, PendingEngine, RECORDING_LINK};
use super::engine_fault;
pub use super::engine_fault::EngineFault;
use super::game_variables;
use super::journal::Journal;
use super::message_queue::{MAX_TEXT_BYTES, MSG_CODE_DOOM_DONE, Message, SM_NAME_BASE, shared_memory_path};
use super::palette_copy::{CodePatch, MAX_WIDTH};
use super::pk3_cache;
use super::shared_memory::{Region, SharedMemory};
use super::spawner::Spawner;

/// `MSG_CODE_DOOM_CLOSE`: the engine closes.
const MSG_CODE_DOOM_CLOSE: u8 = 12;
/// `MSG_CODE_DOOM_ERROR`: the engine closes and reports why.
const MSG_CODE_DOOM_ERROR: u8 = 13;
/// `MSG_CODE_TIC`: play one tic.
const MSG_CODE_TIC: u8 = 21;
/// `MSG_CODE_UPDATE`: update state and buffers.
const MSG_CODE_UPDATE: u8 = 22;
/// `MSG_CODE_TIC_AND_UPDATE`: play one tic, then update state and buffers.
const MSG_CODE_TIC_AND_UPDATE: u8 = 23;
/// `MSG_CODE_COMMAND`: a console command, which has no reply.
const MSG_CODE_COMMAND: u8 = 24;
/// `MSG_CODE_CLOSE`: close the engine.
const MSG_CODE_CLOSE: u8 = 25;

/// Most tics sent at once before an episode.
const MAX_WARMUP_BATCH: u32 = 40;
/// Most tics of a step sent at once although the episode may end among them; few enough that a dead player does not respawn.
const MAX_STEP_BATCH: u32 = 16;
/// Tics after which a map that has not started is requested again.
const MAP_RETRY_TICS: u32 = 3;
/// Most tics of a replay: eight hours of game time, which take an engine some minutes.
const MAX_REPLAY_TICS: u64 = 1 << 20;
/// Tics and frames by which a game may exceed its limit.
const REPLAY_SLACK: u64 = 64;
/// Game variables of which only increases are rewarded: health and armor.
const GAIN_ONLY: [usize; 2] = [9, 10];
/// Startup timeout of an engine while shared memory is full.
const FULL_MEMORY_TIMEOUT: Duration = Duration::from_secs(10);
/// Startup timeout of an engine, unless `engine_timeout` is longer.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// Pixel format in which the engine writes its buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelFormat {
    /// Palette indices, the fastest format; they do not show screen flashes.
    Doom256Colors8,
    /// Gray values of the current palette.
    Gray8,
    /// Red, green and blue of the current palette.
    Rgb24,
}

impl PixelFormat {
    /// Value of the engine's `viz_screen_format`.
    fn viz_screen_format(self) -> &'static str {
        match self {
            Self::Doom256Colors8 => "9",
            Self::Gray8 => "8",
            Self::Rgb24 => "1",
        }
    }

    /// Bytes per pixel.
    fn bytes_per_pixel(self) -> usize {
        if self == Self::Rgb24 { 3 } else { 1 }
    }
}

/// Settings shared by all engines of an environment.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Path of the engine.
    pub program: PathBuf,
    /// Path of the game file (IWAD).
    pub iwad: PathBuf,
    /// Configuration of the game.
    pub config: Config,
    /// Width and height that the engine renders, in pixels.
    pub render_size: (u32, u32),
    /// Pixel format that the engine writes.
    pub pixel_format: PixelFormat,
    /// Time within which an engine must reply.
    pub engine_timeout: Duration,
    /// Least time for an engine to start; a machine may start many at once.
    pub(super) startup_timeout: Duration,
    /// `argv[0]` with which the engine finds its optimized archive.
    pub(super) arg0: Option<PathBuf>,
    /// Patch of the palette copy, if requested and applicable.
    pub(super) palette_copy_patch: Option<CodePatch>,
    /// Folder for recordings.
    pub recording_folder: Option<PathBuf>,
}

impl Settings {
    /// Creates settings that render at the configuration's screen resolution.
    pub fn new(program: PathBuf, game: PathBuf, config: Config, patience: Duration) -> Self {
        let drawn = config.screen_resolution;
        // Other arguments or an engine configuration may select another language.
        let is_plain = config.game_args.is_empty() && config.doom_config_path.is_none();
        let name = is_plain.then(|| pk3_cache::optimized_arg0(&program, &game, config.doom_scenario_path.as_deref())).flatten();
        Self {
            program,
            iwad: game,
            config,
            render_size: drawn,
            pixel_format: PixelFormat::Doom256Colors8,
            engine_timeout: patience,
            startup_timeout: STARTUP_TIMEOUT,
            arg0: name,
            palette_copy_patch: None,
            recording_folder: None,
        }
    }

    /// Finds the engine's palette copy loop, to patch it in every engine.
    ///
    /// # Errors
    /// Returns the expected value of the option if the loop is not found or cannot be patched.
    pub fn enable_fast_palette_copy(&mut self) -> Result<(), String> {
        if self.render_size.0 > MAX_WIDTH {
            return Err(format!("pictures of at most {MAX_WIDTH} columns, not {}", self.render_size.0));
        }
        if self.pixel_format != PixelFormat::Doom256Colors8 {
            return Err("render_screen_flashes=False, without which pictures are copied otherwise".into());
        }
        let program = self.program.display();
        self.palette_copy_patch =
            Some(CodePatch::find(&self.program).ok_or_else(|| format!("an engine that is recognised, which {program} is not"))?);
        Ok(())
    }

    /// Returns the engine's command line arguments.
    fn arguments(&self, id: &str, seed: u32) -> Vec<String> {
        let config = &self.config;
        let (width, height) = self.render_size;
        let aspect = match f64::from(width) / f64::from(height) {
            ratio if ratio == 16.0 / 9.0 => "1",
            ratio if ratio == 16.0 / 10.0 => "2",
            ratio if ratio == 4.0 / 3.0 => "3",
            ratio if ratio == 5.0 / 4.0 => "4",
            _ => "0",
        };
        let path = |path: &Path| path.display().to_string();
        let mut all: Vec<String> = vec!["-iwad".into(), path(&self.iwad)];
        let mut add = |words: &[&str]| all.extend(words.iter().map(|word| (*word).to_owned()));
        if let Some(scenario) = &config.doom_scenario_path {
            add(&["-file", &path(scenario)]);
        }
        let ini = config.doom_config_path.as_ref().map_or_else(|| "/dev/null".to_owned(), |ini| path(ini));
        add(&["-config", &ini, "+map", &config.doom_map, "-skill", &config.doom_skill.to_string()]);
        add(&["-width", &width.to_string(), "-height", &height.to_string(), "+vid_aspect", aspect, "+fullscreen", "0"]);
        add(&["+viz_controlled", "1", "+viz_instance_id", id, "+use_mouse", "0", "-rngseed", &seed.to_string()]);
        // The engine sets this itself once it runs. Until then, its frame limit is a timer with 200 ticks a second, each a new
        // thread.
        add(&["+cl_capfps", "1"]);
        if config.depth_buffer_enabled {
            add(&["+viz_depth", "1"]);
        }
        if config.labels_buffer_enabled {
            add(&["+viz_labels", "1"]);
        }
        if config.automap_buffer_enabled {
            add(&["+viz_automap", "1", "+viz_automap_mode", &config.automap_mode.to_string()]);
        }
        if config.objects_info_enabled {
            add(&["+viz_objects", "1"]);
        }
        if config.sectors_info_enabled {
            add(&["+viz_sectors", "1"]);
        }
        add(&["+viz_render_mode", &config.render_flags.to_string()]);
        if config.render_all_frames {
            add(&["+viz_render_all", "1"]);
        }
        if !config.console_enabled {
            add(&["+viz_noconsole", "1"]);
        }
        add(&[
            "+viz_screen_format",
            self.pixel_format.viz_screen_format(),
            "+viz_window_hidden",
            "1",
            "+viz_noxserver",
            "1",
            "-noidle",
            "-nojoy",
        ]);
        if config.audio_buffer_enabled {
            let (rate, tics) = (config.audio_sampling_rate.to_string(), config.audio_buffer_size.to_string());
            add(&["+viz_soft_audio", "1", "+snd_backend", "openal", "+viz_samp_freq", &rate, "+viz_audio_tics", &tics]);
        } else if !config.sound_enabled {
            add(&["-nosound", "+viz_nosound", "1"]);
        }
        if config.ticrate != 35 {
            add(&["-ticrate", &config.ticrate.to_string()]);
        }
        if config.notifications_buffer_enabled {
            add(&["+viz_notifications", "1", "+viz_notifications_tics", &config.notifications_buffer_size.to_string()]);
        }
        add(&config.game_args.iter().map(String::as_str).collect::<Vec<_>>());
        all
    }
}

/// Current stage of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No operation is in progress.
    Idle,
    /// The process is being started.
    Launching,
    /// The engine is starting up; its handshake is awaited.
    Booting,
    /// Playing the tics before the first episode, or before another one.
    WarmingUp { is_first: bool },
    /// Restarting the map; `tics` played since the last request.
    Restarting { tics: u32 },
    /// Pressing the buttons that were held when a replayed game started.
    PressingHeldButtons,
    /// Replaying the journal entry at byte `at`, `left` more times.
    Replaying { at: usize, left: u64 },
    /// Playing a step tic by tic, with `left` tics to go.
    SteppingTics { left: u32 },
    /// Awaiting the last reply of a step or of a new episode.
    Last { is_first: bool, begins_episode: bool },
}

/// A game that can be replayed, because the engine cannot save its state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SavedGame {
    /// Earlier games on which the frames of this one depend.
    previous: Vec<Journal>,
    journal: Journal,
    /// All game variables, to verify a replay.
    variables: Vec<f64>,
    /// Checksum of all buffers, to verify a replay.
    frame_digest: u32,
    tic: u32,
    reward: f64,
    reward_state: RewardState,
}

/// Values up to which rewards have been computed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct RewardState {
    /// Tic that the map reaches with the requested tics.
    last_tic: u32,
    tic: u32,
    reward: f64,
    variables: [f64; 10],
    has_exited_map: bool,
}

/// Game variables that the engine does not reset with a game: frags, deaths, hits, damage.
const CUMULATIVE: std::ops::Range<usize> = 3..9;

/// An engine and its current game.
pub struct Game {
    settings: Arc<Settings>,
    stage: Stage,
    id: String,
    pending_engine: Option<PendingEngine>,
    engine: Option<Engine>,
    memory: Option<SharedMemory>,
    /// Whether the engine was asked to close, and whether it then writes a recording.
    is_closing: bool,
    writes_recording: bool,
    /// Replies that are awaited.
    expected_replies: usize,
    /// When the current messages were sent.
    sent_at: Instant,
    messages: Vec<Message>,
    /// Console command that starts the map.
    map_command: String,
    reward_state: RewardState,
    /// Button values of a step that is played tic by tic.
    step_values: Vec<f64>,
    /// Earlier games, the most recent last.
    previous: Vec<Journal>,
    journal: Journal,
    /// A game to be replayed, and the index of its journal in progress.
    replay: Option<(Box<SavedGame>, usize)>,
    /// Cumulative variables reached before this engine was started.
    cumulative_before: [f64; CUMULATIVE.end - CUMULATIVE.start],
    /// Process that started the engine.
    owner_pid: u32,
    /// Keeps the spawner's thread alive, with which the engine would end.
    _spawner: Spawner,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("stage", &self.stage).field("process", &self.process()).finish_non_exhaustive()
    }
}

impl SavedGame {
    /// Returns the journal of an earlier game by index, or of the last game.
    fn journal_at(&self, number: usize) -> &Journal {
        self.previous.get(number).unwrap_or(&self.journal)
    }

    /// Appends entries of one tic each.
    #[cfg(test)]
    pub(super) fn longer(mut self, tics: u32) -> Self {
        (0..tics).for_each(|_| self.journal.record(&[0], &[1.0], 1, true));
        self
    }

    /// Returns the tics needed to replay all journals.
    fn replay_tics(&self) -> u64 {
        self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).fold(0, u64::saturating_add)
    }

    /// Checks that these settings can have produced this game.
    ///
    /// # Errors
    /// Returns the reason if they cannot.
    pub fn validate(&self, settings: &Settings) -> Result<(), String> {
        if !self.previous.iter().chain([&self.journal]).all(Journal::is_valid) || self.variables.len() != game_variables::COUNT {
            return Err("its values are out of range".into());
        }
        let (limit, start) = (u64::from(settings.config.episode_timeout), u64::from(settings.config.episode_start_time));
        let longest = self.previous.iter().chain([&self.journal]).map(Journal::replay_tics).max().unwrap_or(0);
        // A game exceeds its limit only by the rest of a step and an extra update.
        if limit > 0 && longest > limit + start + REPLAY_SLACK {
            return Err(format!("it has a game of {longest} tics, where games have {limit} at most"));
        }
        match self.replay_tics() {
            length if length > MAX_REPLAY_TICS => {
                Err(format!("it has {length} tics to play again, of which {MAX_REPLAY_TICS} are allowed"))
            }
            _ => Ok(()),
        }
    }
}

impl Game {
    /// Queues the start of an engine. [`advance`](Self::advance) reports when its first episode runs, or why it failed.
    pub fn start(settings: &Arc<Settings>, starter: &Spawner, seed: u32) -> Self {
        let id = engine::new_id();
        let launch = LaunchArgs {
            program: settings.program.clone(),
            arg0: settings.arg0.clone(),
            arguments: settings.arguments(&id, seed),
            recording_folder: settings.recording_folder.clone(),
            temp_folder: std::env::temp_dir(),
            id: id.clone(),
        };
        Self {
            stage: Stage::Launching,
            pending_engine: Some(engine::queue_start(launch, starter)),
            engine: None,
            memory: None,
            is_closing: false,
            writes_recording: false,
            expected_replies: 1,
            sent_at: Instant::now(),
            messages: Vec::new(),
            map_command: String::new(),
            reward_state: RewardState { last_tic: 1, ..RewardState::default() },
            step_values: Vec::new(),
            previous: Vec::new(),
            journal: Journal::new(seed, true, Vec::new()),
            replay: None,
            cumulative_before: [0.0; CUMULATIVE.end - CUMULATIVE.start],
            owner_pid: std::process::id(),
            _spawner: starter.clone(),
            settings: Arc::clone(settings),
            id,
        }
    }

    /// Queues the start of an engine that replays a game. The replayed game is verified against the saved one.
    pub fn start_replay(settings: &Arc<Settings>, starter: &Spawner, saved: SavedGame) -> Self {
        // Only the first game of an engine depends on the seed of its start.
        let mut game = Self::start(settings, starter, saved.journal_at(0).seed);
        game.replay = Some((Box::new(saved), 0));
        game
    }

    /// Returns the game in a form that can be replayed.
    ///
    /// # Errors
    /// Returns the reason if it cannot be replayed.
    pub fn save(&self) -> Result<SavedGame, &'static str> {
        if self.settings.recording_folder.is_some() {
            return Err("a game that is being recorded cannot be taken up elsewhere");
        }
        if self.memory().is_multiplayer() {
            return Err("a game of several players cannot be played again");
        }
        let saved = SavedGame {
            previous: if Journal::has_settled(std::slice::from_ref(&self.journal)) { Vec::new() } else { self.previous.clone() },
            journal: self.journal.clone(),
            variables: (0..game_variables::COUNT).map(|variable| self.game_variable(variable)).collect(),
            frame_digest: self.frame_digest(),
            tic: self.memory().map_tic(),
            reward: self.memory().map_reward(),
            reward_state: self.reward_state.clone(),
        };
        match saved.replay_tics() > MAX_REPLAY_TICS {
            true => Err("a game that has gone on for more than eight hours of its time is not played again"),
            false => Ok(saved),
        }
    }

    /// Returns a checksum of all buffers.
    fn frame_digest(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        for region in [Region::Screen, Region::Depth, Region::Labels, Region::Automap] {
            digest.update(self.memory().region(region));
        }
        digest.finalize()
    }

    /// Returns a game variable; cumulative ones include those of earlier engines.
    pub fn game_variable(&self, variable: usize) -> f64 {
        let before = if CUMULATIVE.contains(&variable) { self.cumulative_before[variable - CUMULATIVE.start] } else { 0.0 };
        self.memory().game_variable(variable) + before
    }

    /// Continues a replay after an episode has started (`begins_episode`) or after the last entry.
    fn resume_replay(&mut self, begins_episode: bool) -> Result<(), EngineFault> {
        match (&self.replay, begins_episode) {
            (None, _) => Ok(()),
            (Some((saved, number)), true) if self.journal.is_first && !saved.journal_at(*number).is_first => {
                let held = &saved.journal_at(*number).held_buttons;
                if held.is_empty() {
                    return self.begin_replay();
                }
                held.iter().for_each(|(button, value)| self.memory().set_button_state(usize::from(*button), *value));
                self.stage = Stage::PressingHeldButtons;
                self.send([(MSG_CODE_TIC, "")], 1)
            }
            (Some(_), true) => self.replay_entry(0, 0),
            (Some(_), false) => match self.replay.take() {
                Some((saved, _)) => self.verify_replay(*saved),
                None => Ok(()),
            },
        }
    }

    /// Starts the next game of a replay in an engine that has played another one.
    fn begin_replay(&mut self) -> Result<(), EngineFault> {
        let seed = self.replay.as_ref().map_or(0, |(saved, number)| saved.journal_at(*number).seed);
        self.new_episode(seed, None)
    }

    /// Sends the journal entry at byte `at`: `left` repetitions, or all of them for 0. Then continues with the next game.
    fn replay_entry(&mut self, at: usize, left: u64) -> Result<(), EngineFault> {
        let Some((saved, number)) = &mut self.replay else { return Ok(()) };
        let Some((entry, next)) = saved.journal_at(*number).entry(at) else {
            if *number < saved.previous.len() {
                *number += 1;
                return self.begin_replay();
            }
            self.stage = Stage::Idle;
            return self.resume_replay(false);
        };
        (0..buttons::COUNT).for_each(|button| self.memory().set_button_state(button, entry.values[button]));
        let left = if left == 0 { entry.times } else { left } - 1;
        self.stage = Stage::Replaying { at: if left == 0 { next } else { at }, left };
        let tics = entry.tics as usize;
        let last = match (tics, entry.renders) {
            (0, _) => MSG_CODE_UPDATE,
            (_, true) => MSG_CODE_TIC_AND_UPDATE,
            (_, false) => MSG_CODE_TIC,
        };
        self.send(std::iter::repeat_n((MSG_CODE_TIC, ""), tics.saturating_sub(1)).chain([(last, "")]), tics.max(1))
    }

    /// Verifies that a replayed game equals the saved one.
    fn verify_replay(&mut self, saved: SavedGame) -> Result<(), EngineFault> {
        let memory = self.memory();
        if (memory.map_tic(), memory.map_reward()) != (saved.tic, saved.reward) {
            return Err(EngineFault::ReplayMismatch("its time and its reward are"));
        }
        let mut before = [0.0; CUMULATIVE.end - CUMULATIVE.start];
        for (variable, value) in saved.variables.iter().enumerate() {
            let now = memory.game_variable(variable);
            match CUMULATIVE.contains(&variable) {
                true => before[variable - CUMULATIVE.start] = value - now,
                false if now.to_bits() == value.to_bits() => {}
                false => return Err(EngineFault::ReplayMismatch("its variables are")),
            }
        }
        if self.frame_digest() != saved.frame_digest {
            return Err(EngineFault::ReplayMismatch("its pictures are"));
        }
        (self.cumulative_before, self.reward_state) = (before, saved.reward_state);
        (self.previous, self.journal) = (saved.previous, saved.journal);
        Ok(())
    }

    /// Returns the process id once the process is started.
    pub fn process(&self) -> Option<u32> {
        self.engine.as_ref().map(|engine| engine.child.id())
    }

    /// Returns the instance id in shared memory.
    #[cfg(test)]
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the shared memory. The engine must be idle.
    ///
    /// # Panics
    /// Panics if the first episode has not started.
    pub fn memory(&self) -> &SharedMemory {
        self.memory.as_ref().expect("an engine whose first episode has begun has its memory")
    }

    fn send<'a>(&mut self, messages: impl IntoIterator<Item = (u8, &'a str)>, answers: usize) -> Result<(), EngineFault> {
        self.sent_at = Instant::now();
        self.expected_replies = answers;
        match &self.engine {
            Some(engine) => Ok(engine.to_engine.send(messages)?),
            None => Err(EngineFault::Exited("it was ended before".into())),
        }
    }

    /// Starts another episode. A recording goes to this file in the recording folder.
    ///
    /// # Errors
    /// Returns the fault of the engine.
    pub fn new_episode(&mut self, seed: u32, recording: Option<&str>) -> Result<(), EngineFault> {
        let map = &self.settings.config.doom_map;
        let memory = self.memory();
        let (records, multiplayer) = (memory.is_recording(), memory.is_multiplayer());
        let held = (0..buttons::COUNT).map(|button| (button as u8, memory.button_state(button)));
        let held = held.filter(|(_, value)| *value != 0.0).collect();
        self.map_command = match recording {
            _ if multiplayer => format!("changemap {map}"),
            Some(file) => format!("recordmap {RECORDING_LINK}/{file} {map}"),
            None => format!("map {map}"),
        };
        self.previous.push(std::mem::replace(&mut self.journal, Journal::new(seed, false, held)));
        while Journal::has_settled(&self.previous[1..]) {
            self.previous.remove(0);
        }
        (0..buttons::COUNT).for_each(|button| self.memory().set_button_state(button, 0.0));
        let seed = format!("viz_set_seed {seed}");
        let command = self.map_command.clone();
        let commands = records.then_some("stop").into_iter().chain([seed.as_str(), command.as_str()]);
        let commands = commands.map(|command| (MSG_CODE_COMMAND, command));
        self.stage = Stage::Restarting { tics: 1 };
        match multiplayer {
            true => self.send(
                commands.chain([(MSG_CODE_COMMAND, "-use"), (MSG_CODE_COMMAND, "+use"), (MSG_CODE_TIC, "")]).collect::<Vec<_>>(),
                1,
            ),
            false => self.send(commands.chain([(MSG_CODE_TIC, "")]).collect::<Vec<_>>(), 1),
        }
    }

    /// Returns whether the episode has ended.
    pub fn is_episode_finished(&self) -> bool {
        let memory = self.memory();
        memory.has_map_ended() || (memory.is_dead() && !memory.is_multiplayer()) || self.is_episode_timeout_reached()
    }

    /// Returns whether the episode has reached a time limit.
    pub fn is_episode_timeout_reached(&self) -> bool {
        let (memory, config) = (self.memory(), &self.settings.config);
        let tic = memory.map_tic();
        (config.episode_timeout > 0 && config.episode_timeout + config.episode_start_time <= tic)
            || (memory.map_tic_limit() > 0 && memory.map_tic_limit() <= tic)
    }

    /// Starts a step of `tics` with one value for each available button. Unless `exactly`, tics continue after the episode has
    /// ended.
    ///
    /// # Errors
    /// Returns the fault of the engine.
    pub fn step(&mut self, values: &[f64], tics: u32, exactly: bool) -> Result<(), EngineFault> {
        let settings = Arc::clone(&self.settings);
        settings
            .config
            .available_buttons
            .iter()
            .zip(values)
            .for_each(|(button, value)| self.memory().set_button_state(*button, *value));
        if self.is_episode_finished() || tics == 0 {
            self.stage = Stage::Idle;
            return Ok(());
        }
        if exactly || tics > MAX_STEP_BATCH || self.memory().is_multiplayer() {
            self.step_values.clear();
            self.step_values.extend(values);
            return self.play_tic(tics);
        }
        let tic = self.memory().map_tic();
        let limits =
            [settings.config.episode_timeout.saturating_add(settings.config.episode_start_time), self.memory().map_tic_limit()];
        let limited = [settings.config.episode_timeout > 0, self.memory().map_tic_limit() > 0];
        let left = limits.iter().zip(limited).filter(|(_, limited)| *limited).map(|(limit, _)| limit.saturating_sub(tic)).min();
        let tics = left.map_or(tics, |left| tics.min(left.max(1)));
        self.reward_state.last_tic = tic + tics;
        self.journal.record(&settings.config.available_buttons, values, tics, true);
        self.stage = Stage::Last { is_first: false, begins_episode: false };
        self.send(
            std::iter::repeat_n((MSG_CODE_TIC, ""), tics as usize - 1).chain([(MSG_CODE_TIC_AND_UPDATE, "")]),
            tics as usize,
        )
    }

    /// Plays the next of `left` tics.
    fn play_tic(&mut self, left: u32) -> Result<(), EngineFault> {
        self.reward_state.last_tic = self.memory().map_tic() + 1;
        self.journal.record(&self.settings.config.available_buttons, &self.step_values, 1, left == 1);
        self.stage = Stage::SteppingTics { left };
        self.send([(if left == 1 { MSG_CODE_TIC_AND_UPDATE } else { MSG_CODE_TIC }, "")], 1)
    }

    /// Returns the reward since the last call or since the start of the episode.
    pub fn take_reward(&mut self) -> f64 {
        let settings = Arc::clone(&self.settings);
        let Rewards { living, death, map_exit, variables } = settings.config.rewards;
        let memory = self.memory();
        let (scenario, is_dead, has_left) = (memory.map_reward(), memory.is_dead(), memory.has_map_ended() && !memory.is_dead());
        let mut reward = scenario - self.reward_state.reward;
        reward += f64::from(self.reward_state.last_tic.saturating_sub(self.reward_state.tic)) * living;
        if is_dead {
            reward += death;
        }
        if has_left && !self.reward_state.has_exited_map {
            reward += map_exit;
        }
        for (slot, (variable, each)) in variables.into_iter().enumerate() {
            if each != 0.0 {
                let now = self.game_variable(variable);
                let change = now - self.reward_state.variables[slot];
                // Only increases of health and armor are rewarded.
                reward += if GAIN_ONLY.contains(&variable) { change.max(0.0) } else { change } * each;
                self.reward_state.variables[slot] = now;
            }
        }
        (self.reward_state.reward, self.reward_state.tic, self.reward_state.has_exited_map) =
            (scenario, self.reward_state.last_tic, has_left);
        reward
    }

    /// Restarts the reward computation at the start of an episode.
    fn reset_reward_state(&mut self) {
        let (tic, reward) = (self.memory().map_tic(), self.memory().map_reward());
        let variables = self.settings.config.rewards.variables.map(|(variable, _)| self.game_variable(variable));
        self.reward_state = RewardState { last_tic: tic, tic, reward, variables, has_exited_map: false };
    }

    /// Processes replies, sends the next messages and returns whether the operation is complete. Never waits.
    ///
    /// # Errors
    /// Returns the fault of the engine.
    pub fn advance(&mut self) -> Result<bool, EngineFault> {
        loop {
            match self.stage {
                Stage::Idle => return Ok(true),
                Stage::Launching => {
                    let Some(started) = self.pending_engine.as_ref().and_then(PendingEngine::poll) else { return Ok(false) };
                    self.pending_engine = None;
                    self.engine = Some(started?);
                    self.stage = Stage::Booting;
                    self.sent_at = Instant::now();
                }
                _ => {
                    if self.engine.as_ref().is_none_or(|engine| engine.from_engine.num_messages() < self.expected_replies) {
                        return Ok(false);
                    }
                    self.take_messages()?;
                    if self.expected_replies > 0 {
                        return Ok(false);
                    }
                    self.next_stage()?;
                }
            }
        }
    }

    /// Receives and processes all queued messages.
    fn take_messages(&mut self) -> Result<(), EngineFault> {
        let Some(engine) = &self.engine else { return Ok(()) };
        engine.from_engine.receive_all(&mut self.messages)?;
        for Message { code, text } in self.messages.drain(..) {
            match code {
                MSG_CODE_DOOM_DONE => self.expected_replies = self.expected_replies.saturating_sub(1),
                MSG_CODE_DOOM_ERROR => return Err(EngineFault::EngineError(text)),
                MSG_CODE_DOOM_CLOSE => return Err(EngineFault::Exited("it has closed itself".into())),
                other => return Err(EngineFault::Unsupported(format!("it sent a message of kind {other}"))),
            }
        }
        Ok(())
    }

    /// Moves to the next stage after all replies have arrived.
    fn next_stage(&mut self) -> Result<(), EngineFault> {
        match self.stage {
            Stage::Idle | Stage::Launching => {}
            Stage::Booting => {
                self.handshake()?;
                self.play_warmup(true)?;
            }
            Stage::WarmingUp { is_first } => self.play_warmup(is_first)?,
            Stage::Restarting { tics } => {
                let (is_elsewhere, multiplayer) = {
                    let memory = self.memory();
                    (memory.has_map_ended() || memory.map_tic() > self.reward_state.last_tic, memory.is_multiplayer())
                };
                let asks_again = tics > MAP_RETRY_TICS && !multiplayer;
                let command = self.map_command.clone();
                if asks_again {
                    self.send([(MSG_CODE_COMMAND, command.as_str())], 0)?;
                }
                if !is_elsewhere {
                    if multiplayer {
                        self.send([(MSG_CODE_COMMAND, "-use")], 0)?;
                    }
                    return self.play_warmup(false);
                }
                let tics = if asks_again { 1 } else { tics + 1 };
                self.stage = Stage::Restarting { tics };
                match multiplayer {
                    true => {
                        self.send([(MSG_CODE_COMMAND, if tics % 2 == 1 { "+use" } else { "-use" }), (MSG_CODE_TIC, "")], 1)?
                    }
                    false => self.send([(MSG_CODE_TIC, "")], 1)?,
                }
            }
            Stage::SteppingTics { left } => {
                let left = left - 1;
                match (self.is_episode_finished(), left) {
                    (_, 0) => self.stage = Stage::Idle,
                    (true, _) => {
                        self.journal.record(&self.settings.config.available_buttons, &self.step_values, 0, true);
                        self.stage = Stage::Last { is_first: false, begins_episode: false };
                        self.send([(MSG_CODE_UPDATE, "")], 1)?;
                    }
                    (false, left) => self.play_tic(left)?,
                }
            }
            Stage::Last { is_first, begins_episode } => {
                if is_first {
                    let settings = Arc::clone(&self.settings);
                    self.memory().set_available_buttons(&settings.config.available_buttons);
                }
                if begins_episode {
                    self.reset_reward_state();
                }
                self.stage = Stage::Idle;
                return self.resume_replay(begins_episode);
            }
            Stage::PressingHeldButtons => self.begin_replay()?,
            Stage::Replaying { at, left } => self.replay_entry(at, left)?,
        }
        Ok(())
    }

    /// Opens and checks the shared memory of an engine that has started.
    fn handshake(&mut self) -> Result<(), EngineFault> {
        let path = shared_memory_path(&format!("{SM_NAME_BASE}{}", self.id));
        let memory = SharedMemory::open(&path)?;
        // From here on, no file name is left that would have to be removed after a crash.
        if let Some(engine) = &mut self.engine {
            engine.unlink_names(self.settings.recording_folder.is_some());
        }
        let (width, height) = self.settings.render_size;
        let pixels = width as usize * height as usize;
        let (has_width, has_height, pitch) = memory.screen_size();
        if (has_width, has_height) != (width, height)
            || memory.region(Region::Screen).len() != pixels * self.settings.pixel_format.bytes_per_pixel()
        {
            let expected = format!("expected pictures of {width} x {height}");
            return Err(EngineFault::Unsupported(format!(
                "it draws {has_width} x {has_height} pixels, {pitch} to a row: {expected}"
            )));
        }
        if memory.is_netgame() {
            return Err(EngineFault::Unsupported("it plays over a network, which cannot be waited for".into()));
        }
        if let (Some(patch), Some(process)) = (&self.settings.palette_copy_patch, self.process())
            && pitch == u64::from(width)
        {
            patch.apply(process);
        }
        self.memory = Some(memory);
        Ok(())
    }

    /// Plays the remaining tics before an episode, or requests the last update.
    fn play_warmup(&mut self, is_first: bool) -> Result<(), EngineFault> {
        let left = self.settings.config.episode_start_time.saturating_sub(self.memory().map_tic());
        if left > 0 {
            self.stage = Stage::WarmingUp { is_first };
            let tics = left.min(MAX_WARMUP_BATCH) as usize;
            return self.send(std::iter::repeat_n((MSG_CODE_TIC, ""), tics), tics);
        }
        self.stage = Stage::Last { is_first, begins_episode: true };
        match is_first {
            true => self.send([(MSG_CODE_UPDATE, "")], 1),
            false => self.send([(MSG_CODE_COMMAND, "viz_override_player 0"), (MSG_CODE_UPDATE, "")], 1),
        }
    }

    /// Returns whether no further messages follow after the awaited replies.
    pub fn is_last_stage(&self) -> bool {
        matches!(self.stage, Stage::Idle | Stage::Last { .. })
    }

    /// Sleeps until the engine has replied or until the deadline; may wake early.
    pub fn wait(&self, until: Instant) {
        match self.stage {
            Stage::Idle => {}
            Stage::Launching => std::thread::sleep(until.saturating_duration_since(Instant::now()).min(Duration::from_millis(1))),
            _ => self.engine.iter().for_each(|engine| engine.from_engine.wait(self.expected_replies, until)),
        }
    }

    /// Checks that the engine runs and replies in time.
    ///
    /// # Errors
    /// Returns the fault of the engine.
    pub fn check_engine(&mut self) -> Result<(), EngineFault> {
        if self.stage == Stage::Launching {
            return Ok(());
        }
        let exited = self.engine.as_mut().map(|engine| engine.child.try_wait());
        // An error message explains more than the exit status.
        self.take_messages()?;
        match exited {
            Some(Ok(Some(status))) if self.expected_replies > 0 => return Err(EngineFault::from_exit_status(status)),
            Some(Err(error)) => return Err(EngineFault::Exited(error.to_string())),
            _ => {}
        }
        match self.is_overdue() {
            true => Err(EngineFault::from_timeout(self.reply_timeout())),
            false => Ok(()),
        }
    }

    /// Returns the time within which the engine must reply.
    fn reply_timeout(&self) -> Duration {
        let own = self.settings.engine_timeout;
        match self.memory {
            Some(_) => own,
            // An engine that finds no shared memory hangs in its error handler.
            None if self.sent_at.elapsed() > FULL_MEMORY_TIMEOUT && engine_fault::is_shared_memory_full() => FULL_MEMORY_TIMEOUT,
            None => own.max(self.settings.startup_timeout),
        }
    }

    /// Returns whether the awaited replies are overdue.
    fn is_overdue(&self) -> bool {
        self.expected_replies > 0 && self.sent_at.elapsed() > self.reply_timeout()
    }

    /// Starts to close the engine: kills it, or, while it records, asks it to write the recording.
    pub fn start_close(&mut self) {
        if self.owner_pid != std::process::id() || std::mem::replace(&mut self.is_closing, true) {
            return;
        }
        if let Some(starting) = &self.pending_engine {
            starting.cancel();
        }
        // Messages sent earlier are processed first.
        let records = !self.is_overdue() && self.memory.as_ref().is_some_and(SharedMemory::is_recording);
        self.writes_recording =
            records && self.send([(MSG_CODE_COMMAND, "stop"), (MSG_CODE_TIC, ""), (MSG_CODE_CLOSE, "")], 1).is_ok();
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.writes_recording) {
            let _gone_already = engine.child.kill();
        }
    }

    /// Kills an unusable engine without waiting for its recording.
    pub fn abort(&mut self) {
        self.is_closing = true;
        self.close();
    }

    /// Closes the engine. A recording engine has `engine_timeout` to write its file.
    pub fn close(&mut self) {
        if self.owner_pid != std::process::id() {
            return;
        }
        self.start_close();
        if let Some(starting) = self.pending_engine.take() {
            starting.cancel();
            starting.end();
        }
        if let Some(engine) = self.engine.take() {
            let patience = if self.writes_recording { self.settings.engine_timeout } else { Duration::ZERO };
            engine.end(self.sent_at + patience);
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns the longest recording name, in bytes, whose command fits a message.
pub fn max_recording_name(map: &str) -> usize {
    MAX_TEXT_BYTES - "recordmap r/ ".len() - map.len().min(64)
}
