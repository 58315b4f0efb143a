//! Environments of a pool as snapshots, and back.

use std::time::{Duration, Instant};

use crate::engine::contract::error::{Error, Result};
use crate::engine::contract::fault::{Fault, Message};
use crate::engine::outside::traits::Asked;
use crate::engine::play::lanes::{Episode, Phase};
use crate::engine::play::snapshot::{Snapshot, refused};
use crate::engine::pool::pool::{Pool, busy};
use crate::engine::pool::way::Way;
use crate::engine::threads::interrupts::Interrupt;

impl Pool {
    /// Asks the environments `ids` (all of them for `None`), which are played outside of the engine, for something that is neither step
    /// nor reset: `payloads` has something for each of them, or one thing for all.
    ///
    /// # Errors
    /// As [`Pool::recv_until`], after which the answers are dropped when they come; as [`Pool::step`] for the ids; `State` for a pool
    /// that is played by the engine; `Value` where the number of payloads is another.
    pub fn ask(
        &self,
        ids: Option<&[i64]>,
        payloads: &[Message],
        interrupt: Interrupt<'_>,
        deadline: Option<Instant>,
    ) -> Result<Vec<Result<Message, Fault>>> {
        let Way::Outside(flight) = &self.way else {
            return Err(Error::State("these environments are played by the engine, which understands no calls".into()));
        };
        let call = self.prepare(ids)?;
        let _receiver = self.receiver.try_enter().ok_or_else(busy)?;
        if payloads.len() != 1 && payloads.len() != call.lanes() {
            let got = format_args!("[{} values]", payloads.len());
            return Err(Error::value("payloads", got, format_args!("one, or one for each of {}", call.lanes())));
        }
        let payload = |index: usize| Asked::Call(payloads.get(index).unwrap_or(&payloads[0]));
        flight.ask(&self.shared, &call.request().lanes, payload, interrupt, deadline)
    }

    /// The environments `ids` as bytes, each with its random stream and episode.
    ///
    /// # Errors
    /// As [`Pool::step`] for the ids.
    pub fn get_state(&self, ids: Option<&[i64]>) -> Result<Vec<Vec<u8>>> {
        let call = self.prepare(ids)?;
        if let Some(lane) = call.request().lanes.iter().find(|lane| self.phase(*lane) == Phase::Failed) {
            return Err(Error::State(format!("environment {lane} has failed: reset it before taking its state")));
        }
        Ok(call.request().lanes.iter().map(|lane| self.save(lane).encode()).collect())
    }

    pub(in crate::engine) fn phase(&self, lane: usize) -> Phase {
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe { *self.shared.table.phase.get(lane) }
    }

    fn save(&self, lane: usize) -> Snapshot {
        let table = &self.shared.table;
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe {
            let mut state = Vec::new();
            self.shared.env().save(lane, &mut state);
            let episode = table.episode.as_ref().map(|episodes| *episodes.get(lane));
            Snapshot {
                task: self.shared.tasks.of(lane).to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                phase: *table.phase.get(lane) as u8,
                elapsed: *table.elapsed.get(lane),
                episode: episode.map_or((0, 0, 0), |Episode { total, length, start }| {
                    (total.to_bits(), length, start.elapsed().as_secs_f64().to_bits())
                }),
                state,
            }
        }
    }

    /// Puts the environments `ids` into these states; what was in progress there is forgotten.
    ///
    /// # Errors
    /// `Value` where a state is of another task, options or version, or damaged, or their number is not that of the ids; none of the
    /// environments is changed then. As [`Pool::step`] for the ids.
    pub fn set_state(&self, states: &[impl AsRef<[u8]>], ids: Option<&[i64]>) -> Result<()> {
        let call = self.prepare(ids)?;
        let lanes = &call.request().lanes;
        if states.len() != lanes.len() {
            let got = format!("[{} states]", states.len());
            return Err(Error::value("state", got, format_args!("one for each of the {} environments", lanes.len())));
        }
        let decode = |(bytes, lane): (&_, usize)| Snapshot::decode(AsRef::as_ref(bytes), self.shared.tasks.of(lane));
        let decoded: Result<Vec<_>> = states.iter().zip(lanes.iter()).map(decode).collect();
        let decoded = decoded?;
        let before: Vec<_> = lanes.iter().map(|lane| (self.phase(lane) != Phase::Failed).then(|| self.save(lane))).collect();
        let restored = decoded.iter().zip(lanes.iter()).try_for_each(|(snapshot, lane)| self.load(lane, snapshot));
        if restored.is_err() {
            for (snapshot, lane) in before.iter().zip(lanes.iter()) {
                match snapshot {
                    Some(snapshot) => self.load(lane, snapshot)?,
                    None => self.set_phase(lane, Phase::Failed),
                }
            }
        }
        restored
    }

    fn load(&self, lane: usize, snapshot: &Snapshot) -> Result<()> {
        let phase = Phase::from_byte(snapshot.phase).filter(|phase| *phase != Phase::Failed);
        let phase = phase.ok_or_else(|| refused("its phase is none"))?;
        let table = &self.shared.table;
        // SAFETY: callers hold the sender's turn, and the lane is not in flight.
        unsafe {
            self.shared.env().load(lane, &snapshot.state)?;
            *table.elapsed.get(lane) = snapshot.elapsed.max(0);
            if let Some(episodes) = &table.episode {
                let (total, length, seconds) = snapshot.episode;
                let age = Duration::try_from_secs_f64(f64::from_bits(seconds)).unwrap_or_default();
                let start = Instant::now().checked_sub(age).unwrap_or_else(Instant::now);
                *episodes.get(lane) = Episode { total: f64::from_bits(total), length, start };
            }
        }
        self.set_phase(lane, phase);
        Ok(())
    }
}
