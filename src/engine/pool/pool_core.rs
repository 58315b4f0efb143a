//! State that a pool's callers share with its executor, for every kind of executor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::contract::actions::ActionKey;
use crate::contract::config::PoolConfig;
use crate::contract::error::{Error, Result};
use crate::contract::frame::RenderSpec;
use crate::exec::episode_tracker::{EpisodeRules, EpisodeTracker};
use crate::exec::lane_table::LaneTable;
use crate::pool::ledger::Ledger;
use crate::pool::row_causes::RowCauses;
use crate::results::batch::Batch;
use crate::results::layout::Layout;
use crate::results::spare_buffers::SpareBuffers;
use crate::tasks::lane_tasks::LaneTasks;
use envpool_rs_sync::fork;

/// State that a pool's callers share with its executor.
pub struct PoolCore {
    /// Rendering capabilities of the environments.
    pub rendering: RenderSpec,
    pub table: LaneTable,
    pub rules: EpisodeRules,
    pub config: PoolConfig,
    pub layout: Arc<Layout>,
    pub keys: Vec<ActionKey>,
    pub players: usize,
    /// Task and resolved options of each lane. A snapshot can be restored only into a lane with the same task and options.
    pub tasks: LaneTasks,
    pub ledger: Ledger,
    /// Causes (reset or repeated observation) of the pending rows that do not result from steps; `None` unless results are
    /// normalised.
    pub row_causes: Option<RowCauses>,
    /// Whether requests keep which lanes a step only resets.
    pub keeps_only_resets: AtomicBool,
    /// Memory of results that callers have dropped.
    pub spares: Arc<SpareBuffers>,
    closed: AtomicBool,
    /// Value of [`fork::generation`](envpool_rs_sync::fork::generation) in the process that created the pool.
    generation: u32,
}

impl PoolCore {
    /// Creates the state of lanes that have never been reset.
    pub fn new(
        config: PoolConfig,
        layout: Arc<Layout>,
        keys: Vec<ActionKey>,
        players: usize,
        tasks: LaneTasks,
        rendering: RenderSpec,
    ) -> Self {
        fork::install_handler();
        Self {
            table: LaneTable::new(&config.seeds, config.episode_statistics, config.autoreset_mode, config.first_step),
            rules: EpisodeRules { max_episode_steps: time_limit(config.max_episode_steps), autoreset: config.autoreset_mode },
            ledger: Ledger::new(config.num_envs),
            row_causes: config.normalization.is_on().then(|| RowCauses::new(config.num_envs)),
            keeps_only_resets: AtomicBool::new(false),
            spares: Arc::default(),
            closed: AtomicBool::new(false),
            generation: fork::generation(),
            rendering,
            layout,
            keys,
            players,
            tasks,
            config,
        }
    }

    /// Returns whether the process was forked after the pool was created.
    #[inline]
    pub fn is_forked(&self) -> bool {
        self.generation != fork::generation()
    }

    /// Returns whether the pool has been closed. The load is sequentially consistent, as
    /// [`WaitQueue`](crate::threads::wait_queue::WaitQueue) requires of the conditions that it waits for.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Marks the pool as closed. Returns true for the first call in the process that created the pool.
    pub fn mark_closed(&self) -> bool {
        // A forked child must not close the pool: threads that exist only in the parent may hold its locks.
        !self.is_forked() && !self.closed.swap(true, Ordering::SeqCst)
    }

    /// Rejects use in a forked child. Waiting threads check this after they called an interrupt hook, which may fork: the threads
    /// that they wait for do not exist in the child.
    ///
    /// # Errors
    /// `State` in a forked child.
    #[inline]
    pub fn check_not_forked(&self) -> Result<()> {
        if self.is_forked() {
            return Err(Error::State("this pool belongs to the parent process: make another one after the fork".into()));
        }
        Ok(())
    }

    /// Rejects use after `close` and in a forked child.
    ///
    /// # Errors
    /// `State` in a forked child; `Closed` after `close`.
    #[inline]
    pub fn check_usable(&self) -> Result<()> {
        self.check_not_forked()?;
        if self.closed.load(Ordering::Acquire) {
            return Err(Error::Closed);
        }
        Ok(())
    }

    /// Allocates a batch for the results of this pool; `tag` becomes the batch's tag.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    pub fn batch(&self, tag: usize) -> Result<Box<Batch>> {
        Batch::with_spares(&self.layout, self.config.batch_size, tag, &self.spares).map(Box::new)
    }

    /// Returns `batch`, or a batch that belongs to no list of the caller.
    ///
    /// # Errors
    /// `Memory` if the system refuses the memory.
    #[inline]
    pub fn batch_or_new(&self, batch: Option<Box<Batch>>) -> Result<Box<Batch>> {
        batch.map_or_else(|| self.batch(usize::MAX), Ok)
    }

    /// Returns the tracker that applies the pool's episode rules (time limits and autoreset) to the engine's data of the lanes.
    #[inline]
    pub fn episodes(&self) -> EpisodeTracker<'_> {
        EpisodeTracker { table: &self.table, rules: self.rules }
    }
}

/// Converts a time limit in steps for [`EpisodeRules`]; `None` becomes `i32::MAX`.
pub fn time_limit(max_episode_steps: Option<u32>) -> i32 {
    max_episode_steps.map_or(i32::MAX, |steps| i32::try_from(steps).unwrap_or(i32::MAX))
}
