//! Controls one ViZDoom engine process: starts it, sends commands and processes replies, without blocking the caller.
//!
//! Operations that need several messages, such as a new episode, are sequences of `Stage`s. [`Game::advance`] moves to the next
//! stage as the engine replies.

mod messages;
mod replay;
mod reward_state;
mod rewards;
mod saved_game;
mod settings;
mod stage;
mod stages;

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::messages::{MSG_CODE_CLOSE, MSG_CODE_COMMAND, MSG_CODE_DOOM_CLOSE, MSG_CODE_DOOM_ERROR, MSG_CODE_TIC};
use self::reward_state::RewardState;
use self::saved_game::CUMULATIVE;
use self::stage::Stage;
use super::engine::{self, Engine, LaunchArgs, PendingEngine};
use super::engine_fault;
use super::journal::Journal;
use super::message_queue::{MAX_TEXT_BYTES, MSG_CODE_DOOM_DONE, Message};
use super::shared_memory::SharedMemory;
use super::spawner::Spawner;

pub use self::saved_game::SavedGame;
pub use self::settings::{PixelFormat, Settings};
pub use super::engine_fault::EngineFault;

/// Time within which an engine must start while shared memory is full.
const FULL_MEMORY_TIMEOUT: Duration = Duration::from_secs(10);

/// A ViZDoom engine process and its current game.
pub struct Game {
    settings: Arc<Settings>,
    stage: Stage,
    id: String,
    pending_engine: Option<PendingEngine>,
    engine: Option<Engine>,
    memory: Option<SharedMemory>,
    /// Whether the engine has been asked to close. `writes_recording` says whether the engine then writes a recording.
    is_closing: bool,
    writes_recording: bool,
    /// Number of replies that the engine still has to send.
    expected_replies: usize,
    /// Time at which this process sent the messages that the engine has not answered yet.
    sent_at: Instant,
    messages: Vec<Message>,
    /// Console command that starts the map.
    map_command: String,
    reward_state: RewardState,
    /// Button values of the current step, if its tics are requested one by one.
    step_values: Vec<f64>,
    /// Journals of the engine's earlier games; the most recent is the last.
    previous: Vec<Journal>,
    journal: Journal,
    /// Saved game that is being replayed, and the index of the journal (one per game of the engine process) that is being
    /// replayed now.
    replay: Option<(Box<SavedGame>, usize)>,
    /// Values that the cumulative game variables had reached before this engine process was started.
    cumulative_before: [f64; CUMULATIVE.end - CUMULATIVE.start],
    /// Id of the process that started the engine.
    owner_pid: u32,
    /// Spawner of the engine process. The field keeps the spawner's thread alive, because the kernel kills the engine when this
    /// thread ends.
    _spawner: Spawner,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("stage", &self.stage).field("process", &self.process()).finish_non_exhaustive()
    }
}

impl Game {
    /// Queues the start of an engine process. [`advance`](Self::advance) reports when its first episode runs, or why it has
    /// failed.
    pub fn start(settings: &Arc<Settings>, spawner: &Spawner, seed: u32) -> Self {
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
            pending_engine: Some(engine::queue_start(launch, spawner)),
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
            _spawner: spawner.clone(),
            settings: Arc::clone(settings),
            id,
        }
    }

    /// Returns the value of a game variable. Cumulative variables include the values that earlier engine processes have
    /// reached.
    pub fn game_variable(&self, variable: usize) -> f64 {
        let before = if CUMULATIVE.contains(&variable) { self.cumulative_before[variable - CUMULATIVE.start] } else { 0.0 };
        self.memory().game_variable(variable) + before
    }

    /// Returns the process id of the engine; `None` until its process has started.
    pub fn process(&self) -> Option<u32> {
        self.engine.as_ref().map(|engine| engine.child.id())
    }

    /// Returns the instance id that names the engine's objects in shared memory.
    #[cfg(test)]
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the engine's shared memory. The engine must be idle.
    ///
    /// # Panics
    /// If the first episode has not started.
    pub fn memory(&self) -> &SharedMemory {
        self.memory.as_ref().expect("the first episode has started")
    }

    fn send<'a>(&mut self, messages: impl IntoIterator<Item = (u8, &'a str)>, answers: usize) -> Result<(), EngineFault> {
        self.sent_at = Instant::now();
        self.expected_replies = answers;
        match &self.engine {
            Some(engine) => Ok(engine.to_engine.send(messages)?),
            None => Err(EngineFault::Exited("it was closed before".into())),
        }
    }

    /// Processes the engine's replies and sends the next messages. Returns whether the operation is complete. Never waits.
    ///
    /// # Errors
    /// If the engine has failed.
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
                MSG_CODE_DOOM_CLOSE => return Err(EngineFault::Exited("it closed itself".into())),
                other => return Err(EngineFault::Unsupported(format!("it sent a message with code {other}"))),
            }
        }
        Ok(())
    }

    /// Sleeps until the engine has replied or the deadline has passed; may wake early.
    pub fn wait(&self, until: Instant) {
        match self.stage {
            Stage::Idle => {}
            Stage::Launching => std::thread::sleep(until.saturating_duration_since(Instant::now()).min(Duration::from_millis(1))),
            _ => self.engine.iter().for_each(|engine| engine.from_engine.wait(self.expected_replies, until)),
        }
    }

    /// Checks that the engine still runs and that none of its replies is overdue.
    ///
    /// # Errors
    /// If the engine has failed.
    pub fn check_engine(&mut self) -> Result<(), EngineFault> {
        if self.stage == Stage::Launching {
            return Ok(());
        }
        let exited = self.engine.as_mut().map(|engine| engine.child.try_wait());
        // Messages are received first, because an error message of the engine explains more than its exit status.
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
            // An engine that finds no free shared memory hangs in its error handler.
            None if self.sent_at.elapsed() > FULL_MEMORY_TIMEOUT && engine_fault::is_shared_memory_full() => FULL_MEMORY_TIMEOUT,
            None => own.max(self.settings.startup_timeout),
        }
    }

    /// Returns whether replies of the engine are overdue.
    fn is_overdue(&self) -> bool {
        self.expected_replies > 0 && self.sent_at.elapsed() > self.reply_timeout()
    }

    /// Starts to close the engine. An engine that records a demo is asked to write its recording; any other is killed.
    pub fn start_close(&mut self) {
        if self.owner_pid != std::process::id() || std::mem::replace(&mut self.is_closing, true) {
            return;
        }
        if let Some(starting) = &self.pending_engine {
            starting.cancel();
        }
        // The engine processes earlier messages before it writes the recording, so an engine whose reply is overdue cannot
        // write one.
        let records = !self.is_overdue() && self.memory.as_ref().is_some_and(SharedMemory::is_recording);
        self.writes_recording =
            records && self.send([(MSG_CODE_COMMAND, "stop"), (MSG_CODE_TIC, ""), (MSG_CODE_CLOSE, "")], 1).is_ok();
        if let Some(engine) = self.engine.as_mut().filter(|_| !self.writes_recording) {
            let _already_exited = engine.child.kill();
        }
    }

    /// Kills the engine, which is no longer usable, without waiting until it has written its demo recording.
    pub fn abort(&mut self) {
        self.is_closing = true;
        self.close();
    }

    /// Closes the engine. If the engine records a demo, it has `engine_timeout` to write the file.
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
            let timeout = if self.writes_recording { self.settings.engine_timeout } else { Duration::ZERO };
            engine.end(self.sent_at + timeout);
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns the maximum length of a recording's file name in bytes, so that the command that starts the map fits a message.
pub fn max_recording_name(map: &str) -> usize {
    MAX_TEXT_BYTES - "recordmap r/ ".len() - map.len().min(64)
}
