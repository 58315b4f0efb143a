//! Registry of the pools that XLA programs can use, and the handles by which programs refer to these pools.
//!
//! A handle is an array in the program, so a user or a bug may change the handle's bytes. Therefore a handle contains no
//! address, but a pool number and a check value, which are looked up in the registry.

use std::collections::HashMap;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError, Weak};

use super::xla_error::{Code, Result, XlaError};
use envpool_rs_engine::{Batch, Pool, Role, entropy_seed, fork};

/// Length of a pool handle in bytes.
pub const HANDLE_BYTES: usize = 16;

/// Map of the existing exposed pools, by pool number. Every call reads the map; exposing or dropping a pool writes it.
type Pools = RwLock<HashMap<i64, Weak<ExposedPool>>>;

/// Registry of the exposed pools of one process. A forked child creates its own registry.
struct Registry {
    generation: u32,
    pools: Pools,
}

/// Returns the registry of the current process.
///
/// A forked child has its own registry. If a thread of the parent held the lock of the parent's registry during the fork, that
/// lock is never released in the child. The child therefore never uses the parent's registry, and leaks its small memory.
fn exposed_pools() -> &'static Pools {
    static CURRENT: AtomicPtr<Registry> = AtomicPtr::new(null_mut());
    let (found, generation) = (CURRENT.load(Ordering::Acquire), fork::generation());
    // SAFETY: the pointer `found` is null or points to a [`Registry`], and registries are never freed.
    if let Some(registry) = unsafe { found.as_ref() }.filter(|registry| registry.generation == generation) {
        return &registry.pools;
    }
    let mine = Box::into_raw(Box::new(Registry { generation, pools: Pools::default() }));
    let current = match CURRENT.compare_exchange(found, mine, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => mine,
        Err(current) => {
            // SAFETY: the exchange failed, so `mine` was not stored, and no other thread has a pointer to it.
            drop(unsafe { Box::from_raw(mine) });
            current
        }
    };
    // SAFETY: `current` is a registry that was stored in `CURRENT`, and such registries are never freed.
    unsafe { &(*current).pools }
}

/// Pool that XLA programs can use while this `ExposedPool` exists or a call of a program runs.
pub struct ExposedPool {
    pool: Arc<Pool>,
    number: i64,
    check: u64,
    results: Vec<usize>,
    /// Unused batches, which calls reuse for their results. The lock also serializes calls: if several threads of a program call
    /// one pool, the calls wait for each other instead of failing.
    spares: Mutex<SpareBatches>,
}

/// Batches that are not in use, so that their memory can be reused.
pub type SpareBatches = Vec<Box<Batch>>;

impl ExposedPool {
    /// Makes `pool` available to XLA programs.
    pub fn new(pool: &Arc<Pool>) -> Arc<Self> {
        static NEXT: AtomicI64 = AtomicI64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let exposed = Arc::new(Self {
            pool: Arc::clone(pool),
            number,
            check: entropy_seed(),
            results: results(pool),
            spares: Mutex::default(),
        });
        exposed_pools().write().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::downgrade(&exposed));
        exposed
    }

    /// Returns the pool that a call uses. `number` is the pool number that was compiled into the program, and `handle` is the
    /// handle argument of the call.
    pub(super) fn find(handle: &[u8], number: i64) -> Result<Arc<Self>> {
        let (id, check) = handle.split_at_checked(8).unwrap_or_default();
        let id = i64::from_le_bytes(id.try_into().unwrap_or_default());
        let found = exposed_pools().read().unwrap_or_else(PoisonError::into_inner).get(&id).and_then(Weak::upgrade);
        let refuse = |why: &str| Err(XlaError::new(Code::InvalidArgument, format!("handle={handle:?}: {why}")));
        match found {
            Some(exposed) if exposed.check.to_le_bytes() != *check => refuse("expected a handle that xla() gave out"),
            Some(exposed) if exposed.number != number => {
                refuse("it is another pool's: expected the handle from the same xla() as the function")
            }
            Some(exposed) => Ok(exposed),
            None if fork::generation() > 0 => {
                refuse("its pool does not exist, or belongs to the parent process: make another one after the fork")
            }
            None if id == number => refuse("its pool does not exist any more"),
            None => refuse("expected a handle that xla() gave out, of a pool that still exists"),
        }
    }

    /// Returns the number of the pool, which is compiled into the XLA programs.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Returns the handle that programs pass to their calls. The handle holds the pool number and a check value.
    pub fn handle(&self) -> [u8; HANDLE_BYTES] {
        let mut handle = [0; HANDLE_BYTES];
        handle[..8].copy_from_slice(&self.number.to_le_bytes());
        handle[8..].copy_from_slice(&self.check.to_le_bytes());
        handle
    }

    /// Returns the pool that this `ExposedPool` makes available to XLA programs.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Returns the indices of the columns that `step` and `recv` return after the handle, in order.
    pub fn results(&self) -> &[usize] {
        &self.results
    }

    /// Takes the unused batches for which `is_wanted` returns true. Returns none while a program calls the pool. Unused batches
    /// accumulate if programs receive results that other callers requested.
    pub fn reclaim(&self, is_wanted: impl Fn(&Batch) -> bool) -> SpareBatches {
        let mut spares = match self.spares.try_lock() {
            Ok(spares) => spares,
            Err(TryLockError::Poisoned(spares)) => spares.into_inner(),
            Err(TryLockError::WouldBlock) => return SpareBatches::new(),
        };
        let (wanted, others) = std::mem::take(&mut *spares).into_iter().partition(|batch| is_wanted(batch));
        *spares = others;
        wanted
    }

    /// Waits until other calls of the pool end, and locks the pool's unused batches.
    pub(super) fn lock_spares(&self) -> MutexGuard<'_, SpareBatches> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExposedPool {
    fn drop(&mut self) {
        exposed_pools().write().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}

/// Returns the indices of a batch's columns that `step` and `recv` return. Redundant columns are omitted, because each result
/// adds to the duration of a call. Infos have one mask each if some are emitted after steps only, otherwise one mask for all.
fn results(pool: &Pool) -> Vec<usize> {
    let columns = &pool.layout().columns;
    let first_presence = columns.iter().position(|column| matches!(column.role, Role::InfoPresent(_)));
    let masks_differ = pool.layout().has_conditional_infos();
    let is_result = |index: &usize| match columns[*index].role {
        Role::InfoPresent(_) => masks_differ || Some(*index) == first_presence,
        Role::PlayerEnvId => columns[*index].rows > 1,
        _ => true,
    };
    (0..columns.len()).filter(is_result).collect()
}
