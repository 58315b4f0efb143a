//! Stages of the operations of an engine.

/// Current stage of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// No operation is in progress.
    Idle,
    /// The process is being started.
    Launching,
    /// The engine is starting up; its handshake is awaited.
    Booting,
    /// Playing the tics before the first episode, or before another one.
    WarmingUp { is_first: bool },
    /// Restarting the map; `tics` played since the last request.
    Restarting { tics: u32 },
    /// Pressing the buttons that were held when a replayed game started.
    PressingHeldButtons,
    /// Replaying the journal entry at byte `at`, `left` more times.
    Replaying { at: usize, left: u64 },
    /// Playing a step tic by tic, with `left` tics to go.
    SteppingTics { left: u32 },
    /// Awaiting the last reply of a step or of a new episode.
    Last { is_first: bool, begins_episode: bool },
}
