//! Machines with hand-made programs, for tests.

use super::cartridge::Scheme;
use super::cpu::LENGTH;
use super::games::Game;
use super::image::LARGEST;
use super::machine::Machine;
use super::rom::Rom;
use crate::random::Generator;

/// A machine, reset, whose program begins at 0xf000 with these bytes.
pub fn machine(program: &[u8]) -> Machine {
    let mut image = vec![0xea; 0x1000];
    image[..program.len()].copy_from_slice(program);
    with_vector(&mut image, 0xf000);
    inserted(Scheme::FourK, &image)
}

/// This image in a cartridge of a game that has the scheme.
pub fn rom_of(scheme: Scheme, image: &[u8]) -> Rom {
    let game = super::games::GAMES.iter().find(|game| game.scheme == scheme && game.name != "carnival");
    Rom::pretend(game.expect("a game of each scheme"), image)
}

/// A machine, reset, with this image in a cartridge of a game that has the scheme.
pub fn inserted(scheme: Scheme, image: &[u8]) -> Machine {
    let mut machine = rom_of(scheme, image).machine();
    machine.reset();
    machine
}

/// Writes the reset vector at the image's end.
pub fn with_vector(image: &mut [u8], start: u16) {
    let at = image.len() - 4;
    image[at..at + 2].copy_from_slice(&start.to_le_bytes());
}

/// Addresses of chips, memory, hot spots, and of what lies around them.
const ADDRESSES: [(i64, i64); 6] = [(0x00, 0x40), (0x80, 0x100), (0x280, 0x298), (0x1ff0, 0x2000), (0x1000, 0x1100), (0x1fe0, 0x1ff8)];

/// The largest image of noise: nothing but that, or instructions of any kind, whose addresses are often those of something. What is
/// cut off of it has vectors at its end, too.
pub fn noise(random: &mut Generator) -> Vec<u8> {
    let mut image: Vec<u8> = (0..LARGEST).map(|_| random.integers(0, 256) as u8).collect();
    if random.integers(0, 4) > 0 {
        let mut at = 0;
        while at + 3 < LARGEST {
            at += instruction(&mut image[at..at + 3], random);
        }
    }
    for end in (0x400..=LARGEST).step_by(0x400) {
        with_vector(&mut image[..end], 0xf000 | random.integers(0, 0x1000) as u16);
    }
    image
}

/// Writes an instruction, and returns its length.
fn instruction(at: &mut [u8], random: &mut Generator) -> usize {
    // Instructions that lock the processor, and undocumented ones, are rare: little would come after them.
    let is_dull = |opcode: u8| matches!(opcode & 0x1f, 0x02 | 0x12) && opcode != 0xa2 || matches!(opcode, 0x00 | 0x40);
    let mut opcode = || random.integers(0, 256) as u8;
    let chosen = loop {
        let found = opcode();
        if !is_dull(found) && (found & 3 != 3 || opcode() < 32) || opcode() < 2 {
            break found;
        }
    };
    let (low, high) = ADDRESSES[random.integers(0, ADDRESSES.len() as i64) as usize];
    let is_jump = matches!(chosen, 0x20 | 0x4c | 0x6c);
    let anywhere = random.integers(0, 4) < if is_jump { 3 } else { 1 };
    let address = if anywhere { random.integers(0, 0x1_0000) | 0x1000 } else { random.integers(low, high) };
    let [first, second] = (address as u16).to_le_bytes();
    let is_branch = chosen & 0x1f == 0x10;
    at.copy_from_slice(&[chosen, if is_branch { first & 0x1f } else { first }, second]);
    usize::from(LENGTH[usize::from(chosen)])
}

/// Executes so many instructions.
pub fn run(machine: &mut Machine, instructions: u32) {
    for _ in 0..instructions {
        machine.execute_instruction();
    }
}

/// Any game of a scheme that is not picky.
pub fn any_game() -> &'static Game {
    Game::named("pong").expect("pong")
}
