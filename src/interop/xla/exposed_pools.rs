//! The pools that XLA programs may name, and the handles by which they do.
//!
//! A handle is an array in the program: whatever a user, or a mistake, puts there comes back. So it holds no address but a number and
//! a check value, which are looked up here.

use std::collections::HashMap;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError, Weak};

use super::failure::{Code, Failure, Result};
use envpool_rs_engine::{Batch, Pool, Role, entropy_seed, fork};

/// Length of a handle.
pub const HANDLE_BYTES: usize = 16;

/// Pools that live, by number. Read by every call, written when a pool is exposed or dropped.
type Pools = RwLock<HashMap<i64, Weak<ExposedPool>>>;

/// The pools of one process.
struct Registry {
    generation: u32,
    pools: Pools,
}

/// This process's pools. A forked child has others than its parent, and a lock that one of the parent's threads had when it forked would
/// stay locked for ever: so the child leaves it alone, and the little memory with it.
fn exposed_pools() -> &'static Pools {
    static CURRENT: AtomicPtr<Registry> = AtomicPtr::new(null_mut());
    let (found, generation) = (CURRENT.load(Ordering::Acquire), fork::generation());
    // SAFETY: null or a registry that is never freed.
    if let Some(registry) = unsafe { found.as_ref() }.filter(|registry| registry.generation == generation) {
        return &registry.pools;
    }
    let mine = Box::into_raw(Box::new(Registry { generation, pools: Pools::default() }));
    let current = match CURRENT.compare_exchange(found, mine, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => mine,
        Err(current) => {
            // SAFETY: nobody has seen it.
            drop(unsafe { Box::from_raw(mine) });
            current
        }
    };
    // SAFETY: as above.
    unsafe { &(*current).pools }
}

/// A pool that XLA programs can use. It is theirs as long as this lives, or a call of theirs is under way.
pub struct ExposedPool {
    pool: Arc<Pool>,
    number: i64,
    check: u64,
    results: Vec<usize>,
    /// Memory for results that is not in use. Whoever has the lock has the turn: a program may call one pool from several threads,
    /// which is no mistake of its author's, so that they wait for one another.
    spares: Mutex<Spares>,
}

/// Memory for results that is not in use.
pub type Spares = Vec<Box<Batch>>;

impl ExposedPool {
    /// Lets XLA programs use `pool`.
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

    /// The pool that a call means: its program was made for pool number `number`, and its handle is `handle`.
    pub(super) fn named(handle: &[u8], number: i64) -> Result<Arc<Self>> {
        let (id, check) = handle.split_at_checked(8).unwrap_or_default();
        let id = i64::from_le_bytes(id.try_into().unwrap_or_default());
        let found = exposed_pools().read().unwrap_or_else(PoisonError::into_inner).get(&id).and_then(Weak::upgrade);
        let refuse = |why: &str| Err(Failure::new(Code::InvalidArgument, format!("handle={handle:?}: {why}")));
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

    /// The pool's number, by which programs say whom they were made for.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The handle.
    pub fn handle(&self) -> [u8; HANDLE_BYTES] {
        let mut handle = [0; HANDLE_BYTES];
        handle[..8].copy_from_slice(&self.number.to_le_bytes());
        handle[8..].copy_from_slice(&self.check.to_le_bytes());
        handle
    }

    /// The pool itself.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The columns that `step` and `recv` return behind the handle, in this order.
    pub fn results(&self) -> &[usize] {
        &self.results
    }

    /// Gives back the memory that `is_wanted`: a program that receives steps which others sent is left with theirs. Nothing, where a
    /// program has its turn just now.
    pub fn reclaim(&self, is_wanted: impl Fn(&Batch) -> bool) -> Spares {
        let mut spares = match self.spares.try_lock() {
            Ok(spares) => spares,
            Err(TryLockError::Poisoned(spares)) => spares.into_inner(),
            Err(TryLockError::WouldBlock) => return Spares::new(),
        };
        let (wanted, others) = std::mem::take(&mut *spares).into_iter().partition(|batch| is_wanted(batch));
        *spares = others;
        wanted
    }

    /// The turn to call the pool, with memory for results.
    pub(super) fn turn(&self) -> MutexGuard<'_, Spares> {
        self.spares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExposedPool {
    fn drop(&mut self) {
        exposed_pools().write().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}

/// All columns but those that say what another says already: each result costs a call some time. Infos have a mask each where some are
/// told after steps only, and one for all where none is.
fn results(pool: &Pool) -> Vec<usize> {
    let columns = &pool.layout().columns;
    let first_presence = columns.iter().position(|column| matches!(column.role, Role::InfoPresent(_)));
    let masks_differ = pool.layout().infos_differ();
    let is_shown = |index: &usize| match columns[*index].role {
        Role::InfoPresent(_) => masks_differ || Some(*index) == first_presence,
        Role::PlayerEnvId => columns[*index].rows > 1,
        _ => true,
    };
    (0..columns.len()).filter(is_shown).collect()
}
