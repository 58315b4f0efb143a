//! Width of a line, and the bits by which sets of objects are stored.

/// Number of pixels of a line.
pub const WIDTH: usize = 160;

/// Bit of player 0 in sets of objects. The following constants are the bits of the other objects: players (P), missiles (M),
/// ball (BL) and playfield (PF).
pub(crate) const P0: u8 = 0x01;
pub(crate) const M0: u8 = 0x02;
pub(crate) const P1: u8 = 0x04;
pub(crate) const M1: u8 = 0x08;
pub(crate) const BL: u8 = 0x10;
pub(super) const PF: u8 = 0x20;
/// Set of all objects that HMOVE can move.
pub(super) const MOVABLE: u8 = P0 | M0 | P1 | M1 | BL;
