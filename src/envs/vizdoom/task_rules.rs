//! Interface between an engine lane (one environment with an engine process) and the rules of a task family.

use serde::{Serialize, de::DeserializeOwned};

use envpool_rs_engine::{Action, EpisodeEnd, Frame, RenderParams, Row};
use envpool_rs_sim_vizdoom::game::Game;

/// Rules of a task family: actions, observations, rewards, and when episodes end.
pub trait TaskRules: Send + 'static {
    /// Serializable state of the rules, which snapshots contain; excludes the state of the game.
    type State: Serialize + DeserializeOwned + Send;

    /// Returns the state of the rules, for a snapshot.
    fn save(&self) -> Self::State;

    /// Returns whether a state from an untrusted snapshot is valid in this environment.
    fn is_valid(&self, state: &Self::State) -> bool;

    /// Restores a state that [`save`](Self::save) returned.
    fn load(&mut self, state: Self::State);

    /// Seeds the random generator that draws the seeds of games.
    fn seed(&mut self, seed: u64);

    /// Returns the seed of the next game.
    fn next_seed(&mut self) -> u32;

    /// Returns the file name for a recording of the next game; `None` if the next game is not recorded. `first` is true if the
    /// engine process starts with this game.
    fn recording_name(&mut self, first: bool) -> Option<String>;

    /// Converts an action to one value per available button.
    fn write_buttons(&self, action: &Action<'_>, values: &mut Vec<f64>);

    /// Returns the button values with which the next episode continues the current game; `None` if the next episode starts a
    /// new game.
    fn continuing_buttons(&self, game: &Game, ended: EpisodeEnd) -> Option<Vec<f64>>;

    /// Returns the number of tics per step.
    fn tics(&self) -> u32;

    /// Returns whether a step stops when the game ends, before all its tics are played.
    fn stops_at_episode_end(&self) -> bool;

    /// Updates the rules at the start of an episode.
    fn on_episode_start(&mut self, game: &mut Game);

    /// Updates the rules after a step; returns (terminated, truncated). `truncate` is true if the step reached the pool's time
    /// limit.
    fn on_step(&mut self, game: &mut Game, truncate: bool) -> (bool, bool);

    /// Stores the current observation and infos as the final ones of the episode that has just ended.
    fn keep_final(&mut self);

    /// Writes the current observation, or the final observation of the last episode if `is_last` is set.
    fn observe(&self, is_last: bool, observation: &mut Row<'_>);

    /// Writes the current infos, or the final infos of the last episode if `is_last` is set.
    fn info(&self, is_last: bool, infos: &mut Row<'_>);

    /// Returns the reward of the last step.
    fn reward(&self) -> f64;

    /// Renders a frame of the game, as [`ProcessLane::render_view`](envpool_rs_engine::ProcessLane::render_view) requests.
    fn paint(&self, game: &Game, params: &RenderParams) -> Frame;
}
