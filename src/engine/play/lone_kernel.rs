//! [`Env`] for a [`Kernel`]: one lane by itself, for pools in which each has options of its own.

use crate::engine::contract::env::Env;
use crate::engine::contract::error::Result;
use crate::engine::contract::kernel::{Kernel, KernelAction, MAX_FIELDS};
use crate::engine::contract::options::{OptionSpec, Options, ResetOptions};
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::contract::row::{Action, Row};
use crate::engine::contract::spec::EnvSpec;
use crate::random::Generator;

/// A kernel's rules for one lane at a time: the same numbers as in blocks, at two to three times the price.
pub struct LoneKernel<K> {
    pub kernel: K,
    pub infos: usize,
}

impl<K: Kernel> LoneKernel<K> {
    /// By these rules.
    pub fn of(kernel: K) -> Self {
        Self { infos: kernel.spec().info.len(), kernel }
    }
}

impl<K: Kernel> Env for LoneKernel<K> {
    type State = [f64; MAX_FIELDS];
    type Random = Generator;
    const UNIFORM: bool = true;
    const RESET_OPTIONS: &'static [&'static str] = K::RESET_OPTIONS;

    fn options() -> Vec<OptionSpec> {
        K::options()
    }

    fn new(options: &Options) -> Result<Self> {
        K::new(options).map(Self::of)
    }

    fn spec(&self) -> EnvSpec {
        self.kernel.spec()
    }

    fn create(&self) -> Self::State {
        [0.0; MAX_FIELDS]
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.kernel.check_reset(options)
    }

    fn reset(&self, state: &mut Self::State, options: &ResetOptions, random: &mut Generator) {
        self.kernel.reset(&mut state[..K::FIELDS], options, random);
    }

    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        let mut fields = state.map(|field| [field]);
        let (mut reward, mut terminated) = ([0.0], [false]);
        let action = K::Action::column(&action.columns[0])[action.row];
        self.kernel.step(&mut fields[..K::FIELDS], &[action], &mut reward, &mut terminated);
        *state = fields.map(|[field]| field);
        rewards[0] = reward[0];
        terminated[0]
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>) {
        let fields = state.map(|field| [field]);
        let mut columns = [[0.0]; MAX_FIELDS];
        self.kernel.observe::<1>(&fields[..K::FIELDS], &mut columns[..K::OBSERVATION]);
        out.write(0, &columns.map(|[element]| element)[..K::OBSERVATION]);
    }

    fn info(&self, state: &Self::State, out: &mut Row<'_>) {
        (0..self.infos).for_each(|index| self.kernel.info(index, &state[..K::FIELDS], out));
    }

    fn rendering(&self) -> Rendering {
        self.kernel.rendering()
    }

    fn draw(&self, state: &Self::State) -> Picture {
        self.kernel.draw(&state[..K::FIELDS])
    }
}
