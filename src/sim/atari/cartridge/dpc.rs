//! DPC, the display processor chip of Pitfall II: data fetchers, a random number generator and music.
//!
//! Eight data fetchers read 2,048 bytes of graphics backwards. Three of the fetchers can play music; an oscillator of 20 kHz
//! clocks them.
//!
//! | offset | read | | offset | write |
//! |---|---|---|---|---|
//! | 0x00 | random number | | 0x40 | top |
//! | 0x04 | music | | 0x48 | bottom |
//! | 0x08 | graphics | | 0x50 | counter, low |
//! | 0x10 | graphics between top and bottom | | 0x58 | counter, high, and music mode |
//! | 0x18 to 0x30 | as 0x10: nibbles swapped, bits reversed, shifted right or left | | 0x70 | random number reset |
//! | 0x38 | the flag | | | |

use serde::{Deserialize, Serialize};

use crate::rom_image::RomImage;

/// Offset of the graphics in the cartridge image. `GRAPHICS_SIZE` is the size of the graphics in bytes.
const GRAPHICS_OFFSET: usize = 0x2000;
const GRAPHICS_SIZE: u16 = 0x800;
/// Frequency of the music oscillator in Hz; `PROCESSOR` is the processor's frequency in Hz.
const OSCILLATOR: f64 = 20_000.0;
const PROCESSOR: f64 = 1_193_191.666_666_67;
/// Index of the first of the three fetchers that play music.
const FIRST_VOICE: usize = 5;
/// Amplitude of the mixed music voices, indexed by a bit mask of the voices whose flags are set.
const AMPLITUDES: [u8; 8] = [0x00, 0x04, 0x05, 0x09, 0x06, 0x0a, 0x0b, 0x0f];

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Fetcher {
    top: u8,
    bottom: u8,
    counter: u16,
    flag: bool,
    music: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Dpc {
    fetchers: [Fetcher; 8],
    random: u8,
    /// Processor cycle of the last update of the oscillator.
    last_update: u32,
    /// Fraction of an oscillation that had elapsed at the last update of the oscillator.
    fraction: f64,
}

impl Default for Dpc {
    fn default() -> Self {
        Self { fetchers: [Fetcher::default(); 8], random: 1, last_update: 0, fraction: 0.0 }
    }
}

impl Dpc {
    pub(super) fn rebase(&mut self, cycles: u32) {
        self.last_update = self.last_update.wrapping_sub(cycles);
    }

    /// Resets the music oscillator. The chip's registers keep their values.
    pub(super) fn reset(&mut self) {
        self.last_update = 0;
        self.fraction = 0.0;
    }

    /// Clocks the 8-bit shift register that generates random numbers.
    ///
    /// Each access to the chip clocks the register, and so does each access to the 64 addresses around the bank-switching hot
    /// spots.
    pub(super) fn clock_random(&mut self) {
        let taps = [7_u8, 5, 4, 3];
        let parity = taps.iter().fold(0, |sum, tap| sum ^ self.random >> tap & 1);
        self.random = self.random << 1 | (parity ^ 1);
    }

    fn clock_music(&mut self, cycles: u32) {
        let elapsed = cycles.wrapping_sub(self.last_update) as i32;
        self.last_update = cycles;
        let oscillations = OSCILLATOR * f64::from(elapsed) / PROCESSOR + self.fraction;
        let whole = oscillations as i32;
        self.fraction = oscillations - f64::from(whole);
        if whole > 0 {
            self.fetchers[FIRST_VOICE..].iter_mut().filter(|voice| voice.music).for_each(|voice| voice.play(whole));
        }
    }

    fn amplitude(&self) -> u8 {
        let voices = self.fetchers[FIRST_VOICE..].iter().enumerate();
        AMPLITUDES[voices.map(|(i, voice)| usize::from(voice.music && voice.flag) << i).sum::<usize>()]
    }

    pub(super) fn peek(&mut self, offset: u16, cycles: u32, image: &RomImage) -> u8 {
        let index = usize::from(offset & 7);
        let function = offset >> 3 & 7;
        let fetcher = &mut self.fetchers[index];
        if fetcher.counter & 0xff == u16::from(fetcher.top) {
            fetcher.flag = true;
        } else if fetcher.counter & 0xff == u16::from(fetcher.bottom) {
            fetcher.flag = false;
        }
        let graphics = image.byte(GRAPHICS_OFFSET + usize::from(GRAPHICS_SIZE - 1 - fetcher.counter % GRAPHICS_SIZE));
        let masked = if fetcher.flag { graphics } else { 0 };
        let flag = if fetcher.flag { 0xff } else { 0 };
        let value = match function {
            0 if index < 4 => self.random,
            0 => {
                self.clock_music(cycles);
                self.amplitude()
            }
            1 => graphics,
            2 => masked,
            3 => masked.rotate_left(4),
            4 => masked.reverse_bits(),
            5 => masked >> 1,
            6 => masked << 1,
            _ => flag,
        };
        let fetcher = &mut self.fetchers[index];
        if index < FIRST_VOICE || !fetcher.music {
            fetcher.counter = fetcher.counter.wrapping_sub(1) & 0x7ff;
        }
        value
    }

    pub(super) fn poke(&mut self, offset: u16, value: u8, cycles: u32) {
        let index = usize::from(offset & 7);
        let fetcher = &mut self.fetchers[index];
        match offset >> 3 & 7 {
            0 => {
                fetcher.top = value;
                fetcher.flag = false;
            }
            1 => fetcher.bottom = value,
            2 => {
                let low = if index >= FIRST_VOICE && fetcher.music { fetcher.top } else { value };
                fetcher.counter = fetcher.counter & 0x700 | u16::from(low);
            }
            3 => {
                fetcher.counter = u16::from(value & 7) << 8 | fetcher.counter & 0xff;
                if index >= FIRST_VOICE {
                    self.clock_music(cycles);
                    self.fetchers[index].music = value & 0x10 != 0;
                }
            }
            6 => self.random = 1,
            _ => (),
        }
    }
}

impl Fetcher {
    /// Clocks a music voice `oscillations` times. The voice's counter counts down from the voice's top register and wraps
    /// around. Its flag is the square wave that it plays.
    fn play(&mut self, oscillations: i32) {
        let mut low = 0;
        if self.top != 0 {
            let period = i32::from(self.top) + 1;
            low = i32::from(self.counter & 0xff) - oscillations % period;
            if low < 0 {
                low += period;
            }
        }
        if low <= i32::from(self.bottom) {
            self.flag = false;
        } else if low <= i32::from(self.top) {
            self.flag = true;
        }
        self.counter = self.counter & 0x700 | low as u16;
    }
}
