//! Effects of writes to the TIA's registers for players, missiles, the ball and their motion.

use super::super::{BL, M0, M1, Tia};
use super::{GRAPHICS_DELAY, MISSILES, PLAYERS, STARS_AFTER_HMOVE, WriteContext};

impl Tia {
    /// Updates the displayed graphics of both players after a write to their registers; the change takes effect `delay` clocks
    /// after the write.
    #[inline(always)]
    fn update_players(&mut self, delay: i32, beam: &mut WriteContext<'_>) -> Option<()> {
        let shown = [0, 1].map(|index| self.players[index].displayed_graphics());
        let changes = [0, 1].map(|index| self.players[index].current_grp != shown[index]);
        let shows = [0, 1].map(|index| self.players[index].current_grp == 0 && shown[index] != 0);
        self.draw_before_write(changes[0] || changes[1], shows[0] || shows[1], delay, beam)?;
        for index in [0, 1] {
            if changes[index] {
                self.players[index].current_grp = shown[index];
                self.set_visible(PLAYERS[index], shown[index] != 0);
            }
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_refp(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        self.players[index].refp = value & 0x08 != 0;
        self.update_players(GRAPHICS_DELAY, beam)
    }

    /// Updates the displayed graphics of player `index` after a write to GRPx. If the other player's graphics are delayed, the
    /// write may change them, too.
    #[inline(always)]
    fn update_player(&mut self, index: usize, beam: &mut WriteContext<'_>) -> Option<()> {
        if self.players[index ^ 1].vdelp {
            return self.update_players(GRAPHICS_DELAY, beam);
        }
        let (before, shown) = (self.players[index].current_grp, self.players[index].displayed_graphics());
        self.draw_before_write(before != shown, before == 0, GRAPHICS_DELAY, beam)?;
        if before != shown {
            self.players[index].current_grp = shown;
            self.set_visible(PLAYERS[index], shown != 0);
        }
        Some(())
    }

    /// Writes GRP0: sets player 0's graphics, and copies player 1's graphics to its delayed register.
    #[inline(always)]
    pub(super) fn write_grp0(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let [first, second] = &mut self.players;
        first.grp = value;
        second.dgrp = second.grp;
        self.update_player(0, beam)
    }

    /// Writes GRP1: sets player 1's graphics, and copies player 0's graphics and the ball to their delayed registers.
    #[inline(always)]
    pub(super) fn write_grp1(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let ball_is_seen = self.ball.vdelbl && self.ball.denabl != self.ball.enabl;
        if ball_is_seen {
            self.draw_or_defer(beam.clock.wrapping_add(GRAPHICS_DELAY), beam)?;
        }
        let [first, second] = &mut self.players;
        second.grp = value;
        first.dgrp = first.grp;
        self.update_player(1, beam)?;
        self.ball.denabl = self.ball.enabl;
        if ball_is_seen {
            self.update_ball();
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_vdelp(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        self.players[index].vdelp = value & 1 != 0;
        self.update_players(0, beam)
    }

    #[inline(always)]
    fn update_missile(&mut self, index: usize) {
        let missile = &self.missiles[index];
        self.set_visible(MISSILES[index], missile.enam && !missile.resmp);
    }

    #[inline(always)]
    pub(super) fn write_enam(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let enabled = value & 0x02 != 0;
        let missile = &self.missiles[index];
        let changes = missile.enam != enabled;
        self.draw_before_write(changes && !missile.resmp, enabled, 0, beam)?;
        if changes {
            self.missiles[index].enam = enabled;
            self.update_missile(index);
        }
        Some(())
    }

    #[inline(always)]
    fn update_ball(&mut self) {
        let shown = if self.ball.vdelbl { self.ball.denabl } else { self.ball.enabl };
        self.set_visible(BL, shown);
    }

    #[inline(always)]
    pub(super) fn write_enabl(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let enabled = value & 0x02 != 0;
        let changes = self.ball.enabl != enabled;
        self.draw_before_write(changes && !self.ball.vdelbl, enabled, 0, beam)?;
        if changes {
            self.ball.enabl = enabled;
            self.update_ball();
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_vdelbl(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let delay = value & 1 != 0;
        let changes = self.ball.vdelbl != delay && self.ball.denabl != self.ball.enabl;
        self.draw_before_write(changes, true, 0, beam)?;
        self.ball.vdelbl = delay;
        self.update_ball();
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_hmp(&mut self, index: usize, value: u8, clock: i32) {
        self.defer(clock);
        self.players[index].hmp = value >> 4;
        self.set_moving(PLAYERS[index], value >> 4);
    }

    #[inline(always)]
    pub(super) fn write_hmm0(&mut self, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        self.defer(beam.clock);
        let motion = value >> 4;
        let since = beam.clock.wrapping_sub(self.last_hmove);
        if since == STARS_AFTER_HMOVE && self.missiles[0].hmm == 7 && motion == 6 {
            // The ends of deferred lines come before this write, which starts the stars of Cosmic Ark. So these lines are
            // processed first, without moving the stars.
            self.draw_or_defer(beam.clock, beam)?;
            self.stars.moving = true;
            self.no_paint_until = self.no_change_until;
            self.stars.phase = 0;
        }
        self.missiles[0].hmm = motion;
        self.set_moving(M0, motion);
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_hmm1(&mut self, value: u8, clock: i32) {
        self.defer(clock);
        self.missiles[1].hmm = value >> 4;
        self.set_moving(M1, value >> 4);
    }

    #[inline(always)]
    pub(super) fn write_hmbl(&mut self, value: u8, clock: i32) {
        self.defer(clock);
        self.ball.hmbl = value >> 4;
        self.set_moving(BL, value >> 4);
    }

    /// Writes RESMPx, which hides a missile and locks it to its player, or releases it at the middle of the player.
    #[inline(always)]
    pub(super) fn write_resmp(&mut self, index: usize, value: u8, beam: &mut WriteContext<'_>) -> Option<()> {
        let locked = value & 0x02 != 0;
        if self.missiles[index].resmp == locked {
            self.defer(beam.clock);
            return Some(());
        }
        self.draw_or_defer(beam.clock, beam)?;
        let player = &self.players[index];
        let middle = match player.nusiz {
            5 => 8,
            7 => 16,
            _ => 4,
        };
        let position = (player.position + middle) % 160;
        let missile = &mut self.missiles[index];
        if !locked {
            missile.position = position;
            if index == 0 {
                self.stars.shape = 0;
            }
        }
        self.missiles[index].resmp = locked;
        self.update_missile(index);
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_hmove(&mut self, beam: &mut WriteContext<'_>) -> Option<()> {
        self.draw_or_defer(beam.clock, beam)?;
        self.hmove(beam.clock);
        Some(())
    }

    #[inline(always)]
    pub(super) fn write_hmclr(&mut self, clock: i32) {
        self.defer(clock);
        self.players.iter_mut().for_each(|player| player.hmp = 0);
        self.missiles.iter_mut().for_each(|missile| missile.hmm = 0);
        self.ball.hmbl = 0;
        self.moving = 0;
    }
}
