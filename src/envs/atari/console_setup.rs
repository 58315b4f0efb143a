//! Configuration that all environments of a pool share: game, cartridge and settings.

use super::{cartridges, checked_options};
use envpool_rs_engine::{AssetCache, Error, OptionDecision, OptionSpec, Options, Result, refused_state};
use envpool_rs_sim_atari::{Action, Console, Game, Rom, Settings, Snapshot, translation_refusal};

/// Largest size of a cartridge, in bytes.
const MAX_ROM_BYTES: usize = 1 << 16;

/// Name of the option that enables the recompiler, which translates the cartridge's program to machine code.
const TRANSLATE: &str = "translate";

/// Returns the specification of the option that enables the recompiler. The recompiler changes neither results nor snapshots.
pub fn translate_option() -> OptionSpec {
    let doc = "whether games are translated into machine code; results do not depend on it";
    OptionSpec { is_path: true, ..OptionSpec::new(TRANSLATE, true, doc) }
}

/// Game and settings from which consoles are created.
#[derive(Debug, Clone)]
pub struct ConsoleSetup {
    /// Game that the cartridge contains.
    pub game: &'static Game,
    /// Actions of the action space; the index of an action is its number.
    pub actions: Vec<Action>,
    settings: Settings,
    rom_dir: Option<String>,
    rom: Option<Rom>,
}

impl ConsoleSetup {
    /// Reads the options `mode`, `difficulty`, `repeat_action_probability`, `full_action_space`, `translate` and `rom_dir`.
    ///
    /// `default_code` is the number that stands for the default mode and difficulty, if there is one.
    ///
    /// # Errors
    /// `Value` error that names the option.
    pub fn new(game: &'static Game, options: &Options, default_code: Option<i64>) -> Result<Self> {
        let settings = Settings {
            mode: checked_options::supported_value(options, "mode", default_code, game, game.modes)?,
            difficulty: checked_options::supported_value(options, "difficulty", default_code, game, game.difficulties)?,
            repeat_action_probability: options.float("repeat_action_probability") as f32,
            translate: options.bool(TRANSLATE),
            ..Settings::default()
        };
        let actions = if options.bool("full_action_space") { game.legal() } else { game.minimal.to_vec() };
        Ok(Self { game, actions, settings, rom_dir: options.text("rom_dir").map(str::to_owned), rom: None })
    }

    /// Sets the number of frames after which episodes are truncated.
    #[must_use]
    pub fn max_episode_frames(mut self, frames: Option<u32>) -> Self {
        self.settings.max_episode_frames = frames;
        self
    }

    /// Returns how the option `translate` was resolved. If the option is set but the recompiler is not available, the returned
    /// entry reports, with the reason, that the cartridge's program is interpreted.
    pub fn decided(&self) -> Vec<OptionDecision> {
        let refusal = || self.rom.as_ref().map_or_else(translation_refusal, Rom::refusal);
        let refusal = self.settings.translate.then(refusal).flatten();
        refusal.map(|reason| OptionDecision { option: TRANSLATE, value: false.into(), reason }).into_iter().collect()
    }

    /// Returns the hint that follows the error message for an action outside of the game's action set.
    pub fn action_hint(&self) -> &'static str {
        if self.actions.len() < self.game.legal().len() {
            " (full_action_space=True takes all actions of the console)"
        } else {
            ""
        }
    }

    /// Reads the game's cartridge image and uses it for all consoles created later. `store` shares the cartridge between setups
    /// of the same game and settings.
    ///
    /// # Errors
    /// `NotFound` if the folder has no file for the game; `Value` if the file is not the game's image, or if the game does not
    /// reach the requested mode.
    pub fn load(&mut self, store: &AssetCache) -> Result<()> {
        let name = format!("{} in {:?}, {:?}", self.game.name, self.rom_dir, self.settings);
        let loaded = store.get_or_load(&name, || {
            let mut setup = self.clone();
            setup.insert_cartridge(cartridges::find(self.game, self.rom_dir.as_deref())?)?;
            Ok((setup, MAX_ROM_BYTES))
        })?;
        self.rom.clone_from(&loaded.rom);
        Ok(())
    }

    /// Sets the cartridge of all consoles created later, after checking that the game reaches the requested mode.
    ///
    /// # Errors
    /// `Value` if the game does not reach the requested mode.
    pub(super) fn insert_cartridge(&mut self, rom: Rom) -> Result<()> {
        self.rom = Some(rom);
        let mut console = self.console(0);
        if console.reset() {
            return Ok(());
        }
        // Selecting a mode plays actions, and their frames count towards the episode's frame limit. So selecting the mode may
        // have failed only because the limit is too low; this is tested without a limit.
        let mut unlimited = self.clone();
        if let Some(frames) = unlimited.settings.max_episode_frames.take()
            && unlimited.console(0).reset()
        {
            let enough = format_args!("enough frames for {} to reach its mode", self.game.name);
            return Err(Error::value("max_num_frames_per_episode", frames, enough));
        }
        Err(Error::value("mode", console.mode(), format_args!("a mode that {} reaches", self.game.name)))
    }

    /// Creates a console whose sticky actions are drawn with the seed `random_seed`.
    ///
    /// # Panics
    /// If no cartridge has been inserted.
    pub fn console(&self, random_seed: u32) -> Box<Console> {
        let rom = self.rom.as_ref().expect("a cartridge is inserted before a console is created");
        Box::new(Console::new(rom, Settings { random_seed, ..self.settings.clone() }))
    }

    /// Creates a console from a snapshot.
    ///
    /// # Errors
    /// `Value` if the snapshot is invalid or belongs to another cartridge.
    pub fn restore(&self, snapshot: &Snapshot) -> Result<Box<Console>> {
        let mut console = self.console(0);
        if console.restore(snapshot) { Ok(console) } else { Err(refused_state("it is of another cartridge, or damaged")) }
    }

    /// Resets a console to the start of a game. If `seed` is given, first replaces the console by a new one with this seed.
    ///
    /// # Panics
    /// If the game does not reach the requested mode.
    pub fn reset(&self, console: &mut Box<Console>, seed: Option<u32>) {
        if let Some(seed) = seed {
            *console = self.console(seed);
        }
        assert!(console.reset(), "{} did not reach mode {}", self.game.name, console.mode());
    }
}
