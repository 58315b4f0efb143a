//! What all environments of a pool share: game, cartridge, settings.

use super::{arguments, cartridges};
use envpool_rs_engine::{Decided, Error, OptionSpec, Options, Result, Store, refused_state};
use envpool_rs_sim_atari::{Action, Console, Game, Rom, Settings, Snapshot, translation_refusal};

/// Bytes that the largest cartridge takes.
const MOST_ROM_BYTES: usize = 1 << 16;

/// The option that says whether programs are translated.
const TRANSLATE: &str = "translate";

/// Whether programs are translated: nothing that is played depends on it, snapshots neither.
pub fn translate_option() -> OptionSpec {
    let doc = "whether games are translated into machine code; the same is played either way";
    OptionSpec { is_place: true, ..OptionSpec::new(TRANSLATE, true, doc) }
}

/// A game, and how its consoles are set up.
#[derive(Debug, Clone)]
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
    /// From the options `mode`, `difficulty`, `repeat_action_probability`, `full_action_space`, `translate` and `rom_dir`. `absent` is
    /// the number that stands for the default mode and difficulty, if there is one.
    ///
    /// # Errors
    /// `Value`, naming the option.
    pub fn new(game: &'static Game, options: &Options, absent: Option<i64>) -> Result<Self> {
        let settings = Settings {
            mode: arguments::one_of(options, "mode", absent, game, game.modes)?,
            difficulty: arguments::one_of(options, "difficulty", absent, game, game.difficulties)?,
            repeat_action_probability: options.float("repeat_action_probability") as f32,
            translate: options.bool(TRANSLATE),
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

    /// That the program is interpreted, where it is to be translated and cannot be.
    pub fn decided(&self) -> Vec<Decided> {
        let refusal = || self.rom.as_ref().map_or_else(translation_refusal, Rom::refusal);
        let refusal = self.settings.translate.then(refusal).flatten();
        refusal.map(|reason| Decided { option: TRANSLATE, value: false.into(), reason }).into_iter().collect()
    }

    /// What is said beside the refusal of an action: how to have those that this game does nothing special with.
    pub fn action_hint(&self) -> &'static str {
        if self.actions.len() < self.game.legal().len() {
            " (full_action_space=True takes all actions of the console)"
        } else {
            ""
        }
    }

    /// Plugs the cartridge in, the one that `store` has for the same game in the same mode.
    ///
    /// # Errors
    /// Those of [`cartridges::find`]; `Value` where the game does not come into the mode asked for.
    pub fn load(&mut self, store: &Store) -> Result<()> {
        let name = format!("{} in {:?}, {:?}", self.game.name, self.rom_dir, self.settings);
        let plugged = store.get_or_load(&name, || {
            let mut setup = self.clone();
            setup.plug(cartridges::find(self.game, self.rom_dir.as_deref())?)?;
            Ok((setup, MOST_ROM_BYTES))
        })?;
        self.rom.clone_from(&plugged.rom);
        Ok(())
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
        let mut unlimited = self.clone();
        if let Some(frames) = unlimited.settings.max_episode_frames.take()
            && unlimited.console(0).reset()
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
    pub fn console(&self, random_seed: u32) -> Box<Console> {
        let rom = self.rom.as_ref().expect("a cartridge is plugged in before a console is made");
        Box::new(Console::new(rom, Settings { random_seed, ..self.settings.clone() }))
    }

    /// A console that goes on where this snapshot was taken.
    ///
    /// # Errors
    /// `Value` where it is of another cartridge, or cannot be.
    pub fn restored(&self, snapshot: &Snapshot) -> Result<Box<Console>> {
        let mut console = self.console(0);
        if console.restore(snapshot) { Ok(console) } else { Err(refused_state("it is of another cartridge, or none")) }
    }

    /// Resets a console, or a new one in its place where there is a seed for one.
    ///
    /// # Panics
    /// Where the game does not come into its mode.
    pub fn reset(&self, console: &mut Box<Console>, seed: Option<u32>) {
        if let Some(seed) = seed {
            *console = self.console(seed);
        }
        assert!(console.reset(), "{} did not come into mode {}", self.game.name, console.mode());
    }
}
