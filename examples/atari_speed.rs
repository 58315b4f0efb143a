//! Measures how many frames an Atari console emulates per second of processor time, with random actions.
//!
//! ```text
//! atari_speed FRAMES ROM...
//! ```
//!
//! The program measures with every frame drawn, with two of four drawn, and with two of sixty drawn. Frames that are not drawn
//! are still emulated exactly, collisions included.

use std::path::Path;
use std::sync::Arc;

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::{Action, Console, Rom, Settings};

/// Numbers of frames per step that are measured. The last two frames of a step are drawn, or the only frame if a step has one.
const STEPS: [u32; 3] = [1, 4, 60];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [frames, roms @ ..] = arguments.as_slice() else { panic!("FRAMES ROM...") };
    let frames: u32 = frames.parse().expect("a number of frames");
    let mut logarithms = [0.0; 3];
    for path in roms {
        let rom = Arc::new(Rom::read(Path::new(path)).unwrap_or_else(|error| panic!("{error}")));
        let rates = STEPS.map(|skip| rate(&rom, frames, skip));
        show(rom.game().name, rates);
        logarithms = [0, 1, 2].map(|i| logarithms[i] + rates[i].ln() / roms.len() as f64);
    }
    show("geometric mean", logarithms.map(f64::exp));
}

fn show(name: &str, [all, half, few]: [f64; 3]) {
    println!("{name:20} {all:8.0} {half:8.0} {few:8.0} frames/s");
}

/// Returns the frames per second of this thread's processor time. Resets are not counted.
fn rate(rom: &Arc<Rom>, frames: u32, skip: u32) -> f64 {
    let mut console = Console::new(rom, Settings::default());
    let mut random = Generator::new(0);
    console.reset();
    let mut played = 0;
    let mut start = processor_seconds();
    while played < frames {
        played += console.play(Action::from_number(random.integers(0, 18) as usize).unwrap_or_default(), skip, 2).frames;
        if console.game_over() {
            let end = processor_seconds();
            console.reset();
            start += processor_seconds() - end;
        }
    }
    f64::from(played) / (processor_seconds() - start)
}

fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer refers to a local `timespec`, which `clock_gettime` writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
