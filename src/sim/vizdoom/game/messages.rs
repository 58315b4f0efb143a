//! Codes of messages to and from the engine (ViZDoom's `MSG_CODE_*`).

/// `MSG_CODE_DOOM_CLOSE`: the engine closes.
pub(super) const MSG_CODE_DOOM_CLOSE: u8 = 12;
/// `MSG_CODE_DOOM_ERROR`: the engine closes and reports why.
pub(super) const MSG_CODE_DOOM_ERROR: u8 = 13;
/// `MSG_CODE_TIC`: play one tic.
pub(super) const MSG_CODE_TIC: u8 = 21;
/// `MSG_CODE_UPDATE`: update state and buffers.
pub(super) const MSG_CODE_UPDATE: u8 = 22;
/// `MSG_CODE_TIC_AND_UPDATE`: play one tic, then update state and buffers.
pub(super) const MSG_CODE_TIC_AND_UPDATE: u8 = 23;
/// `MSG_CODE_COMMAND`: a console command, which has no reply.
pub(super) const MSG_CODE_COMMAND: u8 = 24;
/// `MSG_CODE_CLOSE`: close the engine.
pub(super) const MSG_CODE_CLOSE: u8 = 25;
