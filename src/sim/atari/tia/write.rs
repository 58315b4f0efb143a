//! What each register does when it is written: one function for each.

use super::tables::{self, Landing};
use super::{BL, BLANK, CLOCKS, LINE, M0, NEVER, P0, P1, PF, Tia, clock_at};
use crate::sim::atari::machine::Machine;

/// Clocks after which a write is seen, by register; the playfield's follow the processor's phase.
const DELAYS: [i32; 64] = {
    let mut delays = [0; 64];
    let mut register = 0;
    while register < 0x20 {
        delays[register] = match register {
            0x01 | 0x0b | 0x0c | 0x1b | 0x1c => 1,
            0x04 | 0x05 | 0x12 | 0x13 => 8,
            _ => 0,
        };
        register += 1;
    }
    delays
};
/// The playfield's delays in each cycle of four.
const PLAYFIELD_DELAYS: [i32; 4] = [4, 5, 2, 3];
/// Clocks that a copy goes on being drawn when its player is put elsewhere meanwhile.
const COPY_GOES_ON: i32 = 11;
/// The least duration of a vertical synchronisation.
const SHORTEST_VSYNC: i32 = LINE;
/// Clocks from HMOVE to the change of motion that makes stars.
const STARS_AFTER_HMOVE: i32 = 21 * CLOCKS;
/// The last clock at which the playfield's reflection is taken over at once.
const REFLECT_UNTIL: i32 = BLANK + 79;

impl Machine {
    /// Writes a register (`again` if the processor's access before was a write too): draws what precedes it, ends the frame if the television would, and takes the value over.
    pub(in crate::sim::atari) fn poke_tia(&mut self, address: u16, value: u8, again: bool) {
        let register = address & 0x3f;
        let clock = clock_at(self.state.cycles);
        let tia = &mut self.state.tia;
        let delay = match register {
            0x0d..=0x0f => PLAYFIELD_DELAYS[((clock.wrapping_sub(tia.frame_start) / CLOCKS) & 3) as usize],
            _ => DELAYS[usize::from(register)],
        };
        if tia.is_seen(register, value) {
            tia.draw_to(clock.wrapping_add(delay), &mut self.screen);
        } else {
            tia.owe(clock.wrapping_add(delay));
        }
        if tia.line_at(clock) > tia.picture.most_lines() {
            tia.partial = false;
            self.stop();
        }
        self.write(register, value, clock, again);
    }

    fn write(&mut self, register: u16, value: u8, clock: i32, again: bool) {
        let tia = &mut self.state.tia;
        let index = usize::from(register & 1);
        match register {
            0x00 => self.write_vsync(value, clock),
            0x01 => tia.write_vblank(value, self.state.cycles),
            0x02 if !again => self.write_wsync(),
            0x04 | 0x05 => tia.write_nusiz(index, value),
            0x06 => tia.write_colour(tables::FIRST, value),
            0x07 => tia.write_colour(tables::SECOND, value),
            0x08 => tia.write_colour(tables::FIELD, value),
            0x09 => tia.write_colour(tables::BACKGROUND, value),
            0x0a => tia.write_ctrlpf(value, clock),
            0x0b | 0x0c => tia.write_refp(index ^ 1, value),
            0x0d => tia.write_playfield(0x0000f, u32::from(value >> 4)),
            0x0e => tia.write_playfield(0x00ff0, u32::from(value) << 4),
            0x0f => tia.write_playfield(0xff000, u32::from(value) << 12),
            0x10 | 0x11 => self.write_resp(index, clock),
            0x12 | 0x13 => tia.write_resm(index, clock),
            0x14 => tia.ball.position = tia.landing_ball(clock),
            0x1b => tia.write_grp0(value),
            0x1c => tia.write_grp1(value),
            0x1d | 0x1e => tia.write_enam(index ^ 1, value),
            0x1f => tia.write_enabl(value),
            0x20 | 0x21 => tia.players[index].motion = value >> 4,
            0x22 => tia.write_hmm0(value, clock),
            0x23 => tia.missiles[1].motion = value >> 4,
            0x24 => tia.ball.motion = value >> 4,
            0x25 | 0x26 => tia.write_vdelp(index ^ 1, value),
            0x27 => tia.write_vdelbl(value),
            0x28 | 0x29 => tia.write_resmp(index, value),
            0x2a => tia.move_all(clock),
            0x2b => tia.write_hmclr(),
            0x2c => tia.collisions = 0,
            // The rest: WSYNC written twice, RSYNC, which games do not use, and sound, which is not made.
            _ => (),
        }
    }

    /// The end of a vertical synchronisation of at least a line ends the frame.
    fn write_vsync(&mut self, value: u8, clock: i32) {
        let tia = &mut self.state.tia;
        tia.vsync = value;
        if value & 0x02 != 0 {
            tia.vsync_end = clock.wrapping_add(SHORTEST_VSYNC);
        } else if clock >= tia.vsync_end {
            tia.vsync_end = NEVER;
            tia.partial = false;
            self.stop();
        }
    }

    /// Halts the processor until the end of the line.
    ///
    /// It can only be halted when it reads: the second write in a row does not halt it.
    fn write_wsync(&mut self) {
        let state = &mut self.state;
        let into_line = (state.cycles as i32).wrapping_sub(state.tia.frame_start / CLOCKS).rem_euclid(LINE / CLOCKS);
        let left = (LINE / CLOCKS - into_line) as u32;
        if left < (LINE / CLOCKS) as u32 {
            state.cycles = state.cycles.wrapping_add(left);
        }
    }

    /// A player put where one of its copies is being drawn finishes the copy; its first copy appears on the next line,
    /// unless the copy was just about to start.
    fn write_resp(&mut self, index: usize, clock: i32) {
        let tia = &mut self.state.tia;
        let position = tia.landing_player(clock);
        let player = &tia.players[index];
        let distance = (usize::from(position) + 160 - usize::from(player.position)) % 160;
        let landing = tables::landing(usize::from(player.copies), distance);
        if landing == Landing::Within {
            tia.draw_to(clock.wrapping_add(COPY_GOES_ON), &mut self.screen);
        }
        let player = &mut tia.players[index];
        player.position = position;
        player.suppressed = landing != Landing::Before;
    }
}

impl Tia {
    /// Whether writing `value` can change anything that is drawn.
    #[inline]
    fn is_seen(&self, register: u16, value: u8) -> bool {
        let [first, second] = &self.players;
        let bit = |bit: u8| value & bit != 0;
        match register {
            0x01 => (self.vblank ^ value) & 0x02 != 0,
            0x06..=0x09 => {
                let colour = [tables::FIRST, tables::SECOND, tables::FIELD, tables::BACKGROUND][usize::from(register - 6)];
                self.colours[usize::from(colour)] != value & 0xfe | self.colour_loss()
            }
            0x0b => first.reflect != bit(0x08),
            0x0c => second.reflect != bit(0x08),
            0x0d => self.playfield & 0x0000f != u32::from(value >> 4),
            0x0e => self.playfield & 0x00ff0 != u32::from(value) << 4,
            0x0f => self.playfield & 0xff000 != u32::from(value) << 12,
            0x1b => first.graphics != value || second.delayed != second.graphics,
            0x1c => second.graphics != value || first.delayed != first.graphics || self.ball.delayed != self.ball.enabled,
            0x1d => self.missiles[0].enabled != bit(0x02),
            0x1e => self.missiles[1].enabled != bit(0x02),
            0x1f => self.ball.enabled != bit(0x02),
            0x00 | 0x02 | 0x03 | 0x15..=0x1a | 0x20..=0x24 | 0x2b | 0x2d.. => false,
            _ => true,
        }
    }

    fn show(&mut self, object: u8, shown: bool) {
        if shown {
            self.visible |= object;
        } else {
            self.visible &= !object;
        }
    }

    fn write_vblank(&mut self, value: u8, cycles: u32) {
        let discharge = value & 0x80 != 0;
        if self.discharge && !discharge {
            self.charging_since = cycles;
        }
        self.discharge = discharge;
        self.vblank = value;
    }

    fn write_nusiz(&mut self, index: usize, value: u8) {
        self.players[index].copies = value & 7;
        self.players[index].suppressed = false;
        self.missiles[index].size = value >> 4 & 3;
        if index == 0 {
            self.stars.shape = 0;
        }
    }

    fn write_colour(&mut self, colour: u8, value: u8) {
        self.colours[usize::from(colour)] = value & 0xfe | self.colour_loss();
    }

    fn write_ctrlpf(&mut self, value: u8, clock: i32) {
        self.reflect = value & 1 != 0;
        self.priority = value >> 1 & 3;
        self.ball.size = value >> 4 & 3;
        if clock.wrapping_sub(self.frame_start) % LINE < REFLECT_UNTIL {
            self.reflect_now = self.reflect;
        }
    }

    fn write_refp(&mut self, index: usize, value: u8) {
        self.players[index].reflect = value & 0x08 != 0;
        self.update_player(index);
    }

    fn write_playfield(&mut self, mask: u32, bits: u32) {
        self.playfield = self.playfield & !mask | bits;
        self.show(PF, self.playfield != 0);
    }

    fn write_resm(&mut self, index: usize, clock: i32) {
        self.missiles[index].position = self.landing_missile(index, clock);
        if index == 0 {
            self.stars.shape = 0;
        }
    }

    fn update_player(&mut self, index: usize) {
        let player = &mut self.players[index];
        let graphics = if player.delay { player.delayed } else { player.graphics };
        player.shown = if player.reflect { tables::mirrored(graphics) } else { graphics };
        let shown = player.shown != 0;
        self.show([P0, P1][index], shown);
    }

    fn update_ball(&mut self) {
        let shown = if self.ball.delay { self.ball.delayed } else { self.ball.enabled };
        self.show(BL, shown);
    }

    /// Player 0's graphics; player 1's pass into its delayed register.
    fn write_grp0(&mut self, value: u8) {
        self.players[0].graphics = value;
        self.players[1].delayed = self.players[1].graphics;
        self.update_player(0);
        self.update_player(1);
    }

    /// Player 1's graphics; player 0's and the ball pass into their delayed registers.
    fn write_grp1(&mut self, value: u8) {
        self.players[1].graphics = value;
        self.players[0].delayed = self.players[0].graphics;
        self.ball.delayed = self.ball.enabled;
        self.update_player(0);
        self.update_player(1);
        self.update_ball();
    }

    fn update_missile(&mut self, index: usize) {
        let missile = &self.missiles[index];
        self.show(M0 << (2 * index), missile.enabled && !missile.locked);
    }

    fn write_enam(&mut self, index: usize, value: u8) {
        self.missiles[index].enabled = value & 0x02 != 0;
        self.update_missile(index);
    }

    fn write_enabl(&mut self, value: u8) {
        self.ball.enabled = value & 0x02 != 0;
        self.update_ball();
    }

    fn write_hmm0(&mut self, value: u8, clock: i32) {
        let motion = value >> 4;
        if clock == self.last_hmove.wrapping_add(STARS_AFTER_HMOVE) && self.missiles[0].motion == 7 && motion == 6 {
            self.stars.moving = true;
            self.stars.phase = 0;
        }
        self.missiles[0].motion = motion;
    }

    fn write_vdelp(&mut self, index: usize, value: u8) {
        self.players[index].delay = value & 1 != 0;
        self.update_player(index);
    }

    fn write_vdelbl(&mut self, value: u8) {
        self.ball.delay = value & 1 != 0;
        self.update_ball();
    }

    /// A missile released from its player starts at the player's middle.
    fn write_resmp(&mut self, index: usize, value: u8) {
        let locked = value & 0x02 != 0;
        let player = &self.players[index];
        let middle = match player.copies {
            5 => 8,
            7 => 16,
            _ => 4,
        };
        let position = (player.position + middle) % 160;
        let missile = &mut self.missiles[index];
        if missile.locked && !locked {
            missile.position = position;
            if index == 0 {
                self.stars.shape = 0;
            }
        }
        self.missiles[index].locked = locked;
        self.update_missile(index);
    }

    fn write_hmclr(&mut self) {
        self.players.iter_mut().for_each(|player| player.motion = 0);
        self.missiles.iter_mut().for_each(|missile| missile.motion = 0);
        self.ball.motion = 0;
    }
}
