//! Fuzzes the Atari console with random cartridges and damaged snapshots: it must neither panic nor hang.
//!
//! ```text
//! atari_noise [SECONDS] [SEED]
//! ```
//!
//! A cartridge holds random bytes, or random bytes with many instructions that access the console's chips. All bank-switching
//! schemes are tested. The program prints the seed of a round that panics or takes minutes.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::games::GAMES;
use envpool_rs::sim::atari::{Action, Console, Game, Rom, Settings, Snapshot};

/// Longest duration of a round, after which the program ends with an error.
///
/// A round takes several seconds if a random cartridge does not reach the selected game mode. The console then runs some thousand
/// frames, each of which it ends after 25,000 instructions.
const ROUND_TIMEOUT: Duration = Duration::from_secs(300);
/// Opcodes that access chips and hot spots, change the stack, or jump.
const OPCODES: [u8; 24] = [
    0x85, 0x95, 0x8d, 0x9d, 0x86, 0x84, 0xa5, 0xad, 0xb5, 0xa9, 0xa2, 0x9a, 0x48, 0x08, 0x20, 0x60, 0x00, 0x40, 0x4c, 0x6c, 0xd0,
    0x10, 0xe6, 0x91,
];
/// Address ranges of the TIA, of RAM, of the timer, and of the cartridge.
const ADDRESSES: [(i64, i64); 5] = [(0x00, 0x40), (0x80, 0x100), (0x280, 0x298), (0x1ff0, 0x2000), (0x1000, 0x1080)];

fn byte(random: &mut Generator) -> u8 {
    random.integers(0, 256) as u8
}

/// Returns a cartridge image: random bytes, or random bytes with many instructions that access the console's chips.
fn image(game: &Game, random: &mut Generator) -> Vec<u8> {
    let mut image: Vec<u8> = (0..game.size).map(|_| byte(random)).collect();
    if random.integers(0, 3) > 0 {
        for at in (0..game.size - 3).step_by(3) {
            let (low, high) = ADDRESSES[random.integers(0, 5) as usize];
            let address = random.integers(low, high) as u16;
            image[at] = OPCODES[random.integers(0, OPCODES.len() as i64) as usize];
            image[at + 1..at + 3].copy_from_slice(&address.to_le_bytes());
        }
    }
    image
}

fn settings(game: &Game, random: &mut Generator) -> Settings {
    Settings {
        mode: (random.integers(0, 2) == 0).then(|| game.modes[random.integers(0, game.modes.len() as i64) as usize]),
        repeat_action_probability: [0.0, 0.25][random.integers(0, 2) as usize],
        frame_skip: random.integers(1, 5) as u32,
        ..Settings::default()
    }
}

/// Runs two consoles, of which one translates and one interprets the program, and asserts that their snapshots are equal.
fn play(consoles: &mut [Console; 2], frames: i64, random: &mut Generator) {
    for _ in 0..frames {
        let action = Action::from_number(random.integers(0, 18) as usize).unwrap_or_default();
        let (at_once, shown) = (random.integers(1, 5) as u32, random.integers(1, 3) as u32);
        let (singly, again) = (random.integers(0, 2) == 0, random.integers(0, 4) == 0);
        for console in &mut *consoles {
            if singly {
                console.act(action);
            } else {
                console.play(action, at_once, shown);
            }
            if console.game_over() && again {
                console.reset();
            }
        }
    }
    let [translated, interpreted] = consoles.each_ref().map(|console| postcard_of(&console.snapshot()));
    assert!(translated == interpreted, "translated and interpreted differ");
}

/// Changes, inserts or removes bytes at random positions.
fn damage(bytes: &mut Vec<u8>, random: &mut Generator) {
    for _ in 0..random.integers(1, 6) {
        // Most changes are made before the screens, which are the last fields of a snapshot and less likely to cause errors.
        let most = if random.integers(0, 4) == 0 { bytes.len() } else { bytes.len().min(400) };
        let at = random.integers(0, most as i64) as usize;
        match random.integers(0, 8) {
            0 => bytes.insert(at, byte(random)),
            1 => {
                bytes.remove(at);
            }
            2 => bytes[at] ^= 1 << random.integers(0, 8),
            3 => bytes[at] = 0xff,
            _ => bytes[at] = byte(random),
        }
    }
}

/// Draws a game at random. Games with several modes are rare, because searching each mode of a random cartridge is slow.
fn game(random: &mut Generator) -> &'static Game {
    let with_modes = random.integers(0, 30) == 0;
    let games: Vec<&Game> = GAMES.iter().filter(|game| with_modes || game.modes.len() == 1).collect();
    games[random.integers(0, games.len() as i64) as usize]
}

/// Runs one cartridge, and returns the number of damaged snapshots that were restored.
fn play_round(seed: u64) -> u32 {
    let random = &mut Generator::new(seed);
    let game = game(random);
    let rom = Arc::new(Rom::with_unchecked_image(game, &image(game, random)));
    let settings = settings(game, random);
    let mut consoles = [true, false].map(|translate| {
        let mut console = Console::new(&rom, Settings { translate, ..settings.clone() });
        console.reset();
        console
    });
    play(&mut consoles, 40, random);
    let bytes = postcard_of(&consoles[0].snapshot());
    let mut restored = 0;
    for _ in 0..20 {
        let mut damaged = bytes.clone();
        damage(&mut damaged, random);
        let Ok(snapshot) = postcard::from_bytes::<Snapshot>(&damaged) else { continue };
        let taken = consoles.each_mut().map(|console| console.restore(&snapshot));
        assert_eq!(taken[0], taken[1]);
        if taken[0] {
            restored += 1;
            play(&mut consoles, 6, random);
            for console in &consoles {
                console.screen_averaged(&mut vec![0; console.screen().len()]);
            }
        }
    }
    restored
}

fn postcard_of(snapshot: &Snapshot) -> Vec<u8> {
    postcard::to_allocvec(snapshot).expect("a snapshot can be encoded")
}

/// Ends the process if a round takes too long. Each round sends its seed through the channel when it starts.
fn watch(rounds: &Receiver<u64>) {
    let mut seed = None;
    loop {
        seed = match rounds.recv_timeout(ROUND_TIMEOUT) {
            Ok(seed) => Some(seed),
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("seed {seed:?} takes more than {ROUND_TIMEOUT:?}");
                std::process::exit(1);
            }
        };
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let time = Duration::from_secs(arguments.next().unwrap_or(10));
    let start = Instant::now();
    let (begin, rounds) = std::sync::mpsc::channel();
    let watcher = std::thread::spawn(move || watch(&rounds));
    let (mut played, mut restored) = (0, 0);
    for seed in arguments.next().unwrap_or(0).. {
        if start.elapsed() > time {
            break;
        }
        begin.send(seed).expect("the receiver is alive");
        restored +=
            std::panic::catch_unwind(|| play_round(seed)).unwrap_or_else(|_| panic!("the panic above was of seed {seed}"));
        played += 1;
    }
    drop(begin);
    watcher.join().expect("watched to the end");
    println!("{played} cartridges, {restored} damaged snapshots played on");
}

#[cfg(test)]
mod tests {
    #[test]
    fn random_programs_and_damaged_snapshots_do_not_panic() {
        assert!((0..6).map(super::play_round).sum::<u32>() > 0);
    }
}
