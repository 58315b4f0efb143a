//! Width of a line, and bits of its objects.

/// Pixels of a line.
pub const WIDTH: usize = 160;

/// Bits of the objects in sets of objects: players, missiles, ball, playfield.
pub(super) const P0: u8 = 0x01;
pub(super) const M0: u8 = 0x02;
pub(super) const P1: u8 = 0x04;
pub(super) const M1: u8 = 0x08;
pub(super) const BL: u8 = 0x10;
pub(super) const PF: u8 = 0x20;
/// All movable objects.
pub(super) const MOVABLE: u8 = P0 | M0 | P1 | M1 | BL;
