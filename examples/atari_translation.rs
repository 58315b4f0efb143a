//! Checks that translated Atari programs and the interpreter have equal console states, frame by frame.
//!
//! ```text
//! atari_translation games FRAMES ROM_DIR [GAME...]
//! atari_translation noise SECONDS [SEED]
//! ```
//!
//! `games` plays `FRAMES` frames of each game whose cartridge is in the folder, with random actions. The program varies the
//! frames per step, the drawn frames, sticky actions and the game mode, and exchanges the states of the two consoles by
//! snapshots. The program prints one line per game. The line contains the microseconds per frame, interpreted and translated, and
//! their ratio. The cost of the translation follows: milliseconds, kilobytes of code, number of blocks.
//!
//! `noise` plays random cartridges, one or a hundred instructions at a time, from random addresses and with random registers. The
//! program prints the seed of each cartridge for which the results differ.

#[path = "../tests/support/atari_pair.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod atari_pair;

use std::path::Path;
use std::time::{Duration, Instant};

use atari_pair::{Pair, any_scheme, game_of, noise};
use envpool_rs::random::Generator;
use envpool_rs::sim::atari::games::GAMES;
use envpool_rs::sim::atari::{Action, Console, Game, Rom, Settings};

/// Number of frames after which the two consoles exchange their states by snapshots.
const SWAP_EVERY: u32 = 500;
/// Number of frames in a time measurement.
const MEASURED_FRAMES: u32 = 600;

/// Settings under which an interpreting and a translating console are compared.
struct PlayMode {
    settings: Settings,
    /// Number of frames per action, and how many of these frames are drawn. `None`: one frame per action.
    frames_per_action: Option<(u32, u32)>,
}

fn play_modes(game: &Game, random: &mut Generator) -> [PlayMode; 3] {
    let any = |of: &[u16], random: &mut Generator| of[random.integers(0, of.len() as i64) as usize];
    let settings = Settings::default();
    let sticky = Settings { repeat_action_probability: 0.25, random_seed: 3, ..settings.clone() };
    let mode = Settings { mode: Some(any(game.modes, random)), ..settings.clone() };
    [
        PlayMode { settings, frames_per_action: None },
        PlayMode { settings: sticky, frames_per_action: Some((4, 2)) },
        PlayMode { settings: mode, frames_per_action: Some((4, 1)) },
    ]
}

fn bytes(console: &Console) -> Vec<u8> {
    postcard::to_allocvec(&console.snapshot()).expect("a snapshot can be encoded")
}

fn consoles(rom: &Rom, settings: &Settings) -> [Console; 2] {
    [false, true].map(|translate| {
        let mut console = Console::new(rom, Settings { translate, ..settings.clone() });
        console.reset();
        console
    })
}

/// Plays both consoles with the same actions, and compares them after each action.
fn compare(game: &Game, rom: &Rom, play: &PlayMode, frames: u32, random: &mut Generator) {
    let mut pair = consoles(rom, &play.settings);
    let (mut played, mut action) = (0, Action::Noop);
    while played < frames {
        if random.integers(0, 4) == 0 {
            action = Action::from_number(random.integers(0, 18) as usize).unwrap_or_default();
        }
        for console in &mut pair {
            if console.game_over() {
                console.reset();
            }
            match play.frames_per_action {
                None => _ = console.act(action),
                Some((frames, shown)) => _ = console.play(action, frames, shown),
            }
        }
        let [interpreted, translated] = &mut pair;
        let is_equal = interpreted.ram() == translated.ram()
            && interpreted.screen() == translated.screen()
            && interpreted.previous_screen() == translated.previous_screen();
        assert!(is_equal, "{} differs after {played} frames of {:?}", game.name, play.settings);
        let before = played / SWAP_EVERY;
        played += play.frames_per_action.map_or(1, |(frames, _)| frames);
        if played / SWAP_EVERY != before {
            assert!(bytes(interpreted) == bytes(translated), "{}: states differ after {played} frames", game.name);
            let (one, other) = (interpreted.snapshot(), translated.snapshot());
            assert!(interpreted.restore(&other) && translated.restore(&one), "{}: a snapshot is refused", game.name);
        }
    }
}

/// Returns the processor time of this thread, which other processes do not affect.
#[cfg(unix)]
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer refers to a local `timespec`, which `clock_gettime` writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the time since the first call of this function, where the system has no processor time of threads.
#[cfg(not(unix))]
fn worked() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Plays `frames` frames and returns the processor time that they take.
fn measure(console: &mut Console, frames: u32) -> Duration {
    let mut random = Generator::new(5);
    let start = thread_time();
    for _ in 0..frames {
        console.act(Action::from_number(random.integers(0, 18) as usize).unwrap_or_default());
        if console.game_over() {
            console.reset();
        }
    }
    thread_time() - start
}

/// Returns the time that [`MEASURED_FRAMES`] frames take: the minimum of six measurements.
fn speed(rom: &Rom, translate: bool) -> Duration {
    let mut console = Console::new(rom, Settings { translate, ..Settings::default() });
    console.reset();
    (0..6).map(|_| measure(&mut console, MEASURED_FRAMES)).min().unwrap_or_default()
}

fn play_game(game: &'static Game, path: &Path, frames: u32) -> f64 {
    let image = std::fs::read(path).expect("the cartridge's image");
    // Each console gets a separate `Rom`, so that no console starts with machine code that another one has translated.
    let rom = || Rom::of_game(game, &path.display().to_string(), &image).expect("the game's image");
    let mut random = Generator::new(1);
    for play in play_modes(game, &mut random) {
        compare(game, &rom(), &play, frames / 3, &mut random);
    }
    let rom_translated = rom();
    let (interpreted, translated) = (speed(&rom(), false), speed(&rom_translated, true));
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(MEASURED_FRAMES);
    let ratio = interpreted.as_secs_f64() / translated.as_secs_f64();
    let cost = rom_translated.code_cache().map(|translations| translations.stats()).unwrap_or_default();
    println!(
        "{:20} {:8.2} {:8.2} {ratio:6.2} {:8.2} {:8} {:6}",
        game.name,
        micros(interpreted),
        micros(translated),
        cost.time.as_secs_f64() * 1e3,
        cost.bytes >> 10,
        cost.compilations
    );
    ratio
}

fn play_games(mut arguments: impl Iterator<Item = String>) {
    let frames = arguments.next().and_then(|frames| frames.parse().ok()).expect("how many frames");
    let folder = arguments.next().expect("the folder with the cartridges");
    let only: Vec<String> = arguments.collect();
    println!("{:20} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}", "game", "interp.", "transl.", "ratio", "ms", "code KB", "pieces");
    let mut ratios = Vec::new();
    for game in &GAMES {
        let path = Path::new(&folder).join(format!("{}.bin", game.name));
        if path.exists() && (only.is_empty() || only.iter().any(|name| name == game.name)) {
            ratios.push(play_game(game, &path, frames));
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    println!("{} games, equal in {frames} frames each; translated {mean:.2} times as fast, {least:.2} at least", ratios.len());
}

fn play_noise(seconds: u64, first: u64) {
    let start = Instant::now();
    let mut played = 0_u64;
    while start.elapsed() < Duration::from_secs(seconds) {
        let seed = first + played;
        let outcome = std::panic::catch_unwind(|| {
            let mut random = Generator::new(seed);
            let game = game_of(any_scheme(&mut random));
            let pair = Pair::new(&Rom::with_unchecked_image(game, &noise(&mut random)));
            pair.expect("this machine has translations").play_pieces(60, &mut random);
        });
        assert!(outcome.is_ok(), "the panic above was of seed {seed}");
        played += 1;
    }
    println!("{played} cartridges of noise, equal in all of their pieces");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("games") => play_games(arguments),
        Some("noise") => {
            let mut numbers = arguments.map(|number| number.parse().expect("a number"));
            play_noise(numbers.next().unwrap_or(10), numbers.next().unwrap_or(0));
        }
        _ => panic!("expected games FRAMES ROM_DIR or noise SECONDS"),
    }
}
