//! Translations beside the interpreter: the same state after any number of instructions.

use proptest::prelude::*;

use super::store::Translations;
use crate::random::Generator;
use crate::sim::atari::machine::Machine;
use crate::sim::atari::rom::Rom;
use crate::sim::atari::scheme::Scheme;
use crate::sim::atari::testing::{noise, rom_of, with_vector};

/// A machine whose program is interpreted, and one whose program is translated.
struct Pair {
    interpreted: Machine,
    translated: Machine,
    translations: std::sync::Arc<Translations>,
}

impl Pair {
    fn new(rom: &Rom) -> Self {
        let translations = rom.translations().expect("memory can be made executable");
        let mut pair = Self { interpreted: rom.machine(), translated: rom.machine(), translations };
        pair.interpreted.reset();
        pair.translated.reset();
        pair.play_frame();
        pair
    }

    /// A program that begins at 0xf000.
    fn of_program(program: &[u8]) -> Self {
        let mut image = vec![0xea; 0x1000];
        image[..program.len()].copy_from_slice(program);
        with_vector(&mut image, 0xf000);
        let mut pair = Self::new(&rom_of(Scheme::FourK, &image));
        pair.interpreted.state.cpu.pc = 0xf000;
        pair.translated.state.cpu.pc = 0xf000;
        pair
    }

    fn play_frame(&mut self) {
        self.interpreted.play_frame();
        self.translations.play_frame(&mut self.translated);
    }

    fn execute(&mut self, budget: u32) {
        self.interpreted.execute(budget);
        self.translations.execute(&mut self.translated, budget);
    }

    fn assert_equal(&self) {
        let [interpreted, translated] = [&self.interpreted, &self.translated];
        assert_eq!(interpreted.state.cpu, translated.state.cpu);
        assert_eq!(interpreted.state.cycles, translated.state.cycles);
        let whole = |machine: &Machine| postcard::to_allocvec(&machine.state).expect("encoded");
        assert!(whole(interpreted) == whole(translated), "chips differ");
        assert!(interpreted.screen.pixels() == translated.screen.pixels(), "pictures differ");
    }

    /// Goes on anywhere, with any registers.
    fn jump(&mut self, random: &mut Generator) {
        let mut byte = || random.integers(0, 256) as u8;
        let cpu = &mut self.interpreted.state.cpu;
        (cpu.a, cpu.x, cpu.y, cpu.sp) = (byte(), byte(), byte(), byte());
        (cpu.carry, cpu.decimal, cpu.jammed) = (byte() < 128, byte() < 32, false);
        let mirror = if byte() < 64 { 0xd000 } else { 0xf000 };
        cpu.pc = if byte() < 32 { u16::from(byte()) } else { mirror | random.integers(0, 0x1000) as u16 };
        self.translated.state.cpu = cpu.clone();
    }
}

const SCHEMES: [Scheme; 9] = [
    Scheme::TwoK,
    Scheme::FourK,
    Scheme::F8,
    Scheme::F8Sc,
    Scheme::F6,
    Scheme::F6Sc,
    Scheme::E0,
    Scheme::Fe,
    Scheme::Dpc,
];

/// Plays a cartridge of noise in random pieces.
fn play_noise(seed: u64) {
    let mut random = Generator::new(seed);
    let scheme = SCHEMES[random.integers(0, SCHEMES.len() as i64) as usize];
    let mut pair = Pair::new(&rom_of(scheme, &noise(&mut random)));
    for _ in 0..40 {
        match random.integers(0, 8) {
            0 => pair.jump(&mut random),
            1 => pair.play_frame(),
            2..4 => pair.execute(random.integers(1, 20) as u32),
            _ => pair.execute(random.integers(1, 600) as u32),
        }
        pair.assert_equal();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn noise_is_played_as_the_interpreter_plays_it(seed in 0_u64..1 << 40) {
        play_noise(seed);
    }
}

#[test]
fn every_budget_ends_at_its_instruction() {
    // LDX #0; loop: INX; STX $80; LDA $80; ADC #3; BNE loop; JMP loop
    let program = [0xa2, 0, 0xe8, 0x86, 0x80, 0xa5, 0x80, 0x69, 3, 0xd0, 0xf7, 0x4c, 2, 0xf0];
    let mut pair = Pair::of_program(&program);
    for budget in 1..60 {
        pair.execute(budget);
        pair.assert_equal();
    }
    assert!(pair.translations.size().0 > 0);
}

#[test]
fn programs_in_memory_that_change_themselves_are_interpreted() {
    // LDA #$e8 (INX); STA $80; LDA #$60 (RTS); STA $81; again: JSR $0080; LDA $80; EOR #$20 (INX, INY); STA $80; JMP again
    let program =
        [0xa9, 0xe8, 0x85, 0x80, 0xa9, 0x60, 0x85, 0x81, 0x20, 0x80, 0, 0xa5, 0x80, 0x49, 0x20, 0x85, 0x80, 0x4c, 8, 0xf0];
    let mut pair = Pair::of_program(&program);
    for _ in 0..20 {
        pair.execute(23);
        pair.assert_equal();
    }
    let cpu = &pair.translated.state.cpu;
    assert!(cpu.x > 10 && cpu.y > 10, "{cpu:?}");
}

#[test]
fn a_bank_may_switch_itself_away() {
    // Both banks: LDA #BANK; STA $80; LDA $1ff8 or $1ff9, the other bank's; and so on in the other bank.
    let mut image = vec![0xea; 0x2000];
    for bank in 0..2 {
        let at = usize::from(bank) * 0x1000;
        image[at..at + 10].copy_from_slice(&[0xa9, bank, 0x85, 0x80, 0xad, 0xf9 - bank, 0x1f, 0x4c, 0, 0xf0]);
        with_vector(&mut image[at..at + 0x1000], 0xf000);
    }
    let mut pair = Pair::new(&rom_of(Scheme::F8, &image));
    let mut seen = [false; 2];
    for _ in 0..30 {
        pair.execute(3);
        pair.assert_equal();
        seen[usize::from(pair.translated.state.riot.ram[0] & 1)] = true;
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn a_state_that_no_cartridge_has_is_interpreted() {
    let mut random = Generator::new(5);
    let mut pair = Pair::new(&rom_of(Scheme::F8, &noise(&mut random)));
    let mut bytes = postcard::to_allocvec(&pair.interpreted.state.cartridge).expect("encoded");
    // The first segment's beginning, after the scheme.
    bytes[1] ^= 1;
    let odd = postcard::from_bytes(&bytes).expect("decoded");
    pair.interpreted.state.cartridge = odd;
    pair.translated.state.cartridge = pair.interpreted.state.cartridge.clone();
    for _ in 0..20 {
        pair.execute(100);
        pair.assert_equal();
    }
}

#[test]
fn threads_share_translations_that_come_to_be_meanwhile() {
    let mut random = Generator::new(11);
    let rom = rom_of(Scheme::F6, &noise(&mut random));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let rom = &rom;
            scope.spawn(move || {
                let mut random = Generator::new(seed);
                let mut pair = Pair::new(rom);
                for _ in 0..60 {
                    pair.jump(&mut random);
                    pair.execute(random.integers(1, 400) as u32);
                    pair.assert_equal();
                }
            });
        }
    });
}

#[test]
#[should_panic(expected = "another cartridge")]
fn translations_of_another_cartridge_are_refused() {
    let [one, other] = [1, 2].map(|seed| rom_of(Scheme::FourK, &noise(&mut Generator::new(seed))));
    one.translations().expect("translations").execute(&mut other.machine(), 1);
}
