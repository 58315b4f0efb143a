//! numpy's `Generator`, as returned by `np.random.default_rng(seed)` and gymnasium's `np_random(seed)`.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::bounded::{bounded_u64, masked_interval};
use super::integer::{Integer, SubwordBuffer};
use super::{Pcg64, RandomStream, SeedSequence, weighted_index, ziggurat};

/// numpy's `Generator(PCG64(SeedSequence(seed)))`.
///
/// Every method draws one value, bit-identical to the value of numpy 2.4's method with the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    pcg: Pcg64,
}

impl RandomStream for Generator {
    #[inline]
    fn from_seed(seed: u64) -> Self {
        Self::new(seed)
    }

    fn float_between(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low, high)
    }

    fn integer_between(&mut self, low: i64, high: i64) -> i64 {
        self.integers(low, high)
    }

    fn pcg64(&self) -> Option<&Pcg64> {
        Some(&self.pcg)
    }
}

impl Generator {
    /// Creates `np.random.default_rng(seed)`.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self::from_sequence(&SeedSequence::new(seed))
    }

    /// Creates `np.random.Generator(pcg)`.
    #[inline]
    pub fn from_pcg64(pcg: Pcg64) -> Self {
        Self { pcg }
    }

    /// Creates `np.random.default_rng(sequence)`.
    #[inline]
    pub fn from_sequence(sequence: &SeedSequence) -> Self {
        Self { pcg: Pcg64::new(sequence) }
    }
}

/// Methods that draw from distributions of real numbers.
impl Generator {
    /// Draws `random()`: a float64 in `[0, 1)`, a multiple of 2**-53.
    #[inline]
    pub fn random(&mut self) -> f64 {
        self.pcg.next_f64()
    }

    /// Draws `random(dtype=np.float32)`: a float32 in `[0, 1)`, a multiple of 2**-24.
    #[inline]
    pub fn random_f32(&mut self) -> f32 {
        self.pcg.next_f32()
    }

    /// Draws `uniform(low, high)`: a float64 in `[low, high)`; rounding may give `high`.
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random()
    }

    /// Draws `standard_normal()`: a float64 with mean 0 and variance 1.
    #[inline]
    pub fn standard_normal(&mut self) -> f64 {
        ziggurat::standard_normal(&mut self.pcg)
    }

    /// Draws `normal(mean, deviation)`: a float64 with this mean and standard deviation.
    #[inline]
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        mean + deviation * self.standard_normal()
    }

    /// Draws `standard_exponential()`: a float64 with mean 1.
    #[inline]
    pub fn standard_exponential(&mut self) -> f64 {
        ziggurat::standard_exponential(&mut self.pcg)
    }

    /// Draws `exponential(scale)`: a float64 with mean `scale`.
    #[inline]
    pub fn exponential(&mut self, scale: f64) -> f64 {
        scale * self.standard_exponential()
    }
}

/// Methods that draw integers and choices.
impl Generator {
    /// Draws `integers(low, high)` with numpy's default dtype int64: an integer in `low..high`.
    ///
    /// # Panics
    /// If `low >= high`.
    #[inline]
    pub fn integers(&mut self, low: i64, high: i64) -> i64 {
        assert!(low < high, "integers({low}, {high}): low must be below high");
        self.integers_inclusive(low, high - 1)
    }

    /// Draws `integers(low, high, dtype=T, endpoint=True)`: an integer in `low..=high`.
    ///
    /// The dtype affects which random bits are used: types of 8 and 16 bits draw differently from types of 32 and 64 bits.
    ///
    /// # Panics
    /// If `low > high`.
    #[inline]
    pub fn integers_inclusive<T: Integer>(&mut self, low: T, high: T) -> T {
        assert!(low <= high, "integers_inclusive({low}, {high}): low must not exceed high");
        T::draw(&mut self.pcg, &mut SubwordBuffer::default(), low, high)
    }

    /// Draws `integers(low, high, size=out.len(), dtype=T, endpoint=True)` into `out`.
    ///
    /// For dtypes of 8 and 16 bits, the numbers differ from those of single draws, because several elements of an array use
    /// parts of the same 32-bit word.
    ///
    /// # Panics
    /// If `low > high`.
    pub fn fill_integers_inclusive<T: Integer>(&mut self, out: &mut [T], low: T, high: T) {
        assert!(low <= high, "fill_integers_inclusive({low}, {high}): low must not exceed high");
        let mut buffer = SubwordBuffer::default();
        for element in out {
            *element = T::draw(&mut self.pcg, &mut buffer, low, high);
        }
    }

    /// Draws `choice(count)`: an index below `count`.
    ///
    /// # Panics
    /// If `count` is zero.
    #[inline]
    pub fn choice(&mut self, count: usize) -> usize {
        assert!(count > 0, "choice(0): there is nothing to choose from");
        self.index_up_to(count - 1)
    }

    /// Draws `choice(len(probabilities), p=probabilities)`: an index below the number of probabilities.
    ///
    /// # Panics
    /// If the sum of the probabilities differs from 1 by more than 2**-26, numpy's tolerance.
    #[inline]
    pub fn choice_weighted(&mut self, probabilities: &[f64]) -> usize {
        weighted_index(probabilities, self.random())
    }

    /// Draws `choice(count, size, replace=False)`: distinct indices below `count`.
    ///
    /// # Panics
    /// If `size > count`.
    pub fn choice_without_replacement(&mut self, count: usize, size: usize) -> Vec<usize> {
        assert!(size <= count, "choice_without_replacement({count}, {size}): size must not exceed count");
        // numpy has two algorithms that draw different numbers, and chooses between them by `count` and `size` as in this
        // condition.
        if count > 10_000 && size > count / 50 {
            let mut indices: Vec<usize> = (0..count).collect();
            self.shuffle_indices(&mut indices, (count - size).max(1));
            return indices.split_off(count - size);
        }
        let mut indices = self.floyd_sample(count, size);
        self.shuffle_indices(&mut indices, 1);
        indices
    }

    /// Draws `size` distinct indices below `count` by R. W. Floyd's algorithm, and returns them in the order drawn. Source: J.
    /// Bentley, "Programming Pearls: A Sample of Brilliance" (1987).
    fn floyd_sample(&mut self, count: usize, size: usize) -> Vec<usize> {
        let mut seen = HashSet::with_capacity(size);
        let mut sample = Vec::with_capacity(size);
        for last in count - size..count {
            let drawn = self.index_up_to(last);
            let index = if seen.insert(drawn) { drawn } else { last };
            seen.insert(index);
            sample.push(index);
        }
        sample
    }

    #[inline]
    fn index_up_to(&mut self, last: usize) -> usize {
        bounded_u64(&mut self.pcg, last as u64) as usize
    }
}

/// Methods that draw shuffles and permutations.
impl Generator {
    /// Shuffles a list or one-dimensional array, as numpy's `shuffle(items)` does.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = masked_interval(&mut self.pcg, last as u64) as usize;
            items.swap(last, other);
        }
    }

    /// Draws `permutation(count)`: the indices below `count` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..count).collect();
        self.shuffle(&mut indices);
        indices
    }

    /// Shuffles the end of a list: swaps each element, from the last one down to the index `first`, with an element at a random
    /// index up to its own index.
    ///
    /// Unlike [`Self::shuffle`], the function draws by Lemire's method, as numpy's `choice` does.
    fn shuffle_indices(&mut self, indices: &mut [usize], first: usize) {
        for last in (first..indices.len()).rev() {
            let other = self.index_up_to(last);
            indices.swap(last, other);
        }
    }
}
