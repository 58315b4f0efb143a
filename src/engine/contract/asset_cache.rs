//! Cache of the assets that environments load once and share (models, cartridges), and scratch memory for each thread.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::contract::error::Result;

/// Shared reference to an asset in an [`AssetCache`].
pub type AssetRef<T> = Arc<T>;

/// Cache that loads each asset once per pool, independent of the number of groups and episodes.
///
/// A pool has one cache, and each of its groups has a cache that refers to the pool's.
#[derive(Clone, Default)]
pub struct AssetCache(Arc<CacheInner>);

#[derive(Default)]
struct CacheInner {
    /// Cache of the pool that the group belongs to, if this value is a group's cache; otherwise `None`.
    pool: Option<AssetCache>,
    assets: Mutex<HashMap<(TypeId, String), Arc<dyn Any + Send + Sync>>>,
    bytes: AtomicUsize,
}

impl AssetCache {
    /// Creates a group's cache, which refers to this cache of the pool.
    pub(crate) fn group_cache(&self) -> Self {
        Self(Arc::new(CacheInner { pool: Some(self.clone()), ..CacheInner::default() }))
    }

    /// Returns the pool-wide asset of this type and name. If it is missing, calls `load`, which returns the asset and its size in
    /// bytes.
    ///
    /// # Errors
    /// Errors that `load` returns.
    pub fn get_or_load<T: Any + Send + Sync>(&self, name: &str, load: impl FnOnce() -> Result<(T, usize)>) -> Result<Arc<T>> {
        self.0.pool.as_ref().unwrap_or(self).load_once(name, load)
    }

    /// Returns whether the pool already has an asset of this type and name.
    pub fn has<T: Any>(&self, name: &str) -> bool {
        let assets = self.0.pool.as_ref().unwrap_or(self).0.assets.lock().unwrap_or_else(PoisonError::into_inner);
        assets.contains_key(&(TypeId::of::<T>(), name.to_owned()))
    }

    /// Returns the asset of this type and name that the group's episodes share. If it is missing, calls `load`, as
    /// [`AssetCache::get_or_load`] does.
    ///
    /// # Errors
    /// Errors that `load` returns.
    pub fn get_or_load_for_group<T: Any + Send + Sync>(
        &self,
        name: &str,
        load: impl FnOnce() -> Result<(T, usize)>,
    ) -> Result<Arc<T>> {
        self.load_once(name, load)
    }

    fn load_once<T: Any + Send + Sync>(&self, name: &str, load: impl FnOnce() -> Result<(T, usize)>) -> Result<Arc<T>> {
        // The lock is held during the load, so that no asset is loaded twice. A panic in `load` leaves the map unchanged, so a
        // poisoned lock is safe.
        let mut assets = self.0.assets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (TypeId::of::<T>(), name.to_owned());
        if let Some(asset) = assets.get(&key) {
            return Ok(Arc::clone(asset).downcast().expect("things are filed under their type"));
        }
        let (asset, bytes) = load()?;
        let asset = Arc::new(asset);
        let erased: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(&asset);
        assets.insert(key, erased);
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(asset)
    }

    /// Returns the total size of this cache's assets, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for AssetCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Store({} bytes)", self.bytes())
    }
}

/// Pool of scratch memory for threads, such as simulator models.
///
/// A thread adapts an element to a lane before it steps the lane. The pool grows to the maximum number of threads that use it
/// concurrently.
#[derive(Debug)]
pub struct ScratchPool<T> {
    free: Mutex<Vec<Box<T>>>,
}

impl<T> Default for ScratchPool<T> {
    fn default() -> Self {
        Self { free: Mutex::default() }
    }
}

impl<T> ScratchPool<T> {
    /// Calls `work` with an unused element, or with a new one from `make` if all elements are in use. An element is discarded if
    /// `work` panics.
    ///
    /// # Errors
    /// Errors that `make` returns.
    pub fn with<R>(&self, make: impl FnOnce() -> Result<T>, work: impl FnOnce(&mut T) -> R) -> Result<R> {
        let spare = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut lent = spare.map_or_else(|| make().map(Box::new), Ok)?;
        let result = work(&mut lent);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(lent);
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::error::Error;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn an_asset_is_loaded_once_per_type_and_name_and_errors_are_not_cached() {
        let store = AssetCache::default();
        let missing = || Err(Error::NotFound("there is no file".into()));
        assert!(store.get_or_load::<u32>("a", missing).is_err());
        assert_eq!(*store.get_or_load("a", || Ok((7_u32, 100))).unwrap(), 7);
        assert_eq!(*store.get_or_load("a", || Ok((8_u32, 100))).unwrap(), 7);
        assert_eq!(*store.get_or_load("b", || Ok((9_u32, 10))).unwrap(), 9);
        assert_eq!(*store.get_or_load("a", || Ok((1_u64, 1))).unwrap(), 1);
        assert_eq!(store.bytes(), 111);
        let groups = [store.group_cache(), store.group_cache()];
        assert!(groups[0].has::<u32>("a") && groups[0].has::<u64>("a") && !groups[0].has::<u64>("b"));
        assert_eq!(*groups[0].get_or_load("a", || Ok((8_u32, 100))).unwrap(), 7, "the pool's");
        let own = [0, 1].map(|group| *groups[group].get_or_load_for_group("a", || Ok((group, 1))).unwrap());
        assert_eq!((own, store.bytes()), ([0, 1], 111));
    }

    #[test]
    fn sequential_users_share_a_scratch_value_and_nested_users_do_not() {
        let (memory, mut made) = (ScratchPool::default(), 0);
        let mut make = || Ok(std::mem::replace(&mut made, 1) + 1);
        assert_eq!(memory.with(&mut make, |number| *number), Ok(1));
        let both = memory.with(&mut make, |outer| memory.with(|| Ok(2), |inner| (*outer, *inner)).unwrap());
        assert_eq!(both, Ok((1, 2)));
    }

    #[test]
    fn a_scratch_value_is_discarded_after_a_panic() {
        let memory = ScratchPool::default();
        let panicked = catch_unwind(AssertUnwindSafe(|| memory.with(|| Ok(1), |_| panic!("in the middle"))));
        assert!(panicked.is_err());
        assert_eq!(memory.with(|| Ok(2), |number| *number), Ok(2));
    }
}
