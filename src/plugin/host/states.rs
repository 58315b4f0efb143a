//! Snapshots of lanes: the random stream, and the state. A plain state (flag `EPR_PLAIN`) is saved by copying its bytes, any
//! other state by the library's `save`.

use std::hash::{BuildHasher, RandomState};

use crate::abi::{self, Random};
use crate::host::current_call::CurrentCall;
use crate::host::lanes::LibraryLanes;
use envpool_rs_engine::{Error, LaneSet, Result, read_value, refused_state, write_value};
use envpool_rs_sync::ForkLazy;

/// Maximum size in bytes of a saved state for which `save` is called only once.
const SAVE_ROOM: usize = 4096;

/// Random key with which this process computes the tags of plain states.
static KEY: ForkLazy<RandomState> = ForkLazy::new(RandomState::new);

/// A saved lane: the words of its random stream, the tag of a plain state, and the state.
type SavedLane = ([u64; 6], u64, Vec<u8>);

/// Returns the tag of a plain state: a keyed hash that only this process can compute.
fn tag_of(random: &[u64; 6], state: &[u8], library: &str) -> u64 {
    KEY.hash_one((random, state, library))
}

fn words_of(random: &Random) -> [u64; 6] {
    let Random { state_low, state_high, increment_low, increment_high, has_uint32, uinteger } = *random;
    [state_low, state_high, increment_low, increment_high, has_uint32, uinteger]
}

/// Converts the six words of a saved random stream to a stream.
fn random_of(words: [u64; 6]) -> Result<Random> {
    let [state_low, state_high, increment_low, increment_high, has_uint32, uinteger] = words;
    if increment_low & 1 == 0 || has_uint32 > 1 || uinteger > u64::from(u32::MAX) {
        return Err(refused_state("its random stream is not a PCG64"));
    }
    Ok(Random { state_low, state_high, increment_low, increment_high, has_uint32, uinteger })
}

impl LibraryLanes {
    /// Appends the state and the random stream of a single lane to `bytes`.
    ///
    /// # Errors
    /// `State` if the library cannot save its states; `Memory` if the system refuses the memory for them.
    pub fn save_lane(&self, lane: &LaneSet<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        let random = words_of(&self.memory.random(lane));
        let saved: SavedLane = match self.env.has(abi::PLAIN) {
            true => {
                let state = self.memory.state(lane)?;
                (random, tag_of(&random, &state, self.env.table.library), state)
            }
            false => (random, 0, self.save_state(lane)?),
        };
        write_value(bytes, &saved)
    }

    /// Calls the library's `save`, and returns the saved state.
    fn save_state(&self, lane: &LaneSet<'_>) -> Result<Vec<u8>> {
        let Some(save) = self.env.view.save else {
            let text = "states cannot be saved: expected EPR_PLAIN, or the functions save and load";
            return Err(Error::State(format!("{}: {text}", self.env.table.path)));
        };
        let _call = CurrentCall::enter(&self.env.table.path, "save");
        self.written(("save", SAVE_ROOM), lane, |env, batch, bytes, room, length| {
            // SAFETY: the header declares `save` with this signature, and the buffer has `room` bytes.
            unsafe { save(env, batch, bytes, room, length) }
        })
    }

    /// Replaces the state and the random stream of a single lane.
    ///
    /// # Errors
    /// `Value` if `save_lane` did not write the bytes; the lane is then unchanged.
    pub fn load_lane(&self, lane: &LaneSet<'_>, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        let (words, tag, state): SavedLane = read_value(&mut rest)?;
        if !rest.is_empty() {
            return Err(refused_state("bytes are left over"));
        }
        let random = random_of(words)?;
        match self.env.has(abi::PLAIN) {
            true => self.load_plain(lane, tag == tag_of(&words, &state, self.env.table.library), &state)?,
            false => self.load_state(lane, &state)?,
        }
        self.memory.set_random(lane, random);
        Ok(())
    }

    /// Replaces a lane's plain state (flag `EPR_PLAIN`). `is_own`: whether this process wrote the snapshot.
    fn load_plain(&self, lane: &LaneSet<'_>, is_own: bool, state: &[u8]) -> Result<()> {
        let size = self.env.view.state_size;
        if state.len() as u64 != size {
            return Err(refused_state(&format!("its state has {} bytes instead of {size}", state.len())));
        }
        if is_own {
            self.memory.set_state(lane, state);
            return Ok(());
        }
        let Some(is_valid) = self.env.view.is_valid else {
            return Err(refused_state(&format!(
                "another process wrote it, and {} has no is_valid that checks such states",
                self.env.table.path
            )));
        };
        let before = self.memory.state(lane)?;
        self.memory.set_state(lane, state);
        // SAFETY: `is_valid` takes no arguments besides the lanes.
        let checked = self.batch(lane).and_then(|batch| unsafe { self.call(("is_valid", is_valid), lane, batch, 0) });
        checked.map(|_| ()).map_err(|error| {
            self.memory.set_state(lane, &before);
            refused_state(&error.to_string())
        })
    }

    /// Calls the library's `load`. If the library refuses the bytes, loads the lane's previous state again.
    fn load_state(&self, lane: &LaneSet<'_>, state: &[u8]) -> Result<()> {
        let Some(load) = self.env.view.load else { return Err(refused_state("the library cannot load states")) };
        let before = self.save_state(lane)?;
        let loaded = |bytes: &[u8]| {
            let _call = CurrentCall::enter(&self.env.table.path, "load");
            self.written(("load", 0), lane, |env, batch, _, _, _| {
                // SAFETY: the function has this signature in the header, and the bytes outlive the call.
                unsafe { load(env, batch, bytes.as_ptr(), bytes.len() as u64) }
            })
        };
        loaded(state).map(|_| ()).map_err(|error| {
            let back = self.renew(lane).and_then(|()| loaded(&before).map(|_| ()));
            let lost = back.err().map_or_else(String::new, |error| format!("; the state before is lost, too ({error})"));
            refused_state(&format!("{error}{lost}"))
        })
    }
}
