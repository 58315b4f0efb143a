//! Tests of the console.

use super::*;
use crate::games::GAMES;
use crate::testing::{any_game, with_vector};
use envpool_rs_numeric::random::Generator;

/// Returns a cartridge of random bytes. Executed as programs, they reach all kinds of instructions and memory accesses.
fn noise(game: &'static Game, seed: u64) -> Arc<Rom> {
    let mut random = Generator::new(seed);
    let image: Vec<u8> = (0..game.size).map(|_| random.integers(0, 256) as u8).collect();
    Arc::new(Rom::with_unchecked_image(game, &image))
}

#[test]
fn random_images_cause_no_panic_or_endless_loop() {
    for (seed, game) in GAMES.iter().enumerate().step_by(4) {
        let mut console = Console::new(&noise(game, seed as u64), Settings { mode: None, ..Settings::default() });
        (0..50).for_each(|frame| {
            console.act(Action::from_number(frame % 18).unwrap_or_default());
        });
    }
}

#[test]
fn a_restored_console_continues_like_the_original() {
    let settings = Settings { repeat_action_probability: 0.25, random_seed: 7, ..Settings::default() };
    let mut console = Console::new(&noise(any_game(), 3), settings);
    (0..20).for_each(|_| {
        console.act(Action::Fire);
    });
    let snapshot = console.snapshot();
    let bytes = postcard::to_allocvec(&snapshot).expect("encoded");
    let go_on = |console: &mut Console| -> Vec<u8> {
        (0..30)
            .flat_map(|i| {
                [console.act(Action::from_number(i % 18).unwrap_or_default()) as u8, console.ram()[5], console.screen()[999]]
            })
            .collect()
    };
    let expected = (go_on(&mut console), *console.ram(), console.screen().to_vec());
    assert!(console.restore(&postcard::from_bytes(&bytes).expect("decoded")));
    assert_eq!((go_on(&mut console), *console.ram(), console.screen().to_vec()), expected);
}

#[test]
fn an_episode_ends_at_the_frame_limit_and_keeps_the_random_stream() {
    let settings = Settings { max_episode_frames: Some(3), random_seed: 7, ..Settings::default() };
    let mut console = Console::new(&noise(Game::named("assault").expect("assault"), 3), settings);
    console.progress.ended = false;
    assert_eq!(console.play(Action::Noop, 8, 1).frames, 3);
    assert!(console.is_truncated() && console.is_over());
    assert_eq!(console.play(Action::Noop, 8, 1), PlayResult::default());
    console.skip_frames(Action::Noop, 5);
    let mut chance = Mt19937::init_genrand(7);
    (0..2 * 8).for_each(|_| _ = chance.next_u32());
    assert_eq!((console.next_random(), console.frames()), (chance.next_u32(), 3));
}

#[test]
fn a_partial_frame_is_kept_for_the_next_frame() {
    // The program never writes to a chip, so it never ends a frame. Every frame stays partial, and the next frame continues in
    // the same frame buffer.
    let image = [0x4c, 0x00, 0xf0].into_iter().cycle().take(0x1000).collect::<Vec<u8>>();
    let mut console = Console::new(&Rom::with_unchecked_image(any_game(), &image), Settings::default());
    console.act(Action::Noop);
    let before = console.screen().to_vec();
    console.act(Action::Noop);
    assert_eq!(console.previous_screen(), before);
    let mut other = Console::new(&Rom::with_unchecked_image(any_game(), &image), Settings::default());
    assert!(other.restore(&console.snapshot()));
    assert_eq!(other.previous_screen(), before);
}

#[test]
fn collisions_of_hidden_frames_are_detected_if_they_are_read() {
    // 6502 program: `LDA #$80; STA GRP0; STA GRP1; frame: LDA #2; STA VSYNC; STA WSYNC (three times); LDA #0; STA VSYNC; LDX #0;
    // line: STA WSYNC; DEX; BNE line; INC $80; LDA INPT4; BMI over; LDA $80; AND #3; BNE over; LDA CXPPMM; STA $81; over: STA
    // CXCLR; JMP frame`. Both players cover the same pixel. While the button is pressed, every fourth frame reads their collision.
    let program = [
        0xa9, 0x80, 0x85, 0x1b, 0x85, 0x1c, 0xa9, 2, 0x85, 0, 0x85, 2, 0x85, 2, 0x85, 2, 0xa9, 0, 0x85, 0, 0xa2, 0, 0x85, 2,
        0xca, 0xd0, 0xfb, 0xe6, 0x80, 0xa5, 0x0c, 0x30, 0x0a, 0xa5, 0x80, 0x29, 3, 0xd0, 4, 0xa5, 0x07, 0x85, 0x81, 0x85, 0x2c,
        0x4c, 0x06, 0xf0,
    ];
    let game = Game::named("freeway").expect("freeway, which has a button");
    let mut image = vec![0xea; game.size];
    image[..program.len()].copy_from_slice(&program);
    with_vector(&mut image, 0xf000);
    // The second cartridge does not clear the collisions: two NOPs replace `STA CXCLR`.
    for clear in [[0x85, 0x2c], [0xea, 0xea]] {
        image[43..45].copy_from_slice(&clear);
        let rom = Rom::with_unchecked_image(game, &image);
        for before in 0..4 {
            let [mut hiding, mut drawing] = [(); 2].map(|()| Console::new(&rom, Settings::default()));
            let _ = (hiding.reset(), drawing.reset());
            hiding.play(Action::Noop, before, before);
            drawing.play(Action::Noop, before, before);
            for action in [Action::Noop, Action::Noop, Action::Fire, Action::Noop, Action::Fire] {
                hiding.play(action, 4, 2);
                drawing.play(action, 4, 4);
                let [found, expected] = [&hiding, &drawing].map(|console| postcard::to_allocvec(&console.snapshot()));
                assert_eq!(found, expected);
            }
            assert_eq!(hiding.ram()[1] & 0x80, 0x80, "the collision was read");
        }
    }
}

#[test]
fn a_smaller_strength_moves_paddles_less() {
    let left = Action::Left.stick();
    assert_eq!(move_paddle(100_000, left, 0.25, 790_196), 105_750);
    assert_eq!(move_paddle(100_000, left, -1e30, 790_196), 790_196);
}

#[test]
fn paddles_stop_at_their_ends() {
    let left = Action::Left.stick();
    assert_eq!(move_paddle(790_000, left, 1.0, 790_196), 790_196);
    assert_eq!(move_paddle(30_000, Action::DownRightFire.stick(), 1.0, 790_196), PADDLE_MIN);
}

#[test]
fn every_game_has_a_name_a_digest_a_mode_and_an_action_of_its_own() {
    assert!(GAMES.is_sorted_by(|one, next| one.name < next.name));
    for game in &GAMES {
        assert_eq!(Game::with_digest(game.md5).map(|found| found.name), Some(game.name));
        assert!(!game.modes.is_empty() && !game.difficulties.is_empty());
        assert!(game.minimal.iter().all(|action| game.is_legal(*action)), "{}", game.name);
    }
}

#[test]
fn an_image_with_a_wrong_digest_is_refused_with_both_digests() {
    let error = Rom::of_game(any_game(), "pong.bin", &[0; 2048]).expect_err("not pong").to_string();
    assert!(error.contains("pong.bin") && error.contains(&format!("{:032x}", any_game().md5)), "{error}");
}
