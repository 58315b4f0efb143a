//! Variant of the fake backend that stages and collects the operations of many lanes with one call.

use std::sync::Arc;

use super::{FakeBackend, PendingOp, Reply};
use envpool_rs_engine::{
    ActionColumn, BackendWaiter, BatchRowWriter, LaneBackend, LaneError, LaneOp, LaneReply, LostLanes, Payload, Result,
    RowWriter, StagedSteps,
};

/// Fake backend that stages and collects the operations of many lanes with one call.
pub struct BatchedFakeBackend(pub(super) FakeBackend);

impl LaneBackend for BatchedFakeBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        self.0.waiter()
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        self.0.stage(lane, asked)
    }

    fn stage_steps(&mut self, steps: &StagedSteps<'_>) -> Result<()> {
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

    fn submit(&mut self, lanes: &[u32]) {
        self.0.submit(lanes);
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.0.is_completed(lane)
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        self.0.completed_lanes(most, found);
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        self.0.collect(lane, out)
    }

    /// Collects replies of lanes with consecutive rows with one call. Also collects completed lanes that the pool does not wait
    /// for; the pool ignores their replies.
    fn collect_rows(&mut self, rows: &mut BatchRowWriter<'_>) {
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

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        self.0.peek(lane, out)
    }

    fn lose_host(&mut self, host: usize) -> LostLanes {
        self.0.lose_host(host)
    }

    fn restart_host(&mut self, host: usize) -> Result<(), LaneError> {
        self.0.restart_host(host)
    }
}
