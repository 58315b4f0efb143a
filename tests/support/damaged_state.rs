//! Damages snapshots with arbitrary bytes, restores them, and steps the environments. The fuzzer (`nox -s fuzz`) uses this module,
//! and so does the test that replaces the fuzzer in CI.

use envpool_rs::engine::{ActionColumn, Dialect, Error, Format, Outputs, Pool, PoolConfig, Registry, ResetOptions, Result};

/// Number of environments of each pool.
const LANES: i64 = 3;

/// Returns a pool and one of its snapshots for each task of `registry`. All options have their default values, and all pools have
/// been reset.
///
/// Two kinds of tasks are omitted: tasks for tests, which sleep and panic if their state requests it, and tasks that need files.
pub fn pools(registry: &Registry) -> Vec<(Pool, Vec<u8>)> {
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pool = |task: &envpool_rs::engine::Task| {
        let limit = task.max_episode_steps;
        let config = PoolConfig { max_episode_steps: limit, episode_statistics: true, ..PoolConfig::new(LANES)? };
        let pool = Pool::new(task, &task.resolve(&[])?, config, outputs)?;
        pool.reset(None, Vec::new(), ResetOptions::default())?.run(&mut None, &mut || false)?;
        let state = pool.get_state(Some(&[0]))?.remove(0);
        Ok((pool, state))
    };
    registry
        .tasks()
        .iter()
        .filter(|task| !task.id.starts_with("test/") && !task.options.iter().any(|option| option.is_path))
        .map(pool)
        .collect::<Result<_>>()
        .expect("every task has defaults that work")
}

/// Loads a damaged snapshot into environment 1 of one of the pools, and steps the pool.
///
/// The first byte selects the pool. Then each group of three bytes changes the snapshot's body: two for the position, one for the
/// value. The checksum is corrected afterwards, because a fuzzer would not guess it. The function panics if a snapshot is not
/// rejected and its environment cannot be stepped.
pub fn restore_and_play(pools: &[(Pool, Vec<u8>)], bytes: &[u8]) {
    let Some((choice, changes)) = bytes.split_first() else { return };
    let (pool, state) = &pools[usize::from(*choice) % pools.len()];
    let mut state = state.clone();
    let (header, body) = state.split_at_mut(8);
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len();
        body[place] = change[2];
    }
    header[4..].copy_from_slice(&crc32(body).to_le_bytes());
    match pool.set_state(&[&state], Some(&[1])) {
        Ok(()) => (0..4).for_each(|step| play(pool, step)),
        Err(Error::Value(_)) => {}
        Err(other) => panic!("damaged snapshots are bad values, not: {other}"),
    }
}

fn play(pool: &Pool, step: usize) {
    let mut call = pool.step(None).expect("nothing is in flight");
    let (keys, lanes) = (pool.action_keys(), call.lanes());
    for (column, key) in call.actions().iter_mut().zip(keys) {
        let len = lanes * key.values_per_row();
        match (column, key.discrete) {
            (ActionColumn::I32(column), Some((start, n))) => {
                column.extend((0..len).map(|index| (start + (step + index) as i64 % n) as i32));
            }
            (ActionColumn::F32(column), None) => column.extend((0..len).map(|index| [-1.0, 0.5, 1.0][(step + index) % 3])),
            _ => unreachable!("columns are of their key's kind"),
        }
    }
    call.run(&mut None, &mut || false).expect("a state that was taken can be played");
    pool.reset(Some(&[2]), Vec::new(), ResetOptions::default()).expect("nothing is in flight");
}

/// Computes the CRC-32 checksum that zip and Ethernet use.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}
