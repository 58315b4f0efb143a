//! What all environments of a pool share: game, cartridge, settings.

use super::{arguments, cartridges, console_slot::ConsoleSlot, seeded::Seeded};
use crate::{
    engine::{Error, Options, Result},
    sim::atari::{Action, Console, Game, Rom, Settings},
};

/// A game, and how its consoles are set up.
#[derive(Debug)]
pub struct Setup {
    /// The game.
    pub game: &'static Game,
    /// Actions by number.
    pub actions: Vec<Action>,
    settings: Settings,
    rom_dir: Option<String>,
    rom: Option<Rom>,
}

impl Setup {
    /// From the options `mode`, `difficulty`, `repeat_action_probability`, `full_action_space` and `rom_dir`. `absent` is the number
    /// that stands for the default mode and difficulty, if there is one.
    ///
    /// # Errors
    /// `Value`, naming the option.
    pub fn new(game: &'static Game, options: &Options, absent: Option<i64>) -> Result<Self> {
        let settings = Settings {
            mode: arguments::one_of(options, "mode", absent, game, game.modes)?,
            difficulty: arguments::one_of(options, "difficulty", absent, game, game.difficulties)?,
            repeat_action_probability: options.float("repeat_action_probability") as f32,
            ..Settings::default()
        };
        let actions = if options.bool("full_action_space") { game.legal() } else { game.minimal.to_vec() };
        Ok(Self { game, actions, settings, rom_dir: options.text("rom_dir").map(str::to_owned), rom: None })
    }

    /// The same, with episodes of at most so many frames.
    #[must_use]
    pub fn max_episode_frames(mut self, frames: Option<u32>) -> Self {
        self.settings.max_episode_frames = frames;
        self
    }

    /// Plugs the cartridge in.
    ///
    /// # Errors
    /// Those of [`cartridges::find`]; `Value` where the game does not come into the mode asked for.
    pub fn plug_in(&mut self) -> Result<()> {
        self.plug(cartridges::find(self.game, self.rom_dir.as_deref())?)
    }

    /// Plugs in the cartridge that `other`, a setup of the same game in the same mode, has.
    pub fn plug_in_that_of(&mut self, other: &Self) {
        self.rom.clone_from(&other.rom);
    }

    /// Plugs a cartridge in.
    ///
    /// # Errors
    /// `Value` where the game does not come into the mode asked for.
    pub(super) fn plug(&mut self, rom: Rom) -> Result<()> {
        self.rom = Some(rom);
        let mut console = self.console(0);
        if console.reset() {
            return Ok(());
        }
        // Choosing a mode can take actions, which count.
        if let Some(frames) = self.settings.max_episode_frames.take()
            && self.console(0).reset()
        {
            let enough = format_args!("enough frames for {} to come into its mode", self.game.name);
            return Err(Error::value("max_num_frames_per_episode", frames, enough));
        }
        Err(Error::value("mode", console.mode(), format_args!("a mode that {} comes into", self.game.name)))
    }

    /// A new console with this seed for sticky actions.
    ///
    /// # Panics
    /// Where no cartridge has been plugged in.
    pub fn console(&self, random_seed: u32) -> Console {
        let rom = self.rom.as_ref().expect("a cartridge is plugged in before a console is made");
        Console::new(rom, Settings { random_seed, ..self.settings.clone() })
    }

    /// Resets the console in the slot, or a new one if the seed is new or there is none.
    ///
    /// # Panics
    /// Where the game does not come into its mode.
    pub fn reset<'a>(&self, slot: &'a mut ConsoleSlot, random: &mut Seeded) -> &'a mut Console {
        if std::mem::take(&mut random.is_new) || !slot.is_filled() {
            *slot = ConsoleSlot::Console(Box::new(self.console(random.console_seed)));
        }
        let console = slot.console_mut();
        assert!(console.reset(), "{} did not come into mode {}", self.game.name, console.mode());
        console
    }
}
