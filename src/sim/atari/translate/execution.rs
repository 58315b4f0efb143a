//! The machine going from translations to the interpreter and back.

use super::code::Left;
use super::layout::Place;
use super::store::{Found, Translations};
use crate::sim::atari::machine::Machine;

/// Instructions that are interpreted where there is no translation, before one is looked for again.
const STRETCH: u32 = 64;

impl Translations {
    /// Plays one frame, as [`Machine::play_frame`] does.
    ///
    /// # Panics
    /// As [`Self::execute`].
    pub fn play_frame(&self, machine: &mut Machine) {
        machine.play_frame_by(|machine, budget| self.execute(machine, budget));
    }

    /// Executes instructions until the end of a frame or until `budget` is used up, with a machine that has the cartridge in it of which
    /// these are the translations.
    ///
    /// # Panics
    /// Where it has another cartridge.
    pub fn execute(&self, machine: &mut Machine, budget: u32) {
        assert!(self.is_of(machine), "translations of another cartridge");
        if !self.fits(&machine.state.cartridge) {
            machine.interpret(self.image(), budget, u32::MAX);
            return;
        }
        machine.limit = machine.state.tia.frame_limit();
        let mut left = budget;
        while left > 0 {
            let pc = machine.state.cpu.pc;
            let at = Place { view: self.view(&machine.state.cartridge, pc), pc };
            let interpreted = match self.find(at) {
                Found::Code(code) => {
                    let (rest, why) = self.enter(machine, code, left);
                    left = rest;
                    if why == Left::Missing || left == 0 {
                        continue;
                    }
                    1
                }
                // A locked processor executes the same instruction over and over.
                Found::Interpreter if machine.state.cpu.jammed => STRETCH,
                Found::Interpreter => 1,
                Found::Nothing => STRETCH,
            };
            left = machine.interpret(self.image(), left, interpreted);
        }
    }
}
