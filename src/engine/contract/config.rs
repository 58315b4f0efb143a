//! Size and behaviour of a pool, validated before the pool is created.

use crate::contract::error::{Error, Result};
use crate::contract::normalization::NormalizationConfig;

/// Maximum number of environments in one pool. With more environments, a batch of the smallest environment would exceed the
/// memory of common machines; ids must also fit int32.
pub const MAX_ENVS: i64 = 1 << 24;

/// Exclusive upper bound of seeds: they are non-negative and fit gymnasium's int64.
pub const SEED_LIMIT: u64 = 1 << 63;

/// Policy that determines when a finished environment starts its next episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AutoresetMode {
    /// A finished environment starts its next episode at the next step, whose action is discarded (default of EnvPool and
    /// gymnasium).
    #[default]
    NextStep,
    /// The environment starts its next episode in the step that ends the old one. The ended episode's last observation and info
    /// are returned in separate columns.
    SameStep,
    /// The pool never starts the next episode; the user resets the environment.
    Disabled,
}

/// Effect of a step on an environment that was never reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstStepPolicy {
    /// The step resets the environment under [`AutoresetMode::NextStep`] and is refused in the other modes (EnvPool's behaviour).
    #[default]
    Reset,
    /// The step is refused (behaviour of gymnasium's environments).
    Reject,
    /// The step is passed to the environment (behaviour of gymnasium's vector environments). The environment may refuse it, or
    /// its creator may have reset it.
    Allow,
}

/// Size and behaviour of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolConfig {
    /// Number of environments.
    pub num_envs: usize,
    /// Number of environments in each result: `num_envs` for synchronous use; fewer to receive the first environments that
    /// finish.
    pub batch_size: usize,
    /// Number of threads that step environments. In synchronous pools, the caller is one of them, or one more if steps are uniform.
    pub num_threads: usize,
    /// Seed of each environment.
    pub seeds: Vec<u64>,
    /// CPU to which workers are pinned: worker `k` runs on allowed CPU number `offset + k`, modulo their count. `None`: not
    /// pinned.
    pub thread_affinity_offset: Option<usize>,
    /// Number of steps after which episodes are truncated; `None` for no limit.
    pub max_episode_steps: Option<u32>,
    /// Policy that determines when finished environments start their next episode.
    pub autoreset_mode: AutoresetMode,
    /// Effect of a step on an environment that was never reset.
    pub first_step: FirstStepPolicy,
    /// Whether to track return, length and duration of episodes.
    pub episode_statistics: bool,
    /// How observations and rewards are normalised and clipped.
    pub normalization: NormalizationConfig,
}

/// Returns the number of CPUs that this process may use, limited by its CPU affinity and its cgroup quota.
pub fn usable_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl PoolConfig {
    /// Returns EnvPool's default configuration for `num_envs` environments: synchronous, one worker per CPU, env `i` seeded `42 +
    /// i`.
    ///
    /// # Errors
    /// `Value` if `num_envs` is out of range.
    pub fn new(num_envs: i64) -> Result<Self> {
        if !(1..=MAX_ENVS).contains(&num_envs) {
            return Err(Error::value("num_envs", num_envs, format_args!("1 to {MAX_ENVS}")));
        }
        let num_envs = num_envs as usize;
        Ok(Self {
            num_envs,
            batch_size: num_envs,
            num_threads: num_envs.min(usable_cpus()),
            seeds: (0..num_envs as u64).map(|i| 42 + i).collect(),
            thread_affinity_offset: None,
            max_episode_steps: None,
            autoreset_mode: AutoresetMode::default(),
            first_step: FirstStepPolicy::default(),
            episode_statistics: false,
            normalization: NormalizationConfig::default(),
        })
    }

    /// Sets `batch_size` (0 selects `num_envs`), and sets `num_threads` to the default for that batch size.
    ///
    /// # Errors
    /// `Value` if `batch_size` is negative or above `num_envs`.
    pub fn batch_size(mut self, batch_size: i64) -> Result<Self> {
        if !(0..=self.num_envs as i64).contains(&batch_size) {
            return Err(Error::value("batch_size", batch_size, format_args!("0 to num_envs={} (0 means all)", self.num_envs)));
        }
        self.batch_size = if batch_size == 0 { self.num_envs } else { batch_size as usize };
        self.num_threads = self.batch_size.min(usable_cpus());
        Ok(self)
    }

    /// Sets `num_threads` (0 selects the default), limited to `num_envs`.
    ///
    /// # Errors
    /// `Value` if `num_threads` is negative.
    pub fn num_threads(mut self, num_threads: i64) -> Result<Self> {
        match num_threads {
            ..0 => Err(Error::value("num_threads", num_threads, "0 (chosen for you) or more")),
            0 => Ok(self),
            _ => {
                self.num_threads = usize::try_from(num_threads).unwrap_or(usize::MAX).min(self.num_envs);
                Ok(self)
            }
        }
    }

    /// Pins worker `k` to allowed CPU number `offset + k` modulo their count; an offset of -1 disables pinning.
    ///
    /// # Errors
    /// `Value` if `offset` is below -1.
    pub fn thread_affinity_offset(mut self, offset: i64) -> Result<Self> {
        match offset {
            ..-1 => Err(Error::value("thread_affinity_offset", offset, "-1 (off) or more")),
            _ => {
                self.thread_affinity_offset = usize::try_from(offset).ok();
                Ok(self)
            }
        }
    }

    /// Seeds environment `i` with `seed + i`.
    ///
    /// # Errors
    /// `Value` if any of the seeds is outside `[0, 2^63)`.
    pub fn seed(mut self, seed: i128) -> Result<Self> {
        self.seeds = consecutive_seeds(seed, self.num_envs)?;
        Ok(self)
    }

    /// Sets one seed for each environment.
    ///
    /// # Errors
    /// `Value` if there are not exactly `num_envs` seeds.
    pub fn seeds(mut self, seeds: Vec<u64>) -> Result<Self> {
        if seeds.len() != self.num_envs {
            return Err(Error::value(
                "seed",
                format_args!("[{} values]", seeds.len()),
                format_args!("num_envs={} values", self.num_envs),
            ));
        }
        self.seeds = seeds;
        Ok(self)
    }

    /// Checks that public fields which were set directly obey the rules of the builder methods.
    ///
    /// # Errors
    /// `Value` for the first field with a value that is not allowed.
    pub fn check(&self) -> Result<()> {
        Self::new(i64::try_from(self.num_envs).unwrap_or(i64::MAX))?;
        if !(1..=self.num_envs).contains(&self.batch_size) {
            return Err(Error::value("batch_size", self.batch_size, format_args!("1 to num_envs={}", self.num_envs)));
        }
        if self.seeds.len() != self.num_envs {
            let got = format!("[{} values]", self.seeds.len());
            return Err(Error::value("seeds", got, format_args!("num_envs={} values", self.num_envs)));
        }
        if let Some(seed) = self.seeds.iter().find(|seed| **seed >= SEED_LIMIT) {
            return check_seed(i128::from(*seed)).map(|_| ());
        }
        self.normalization.check()?;
        match self.max_episode_steps {
            Some(0) => Err(Error::value("max_episode_steps", 0, "1 or more, or none")),
            _ => Ok(()),
        }
    }

    /// Returns whether batches have separate columns for the last observation and info of ended episodes.
    pub fn has_final_columns(&self) -> bool {
        self.autoreset_mode == AutoresetMode::SameStep
    }

    /// Returns whether results arrive in the order of completion instead of the order of requests.
    pub fn is_async(&self) -> bool {
        self.batch_size < self.num_envs
    }
}

/// Draws a seed below `2^62` from the operating system's entropy. Forked processes draw different seeds.
pub fn entropy_seed() -> u64 {
    getrandom::u64().expect("the operating system provides entropy") >> 2
}

/// Converts an integer to a seed that numpy and gymnasium accept.
///
/// # Errors
/// `Value` if the seed is outside `[0, 2^63)`.
pub fn check_seed(seed: i128) -> Result<u64> {
    match u64::try_from(seed) {
        Ok(seed) if seed < SEED_LIMIT => Ok(seed),
        _ => Err(Error::value("seed", seed, "0 or more, and below 2**63")),
    }
}

/// Returns `count` consecutive seeds, starting with `seed`.
///
/// # Errors
/// `Value` if one of the seeds is outside `[0, 2^63)`.
pub fn consecutive_seeds(seed: i128, count: usize) -> Result<Vec<u64>> {
    let first = check_seed(seed)?;
    if count as u64 > SEED_LIMIT - first {
        return Err(Error::value("seed", seed, format_args!("seed + {} to be below 2**63 too", count - 1)));
    }
    Ok((first..first + count as u64).collect())
}
