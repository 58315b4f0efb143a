//! Stages of the operations on a ViZDoom engine process.

/// Current stage of an operation on a ViZDoom engine process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// No operation is in progress.
    Idle,
    /// The engine process is being started.
    Launching,
    /// The engine is starting up, and has not sent its handshake.
    Booting,
    /// The tics before an episode are being played; `is_first` marks the engine's first episode.
    WarmingUp { is_first: bool },
    /// The map is being restarted; `tics` have been played since the last request to restart it.
    Restarting { tics: u32 },
    /// Before a replay starts, the buttons are being pressed that the player held when the saved game started.
    PressingHeldButtons,
    /// The journal entry at byte `at` is being replayed, and will be replayed `left` more times.
    Replaying { at: usize, left: u64 },
    /// A step is being played tic by tic; `left` tics are still to be played.
    SteppingTics { left: u32 },
    /// The controller awaits the last reply of a step or of a new episode (`begins_episode`); `is_first` marks the engine's
    /// first episode.
    Last { is_first: bool, begins_episode: bool },
}
