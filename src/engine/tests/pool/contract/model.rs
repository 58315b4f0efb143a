//! Model of a pool, which predicts the rows that calls return, and the errors of rejected calls.

use super::*;

/// Row that the model expects the pool to return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ExpectedRow {
    pub(super) lane: usize,
    pub(super) count: f64,
    pub(super) reward: f64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
    pub(super) elapsed: f64,
    /// Whether the environment failed; the row of a failed environment is not returned.
    pub(super) failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Fresh,
    Running,
    Finished,
    Failed,
}

/// Model of a pool: the states of its lanes, and the rules by which calls change them.
pub(super) struct Model {
    pub(super) kind: LaneKind,
    pub(super) mode: AutoresetMode,
    pub(super) batch_size: usize,
    pub(super) limit: u32,
    pub(super) lanes: Vec<(Phase, u32)>,
    pub(super) in_flight: Vec<bool>,
    /// Rows that have not been received. Synchronous pools: one entry for each request, in order. Asynchronous pools: one list of
    /// all rows.
    pub(super) sent: VecDeque<Vec<ExpectedRow>>,
    pub(super) retained: VecDeque<Vec<ExpectedRow>>,
    /// Asynchronous pools: number of retained rows of each batch with failures. These rows are still in `sent`.
    pub(super) retained_counts: VecDeque<usize>,
}

impl Model {
    pub(super) fn is_async(&self) -> bool {
        self.batch_size < LANES
    }

    pub(super) fn in_flight_count(&self) -> usize {
        self.in_flight.iter().filter(|flies| **flies).count()
    }

    pub(super) fn check_flight(&self, ids: &[i64]) -> Result<(), String> {
        match ids.iter().find(|id| self.in_flight[**id as usize]) {
            Some(id) => Err(format!("env_id {id} is in flight: its result has to be received first")),
            None => Ok(()),
        }
    }

    pub(super) fn check_steppable(&self, ids: &[i64]) -> Result<(), String> {
        for id in ids {
            let why = match (self.lanes[*id as usize].0, self.mode) {
                (Phase::Failed, _) => "has failed",
                (Phase::Fresh, AutoresetMode::SameStep | AutoresetMode::Disabled) => "has never been reset",
                (Phase::Finished, AutoresetMode::Disabled) => "has finished its episode (autoreset is disabled)",
                _ => continue,
            };
            return Err(format!("environment {id} {why}: reset it before the next step"));
        }
        Ok(())
    }

    /// Returns the error message if the pool must reject a call that sends `count` items and receives.
    pub(super) fn check_runnable(&self, count: usize) -> Result<(), String> {
        let flying = self.in_flight_count();
        match self.is_async() {
            true if flying + count < self.batch_size => Err(self.too_little(flying + count)),
            false if flying > 0 => Err("results of an earlier send are waiting: recv them first".into()),
            _ => Ok(()),
        }
    }

    fn too_little(&self, flying: usize) -> String {
        format!("recv: {flying} environments are in flight, fewer than batch_size={}: send first", self.batch_size)
    }

    pub(super) fn begin(&mut self, lane: usize) -> ExpectedRow {
        self.lanes[lane] = (Phase::Running, 0);
        ExpectedRow { lane, count: 0.0, reward: 0.0, terminated: false, truncated: false, elapsed: 0.0, failed: false }
    }

    /// Steps several environments that were sent together. With lanes of kind `SolvedTogether`, a failing environment makes all
    /// others fail, too.
    pub(super) fn step_all(&mut self, ids: &[i64], actions: &[i32]) -> Vec<ExpectedRow> {
        let fails = |(id, action): (&i64, &i32)| *action == PANIC && self.lanes[*id as usize].0 == Phase::Running;
        let all_fail = self.kind == LaneKind::SolvedTogether && ids.iter().zip(actions).any(fails);
        let lanes = ids.iter().map(|id| *id as usize).zip(actions);
        lanes.map(|(lane, action)| if all_fail { self.fail(lane) } else { self.step(lane, *action) }).collect()
    }

    fn fail(&mut self, lane: usize) -> ExpectedRow {
        self.lanes[lane].0 = Phase::Failed;
        ExpectedRow { lane, count: 0.0, reward: 0.0, terminated: false, truncated: false, elapsed: 0.0, failed: true }
    }

    pub(super) fn step(&mut self, lane: usize, action: i32) -> ExpectedRow {
        let (phase, count) = self.lanes[lane];
        if phase != Phase::Running {
            return self.begin(lane);
        }
        if action == PANIC {
            return self.fail(lane);
        }
        let steps = f64::from(count + 1);
        let (terminated, truncated) = (action == END, count + 1 >= self.limit);
        self.lanes[lane] = match (terminated || truncated, self.mode) {
            (false, _) => (Phase::Running, count + 1),
            (true, AutoresetMode::SameStep) => (Phase::Running, 0),
            (true, _) => (Phase::Finished, count + 1),
        };
        let shown = if (terminated || truncated) && self.mode == AutoresetMode::SameStep { 0.0 } else { steps };
        ExpectedRow { lane, count: shown, reward: steps, terminated, truncated, elapsed: steps, failed: false }
    }

    pub(super) fn show(&self, lane: usize) -> ExpectedRow {
        let (_, count) = self.lanes[lane];
        let count = f64::from(count);
        ExpectedRow { lane, count, reward: 0.0, terminated: false, truncated: false, elapsed: count, failed: false }
    }

    pub(super) fn launch(&mut self, rows: Vec<ExpectedRow>) {
        rows.iter().for_each(|row| self.in_flight[row.lane] = true);
        match (self.is_async(), self.sent.front_mut()) {
            (true, Some(sent)) => sent.extend(rows),
            _ => self.sent.push_back(rows),
        }
    }

    /// Compares a result that the pool returned with the results that the model allows.
    pub(super) fn receive(&mut self, received: Result<Box<Batch>>) {
        if let Some(pending) = self.retained.pop_front() {
            let rows = self.actual_rows(&received.expect("rows that were kept"));
            pending.iter().for_each(|row| self.in_flight[row.lane] = false);
            assert_eq!(sorted(rows), sorted(pending), "the rows of those that are well");
            return;
        }
        if let Some(count) = self.retained_counts.pop_front() {
            let rows = self.actual_rows(&received.expect("rows that were kept"));
            assert_eq!(rows.len(), count);
            let sent = self.sent.front_mut().expect("they are in flight");
            for row in rows {
                let place = sent.iter().position(|other| *other == row).expect("a row that was sent for");
                self.in_flight[sent.remove(place).lane] = false;
            }
            self.sent.retain(|sent| !sent.is_empty());
            return;
        }
        if self.is_async() {
            return self.receive_first(received);
        }
        let Some(rows) = self.sent.pop_front() else {
            assert_eq!(message(received), "recv: nothing has been sent");
            return;
        };
        self.take(&rows, received);
    }

    fn receive_first(&mut self, received: Result<Box<Batch>>) {
        let flying = self.in_flight_count();
        if flying < self.batch_size {
            assert_eq!(message(received), self.too_little(flying));
            return;
        }
        let mut sent = self.sent.pop_front().expect("a lane is in flight");
        let rows = match &received {
            Ok(batch) => {
                let ids: Vec<_> = self.actual_rows(batch).iter().map(|row| row.lane).collect();
                let (rows, rest) = sent.into_iter().partition(|row| ids.contains(&row.lane));
                sent = rest;
                rows
            }
            Err(error) => {
                // The rows of the environments that did not fail arrive with the next receive call.
                let Error::Failed(failed) = error else { panic!("{error}") };
                let lanes: Vec<_> = [failed.lane].into_iter().chain(failed.others.iter().map(|lane| *lane as usize)).collect();
                let pending = self.batch_size.checked_sub(lanes.len()).expect("no more than a batch");
                self.check_failure(error, lanes[0], lanes.len() - 1, pending);
                assert!(lanes.is_sorted(), "{lanes:?}");
                for lane in lanes {
                    let place = sent.iter().position(|row| row.failed && row.lane == lane).expect("a failed lane");
                    self.in_flight[sent.remove(place).lane] = false;
                }
                self.sent.extend((!sent.is_empty()).then_some(sent));
                self.retained_counts.extend((pending > 0).then_some(pending));
                return;
            }
        };
        self.sent.extend((!sent.is_empty()).then_some(sent));
        self.take(&rows, received);
    }

    fn take(&mut self, rows: &[ExpectedRow], received: Result<Box<Batch>>) {
        let failed: Vec<_> = rows.iter().filter(|row| row.failed).map(|row| row.lane).collect();
        let well: Vec<_> = rows.iter().copied().filter(|row| !row.failed).collect();
        if failed.is_empty() {
            let got = self.actual_rows(&received.expect("no lane failed"));
            rows.iter().for_each(|row| self.in_flight[row.lane] = false);
            match self.is_async() {
                true => assert_eq!(sorted(got), sorted(well)),
                false => assert_eq!(got, well),
            }
            return;
        }
        let first = *failed.iter().min().expect("one failed");
        self.check_failure(&received.expect_err("a lane failed"), first, failed.len() - 1, well.len());
        failed.iter().for_each(|lane| self.in_flight[*lane] = false);
        self.retained.extend((!well.is_empty()).then_some(well));
    }

    /// Checks the message of a failure: the lane, the number of other failed lanes, and the number of retained rows.
    fn check_failure(&self, error: &Error, lane: usize, others: usize, pending: usize) {
        let (text, why) = (error.to_string(), self.kind.failure());
        let others = if others > 0 { format!(" (and {others} more)") } else { String::new() };
        let rest = if pending > 0 { format!("; recv() gives the results of the other {pending}") } else { String::new() };
        let expected = |verb| format!("environment {lane} {verb}{others}: {why}. Reset it to go on with it{rest}");
        assert!([expected("panicked"), expected("failed")].contains(&text), "{text}");
    }

    fn actual_rows(&self, batch: &Batch) -> Vec<ExpectedRow> {
        let of = |role| numbers(batch, role);
        let (ids, counts, rewards) = (ids(batch), self.kind.counts(batch), of(Role::Reward));
        let (terminated, truncated, elapsed) = (of(Role::Terminated), of(Role::Truncated), of(Role::ElapsedStep));
        let row = |row: usize| ExpectedRow {
            lane: ids[row] as usize,
            count: counts[row],
            reward: rewards[row],
            terminated: terminated[row] == 1.0,
            truncated: truncated[row] == 1.0,
            elapsed: elapsed[row],
            failed: false,
        };
        (0..batch.rows()).map(row).collect()
    }
}

pub(super) fn sorted(mut rows: Vec<ExpectedRow>) -> Vec<ExpectedRow> {
    rows.sort_by_key(|row| row.lane);
    rows
}
