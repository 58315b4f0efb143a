//! Counts how often each host was lost, and decides whether a lost host is restarted.

use std::collections::HashMap;

use crate::contract::backend_spec::{RecoveryConfig, RecoveryPolicy};

/// Counts of how often each host was lost, and the lanes that need recovery.
pub struct LossTracker {
    recovery: RecoveryConfig,
    hosts: HashMap<usize, HostRecord>,
    lanes: Vec<LaneLossState>,
    /// Number of lanes that need recovery.
    recovering: usize,
}

/// Record of how often one host was lost.
#[derive(Default)]
struct HostRecord {
    losses: u32,
    /// Number of times that the host was lost since its last reply.
    consecutive_losses: u32,
    is_given_up: bool,
}

#[derive(Clone, Default)]
struct LaneLossState {
    /// Host that was lost last while it ran the lane; `None` if the lane's host was never lost.
    host: Option<usize>,
    /// Seed that the lane received last.
    seed: Option<u64>,
    /// Whether the host was restarted, and the lane's next operation must recover the lane.
    needs_recovery: bool,
}

/// Decision after a host was lost: restart the host, or stop restarting it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossDecision {
    /// The host is restarted.
    Restart,
    /// The host is not restarted, because it was lost this number of times in a row without a reply in between.
    GiveUp(u32),
}

impl LossTracker {
    /// Creates the tracker of hosts that were never lost, for lanes that were last seeded with `seeds`.
    #[must_use]
    pub fn new(recovery: RecoveryConfig, seeds: impl Iterator<Item = Option<u64>>) -> Self {
        let lanes = seeds.map(|seed| LaneLossState { seed, ..LaneLossState::default() }).collect();
        Self { recovery, hosts: HashMap::new(), lanes, recovering: 0 }
    }

    /// Records the loss of a host that ran `lanes`. If the decision is to restart the host, its lanes need recovery.
    pub fn record_loss(&mut self, host: usize, lanes: &[u32]) -> LossDecision {
        let losses_of_host = self.hosts.entry(host).or_default();
        losses_of_host.losses += 1;
        losses_of_host.consecutive_losses += 1;
        losses_of_host.is_given_up = self.recovery.policy == RecoveryPolicy::Raise
            || losses_of_host.consecutive_losses >= self.recovery.max_consecutive_losses;
        let fate = if losses_of_host.is_given_up {
            LossDecision::GiveUp(losses_of_host.consecutive_losses)
        } else {
            LossDecision::Restart
        };
        for lane in lanes {
            self.lanes[*lane as usize].host = Some(host);
            self.set_needs_recovery(*lane as usize, fate == LossDecision::Restart);
        }
        fate
    }

    /// Allows another restart of a lane's host that the tracker has given up ([`LossDecision::GiveUp`]), and returns the host's
    /// number. If the host is lost again, it is given up again.
    pub fn allow_retry(&mut self, lane: usize) -> Option<usize> {
        let host = self.lanes[lane].host?;
        let losses_of_host = self.hosts.get_mut(&host)?;
        (losses_of_host.consecutive_losses, losses_of_host.is_given_up) =
            (self.recovery.max_consecutive_losses.saturating_sub(1), false);
        Some(host)
    }

    /// Returns the host that was lost last while it ran a lane; `None` if the lane never lost its host.
    #[must_use]
    pub fn host(&self, lane: usize) -> Option<usize> {
        self.lanes[lane].host
    }

    /// Records that a lane has replied, and therefore that its host works.
    pub fn record_reply(&mut self, lane: usize) {
        if let Some(host) = self.lanes[lane].host.and_then(|host| self.hosts.get_mut(&host)) {
            host.consecutive_losses = 0;
        }
    }

    /// Returns whether a host was restarted and has not replied since.
    #[must_use]
    pub fn has_unproven_host(&self) -> bool {
        self.hosts.values().any(|host| host.consecutive_losses > 0 && !host.is_given_up)
    }

    /// Records the seed that a lane received last.
    pub fn record_seed(&mut self, lane: usize, seed: u64) {
        self.lanes[lane].seed = Some(seed);
    }

    /// Returns a seed for a lane's next episode after its host was lost. The seed differs each time the host is lost, and is
    /// reproducible. `None` for lanes that were never seeded.
    #[must_use]
    pub fn next_seed(&self, lane: usize) -> Option<u64> {
        let lane = &self.lanes[lane];
        let losses = lane.host.and_then(|host| self.hosts.get(&host)).map_or(0, |host| host.losses);
        lane.seed.map(|seed| self.recovery.seed_derivation.derive(seed, losses))
    }

    /// Returns whether the host of a lane was restarted, and the lane's next operation must recover the lane.
    #[must_use]
    pub fn needs_recovery(&self, lane: usize) -> bool {
        self.lanes[lane].needs_recovery
    }

    /// Returns whether any lane needs recovery.
    #[must_use]
    pub fn any_needs_recovery(&self) -> bool {
        self.recovering > 0
    }

    /// Sets whether a lane needs recovery. The caller clears the flag when it requests the operation that recovers the lane, and
    /// sets it again if that operation fails.
    pub fn set_needs_recovery(&mut self, lane: usize, needs_recovery: bool) {
        let before = std::mem::replace(&mut self.lanes[lane].needs_recovery, needs_recovery);
        self.recovering = self.recovering + usize::from(needs_recovery) - usize::from(before);
    }
}
