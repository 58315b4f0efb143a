//! A lane: an engine's process, and the rules of the tasks that are played on it.

use std::time::Instant;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use envpool_rs_engine::{
    Action, Answer, Answered, Asked, Ended, Error, Message, Picture, ProcessLane, Result, Row, RowOut, View,
};
use envpool_rs_engine::{read_value, refused_state, write_value};
use envpool_rs_sim_vizdoom::{
    Shared, Starter,
    game::{Fault, Game, Saved, Settings},
};

/// What is made of a game: a family of tasks.
pub trait Rules: Send + 'static {
    /// What has to be kept for an environment to be taken up elsewhere, beside its game.
    type State: Serialize + DeserializeOwned + Send;

    /// That of this environment.
    fn save(&self) -> Self::State;

    /// Whether it can be this environment's.
    fn is_valid(&self, state: &Self::State) -> bool;

    /// Puts this environment into it.
    fn load(&mut self, state: Self::State);

    /// Begins its random stream, or whatever seeds games.
    fn seed(&mut self, seed: u64);

    /// The seed of the next game.
    fn next_game(&mut self) -> u32;

    /// The file that the next game is recorded in; `first` where its engine is just being started.
    fn recording(&mut self, first: bool) -> Option<String>;

    /// What an action does to the buttons.
    fn press(&self, action: &Action<'_>, values: &mut Vec<f64>);

    /// What to press to go on in the game where an episode ended that way, if the next one is to begin there.
    fn goes_on(&self, game: &Game, ended: Ended) -> Option<Vec<f64>>;

    /// Tics of a step.
    fn tics(&self) -> u32;

    /// Whether no tic is to be played after the end of an episode.
    fn is_exact(&self) -> bool;

    /// Takes in how an episode begins.
    fn begun(&mut self, game: &mut Game);

    /// Takes in what a step has come to, and says whether it has ended the episode: by the rules, by a limit of the game's. At the time
    /// limit of the pool, the episode is `cut`.
    fn stepped(&mut self, game: &mut Game, cut: bool) -> (bool, bool);

    /// Keeps what is shown now as the last of its episode.
    fn keep_last(&mut self);

    /// Writes what is shown, or what was kept as the last of an episode.
    fn observe(&self, is_last: bool, observation: &mut Row<'_>);

    /// Writes the infos, likewise.
    fn info(&self, is_last: bool, infos: &mut Row<'_>);

    /// The reward of the last step.
    fn reward(&self) -> f64;

    /// A picture of the game, as [`ProcessLane::paint`].
    fn paint(&self, game: &Game, view: &View) -> Picture;
}

/// What a lane was asked.
#[derive(Debug, Clone, Copy)]
enum Asking {
    Reset { seed: Option<u64> },
    Next { ended: Ended },
    Step { cut: bool, anew: bool },
    Save,
    Load,
}

/// A lane's state.
#[derive(Serialize, Deserialize)]
struct LaneState<S> {
    rules: S,
    /// None before the first reset, or where its engine was lost.
    game: Option<Saved>,
    elapsed: i32,
    has_lost: bool,
}

/// What an engine is doing for it.
#[derive(Debug, Clone, Copy)]
enum Doing {
    Beginning,
    GoingOn,
    Stepping { cut: bool, anew: bool },
}

/// How often an engine is started anew for one answer.
const MOST_LOSSES: u32 = 2;

/// A lane.
pub struct Lane<R: Rules> {
    rules: R,
    settings: Shared<Settings>,
    starter: Starter,
    /// Whether an engine that was lost is replaced at once.
    restarts: bool,
    game: Option<Game>,
    values: Vec<f64>,
    asking: Asking,
    doing: Doing,
    /// Steps of the episode.
    elapsed: i32,
    /// Of the step that has ended its episode, while the next one begins in the same answer.
    ended: Option<(bool, bool)>,
    losses: u32,
    /// Whether the last answer told of a loss.
    has_lost: bool,
    /// Of the step that was asked.
    reward: f64,
    answer: Option<Result<Answered, Fault>>,
    /// A state to be put into, and the engine that plays its game again.
    loading: Option<(LaneState<R::State>, Option<Game>)>,
    /// An answer that is no row.
    value: Option<Result<Vec<u8>, String>>,
    /// Whether its pool is being closed.
    is_ending: bool,
}

impl<R: Rules> Lane<R> {
    /// A lane without an engine, which is started by its first reset.
    pub fn new(rules: R, settings: Shared<Settings>, starter: Starter, restarts: bool) -> Self {
        Self {
            rules,
            settings,
            starter,
            restarts,
            game: None,
            values: Vec::new(),
            asking: Asking::Reset { seed: None },
            doing: Doing::Beginning,
            elapsed: 0,
            ended: None,
            losses: 0,
            has_lost: false,
            reward: 0.0,
            answer: None,
            loading: None,
            value: None,
            is_ending: false,
        }
    }

    fn saved(&self) -> Result<Vec<u8>, String> {
        let game = self.game.as_ref().map(Game::save).transpose()?;
        let mut bytes = Vec::new();
        let (elapsed, has_lost) = (self.elapsed, self.has_lost);
        write_value(&mut bytes, &LaneState { rules: self.rules.save(), game, elapsed, has_lost });
        Ok(bytes)
    }

    fn decoded(&self, mut bytes: &[u8]) -> Result<LaneState<R::State>> {
        let state: LaneState<R::State> = read_value(&mut bytes)?;
        if !bytes.is_empty() || !self.rules.is_valid(&state.rules) {
            return Err(refused_state("its values are out of range"));
        }
        match state.game.as_ref().map_or(Ok(()), |game| game.check(&self.settings)) {
            Ok(()) => Ok(state),
            Err(why) => Err(refused_state(&why)),
        }
    }

    /// Begins to play the game of a state again, with an engine of its own: until that has come there, everything is as it was.
    fn begin_to_load(&mut self) {
        let Some((state, game)) = &mut self.loading else { return };
        let Some(saved) = state.game.take() else { return };
        *game = Some(Game::start_again(&self.settings, &self.starter, saved));
    }

    fn refuse(&mut self, fault: &Fault) {
        (self.loading, self.value) = (None, Some(Err(fault.to_string())));
    }

    /// Goes on with a state that is being loaded, until it has been taken or refused.
    fn go_on_loading(&mut self) {
        if let Some((_, Some(game))) = &mut self.loading {
            match game.advance() {
                Ok(false) => return,
                Ok(true) => {}
                Err(fault) => self.refuse(&fault),
            }
        }
        if let Some((state, game)) = self.loading.take() {
            self.rules.load(state.rules);
            (self.game, self.elapsed, self.has_lost) = (game, state.elapsed, state.has_lost);
            self.value = Some(Ok(Vec::new()));
        }
    }

    /// The engine that is waited for.
    fn awaited(&self) -> Option<&Game> {
        match &self.loading {
            Some((_, game)) => game.as_ref(),
            None => self.game.as_ref(),
        }
    }

    fn begin_game(&mut self) -> Result<(), Fault> {
        self.doing = Doing::Beginning;
        let seed = self.rules.next_game();
        let recording = self.rules.recording(self.game.is_none());
        match &mut self.game {
            Some(game) => game.begin_episode(seed, recording.as_deref()),
            None => {
                self.game = Some(Game::start(&self.settings, &self.starter, seed));
                Ok(())
            }
        }
    }

    /// Begins the episode after one that has ended.
    fn begin_next(&mut self, ended: Ended) -> Result<(), Fault> {
        let tics = self.rules.tics();
        if !self.has_lost
            && let Some(game) = &mut self.game
            && let Some(values) = self.rules.goes_on(game, ended)
        {
            self.doing = Doing::GoingOn;
            return game.step(&values, tics, true);
        }
        self.begin_game()
    }

    fn begin_asked(&mut self) -> Result<(), Fault> {
        match self.asking {
            Asking::Save | Asking::Load => Ok(()),
            Asking::Reset { seed } => {
                if let Some(seed) = seed {
                    self.rules.seed(seed);
                }
                self.begin_game()
            }
            Asking::Next { ended } => self.begin_next(ended),
            Asking::Step { cut, anew } => match &mut self.game {
                None => Err(Fault::Gone("it was lost before".into())),
                Some(game) => {
                    self.doing = Doing::Stepping { cut, anew };
                    game.step(&self.values, self.rules.tics(), self.rules.is_exact())
                }
            },
        }
    }

    /// Takes in what the engine has done. There is an answer then, or it has something else to do.
    fn done(&mut self) -> Result<(), Fault> {
        let Some(game) = &mut self.game else { return Ok(()) };
        let mut answered = Answered::default();
        match self.doing {
            Doing::Beginning => {
                self.rules.begun(game);
                self.elapsed = 0;
            }
            Doing::GoingOn => {
                self.rules.begun(game);
                self.elapsed += 1;
                answered.elapsed = self.elapsed;
            }
            Doing::Stepping { cut, anew } => {
                self.elapsed = self.elapsed.saturating_add(1);
                let (terminated, truncated) = self.rules.stepped(game, cut);
                self.reward = self.rules.reward();
                (answered.terminated, answered.truncated) = (terminated, truncated);
                if anew && (terminated || truncated || cut) {
                    self.rules.keep_last();
                    self.ended = Some((terminated, truncated));
                    return self.begin_next(Ended { elapsed: self.elapsed, at_limit: cut });
                }
            }
        }
        if let Some((terminated, truncated)) = self.ended {
            answered = Answered { terminated, truncated, ended_anew: true, ..answered };
        }
        if self.losses > 0 && matches!(self.asking, Asking::Step { .. }) {
            answered.truncated = true;
        }
        self.has_lost = self.losses > 0;
        self.answer = Some(Ok(answered));
        Ok(())
    }

    /// Gives an engine up that is of no use any more.
    fn lose(&mut self, fault: Fault) {
        if let Some(mut game) = self.game.take() {
            game.give_up();
        }
        self.losses += 1;
        if !self.restarts || self.losses > MOST_LOSSES {
            self.answer = Some(Err(fault));
            return;
        }
        if let Asking::Step { anew: true, .. } = self.asking
            && self.ended.is_none()
        {
            self.rules.keep_last();
            self.ended = Some((false, true));
        }
        if let Err(fault) = self.begin_game() {
            self.lose(fault);
        }
    }
}

impl<R: Rules> ProcessLane for Lane<R> {
    fn seed(&mut self, seed: u64) {
        self.rules.seed(seed);
    }

    fn begin(&mut self, asked: Asked<'_>) -> Result<()> {
        self.asking = match asked {
            Asked::Reset { seed, .. } => Asking::Reset { seed },
            Asked::Next { ended } => Asking::Next { ended },
            Asked::Step { action, cut, anew } => {
                self.values.clear();
                self.rules.press(&action, &mut self.values);
                Asking::Step { cut, anew }
            }
            Asked::Save => Asking::Save,
            Asked::Load(bytes) => {
                self.loading = Some((self.decoded(bytes)?, None));
                Asking::Load
            }
            Asked::Call(_) => return Err(Error::State("ViZDoom's engine cannot be called".into())),
        };
        Ok(())
    }

    fn send(&mut self) {
        self.value = None;
        match self.asking {
            Asking::Save => return self.value = Some(self.saved()),
            Asking::Load => return self.begin_to_load(),
            _ => self.loading = None,
        }
        (self.ended, self.losses, self.answer) = (None, 0, None);
        if let Err(fault) = self.begin_asked() {
            self.lose(fault);
        }
    }

    fn advance(&mut self) -> bool {
        // A wait for a lane that is being closed ends with the error that the pool is closed.
        if self.is_ending {
            return false;
        }
        if let Asking::Save | Asking::Load = self.asking {
            if self.value.is_none() {
                self.go_on_loading();
            }
            return self.value.is_some();
        }
        while self.answer.is_none() {
            let Some(game) = &mut self.game else { return false };
            let done = match game.advance() {
                Ok(false) => return false,
                Ok(true) => self.done(),
                Err(fault) => Err(fault),
            };
            if let Err(fault) = done {
                self.lose(fault);
            }
        }
        true
    }

    fn is_at_last(&self) -> bool {
        if self.loading.is_some() {
            return self.awaited().is_none_or(Game::is_at_last);
        }
        let may_begin_anew = matches!(self.doing, Doing::Stepping { anew: true, .. });
        self.answer.is_some() || (!may_begin_anew && self.game.as_ref().is_none_or(Game::is_at_last))
    }

    fn wait(&mut self, until: Instant) {
        if let (Some(game), None, None) = (self.awaited(), &self.answer, &self.value) {
            game.wait(until);
        }
    }

    fn notice(&mut self) {
        if self.is_ending {
            return;
        }
        if let Some((_, game)) = &mut self.loading {
            if let Some(Err(fault)) = game.as_mut().map(Game::check) {
                self.refuse(&fault);
            }
            return;
        }
        if let Asking::Save | Asking::Load = self.asking {
            return;
        }
        if self.answer.is_none()
            && let Some(Err(fault)) = self.game.as_mut().map(Game::check)
        {
            self.lose(fault);
        }
    }

    fn finish(&mut self, out: &mut RowOut<'_>) -> Answer {
        match self.value.take() {
            Some(Ok(bytes)) => return Answer::Value(Message::from(bytes)),
            Some(Err(why)) => return Answer::Failed(envpool_rs_engine::Fault::raised(why, Vec::new())),
            None => {}
        }
        match self.answer.take() {
            Some(Ok(answered)) => {
                if matches!(self.asking, Asking::Step { .. }) && self.losses == 0 {
                    out.rewards[0] = self.reward;
                }
                if answered.ended_anew {
                    self.rules.observe(true, &mut out.final_observation());
                    self.rules.info(true, &mut out.final_infos());
                }
                self.rules.observe(false, &mut out.observation());
                self.rules.info(false, &mut out.infos());
                Answer::Row(answered)
            }
            Some(Err(fault)) => Answer::Failed(envpool_rs_engine::Fault::raised(fault.to_string(), Vec::new())),
            None => Answer::Failed(envpool_rs_engine::Fault::raised("it was asked nothing", Vec::new())),
        }
    }

    fn cancel(&mut self) -> bool {
        // The engine of a state that is being loaded is another one than the lane's.
        let is_call = matches!(self.asking, Asking::Save | Asking::Load);
        if is_call {
            (self.loading, self.value) = (None, None);
        }
        is_call
    }

    fn show(&mut self, out: &mut RowOut<'_>) {
        self.rules.observe(false, &mut out.observation());
        self.rules.info(false, &mut out.infos());
    }

    fn paint(&mut self, view: &View) -> Picture {
        self.game.as_ref().map_or_else(Picture::default, |game| self.rules.paint(game, view))
    }

    fn begin_to_end(&mut self) {
        self.is_ending = true;
        self.loading = None;
        if let Some(game) = &mut self.game {
            game.begin_to_end();
        }
    }

    fn end(&mut self) {
        if let Some(game) = &mut self.game {
            game.end();
        }
        self.game = None;
    }
}
