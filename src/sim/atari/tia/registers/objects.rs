//! Writes to the registers of players, missiles, the ball and their motion.

use super::super::{BL, M0, M1, Tia};
use super::{GRAPHICS_DELAY, MISSILES, PLAYERS, STARS_AFTER_HMOVE, WriteContext};

impl Tia {
    /// Updates the displayed graphics of both players `delay` clocks after their registers have changed.
    #[inline(always)]
    fn update_players(&mut self, delay: i32, context: &mut WriteContext<'_>) {
        let shown = [self.players[0].displayed_graphics(), self.players[1].displayed_graphics()];
        let changes = [0, 1].map(|index| self.players[index].current_grp != shown[index]);
        self.draw_before_write(changes[0] || changes[1], delay, context);
        for index in [0, 1] {
            if changes[index] {
                self.players[index].current_grp = shown[index];
                self.set_visible(PLAYERS[index], shown[index] != 0);
            }
        }
    }

    #[inline(always)]
    pub(super) fn write_refp(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        self.players[index].refp = value & 0x08 != 0;
        self.update_players(GRAPHICS_DELAY, context);
    }

    /// Writes GRP0: sets player 0's graphics, and copies player 1's graphics to its delayed register.
    #[inline(always)]
    pub(super) fn write_grp0(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let [first, second] = &mut self.players;
        first.grp = value;
        second.dgrp = second.grp;
        self.update_players(GRAPHICS_DELAY, context);
    }

    /// Writes GRP1: sets player 1's graphics, and copies player 0's graphics and the ball to their delayed registers.
    #[inline(always)]
    pub(super) fn write_grp1(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let ball_is_seen = self.ball.vdelbl && self.ball.denabl != self.ball.enabl;
        if ball_is_seen {
            self.draw_to(context.clock.wrapping_add(GRAPHICS_DELAY), context.screen);
        }
        let [first, second] = &mut self.players;
        second.grp = value;
        first.dgrp = first.grp;
        self.update_players(GRAPHICS_DELAY, context);
        self.ball.denabl = self.ball.enabl;
        if ball_is_seen {
            self.update_ball();
        }
    }

    #[inline(always)]
    pub(super) fn write_vdelp(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        self.players[index].vdelp = value & 1 != 0;
        self.update_players(0, context);
    }

    #[inline(always)]
    fn update_missile(&mut self, index: usize) {
        let missile = &self.missiles[index];
        self.set_visible(MISSILES[index], missile.enam && !missile.resmp);
    }

    #[inline(always)]
    pub(super) fn write_enam(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        let enabled = value & 0x02 != 0;
        let missile = &self.missiles[index];
        let changes = missile.enam != enabled;
        self.draw_before_write(changes && !missile.resmp, 0, context);
        if changes {
            self.missiles[index].enam = enabled;
            self.update_missile(index);
        }
    }

    #[inline(always)]
    fn update_ball(&mut self) {
        let shown = if self.ball.vdelbl { self.ball.denabl } else { self.ball.enabl };
        self.set_visible(BL, shown);
    }

    #[inline(always)]
    pub(super) fn write_enabl(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let enabled = value & 0x02 != 0;
        let changes = self.ball.enabl != enabled;
        self.draw_before_write(changes && !self.ball.vdelbl, 0, context);
        if changes {
            self.ball.enabl = enabled;
            self.update_ball();
        }
    }

    #[inline(always)]
    pub(super) fn write_vdelbl(&mut self, value: u8, context: &mut WriteContext<'_>) {
        let delay = value & 1 != 0;
        self.draw_before_write(self.ball.vdelbl != delay && self.ball.denabl != self.ball.enabl, 0, context);
        self.ball.vdelbl = delay;
        self.update_ball();
    }

    #[inline(always)]
    pub(super) fn write_hmp(&mut self, index: usize, value: u8, clock: i32) {
        self.defer(clock);
        self.players[index].hmp = value >> 4;
        self.set_moving(PLAYERS[index], value >> 4);
    }

    #[inline(always)]
    pub(super) fn write_hmm0(&mut self, value: u8, context: &mut WriteContext<'_>) {
        self.defer(context.clock);
        let motion = value >> 4;
        let since = context.clock.wrapping_sub(self.last_hmove);
        if since == STARS_AFTER_HMOVE && self.missiles[0].hmm == 7 && motion == 6 {
            // The ends of lines whose drawing was deferred come before this write, so they must not move the stars.
            self.draw_to(context.clock, context.screen);
            self.stars.moving = true;
            self.stars.phase = 0;
        }
        self.missiles[0].hmm = motion;
        self.set_moving(M0, motion);
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

    /// Writes RESMPx. A missile that is released starts at the middle of its player.
    #[inline(always)]
    pub(super) fn write_resmp(&mut self, index: usize, value: u8, context: &mut WriteContext<'_>) {
        let locked = value & 0x02 != 0;
        if self.missiles[index].resmp == locked {
            return self.defer(context.clock);
        }
        self.draw_to(context.clock, context.screen);
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
    }

    #[inline(always)]
    pub(super) fn write_hmove(&mut self, context: &mut WriteContext<'_>) {
        self.draw_to(context.clock, context.screen);
        self.hmove(context.clock);
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
