//! Machines with hand-written programs, for tests.

use super::cartridge::BankSwitching;
use super::games::Game;
use super::machine::Machine;
use super::rom::Rom;

/// Returns a machine that has been reset, with a program that starts with the bytes `program` at the address 0xf000.
pub fn machine(program: &[u8]) -> Machine {
    let mut image = vec![0xea; 0x1000];
    image[..program.len()].copy_from_slice(program);
    with_vector(&mut image, 0xf000);
    inserted(BankSwitching::FourK, &image)
}

/// Returns a machine that has been reset, with a cartridge that contains `image` and uses the bank-switching scheme `scheme`.
pub fn inserted(scheme: BankSwitching, image: &[u8]) -> Machine {
    let game = super::games::GAMES.iter().find(|game| game.scheme == scheme && game.name != "carnival");
    let mut machine = Rom::with_unchecked_image(game.expect("a game of each scheme"), image).machine();
    machine.reset();
    machine
}

/// Writes the reset vector at the end of the image, so that the program starts at `start`.
pub fn with_vector(image: &mut [u8], start: u16) {
    let at = image.len() - 4;
    image[at..at + 2].copy_from_slice(&start.to_le_bytes());
}

/// Executes the given number of instructions on a machine.
pub fn run(machine: &mut Machine, instructions: u32) {
    for _ in 0..instructions {
        machine.execute_instruction();
    }
}

/// Returns a game of the 2K scheme, for tests that work with any game of this scheme.
pub fn any_game() -> &'static Game {
    Game::named("pong").expect("pong")
}
