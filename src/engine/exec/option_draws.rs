//! Draws options again for each episode, from distributions that the user gave as option values.

use crate::contract::asset_cache::AssetCache;
use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::contract::options::Options;
use crate::contract::row::Row;
use crate::contract::space::Dtype;
use crate::contract::spec::{EnvSpec, InfoSpec};
use crate::contract::state::refused_state;
use crate::contract::value::{Distribution, Value};

/// Options of a pool, some of which are distributions.
///
/// Each episode starts with one draw of each distribution, in declaration order and from the lane's own random stream. Infos
/// report the drawn values.
pub struct OptionDraws {
    options: Options,
    draws: Vec<(&'static str, Distribution)>,
    /// Number of the environment's own infos, which precede the infos of the drawn values.
    infos: usize,
    /// Assets that the environments of all episodes share.
    store: AssetCache,
}

/// The environment of one lane's current episode.
pub struct DrawnEnv<E> {
    /// Numbers drawn for the distributions, one each, as returned by [`Distribution::draw`]; empty before the first reset.
    numbers: Vec<f64>,
    /// Environment with the drawn options; `None` before the first reset.
    env: Option<Box<E>>,
}

/// Environment of a lane's current episode, and the distributions for the next one.
pub struct DrawnLane<'a, E> {
    pub draws: &'a OptionDraws,
    pub current: &'a mut DrawnEnv<E>,
}

impl OptionDraws {
    /// Returns the distributions among `options`, and an example environment with the smallest value of each distribution.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn new<E: Env>(options: &Options) -> Result<(Self, E)> {
        let own = Self { options: options.clone(), draws: options.distributions(), infos: 0, store: AssetCache::default() };
        let example = E::new(&own.smallest_options())?;
        if E::SPEC_NEEDS_LOAD { Ok((own, example)) } else { Ok((own.validate(&example)?, example)) }
    }

    /// Sets the assets from which the environment of each episode is loaded. `example` was loaded from the same assets.
    ///
    /// # Errors
    /// `Value` for a distribution whose values the environment rejects, or whose values change its spaces.
    pub fn load<E: Env>(&mut self, example: &E, store: &AssetCache) -> Result<()> {
        self.store = store.clone();
        if E::SPEC_NEEDS_LOAD {
            self.infos = example.spec().info.len();
            self.check_extremes(example)?;
        }
        Ok(())
    }

    /// Returns `spec` with an additional info for each distribution.
    pub fn extend_spec(&self, mut spec: EnvSpec) -> EnvSpec {
        let info = |draw: &Distribution| if draw.is_float() { Dtype::F64 } else { Dtype::I64 };
        spec.info.extend(self.draws.iter().map(|(name, draw)| InfoSpec::new(name, info(draw), &[])));
        spec
    }

    /// Returns the bytes that a lane needs for its own environment, in addition to the lane's state.
    pub fn lane_bytes<E: Env>(&self, example: &E) -> usize {
        size_of::<DrawnEnv<E>>() + example.shared_bytes() + size_of::<E>() + self.draws.len() * size_of::<f64>()
    }

    /// Recreates a lane's environment with `numbers` as the drawn values.
    ///
    /// # Errors
    /// `Value` if the numbers come from a damaged snapshot and are invalid.
    pub fn restore<E: Env>(&self, numbers: Vec<f64>) -> Result<DrawnEnv<E>> {
        if numbers.is_empty() {
            return Ok(DrawnEnv::default()); // the environment was never reset
        }
        let env = self.env_with(&numbers).map_err(|_| refused_state("its options are out of range"))?;
        Ok(DrawnEnv { numbers, env: Some(env) })
    }

    fn validate<E: Env>(mut self, example: &E) -> Result<Self> {
        self.infos = example.spec().info.len();
        self.check_extremes(example)?;
        Ok(self)
    }

    /// Returns the options with the smallest value of each distribution. Used for properties that do not depend on the draw.
    fn smallest_options(&self) -> Options {
        let first = |draw: &Distribution| draw.value(draw.extremes()[0]).expect("extremes are values");
        self.options.with_values(&self.draws.iter().map(|(name, draw)| (*name, first(draw))).collect::<Vec<_>>())
    }

    /// Returns the options with `numbers` as the drawn values; `None` if the distributions cannot produce these numbers.
    fn options_with(&self, numbers: &[f64]) -> Option<Options> {
        if numbers.len() != self.draws.len() {
            return None;
        }
        let values = self.draws.iter().zip(numbers).map(|((name, draw), number)| Some((*name, draw.value(*number)?)));
        Some(self.options.with_values(&values.collect::<Option<Vec<(&'static str, Value)>>>()?))
    }

    fn env_with<E: Env>(&self, numbers: &[f64]) -> Result<Box<E>> {
        let options = self.options_with(numbers).ok_or_else(|| Error::Value("options out of range".into()))?;
        let mut env = E::new(&options)?;
        env.load(&self.store)?;
        Ok(Box::new(env))
    }

    /// Rejects distributions with values that the environment rejects, or that change its spaces.
    fn check_extremes<E: Env>(&self, example: &E) -> Result<()> {
        let firsts = self.smallest_options();
        for (name, draw) in &self.draws {
            for number in draw.extremes() {
                let value = draw.value(number).expect("extremes are values");
                let mut env = E::new(&firsts.with_values(&[(*name, value.clone())]))?;
                if E::SPEC_NEEDS_LOAD {
                    env.load(&self.store)?;
                }
                if env.spec() != example.spec() {
                    let allowed = format_args!("values that leave the spaces as they are, which {value} does not").to_string();
                    return Err(Error::value(name, draw, allowed));
                }
            }
        }
        Ok(())
    }
}

impl<E> Default for DrawnEnv<E> {
    fn default() -> Self {
        Self { numbers: Vec::new(), env: None }
    }
}

impl<E> DrawnEnv<E> {
    /// Returns the environment of the current episode, or `example` before the first reset.
    #[inline(always)]
    pub fn env<'a>(&'a self, example: &'a E) -> &'a E {
        self.env.as_deref().unwrap_or(example)
    }

    /// Returns the drawn numbers, which [`OptionDraws::restore`] accepts.
    pub fn numbers(&self) -> &Vec<f64> {
        &self.numbers
    }
}

impl<E: Env> DrawnLane<'_, E> {
    /// Draws the options of the next episode, and creates its environment.
    #[cold]
    pub fn redraw(&mut self, random: &mut E::Random) -> &E {
        self.current.numbers = self.draws.draws.iter().map(|(_, draw)| draw.draw(random)).collect();
        let env = self.draws.env_with(&self.current.numbers);
        self.current.env.insert(env.unwrap_or_else(|error| panic!("the options drawn are refused: {error}")))
    }

    /// Writes the option values drawn for the current episode as infos, after the environment's own infos.
    pub fn info(&self, out: &mut Row<'_>) {
        for (index, (_, draw)) in self.draws.draws.iter().enumerate() {
            // A forged snapshot may mark an environment that was never reset as running. Its lane has no drawn numbers.
            let value = self.current.numbers.get(index).map_or(0.0, |number| draw.info_value(*number));
            out.scalar(self.draws.infos + index, value);
        }
    }
}
