//! Register writes of the TIA, one function per register.

mod objects;

use super::tables::{self, RespPosition};
use super::{BL, BLANK, BLANKED, CLOCKS, FrameBuffers, LINE, M0, M1, NEVER, P0, P1, PF, Player, Tia, clock_at};

/// Number of clocks after which a write to graphics, reflection or blanking takes effect. `COPIES_DELAY` is this number for the
/// copies of players and missiles, and for missile positions.
///
/// The delay of the playfield is in `PLAYFIELD_DELAYS`.
const GRAPHICS_DELAY: i32 = 1;
const COPIES_DELAY: i32 = 8;
/// Number of clocks after which a write to the playfield takes effect, by the cycle within the line modulo four.
const PLAYFIELD_DELAYS: [i32; 4] = [4, 5, 2, 3];
/// Number of clocks for which a copy continues to be drawn after a RESPx during the copy.
const COPY_FINISH_CLOCKS: i32 = 11;
/// Minimum duration of VSYNC, in clocks.
const SHORTEST_VSYNC: i32 = LINE;
/// Number of clocks between an HMOVE and the write of HMM0 that starts the Cosmic Ark stars.
const STARS_AFTER_HMOVE: i32 = 21 * CLOCKS;
/// First clock of a line at which a change of the playfield's reflection no longer takes effect on the same line.
const REFLECT_UNTIL: i32 = BLANK + 79;

/// Bits of the two players in sets of objects; `MISSILES` are the bits of the two missiles.
const PLAYERS: [u8; 2] = [P0, P1];
const MISSILES: [u8; 2] = [M0, M1];

/// Clock of a register write, and the screen on which earlier pixels are drawn.
struct WriteContext<'s> {
    clock: i32,
    screen: &'s mut FrameBuffers,
}

impl Tia {
    /// Writes a register. `again` says whether the processor's previous access was also a write.
    ///
    /// Ends the frame if the television's maximum number of lines is reached, draws all pixels before the write, and stores the
    /// value. `cycles` advances while WSYNC halts the processor; `stopped` is set if the frame has ended.
    ///
    /// The function is inlined, so that the cycle count is not passed by pointer: a pointer, or a result to check after each
    /// write, costs 4% of a frame's time.
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
            // The current and the previous write may have the same clock. Pixels whose drawing the previous write deferred must
            // not use the new value, so they are drawn first.
            self.draw_to(self.deferred_to, screen);
        }
        let index = usize::from(address & 1);
        let mut beam = WriteContext { clock, screen };
        match address & 0x3f {
            0x00 => self.write_vsync(value, clock, stopped),
            0x01 => self.write_vblank(value, *cycles, &mut beam),
            0x02 => self.write_wsync(clock, again, cycles),
            0x04 | 0x05 => self.write_nusiz(index, value, &mut beam),
            0x06 | 0x07 => self.write_colup(index, value, &mut beam),
            0x08 => self.write_colupf(value, &mut beam),
            0x09 => self.write_colubk(value, &mut beam),
            0x0a => self.write_ctrlpf(value, &mut beam),
            0x0b | 0x0c => self.write_refp(index ^ 1, value, &mut beam),
            0x0d => self.write_playfield(0x0000f, u32::from(value >> 4), &mut beam),
            0x0e => self.write_playfield(0x00ff0, u32::from(value) << 4, &mut beam),
            0x0f => self.write_playfield(0xff000, u32::from(value) << 12, &mut beam),
            0x10 | 0x11 => self.write_resp(index, &mut beam),
            0x12 | 0x13 => self.write_resm(index, &mut beam),
            0x14 => self.write_resbl(&mut beam),
            0x1b => self.write_grp0(value, &mut beam),
            0x1c => self.write_grp1(value, &mut beam),
            0x1d | 0x1e => self.write_enam(index ^ 1, value, &mut beam),
            0x1f => self.write_enabl(value, &mut beam),
            0x20 | 0x21 => self.write_hmp(index, value, clock),
            0x22 => self.write_hmm0(value, &mut beam),
            0x23 => self.write_hmm1(value, clock),
            0x24 => self.write_hmbl(value, clock),
            0x25 | 0x26 => self.write_vdelp(index ^ 1, value, &mut beam),
            0x27 => self.write_vdelbl(value, &mut beam),
            0x28 | 0x29 => self.write_resmp(index, value, &mut beam),
            0x2a => self.write_hmove(&mut beam),
            0x2b => self.write_hmclr(clock),
            0x2c => self.write_cxclr(&mut beam),
            // Writes to RSYNC have no effect, because games do not use it. Writes to the sound registers have no effect,
            // because sound is not emulated.
            _ => self.defer(clock),
        }
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
    fn write_wsync(&mut self, clock: i32, again: bool, cycles: &mut u32) {
        self.defer(clock);
        if again {
            return;
        }
        let into_line = self.line_clock_at(clock).rem_euclid(LINE) / CLOCKS;
        if into_line > 0 {
            *cycles = cycles.wrapping_add((LINE / CLOCKS - into_line) as u32);
        }
    }

    /// Returns whether the television ends the frame, because the frame has the maximum number of lines.
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

    /// Draws all pixels up to `delay` clocks after a write, when the write takes effect.
    ///
    /// If the write has no visible effect, drawing is deferred.
    #[inline(always)]
    fn draw_before_write(&mut self, is_seen: bool, delay: i32, context: &mut WriteContext<'_>) {
        let until = context.clock.wrapping_add(delay);
        if is_seen && until > self.no_change_until && !self.is_blanked() {
            self.draw_lines(until, context.screen);
        } else {
            self.defer(until);
        }
    }

    /// Sets an object's visibility and marks its pixels as stale.
    #[inline(always)]
    fn set_visible(&mut self, object: u8, shown: bool) {
        if shown {
            self.visible_objects |= object;
            self.pixels.invalidate(object);
        } else {
            self.visible_objects &= !object;
            self.pixels.clear(object);
        }
    }

    #[inline(always)]
    fn write_vblank(&mut self, value: u8, cycles: u32, context: &mut WriteContext<'_>) {
        if (self.vblank ^ value) & BLANKED != 0 {
            self.draw_to(context.clock.wrapping_add(GRAPHICS_DELAY), context.screen);
        } else {
            self.defer(context.clock.wrapping_add(GRAPHICS_DELAY));
        }
        let discharge = value & 0x80 != 0;
        if self.dump_enabled && !discharge {
            self.dump_disabled_cycle = cycles;
        }
        self.dump_enabled = discharge;
        self.vblank = value;
    }

    #[inline(always)]
    fn write_nusiz(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        let (copies, size) = (value & 7, value >> 4 & 3);
        let player = &self.players[index];
        let copies_stay = player.nusiz == copies;
        let player_stays = copies_stay && !player.suppressed || self.visible_objects & PLAYERS[index] == 0;
        let missile_stays = copies_stay && self.missiles[index].size == size || self.visible_objects & MISSILES[index] == 0;
        let until = context.clock.wrapping_add(COPIES_DELAY);
        // If the stars move or change missile 0, the ends of lines whose drawing was deferred must be processed first.
        if player_stays && missile_stays && !self.stars.moving && self.stars.shape == 0 {
            self.defer(until);
        } else {
            self.draw_to(until, context.screen);
        }
        self.players[index].nusiz = copies;
        self.players[index].suppressed = false;
        self.missiles[index].size = size;
        self.pixels.invalidate(PLAYERS[index] | MISSILES[index]);
        if index == 0 {
            self.stars.shape = 0;
        }
    }

    #[inline(always)]
    fn write_colup(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        let score = if self.priority & 1 != 0 { PF } else { 0 };
        let objects = PLAYERS[index] | MISSILES[index] | score;
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.players[index].colup != value && self.visible_objects & objects != 0, 0, context);
        self.players[index].colup = value;
        self.pixels.colour(3 - index, value);
    }

    #[inline(always)]
    fn write_colupf(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.ball.colupf != value && self.visible_objects & (PF | BL) != 0, 0, context);
        self.ball.colupf = value;
        self.pixels.colour(1, value);
    }

    #[inline(always)]
    fn write_colubk(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let value = value & 0xfe | self.colour_loss();
        self.draw_before_write(self.colubk != value, 0, context);
        self.colubk = value;
        self.pixels.colour(0, value);
    }

    #[inline(always)]
    fn write_ctrlpf(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let (reflect, priority, size) = (value & 1 != 0, value >> 1 & 3, value >> 4 & 3);
        let stays = (self.reflect, self.reflect_now, self.priority, self.ball.size) == (reflect, reflect, priority, size);
        if stays {
            return self.defer(context.clock);
        }
        // The ends of lines whose drawing was deferred must not use the new reflection.
        self.draw_to(context.clock, context.screen);
        (self.reflect, self.priority, self.ball.size) = (reflect, priority, size);
        if self.line_clock_at(context.clock) < REFLECT_UNTIL {
            self.reflect_now = reflect;
        }
        self.pixels.invalidate(BL | PF);
    }

    #[inline(always)]
    fn write_playfield(&mut self, mask: u32, bits: u32, context: &mut WriteContext<'_>) {
        let phase = (self.line_clock_at(context.clock) / CLOCKS) & 3;
        let changes = self.pf & mask != bits;
        self.draw_before_write(changes, PLAYFIELD_DELAYS[phase as usize], context);
        if changes {
            self.pf = self.pf & !mask | bits;
            self.set_visible(PF, self.pf != 0);
        }
    }

    /// Writes RESPx, which sets a player's position.
    ///
    /// A copy that is being drawn is drawn to its end. The first copy is suppressed until the next line, unless a copy was
    /// about to start.
    #[inline(always)]
    fn write_resp(&mut self, index: usize, context: &mut WriteContext<'_>) {
        self.draw_to(context.clock, context.screen);
        let position = self.resp_position(context.clock);
        let player = &self.players[index];
        let distance = (usize::from(position) + 160 - usize::from(player.position)) % 160;
        let landing = tables::classify_resp(usize::from(player.nusiz), distance);
        if landing == RespPosition::Within {
            // The copy is drawn to its end now, because the next write may come before the end of the copy.
            self.draw_lines(context.clock.wrapping_add(COPY_FINISH_CLOCKS), context.screen);
        }
        let player = &mut self.players[index];
        player.position = position;
        player.suppressed = landing != RespPosition::Before;
        self.pixels.invalidate(PLAYERS[index]);
    }

    #[inline(always)]
    fn write_resm(&mut self, index: usize, context: &mut WriteContext<'_>) {
        let until = context.clock.wrapping_add(COPIES_DELAY);
        if self.visible_objects & MISSILES[index] != 0 || self.stars.moving || self.stars.shape != 0 {
            self.draw_to(until, context.screen);
        } else {
            self.defer(until);
        }
        self.missiles[index].position = self.resm_position(index, context.clock);
        self.pixels.invalidate(MISSILES[index]);
        if index == 0 {
            self.stars.shape = 0;
        }
    }

    #[inline(always)]
    fn write_resbl(&mut self, context: &mut WriteContext<'_>) {
        if self.visible_objects & BL != 0 {
            self.draw_to(context.clock, context.screen);
        } else {
            self.defer(context.clock);
        }
        self.ball.position = self.resbl_position(context.clock);
        self.pixels.invalidate(BL);
    }

    #[inline(always)]
    fn write_cxclr(&mut self, context: &mut WriteContext<'_>) {
        self.draw_to(context.clock, context.screen);
        self.collisions = 0;
    }
}

impl Player {
    /// Returns the graphics of a player that are displayed, after delay and reflection.
    #[inline(always)]
    fn displayed_graphics(&self) -> u8 {
        let graphics = if self.vdelp { self.dgrp } else { self.grp };
        if self.refp { tables::reflect(graphics) } else { graphics }
    }
}
