//! Tests results that are written into memory of the caller.

use std::sync::{Arc, Mutex};

use envpool_rs_engine::{AlignedBuffer, BorrowedColumns};

use super::envs::{COUNT, GATE, PANIC, WAIT, block_counter, counter, until};
use super::*;

/// Number of guard bytes before and after the memory of a column, which must stay unchanged.
const GUARD: usize = 128;
const GUARD_BYTE: u8 = 0xA5;

/// Memory of a caller: one column with guard bytes around it. The buffer that borrows the memory shares ownership of it.
struct Lent {
    memory: Arc<Mutex<Vec<u64>>>,
    bytes: usize,
}

impl Lent {
    fn new(bytes: usize) -> Self {
        let words = (bytes + 2 * GUARD).div_ceil(8);
        Self { memory: Arc::new(Mutex::new(vec![u64::from_ne_bytes([GUARD_BYTE; 8]); words])), bytes }
    }

    /// Returns a buffer that owns a share of the memory.
    fn buffer(&self) -> AlignedBuffer {
        let data = self.memory.lock().unwrap().as_mut_ptr().cast::<u8>();
        // SAFETY: the memory is initialised, is never resized, and lives as long as the buffer's owner, which is a clone of its
        // `Arc`.
        unsafe { AlignedBuffer::borrowed(data.add(GUARD), self.bytes, Box::new(Arc::clone(&self.memory))) }
    }

    /// Checks the guard bytes, and returns the column's bytes.
    fn bytes(&self) -> Vec<u8> {
        let words = self.memory.lock().unwrap();
        let all: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let (column, after) = all[GUARD..].split_at(self.bytes);
        assert!(all[..GUARD].iter().chain(after).all(|byte| *byte == GUARD_BYTE), "a row left its column");
        column.to_vec()
    }

    fn is_held(&self) -> bool {
        Arc::strong_count(&self.memory) > 1
    }
}

/// Returns a batch of the pool, all of whose columns are in memory of a caller with space for `rows` rows.
fn borrow_all(pool: &Pool, rows: usize) -> (Box<Batch>, Vec<Lent>) {
    let mut batch = pool.batch(7).unwrap();
    let columns = pool.layout().columns.iter();
    let lent: Vec<_> = columns.map(|column| Lent::new(column.stride() * rows)).collect();
    let buffers = lent.iter().enumerate().map(|(column, lent)| (column, lent.buffer())).collect();
    batch.borrow_columns(&Arc::new(BorrowedColumns::new(pool.layout(), buffers)));
    (batch, lent)
}

fn step_into(pool: &Pool, ids: Option<&[i64]>, actions: &[i32], batch: Box<Batch>) -> Result<Box<Batch>> {
    let mut call = pool.step(ids)?;
    call.set_action(0, actions)?;
    call.run(&mut Some(batch), &mut never)
}

#[test]
fn rows_in_the_callers_memory_are_equal_and_stay_within_bounds() {
    for task in [counter(), block_counter()] {
        for threads in [0, 3] {
            let pools = [(); 2].map(|()| reset_pool(&task, config(37).num_threads(threads).unwrap()));
            for ids in [None, Some((3..29).rev().collect::<Vec<i64>>())] {
                let rows = ids.as_ref().map_or(37, Vec::len);
                let (batch, lent) = borrow_all(&pools[0], rows);
                let borrowed = step_into(&pools[0], ids.as_deref(), &vec![COUNT; rows], batch).unwrap();
                let plain = step(&pools[1], ids.as_deref(), &vec![COUNT; rows]).unwrap();
                for (column, lent) in lent.iter().enumerate() {
                    assert_eq!(lent.bytes(), plain.bytes(column), "column {column}");
                    assert_eq!(borrowed.bytes(column), plain.bytes(column), "column {column}");
                }
            }
        }
    }
}

#[test]
fn returned_columns_release_the_memory_of_the_caller() {
    let pool = reset_pool(&counter(), config(4));
    let (batch, lent) = borrow_all(&pool, 4);
    let mut batch = step_into(&pool, None, &[COUNT; 4], batch).unwrap();
    assert!(batch.is_borrowed() && lent.iter().all(Lent::is_held));
    let other = Lent::new(4 * pool.layout().columns[0].stride());
    batch.copy_column(0, &other.buffer());
    assert_eq!(other.bytes(), lent[0].bytes());
    batch.reclaim_columns();
    assert!(!batch.is_borrowed() && !lent.iter().any(Lent::is_held));
    assert_eq!((batch.bytes(0), counts(&batch)), (&lent[0].bytes()[..], vec![1.0; 4]));
    let again = step_into(&pool, None, &[COUNT; 4], batch).unwrap();
    assert_eq!(counts(&again), [2.0; 4]);
    assert_eq!(lent[0].bytes(), other.bytes(), "a later step writes elsewhere");
}

#[test]
fn an_interrupted_step_keeps_the_callers_memory_until_its_results_arrive() {
    let pool = reset_pool(&counter(), config(4).num_threads(4).unwrap());
    GATE.closed(|| {
        let (batch, lent) = borrow_all(&pool, 4);
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[WAIT; 4]).unwrap();
        assert_eq!(call.run(&mut Some(batch), &mut || true).err(), Some(Error::Interrupted));
        assert!(lent.iter().all(Lent::is_held));
        assert_eq!(pool.drain(&mut || true).err(), Some(Error::Interrupted));
        assert!(lent.iter().all(Lent::is_held));
        GATE.open();
        let received = recv(&pool).unwrap();
        assert!(received.is_borrowed() && lent.iter().all(Lent::is_held));
        assert_eq!(lent[0].bytes(), received.bytes(0));
        drop(received);
        assert!(!lent.iter().any(Lent::is_held));
    });
}

#[test]
fn a_dropped_pool_keeps_the_callers_memory_until_its_workers_finish() {
    let pool = reset_pool(&counter(), config(4).num_threads(4).unwrap());
    GATE.closed(|| {
        let (batch, lent) = borrow_all(&pool, 4);
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[WAIT; 4]).unwrap();
        assert_eq!(call.run(&mut Some(batch), &mut || true).err(), Some(Error::Interrupted));
        GATE.holds(4);
        drop(pool);
        assert!(lent.iter().all(Lent::is_held));
        GATE.open();
        until(|| !lent.iter().any(Lent::is_held));
    });
}

#[test]
fn after_a_failure_the_remaining_rows_are_in_the_pools_memory() {
    let pool = reset_pool(&counter(), config(3).num_threads(0).unwrap());
    let (batch, lent) = borrow_all(&pool, 3);
    let failed = step_into(&pool, None, &[COUNT, PANIC, COUNT], batch);
    assert!(matches!(failed, Err(Error::Failed(_))));
    assert!(!lent.iter().any(Lent::is_held));
    let others = recv(&pool).unwrap();
    assert_eq!((ids(&others), counts(&others), others.is_borrowed()), (vec![0.0, 2.0], vec![1.0; 2], false));
}

#[test]
fn memory_for_too_few_rows_and_asynchronous_pools_are_refused() {
    let pool = reset_pool(&counter(), config(4));
    let (batch, _) = borrow_all(&pool, 3);
    assert_eq!(message(step_into(&pool, None, &[COUNT; 4], batch)), "borrowed columns hold 3 rows: expected 4");
    let pool = reset_pool(&counter(), config(4).batch_size(2).unwrap());
    let (batch, _) = borrow_all(&pool, 2);
    assert_eq!(message(step_into(&pool, None, &[COUNT; 4], batch)), "a batch with borrowed columns needs a synchronous pool");
}
