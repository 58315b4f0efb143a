//! Draws the picture and detects collisions, from the last drawn colour clock up to a given colour clock.

mod collisions;

#[cfg(any(target_arch = "x86_64", test))]
use envpool_rs_numeric::simd::SimdLevel;

use super::paint::{Layers, Painter, Portable, Row};
use super::pixels::{OBJECT_SLOTS, PIXELS_BEFORE, WORDS};
use super::{BLANK, FrameBuffers, LINE, M0, NEVER, P0, P1, PF, Tia, WIDTH};

/// Number of pixels at the start of a line that a write to HMOVE blanks.
const HMOVE_BLANK_PIXELS: usize = 8;
/// Mask of the pixels of a line's first word that a write to HMOVE does not blank.
const AFTER_HMOVE_BLANK: u64 = u64::MAX << HMOVE_BLANK_PIXELS;
/// Motion of missile 0 in pixels, for each of four successive lines, while it draws the stars of the game Cosmic Ark.
const STAR_STEPS: [i32; 4] = [18, 33, 0, 17];

/// Masks of the pixels in the playfield's left half, one mask for each of a line's three words of 64 pixels.
const LEFT: [u64; WORDS] = [u64::MAX, 0xffff, 0];

/// Mask of the pixels in the last word of a line, which has only 32 pixels instead of 64.
const LAST: u64 = 0xffff_ffff;

/// Drawing priority with the players in front of the playfield and the ball.
const PLAYERS: u8 = 0;
/// Drawing priority of score mode: the players are in front, and each half of the playfield has the colour of one player.
const SCORE: u8 = 1;
/// Drawing priority with the playfield and the ball in front of the players.
const PLAYFIELD: u8 = 2;

/// Returns masks of the pixels of three layers, which are drawn in the colours of the ball, the second player and the first
/// player. Later layers cover earlier layers.
#[inline(always)]
fn layers<const ORDER: u8>(objects: &[u64; OBJECT_SLOTS], word: usize) -> Layers {
    let [p0, m0, p1, m1, ball, field, ..] = *objects;
    let (first, second) = (p0 | m0, p1 | m1);
    match ORDER {
        PLAYERS => [ball | field, second, first],
        SCORE => {
            let (left, right) = (field & LEFT[word], field & !LEFT[word]);
            [ball, second | right & !first, first | left & !second]
        }
        _ => {
            let before = ball | field;
            [before, second & !before, first & !before]
        }
    }
}

/// Returns a mask of the pixels from `from` to `to` (exclusive, at most 255) in one word.
#[inline(always)]
fn between(from: usize, to: usize, word: usize) -> u64 {
    PIXELS_BEFORE[usize::from(to as u8)][word] & !PIXELS_BEFORE[usize::from(from as u8)][word]
}

impl Tia {
    /// Draws all pixels up to the colour clock `clock`. If nothing visible changes before this clock, only defers drawing.
    #[inline(always)]
    pub(super) fn draw_to(&mut self, clock: i32, screen: &mut FrameBuffers) {
        if clock > self.no_change_until {
            self.draw_lines(clock, screen);
        } else {
            self.defer(clock);
        }
    }

    /// Draws all pixels up to the colour clock `clock`.
    #[inline(never)]
    pub(super) fn draw_lines(&mut self, clock: i32, screen: &mut FrameBuffers) {
        match screen.level {
            // Nothing is painted and nothing collides until the frame ends or an object becomes visible.
            _ if self.no_paint_until == NEVER => {
                self.skip_lines(clock);
                self.no_paint_until = NEVER;
            }
            _ if screen.hidden => self.skip_to(clock, screen),
            // SAFETY: the level shows that the processor has the instructions of the function.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => unsafe { self.draw_avx512(clock, screen) },
            // SAFETY: the level shows that the processor has the instructions of the function.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => unsafe { self.draw_avx2(clock, screen) },
            _ => self.draw_portably(clock, screen),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
    fn draw_avx512(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: this function has the instructions of the painter `Avx512`.
        unsafe { self.draw::<super::paint::Avx512, false>(clock, screen) };
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn draw_avx2(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: this function has the instructions of the painter `Avx2`.
        unsafe { self.draw::<super::paint::Avx2, false>(clock, screen) };
    }

    #[inline(never)]
    fn draw_portably(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: the painter `Portable` uses no special instructions.
        unsafe { self.draw::<Portable, false>(clock, screen) };
    }

    /// Updates collisions and other state as if all pixels up to the colour clock `clock` were drawn, but does not paint them.
    #[inline(always)]
    fn skip_to(&mut self, clock: i32, screen: &mut FrameBuffers) {
        let changes = self.may_collide() || self.stars.moving;
        if changes && (!self.is_blanked() || self.stars.moving) {
            return self.collide_lines(clock, screen);
        }
        self.skip_lines(clock);
        if !changes {
            self.no_paint_until = NEVER;
        }
    }

    #[inline(never)]
    fn collide_lines(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: hidden lines are not painted, and the painter `Portable` uses no special instructions.
        unsafe { self.draw::<Portable, true>(clock, screen) };
    }

    /// Advances the state to the colour clock `clock` without drawing. The caller has checked that no collisions are possible,
    /// and that no state except `hmove_blank` changes between lines.
    #[inline(always)]
    fn skip_lines(&mut self, clock: i32) {
        let (first, last) = self.visible_clocks();
        if clock <= self.clock_at_last_update || clock < first || self.clock_at_last_update >= last {
            return;
        }
        let end = clock.min(last);
        let mut line = self.clock_at_last_update - self.line_clock;
        if end - line > LINE {
            self.end_line();
            // A blank that HMOVE has caused on the current line ends with this line. A pending blank becomes active on the
            // next line.
            self.hmove_blank &=
                self.line_clock >= BLANK + HMOVE_BLANK_PIXELS as i32 && end - line < LINE + BLANK + HMOVE_BLANK_PIXELS as i32;
            // Most calls end on the next line, and need no division.
            line += if end - line <= 2 * LINE { LINE } else { (end - line - 1) / LINE * LINE };
        } else if end - line >= BLANK + HMOVE_BLANK_PIXELS as i32 && self.line_clock < BLANK + HMOVE_BLANK_PIXELS as i32 {
            self.hmove_blank = false;
        }
        self.set_drawn_to(end, line, last);
    }

    /// Records that all pixels up to the colour clock `clock` have been drawn. This clock is in the line that starts at the
    /// clock `line`; the picture ends at the clock `last`.
    #[inline(always)]
    fn set_drawn_to(&mut self, clock: i32, line: i32, last: i32) {
        self.clock_at_last_update = clock;
        self.line_clock = clock - line;
        self.no_change_until = if clock >= last {
            NEVER
        } else if clock - line < LINE {
            clock.max(line + BLANK)
        } else {
            clock
        };
        self.no_paint_until = self.no_change_until;
    }

    /// Draws all pixels up to `clock`.
    ///
    /// # Safety
    /// The processor has the instruction set of the painter `P`.
    #[inline(always)]
    unsafe fn draw<P: Painter, const HIDDEN: bool>(&mut self, clock: i32, screen: &mut FrameBuffers) {
        let (first, last) = self.visible_clocks();
        if clock <= self.clock_at_last_update || clock < first || self.clock_at_last_update >= last {
            return;
        }
        // Unsigned numbers are faster to divide. Rows before the first one become larger than all others.
        let row_at = |line: i32| ((line - first) as u32 / LINE as u32) as usize;
        let clock = clock.min(last);
        let mut line = self.clock_at_last_update - self.line_clock;
        let mut from = self.line_clock;
        loop {
            let to = (clock - line).min(LINE);
            if to > BLANK && from < LINE {
                let (from, to) = ((from.max(BLANK) - BLANK) as usize, (to - BLANK) as usize);
                if HIDDEN {
                    self.collide_between(from, to);
                } else if let Some(row) = screen.current.get_mut(row_at(line)) {
                    let shown = if self.hmove_blank { AFTER_HMOVE_BLANK } else { u64::MAX };
                    // SAFETY: callers of `draw` guarantee that the processor has the instruction set of the painter `P`.
                    unsafe { self.paint::<P>(row, from, to, shown) };
                }
                self.hmove_blank &= from >= HMOVE_BLANK_PIXELS || to < HMOVE_BLANK_PIXELS;
            }
            if line + to == clock {
                break;
            }
            // Changes that take effect at the end of a line are applied only when a pixel after the line is drawn.
            line += LINE;
            from = 0;
            self.end_line();
            if clock - line <= BLANK {
                break;
            }
            if clock - line >= 2 * LINE && !self.hmove_blank && !self.stars.moving {
                // All lines up to the last are equal, so one line is drawn and copied.
                let lines = (clock - line - 1) / LINE;
                if HIDDEN {
                    self.collide_between(0, WIDTH);
                } else {
                    let row = row_at(line);
                    if let Some([row, others @ ..]) = screen.current.get_mut(row..row + lines as usize) {
                        // SAFETY: callers of `draw` guarantee that the processor has the instruction set of the painter `P`.
                        unsafe { self.paint::<P>(row, 0, WIDTH, u64::MAX) };
                        others.fill(*row);
                    }
                }
                line += lines * LINE;
            }
        }
        self.set_drawn_to(clock, line, last);
    }

    /// Applies the changes that take effect at the end of a line: changes the playfield's reflection, makes suppressed
    /// copies of players visible again, and moves the stars of the game Cosmic Ark.
    #[inline(always)]
    fn end_line(&mut self) {
        if self.reflect_now != self.reflect {
            self.reflect_now = self.reflect;
            self.pixels.invalidate(PF);
        }
        self.end_suppression();
        self.pixels.end_line();
        if self.stars.moving {
            self.move_stars();
        }
    }

    /// Makes the first copy of each player visible again, if a write to RESPx has suppressed this copy.
    #[inline(always)]
    pub(super) fn end_suppression(&mut self) {
        for (player, object) in self.players.iter_mut().zip([P0, P1]) {
            if player.suppressed {
                player.suppressed = false;
                self.pixels.invalidate(object);
            }
        }
    }

    #[cold]
    fn move_stars(&mut self) {
        self.stars.phase = (self.stars.phase + 1) & 3;
        let position = i32::from(self.missiles[0].position) - STAR_STEPS[usize::from(self.stars.phase)];
        self.missiles[0].position = position.rem_euclid(WIDTH as i32) as u8;
        self.stars.shape = match self.stars.phase {
            1 => 1,
            2 => 2,
            _ => 0,
        };
        self.pixels.invalidate(M0);
    }

    /// Paints a part of a row and detects its collisions. Of the row's first 64 pixels, those outside of the mask `shown` are black.
    ///
    /// # Safety
    /// The processor has the instruction set of the painter `P`.
    #[inline(always)]
    unsafe fn paint<P: Painter>(&mut self, row: &mut Row, from: usize, to: usize, shown: u64) {
        if self.is_blanked() {
            row[from..to].fill(0);
            return;
        }
        self.update_pixels();
        if self.may_collide() {
            self.collide(from, to);
        }
        // SAFETY: callers of `paint` guarantee that the processor has the instruction set of the painter `P`.
        unsafe {
            let paint = P::new(&self.pixels.colours);
            match self.order() {
                PLAYERS => self.paint_in::<P, PLAYERS>(paint, row, from, to, shown),
                SCORE => self.paint_in::<P, SCORE>(paint, row, from, to, shown),
                _ => self.paint_in::<P, PLAYFIELD>(paint, row, from, to, shown),
            }
        }
    }

    /// Paints a part of a row with the priority `ORDER`. The mask `shown` is that of [`paint`](Self::paint).
    ///
    /// # Safety
    /// The processor has the instruction set of the painter `P`.
    #[inline(always)]
    unsafe fn paint_in<P: Painter, const ORDER: u8>(&self, paint: P, row: &mut Row, from: usize, to: usize, shown: u64) {
        let words = &self.pixels.words;
        // SAFETY: callers of `paint_in` guarantee that the processor has the instruction set of the painter `P`. Word indices
        // are below 3, the number of words of a line.
        unsafe {
            if to - from == WIDTH {
                paint.word(row, 0, u64::MAX, layers::<ORDER>(&words[0], 0), shown);
                paint.word(row, 1, u64::MAX, layers::<ORDER>(&words[1], 1), u64::MAX);
                paint.word(row, 2, LAST, layers::<ORDER>(&words[2], 2), u64::MAX);
                return;
            }
            if from < 64 {
                paint.word(row, 0, between(from, to, 0), layers::<ORDER>(&words[0], 0), shown);
            }
            if from < 128 && to > 64 {
                paint.word(row, 1, between(from, to, 1), layers::<ORDER>(&words[1], 1), u64::MAX);
            }
            if to > 128 {
                paint.word(row, 2, between(from, to, 2), layers::<ORDER>(&words[2], 2), u64::MAX);
            }
        }
    }

    /// Returns the drawing priority of the visible objects (one of `PLAYERS`, `SCORE` and `PLAYFIELD`). If only the playfield
    /// is visible, score mode takes precedence over playfield priority.
    #[inline(always)]
    fn order(&self) -> u8 {
        if self.priority & 2 != 0 && self.visible_objects != PF { PLAYFIELD } else { self.priority & 1 }
    }
}

#[cfg(test)]
mod tests;
