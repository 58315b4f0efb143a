//! Register writes of the TIA, one function per register.

mod objects;

use std::hint::select_unpredictable;

use super::tables::{self, RespPosition};
use super::{BL, BLANK, BLANKED, CLOCKS, FrameBuffers, LINE, M0, M1, NEVER, P0, P1, PF, Player, Tia, clock_at};

/// Number of clocks after which a write to graphics, reflection or blanking takes effect. `COPIES_DELAY` is the number of
/// clocks for a write to the copies of players and missiles, or to missile positions.
///
/// The delay of the playfield is in `PLAYFIELD_DELAYS`.
pub(crate) const GRAPHICS_DELAY: i32 = 1;
const COPIES_DELAY: i32 = 8;
/// Number of clocks after which a write to the playfield takes effect, by the cycle within the line modulo four.
const PLAYFIELD_DELAYS: [i32; 4] = [4, 5, 2, 3];
/// Number of clocks for which a player's copy continues to be drawn after a write to RESPx during the copy.
const COPY_FINISH_CLOCKS: i32 = 11;
/// Minimum duration of VSYNC, in clocks.
const SHORTEST_VSYNC: i32 = LINE;
/// Number of clocks between a write to HMOVE and the write to HMM0 that starts the stars of the game Cosmic Ark.
const STARS_AFTER_HMOVE: i32 = 21 * CLOCKS;
/// Values of both priority bits of CTRLPF. With them, the colour of the playfield depends on the set of the visible objects, so
/// pixels are drawn before this set changes.
const SCORE_BEFORE_PLAYERS: u8 = 3;
/// First clock of a line at which a write to CTRLPF no longer changes the playfield's reflection on the same line.
const REFLECT_UNTIL: i32 = BLANK + 79;

/// Bits of the two players in sets of objects; `MISSILES` are the bits of the two missiles.
const PLAYERS: [u8; 2] = [P0, P1];
const MISSILES: [u8; 2] = [M0, M1];

/// Context of a register write: its colour clock, and the frame buffers into which the pixels before it are drawn.
struct WriteContext<'s> {
    clock: i32,
    /// `None`: the write must not draw.
    screen: Option<&'s mut FrameBuffers>,
}

impl Tia {
    /// Writes a byte to a TIA register. `again` says whether the processor's previous access was also a write.
    ///
    /// Ends the frame if the television's maximum number of lines is reached, draws all pixels before the write, and stores the
    /// value. `cycles` advances while WSYNC halts the processor; `stopped` is set if the frame has ended.
    #[inline(always)]
    pub(crate) fn poke(
        &mut self,
        address: u16,
        value: u8,
        again: bool,
        cycles: &mut u32,
        stopped: &mut bool,
        screen: &mut FrameBuffers,
    ) {
        let clock = clock_at(*cycles);
        if self.is_past_frame(clock) {
            self.partial = false;
            *stopped = true;
        }
        if again {
            // The current and the previous write may have the same clock. The previous write may have deferred drawing pixels,
            // which must not use the new value. So they are drawn first.
            self.draw_to(self.deferred_to, screen);
        }
        if address & 0x3f == 0 {
            self.write_vsync(value, clock, stopped);
        } else {
            let drawn = self.write_register(address, value, again, cycles, Some(screen));
            debug_assert!(drawn.is_some(), "writes with frame buffers can draw");
        }
    }

    /// Writes a byte to a TIA register other than VSYNC. `again` says whether the processor's previous access was also a write.
    ///
    /// Returns `None` if pixels must be drawn before the write, and `screen` is `None`. The write with frame buffers that must
    /// follow then has the same effect as if it were the first.
    ///
    /// The function is inlined, so that the cycle count is not passed by pointer: a pointer, or a result to check after each
    /// write, costs 4% of a frame's time.
    #[inline(always)]
    pub(crate) fn write_register(
        &mut self,
        address: u16,
        value: u8,
        again: bool,
        cycles: &mut u32,
        screen: Option<&mut FrameBuffers>,
    ) -> Option<()> {
        let clock = clock_at(*cycles);
        let index = usize::from(address & 1);
        let mut beam = WriteContext { clock, screen };
        match address & 0x3f {
            0x01 => self.write_vblank(value, *cycles, &mut beam)?,
            0x02 => self.write_wsync(again, cycles, &mut beam)?,
            0x04 | 0x05 => self.write_nusiz(index, value, &mut beam)?,
            0x06 | 0x07 => self.write_colup(index, value, &mut beam)?,
            0x08 => self.write_colupf(value, &mut beam)?,
            0x09 => self.write_colubk(value, &mut beam)?,
            0x0a => self.write_ctrlpf(value, &mut beam)?,
            0x0b | 0x0c => self.write_refp(index ^ 1, value, &mut beam)?,
            0x0d => self.write_playfield(0x0000f, u32::from(value >> 4), &mut beam)?,
            0x0e => self.write_playfield(0x00ff0, u32::from(value) << 4, &mut beam)?,
            0x0f => self.write_playfield(0xff000, u32::from(value) << 12, &mut beam)?,
            0x10 | 0x11 => self.write_resp(index, &mut beam)?,
            0x12 | 0x13 => self.write_resm(index, &mut beam)?,
            0x14 => self.write_resbl(&mut beam)?,
            0x1b => self.write_grp0(value, &mut beam)?,
            0x1c => self.write_grp1(value, &mut beam)?,
            0x1d | 0x1e => self.write_enam(index ^ 1, value, &mut beam)?,
            0x1f => self.write_enabl(value, &mut beam)?,
            0x20 | 0x21 => self.write_hmp(index, value, clock),
            0x22 => self.write_hmm0(value, &mut beam)?,
            0x23 => self.write_hmm1(value, clock),
            0x24 => self.write_hmbl(value, clock),
            0x25 | 0x26 => self.write_vdelp(index ^ 1, value, &mut beam)?,
            0x27 => self.write_vdelbl(value, &mut beam)?,
            0x28 | 0x29 => self.write_resmp(index, value, &mut beam)?,
            0x2a => self.write_hmove(&mut beam)?,
            0x2b => self.write_hmclr(clock),
            0x2c => self.write_cxclr(&mut beam)?,
            // Writes to RSYNC have no effect, because games do not use it. Writes to the sound registers have no effect,
            // because sound is not emulated.
            _ => self.defer(clock),
        }
        Some(())
    }

    /// Writes VSYNC. The end of a vertical synchronisation of at least one line ends the frame.
    #[inline(always)]
    fn write_vsync(&mut self, value: u8, clock: i32, stopped: &mut bool) {
        self.defer(clock);
        self.vsync = value;
        if value & 0x02 != 0 {
            self.vsync_finish_clock = clock.wrapping_add(SHORTEST_VSYNC);
        } else if clock >= self.vsync_finish_clock {
            self.vsync_finish_clock = NEVER;
            self.partial = false;
            *stopped = true;
        }
    }

    /// Writes WSYNC: halts the processor until the end of the line.
    ///
    /// The processor can only be halted at a read, so the second of two consecutive writes does not halt it.
    #[inline(always)]
    fn write_wsync(&mut self, again: bool, cycles: &mut u32, beam: &mut WriteContext<'_>) -> Option<()> {
        self.defer(beam.clock);
        if again {
            return Some(());
        }
        let into_line = self.line_clock(beam)?.rem_euclid(LINE) / CLOCKS;
        if into_line > 0 {
            *cycles = cycles.wrapping_add((LINE / CLOCKS - into_line) as u32);
        }
        Some(())
    }

    /// Returns the position of the write's clock within its line; `None` if the write must not draw and the line is neither that of
    /// the last call nor the next one.
    #[inline(always)]
    fn line_clock(&mut self, beam: &WriteContext<'_>) -> Option<i32> {
        self.near_line_clock(beam.clock).or_else(|| beam.screen.is_some().then(|| self.find_far_line(beam.clock)))
    }

    /// Returns whether the television ends the frame before `clock`, because the frame has reached the maximum number of lines.
    #[inline(always)]
    fn is_past_frame(&mut self, clock: i32) -> bool {
        clock >= self.frame_end && self.find_frame_end(clock)
    }

    #[inline(never)]
    fn find_frame_end(&mut self, clock: i32) -> bool {
        let clocks = (self.picture.max_lines() + 1) * LINE;
        self.frame_end = self.frame_start + clocks;
        clock.wrapping_sub(self.frame_start) >= clocks
    }

    /// Draws all pixels up to the colour clock `until`; `None` if the write must not draw.
    #[inline(always)]
    fn draw_up_to(&mut self, until: i32, beam: &mut WriteContext<'_>) -> Option<()> {
        self.draw_lines(until, beam.screen.as_deref_mut()?);
        Some(())
    }

    /// Draws all pixels up to the colour clock `until`. If nothing changes before this clock, only defers drawing.
    #[inline(always)]
    fn draw_or_defer(&mut self, until: i32, beam: &mut WriteContext<'_>) -> Option<()> {
        if until > self.no_change_until {
            return self.draw_up_to(until, beam);
        }
        self.defer(until);
        Some(())
    }

    /// Draws all pixels that a register write must not affect: those up to `delay` clocks after the write, when it takes
    /// effect.
    ///
    /// If the write has no visible effect, drawing is deferred. `shows` says whether the write makes an object visible.
    #[inline(always)]
    fn draw_before_write(&mut self, is_seen: bool, shows: bool, delay: i32, beam: &mut WriteContext<'_>) -> Option<()> {
        let until = beam.clock.wrapping_add(delay);
        let may_draw = until > self.no_paint_until || shows && until > self.no_change_until;
        if is_seen && may_draw && !self.is_blanked() {
            return self.draw_up_to(until, beam);
        }
        self.defer(until);
        Some(())
    }

    /// Makes the playfield change at the colour clock `until`. If all undrawn pixels before are on one line, they are kept;
    /// otherwise they are drawn.
    #[inline(always)]
    fn change_playfield(&mut self, until: i32, beam: &mut WriteContext<'_>) -> Option<()> {
        let at = until.wrapping_sub(self.clock_at_last_update).wrapping_add(self.line_clock);
        if !(BLANK..=LINE).contains(&at) || self.priority == SCORE_BEFORE_PLAYERS {
            return self.draw_up_to(until, beam);
        }
        let shown = if self.pixels.valid & PF == 0 {
            self.pixels.merged_playfield(tables::playfield(self.pf, self.reflect_now))
        } else {
            self.pixels.playfield()
        };
        self.pixels.change_playfield(shown, (at - BLANK) as u8);
        self.defer(until);
        Some(())
    }

    /// Sets which of `objects` are visible: those in `shown`.
    #[inline(always)]
    fn set_visibility(&mut self, objects: u8, shown: u8) {
        if shown & !self.visible_objects != 0 {
            self.no_paint_until = self.no_change_until;
        }
        self.visible_objects = self.visible_objects & !objects | shown;
    }

    /// Sets whether an object other than the playfield is visible, and marks its cached pixels as stale.
    #[inline(always)]
    fn set_visible(&mut self, object: u8, shown: bool) {
        self.set_visibility(object, if shown { object } else { 0 });
        if shown {
            self.pixels.invalidate(object);
        } else {
            self.pixels.clear(object);
        }
    }

    #[inline(always)]
    fn write_vblank(&mut self, value: u8, cycles: u32, beam: &mut WriteContext<'_>) -> Option<()> {
        if (self.vblank ^ value) & BLANKED != 0 {
            self.draw_or_defer(beam.clock.wrapping_add(GRAPHICS_DELAY), beam)?;
        } else {
            self.defer(beam.clock.wrapping_add(GRAPHICS_DELAY));
        }
        let discharge = value & 0x80 != 0;
        if self.dump_enabled && !discharge {
            self.dump_disabled_cycle = cycles;
        }
        self.dump_enabled = discharge;
        self.vblank = value;
        Some(())
    }

    #[inline(always)]
    fn write_nusiz(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let (copies, size) = (value & 7, value >> 4 & 3);
        let player = &self.players[index];
        let copies_stay = player.nusiz == copies;
        let player_stays = copies_stay && !player.suppressed || self.visible_objects & PLAYERS[index] == 0;
        let missile_stays = copies_stay && self.missiles[index].size == size || self.visible_objects & MISSILES[index] == 0;
        let until = beam.clock.wrapping_add(COPIES_DELAY);
        // The stars of Cosmic Ark can move or change missile 0 at the end of a line. Then the ends of lines whose drawing was
        // deferred are processed first.
        if player_stays && missile_stays && !self.stars.moving && self.stars.shape == 0 {
            self.defer(until);
        } else {
            self.draw_or_defer(until, beam)?;
        }
        self.players[index].nusiz = copies;
        self.players[index].suppressed = false;
        self.missiles[index].size = size;
        self.pixels.invalidate(PLAYERS[index] | MISSILES[index]);
        if index == 0 {
            self.stars.shape = 0;
        }
        Some(())
    }

    #[inline(always)]
    fn write_colup(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let score = if self.priority & 1 != 0 { PF } else { 0 };
        let objects = PLAYERS[index] | MISSILES[index] | score;
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.players[index].colup != value && self.objects_on_line() & objects != 0, false, 0, beam)?;
        self.players[index].colup = value;
        self.pixels.colour(3 - index, value);
        Some(())
    }

    #[inline(always)]
    fn write_colupf(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.ball.colupf != value && self.objects_on_line() & (PF | BL) != 0, false, 0, beam)?;
        self.ball.colupf = value;
        self.pixels.colour(1, value);
        Some(())
    }

    #[inline(always)]
    fn write_colubk(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.colubk != value, false, 0, beam)?;
        self.colubk = value;
        self.pixels.colour(0, value);
        Some(())
    }

    #[inline(always)]
    fn write_ctrlpf(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let (reflect, priority, size) = (value & 1 != 0, value >> 1 & 3, value >> 4 & 3);
        let stays = (self.reflect, self.reflect_now, self.priority, self.ball.size) == (reflect, reflect, priority, size);
        if stays {
            self.defer(beam.clock);
            return Some(());
        }
        // The ends of lines whose drawing was deferred must not use the new reflection.
        self.draw_or_defer(beam.clock, beam)?;
        (self.reflect, self.priority, self.ball.size) = (reflect, priority, size);
        if self.line_clock_at(beam.clock) < REFLECT_UNTIL {
            self.reflect_now = reflect;
        }
        self.pixels.invalidate(BL | PF);
        Some(())
    }

    #[inline(always)]
    fn write_playfield(&mut self, mask: u32, bits: u32, beam: &mut WriteContext<'_>) -> Option<()> {
        let phase = (self.line_clock(beam)? / CLOCKS) & 3;
        let until = beam.clock.wrapping_add(PLAYFIELD_DELAYS[phase as usize]);
        if self.pf & mask == bits {
            self.defer(until);
            return Some(());
        }
        let may_draw = until > self.no_paint_until || self.pf == 0 && until > self.no_change_until;
        if may_draw && !self.is_blanked() {
            self.change_playfield(until, beam)?;
        } else {
            self.defer(until);
        }
        self.pf = self.pf & !mask | bits;
        self.set_visibility(PF, if self.pf != 0 { PF } else { 0 });
        self.pixels.invalidate(PF);
        Some(())
    }

    /// Writes RESPx, which sets a player's position.
    ///
    /// A copy of the player that is being drawn is drawn to its end. The first copy is suppressed until the next line, unless a
    /// copy was about to start.
    #[inline(always)]
    fn write_resp(&mut self, index: usize, beam: &mut WriteContext<'_>) -> Option<()> {
        self.draw_or_defer(beam.clock, beam)?;
        let position = self.resp_position(beam.clock);
        let player = &self.players[index];
        let distance = (usize::from(position) + 160 - usize::from(player.position)) % 160;
        let landing = tables::classify_resp(usize::from(player.nusiz), distance);
        if landing == RespPosition::Within {
            // The copy is drawn to its end immediately, because the next write may come before the end of the copy.
            self.draw_up_to(beam.clock.wrapping_add(COPY_FINISH_CLOCKS), beam)?;
        }
        let player = &mut self.players[index];
        player.position = position;
        player.suppressed = landing != RespPosition::Before;
        self.pixels.invalidate(PLAYERS[index]);
        Some(())
    }

    #[inline(always)]
    fn write_resm(&mut self, index: usize, beam: &mut WriteContext<'_>) -> Option<()> {
        let until = beam.clock.wrapping_add(COPIES_DELAY);
        if self.visible_objects & MISSILES[index] != 0 || self.stars.moving || self.stars.shape != 0 {
            self.draw_or_defer(until, beam)?;
        } else {
            self.defer(until);
        }
        self.missiles[index].position = self.resm_position(index, beam.clock);
        self.pixels.invalidate(MISSILES[index]);
        if index == 0 {
            self.stars.shape = 0;
        }
        Some(())
    }

    #[inline(always)]
    fn write_resbl(&mut self, beam: &mut WriteContext<'_>) -> Option<()> {
        if self.visible_objects & BL != 0 {
            self.draw_or_defer(beam.clock, beam)?;
        } else {
            self.defer(beam.clock);
        }
        self.ball.position = self.resbl_position(beam.clock);
        self.pixels.invalidate(BL);
        Some(())
    }

    #[inline(always)]
    fn write_cxclr(&mut self, beam: &mut WriteContext<'_>) -> Option<()> {
        self.draw_or_defer(beam.clock, beam)?;
        self.collisions = 0;
        self.unknown = self.undetected;
        self.no_paint_until = self.no_change_until;
        Some(())
    }
}

impl Player {
    /// Returns the player's graphics byte as it is displayed: after the vertical delay and the reflection.
    #[inline(always)]
    pub(super) fn displayed_graphics(&self) -> u8 {
        // Both registers are read, so that one that was just written stays in a processor register.
        let graphics = select_unpredictable(self.vdelp, self.dgrp, self.grp);
        if self.refp { tables::reflect(graphics) } else { graphics }
    }
}
