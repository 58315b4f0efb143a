//! [`Env`] whose options are drawn anew for each episode.

use crate::engine::contract::env::{Ended, Env, LaneState, Scheduling};
use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::options::{OptionSpec, Options, ResetOptions};
use crate::engine::contract::picture::{Picture, Rendering, View};
use crate::engine::contract::row::{Action, Row};
use crate::engine::contract::space::Dtype;
use crate::engine::contract::spec::{EnvSpec, InfoSpec};
use crate::engine::contract::state::{read_value, refused_state, write_value};
use crate::engine::contract::store::Store;
use crate::engine::contract::value::Distribution;
use crate::engine::contract::value::Value;

/// An environment some of whose options are distributions. Each episode begins with a draw of each, in the order in which the
/// environment declares them and from its own random stream; infos tell what was drawn.
pub struct Randomized<E> {
    options: Options,
    draws: Vec<(&'static str, Distribution)>,
    /// Plays nothing: what does not depend on the draws is the same in all.
    example: E,
    infos: usize,
    /// What the environments of all episodes share.
    store: Store,
}

/// What is being played, and with which options.
pub struct RandomizedState<E: Env> {
    /// A number for each distribution, as [`Distribution::draw`] gives it; none before the first reset.
    numbers: Vec<f64>,
    /// The environment with these options; absent before the first reset.
    env: Option<Box<E>>,
    state: E::State,
}

impl<E: Env> Randomized<E> {
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
        env.load(&self.store)?;
        Ok(Box::new(env))
    }

    /// Draws, and lets `begin` play on with what was drawn.
    fn redraw<T>(
        &self,
        episode: &mut RandomizedState<E>,
        random: &mut E::Random,
        begin: impl FnOnce(&E, &mut E::State, &mut E::Random) -> T,
    ) -> T {
        episode.numbers = self.draws.iter().map(|(_, draw)| draw.draw(random)).collect();
        let env = self.env_with(&episode.numbers);
        let env = episode.env.insert(env.unwrap_or_else(|error| panic!("the options drawn are refused: {error}")));
        begin(env, &mut episode.state, random)
    }

    /// Refuses distributions whose values the environment does not take, or that would change its spaces.
    fn check_extremes(&self) -> Result<()> {
        let firsts: Vec<_> = self.draws.iter().map(|(name, draw)| (*name, first_value(draw))).collect();
        let firsts = self.options.with(&firsts);
        for (name, draw) in &self.draws {
            for number in draw.extremes() {
                let value = draw.value(number).expect("extremes are values");
                let mut env = E::new(&firsts.with(&[(*name, value.clone())]))?;
                if E::IS_DESCRIBED_BY_FILES {
                    env.load(&self.store)?;
                }
                if env.spec() != self.example.spec() {
                    let allowed = format_args!("values that leave the spaces as they are, which {value} does not").to_string();
                    return Err(Error::value(name, draw, allowed));
                }
            }
        }
        Ok(())
    }

    fn env<'a>(&'a self, episode: &'a RandomizedState<E>) -> &'a E {
        episode.env.as_deref().unwrap_or(&self.example)
    }
}

/// The smallest value, for what does not depend on it.
fn first_value(draw: &Distribution) -> Value {
    draw.value(draw.extremes()[0]).expect("extremes are values")
}

impl<E: Env> LaneState<Randomized<E>> for RandomizedState<E> {
    fn save(&self, env: &Randomized<E>, bytes: &mut Vec<u8>) {
        write_value(bytes, &self.numbers);
        self.state.save(env.env(self), bytes);
    }

    fn load(env: &Randomized<E>, bytes: &mut &[u8]) -> Result<Self> {
        let numbers: Vec<f64> = read_value(bytes)?;
        if numbers.is_empty() {
            return Ok(Self { numbers, env: None, state: E::State::load(&env.example, bytes)? }); // never reset
        }
        let own = env.env_with(&numbers).map_err(|_| refused_state("its options are out of range"))?;
        let state = E::State::load(&own, bytes)?;
        Ok(Self { numbers, env: Some(own), state })
    }
}

impl<E: Env> Env for Randomized<E> {
    type State = RandomizedState<E>;
    type Random = E::Random;
    const SCHEDULING: Scheduling = E::SCHEDULING;
    const IS_DESCRIBED_BY_FILES: bool = E::IS_DESCRIBED_BY_FILES;
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
        let own = Self {
            options: options.clone(),
            draws,
            infos: if E::IS_DESCRIBED_BY_FILES { 0 } else { example.spec().info.len() },
            example,
            store: Store::default(),
        };
        if !E::IS_DESCRIBED_BY_FILES {
            own.check_extremes()?;
        }
        Ok(own)
    }

    fn load(&mut self, store: &Store) -> Result<()> {
        self.store = store.clone();
        self.example.load(store)?;
        if E::IS_DESCRIBED_BY_FILES {
            self.infos = self.example.spec().info.len();
            self.check_extremes()?;
        }
        Ok(())
    }

    fn spec(&self) -> EnvSpec {
        let mut spec = self.example.spec();
        spec.info.extend(
            self.draws.iter().map(|(name, draw)| InfoSpec::new(name, if draw.is_float() { Dtype::F64 } else { Dtype::I64 }, &[])),
        );
        spec
    }

    fn heap_bytes(&self) -> usize {
        self.example.heap_bytes() + self.example.shared_bytes() + size_of::<E>() + self.draws.len() * size_of::<f64>()
    }

    fn shared_bytes(&self) -> usize {
        self.example.shared_bytes()
    }

    fn thread_bytes(&self) -> usize {
        self.example.thread_bytes()
    }

    fn create(&self, lane: usize) -> Result<RandomizedState<E>> {
        Ok(RandomizedState { numbers: Vec::new(), env: None, state: self.example.create(lane)? })
    }

    fn close(&self, episode: RandomizedState<E>) {
        let RandomizedState { env, state, .. } = episode;
        env.as_deref().unwrap_or(&self.example).close(state);
    }

    fn check_reset(&self, options: &ResetOptions) -> Result<()> {
        self.example.check_reset(options)
    }

    fn reset(&self, episode: &mut RandomizedState<E>, options: &ResetOptions, random: &mut E::Random) {
        self.redraw(episode, random, |env, state, random| env.reset(state, options, random));
    }

    fn next_episode(&self, episode: &mut RandomizedState<E>, ended: Ended, random: &mut E::Random) -> i32 {
        self.redraw(episode, random, |env, state, random| env.next_episode(state, ended, random))
    }

    fn step(&self, episode: &mut RandomizedState<E>, action: &Action<'_>, rewards: &mut [f64], random: &mut E::Random) -> bool {
        let env = episode.env.as_deref().unwrap_or(&self.example);
        env.step(&mut episode.state, action, rewards, random)
    }

    fn is_truncated(&self, episode: &RandomizedState<E>) -> bool {
        self.env(episode).is_truncated(&episode.state)
    }

    fn has_zero_discount(&self, episode: &RandomizedState<E>) -> bool {
        self.env(episode).has_zero_discount(&episode.state)
    }

    fn observe(&self, episode: &RandomizedState<E>, out: &mut Row<'_>) {
        self.env(episode).observe(&episode.state, out);
    }

    fn info(&self, episode: &RandomizedState<E>, out: &mut Row<'_>) {
        self.env(episode).info(&episode.state, out);
        for (index, (_, draw)) in self.draws.iter().enumerate() {
            // None was drawn where a snapshot that somebody has changed says that what was never reset is being played.
            let told = episode.numbers.get(index).map_or(0.0, |number| draw.told(*number));
            out.scalar(self.infos + index, told);
        }
    }

    fn rendering(&self) -> Rendering {
        self.example.rendering()
    }

    fn paint(&self, episode: &RandomizedState<E>) -> Picture {
        self.env(episode).paint(&episode.state)
    }

    fn show(&self, episode: &RandomizedState<E>, view: &View) -> Result<Picture> {
        self.env(episode).show(&episode.state, view)
    }

    fn text(&self, episode: &RandomizedState<E>) -> String {
        self.env(episode).text(&episode.state)
    }
}
