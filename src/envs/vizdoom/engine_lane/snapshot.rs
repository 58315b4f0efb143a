//! Saves and restores the state of an engine lane. A restore replays the game from its inputs.

use envpool_rs_engine::{Result, check_decodable, read_value, refused_state, write_value};
use envpool_rs_sim_vizdoom::game::{EngineFault, Game};

use super::EngineLane;
use super::state::LaneState;
use crate::task_rules::TaskRules;

impl<R: TaskRules> EngineLane<R> {
    /// Serializes the state of the lane.
    ///
    /// # Errors
    /// If the game cannot be saved; the error states the reason.
    pub(super) fn encode_state(&self) -> Result<Vec<u8>, String> {
        let game = self.game.as_ref().map(Game::save).transpose()?;
        let mut bytes = Vec::new();
        let (elapsed, was_restarted) = (self.elapsed, self.was_restarted);
        let state = LaneState { rules: self.rules.save(), game, elapsed, was_restarted, queue: self.queue.clone() };
        write_value(&mut bytes, &state).map_err(|error| error.to_string())?;
        Ok(bytes)
    }

    /// Deserializes and validates a state.
    ///
    /// # Errors
    /// `Value` if the state does not fit this lane; `Memory` if the system does not provide the memory for it.
    pub(super) fn decode_state(&self, mut bytes: &[u8]) -> Result<LaneState<R::State>> {
        check_decodable(bytes.len())?;
        let state: LaneState<R::State> = read_value(&mut bytes)?;
        if !bytes.is_empty() || !self.rules.is_valid(&state.rules) {
            return Err(refused_state("its values are out of range"));
        }
        match state.game.as_ref().map_or(Ok(()), |game| game.validate(&self.settings)) {
            Ok(()) => Ok(state),
            Err(why) => Err(refused_state(&why)),
        }
    }

    /// Starts to replay the game of a saved state in a new engine process. The lane's own game and rules stay unchanged until
    /// the replay is verified.
    pub(super) fn start_load(&mut self) {
        let Some((state, game)) = &mut self.loading else { return };
        let Some(saved) = state.game.take() else { return };
        *game = Some(Game::start_replay(&self.settings, &self.spawner, saved));
    }

    /// Rejects the saved state that is being restored, because the engine process that replays its game reported a fault.
    pub(super) fn refuse(&mut self, fault: &EngineFault) {
        (self.loading, self.value_reply) = (None, Some(Err(fault.to_string())));
    }

    /// Advances the replay of the saved state that is being restored; accepts or rejects the state once the replay has ended.
    pub(super) fn continue_load(&mut self) {
        if let Some((_, Some(game))) = &mut self.loading {
            match game.advance() {
                Ok(false) => return,
                Ok(true) => {}
                Err(fault) => self.refuse(&fault),
            }
        }
        if let Some((state, game)) = self.loading.take() {
            self.rules.load(state.rules);
            (self.game, self.elapsed, self.was_restarted) = (game, state.elapsed, state.was_restarted);
            self.queue = state.queue;
            self.value_reply = Some(Ok(Vec::new()));
        }
    }
}
