//! numpy's legacy `RandomState`, whose streams do not change between numpy versions.

use serde::{Deserialize, Serialize};

use super::bounded::masked_interval;
use super::{Mt19937, RandomStream, u32_words, weighted_index};

/// numpy's `RandomState(seed)`. Every method draws one value, bit-identical to the value of numpy's method with the same
/// name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RandomState {
    mt19937: Mt19937,
    /// Normal number that the next call of `standard_normal` returns: the second of the two numbers that the polar method
    /// generated; `None` if both have been returned.
    gauss: Option<f64>,
}

impl RandomStream for RandomState {
    fn from_seed(seed: u64) -> Self {
        Self::new(seed)
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.randint(low, high)
    }
}

impl RandomState {
    /// Creates `np.random.RandomState(seed)` for seeds below 2**32.
    ///
    /// numpy rejects larger seeds. This function splits them into a list of two 32-bit words, the least significant first. So
    /// every seed of an environment has its own stream.
    pub fn new(seed: u64) -> Self {
        match u32::try_from(seed) {
            Ok(seed) => Mt19937::init_genrand(seed).into(),
            Err(_) => Self::from_words(&u32_words(seed).collect::<Vec<_>>()),
        }
    }

    /// Creates `np.random.RandomState(words)` for a list of integers below 2**32.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn from_words(words: &[u32]) -> Self {
        Mt19937::init_by_array(words).into()
    }
}

impl From<Mt19937> for RandomState {
    fn from(twister: Mt19937) -> Self {
        Self { mt19937: twister, gauss: None }
    }
}

/// Methods that draw from distributions of real numbers.
impl RandomState {
    /// Draws `random_sample()`, also `rand()`: a float64 in `[0, 1)`, a multiple of 2**-53.
    #[inline]
    pub fn random_sample(&mut self) -> f64 {
        self.mt19937.next_f64()
    }

    /// Fills `out` with the numbers of `random_sample(out.len())`: float64 in `[0, 1)`, generated many at a time.
    pub fn fill_random_sample(&mut self, out: &mut [f64]) {
        self.mt19937.fill_f64(out);
    }

    /// Draws `uniform(low, high)`: a float64 in `[low, high)`; rounding may give `high`.
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random_sample()
    }

    /// Draws `standard_normal()`, also `randn()`: a float64 with mean 0 and variance 1. Marsaglia's polar method generates two
    /// numbers at a time.
    #[inline]
    pub fn standard_normal(&mut self) -> f64 {
        match self.gauss.take() {
            Some(normal) => normal,
            None => self.legacy_gauss(),
        }
    }

    fn legacy_gauss(&mut self) -> f64 {
        loop {
            let x = 2.0 * self.random_sample() - 1.0;
            let y = 2.0 * self.random_sample() - 1.0;
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                self.gauss = Some(factor * x);
                return factor * y;
            }
        }
    }

    /// Draws `normal(mean, deviation)`: a float64 with this mean and standard deviation.
    #[inline]
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        mean + deviation * self.standard_normal()
    }

    /// Draws `standard_exponential()`: a float64 with mean 1.
    #[inline]
    pub fn standard_exponential(&mut self) -> f64 {
        // `ln_1p` would be more precise, but numpy's legacy stream does not use it.
        -(1.0 - self.random_sample()).ln()
    }

    /// Draws `exponential(scale)`: a float64 with mean `scale`.
    #[inline]
    pub fn exponential(&mut self, scale: f64) -> f64 {
        scale * self.standard_exponential()
    }
}

/// Methods that draw integers, choices, shuffles and permutations.
impl RandomState {
    /// Draws `randint(low, high)` with the default dtype int64 (of Linux and macOS): an integer in `low..high`.
    ///
    /// The dtypes int32 and uint32 draw the same numbers.
    ///
    /// # Panics
    /// If `low >= high`.
    #[inline]
    pub fn randint(&mut self, low: i64, high: i64) -> i64 {
        assert!(low < high, "randint({low}, {high}): low must be below high");
        let span = (high - 1).wrapping_sub(low) as u64;
        low.wrapping_add(masked_interval(&mut self.mt19937, span) as i64)
    }

    /// Draws `random_integers(low, high)`: an integer in `low..=high`.
    ///
    /// # Panics
    /// If `low > high`.
    #[inline]
    pub fn random_integers(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "random_integers({low}, {high}): low must not exceed high");
        low.wrapping_add(masked_interval(&mut self.mt19937, high.wrapping_sub(low) as u64) as i64)
    }

    /// Draws `choice(count)`: an index below `count`.
    ///
    /// # Panics
    /// If `count` is zero.
    #[inline]
    pub fn choice(&mut self, count: usize) -> usize {
        assert!(count > 0, "choice(0): there is nothing to choose from");
        masked_interval(&mut self.mt19937, count as u64 - 1) as usize
    }

    /// Draws `choice(len(probabilities), p=probabilities)`: an index below the number of probabilities.
    ///
    /// # Panics
    /// If the sum of the probabilities differs from 1 by more than 2**-26, numpy's tolerance.
    #[inline]
    pub fn choice_weighted(&mut self, probabilities: &[f64]) -> usize {
        weighted_index(probabilities, self.random_sample())
    }

    /// Draws `choice(count, size, replace=False)`: distinct indices below `count`.
    ///
    /// # Panics
    /// If `size > count`.
    pub fn choice_without_replacement(&mut self, count: usize, size: usize) -> Vec<usize> {
        assert!(size <= count, "choice_without_replacement({count}, {size}): size must not exceed count");
        let mut indices = self.permutation(count);
        indices.truncate(size);
        indices
    }

    /// Shuffles a list or one-dimensional array, as numpy's `shuffle(items)` does.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = masked_interval(&mut self.mt19937, last as u64) as usize;
            items.swap(last, other);
        }
    }

    /// Draws `permutation(count)`: the indices below `count` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..count).collect();
        self.shuffle(&mut indices);
        indices
    }
}
