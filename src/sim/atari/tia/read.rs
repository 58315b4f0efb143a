//! Reads of the TIA's registers: collisions and controllers.

use super::super::input::{Controllers, OPEN_RESISTANCE};
use super::frame_buffers::FrameBuffers;
use super::{Tia, clock_at};

/// Returns whether the address is that of a collision register.
#[inline(always)]
pub(crate) fn is_collision(address: u16) -> bool {
    address & 0x08 == 0
}

impl Tia {
    /// Returns whether the capacitor of paddle `number` is charged.
    fn is_charged(&mut self, number: usize, resistance: i32, cycles: u32) -> bool {
        if resistance == 0 {
            return true;
        }
        if resistance == OPEN_RESISTANCE || self.dump_enabled {
            return false;
        }
        // Programs read paddles in each line, and a resistance changes at most once per frame.
        let known = &mut self.charge_times[number];
        if known.0 != resistance {
            *known = (resistance, (1.6 * f64::from(resistance) * 0.01e-6 * 1.19e6) as u32);
        }
        let needed = known.1;
        // As in ALE, this sum wraps around. So a capacitor that was charged before the frame began counts as not charged.
        cycles > self.dump_disabled_cycle.wrapping_add(needed)
    }

    /// Reads a register. Deferred pixels are drawn before collisions are read. `bus` is the last byte on the data bus, which
    /// provides those bits of the result that the chip does not drive.
    #[inline(always)]
    pub(crate) fn peek(&mut self, address: u16, cycles: u32, input: &Controllers, screen: &mut FrameBuffers, bus: u8) -> u8 {
        if is_collision(address) {
            self.draw_to(clock_at(cycles), screen);
            let bits = 3 << (2 * (address & 0x07));
            screen.unread_collisions &= !bits;
            if self.unknown & bits != 0 {
                // The frame will be played again, so the pixels that the next frames need are not painted over.
                self.has_read_unknown = true;
                screen.hidden = true;
            }
            return self.read_register(address, cycles, input, bus);
        }
        self.peek_controller(address, cycles, input, bus)
    }

    /// Reads a register other than those of collisions, as [`peek`](Self::peek) does.
    #[inline(always)]
    pub(crate) fn peek_controller(&mut self, address: u16, cycles: u32, input: &Controllers, bus: u8) -> u8 {
        self.defer(clock_at(cycles));
        self.read_register(address, cycles, input, bus)
    }

    #[inline(always)]
    fn read_register(&mut self, address: u16, cycles: u32, input: &Controllers, bus: u8) -> u8 {
        let register = usize::from(address & 0x0f);
        let line = |up: bool| if up { 0x80 } else { 0 };
        let driven = match register {
            0..8 => (self.collisions >> (2 * register) & 3) as u8 * 0x40,
            8..12 => line(self.is_charged(register - 8, input.resistance(register - 8), cycles)),
            12 | 13 => line(input.button_up(register - 12)),
            _ => 0,
        };
        driven | bus & 0x3f
    }
}
