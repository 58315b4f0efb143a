//! The board: address decoding and the loop of a frame.
//!
//! The 6507 has thirteen address lines. Bit 12 selects the cartridge. If bit 12 is clear, bit 7 selects the RIOT (bit 9 selects
//! its registers instead of its RAM). The remaining addresses belong to the TIA.
//!
//! All state that changes while the machine runs, except the two frame buffers, is in one struct, [`MachineState`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bank_switching::BankSwitching;
use super::cartridge::Cartridge;
use super::cpu::Cpu;
use super::input::Controllers;
use super::riot::Riot;
use super::rom_image::RomImage;
use super::tia::{FrameBuffers, Tia, VisiblePicture};
use envpool_rs_numeric::random::Mt19937;

/// Maximum number of instructions per frame. If the program has not ended the frame after this number, the frame stays partial.
const INSTRUCTIONS_PER_FRAME: u32 = 25_000;
/// Seed of the generator that fills RAM at power-on.
const POWER_ON_SEED: u32 = 4_753_849;

/// Chips of a console with a cartridge, and the frame buffers.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) image: Arc<RomImage>,
    /// State of all chips and controllers.
    pub state: MachineState,
    /// The two frame buffers.
    pub screen: FrameBuffers,
    /// From this cycle on, writes to the TIA may end the frame. So generated machine code must let the interpreter execute
    /// them.
    #[allow(dead_code, reason = "unused without the recompiler")]
    pub(super) limit: u32,
    /// Bit 0 of all colours, for generated machine code: see [`Tia::colour_loss`].
    #[allow(dead_code, reason = "unused without the recompiler")]
    pub(super) colour_loss: u8,
}

/// State that changes while the machine runs, except the frame buffers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MachineState {
    /// The processor.
    pub cpu: Cpu,
    /// Processor cycles since the start of the frame. A cycle has three colour clocks.
    pub cycles: u32,
    /// Whether the current instruction has ended the frame.
    pub stopped: bool,
    /// RIOT chip: RAM, timer and ports.
    pub riot: Riot,
    /// TIA chip: registers of the picture and the controllers.
    pub tia: Tia,
    /// Cartridge: selected banks, and RAM.
    pub cartridge: Cartridge,
    /// Controllers and switches.
    pub input: Controllers,
    /// Random generator of the values that RAM and timer have at power-on.
    pub power_on: Mt19937,
}

impl Machine {
    /// Returns a machine with a cartridge, switched on but not yet reset. `picture` is the visible part of its picture.
    pub fn new(image: Arc<RomImage>, scheme: BankSwitching, picture: VisiblePicture, input: Controllers) -> Self {
        let mut power_on = Mt19937::init_genrand(POWER_ON_SEED);
        let riot = Riot::new(&mut power_on);
        let state = MachineState {
            cpu: Cpu::default(),
            cycles: 0,
            stopped: false,
            riot,
            tia: Tia::new(picture),
            cartridge: Cartridge::new(scheme),
            input,
            power_on,
        };
        Self { image, state, screen: FrameBuffers::default(), limit: 0, colour_loss: 0 }
    }

    /// Resets all chips; the RIOT's RAM keeps its contents.
    pub fn reset(&mut self) {
        let state = &mut self.state;
        rebase_cycles(state);
        state.riot.reset(&mut state.power_on);
        state.tia.reset();
        self.screen.clear();
        state.cartridge.reset(&mut state.power_on);
        self.reset_cpu();
    }

    /// Plays one frame, until the program ends the frame or the television's maximum number of lines is reached.
    pub fn play_frame(&mut self) {
        self.play_frame_with(Self::execute);
    }

    /// Plays one frame with the function `execute` instead of the interpreter. `execute` runs up to the given number of
    /// instructions, or to the end of a frame.
    pub(super) fn play_frame_with(&mut self, execute: impl FnOnce(&mut Self, u32)) {
        if !self.state.tia.is_partial() {
            self.start_frame();
        }
        self.state.tia.set_partial(true);
        execute(self, INSTRUCTIONS_PER_FRAME);
        self.end_frame();
    }

    fn start_frame(&mut self) {
        let cycles = self.state.cycles;
        rebase_cycles(&mut self.state);
        self.state.tia.start_frame(cycles, &mut self.screen);
    }

    fn end_frame(&mut self) {
        let cycles = self.state.cycles;
        self.state.tia.end_frame(cycles, &mut self.screen);
    }

    /// Writes a byte to the TIA register at an address. `again` says whether the processor's previous access was also a write.
    pub(super) fn poke_tia(&mut self, address: u16, value: u8, again: bool) {
        let MachineState { tia, cycles, stopped, .. } = &mut self.state;
        tia.poke(address, value, again, cycles, stopped, &mut self.screen);
    }

    /// Reads a byte, with the side effects of the read on the addressed chip. `bus` is the last byte on the data bus, which
    /// provides those bits of the result that the chip does not drive.
    pub fn peek(&mut self, address: u16, bus: u8) -> u8 {
        if address & 0x1280 == 0x80 {
            return self.state.riot.ram[usize::from(address & 0x7f)];
        }
        if address & 0x1000 != 0
            && let Some(at) = self.state.cartridge.side_effect_free_offset(address)
        {
            return self.image.byte(at);
        }
        self.peek_register(address, bus)
    }

    fn peek_register(&mut self, address: u16, bus: u8) -> u8 {
        let state = &mut self.state;
        if address & 0x1000 != 0 {
            state.cartridge.peek(address, state.cycles, &self.image)
        } else if address & 0x80 == 0 {
            let MachineState { tia, cycles, input, .. } = &mut self.state;
            tia.peek(address, *cycles, input, &mut self.screen, bus)
        } else {
            state.riot.peek(address, state.cycles, &state.input)
        }
    }

    /// Writes a byte to an address, with the side effects of the write on the addressed chip.
    pub fn poke(&mut self, address: u16, value: u8) {
        if address & 0x1280 == 0x80 {
            self.state.riot.ram[usize::from(address & 0x7f)] = value;
        } else if is_tia(address) {
            self.poke_tia(address, value, false);
        } else {
            self.poke_register(address, value);
        }
    }

    fn poke_register(&mut self, address: u16, value: u8) {
        if address & 0x1000 != 0 {
            self.state.cartridge.poke(address, value, self.state.cycles);
        } else {
            self.state.riot.poke(address, value, self.state.cycles);
        }
    }
}

/// Returns whether the TIA responds to an address.
#[inline(always)]
pub(super) fn is_tia(address: u16) -> bool {
    address & 0x1080 == 0
}

/// Sets the cycle count to zero, and subtracts its old value from all times that the chips store.
fn rebase_cycles(state: &mut MachineState) {
    let cycles = state.cycles;
    state.riot.rebase(cycles);
    state.tia.rebase(cycles);
    state.cartridge.rebase(cycles);
    state.cycles = 0;
}
