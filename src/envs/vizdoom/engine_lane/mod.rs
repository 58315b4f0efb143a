//! Lane (one environment of a pool) whose game a ViZDoom engine process plays under the rules of a task family.

mod snapshot;
mod state;

use std::time::Instant;

use self::state::LaneState;
use super::task_rules::TaskRules;
use envpool_rs_engine::{
    EpisodeEnd, Frame, LaneOp, LaneReply, Payload, ProcessLane, RenderParams, ResetQueue, Result, RowWriter, StepReply,
};
use envpool_rs_sim_vizdoom::{
    Shared, Spawner,
    game::{EngineFault, Game, Settings},
};

/// Request from the pool, such as reset or step, that the lane is currently processing.
#[derive(Debug, Clone, Copy)]
enum Request {
    Reset {
        seed: Option<u64>,
    },
    Next {
        ended: EpisodeEnd,
    },
    Step {
        truncate: bool,
        autoreset: bool,
    },
    Save,
    Load,
    /// Call of the queue of resets, whose reply is known.
    Call,
}

/// Operation that the lane's engine is performing.
#[derive(Debug, Clone, Copy)]
enum Operation {
    StartingEpisode,
    ContinuingGame,
    PlayingStep { truncate: bool, autoreset: bool },
}

/// Maximum number of restarts of the engine process during one request.
const MAX_RESTARTS: u32 = 2;

/// A lane whose game runs in an engine process.
pub struct EngineLane<R: TaskRules> {
    rules: R,
    settings: Shared<Settings>,
    spawner: Spawner,
    /// Whether a failed engine process is restarted within the same request; otherwise the next reset starts a new one.
    restart: bool,
    game: Option<Game>,
    values: Vec<f64>,
    request: Request,
    operation: Operation,
    /// Number of steps in the current episode.
    elapsed: i32,
    /// Flags (terminated, truncated) of the step that ended an episode; set while the next episode starts in the same request.
    ended_flags: Option<(bool, bool)>,
    restarts_in_request: u32,
    /// Whether the engine process was restarted during the last request.
    was_restarted: bool,
    /// Reward of the current step.
    reward: f64,
    reply: Option<Result<StepReply, EngineFault>>,
    /// State that is being restored, and the game of the new engine process that replays it.
    loading: Option<(LaneState<R::State>, Option<Game>)>,
    /// Result of a save or load request; such requests return no environment row.
    value_reply: Option<Result<Vec<u8>, String>>,
    queue: ResetQueue,
    /// Call of the queue that was staged.
    called: Option<Payload>,
    /// Whether the pool that owns the lane is being closed.
    is_closing: bool,
}

impl<R: TaskRules> EngineLane<R> {
    /// Creates a lane without an engine process; the first reset starts one.
    pub fn new(rules: R, settings: Shared<Settings>, spawner: Spawner, restart: bool) -> Self {
        Self {
            rules,
            settings,
            spawner,
            restart,
            game: None,
            values: Vec::new(),
            request: Request::Reset { seed: None },
            operation: Operation::StartingEpisode,
            elapsed: 0,
            ended_flags: None,
            restarts_in_request: 0,
            was_restarted: false,
            reward: 0.0,
            reply: None,
            loading: None,
            value_reply: None,
            queue: ResetQueue::default(),
            called: None,
            is_closing: false,
        }
    }

    /// Returns the game whose engine process must reply next: that of a state being restored, or the lane's own; `None` if no
    /// reply is awaited.
    fn awaited_game(&self) -> Option<&Game> {
        match &self.loading {
            Some((_, game)) => game.as_ref(),
            None => self.game.as_ref(),
        }
    }

    fn start_game(&mut self) -> Result<(), EngineFault> {
        self.operation = Operation::StartingEpisode;
        let seed = self.rules.next_seed();
        let recording = self.rules.recording_name(self.game.is_none());
        match &mut self.game {
            Some(game) => game.new_episode(seed, recording.as_deref()),
            None => {
                self.game = Some(Game::start(&self.settings, &self.spawner, seed));
                Ok(())
            }
        }
    }

    /// Starts a game with a seed; `None` continues the random stream.
    fn start_seeded(&mut self, seed: Option<u64>) -> Result<(), EngineFault> {
        if let Some(seed) = seed {
            self.rules.seed(seed);
        }
        self.start_game()
    }

    /// Starts the next episode; `ended` says how the previous episode ended.
    fn start_next_episode(&mut self, ended: EpisodeEnd) -> Result<(), EngineFault> {
        let tics = self.rules.tics();
        if let Some(seed) = self.queue.take() {
            return self.start_seeded(seed);
        }
        if !self.was_restarted
            && let Some(game) = &mut self.game
            && let Some(values) = self.rules.continuing_buttons(game, ended)
        {
            self.operation = Operation::ContinuingGame;
            return game.step(&values, tics, true);
        }
        self.start_game()
    }

    fn start_request(&mut self) -> Result<(), EngineFault> {
        match self.request {
            Request::Save | Request::Load | Request::Call => Ok(()),
            Request::Reset { seed } => {
                let seed = seed.or_else(|| self.queue.take().flatten());
                self.start_seeded(seed)
            }
            Request::Next { ended } => self.start_next_episode(ended),
            Request::Step { truncate, autoreset } => match &mut self.game {
                None => Err(EngineFault::Exited("it was lost earlier; reset the environment".into())),
                Some(game) => {
                    self.operation = Operation::PlayingStep { truncate, autoreset };
                    game.step(&self.values, self.rules.tics(), self.rules.stops_at_episode_end())
                }
            },
        }
    }

    /// Handles a completed operation of the engine process: sets the lane's reply or starts the next operation.
    fn complete_operation(&mut self) -> Result<(), EngineFault> {
        let Some(game) = &mut self.game else { return Ok(()) };
        let mut answered = StepReply::default();
        match self.operation {
            Operation::StartingEpisode => {
                self.rules.on_episode_start(game);
                self.elapsed = 0;
            }
            Operation::ContinuingGame => {
                self.rules.on_episode_start(game);
                self.elapsed += 1;
                answered.elapsed = self.elapsed;
            }
            Operation::PlayingStep { truncate, autoreset } => {
                self.elapsed = self.elapsed.saturating_add(1);
                let (terminated, truncated) = self.rules.on_step(game, truncate);
                self.reward = self.rules.reward();
                (answered.terminated, answered.truncated) = (terminated, truncated);
                if autoreset && (terminated || truncated || truncate) {
                    self.rules.keep_final();
                    self.ended_flags = Some((terminated, truncated));
                    return self.start_next_episode(EpisodeEnd { elapsed: self.elapsed, at_limit: truncate });
                }
            }
        }
        if let Some((terminated, truncated)) = self.ended_flags {
            answered = StepReply { terminated, truncated, did_autoreset: true, ..answered };
        }
        if self.restarts_in_request > 0 && matches!(self.request, Request::Step { .. }) {
            answered.truncated = true;
        }
        self.was_restarted = self.restarts_in_request > 0;
        self.reply = Some(Ok(answered));
        Ok(())
    }

    /// Closes a failed engine process, and starts a new one if `restart` is set and the request has had fewer than
    /// [`MAX_RESTARTS`] restarts.
    fn handle_loss(&mut self, fault: EngineFault) {
        if let Some(mut game) = self.game.take() {
            game.abort();
        }
        self.restarts_in_request += 1;
        if !self.restart || self.restarts_in_request > MAX_RESTARTS {
            self.reply = Some(Err(fault));
            return;
        }
        if let Request::Step { autoreset: true, .. } = self.request
            && self.ended_flags.is_none()
        {
            self.rules.keep_final();
            self.ended_flags = Some((false, true));
        }
        if let Err(fault) = self.start_game() {
            self.handle_loss(fault);
        }
    }
}

impl<R: TaskRules> ProcessLane for EngineLane<R> {
    fn seed(&mut self, seed: u64) {
        self.rules.seed(seed);
    }

    fn stage(&mut self, asked: LaneOp<'_>) -> Result<()> {
        self.request = match asked {
            LaneOp::Reset { seed, .. } => Request::Reset { seed },
            LaneOp::Next { ended } => Request::Next { ended },
            LaneOp::Step { action, truncate, autoreset } => {
                self.values.clear();
                self.rules.write_buttons(&action, &mut self.values);
                Request::Step { truncate, autoreset }
            }
            LaneOp::Save => Request::Save,
            LaneOp::Load(bytes) => {
                self.loading = Some((self.decode_state(bytes)?, None));
                Request::Load
            }
            LaneOp::Call(call) => {
                self.called = Some(call.clone());
                Request::Call
            }
        };
        Ok(())
    }

    fn send(&mut self) {
        self.value_reply = None;
        match self.request {
            Request::Save => return self.value_reply = Some(self.encode_state()),
            Request::Load => return self.start_load(),
            Request::Call => {
                let call = self.called.take().unwrap_or_default();
                self.value_reply = Some(self.queue.answer(&call).map_err(|error| error.to_string()));
                return;
            }
            _ => self.loading = None,
        }
        (self.ended_flags, self.restarts_in_request, self.reply) = (None, 0, None);
        if let Err(fault) = self.start_request() {
            self.handle_loss(fault);
        }
    }

    fn advance(&mut self) -> bool {
        // A lane that is being closed never completes its request; the caller's wait ends with the pool's `Closed` error.
        if self.is_closing {
            return false;
        }
        if let Request::Save | Request::Load | Request::Call = self.request {
            if self.value_reply.is_none() {
                self.continue_load();
            }
            return self.value_reply.is_some();
        }
        while self.reply.is_none() {
            let Some(game) = &mut self.game else { return false };
            let done = match game.advance() {
                Ok(false) => return false,
                Ok(true) => self.complete_operation(),
                Err(fault) => Err(fault),
            };
            if let Err(fault) = done {
                self.handle_loss(fault);
            }
        }
        true
    }

    fn is_last_exchange(&self) -> bool {
        if self.loading.is_some() {
            return self.awaited_game().is_none_or(Game::is_last_stage);
        }
        let may_autoreset = matches!(self.operation, Operation::PlayingStep { autoreset: true, .. });
        self.reply.is_some() || (!may_autoreset && self.game.as_ref().is_none_or(Game::is_last_stage))
    }

    fn wait(&mut self, until: Instant) {
        if let (Some(game), None, None) = (self.awaited_game(), &self.reply, &self.value_reply) {
            game.wait(until);
        }
    }

    fn probe(&mut self) {
        if self.is_closing {
            return;
        }
        if let Some((_, game)) = &mut self.loading {
            if let Some(Err(fault)) = game.as_mut().map(Game::check_engine) {
                self.refuse(&fault);
            }
            return;
        }
        if let Request::Save | Request::Load | Request::Call = self.request {
            return;
        }
        if self.reply.is_none()
            && let Some(Err(fault)) = self.game.as_mut().map(Game::check_engine)
        {
            self.handle_loss(fault);
        }
    }

    fn collect(&mut self, out: &mut RowWriter<'_>) -> LaneReply {
        match self.value_reply.take() {
            Some(Ok(bytes)) => return LaneReply::Value(Payload::from(bytes)),
            Some(Err(why)) => return LaneReply::Failed(envpool_rs_engine::LaneError::raised(why, Vec::new())),
            None => {}
        }
        match self.reply.take() {
            Some(Ok(answered)) => {
                if matches!(self.request, Request::Step { .. }) && self.restarts_in_request == 0 {
                    out.rewards[0] = self.reward;
                }
                if answered.did_autoreset {
                    self.rules.observe(true, &mut out.final_observation());
                    self.rules.info(true, &mut out.final_infos());
                }
                self.rules.observe(false, &mut out.observation());
                self.rules.info(false, &mut out.infos());
                LaneReply::Row(answered)
            }
            Some(Err(fault)) => LaneReply::Failed(envpool_rs_engine::LaneError::raised(fault.to_string(), Vec::new())),
            None => LaneReply::Failed(envpool_rs_engine::LaneError::raised("no request is pending", Vec::new())),
        }
    }

    fn cancel(&mut self) -> bool {
        // A restore replays the game in a separate engine process, so cancelling it does not affect the lane's own game.
        let is_call = matches!(self.request, Request::Save | Request::Load);
        if is_call {
            (self.loading, self.value_reply) = (None, None);
        }
        is_call
    }

    fn peek(&mut self, out: &mut RowWriter<'_>) {
        self.rules.observe(false, &mut out.observation());
        self.rules.info(false, &mut out.infos());
    }

    fn render_view(&mut self, params: &RenderParams) -> Frame {
        self.game.as_ref().map_or_else(Frame::default, |game| self.rules.paint(game, params))
    }

    fn start_shutdown(&mut self) {
        self.is_closing = true;
        self.loading = None;
        if let Some(game) = &mut self.game {
            game.start_close();
        }
    }

    fn shutdown(&mut self) {
        if let Some(game) = &mut self.game {
            game.close();
        }
        self.game = None;
    }
}
