//! Two Atari machines with the same cartridge, one of which interprets its program and the other translates it; and random
//! cartridges.

use std::sync::Arc;

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::cartridge::BankSwitching;
use envpool_rs::sim::atari::cpu::LENGTH;
use envpool_rs::sim::atari::games::GAMES;
use envpool_rs::sim::atari::machine::Machine;
use envpool_rs::sim::atari::recompiler::CodeCache;
use envpool_rs::sim::atari::{Game, Rom};

/// Number of bytes of a random cartridge image: the largest size of any bank-switching scheme.
const LARGEST: usize = 0x4000;
/// Address ranges of chips, memory and bank-switching hot spots, each with some neighbouring addresses.
const ADDRESSES: [(i64, i64); 6] =
    [(0x00, 0x40), (0x80, 0x100), (0x280, 0x298), (0x1ff0, 0x2000), (0x1000, 0x1100), (0x1fe0, 0x1ff8)];

/// Returns a game that uses the bank-switching scheme `scheme`.
pub fn game_of(scheme: BankSwitching) -> &'static Game {
    GAMES.iter().find(|game| game.scheme == scheme).expect("a game of each scheme")
}

/// All bank-switching schemes that cartridges use.
pub const SCHEMES: [BankSwitching; 9] = [
    BankSwitching::TwoK,
    BankSwitching::FourK,
    BankSwitching::F8,
    BankSwitching::F8Sc,
    BankSwitching::F6,
    BankSwitching::F6Sc,
    BankSwitching::E0,
    BankSwitching::Fe,
    BankSwitching::Dpc,
];

/// Returns a random bank-switching scheme.
pub fn any_scheme(random: &mut Generator) -> BankSwitching {
    SCHEMES[random.integers(0, SCHEMES.len() as i64) as usize]
}

/// Returns a random cartridge image of the largest size: only random bytes, or random bytes with many instructions that address
/// chips and memory.
pub fn noise(random: &mut Generator) -> Vec<u8> {
    let mut image: Vec<u8> = (0..LARGEST).map(|_| random.integers(0, 256) as u8).collect();
    if random.integers(0, 4) > 0 {
        let mut at = 0;
        while at + 5 < LARGEST {
            at += instruction(&mut image[at..at + 3], random);
            if random.integers(0, 50) == 0 && at + 5 < LARGEST {
                // Instructions of a loop that waits for the timer: LDA, LDX, LDY or BIT of INTIM or TIMINT; BNE or BPL back
                let read = [0xad, 0xae, 0xac, 0x2c][random.integers(0, 4) as usize];
                let register = [0x84, 0x85][random.integers(0, 2) as usize];
                let branch = [0xd0, 0x10][random.integers(0, 2) as usize];
                image[at..at + 5].copy_from_slice(&[read, register, 0x02, branch, 0xfb]);
                at += 5;
            }
        }
    }
    for end in (0x400..=LARGEST).step_by(0x400) {
        let start = 0xf000 | random.integers(0, 0x1000) as u16;
        image[end - 4..end - 2].copy_from_slice(&start.to_le_bytes());
    }
    image
}

/// Writes a random 6507 instruction to the start of `at`, and returns its length in bytes.
fn instruction(at: &mut [u8], random: &mut Generator) -> usize {
    // Undocumented instructions, and those that lock the processor, are made rare, because a machine would execute little code
    // after them.
    let is_dull = |opcode: u8| matches!(opcode & 0x1f, 0x02 | 0x12) && opcode != 0xa2 || matches!(opcode, 0x00 | 0x40);
    let mut byte = || random.integers(0, 256) as u8;
    let opcode = loop {
        let found = byte();
        if !is_dull(found) && (found & 3 != 3 || byte() < 32) || byte() < 2 {
            break found;
        }
    };
    let (low, high) = ADDRESSES[random.integers(0, ADDRESSES.len() as i64) as usize];
    let is_jump = matches!(opcode, 0x20 | 0x4c | 0x6c);
    let anywhere = random.integers(0, 4) < if is_jump { 3 } else { 1 };
    let address = if anywhere { random.integers(0, 0x1_0000) | 0x1000 } else { random.integers(low, high) };
    let [first, second] = (address as u16).to_le_bytes();
    let is_branch = opcode & 0x1f == 0x10;
    at.copy_from_slice(&[opcode, if is_branch { first & 0x1f } else { first }, second]);
    usize::from(LENGTH[usize::from(opcode)])
}

/// Two machines with the same cartridge. One translates the program, and the other interprets it.
pub struct Pair {
    pub interpreted: Machine,
    pub translated: Machine,
    pub translations: Arc<CodeCache>,
}

impl Pair {
    /// Creates both machines, and runs one frame on each. Returns `None` if programs cannot be translated on this system.
    pub fn new(rom: &Rom) -> Option<Self> {
        Some(Self::with(rom, rom.code_cache()?))
    }

    /// Creates both machines, and runs one frame on each. The translating machine uses the code cache `translations`.
    pub fn with(rom: &Rom, translations: Arc<CodeCache>) -> Self {
        let mut pair = Self { interpreted: rom.machine(), translated: rom.machine(), translations };
        pair.interpreted.reset();
        pair.translated.reset();
        pair.play_frame();
        pair
    }

    pub fn play_frame(&mut self) {
        self.interpreted.play_frame();
        self.translations.play_frame(&mut self.translated);
    }

    pub fn execute(&mut self, budget: u32) {
        self.interpreted.execute(budget);
        self.translations.execute(&mut self.translated, budget);
    }

    /// Continues both machines at a random address, with random registers.
    pub fn jump(&mut self, random: &mut Generator) {
        let mut byte = || random.integers(0, 256) as u8;
        let cpu = &mut self.interpreted.state.cpu;
        (cpu.a, cpu.x, cpu.y, cpu.sp) = (byte(), byte(), byte(), byte());
        (cpu.carry, cpu.decimal, cpu.jammed) = (byte() < 128, byte() < 32, false);
        let mirror = if byte() < 64 { 0xd000 } else { 0xf000 };
        cpu.pc = if byte() < 32 { u16::from(byte()) } else { mirror | random.integers(0, 0x1000) as u16 };
        self.translated.state.cpu = cpu.clone();
    }

    /// Runs both machines for random numbers of instructions, and asserts after each run that their states are equal.
    pub fn play_pieces(&mut self, pieces: u32, random: &mut Generator) {
        for _ in 0..pieces {
            match random.integers(0, 8) {
                0 => self.jump(random),
                1 => self.play_frame(),
                2 | 3 => self.execute(random.integers(1, 20) as u32),
                _ => self.execute(random.integers(1, 600) as u32),
            }
            self.assert_equal();
        }
    }

    pub fn assert_equal(&self) {
        let [interpreted, translated] = [&self.interpreted, &self.translated];
        assert_eq!(interpreted.state.cpu, translated.state.cpu);
        assert_eq!(interpreted.state.cycles, translated.state.cycles);
        let whole = |machine: &Machine| postcard::to_allocvec(&machine.state).expect("encoded");
        assert!(whole(interpreted) == whole(translated), "chips differ");
        assert!(interpreted.screen.pixels() == translated.screen.pixels(), "pictures differ");
    }
}
