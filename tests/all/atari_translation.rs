//! Tests that translated and interpreted Atari programs lead to equal machine states after any number of instructions.
#![cfg(all(
    feature = "translate",
    any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")),
    target_os = "linux"
))]

#[path = "../support/atari_pair.rs"]
mod atari_pair;

use std::sync::Arc;

use atari_pair::{Pair, any_scheme, game_of, noise};
use envpool_rs::random::Generator;
use envpool_rs::sim::atari::cartridge::BankSwitching;
use envpool_rs::sim::atari::{Action, Console, Rom, Settings};
use proptest::prelude::*;

fn pair(rom: &Rom) -> Pair {
    Pair::new(rom).expect("memory can be made executable")
}

/// Creates a translating and an interpreting machine, with a program that starts at address 0xf000.
fn pair_of_program(program: &[u8]) -> Pair {
    let mut image = vec![0xea; 0x1000];
    image[..program.len()].copy_from_slice(program);
    image[0xffc..0xffe].copy_from_slice(&[0x00, 0xf0]);
    let mut pair = pair(&Rom::with_unchecked_image(game_of(BankSwitching::FourK), &image));
    pair.interpreted.state.cpu.pc = 0xf000;
    pair.translated.state.cpu.pc = 0xf000;
    pair
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn translated_random_programs_equal_the_interpreter(seed in 0_u64..1 << 40) {
        let mut random = Generator::new(seed);
        let game = game_of(any_scheme(&mut random));
        pair(&Rom::with_unchecked_image(game, &noise(&mut random))).play_pieces(40, &mut random);
    }
}

#[test]
fn every_cycle_budget_ends_at_the_same_instruction() {
    // 6507 assembly of the program: LDX #0; loop: INX; STX $80; LDA $80; ADC #3; BNE loop; JMP loop
    let program = [0xa2, 0, 0xe8, 0x86, 0x80, 0xa5, 0x80, 0x69, 3, 0xd0, 0xf7, 0x4c, 2, 0xf0];
    let mut pair = pair_of_program(&program);
    for budget in 1..60 {
        pair.execute(budget);
        pair.assert_equal();
    }
}

#[test]
fn self_modifying_programs_in_ram_are_interpreted() {
    // 6507 assembly of the program: LDA #$e8 (INX); STA $80; LDA #$60 (RTS); STA $81; again: JSR $0080; LDA $80; EOR #$20 (INX,
    // INY); STA $80; JMP again
    let program =
        [0xa9, 0xe8, 0x85, 0x80, 0xa9, 0x60, 0x85, 0x81, 0x20, 0x80, 0, 0xa5, 0x80, 0x49, 0x20, 0x85, 0x80, 0x4c, 8, 0xf0];
    let mut pair = pair_of_program(&program);
    for _ in 0..20 {
        pair.execute(23);
        pair.assert_equal();
    }
    let cpu = &pair.translated.state.cpu;
    assert!(cpu.x > 10 && cpu.y > 10, "{cpu:?}");
}

#[test]
fn a_bank_may_switch_to_another_bank() {
    // 6507 assembly of the program, which is in both banks: LDA #BANK; STA $80; LDA $1ff9 or $1ff8, which switches to the other
    // bank; JMP $f000
    let mut image = vec![0xea; 0x2000];
    for bank in 0..2_u8 {
        let at = usize::from(bank) * 0x1000;
        image[at..at + 10].copy_from_slice(&[0xa9, bank, 0x85, 0x80, 0xad, 0xf9 - bank, 0x1f, 0x4c, 0, 0xf0]);
        image[at + 0xffc..at + 0xffe].copy_from_slice(&[0x00, 0xf0]);
    }
    let mut pair = pair(&Rom::with_unchecked_image(game_of(BankSwitching::F8), &image));
    let mut seen = [false; 2];
    for _ in 0..30 {
        pair.execute(3);
        pair.assert_equal();
        seen[usize::from(pair.translated.state.riot.ram[0] & 1)] = true;
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn an_impossible_cartridge_state_is_interpreted() {
    let mut pair = pair(&Rom::with_unchecked_image(game_of(BankSwitching::F8), &noise(&mut Generator::new(5))));
    let mut bytes = postcard::to_allocvec(&pair.interpreted.state.cartridge).expect("encoded");
    // Byte 0 of the serialized cartridge is its bank-switching scheme; byte 1 is the start of its first segment.
    bytes[1] ^= 1;
    pair.interpreted.state.cartridge = postcard::from_bytes(&bytes).expect("decoded");
    pair.translated.state.cartridge = pair.interpreted.state.cartridge.clone();
    for _ in 0..20 {
        pair.execute(100);
        pair.assert_equal();
    }
}

#[test]
fn threads_share_concurrently_created_translations() {
    let rom = Rom::with_unchecked_image(game_of(BankSwitching::F6), &noise(&mut Generator::new(11)));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let rom = &rom;
            scope.spawn(move || pair(rom).play_pieces(60, &mut Generator::new(seed)));
        }
    });
}

/// Tests that threads may share a code cache that exceeds its limit.
///
/// The threads execute a random cartridge from one address after another. The code cache soon exceeds its limit, and the threads
/// stop once it has been cleared `GENERATIONS` times.
#[test]
fn an_oversized_code_cache_is_cleared_while_threads_run() {
    const MOST_BYTES: usize = 100_000;
    const MOST_OF_A_PIECE: usize = 200_000;
    const GENERATIONS: usize = 60;
    const ROUNDS: u64 = 2_000;
    let rom = Rom::with_unchecked_image(game_of(BankSwitching::F6Sc), &noise(&mut Generator::new(17)));
    let translations = Arc::new(rom.separate_code_cache(MOST_BYTES).expect("memory can be made executable"));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (rom, translations) = (&rom, &translations);
            scope.spawn(move || {
                let mut random = Generator::new(seed);
                let mut pair = Pair::with(rom, Arc::clone(translations));
                let mut rounds = 0;
                while translations.stats().generations < GENERATIONS {
                    pair.jump(&mut random);
                    pair.play_pieces(3, &mut random);
                    let bytes = translations.stats().bytes;
                    assert!(bytes < 2 * (MOST_BYTES + MOST_OF_A_PIECE), "{bytes} bytes of code");
                    rounds += 1;
                    assert!(rounds < ROUNDS, "only {:?}", translations.stats());
                }
            });
        }
    });
}

#[test]
#[should_panic(expected = "another cartridge")]
fn translations_of_another_cartridge_are_refused() {
    let [one, other] =
        [1, 2].map(|seed| Rom::with_unchecked_image(game_of(BankSwitching::FourK), &noise(&mut Generator::new(seed))));
    one.code_cache().expect("a code cache").execute(&mut other.machine(), 1);
}

#[test]
fn a_snapshot_of_an_interpreted_console_continues_in_a_translated_one() {
    let rom = Rom::with_unchecked_image(game_of(BankSwitching::TwoK), &noise(&mut Generator::new(3)));
    let console = |translate| Console::new(&rom, Settings { translate, ..Settings::default() });
    let [mut interpreted, mut translated] = [false, true].map(console);
    (0..5).for_each(|_| _ = interpreted.act(Action::Fire));
    assert!(translated.restore(&interpreted.snapshot()));
    for console in [&mut interpreted, &mut translated] {
        (0..5).for_each(|_| _ = console.act(Action::Left));
    }
    let bytes = |console: &Console| postcard::to_allocvec(&console.snapshot()).expect("encoded");
    assert!(bytes(&interpreted) == bytes(&translated));
}
