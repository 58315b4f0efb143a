//! One engine: started, told what to do, and waited for, without ever holding up whoever does that.
//!
//! What takes several messages, one after the other (to begin an episode), is a `Stage`: [`Game::advance`] goes on from one to the next
//! as the engine answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::buttons;
use super::cache;
use super::config::{Config, Rewards};
use super::engine::{self, Engine, Launch, RECORDINGS, Started};
use super::fault;
pub use super::fault::Fault;
use super::journal::Journal;
use super::memory::{Memory, Region};
use super::palette_copy::{Patch, WIDEST};
use super::queue::{DONE, MEMORY, MOST_TEXT, Message, shared_file};
use super::starter::Starter;
use super::variables;

/// The engine goes away.
const CLOSED: u8 = 12;
/// The engine goes away, and says why.
const ERROR: u8 = 13;
/// To play a tic.
const TIC: u8 = 21;
/// To bring state and pictures up to date.
const UPDATE: u8 = 22;
/// Both.
const TIC_AND_UPDATE: u8 = 23;
/// A command of the game's console, which is not answered.
const COMMAND: u8 = 24;
/// To go away.
const CLOSE: u8 = 25;

/// Tics that are asked for at once, at most.
const BATCH: u32 = 40;
/// Tics of a step that are asked for at once although the episode may end in the middle of them: not so many that a dead player may
/// come to life again.
const STEP: u32 = 16;
/// Tics after which a map that has not begun is asked for again.
const ASKED_AGAIN: u32 = 3;
/// Tics of a game that are played again at most: eight hours of its time, which take an engine some minutes.
const MOST_REPLAYED: u64 = 1 << 20;
/// Tics and pictures that a game may have beyond its limit.
const OVER: u64 = 64;
/// Variables of which only what is won is rewarded: health and armor.
const WON_ALONE: [usize; 2] = [9, 10];
/// How long an engine may take to come up where there is no shared memory left.
const HANGING: Duration = Duration::from_secs(10);
/// How long an engine may take to come up, unless it may take longer to answer anyway.
const STARTING: Duration = Duration::from_secs(60);

/// How the engine writes its pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// As numbers of the palette's colours, which takes it least. Flashes of the whole picture are not in them.
    Numbers,
    /// As grays, as the palette of that moment has them.
    Grays,
    /// As red, green and blue, likewise.
    Colours,
}

impl Pictures {
    /// The engine's number for it.
    fn format(self) -> &'static str {
        match self {
            Self::Numbers => "9",
            Self::Grays => "8",
            Self::Colours => "1",
        }
    }

    /// Bytes of a pixel.
    fn bytes(self) -> usize {
        if self == Self::Colours { 3 } else { 1 }
    }
}

/// What all engines of an environment have in common.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program.
    pub program: PathBuf,
    /// The game's file.
    pub game: PathBuf,
    /// What is played, and how.
    pub config: Config,
    /// Width and height of what the engine draws.
    pub drawn: (u32, u32),
    /// How it writes that.
    pub pictures: Pictures,
    /// How long an engine may take to answer.
    pub patience: Duration,
    /// How long it may at least take to come up, of which a machine may have many at once.
    pub(super) starting: Duration,
    /// The name that it is started by, where that makes it faster.
    pub(super) name: Option<PathBuf>,
    /// What makes it faster, where that was asked for and found.
    pub(super) patch: Option<Patch>,
    /// A folder for recordings.
    pub recordings: Option<PathBuf>,
}

impl Settings {
    /// These settings. The engine draws in the size of the configuration's pictures.
    pub fn new(program: PathBuf, game: PathBuf, config: Config, patience: Duration) -> Self {
        let drawn = config.resolution;
        // An engine that is told other things than these arguments may be told to speak another language.
        let is_plain = config.arguments.is_empty() && config.engine_config.is_none();
        let name = is_plain.then(|| cache::name_of(&program, &game, config.scenario.as_deref())).flatten();
        Self {
            program,
            game,
            config,
            drawn,
            pictures: Pictures::Numbers,
            patience,
            starting: STARTING,
            name,
            patch: None,
            recordings: None,
        }
    }

    /// Looks for the loop that copies pictures, to replace it in every engine.
    ///
    /// # Errors
    /// In words, where it is not recognised or not to be replaced.
    pub fn copy_faster(&mut self) -> Result<(), String> {
        if self.drawn.0 > WIDEST {
            return Err(format!("pictures of at most {WIDEST} columns, not {}", self.drawn.0));
        }
        if self.pictures != Pictures::Numbers {
            return Err("render_screen_flashes=False, without which pictures are copied otherwise".into());
        }
        let program = self.program.display();
        self.patch =
            Some(Patch::find(&self.program).ok_or_else(|| format!("an engine that is recognised, which {program} is not"))?);
        Ok(())
    }

    /// The engine's arguments.
    fn arguments(&self, id: &str, seed: u32) -> Vec<String> {
        let config = &self.config;
        let (width, height) = self.drawn;
        let aspect = match f64::from(width) / f64::from(height) {
            ratio if ratio == 16.0 / 9.0 => "1",
            ratio if ratio == 16.0 / 10.0 => "2",
            ratio if ratio == 4.0 / 3.0 => "3",
            ratio if ratio == 5.0 / 4.0 => "4",
            _ => "0",
        };
        let path = |path: &Path| path.display().to_string();
        let mut all: Vec<String> = vec!["-iwad".into(), path(&self.game)];
        let mut add = |words: &[&str]| all.extend(words.iter().map(|word| (*word).to_owned()));
        if let Some(scenario) = &config.scenario {
            add(&["-file", &path(scenario)]);
        }
        let ini = config.engine_config.as_ref().map_or_else(|| "/dev/null".to_owned(), |ini| path(ini));
        add(&["-config", &ini, "+map", &config.map, "-skill", &config.skill.to_string()]);
        add(&["-width", &width.to_string(), "-height", &height.to_string(), "+vid_aspect", aspect, "+fullscreen", "0"]);
        add(&["+viz_controlled", "1", "+viz_instance_id", id, "+use_mouse", "0", "-rngseed", &seed.to_string()]);
        // It sets that itself when it is up. Until then it would have a timer whose every tick, 200 a second, is a thread of its own.
        add(&["+cl_capfps", "1"]);
        if config.depth {
            add(&["+viz_depth", "1"]);
        }
        if config.labels {
            add(&["+viz_labels", "1"]);
        }
        if config.automap {
            add(&["+viz_automap", "1", "+viz_automap_mode", &config.automap_mode.to_string()]);
        }
        if config.objects {
            add(&["+viz_objects", "1"]);
        }
        if config.sectors {
            add(&["+viz_sectors", "1"]);
        }
        add(&["+viz_render_mode", &config.drawn.to_string()]);
        if config.draws_all {
            add(&["+viz_render_all", "1"]);
        }
        if !config.has_console {
            add(&["+viz_noconsole", "1"]);
        }
        add(&[
            "+viz_screen_format",
            self.pictures.format(),
            "+viz_window_hidden",
            "1",
            "+viz_noxserver",
            "1",
            "-noidle",
            "-nojoy",
        ]);
        if config.audio {
            let (rate, tics) = (config.sampling_rate.to_string(), config.audio_tics.to_string());
            add(&["+viz_soft_audio", "1", "+snd_backend", "openal", "+viz_samp_freq", &rate, "+viz_audio_tics", &tics]);
        } else if !config.plays_sound {
            add(&["-nosound", "+viz_nosound", "1"]);
        }
        if config.ticrate != 35 {
            add(&["-ticrate", &config.ticrate.to_string()]);
        }
        if config.notifications {
            add(&["+viz_notifications", "1", "+viz_notifications_tics", &config.notification_tics.to_string()]);
        }
        add(&config.arguments.iter().map(String::as_str).collect::<Vec<_>>());
        all
    }
}

/// What an engine is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing.
    Idle,
    /// Being started.
    Launching,
    /// Coming up.
    Booting,
    /// Playing the tics before the first episode, or another one.
    Warming { is_first: bool },
    /// Coming to the map again, for so many tics since it was asked.
    Restarting { tics: u32 },
    /// Holding the buttons with which a game is begun that is to be played again.
    Holding,
    /// Playing a game again: at this byte of its journal, whose entry is to be done so many times more.
    Replaying { at: usize, left: u64 },
    /// Playing a step tic by tic, of which so many are left.
    Exactly { left: u32 },
    /// At the last thing to do, of a step or of what begins an episode.
    Last { is_first: bool, begins: bool },
}

/// A game as it can be played again: the engine cannot save its state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Saved {
    /// Games before this one, as far as its pictures depend on them.
    before: Vec<Journal>,
    journal: Journal,
    /// All variables, by which it is seen whether a game that was played again is the same.
    variables: Vec<f64>,
    /// Likewise a digest of its pictures.
    pictures: u32,
    tic: u32,
    reward: f64,
    counts: Counts,
}

/// What rewards have been given for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Counts {
    /// The tic that its map should have come to.
    last_tic: u32,
    tic: u32,
    reward: f64,
    variables: [f64; 10],
    has_left: bool,
}

/// Variables that the engine counts on from game to game: frags, deaths, hits, damage.
const COUNTED_ON: std::ops::Range<usize> = 3..9;

/// An engine, and the game it plays.
pub struct Game {
    settings: Arc<Settings>,
    stage: Stage,
    id: String,
    starting: Option<Started>,
    engine: Option<Engine>,
    memory: Option<Memory>,
    /// Whether it has been told to end, and whether it writes a recording before.
    is_ending: bool,
    writes: bool,
    /// Answers that are waited for.
    expected: usize,
    /// When it was told what it is at.
    since: Instant,
    messages: Vec<Message>,
    /// What brings it to its map.
    map_command: String,
    counts: Counts,
    /// What a step that is played tic by tic has pressed.
    pressed: Vec<f64>,
    /// Games before the one that is played, the last of them.
    before: Vec<Journal>,
    journal: Journal,
    /// A game to be played again before anything else, and which of those before it is being played.
    again: Option<(Box<Saved>, usize)>,
    /// What variables had come to in games before those of this engine.
    counted_before: [f64; COUNTED_ON.end - COUNTED_ON.start],
    /// The process that started it.
    owner: u32,
    /// Whose thread must not end before the engine.
    _starter: Starter,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("stage", &self.stage).field("process", &self.process()).finish_non_exhaustive()
    }
}

impl Saved {
    /// One of the games before, or the last one.
    fn game(&self, number: usize) -> &Journal {
        self.before.get(number).unwrap_or(&self.journal)
    }

    /// The same with so many tics more.
    #[cfg(test)]
    pub(super) fn longer(mut self, tics: u32) -> Self {
        (0..tics).for_each(|_| self.journal.note(&[0], &[1.0], 1, true));
        self
    }

    /// How many tics it takes to play all of it again.
    fn length(&self) -> u64 {
        self.before.iter().chain([&self.journal]).map(Journal::length).fold(0, u64::saturating_add)
    }

    /// Why it cannot have been a game's with these settings, in words, if it cannot.
    ///
    /// # Errors
    /// That.
    pub fn check(&self, settings: &Settings) -> Result<(), String> {
        if !self.before.iter().chain([&self.journal]).all(Journal::is_whole) || self.variables.len() != variables::COUNT {
            return Err("its values are out of range".into());
        }
        let (limit, start) = (u64::from(settings.config.timeout), u64::from(settings.config.start));
        let longest = self.before.iter().chain([&self.journal]).map(Journal::length).max().unwrap_or(0);
        // Nothing is played beyond a game's limit, but for the rest of a step and a state that is looked at once more.
        if limit > 0 && longest > limit + start + OVER {
            return Err(format!("it has a game of {longest} tics, where games have {limit} at most"));
        }
        match self.length() {
            length if length > MOST_REPLAYED => {
                Err(format!("it has {length} tics to play again, of which {MOST_REPLAYED} are allowed"))
            }
            _ => Ok(()),
        }
    }
}

impl Game {
    /// Queues the start of an engine. [`advance`](Self::advance) reports when its first episode runs, or why it has none.
    pub fn start(settings: &Arc<Settings>, starter: &Starter, seed: u32) -> Self {
        let id = engine::new_id();
        let launch = Launch {
            program: settings.program.clone(),
            name: settings.name.clone(),
            arguments: settings.arguments(&id, seed),
            recordings: settings.recordings.clone(),
            temporary: std::env::temp_dir(),
            id: id.clone(),
        };
        Self {
            stage: Stage::Launching,
            starting: Some(engine::start(launch, starter)),
            engine: None,
            memory: None,
            is_ending: false,
            writes: false,
            expected: 1,
            since: Instant::now(),
            messages: Vec::new(),
            map_command: String::new(),
            counts: Counts { last_tic: 1, ..Counts::default() },
            pressed: Vec::new(),
            before: Vec::new(),
            journal: Journal::new(seed, true, Vec::new()),
            again: None,
            counted_before: [0.0; COUNTED_ON.end - COUNTED_ON.start],
            owner: std::process::id(),
            _starter: starter.clone(),
            settings: Arc::clone(settings),
            id,
        }
    }

    /// Queues the start of an engine that replays a game. The replay is checked to be the same game.
    pub fn start_again(settings: &Arc<Settings>, starter: &Starter, saved: Saved) -> Self {
        // Only an engine's first game depends on the seed that it is started with.
        let mut game = Self::start(settings, starter, saved.game(0).seed);
        game.again = Some((Box::new(saved), 0));
        game
    }

    /// The game as it can be played again.
    ///
    /// # Errors
    /// In words, where it cannot.
    pub fn save(&self) -> Result<Saved, &'static str> {
        if self.settings.recordings.is_some() {
            return Err("a game that is being recorded cannot be taken up elsewhere");
        }
        if self.memory().is_multiplayer() {
            return Err("a game of several players cannot be played again");
        }
        let saved = Saved {
            before: if Journal::is_settled(std::slice::from_ref(&self.journal)) { Vec::new() } else { self.before.clone() },
            journal: self.journal.clone(),
            variables: (0..variables::COUNT).map(|variable| self.variable(variable)).collect(),
            pictures: self.pictures(),
            tic: self.memory().map_tic(),
            reward: self.memory().reward(),
            counts: self.counts.clone(),
        };
        match saved.length() > MOST_REPLAYED {
            true => Err("a game that has gone on for more than eight hours of its time is not played again"),
            false => Ok(saved),
        }
    }

    /// A digest of all pictures.
    fn pictures(&self) -> u32 {
        let mut digest = crc32fast::Hasher::new();
        for region in [Region::Screen, Region::Depth, Region::Labels, Region::Automap] {
            digest.update(self.memory().region(region));
        }
        digest.finalize()
    }

    /// A variable of the game.
    pub fn variable(&self, variable: usize) -> f64 {
        let before = if COUNTED_ON.contains(&variable) { self.counted_before[variable - COUNTED_ON.start] } else { 0.0 };
        self.memory().variable(variable) + before
    }

    /// What follows when an episode has begun, or everything has been done, where a game is to be played again.
    fn go_on_again(&mut self, begins: bool) -> Result<(), Fault> {
        match (&self.again, begins) {
            (None, _) => Ok(()),
            (Some((saved, number)), true) if self.journal.is_first && !saved.game(*number).is_first => {
                let held = &saved.game(*number).held;
                if held.is_empty() {
                    return self.begin_again();
                }
                held.iter().for_each(|(button, value)| self.memory().press(usize::from(*button), *value));
                self.stage = Stage::Holding;
                self.send([(TIC, "")], 1)
            }
            (Some(_), true) => self.play_again(0, 0),
            (Some(_), false) => match self.again.take() {
                Some((saved, _)) => self.check_again(*saved),
                None => Ok(()),
            },
        }
    }

    /// Begins the game that is to be played again, in an engine that has played another one.
    fn begin_again(&mut self) -> Result<(), Fault> {
        let seed = self.again.as_ref().map_or(0, |(saved, number)| saved.game(*number).seed);
        self.begin_episode(seed, None)
    }

    /// Goes on with a game that is to be played again, once the engine has begun one: with what was done next, or once more, as it was done.
    fn play_again(&mut self, at: usize, left: u64) -> Result<(), Fault> {
        let Some((saved, number)) = &mut self.again else { return Ok(()) };
        let Some((entry, next)) = saved.game(*number).entry(at) else {
            if *number < saved.before.len() {
                *number += 1;
                return self.begin_again();
            }
            self.stage = Stage::Idle;
            return self.go_on_again(false);
        };
        (0..buttons::COUNT).for_each(|button| self.memory().press(button, entry.values[button]));
        let left = if left == 0 { entry.times } else { left } - 1;
        self.stage = Stage::Replaying { at: if left == 0 { next } else { at }, left };
        let tics = entry.tics as usize;
        let last = match (tics, entry.draws) {
            (0, _) => UPDATE,
            (_, true) => TIC_AND_UPDATE,
            (_, false) => TIC,
        };
        self.send(std::iter::repeat_n((TIC, ""), tics.saturating_sub(1)).chain([(last, "")]), tics.max(1))
    }

    /// Sees whether a game that was played again is the same.
    fn check_again(&mut self, saved: Saved) -> Result<(), Fault> {
        let memory = self.memory();
        if (memory.map_tic(), memory.reward()) != (saved.tic, saved.reward) {
            return Err(Fault::Differs("its time and its reward are"));
        }
        let mut before = [0.0; COUNTED_ON.end - COUNTED_ON.start];
        for (variable, value) in saved.variables.iter().enumerate() {
            let now = memory.variable(variable);
            match COUNTED_ON.contains(&variable) {
                true => before[variable - COUNTED_ON.start] = value - now,
                false if now.to_bits() == value.to_bits() => {}
                false => return Err(Fault::Differs("its variables are")),
            }
        }
        if self.pictures() != saved.pictures {
            return Err(Fault::Differs("its pictures are"));
        }
        (self.counted_before, self.counts) = (before, saved.counts);
        (self.before, self.journal) = (saved.before, saved.journal);
        Ok(())
    }

    /// Number of its process, once it is started.
    pub fn process(&self) -> Option<u32> {
        self.engine.as_ref().map(|engine| engine.child.id())
    }

    /// The name that it has in shared memory, while it has one.
    #[cfg(test)]
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// What it shows. Only for whoever has seen it idle.
    ///
    /// # Panics
    /// Where its first episode has not begun.
    pub fn memory(&self) -> &Memory {
        self.memory.as_ref().expect("an engine whose first episode has begun has its memory")
    }

    fn send<'a>(&mut self, messages: impl IntoIterator<Item = (u8, &'a str)>, answers: usize) -> Result<(), Fault> {
        self.since = Instant::now();
        self.expected = answers;
        match &self.engine {
            Some(engine) => Ok(engine.to_engine.send(messages)?),
            None => Err(Fault::Gone("it was ended before".into())),
        }
    }

    /// Begins another episode. A recording goes into a file of that name, in the folder for recordings.
    ///
    /// # Errors
    /// Where the engine is of no use any more.
    pub fn begin_episode(&mut self, seed: u32, recording: Option<&str>) -> Result<(), Fault> {
        let map = &self.settings.config.map;
        let memory = self.memory();
        let (records, multiplayer) = (memory.records(), memory.is_multiplayer());
        let held = (0..buttons::COUNT).map(|button| (button as u8, memory.pressed(button)));
        let held = held.filter(|(_, value)| *value != 0.0).collect();
        self.map_command = match recording {
            _ if multiplayer => format!("changemap {map}"),
            Some(file) => format!("recordmap {RECORDINGS}/{file} {map}"),
            None => format!("map {map}"),
        };
        self.before.push(std::mem::replace(&mut self.journal, Journal::new(seed, false, held)));
        while Journal::is_settled(&self.before[1..]) {
            self.before.remove(0);
        }
        (0..buttons::COUNT).for_each(|button| self.memory().press(button, 0.0));
        let seed = format!("viz_set_seed {seed}");
        let command = self.map_command.clone();
        let commands = records.then_some("stop").into_iter().chain([seed.as_str(), command.as_str()]);
        let commands = commands.map(|command| (COMMAND, command));
        self.stage = Stage::Restarting { tics: 1 };
        match multiplayer {
            true => self.send(commands.chain([(COMMAND, "-use"), (COMMAND, "+use"), (TIC, "")]).collect::<Vec<_>>(), 1),
            false => self.send(commands.chain([(TIC, "")]).collect::<Vec<_>>(), 1),
        }
    }

    /// Whether the episode is over.
    pub fn is_finished(&self) -> bool {
        let memory = self.memory();
        memory.has_map_ended() || (memory.is_dead() && !memory.is_multiplayer()) || self.is_timed_out()
    }

    /// Whether it is over because of a limit of time.
    pub fn is_timed_out(&self) -> bool {
        let (memory, config) = (self.memory(), &self.settings.config);
        let tic = memory.map_tic();
        (config.timeout > 0 && config.timeout + config.start <= tic) || (memory.tic_limit() > 0 && memory.tic_limit() <= tic)
    }

    /// Begins to play so many tics with these buttons, which are as many as the configuration has. Where it is not done `exactly`, tics go
    /// on after an episode has ended among them.
    ///
    /// # Errors
    /// Where the engine is of no use any more.
    pub fn step(&mut self, values: &[f64], tics: u32, exactly: bool) -> Result<(), Fault> {
        let settings = Arc::clone(&self.settings);
        settings.config.buttons.iter().zip(values).for_each(|(button, value)| self.memory().press(*button, *value));
        if self.is_finished() || tics == 0 {
            self.stage = Stage::Idle;
            return Ok(());
        }
        if exactly || tics > STEP || self.memory().is_multiplayer() {
            self.pressed.clear();
            self.pressed.extend(values);
            return self.play_one(tics);
        }
        let tic = self.memory().map_tic();
        let limits = [settings.config.timeout.saturating_add(settings.config.start), self.memory().tic_limit()];
        let limited = [settings.config.timeout > 0, self.memory().tic_limit() > 0];
        let left = limits.iter().zip(limited).filter(|(_, limited)| *limited).map(|(limit, _)| limit.saturating_sub(tic)).min();
        let tics = left.map_or(tics, |left| tics.min(left.max(1)));
        self.counts.last_tic = tic + tics;
        self.journal.note(&settings.config.buttons, values, tics, true);
        self.stage = Stage::Last { is_first: false, begins: false };
        self.send(std::iter::repeat_n((TIC, ""), tics as usize - 1).chain([(TIC_AND_UPDATE, "")]), tics as usize)
    }

    /// Plays the next of so many tics.
    fn play_one(&mut self, left: u32) -> Result<(), Fault> {
        self.counts.last_tic = self.memory().map_tic() + 1;
        self.journal.note(&self.settings.config.buttons, &self.pressed, 1, left == 1);
        self.stage = Stage::Exactly { left };
        self.send([(if left == 1 { TIC_AND_UPDATE } else { TIC }, "")], 1)
    }

    /// The reward since it was last asked for, or since the episode began.
    pub fn take_reward(&mut self) -> f64 {
        let settings = Arc::clone(&self.settings);
        let Rewards { living, death, map_exit, variables } = settings.config.rewards;
        let memory = self.memory();
        let (scenario, is_dead, has_left) = (memory.reward(), memory.is_dead(), memory.has_map_ended() && !memory.is_dead());
        let mut reward = scenario - self.counts.reward;
        reward += f64::from(self.counts.last_tic.saturating_sub(self.counts.tic)) * living;
        if is_dead {
            reward += death;
        }
        if has_left && !self.counts.has_left {
            reward += map_exit;
        }
        for (slot, (variable, each)) in variables.into_iter().enumerate() {
            if each != 0.0 {
                let now = self.variable(variable);
                let change = now - self.counts.variables[slot];
                // Of health and armor, only what is won counts.
                reward += if WON_ALONE.contains(&variable) { change.max(0.0) } else { change } * each;
                self.counts.variables[slot] = now;
            }
        }
        (self.counts.reward, self.counts.tic, self.counts.has_left) = (scenario, self.counts.last_tic, has_left);
        reward
    }

    /// Begins to count rewards, in an episode that has just begun.
    fn count_from_here(&mut self) {
        let (tic, reward) = (self.memory().map_tic(), self.memory().reward());
        let variables = self.settings.config.rewards.variables.map(|(variable, _)| self.variable(variable));
        self.counts = Counts { last_tic: tic, tic, reward, variables, has_left: false };
    }

    /// Takes what the engine has answered, tells it what is next, and says whether it has done everything. It never waits.
    ///
    /// # Errors
    /// Where the engine is of no use any more.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        loop {
            match self.stage {
                Stage::Idle => return Ok(true),
                Stage::Launching => {
                    let Some(started) = self.starting.as_ref().and_then(Started::poll) else { return Ok(false) };
                    self.starting = None;
                    self.engine = Some(started?);
                    self.stage = Stage::Booting;
                    self.since = Instant::now();
                }
                _ => {
                    if self.engine.as_ref().is_none_or(|engine| engine.from_engine.present() < self.expected) {
                        return Ok(false);
                    }
                    self.take_messages()?;
                    if self.expected > 0 {
                        return Ok(false);
                    }
                    self.go_on()?;
                }
            }
        }
    }

    /// Takes the messages that are there.
    fn take_messages(&mut self) -> Result<(), Fault> {
        let Some(engine) = &self.engine else { return Ok(()) };
        engine.from_engine.take_all(&mut self.messages)?;
        for Message { code, text } in self.messages.drain(..) {
            match code {
                DONE => self.expected = self.expected.saturating_sub(1),
                ERROR => return Err(Fault::Told(text)),
                CLOSED => return Err(Fault::Gone("it has closed itself".into())),
                other => return Err(Fault::Unknown(format!("it sent a message of kind {other}"))),
            }
        }
        Ok(())
    }

    /// What follows when the engine has answered all that it was told.
    fn go_on(&mut self) -> Result<(), Fault> {
        match self.stage {
            Stage::Idle | Stage::Launching => {}
            Stage::Booting => {
                self.shake_hands()?;
                self.warm(true)?;
            }
            Stage::Warming { is_first } => self.warm(is_first)?,
            Stage::Restarting { tics } => {
                let (is_elsewhere, multiplayer) = {
                    let memory = self.memory();
                    (memory.has_map_ended() || memory.map_tic() > self.counts.last_tic, memory.is_multiplayer())
                };
                let asks_again = tics > ASKED_AGAIN && !multiplayer;
                let command = self.map_command.clone();
                if asks_again {
                    self.send([(COMMAND, command.as_str())], 0)?;
                }
                if !is_elsewhere {
                    if multiplayer {
                        self.send([(COMMAND, "-use")], 0)?;
                    }
                    return self.warm(false);
                }
                let tics = if asks_again { 1 } else { tics + 1 };
                self.stage = Stage::Restarting { tics };
                match multiplayer {
                    true => self.send([(COMMAND, if tics % 2 == 1 { "+use" } else { "-use" }), (TIC, "")], 1)?,
                    false => self.send([(TIC, "")], 1)?,
                }
            }
            Stage::Exactly { left } => {
                let left = left - 1;
                match (self.is_finished(), left) {
                    (_, 0) => self.stage = Stage::Idle,
                    (true, _) => {
                        self.journal.note(&self.settings.config.buttons, &self.pressed, 0, true);
                        self.stage = Stage::Last { is_first: false, begins: false };
                        self.send([(UPDATE, "")], 1)?;
                    }
                    (false, left) => self.play_one(left)?,
                }
            }
            Stage::Last { is_first, begins } => {
                if is_first {
                    let settings = Arc::clone(&self.settings);
                    self.memory().set_available(&settings.config.buttons);
                }
                if begins {
                    self.count_from_here();
                }
                self.stage = Stage::Idle;
                return self.go_on_again(begins);
            }
            Stage::Holding => self.begin_again()?,
            Stage::Replaying { at, left } => self.play_again(at, left)?,
        }
        Ok(())
    }

    /// Opens the memory of an engine that has come up.
    fn shake_hands(&mut self) -> Result<(), Fault> {
        let path = shared_file(&format!("{MEMORY}{}", self.id));
        let memory = Memory::open(&path)?;
        // Nothing has a name from here on that would have to be removed, in whatever way a process ends.
        if let Some(engine) = &mut self.engine {
            engine.unname(self.settings.recordings.is_some());
        }
        let (width, height) = self.settings.drawn;
        let pixels = width as usize * height as usize;
        let (has_width, has_height, pitch) = memory.size();
        if (has_width, has_height) != (width, height)
            || memory.region(Region::Screen).len() != pixels * self.settings.pictures.bytes()
        {
            let expected = format!("expected pictures of {width} x {height}");
            return Err(Fault::Unknown(format!("it draws {has_width} x {has_height} pixels, {pitch} to a row: {expected}")));
        }
        if memory.is_netgame() {
            return Err(Fault::Unknown("it plays over a network, which cannot be waited for".into()));
        }
        if let (Some(patch), Some(process)) = (&self.settings.patch, self.process())
            && pitch == u64::from(width)
        {
            patch.apply(process);
        }
        self.memory = Some(memory);
        Ok(())
    }

    /// Plays what is left of the tics before an episode, or else brings everything up to date.
    fn warm(&mut self, is_first: bool) -> Result<(), Fault> {
        let left = self.settings.config.start.saturating_sub(self.memory().map_tic());
        if left > 0 {
            self.stage = Stage::Warming { is_first };
            let tics = left.min(BATCH) as usize;
            return self.send(std::iter::repeat_n((TIC, ""), tics), tics);
        }
        self.stage = Stage::Last { is_first, begins: true };
        match is_first {
            true => self.send([(UPDATE, "")], 1),
            false => self.send([(COMMAND, "viz_override_player 0"), (UPDATE, "")], 1),
        }
    }

    /// Whether nothing is left to be told once the engine has answered.
    pub fn is_at_last(&self) -> bool {
        matches!(self.stage, Stage::Idle | Stage::Last { .. })
    }

    /// Sleeps until the engine has answered, or `until`, or for no reason.
    pub fn wait(&self, until: Instant) {
        match self.stage {
            Stage::Idle => {}
            Stage::Launching => std::thread::sleep(until.saturating_duration_since(Instant::now()).min(Duration::from_millis(1))),
            _ => self.engine.iter().for_each(|engine| engine.from_engine.wait(self.expected, until)),
        }
    }

    /// Looks whether the engine is there, has something to say, and answers in time.
    ///
    /// # Errors
    /// Where not.
    pub fn check(&mut self) -> Result<(), Fault> {
        if self.stage == Stage::Launching {
            return Ok(());
        }
        let exited = self.engine.as_mut().map(|engine| engine.child.try_wait());
        // What it said before it ended says more than how it ended.
        self.take_messages()?;
        match exited {
            Some(Ok(Some(status))) if self.expected > 0 => return Err(Fault::ended(status)),
            Some(Err(error)) => return Err(Fault::Gone(error.to_string())),
            _ => {}
        }
        match self.is_late() {
            true => Err(Fault::silent(self.patience())),
            false => Ok(()),
        }
    }

    /// How long the engine may take to answer.
    fn patience(&self) -> Duration {
        let own = self.settings.patience;
        match self.memory {
            Some(_) => own,
            // An engine that finds no shared memory hangs in its handler of such errors.
            None if self.since.elapsed() > HANGING && fault::is_out_of_room() => HANGING,
            None => own.max(self.settings.starting),
        }
    }

    /// Whether the engine has not answered for too long.
    fn is_late(&self) -> bool {
        self.expected > 0 && self.since.elapsed() > self.patience()
    }

    /// Begins to end the engine: at once, or, if it records, so that the recording is written.
    pub fn begin_to_end(&mut self) {
        if self.owner != std::process::id() || std::mem::replace(&mut self.is_ending, true) {
            return;
        }
        if let Some(starting) = &self.starting {
            starting.cancel();
        }
        // What it was told before comes first.
        let records = !self.is_late() && self.memory.as_ref().is_some_and(Memory::records);
        self.writes = records && self.send([(COMMAND, "stop"), (TIC, ""), (CLOSE, "")], 1).is_ok();
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.writes) {
            let _gone_already = engine.child.kill();
        }
    }

    /// Ends the engine at once, as it is of no use any more, and so that no recording is waited for.
    pub fn give_up(&mut self) {
        self.is_ending = true;
        self.end();
    }

    /// Ends it. An engine that writes a recording has as long for it as for any answer.
    pub fn end(&mut self) {
        if self.owner != std::process::id() {
            return;
        }
        self.begin_to_end();
        if let Some(starting) = self.starting.take() {
            starting.cancel();
            starting.end();
        }
        if let Some(engine) = self.engine.take() {
            let patience = if self.writes { self.settings.patience } else { Duration::ZERO };
            engine.end(self.since + patience);
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.end();
    }
}

/// Characters that the name of a recording may have, so that the command fits into a message.
pub fn longest_recording(map: &str) -> usize {
    MOST_TEXT - "recordmap r/ ".len() - map.len().min(64)
}
