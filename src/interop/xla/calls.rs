//! Custom calls by which XLA programs step a pool: `step`, `send` and `recv`.
//!
//! | call | arguments | results | attributes |
//! |---|---|---|---|
//! | step | handle, the action arrays, optional ids | handle, [`ExposedPool::results`] | `pool`: the pool's number |
//! | send | as `step` | handle | as `step` |
//! | recv | handle | handle, `ExposedPool::results` | as `step` |

use std::sync::Arc;

use super::call_frame::{Buffer, CallFrame};
use super::exposed_pools::{ExposedPool, HANDLE_BYTES};
use super::results;
use super::xla_error::{Code, Result, XlaError};
use envpool_rs_engine::{Pool, RequestBuilder};

/// Steps environments and returns results. A synchronous pool returns the results of the stepped environments. An
/// asynchronous pool returns the results of the first environments that finish.
pub fn step(frame: CallFrame<'_>) -> Result<()> {
    let exposed = exposed_pool(frame)?;
    let (pool, mut spares) = (exposed.pool(), exposed.lock_spares());
    let call = prepare(frame, pool)?;
    let rows = if pool.is_async() { pool.config().batch_size } else { call.lanes() };
    results::check(frame, pool, exposed.results(), rows)?;
    if pool.is_async() {
        check_next(pool, rows)?;
    }
    let mut spare = spares.pop();
    let played = call.run(&mut spare, &mut || false);
    spares.extend(spare);
    let mut batch = played?;
    let written = results::write(frame, exposed.results(), &mut batch);
    spares.push(batch);
    written
}

/// Sends actions to environments, without waiting for results.
pub fn send(frame: CallFrame<'_>) -> Result<()> {
    let exposed = exposed_pool(frame)?;
    let (pool, mut spares) = (exposed.pool(), exposed.lock_spares());
    let call = prepare(frame, pool)?;
    let batch = if pool.is_async() { None } else { spares.pop() };
    Ok(call.send(batch)?)
}

/// Receives the pool's next results.
pub fn recv(frame: CallFrame<'_>) -> Result<()> {
    let exposed = exposed_pool(frame)?;
    let (pool, mut spares) = (exposed.pool(), exposed.lock_spares());
    let rows = pool.config().batch_size;
    results::check(frame, pool, exposed.results(), rows)?;
    check_next(pool, rows)?;
    let mut spare = if pool.is_async() { spares.pop() } else { None };
    let received = pool.recv(&mut spare, &mut || false);
    spares.extend(spare);
    let mut batch = received?;
    let written = results::write(frame, exposed.results(), &mut batch);
    spares.push(batch);
    written
}

/// Returns the pool to which the handle (the first argument) refers, and copies the handle to the first result.
fn exposed_pool(frame: CallFrame<'_>) -> Result<Arc<ExposedPool>> {
    let handle = frame.argument(0)?.values::<u8>().filter(|handle| handle.len() == HANDLE_BYTES);
    let handle = handle.ok_or_else(|| XlaError::invalid_frame(format!("handle: expected {HANDLE_BYTES} uint8")))?;
    let exposed = ExposedPool::find(handle, frame.integer("pool")?)?;
    let next = frame.result(0)?;
    if next.len() != HANDLE_BYTES {
        return Err(XlaError::invalid_frame("the first result is no handle"));
    }
    next.write(handle.iter().copied());
    Ok(exposed)
}

/// Rejects a call whose result arrays do not have as many rows as the pool's next results. The caller must then receive these
/// results with Python's `recv` first.
fn check_next(pool: &Pool, rows: usize) -> Result<()> {
    match pool.next_rows()? {
        Some(next) if next != rows => Err(XlaError::new(
            Code::FailedPrecondition,
            format!(
                "the next results are of {next} environments, and there is room for {rows}: take them by the pool's own recv()"
            ),
        )),
        _ => Ok(()),
    }
}

/// Prepares a step of the environments whose ids are in the frame, with the frame's actions.
fn prepare<'a>(frame: CallFrame<'_>, pool: &'a Pool) -> Result<RequestBuilder<'a>> {
    let keys = pool.action_keys().len();
    let ids = match frame.arguments() - 1 {
        count if count == keys => None,
        count if count == keys + 1 => Some(env_ids(frame.argument(keys + 1)?)?),
        count => {
            return Err(XlaError::invalid_frame(format!("{count} arrays of actions and ids: expected {keys} or {}", keys + 1)));
        }
    };
    let mut call = pool.step(ids.as_deref())?;
    for key in 0..keys {
        fill(&mut call, key, frame.argument(key + 1)?)?;
    }
    Ok(call)
}

fn env_ids(ids: Buffer<'_>) -> Result<Vec<i64>> {
    if let Some(ids) = ids.values::<i32>() {
        return Ok(ids.iter().map(|id| i64::from(*id)).collect());
    }
    let ids = ids.values::<i64>().ok_or_else(|| XlaError::invalid_frame("env_id: expected int32 or int64"))?;
    Ok(ids.to_vec())
}

/// Fills an action array of a step from an argument. The argument may have any supported number type.
fn fill(call: &mut RequestBuilder<'_>, key: usize, action: Buffer<'_>) -> Result<()> {
    macro_rules! first_of {
        ($($type:ty),*) => {
            $(if let Some(values) = action.values::<$type>() {
                return Ok(call.set_action(key, values)?);
            })*
        };
    }
    first_of!(i32, f32, i64, f64, u8, i8, u32, i16, u16, u64);
    Err(XlaError::invalid_frame("action: expected integers, bools or floats of 32 or 64 bits"))
}
