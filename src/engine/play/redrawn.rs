//! [`Env`] whose options are drawn anew for each episode.

use serde::{Deserialize, Serialize};

use crate::engine::contract::env::{Ended, Env};
use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::options::{OptionSpec, Options, ResetOptions};
use crate::engine::contract::picture::{Picture, Rendering};
use crate::engine::contract::row::{Action, Row};
use crate::engine::contract::space::Dtype;
use crate::engine::contract::spec::{EnvSpec, InfoSpec};
use crate::engine::contract::value::Distribution;
use crate::engine::contract::value::Value;

/// An environment some of whose options are distributions. Each episode begins with a draw of each, in the order in which the
/// environment declares them and from its own random stream; infos tell what was drawn.
pub struct Redrawn<E> {
    options: Options,
    draws: Vec<(&'static str, Distribution)>,
    /// Plays nothing: what does not depend on the draws is the same in all.
    example: E,
    infos: usize,
}

/// What is being played, and with which options.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Drawn<E: Env> {
    /// A number for each distribution, as [`Distribution::draw`] gives it; none before the first reset.
    numbers: Vec<f64>,
    /// The environment with these options; absent before the first reset.
    #[serde(skip)]
    env: Option<Box<E>>,
    state: E::State,
}

impl<E: Env> Redrawn<E> {
    /// The options with `numbers` for what is drawn.
    fn options_with(&self, numbers: &[f64]) -> Option<Options> {
        if numbers.len() != self.draws.len() {
            return None;
        }
        let values = self.draws.iter().zip(numbers).map(|((name, draw), number)| Some((*name, draw.value(*number)?)));
        Some(self.options.with(&values.collect::<Option<Vec<_>>>()?))
    }

    fn env_with(&self, numbers: &[f64]) -> Result<Box<E>> {
        let options = self.options_with(numbers).ok_or_else(|| Error::Value("options out of range".into()))?;
        let mut env = E::new(&options)?;
        env.prepare_like(&self.example)?;
        Ok(Box::new(env))
    }

    /// Draws, and lets `begin` play on with what was drawn.
    fn redraw<T>(
        &self,
        drawn: &mut Drawn<E>,
        random: &mut E::Random,
        begin: impl FnOnce(&E, &mut E::State, &mut E::Random) -> T,
    ) -> T {
        drawn.numbers = self.draws.iter().map(|(_, draw)| draw.draw(random)).collect();
        let env = self.env_with(&drawn.numbers);
        let env = drawn.env.insert(env.unwrap_or_else(|error| panic!("the options drawn are refused: {error}")));
        begin(env, &mut drawn.state, random)
    }

    fn env<'a>(&'a self, drawn: &'a Drawn<E>) -> &'a E {
        drawn.env.as_deref().unwrap_or(&self.example)
    }
}

/// Refuses distributions whose values the environment does not take, or that would change its spaces.
fn check_extremes<E: Env>(options: &Options, draws: &[(&'static str, Distribution)], first: &E) -> Result<()> {
    for (name, draw) in draws {
        for number in draw.extremes() {
            let value = draw.value(number).expect("extremes are values");
            let spec = E::new(&options.with(&[(*name, value.clone())]))?.spec();
            if spec != first.spec() {
                let allowed = format_args!("values that leave the spaces as they are, which {value} does not").to_string();
                return Err(Error::value(name, draw, allowed));
            }
        }
    }
    Ok(())
}

impl<E: Env> Env for Redrawn<E> {
    type State = Drawn<E>;
    type Random = E::Random;
    const UNIFORM: bool = E::UNIFORM;
    const LIMIT_FIRST: bool = E::LIMIT_FIRST;
    const RESET_OPTIONS: &'static [&'static str] = E::RESET_OPTIONS;

    fn options() -> Vec<OptionSpec> {
        E::options()
    }

    fn new(options: &Options) -> Result<Self> {
        let draws = options.draws();
        let firsts: Vec<_> = draws.iter().map(|(name, draw)| (*name, first_value(draw))).collect();
        let firsts = options.with(&firsts);
        let example = E::new(&firsts)?;
        check_extremes(&firsts, &draws, &example)?;
        let infos = example.spec().info.len();
        Ok(Self { options: options.clone(), draws, example, infos })
    }

    fn prepare(&mut self) -> Result<()> {
        self.example.prepare()
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = self.example.spec();
        spec.info.extend(self.draws.iter().map(|(name, draw)| InfoSpec {
            key: name,
            dtype: if draw.is_float() { Dtype::F64 } else { Dtype::I64 },
            shape: vec![],
            in_gymnasium: true,
            in_envpool: true,
        }));
        spec
    }

    fn heap_bytes(&self) -> usize {
        self.example.heap_bytes() + self.example.shared_bytes() + size_of::<E>() + self.draws.len() * size_of::<f64>()
    }

    fn shared_bytes(&self) -> usize {
        self.example.shared_bytes()
    }

    fn create(&self) -> Drawn<E> {
        Drawn { numbers: Vec::new(), env: None, state: self.example.create() }
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.example.check_reset(options)
    }

    fn reset(&self, drawn: &mut Drawn<E>, options: &ResetOptions, random: &mut E::Random) {
        self.redraw(drawn, random, |env, state, random| env.reset(state, options, random));
    }

    fn next_episode(&self, drawn: &mut Drawn<E>, ended: Ended, random: &mut E::Random) -> i32 {
        self.redraw(drawn, random, |env, state, random| env.next_episode(state, ended, random))
    }

    fn step(&self, drawn: &mut Drawn<E>, action: &Action<'_>, rewards: &mut [f64], random: &mut E::Random) -> bool {
        let env = drawn.env.as_deref().unwrap_or(&self.example);
        env.step(&mut drawn.state, action, rewards, random)
    }

    fn is_truncated(&self, drawn: &Drawn<E>) -> bool {
        self.env(drawn).is_truncated(&drawn.state)
    }

    fn discounts_all(&self, drawn: &Drawn<E>) -> bool {
        self.env(drawn).discounts_all(&drawn.state)
    }

    fn observe(&self, drawn: &Drawn<E>, out: &mut Row<'_>) {
        self.env(drawn).observe(&drawn.state, out);
    }

    fn info(&self, drawn: &Drawn<E>, out: &mut Row<'_>) {
        self.env(drawn).info(&drawn.state, out);
        for (index, (_, draw)) in self.draws.iter().enumerate() {
            // None was drawn where a snapshot that somebody has changed says that what was never reset is being played.
            let told = drawn.numbers.get(index).map_or(0.0, |number| draw.told(*number));
            out.scalar(self.infos + index, told);
        }
    }

    fn rendering(&self) -> Rendering {
        self.example.rendering()
    }

    fn draw(&self, drawn: &Drawn<E>) -> Picture {
        self.env(drawn).draw(&drawn.state)
    }

    fn text(&self, drawn: &Drawn<E>) -> String {
        self.env(drawn).text(&drawn.state)
    }

    fn adopt(&self, drawn: &mut Drawn<E>) -> bool {
        if drawn.numbers.is_empty() {
            return self.example.adopt(&mut drawn.state); // never reset
        }
        let Ok(env) = self.env_with(&drawn.numbers) else { return false };
        drawn.env.insert(env).adopt(&mut drawn.state)
    }
}

fn first_value(draw: &Distribution) -> Value {
    draw.value(draw.extremes()[0]).expect("extremes are values")
}
