//! How many frames a second of processor time a console plays: `atari_speed FRAMES ROM...`, under random actions. First every
//! frame drawn, then in steps of four frames of which two are drawn.

use std::path::Path;
use std::sync::Arc;

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::{Action, Console, Rom, Settings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [frames, roms @ ..] = arguments.as_slice() else { panic!("FRAMES ROM...") };
    let frames: u32 = frames.parse().expect("a number of frames");
    let mut logarithms = [0.0, 0.0];
    for path in roms {
        let rom = Arc::new(Rom::read(Path::new(path)).unwrap_or_else(|error| panic!("{error}")));
        let rates = [1, 4].map(|skip| rate(&rom, frames, skip));
        println!("{:20} {:8.0} {:8.0} frames/s", rom.game().name, rates[0], rates[1]);
        logarithms = [0, 1].map(|i| logarithms[i] + rates[i].ln() / roms.len() as f64);
    }
    println!("{:20} {:8.0} {:8.0}", "geometric mean", logarithms[0].exp(), logarithms[1].exp());
}

/// Frames per second of this thread's processor time.
fn rate(rom: &Arc<Rom>, frames: u32, skip: u32) -> f64 {
    let mut console = Console::new(rom, Settings::default());
    let mut random = Generator::new(0);
    console.reset();
    let start = processor_seconds();
    for _ in 0..frames / skip {
        console.play(Action::from_number(random.integers(0, 18) as usize).unwrap_or_default(), skip, 2);
        if console.game_over() {
            console.reset();
        }
    }
    f64::from(frames) / (processor_seconds() - start)
}

fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec to be written.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
