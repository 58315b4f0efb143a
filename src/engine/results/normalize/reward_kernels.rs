//! Loops over rewards and discounted returns, compiled for each level of vector instructions.

use crate::results::normalize::row_kernels::clipped;
use envpool_rs_numeric::reduce::Float;
use envpool_rs_numeric::simd::SimdKernel;

/// Divides rewards by `divisor` in float64, and clips them.
pub struct ScaleRewards<'a, T> {
    pub rewards: &'a mut [T],
    pub divisor: f64,
    pub bound: f64,
    /// Whether rewards are rounded to float32 before and after the division, even in a float64 column.
    pub rounds_to_f32: bool,
}

impl<T: Float> SimdKernel for ScaleRewards<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if self.rounds_to_f32 {
            for reward in self.rewards {
                let scaled = clipped(f64::from(reward.widen() as f32) / self.divisor, self.bound);
                *reward = T::round(f64::from(scaled as f32));
            }
        } else {
            for reward in self.rewards {
                *reward = T::round(clipped(reward.widen() / self.divisor, self.bound));
            }
        }
    }
}

/// Updates discounted returns by gymnasium's formula, with gymnasium's types: returns and their product with `gamma` are float32.
pub struct GymnasiumReturns<'a, T> {
    pub returns: &'a mut [f64],
    pub rewards: &'a [T],
    pub terminated: &'a [u8],
    pub active: &'a [u8],
    pub gamma: f32,
}

impl<T: Float> SimdKernel for GymnasiumReturns<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let len = self.returns.len();
        let (rewards, terminated, active) = (&self.rewards[..len], &self.terminated[..len], &self.active[..len]);
        for i in 0..len {
            let old = self.returns[i];
            let goes_on = f64::from(1 - terminated[i]);
            let new = f64::from((f64::from(old as f32 * self.gamma) * goes_on + rewards[i].widen()) as f32);
            self.returns[i] = if active[i] != 0 { new } else { old };
        }
    }
}

/// Updates discounted returns by the formula of Stable-Baselines3, whose rewards are float32.
pub struct Sb3Returns<'a, T> {
    pub returns: &'a mut [f64],
    pub rewards: &'a [T],
    pub active: &'a [u8],
    pub gamma: f64,
}

impl<T: Float> SimdKernel for Sb3Returns<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let len = self.returns.len();
        let (rewards, active) = (&self.rewards[..len], &self.active[..len]);
        for i in 0..len {
            let old = self.returns[i];
            let new = old * self.gamma + f64::from(rewards[i].widen() as f32);
            self.returns[i] = if active[i] != 0 { new } else { old };
        }
    }
}
