//! Environment of players that share one space, and the rules of a game that it needs.

use serde::{Serialize, de::DeserializeOwned};

use crate::picture::{GridPicture, picture_size};
use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, OptionSpec, Options, RenderSpec, ResetOptions, Result, Row, Scheduling, Space,
    Value,
};
use envpool_rs_numeric::random::RandomStream;

/// Rules of a game whose players have the same spaces. [`Game`] is their environment, whose methods of the same names call them.
pub trait Rules: Sized + Send + Sync + 'static {
    type State: Serialize + DeserializeOwned + Send + 'static;
    type Random: RandomStream;

    /// Number of discrete actions in a mask, for games with [`action_mask_option`].
    const MASKED_ACTIONS: usize = 0;
    const FRAMES_PER_SECOND: u32;

    fn options() -> Vec<OptionSpec>;
    fn new(options: &Options) -> Result<Self>;
    fn players(&self) -> usize;
    fn observation_space(&self) -> Space;
    fn action_space(&self) -> Space;

    /// Returns the infos that [`write_infos`](Rules::write_infos) writes, before the mask.
    fn infos(&self) -> Vec<InfoSpec> {
        Vec::new()
    }

    fn heap_bytes(&self) -> usize;

    fn shared_bytes(&self) -> usize {
        0
    }

    fn create(&self) -> Self::State;
    fn reset(&self, state: &mut Self::State, rng: &mut Self::Random);
    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Self::Random) -> bool;

    fn is_truncated(&self, _state: &Self::State) -> bool {
        false
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>);
    fn write_infos(&self, _state: &Self::State, _out: &mut Row<'_>) {}

    /// Returns whether an action of a player has an effect.
    fn has_effect(&self, _state: &Self::State, _player: usize, _action: usize) -> bool {
        true
    }

    /// Returns the number of columns and rows of the grid.
    fn grid_size(&self) -> (i32, i32);

    fn draw(&self, state: &Self::State, picture: &mut GridPicture);
    fn render_text(&self, state: &Self::State) -> String;
    fn is_valid(&self, state: &Self::State) -> bool;
}

/// Returns the option that adds action masks to the infos.
pub fn action_mask_option() -> OptionSpec {
    OptionSpec::new("action_mask", false, "whether infos have `action_mask`: 1 for each action that has an effect, by player")
}

/// Environment with the rules `R`.
#[derive(Debug, Clone, PartialEq)]
pub struct Game<R> {
    rules: R,
    has_masks: bool,
}

impl<R: Rules> Env for Game<R> {
    type State = R::State;
    type Random = R::Random;

    const SCHEDULING: Scheduling = Scheduling::Uniform;

    fn options() -> Vec<OptionSpec> {
        R::options()
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { rules: R::new(options)?, has_masks: options.find("action_mask") == Some(&Value::Bool(true)) })
    }

    fn spec(&self) -> EnvSpec {
        let players = self.rules.players();
        let mut info = self.rules.infos();
        if self.has_masks {
            info.push(InfoSpec::new("action_mask", Dtype::I8, &[players, R::MASKED_ACTIONS]));
        }
        EnvSpec { players, info, ..EnvSpec::new(self.rules.observation_space(), self.rules.action_space()) }
    }

    fn heap_bytes(&self) -> usize {
        self.rules.heap_bytes()
    }

    fn shared_bytes(&self) -> usize {
        self.rules.shared_bytes()
    }

    fn create(&self, _lane: usize) -> Result<R::State> {
        Ok(self.rules.create())
    }

    fn reset(&self, state: &mut R::State, _options: &ResetOptions, rng: &mut R::Random) {
        self.rules.reset(state, rng);
    }

    fn step(&self, state: &mut R::State, action: &Action<'_>, rewards: &mut [f64], rng: &mut R::Random) -> bool {
        self.rules.step(state, action, rewards, rng)
    }

    fn is_truncated(&self, state: &R::State) -> bool {
        self.rules.is_truncated(state)
    }

    fn observe(&self, state: &R::State, out: &mut Row<'_>) {
        self.rules.observe(state, out);
    }

    fn info(&self, state: &R::State, out: &mut Row<'_>) {
        self.rules.write_infos(state, out);
        if self.has_masks {
            let leaf = self.rules.infos().len();
            for player in 0..self.rules.players() {
                for action in 0..R::MASKED_ACTIONS {
                    let has_effect = self.rules.has_effect(state, player, action);
                    out.write_at(leaf, player * R::MASKED_ACTIONS + action, &[i8::from(has_effect)]);
                }
            }
        }
    }

    fn render_spec(&self) -> RenderSpec {
        let (width, height) = picture_size(self.rules.grid_size());
        RenderSpec::with_frame_size(width, height, R::FRAMES_PER_SECOND).with_text()
    }

    fn render_frame(&self, state: &R::State, size: (u32, u32)) -> Frame {
        let mut picture = GridPicture::new(self.rules.grid_size(), size);
        self.rules.draw(state, &mut picture);
        picture.into_frame()
    }

    fn render_text(&self, state: &R::State) -> String {
        self.rules.render_text(state)
    }

    fn is_valid(&self, state: &R::State) -> bool {
        self.rules.is_valid(state)
    }
}
