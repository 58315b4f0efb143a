//! How many frames a second of processor time a console plays: `atari_speed FRAMES ROM...`, under random actions.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::{Action, Console, Rom, Settings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [frames, roms @ ..] = arguments.as_slice() else { panic!("FRAMES ROM...") };
    let frames: u32 = frames.parse().expect("a number of frames");
    for path in roms {
        let rom = Rom::read(Path::new(path)).unwrap_or_else(|error| panic!("{error}"));
        let mut console = Console::new(&Arc::new(rom), Settings::default());
        let mut random = Generator::new(0);
        console.reset();
        let start = Instant::now();
        for _ in 0..frames {
            console.act(Action::from_number(random.integers(0, 18) as usize).unwrap_or_default());
            if console.game_over() {
                console.reset();
            }
        }
        let rate = f64::from(frames) / start.elapsed().as_secs_f64();
        println!("{:20} {rate:8.0} frames/s", console.game().name);
    }
}
