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
    /// The buttons that were held when the replayed game started are being pressed.
    PressingHeldButtons,
    /// The journal entry at byte `at` is being replayed, and will be repeated `left` more times.
    Replaying { at: usize, left: u64 },
    /// A step is being played tic by tic; `left` tics are still to be played.
    SteppingTics { left: u32 },
    /// The last reply of a step or of a new episode is awaited.
    Last { is_first: bool, begins_episode: bool },
}
