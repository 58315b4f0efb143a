//! Reward for a number that should be in or near an interval, as computed by `dm_control.utils.rewards.tolerance`.

use envpool_rs_numeric::math::pow2;
use envpool_rs_numeric::numpy_ufuncs;

/// Function by which the reward decreases outside an interval, with the distance from the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sigmoid {
    /// The reward decreases as a Gaussian function of the distance (`gaussian`).
    Gaussian,
    /// The reward decreases linearly with the distance (`linear`).
    Linear,
    /// The reward decreases with the square of the distance (`quadratic`).
    Quadratic,
    /// The reward decreases by a bell-shaped function with long tails (`long_tail`).
    LongTail,
    /// The reward decreases as a reciprocal function of the distance (`reciprocal`).
    Reciprocal,
}

/// Reward that is 1 inside an interval, and decreases outside it over a margin.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    low: f64,
    high: f64,
    margin: f64,
    sigmoid: Sigmoid,
    scale: f64,
}

impl Tolerance {
    /// Creates a reward that is 1 from `low` to `high`, and 0 elsewhere.
    pub fn new(low: f64, high: f64) -> Self {
        Self { low, high, margin: 0.0, sigmoid: Sigmoid::Gaussian, scale: 0.0 }
    }

    /// Creates a reward that is 1 for `low` and all larger numbers, and 0 elsewhere.
    pub fn from(low: f64) -> Self {
        Self::new(low, f64::INFINITY)
    }

    /// Sets a margin with a Gaussian decrease of the reward, which is 0.1 at the distance `margin` from the interval.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        self.with_sigmoid(Sigmoid::Gaussian, margin, 0.1)
    }

    /// Sets the margin, the function by which the reward decreases, and the reward `worth` at the margin's end.
    #[must_use]
    pub fn with_sigmoid(self, sigmoid: Sigmoid, margin: f64, worth: f64) -> Self {
        let scale = match sigmoid {
            Sigmoid::Gaussian => (-2.0 * numpy_ufuncs::log(worth)).sqrt(),
            Sigmoid::Linear => 1.0 - worth,
            Sigmoid::Quadratic => (1.0 - worth).sqrt(),
            Sigmoid::LongTail => (1.0 / worth - 1.0).sqrt(),
            Sigmoid::Reciprocal => 1.0 / worth - 1.0,
        };
        Self { margin, sigmoid, scale, ..self }
    }

    /// Returns the reward for `value`, with the rounding of a numpy scalar.
    pub fn of(&self, value: f64) -> f64 {
        // numpy squares scalars by the C library's `pow`, and elements of arrays by multiplication.
        self.reward(value, |number| pow2(&[number])[0])
    }

    /// Returns the reward for `value`, with the rounding of an element of a numpy array.
    pub fn of_element(&self, value: f64) -> f64 {
        self.reward(value, |number| number * number)
    }

    fn reward(&self, value: f64, square: impl Fn(f64) -> f64) -> f64 {
        if self.low <= value && value <= self.high {
            return 1.0;
        }
        if self.margin == 0.0 {
            return 0.0;
        }
        let distance = if value < self.low { self.low - value } else { value - self.high } / self.margin;
        let scaled = distance * self.scale;
        let within = |worth: f64| if scaled.abs() < 1.0 { worth } else { 0.0 };
        match self.sigmoid {
            Sigmoid::Gaussian => numpy_ufuncs::exp(-0.5 * square(scaled)),
            Sigmoid::Linear => within(1.0 - scaled),
            Sigmoid::Quadratic => within(1.0 - square(scaled)),
            Sigmoid::LongTail => 1.0 / (square(scaled) + 1.0),
            Sigmoid::Reciprocal => 1.0 / (distance.abs() * self.scale + 1.0),
        }
    }
}
