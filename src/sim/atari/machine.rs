//! The board: which chip answers at which address, and how a frame is played.
//!
//! The 6507 has thirteen address lines. Bit 12 selects the cartridge; otherwise bit 7 selects the RIOT (bit 9 its
//! registers rather than its memory), and what is left is the TIA's.
//!
//! All that changes while the machine runs is one plain struct, [`State`], but for the two pictures.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cartridge::Cartridge;
use super::cpu::{CYCLES, Cpu, LENGTH};
use super::input::Input;
use super::riot::Riot;
use super::rom::Rom;
use super::tia::{Screen, Tia};
use crate::random::Mt19937;

/// Instructions after which a frame that has not ended is shown as it is.
const INSTRUCTIONS_PER_FRAME: u32 = 25_000;
/// Seed of the generator that fills memory at power-on.
const POWER_ON_SEED: u32 = 4_753_849;

/// The chips of a console, with a cartridge plugged in.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The cartridge's memory, followed by padding so that four bytes can be read at its end.
    pub(super) image: Arc<[u8]>,
    /// Everything else that execution reads and writes.
    pub state: State,
    /// What the television shows, and what it will show next.
    pub screen: Screen,
}

/// What changes while the machine runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// The processor.
    pub cpu: Cpu,
    /// Processor cycles since the frame's start; three colour clocks each.
    pub cycles: u32,
    /// Instructions left until the frame is given up.
    pub budget: u32,
    /// Set by whoever ends the frame: execution stops after the instruction.
    pub stopped: bool,
    /// The byte that the data bus saw last; reads of undriven lines find it.
    pub bus: u8,
    /// Whether the processor's last access was a write, which the TIA cannot halt.
    pub wrote: bool,
    /// Memory, timer and ports.
    pub riot: Riot,
    /// The picture's and the controllers' registers.
    pub tia: Tia,
    /// Banks, and memory of the cartridge's own.
    pub cartridge: Cartridge,
    /// Controllers and switches as the player holds them.
    pub input: Input,
    /// Fills memory and timer at power-on.
    pub power_on: Mt19937,
}

impl Machine {
    /// A console with the cartridge in it, switched on but not yet reset.
    pub fn new(rom: &Rom, input: Input) -> Self {
        let mut power_on = Mt19937::from_integer(POWER_ON_SEED);
        let riot = Riot::new(&mut power_on);
        let state = State {
            cpu: Cpu::default(),
            cycles: 0,
            budget: 0,
            stopped: false,
            bus: 0,
            wrote: false,
            riot,
            tia: Tia::new(rom.picture()),
            cartridge: Cartridge::new(rom.scheme()),
            input,
            power_on,
        };
        Self { image: rom.image(), state, screen: Screen::default() }
    }

    /// Resets all chips; memory keeps what it holds.
    pub fn reset(&mut self) {
        let state = &mut self.state;
        rebase(state);
        state.riot.reset(&mut state.power_on);
        state.tia.reset();
        self.screen.clear();
        state.cartridge.reset(&mut state.power_on);
        self.reset_cpu();
    }

    /// Plays one frame: until the program ends it, or until the television would.
    pub fn play_frame(&mut self) {
        if !self.state.tia.is_partial() {
            self.start_frame();
        }
        self.state.tia.set_partial(true);
        self.execute(INSTRUCTIONS_PER_FRAME);
        self.end_frame();
    }

    fn start_frame(&mut self) {
        let cycles = self.state.cycles;
        rebase(&mut self.state);
        self.state.tia.start_frame(cycles, &mut self.screen);
    }

    fn end_frame(&mut self) {
        let cycles = self.state.cycles;
        self.state.tia.end_frame(cycles, &mut self.screen);
    }

    /// Reads a byte, with whatever the reading does to the chip that is read.
    #[inline(always)]
    pub fn peek(&mut self, address: u16) -> u8 {
        let value = if address & 0x1000 != 0 {
            match self.state.cartridge.plain(address) {
                Some(at) => self.image[at],
                None => self.peek_cartridge(address),
            }
        } else if address & 0x280 == 0x80 {
            self.state.riot.ram[usize::from(address & 0x7f)]
        } else {
            self.peek_register(address)
        };
        self.state.bus = value;
        self.state.wrote = false;
        value
    }

    #[inline(never)]
    fn peek_register(&mut self, address: u16) -> u8 {
        if address & 0x80 == 0 { self.peek_tia(address) } else { self.state.riot.peek(address, self.state.cycles, &self.state.input) }
    }

    #[inline(never)]
    fn peek_cartridge(&mut self, address: u16) -> u8 {
        let state = &mut self.state;
        state.cartridge.peek(address, state.cycles, state.bus, &self.image)
    }

    /// Writes a byte.
    #[inline(always)]
    pub fn poke(&mut self, address: u16, value: u8) {
        if address & 0x1000 != 0 {
            self.state.cartridge.poke(address, value, self.state.cycles);
        } else if address & 0x280 == 0x80 {
            self.state.riot.ram[usize::from(address & 0x7f)] = value;
        } else if address & 0x80 == 0 {
            self.poke_tia(address, value);
        } else {
            self.state.riot.poke(address, value, self.state.cycles);
        }
        self.state.bus = value;
        self.state.wrote = true;
    }

    /// Fetches an instruction's bytes, lowest first; advances program counter and time by its length and duration.
    #[inline(always)]
    pub(super) fn fetch(&mut self) -> u32 {
        let pc = self.state.cpu.pc;
        let word = match self.state.cartridge.plain_word(pc) {
            Some(at) => match self.image.get(at..at + 4) {
                Some(bytes) => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
                None => 0,
            },
            None => return self.fetch_bytewise(),
        };
        let opcode = usize::from(word as u8);
        let length = LENGTH[opcode];
        self.state.bus = (word >> (8 * (length - 1))) as u8;
        self.state.wrote = false;
        self.state.cpu.pc = pc.wrapping_add(u16::from(length));
        self.state.cycles = self.state.cycles.wrapping_add(u32::from(CYCLES[opcode]));
        word
    }

    /// For instructions in memory, near hot spots, or at the end of a bank.
    #[inline(never)]
    fn fetch_bytewise(&mut self) -> u32 {
        let opcode = self.peek_next();
        self.state.cycles = self.state.cycles.wrapping_add(u32::from(CYCLES[usize::from(opcode)]));
        let mut word = u32::from(opcode);
        for byte in 1..LENGTH[usize::from(opcode)] {
            word |= u32::from(self.peek_next()) << (8 * byte);
        }
        word
    }

    fn peek_next(&mut self) -> u8 {
        let pc = self.state.cpu.pc;
        self.state.cpu.pc = pc.wrapping_add(1);
        self.peek(pc)
    }
}

/// Counts cycles from now on.
fn rebase(state: &mut State) {
    let cycles = state.cycles;
    state.riot.rebase(cycles);
    state.tia.rebase(cycles);
    state.cartridge.rebase(cycles);
    state.cycles = 0;
}
