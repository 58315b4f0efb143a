//! Codes of messages to and from the engine (ViZDoom's `MSG_CODE_*`).

/// `MSG_CODE_DOOM_CLOSE`: the engine reports that it is closing.
pub(super) const MSG_CODE_DOOM_CLOSE: u8 = 12;
/// `MSG_CODE_DOOM_ERROR`: the engine reports an error and closes.
pub(super) const MSG_CODE_DOOM_ERROR: u8 = 13;
/// `MSG_CODE_TIC`: asks the engine to play one tic.
pub(super) const MSG_CODE_TIC: u8 = 21;
/// `MSG_CODE_UPDATE`: asks the engine to update state and buffers.
pub(super) const MSG_CODE_UPDATE: u8 = 22;
/// `MSG_CODE_TIC_AND_UPDATE`: asks the engine to play one tic, then to update state and buffers.
pub(super) const MSG_CODE_TIC_AND_UPDATE: u8 = 23;
/// `MSG_CODE_COMMAND`: passes a console command to the engine, which does not reply.
pub(super) const MSG_CODE_COMMAND: u8 = 24;
/// `MSG_CODE_CLOSE`: asks the engine to close.
pub(super) const MSG_CODE_CLOSE: u8 = 25;
