//! Variant of the fake backend that stages and collects the operations of many lanes with one call.

use std::time::Instant;

use super::{FakeBackend, PendingOp, Reply};
use envpool_rs_engine::{
    ActionColumn, BatchRowWriter, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply, Payload, Result, RowWriter, StagedSteps,
    WaitTarget,
};

/// Fake backend that stages and collects the operations of many lanes with one call.
pub struct BatchedFakeBackend(pub(super) FakeBackend);

impl LaneBackend for BatchedFakeBackend {
    fn stage(&self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        self.0.stage(lane, asked)
    }

    fn stage_steps(&self, steps: &StagedSteps<'_>) -> Result<()> {
        let mut inner = self.0.0.lock();
        let [ActionColumn::I32(actions)] = steps.actions() else { panic!("one action for each lane") };
        assert_eq!(actions.len(), steps.lanes().len());
        for (item, (lane, action)) in steps.lanes().iter().zip(actions).enumerate() {
            inner.check(*lane)?;
            inner.lanes[*lane as usize].pending = Some(match steps.op(item) {
                LaneOp::Step { truncate, autoreset, .. } => PendingOp::Step { action: *action, truncate, autoreset },
                LaneOp::Next { .. } => PendingOp::Next,
                other => panic!("{other:?} is no step"),
            });
        }
        Ok(())
    }

    fn submit(&self, lanes: &[u32]) {
        self.0.submit(lanes);
    }

    fn is_completed(&self, lane: usize) -> bool {
        self.0.is_completed(lane)
    }

    fn completed_lanes(&self, most: usize, found: &mut Vec<u32>) {
        self.0.completed_lanes(most, found);
    }

    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        self.0.wait(wanted, until)
    }

    fn collect(&self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        self.0.collect(lane, out)
    }

    /// Collects replies of lanes with consecutive rows with one call. Also collects completed lanes that the pool does not wait
    /// for; the pool ignores their replies.
    fn collect_rows(&self, rows: &mut BatchRowWriter<'_>) {
        let mut lanes: Vec<_> = self.0.0.lock().answered.iter().copied().collect();
        lanes.sort_unstable();
        lanes.dedup();
        for lanes in lanes.chunk_by(|one, next| one + 1 == *next) {
            let Some(run) = rows.row_range(lanes) else {
                lanes.iter().for_each(|lane| rows.collect(*lane as usize, |out| self.0.collect(*lane as usize, out)));
                continue;
            };
            let replies: Vec<_> = lanes.iter().map(|lane| self.0.0.lock().take(*lane)).collect();
            let shown: Vec<u8> = replies.iter().flat_map(|reply| reply.shown).flat_map(f64::to_ne_bytes).collect();
            let counts: Vec<u8> = replies.iter().flat_map(|reply| (reply.shown[1] as i64).to_ne_bytes()).collect();
            rows.write_observations(run, 0, &shown);
            rows.write_infos(run, 0, &counts);
            for (lane, Reply { answer, last, reward, .. }) in lanes.iter().zip(replies) {
                rows.collect(*lane as usize, |out| {
                    out.rewards[0] = reward;
                    if let Some(last) = last {
                        out.final_observation().write(0, &last);
                        out.final_infos().scalar(0, last[1]);
                    }
                    answer
                });
                rows.collect(*lane as usize, |_| panic!("lane {lane} was taken"));
            }
        }
    }

    fn peek(&self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        self.0.peek(lane, out)
    }

    fn next_loss(&self) -> Option<HostLoss> {
        self.0.next_loss()
    }

    fn restart_host(&self, host: usize) -> Result<(), LaneError> {
        self.0.restart_host(host)
    }

    fn close(&self, until: Instant, by_force: bool) -> Vec<LaneError> {
        self.0.close(until, by_force)
    }
}
