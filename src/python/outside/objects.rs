//! Table of Python objects, to which the engine refers by numbers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

/// Table of objects that were read from environments' payloads, until they are taken.
#[derive(Clone, Default)]
pub struct ObjectTable(Arc<Mutex<ObjectTableInner>>);

#[derive(Default)]
struct ObjectTableInner {
    next: u64,
    objects: HashMap<u64, Py<PyAny>>,
    /// Numbers of the objects of each environment, oldest first.
    of_env: HashMap<usize, VecDeque<u64>>,
    /// Objects that no caller will take. They are dropped while the mutex is not locked, because dropping may run Python code.
    garbage: Vec<Py<PyAny>>,
}

/// Maximum number of objects of one environment in the table. At most two are in use: one for a batch that has not been read, and
/// one for the next batch. Others belong to discarded batches and are never taken.
const MAX_OBJECTS_PER_ENV: usize = 4;

impl ObjectTable {
    /// Stores an object of an environment and returns its number.
    pub fn insert(&self, env: usize, object: Py<PyAny>) -> [u8; 8] {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ObjectTableInner { next, objects, of_env, garbage } = &mut *table;
        let number = *next;
        *next += 1;
        objects.insert(number, object);
        let numbers = of_env.entry(env).or_default();
        numbers.push_back(number);
        while numbers.len() > MAX_OBJECTS_PER_ENV {
            garbage.extend(numbers.pop_front().and_then(|number| objects.remove(&number)));
        }
        number.to_ne_bytes()
    }

    /// Takes the object with this number out of the table; `None` if the table does not contain it.
    pub fn take(&self, number: &[u8]) -> Option<Py<PyAny>> {
        let number = u64::from_ne_bytes(number.try_into().ok()?);
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (object, garbage) = (table.objects.remove(&number), std::mem::take(&mut table.garbage));
        drop((table, garbage)); // unlocks the mutex before dropping objects
        object
    }
}
