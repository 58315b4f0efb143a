//! Computes the reward of a step from the scenario's reward and the configuration's rewards.

use std::sync::Arc;

use super::Game;
use super::reward_state::RewardState;
use crate::config::Rewards;

/// Numbers of the game variables for which only increases are rewarded: health and armor.
const GAIN_ONLY: [usize; 2] = [9, 10];

impl Game {
    /// Returns the reward since the last call of this function, or since the start of the episode if the episode started
    /// later.
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
                // For health and armor, only increases are rewarded.
                reward += if GAIN_ONLY.contains(&variable) { change.max(0.0) } else { change } * each;
                self.reward_state.variables[slot] = now;
            }
        }
        (self.reward_state.reward, self.reward_state.tic, self.reward_state.has_exited_map) =
            (scenario, self.reward_state.last_tic, has_left);
        reward
    }

    /// Restarts the reward computation at the start of an episode.
    pub(super) fn reset_reward_state(&mut self) {
        let (tic, reward) = (self.memory().map_tic(), self.memory().map_reward());
        let variables = self.settings.config.rewards.variables.map(|(variable, _)| self.game_variable(variable));
        self.reward_state = RewardState { last_tic: tic, tic, reward, variables, has_exited_map: false };
    }
}
