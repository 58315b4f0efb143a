//! Offsets in bytes of the fields of [`Tia`] that generated machine code accesses, and constants that it contains.

#![allow(dead_code, unused_imports, reason = "used only by the recompiler for x86-64")]

use std::mem::offset_of;

pub(crate) use super::line::{BL, M0, M1, P0, P1};
pub(crate) use super::registers::GRAPHICS_DELAY;
pub(crate) use super::{CLOCKS, LINE};
use super::{Missile, Player, Tia};

macro_rules! offsets {
    ($($name:ident = $($path:ident).+;)*) => { $(pub(crate) const $name: usize = offset_of!(Tia, $($path).+);)* };
}

offsets! {
    DEFERRED_TO = deferred_to;
    LINE_START = line_start;
    NO_PAINT_UNTIL = no_paint_until;
    PF = pf;
    COLUBK = colubk;
    COLUPF = ball.colupf;
    ENABL = ball.enabl;
    DENABL = ball.denabl;
    VDELBL = ball.vdelbl;
    HMBL = ball.hmbl;
    MOVING = moving;
    COLOURS = pixels.colours;
}

const fn player(index: usize, field: usize) -> usize {
    offset_of!(Tia, players) + index * size_of::<Player>() + field
}

const fn missile(index: usize, field: usize) -> usize {
    offset_of!(Tia, missiles) + index * size_of::<Missile>() + field
}

macro_rules! pairs {
    ($($name:ident = $of:ident, $type:ident, $field:ident;)*) => {
        $(pub(crate) const $name: [usize; 2] = [$of(0, offset_of!($type, $field)), $of(1, offset_of!($type, $field))];)*
    };
}

pairs! {
    GRP = player, Player, grp;
    DGRP = player, Player, dgrp;
    VDELP = player, Player, vdelp;
    REFP = player, Player, refp;
    HMP = player, Player, hmp;
    COLUP = player, Player, colup;
    ENAM = missile, Missile, enam;
    RESMP = missile, Missile, resmp;
    HMM = missile, Missile, hmm;
}
