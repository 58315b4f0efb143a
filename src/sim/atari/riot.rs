//! The 6532 RIOT chip: 128 bytes of RAM, an interval timer, and the ports of controllers and switches.
//!
//! | address (bits 0 to 4) | read | write |
//! |---|---|---|
//! | 0 | SWCHA: both joysticks | port A |
//! | 1 | SWACNT: direction of port A | SWACNT |
//! | 2 | SWCHB: the console's switches | |
//! | 3 | SWBCNT: direction of port B | |
//! | 4, 6 | INTIM: the timer | |
//! | 5, 7 | TIMINT: the timer's interrupt flag | |
//! | 0x14 to 0x17 | | TIM1T, TIM8T, TIM64T, T1024T: timer with an interval of 1, 8, 64, 1024 cycles |

use serde::{Deserialize, Serialize};

use super::input::Controllers;
use envpool_rs_numeric::random::Mt19937;

/// Number of bytes of the RIOT's RAM.
pub const RAM_SIZE: usize = 128;

/// State of the RIOT: RAM, timer and the directions of the ports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Riot {
    /// The console's RAM.
    #[serde(with = "super::bytes")]
    pub ram: [u8; RAM_SIZE],
    /// Value last written to the timer.
    timer: u32,
    /// Binary logarithm of the timer's interval in cycles.
    interval_shift: u32,
    /// Processor cycle at which the timer was last written.
    cycles_when_timer_set: u32,
    /// Processor cycle at which the timer was first read after it had expired.
    cycles_when_interrupt_reset: u32,
    /// Whether the timer has been read after it had expired.
    expired_read: bool,
    /// SWACNT: direction of port A; a set bit means output.
    ddra: u8,
    /// SWBCNT: direction of port B.
    ddrb: u8,
}

impl Riot {
    /// Returns the state of the RIOT chip at power-on, with random bytes in RAM.
    pub(super) fn new(power_on: &mut Mt19937) -> Self {
        let ram = std::array::from_fn(|_| power_on.next_u32() as u8);
        Self::with_ram(ram, power_on)
    }

    /// Sets the timer to a random value; RAM keeps its contents.
    pub(super) fn reset(&mut self, power_on: &mut Mt19937) {
        *self = Self::with_ram(self.ram, power_on);
    }

    fn with_ram(ram: [u8; RAM_SIZE], power_on: &mut Mt19937) -> Self {
        Self {
            ram,
            timer: 25 + power_on.next_u32() % 75,
            interval_shift: 6,
            cycles_when_timer_set: 0,
            cycles_when_interrupt_reset: 0,
            expired_read: false,
            ddra: 0,
            ddrb: 0,
        }
    }

    /// Returns whether this state of the RIOT, which may come from an untrusted snapshot, is valid.
    pub(super) fn is_valid(&self) -> bool {
        self.timer < 256 && self.interval_shift <= 10
    }

    pub(super) fn rebase(&mut self, cycles: u32) {
        self.cycles_when_timer_set = self.cycles_when_timer_set.wrapping_sub(cycles);
        self.cycles_when_interrupt_reset = self.cycles_when_interrupt_reset.wrapping_sub(cycles);
    }

    pub(super) fn peek(&mut self, address: u16, cycles: u32, input: &Controllers) -> u8 {
        match address & 0x07 {
            0 => input.swcha(),
            1 => self.ddra,
            2 => input.swchb(),
            3 => self.ddrb,
            4 | 6 => self.peek_timer(cycles),
            _ => self.interrupt_flag(cycles),
        }
    }

    /// Returns the number of complete intervals until the timer expires, given the cycles since it was set. The number is
    /// negative after the timer has expired.
    fn intervals_left(&self, elapsed: u32) -> i32 {
        (self.timer as i32).wrapping_sub((elapsed >> self.interval_shift) as i32).wrapping_sub(1)
    }

    fn elapsed(&self, cycles: u32) -> u32 {
        cycles.wrapping_sub(1).wrapping_sub(self.cycles_when_timer_set)
    }

    /// Reads the timer.
    ///
    /// After the timer has expired, it counts single cycles until a program reads it, and then counts intervals again.
    fn peek_timer(&mut self, cycles: u32) -> u8 {
        let elapsed = self.elapsed(cycles);
        let left = self.intervals_left(elapsed);
        if left >= 0 {
            return left as u8;
        }
        let set = self.timer << self.interval_shift;
        let cycles_left = (set as i32).wrapping_sub(elapsed as i32).wrapping_sub(1);
        if cycles_left <= -2 && !self.expired_read {
            self.expired_read = true;
            self.cycles_when_interrupt_reset = cycles;
        }
        if !self.expired_read {
            return cycles_left as u8;
        }
        let offset = self.cycles_when_interrupt_reset.wrapping_sub(self.cycles_when_timer_set.wrapping_add(set)) as i32;
        (self.timer as i32).wrapping_sub((elapsed >> self.interval_shift) as i32).wrapping_sub(offset) as u8
    }

    /// Returns the number of timer reads that return values from `least` to `most` before the timer expires. The first read is
    /// at cycle `first`, and the next reads follow every `apart` cycles.
    pub(super) fn unchanged_reads(&self, first: u32, apart: u32, least: u32, most: i32) -> u32 {
        let elapsed = self.elapsed(first);
        let end = self.timer.saturating_sub(least) << self.interval_shift;
        if elapsed < end && self.intervals_left(elapsed) <= most { (end - 1 - elapsed) / apart + 1 } else { 0 }
    }

    fn interrupt_flag(&self, cycles: u32) -> u8 {
        if self.intervals_left(self.elapsed(cycles)) >= 0 || self.expired_read { 0 } else { 0x80 }
    }

    pub(super) fn poke(&mut self, address: u16, value: u8, cycles: u32) {
        match address & 0x17 {
            0x14 => self.set_timer(value, 0, cycles),
            0x15 => self.set_timer(value, 3, cycles),
            0x16 => self.set_timer(value, 6, cycles),
            0x17 => self.set_timer(value, 10, cycles),
            0x01 | 0x11 => self.ddra = value,
            _ => (),
        }
    }

    fn set_timer(&mut self, value: u8, shift: u32, cycles: u32) {
        self.timer = u32::from(value);
        self.interval_shift = shift;
        self.cycles_when_timer_set = cycles;
        self.expired_read = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Controller, Joystick};

    fn riot() -> Riot {
        Riot::new(&mut Mt19937::init_genrand(1))
    }

    fn read_timer(riot: &mut Riot, cycles: u32) -> u8 {
        riot.peek(0x284, cycles, &Controllers::new(Controller::Joystick))
    }

    #[test]
    fn the_timer_counts_intervals_of_its_setting() {
        for (address, interval) in [(0x294, 1), (0x295, 8), (0x296, 64), (0x297, 1024)] {
            let mut riot = riot();
            riot.poke(address, 100, 1000);
            assert_eq!(read_timer(&mut riot, 1001), 99);
            assert_eq!(read_timer(&mut riot, 1001 + 10 * interval), 89, "{interval}");
        }
    }

    #[test]
    fn an_expired_timer_counts_cycles() {
        let mut riot = riot();
        riot.poke(0x296, 1, 0);
        assert_eq!(read_timer(&mut riot, 64), 0);
        assert_eq!(read_timer(&mut riot, 65), 0xff);
    }

    #[test]
    fn skipped_timer_polls_equal_executed_polls() {
        for (value, shift, first, apart, least) in
            [(100, 6, 7, 7, 1), (1, 3, 0, 8, 1), (0, 10, 5, 7, 1), (3, 0, 1, 7, 0), (200, 3, 900, 9, 0)]
        {
            let mut riot = riot();
            riot.set_timer(value, shift, 0);
            let reads = (0..).take_while(|read| riot.intervals_left(riot.elapsed(first + read * apart)) >= least as i32);
            assert_eq!(riot.unchanged_reads(first, apart, least, 255), reads.count() as u32, "{value}");
        }
        assert_eq!(riot().unchanged_reads(0, 7, 0, 10), 0);
    }

    #[test]
    fn the_interrupt_flag_is_set_by_expiry_and_cleared_by_reading() {
        let mut riot = riot();
        let input = Controllers::new(Controller::Joystick);
        riot.poke(0x294, 5, 0);
        assert_eq!(riot.peek(0x285, 3, &input), 0);
        assert_eq!(riot.peek(0x285, 20, &input), 0x80);
        read_timer(&mut riot, 21);
        assert_eq!(riot.peek(0x285, 22, &input), 0);
    }

    #[test]
    fn joystick_bits_are_zero_while_pushed() {
        let mut input = Controllers::new(Controller::Joystick);
        assert_eq!(input.swcha(), 0xff);
        input.sticks[0] = Joystick { up: true, left: true, ..Joystick::default() };
        assert_eq!(input.swcha(), 0xaf);
        input.swapped_ports = true;
        assert_eq!(input.swcha(), 0xfa);
    }

    #[test]
    fn switch_bits_are_zero_while_pressed() {
        let mut input = Controllers::new(Controller::Joystick);
        assert_eq!(input.swchb(), 0x3f);
        input.reset = true;
        input.difficulty = 2;
        assert_eq!(input.swchb(), 0xbe);
    }
}
