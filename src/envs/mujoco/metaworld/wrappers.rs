//! Wrappers of an environment's observations and rewards: `RNNBasedMetaRLWrapper` and `NormalizeRewardsExponential` of the package,
//! `NormalizeReward` and `NormalizeObservation` of gymnasium.

use super::number::Number;
use envpool_rs_engine::{OptionSpec, Options};
use serde::{Deserialize, Serialize};

/// Number of values that recurrent observations have in addition: the action, the reward and the end.
pub const RECURRENT: usize = 6;
/// Divisor of rewards in recurrent observations.
const REWARD_SCALE: f64 = 10.0;
/// Discount factor of the returns by whose variance `NormalizeReward` divides (`gamma`).
const DISCOUNT: f64 = 0.99;
/// Addend to variances and standard deviations (`epsilon`).
const EPSILON: f64 = 1e-8;
const INITIAL_COUNT: f64 = 1e-4;
/// Default number of steps of an episode.
const HORIZON: i64 = 500;
/// Name of the option that holds the number of steps of an episode.
const HORIZON_OPTION: &str = "horizon";

/// Method by which rewards are normalized (`reward_normalization_method`).
enum RewardMethod {
    /// `NormalizeReward` of gymnasium.
    Returns,
    /// `NormalizeRewardsExponential`, with the weight of the newest reward.
    Exponential(f64),
}

/// Wrappers of an environment, in the package's order: those of recurrent observations, of rewards and of observations.
pub struct Wrappers {
    pub is_recurrent: bool,
    /// Whether recurrent observations have a tenth of the reward.
    scales_reward: bool,
    method: Option<RewardMethod>,
    normalizes_observations: bool,
    /// Number of steps after which an episode is truncated.
    horizon: u32,
}

/// Last step in recurrent observations: its action, its reward, and whether it ended the episode.
pub type LastStep = [f64; RECURRENT];

impl Wrappers {
    /// Returns the declarations of the options that select wrappers.
    pub fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::new(
                "recurrent_info_in_obs",
                false,
                "whether observations end with the last action, its reward and whether it ended the episode, and are float32",
            ),
            OptionSpec::new("normalize_reward_in_recurrent_info", true, "whether observations have a tenth of the reward"),
            OptionSpec::optional(
                "reward_normalization_method",
                "gymnasium",
                "how rewards are normalized: by the deviation of returns (gymnasium) or of rewards; None: not",
            )
            .one_of(&["gymnasium", "exponential"]),
            OptionSpec::new("reward_alpha", 0.001, "weight of the newest reward in exponential normalization").numbers(0.0..=1.0),
            OptionSpec::new(
                "normalize_observations",
                false,
                "whether mean and deviation of the lane's observations normalize them, and they are float32",
            ),
            OptionSpec::new(
                HORIZON_OPTION,
                HORIZON,
                "number of steps of an episode without max_episode_steps; recurrent observations show this end",
            )
            .integers(1..=i64::from(i32::MAX)),
        ]
    }

    /// Returns the number of steps after which an episode is truncated, unless the user gives another limit.
    pub fn step_limit(options: &Options) -> Option<u32> {
        Some(options.int(HORIZON_OPTION) as u32)
    }

    pub fn new(options: &Options) -> Self {
        Self {
            is_recurrent: options.bool("recurrent_info_in_obs"),
            scales_reward: options.bool("normalize_reward_in_recurrent_info"),
            method: match options.text("reward_normalization_method") {
                Some("gymnasium") => Some(RewardMethod::Returns),
                Some(_) => Some(RewardMethod::Exponential(options.float("reward_alpha"))),
                None => None,
            },
            normalizes_observations: options.bool("normalize_observations"),
            horizon: options.int(HORIZON_OPTION) as u32,
        }
    }

    /// Returns whether observations are float32 values without bounds.
    pub fn change_observations(&self) -> bool {
        self.is_recurrent || self.normalizes_observations
    }

    /// Creates the state of a lane whose observations have `width` values; `None` if there are no wrappers.
    pub fn create(&self, width: usize) -> Option<Box<WrapperState>> {
        let is_used = self.change_observations() || self.method.is_some();
        is_used.then(|| {
            Box::new(WrapperState {
                elapsed: 0,
                last: [0.0; RECURRENT],
                rewards: RewardStatistics::new(),
                observations: RunningMeanStd::new(if self.normalizes_observations { width } else { 0 }),
            })
        })
    }

    /// Normalizes the reward of a step, and stores the step for recurrent observations.
    pub fn step(&self, lane: &mut WrapperState, action: [f32; 4], reward: Number, terminated: bool) -> Number {
        lane.elapsed += 1;
        let is_over = terminated || lane.elapsed >= self.horizon;
        let [x, y, z, effort] = action.map(f64::from);
        let shown = if self.scales_reward { reward.value() / REWARD_SCALE } else { reward.value() };
        lane.last = [x, y, z, effort, shown, f64::from(u8::from(is_over))];
        match self.method {
            None => reward,
            Some(RewardMethod::Returns) => lane.rewards.by_returns(reward, terminated),
            Some(RewardMethod::Exponential(alpha)) => lane.rewards.exponential(reward, alpha),
        }
    }

    /// Completes an observation, at whose end is the place of the last step, and normalizes it.
    pub fn observe(&self, lane: &mut WrapperState, observation: &mut [f64]) {
        if self.is_recurrent {
            let end = observation.len() - RECURRENT;
            observation[end..].copy_from_slice(&lane.last);
        }
        if self.normalizes_observations {
            // The reference's first mean and variance are float32.
            let weight = (lane.observations.count == INITIAL_COUNT).then_some(f64::from(INITIAL_COUNT as f32));
            lane.observations.update(observation, weight);
            lane.observations.normalize(observation);
        }
    }
}

/// Wrappers' state of a lane. The statistics last from episode to episode.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WrapperState {
    elapsed: u32,
    last: LastStep,
    rewards: RewardStatistics,
    observations: RunningMeanStd,
}

impl WrapperState {
    pub fn reset(&mut self) {
        (self.elapsed, self.last) = (0, [0.0; RECURRENT]);
    }

    /// Returns whether a state from a snapshot has the same lengths as `other`, and only finite values.
    pub fn fits(&self, other: &Self) -> bool {
        let RewardStatistics { discounted, returns, mean, var } = &self.rewards;
        let numbers = [*discounted, mean.value(), var.value()];
        self.observations.fits(&other.observations)
            && returns.fits(&other.rewards.returns)
            && self.last.iter().chain(&numbers).all(|value| value.is_finite())
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct RewardStatistics {
    discounted: f64,
    /// Mean and variance of the discounted returns (`return_rms`).
    returns: RunningMeanStd,
    mean: Number,
    var: Number,
}

impl RewardStatistics {
    fn new() -> Self {
        Self { discounted: 0.0, returns: RunningMeanStd::new(1), mean: 0.0.into(), var: 1.0.into() }
    }

    /// Normalizes a reward by the variance of discounted returns (`NormalizeReward.step`).
    fn by_returns(&mut self, reward: Number, terminated: bool) -> Number {
        let continues = if terminated { 0.0 } else { 1.0 };
        self.discounted = self.discounted * DISCOUNT * continues + reward.value();
        self.returns.update(&[self.discounted], None);
        reward / Number::Double((self.returns.var[0] + EPSILON).sqrt())
    }

    /// Normalizes a reward by its exponential variance (`NormalizeRewardsExponential.step`, which updates the estimate twice).
    fn exponential(&mut self, reward: Number, alpha: f64) -> Number {
        for _ in 0..2 {
            self.mean = (1.0 - alpha) * self.mean + alpha * reward;
            self.var = (1.0 - alpha) * self.var + alpha * (reward - self.mean).square();
        }
        reward / (self.var.sqrt() + EPSILON)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct RunningMeanStd {
    mean: Vec<f64>,
    var: Vec<f64>,
    count: f64,
}

impl RunningMeanStd {
    fn new(len: usize) -> Self {
        Self { mean: vec![0.0; len], var: vec![1.0; len], count: INITIAL_COUNT }
    }

    /// Adds a vector (`update_mean_var_count_from_moments`). `scaled` is variance times count; `None`: computed in float64.
    fn update(&mut self, values: &[f64], scaled: Option<f64>) {
        let total = self.count + 1.0;
        for ((mean, var), value) in self.mean.iter_mut().zip(&mut self.var).zip(values) {
            let delta = value - *mean;
            *mean += delta / total;
            *var = (scaled.unwrap_or(*var * self.count) + delta * delta * self.count / total) / total;
        }
        self.count = total;
    }

    fn normalize(&self, values: &mut [f64]) {
        for (value, (mean, var)) in values.iter_mut().zip(self.mean.iter().zip(&self.var)) {
            *value = (*value - mean) / (var + EPSILON).sqrt();
        }
    }

    /// Returns whether statistics from a snapshot have the same length as `other`, and only finite values.
    fn fits(&self, other: &Self) -> bool {
        (self.mean.len(), self.var.len()) == (other.mean.len(), other.var.len())
            && self.mean.iter().chain(&self.var).chain([&self.count]).all(|value| value.is_finite())
    }
}
