//! Positions of objects: RESxx and HMOVE.
//!
//! A write to RESxx sets an object's position to the beam's position plus a few pixels. HMOVE moves all objects: it extends the
//! horizontal blank by eight pixels, which moves all objects to the right. It also gives each object up to fifteen pulses, four
//! clocks apart. Each pulse during the blank moves the object one pixel to the left.

use super::pixels::ObjectPixels;
use super::{BL, BLANK, CLOCKS, LINE, M0, M1, MOVABLE, P0, P1, Tia, WIDTH};

/// Last cycle of a line at which a write to HMOVE extends the horizontal blank of the same line. A write at `LAST_CYCLE`
/// extends the blank of the next line.
const LAST_BLANKED: i32 = 20;
const LAST_CYCLE: i32 = 75;

const fn min(one: i32, other: i32) -> i32 {
    if one < other { one } else { other }
}

/// Returns by how many pixels a write to HMOVE moves an object to the right. The write is at the cycle `cycle` of a line, and
/// `motion` is the value of the object's motion register.
const fn motion(cycle: i32, motion: u8) -> i32 {
    let pulses = (motion ^ 8) as i32;

    match cycle {
        LAST_CYCLE => 8 - pulses,
        ..=LAST_BLANKED => 8 - min(pulses, (70 - 3 * cycle) / 4),
        _ => min((222 - 3 * cycle) / 4 - pulses, 0),
    }
}

/// Motions to the right in pixels (results of `motion`), for each cycle of a line and each value of the motion register.
static MOTIONS: [[i8; 16]; (LINE / CLOCKS) as usize] = {
    let mut table = [[0; 16]; (LINE / CLOCKS) as usize];
    let mut at = 0;
    while at < 16 * table.len() {
        table[at / 16][at % 16] = motion((at / 16) as i32, (at % 16) as u8) as i8;
        at += 1;
    }
    table
};

/// Moves a position on the line by `by` pixels to the right, wrapping around.
#[inline(always)]
fn wrap_position(position: u8, by: i8) -> u8 {
    const END: i32 = WIDTH as i32;
    let moved = i32::from(position) + i32::from(by);
    let wrapped = if moved < 0 {
        moved + END
    } else if moved >= END {
        moved - END
    } else {
        moved
    };
    wrapped as u8
}

/// Returns whether a write to HMOVE at the cycle `cycle` of a line extends the horizontal blank.
fn extends_blank(cycle: i32) -> bool {
    cycle <= LAST_BLANKED || cycle == LAST_CYCLE
}

/// Last cycle of a line at which a write to HMOVE does not move objects whose motion register is zero.
const LAST_STILL: i32 = 12;

/// Positions of missile 0 after a RESM0 in special cases after an HMOVE: (cycles since the HMOVE, clock of the line, position).
/// `AFTER_HMOVE_M0` is for missile 0; the following tables are for missile 1 and the ball.
const AFTER_HMOVE_M0: [(i32, i32, u8); 1] = [(20, 69, 8)];
const AFTER_HMOVE_M1: [(i32, i32, u8); 1] = [(3, 18, 3)];
const AFTER_HMOVE_BALL: [(i32, i32, u8); 5] = [(18, 60, 10), (18, 69, 10), (3, 18, 3), (7, 30, 6), (6, 27, 5)];

impl Tia {
    /// Returns the position to which a write to RESPx at the clock `clock` sets a player, in pixels.
    pub(super) fn resp_position(&mut self, clock: i32) -> u8 {
        let at = self.line_clock_at(clock);
        if at < BLANK { 3 } else { ((at - BLANK + 5) % 160) as u8 }
    }

    fn resx_position(&mut self, clock: i32, after_hmove: &[(i32, i32, u8)]) -> u8 {
        let at = self.line_clock_at(clock);
        let since = clock.wrapping_sub(self.last_hmove);
        let special = after_hmove.iter().find(|(cycles, line_clock, _)| since == cycles * CLOCKS && at == *line_clock);
        match special {
            Some((_, _, position)) => *position,
            None if at < BLANK => 2,
            None => ((at - BLANK + 4) % 160) as u8,
        }
    }

    pub(super) fn resm_position(&mut self, index: usize, clock: i32) -> u8 {
        self.resx_position(clock, if index == 0 { &AFTER_HMOVE_M0 } else { &AFTER_HMOVE_M1 })
    }

    pub(super) fn resbl_position(&mut self, clock: i32) -> u8 {
        self.resx_position(clock, &AFTER_HMOVE_BALL)
    }

    #[inline(never)]
    fn apply_hmove(&mut self, cycle: i32, moving: u8) {
        let motions = &MOTIONS[cycle as usize % MOTIONS.len()];
        let move_one = |position: &mut u8, register: u8, pixels: &mut ObjectPixels, object: u8| {
            if moving & object != 0 {
                *position = wrap_position(*position, motions[usize::from(register & 15)]);
                pixels.invalidate(object);
            }
        };
        let Self { players: [p0, p1], missiles: [m0, m1], ball, pixels, .. } = self;
        move_one(&mut p0.position, p0.hmp, pixels, P0);
        move_one(&mut p1.position, p1.hmp, pixels, P1);
        move_one(&mut m0.position, m0.hmm, pixels, M0);
        move_one(&mut m1.position, m1.hmm, pixels, M1);
        move_one(&mut ball.position, ball.hmbl, pixels, BL);
    }

    /// Records whether an object's motion register differs from zero.
    #[inline(always)]
    pub(super) fn set_moving(&mut self, object: u8, motion: u8) {
        self.moving = if motion == 0 { self.moving & !object } else { self.moving | object };
    }

    /// Writes HMOVE: moves all objects, makes suppressed copies of players visible again, and stops the stars of the game Cosmic
    /// Ark.
    #[inline(always)]
    pub(super) fn hmove(&mut self, clock: i32) {
        let cycle = self.line_clock_at(clock) / CLOCKS;
        if self.picture.hmove_blanks && extends_blank(cycle) {
            self.hmove_blank = true;
        }
        // If the write to HMOVE comes early in a line, as in most programs, objects whose motion register is zero do not move.
        let moving = if cycle <= LAST_STILL { self.moving } else { MOVABLE };
        if moving != 0 {
            self.apply_hmove(cycle, moving);
        }
        self.end_suppression();
        if self.stars.shape != 0 {
            self.pixels.invalidate(M0);
        }
        self.last_hmove = clock;
        self.stars.moving = false;
        self.stars.shape = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hmove_at_the_lines_start_moves_by_seven_left_to_eight_right() {
        let moved: Vec<i32> = (0..16).map(|register| motion(0, register)).collect();
        assert_eq!(moved, [0, -1, -2, -3, -4, -5, -6, -7, 8, 7, 6, 5, 4, 3, 2, 1]);
    }

    #[test]
    fn an_early_hmove_moves_nothing_that_is_not_requested() {
        assert!((0..=LAST_STILL).all(|cycle| motion(cycle, 0) == 0));
    }

    #[test]
    fn an_hmove_in_the_middle_of_the_line_moves_nothing() {
        assert!((21..=54).all(|cycle| (0..16).all(|register| motion(cycle, register) == 0)));
    }

    #[test]
    fn an_hmove_late_in_the_line_moves_left_without_a_longer_blank() {
        assert_eq!([0, 7, 8, 15].map(|register| motion(73, register)), [-8, -15, 0, -7]);
        assert!(!extends_blank(73) && extends_blank(75));
    }
}
