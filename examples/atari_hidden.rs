//! Checks that frames are emulated exactly if they are not drawn: runs cartridges with and without drawing these frames, and
//! compares the results.
//!
//! ```text
//! atari_hidden STEPS ROM...
//! ```
//!
//! Each step has a random number of frames and a random action. Actions are sticky: with probability 0.1, the previous action is
//! repeated.

use std::path::Path;
use std::sync::Arc;

use envpool_rs::random::Generator;
use envpool_rs::sim::atari::{Action, Console, Rom, Settings};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [steps, roms @ ..] = arguments.as_slice() else { panic!("STEPS ROM...") };
    let steps: u32 = steps.parse().expect("a number of steps");
    for path in roms {
        let rom = Arc::new(Rom::read(Path::new(path)).unwrap_or_else(|error| panic!("{error}")));
        let settings = Settings { repeat_action_probability: 0.1, random_seed: 5, ..Settings::default() };
        let mut hiding = Console::new(&rom, settings.clone());
        let mut drawing = Console::new(&rom, settings);
        let mut random = Generator::new(1);
        let _ = (hiding.reset(), drawing.reset());
        for step in 0..steps {
            let action = Action::from_number(random.integers(0, 18) as usize).unwrap_or_default();
            let (frames, shown) = (random.integers(1, 7) as u32, random.integers(1, 3) as u32);
            let played = hiding.play(action, frames, shown);
            let reward: i32 = (0..played.frames).map(|_| drawing.act(action)).sum();
            let name = rom.game().name;
            assert_eq!((played.reward, hiding.ram(), hiding.lives()), (reward, drawing.ram(), drawing.lives()), "{name}, {step}");
            assert_eq!(hiding.game_over(), drawing.game_over(), "{name}, {step}");
            assert!(hiding.screen() == drawing.screen(), "{name}, {step}: the pictures differ");
            assert!(hiding.previous_screen() == drawing.previous_screen(), "{name}, {step}: the pictures before differ");
            if hiding.game_over() {
                let _ = (hiding.reset(), drawing.reset());
            }
        }
        println!("{:20} {steps} steps: equal", rom.game().name);
    }
}
