//! Dispatches between generated machine code and the interpreter.

use super::code_blob::ExitReason;
use super::code_cache::{CodeCache, Lookup};
use super::helpers;
use super::memory_map::GuestPc;
use crate::machine::Machine;

/// Number of instructions that the interpreter executes between two lookups if the first lookup has found no code.
const FALLBACK_RUN: u32 = 64;

impl CodeCache {
    /// Plays one frame, as [`Machine::play_frame`] does.
    ///
    /// # Panics
    /// If the machine contains a different cartridge, and in all cases in which the interpreter panics.
    pub fn play_frame(&self, machine: &mut Machine) {
        machine.play_frame_with(|machine, budget| self.execute(machine, budget));
    }

    /// Executes instructions until the end of a frame or until `budget` is used up.
    ///
    /// The machine must contain the cartridge of this code cache.
    ///
    /// # Panics
    /// If the machine contains a different cartridge, and in all cases in which the interpreter panics.
    pub fn execute(&self, machine: &mut Machine, budget: u32) {
        assert!(self.is_of(machine), "translations of another cartridge");
        if !self.supports(&machine.state.cartridge) {
            machine.interpret(self.image(), budget, u32::MAX);
            return;
        }
        machine.limit = machine.state.tia.frame_limit();
        machine.colour_loss = machine.state.tia.colour_loss();
        let guard = crossbeam_epoch::pin();
        let mut generation = self.generation(&guard);
        let mut left = budget;
        while left > 0 {
            let pc = machine.state.cpu.pc;
            let at = GuestPc { view: self.view(&machine.state.cartridge, pc), pc };
            let interpreted = match self.lookup_or_compile(at, &mut generation, &guard) {
                Lookup::Code(code) => {
                    let (rest, why) = self.enter(machine, code, left, &guard);
                    left = rest;
                    if machine.limit == 0 {
                        helpers::resume_panic();
                    }
                    if why == ExitReason::Missing || left == 0 {
                        continue;
                    }
                    1
                }
                // A jammed processor executes the same instruction again and again.
                Lookup::Interpreter if machine.state.cpu.jammed => FALLBACK_RUN,
                Lookup::Interpreter => 1,
                Lookup::Missing => FALLBACK_RUN,
            };
            left = machine.interpret(self.image(), left, interpreted);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::helpers::failing;
    use crate::machine::Machine;
    use crate::rom::Rom;
    use crate::testing::{any_game, with_vector};

    /// Returns a cartridge with a program that starts at 0xf000.
    fn rom(program: &[u8]) -> Rom {
        let mut image = vec![0xea; any_game().size];
        image[..program.len()].copy_from_slice(program);
        with_vector(&mut image, 0xf000);
        Rom::with_unchecked_image(any_game(), &image)
    }

    fn machine(rom: &Rom) -> Machine {
        let mut machine = rom.machine();
        machine.reset();
        machine
    }

    /// Plays a frame in which a helper function panics after `calls` helper calls. Returns the panic's message.
    fn fail(rom: &Rom, calls: u32) -> Option<&'static str> {
        let translations = rom.code_cache()?;
        let mut machine = machine(rom);
        failing::after(Some(calls));
        let outcome = catch_unwind(AssertUnwindSafe(|| translations.play_frame(&mut machine)));
        failing::after(None);
        outcome.err().map(|panic| panic.downcast_ref::<&str>().copied().unwrap_or("something else"))
    }

    /// Asserts that the code cache gives the same results as the interpreter, after a helper has panicked.
    fn assert_unharmed(rom: &Rom) {
        let (mut interpreted, mut translated) = (machine(rom), machine(rom));
        interpreted.play_frame();
        rom.code_cache().expect("a code cache").play_frame(&mut translated);
        assert_eq!(interpreted.state.cpu, translated.state.cpu);
        assert_eq!(interpreted.state.cycles, translated.state.cycles);
        assert_eq!(interpreted.state.riot.ram, translated.state.riot.ram);
    }

    #[test]
    fn a_panic_in_a_helper_unwinds_through_translated_code() {
        // 6502 program: `LDX #$fd; TXS; again: STA COLUBK; LDA CXM0P; PHP; PLA; PHP; PLP; LDA SWCHA; STA WSYNC; STA GRP0,X; LDA
        // INTIM; BNE -5; JMP again`.
        let program = [
            0xa2, 0xfd, 0x9a, 0x85, 0x09, 0xa5, 0x00, 0x08, 0x68, 0x08, 0x28, 0xad, 0x80, 0x02, 0x85, 0x02, 0x95, 0x1b, 0xad,
            0x84, 0x02, 0xd0, 0xfb, 0x4c, 0x03, 0xf0,
        ];
        let rom = rom(&program);
        assert_unharmed(&rom);
        for calls in 0..40 {
            assert_eq!(fail(&rom, calls), Some("this helper fails"), "after {calls} calls");
        }
        assert_unharmed(&rom);
    }

    #[test]
    fn a_panic_in_a_program_without_writes_is_reported() {
        // 6502 program: `again: LDA CXM0P; AND #$c0; TAX; JMP again`.
        let rom = rom(&[0xa5, 0x00, 0x29, 0xc0, 0xaa, 0x4c, 0x00, 0xf0]);
        for calls in [0, 1, 30] {
            assert_eq!(fail(&rom, calls), Some("this helper fails"), "after {calls} calls");
        }
        assert_eq!(fail(&rom, 1_000_000), None);
        assert_unharmed(&rom);
    }
}
