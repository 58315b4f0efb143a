//! What a pool is made of, checked before anything is created.

use crate::contract::error::{Error, Result};

/// Most environments in one pool: ids are int32 arrays, and beyond this a batch of the smallest environment no longer fits the
/// memory of common machines.
pub const MAX_ENVS: i64 = 1 << 24;

/// Seeds are non-negative and fit gymnasium's int64.
pub const SEED_LIMIT: u64 = 1 << 63;

/// When a finished environment begins its next episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AutoresetMode {
    /// At the next step, whose action is discarded (EnvPool's way, and gymnasium's default).
    #[default]
    NextStep,
    /// In the same step; the ended episode's last observation and info are given in columns of their own.
    SameStep,
    /// Never: the user resets it.
    Disabled,
}

/// What the first step does to an environment that was never reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstStep {
    /// It resets the environment where steps may begin episodes, which is [`AutoresetMode::NextStep`], and is refused otherwise
    /// (EnvPool's way).
    #[default]
    Begins,
    /// It is refused (the way of gymnasium's environments).
    Refused,
    /// It is played: whether that can be is the environment's to say, which may have been reset by whoever made it (the way of
    /// gymnasium's vector environments).
    Played,
}

/// Size and behaviour of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolConfig {
    /// Number of environments.
    pub num_envs: usize,
    /// Environments per result: `num_envs` for synchronous use, fewer for "the first to finish".
    pub batch_size: usize,
    /// Background workers.
    pub num_threads: usize,
    /// Seed of each environment.
    pub seeds: Vec<u64>,
    /// Worker `k` runs on allowed CPU number `offset + k` (modulo their count).
    pub thread_affinity_offset: Option<usize>,
    /// Steps after which episodes are truncated.
    pub max_episode_steps: Option<u32>,
    /// When finished environments begin anew.
    pub autoreset_mode: AutoresetMode,
    /// What becomes of a step before the first reset.
    pub first_step: FirstStep,
    /// Whether to keep return, length and time of episodes.
    pub episode_statistics: bool,
}

/// CPUs that this process may use, by affinity and cgroup quota.
pub fn usable_cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl PoolConfig {
    /// `num_envs` environments with EnvPool's defaults: synchronous, as many workers as CPUs, env `i` seeded `42 + i`.
    ///
    /// # Errors
    /// `Value` where `num_envs` is out of range.
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
            first_step: FirstStep::default(),
            episode_statistics: false,
        })
    }

    /// Sets `batch_size` (0: all), and `num_threads` to its default for it.
    ///
    /// # Errors
    /// `Value` where it is negative or above `num_envs`.
    pub fn batch_size(mut self, batch_size: i64) -> Result<Self> {
        if !(0..=self.num_envs as i64).contains(&batch_size) {
            return Err(Error::value("batch_size", batch_size, format_args!("0 to num_envs={} (0 means all)", self.num_envs)));
        }
        self.batch_size = if batch_size == 0 { self.num_envs } else { batch_size as usize };
        self.num_threads = self.batch_size.min(usable_cpus());
        Ok(self)
    }

    /// Sets `num_threads` (0: the default); more than `num_envs` are never of use.
    ///
    /// # Errors
    /// `Value` where it is negative.
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

    /// Pins worker `k` to allowed CPU number `offset + k` modulo their count; -1 pins none.
    ///
    /// # Errors
    /// `Value` below -1.
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
    /// `Value` where a seed would not lie in `[0, 2^63)`.
    pub fn seed(mut self, seed: i128) -> Result<Self> {
        self.seeds = consecutive_seeds(seed, self.num_envs)?;
        Ok(self)
    }

    /// Seeds each environment by itself.
    ///
    /// # Errors
    /// `Value` where there are not `num_envs` seeds.
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

    /// Refuses fields that were set to what the methods would have refused.
    ///
    /// # Errors
    /// `Value`, naming the field.
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
        match self.max_episode_steps {
            Some(0) => Err(Error::value("max_episode_steps", 0, "1 or more, or none")),
            _ => Ok(()),
        }
    }

    /// Whether ended episodes leave their last observation and info in columns of their own.
    pub fn has_final_columns(&self) -> bool {
        self.autoreset_mode == AutoresetMode::SameStep
    }

    /// Whether results come in the order of completion rather than the order asked.
    pub fn is_async(&self) -> bool {
        self.batch_size < self.num_envs
    }
}

/// Draws a seed below `2^62` from the operating system's entropy. Forked processes draw different seeds.
pub fn entropy_seed() -> u64 {
    getrandom::u64().expect("the operating system provides entropy") >> 2
}

/// A seed that numpy and gymnasium take.
///
/// # Errors
/// `Value` where it does not lie in `[0, 2^63)`.
pub fn check_seed(seed: i128) -> Result<u64> {
    match u64::try_from(seed) {
        Ok(seed) if seed < SEED_LIMIT => Ok(seed),
        _ => Err(Error::value("seed", seed, "0 or more, and below 2**63")),
    }
}

/// `seed, seed + 1, ...`
///
/// # Errors
/// `Value` where one of them does not lie in `[0, 2^63)`.
pub fn consecutive_seeds(seed: i128, count: usize) -> Result<Vec<u64>> {
    let first = check_seed(seed)?;
    if count as u64 > SEED_LIMIT - first {
        return Err(Error::value("seed", seed, format_args!("seed + {} to be below 2**63 too", count - 1)));
    }
    Ok((first..first + count as u64).collect())
}
