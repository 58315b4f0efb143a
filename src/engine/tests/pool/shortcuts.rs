//! Tests that shortcuts of the engine change no result: blocks in which no episode ends, skipped readiness checks, one clock read
//! per chunk.
//!
//! A model of one environment computes the expected rows.

use std::time::{Duration, Instant};

use envpool_rs_numeric::random::Generator;

use super::envs::{COUNT, END, bare_block_counter, block_counter, counter};
use super::*;

const MODES: [AutoresetMode; 3] = [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled];

/// Number of steps after which an episode is truncated.
const LIMIT: u32 = 7;

/// Model of one environment of the tasks [`counter`] or [`block_counter`].
struct Lane {
    random: Generator,
    /// Whether a step of the model draws a random number.
    draws: bool,
    drawn: f64,
    steps: u32,
    total: f64,
    is_over: bool,
}

/// Expected content of a row, without the environment id.
#[derive(Default)]
struct ExpectedRow {
    shown: [f64; 2],
    reward: f64,
    terminated: bool,
    truncated: bool,
    begins: bool,
    elapsed: u32,
    /// Final observation and return of an episode that has ended.
    ended: Option<([f64; 2], f64)>,
}

impl Lane {
    fn new(lane: usize, draws: bool) -> Self {
        let random = Generator::new(42 + lane as u64);
        Self { random, draws, drawn: 0.0, steps: 0, total: 0.0, is_over: false }
    }

    fn shown(&self) -> [f64; 2] {
        [self.drawn, f64::from(self.steps)]
    }

    fn begin(&mut self) -> ExpectedRow {
        (self.drawn, self.steps, self.total, self.is_over) = (self.random.random(), 0, 0.0, false);
        ExpectedRow { shown: self.shown(), begins: true, ..ExpectedRow::default() }
    }

    fn step(&mut self, action: i32, mode: AutoresetMode) -> ExpectedRow {
        if self.is_over {
            return self.begin();
        }
        if self.draws {
            let _moves_the_stream_on: f64 = self.random.random();
        }
        self.steps += 1;
        let (reward, elapsed) = (f64::from(self.steps), self.steps);
        self.total += reward;
        let (terminated, truncated) = (action == END, self.steps >= LIMIT);
        self.is_over = terminated || truncated;
        let ended = self.is_over.then(|| (self.shown(), self.total));
        if self.is_over && mode == AutoresetMode::SameStep {
            self.begin();
        }
        ExpectedRow { shown: self.shown(), reward, terminated, truncated, begins: false, elapsed, ended }
    }
}

impl ExpectedRow {
    /// Returns the expected content of a column; `None` if it is unspecified.
    fn column(&self, lane: usize, role: Role) -> Option<Vec<f64>> {
        let (id, done) = (lane as f64, self.ended.is_some());
        let flag = |flag| vec![f64::from(u8::from(flag))];
        let (last, total) = self.ended.unwrap_or_default();
        Some(match role {
            Role::Observation(_) => self.shown.to_vec(),
            Role::Info(_) => vec![self.shown[1]],
            Role::FinalObservation(_) | Role::FinalInfo(_) if !done => return None,
            Role::FinalObservation(_) => last.to_vec(),
            Role::FinalInfo(_) => vec![last[1]],
            Role::Reward => vec![self.reward],
            Role::Terminated => flag(self.terminated),
            Role::Truncated => flag(self.truncated),
            Role::Done => flag(done),
            Role::Discount => flag(!done),
            Role::StepType => vec![if self.begins { 0.0 } else { 1.0 + f64::from(u8::from(done)) }],
            Role::EnvId | Role::PlayerEnvId => vec![id],
            Role::ElapsedStep => vec![f64::from(self.elapsed)],
            Role::InfoPresent(_) => flag(true),
            Role::EpisodeReturn => vec![total],
            Role::EpisodeLength => vec![last[1]],
            Role::EpisodeTime | Role::RawObservation | Role::RawFinalObservation => return None,
        })
    }
}

/// Compares all columns of a batch with the expected rows.
fn compare(batch: &Batch, said: &[(usize, ExpectedRow)], round: usize) {
    let single = |values: &[f64]| values.iter().map(|value| *value as f32).collect::<Vec<_>>();
    for column in &batch.layout().columns {
        let values = numbers(batch, column.role);
        for ((lane, said), row) in said.iter().zip(values.chunks(values.len() / said.len())) {
            if let Some(expected) = said.column(*lane, column.role) {
                assert_eq!(single(row), single(&expected), "{:?} of environment {lane} in round {round}", column.role);
            }
        }
    }
}

/// Returns the lane of each row in a batch.
fn lanes_of(batch: &Batch) -> Vec<usize> {
    ids(batch).iter().map(|id| *id as usize).collect()
}

/// Returns the action of a lane in a round. In five successive rounds, the actions end no episode in two rounds, several episodes
/// in one, a single episode in one, and all or no episodes in one.
fn action(lane: usize, round: usize, lanes: usize) -> i32 {
    let ends = match round % 5 {
        0 | 1 => false,
        2 => (lane * 31 + round * 17).is_multiple_of(11),
        3 => lane == round * 7 % lanes,
        _ => (round / 5).is_multiple_of(3),
    };
    if ends { END } else { COUNT }
}

/// Returns the lanes of a request in order: all, all with neighbours swapped, or all but every third.
fn request_ids(round: usize, lanes: usize) -> Vec<i64> {
    let turned = |lane: usize| if (lane ^ 1) < lanes { lane ^ 1 } else { lane };
    let asked = (0..lanes).map(|lane| if round % 7 == 5 { turned(lane) } else { lane });
    asked.filter(|lane| round % 7 != 6 || lane % 3 != 0 || lanes < 3).map(|lane| lane as i64).collect()
}

/// Runs a pool and its model, and compares the rows.
fn check(task: &Task, draws: bool, config: &PoolConfig, format: Format) {
    let (count, mode) = (config.num_envs, config.autoreset_mode);
    let outputs = Outputs { dialect: Dialect::EnvPool, format };
    let pool = Pool::new(task, &Options::default(), config.clone(), outputs).unwrap();
    let mut lanes: Vec<_> = (0..count).map(|lane| Lane::new(lane, draws)).collect();
    let receive = |sent: usize, round: usize, said: &mut dyn FnMut(usize) -> ExpectedRow| {
        let mut rows = 0;
        while rows < sent {
            let batch = recv(&pool).unwrap();
            rows += batch.rows();
            let said: Vec<_> = lanes_of(&batch).into_iter().map(|lane| (lane, said(lane))).collect();
            compare(&batch, &said, round);
        }
    };
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    receive(count, 0, &mut |lane| lanes[lane].begin());
    for round in 0..40 {
        let over: Vec<_> = (0..count).filter(|lane| lanes[*lane].is_over).map(|lane| lane as i64).collect();
        if mode == AutoresetMode::Disabled && !over.is_empty() {
            let refused = message(step(&pool, None, &vec![COUNT; count]));
            assert!(refused.starts_with(&format!("environment {} has finished its episode", over[0])), "{refused}");
            // In an asynchronous pool, a reset must cover a complete batch; environments in the middle of an episode restart as
            // well.
            let ids: Vec<_> = if pool.is_async() { (0..count as i64).collect() } else { over };
            pool.reset(Some(&ids), Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
            receive(ids.len(), round, &mut |lane| lanes[lane].begin());
        }
        let all = round % 2 == 0 || pool.is_async();
        let ids = if all { (0..count as i64).collect() } else { request_ids(round, count) };
        let actions: Vec<_> = ids.iter().map(|id| action(*id as usize, round, count)).collect();
        send(&pool, if all && !pool.is_async() { None } else { Some(&ids) }, &actions).unwrap();
        receive(ids.len(), round, &mut |lane| lanes[lane].step(action(lane, round, count), mode));
    }
}

#[test]
fn rows_equal_the_models_at_every_block_chunk_and_episode_boundary() {
    let tasks = [(counter(), true), (block_counter(), false), (bare_block_counter(), false)];
    // Pairs of the number of environments and the batch size. They cover blocks of 16, 8 and single environments, and one or
    // several chunks: a chunk has 32 environments or more, unless the pool has fewer.
    let sizes = [(1, 1), (8, 8), (16, 16), (23, 23), (41, 41), (131, 131), (40, 10), (70, 35), (66, 11)];
    for ((task, draws), mode) in tasks.iter().flat_map(|task| MODES.map(|mode| (task, mode))) {
        for (lanes, batch) in sizes {
            for (threads, episode_statistics) in [(0, false), (2, false), (2, true)] {
                let config = config(lanes).batch_size(batch).unwrap();
                let config = PoolConfig { num_threads: threads, max_episode_steps: Some(LIMIT), ..config };
                let config = PoolConfig { autoreset_mode: mode, episode_statistics, ..config };
                check(task, *draws, &config, Format::Gymnasium);
                if !episode_statistics {
                    check(task, *draws, &config, Format::Dm);
                }
            }
        }
    }
}

#[test]
fn each_episode_that_ends_in_a_block_reports_its_own_duration() {
    const PAUSE: Duration = Duration::from_millis(3);
    let early: Vec<i64> = (0..20).collect();
    let late: Vec<i64> = (20..37).collect();
    let tasks = [(counter(), false), (block_counter(), true), (bare_block_counter(), true)];
    for ((task, is_uniform), mode) in tasks.iter().flat_map(|task| MODES.map(|mode| (task, mode))) {
        let config = PoolConfig { autoreset_mode: mode, episode_statistics: true, num_threads: 0, ..config(37) };
        let pool = reset_pool(task, config);
        let timed = |act: &dyn Fn()| {
            let before = Instant::now();
            act();
            (before, Instant::now())
        };
        // Starts two groups of episodes, the second group after a pause.
        let mut started = [&early, &late].map(|ids| {
            let started = timed(&|| drop(reset(&pool, Some(ids)).unwrap()));
            std::thread::sleep(PAUSE);
            started
        });
        for _ in 0..2 {
            let asked = Instant::now();
            let goes_on = |lane: usize| lane == 3 || lane == 30;
            let actions: Vec<_> = (0..37).map(|lane| if goes_on(lane) { COUNT } else { END }).collect();
            let batch = step(&pool, None, &actions).unwrap();
            let ended = (asked, Instant::now());
            let times = numbers(&batch, Role::EpisodeTime);
            for (ids, started) in [&early, &late].into_iter().zip(started) {
                // The shortest and longest episode duration that agree with the clock readings before and after its start and its
                // end.
                let (least, most) = (ended.0 - started.1, ended.1 - started.0);
                assert!(least >= PAUSE);
                let ends = ids.iter().map(|id| *id as usize).filter(|lane| !goes_on(*lane));
                let times: Vec<_> = ends.map(|lane| times[lane]).collect();
                let is_true = |time: &f64| (least..=most).contains(&Duration::from_secs_f64(*time));
                assert!(times.iter().all(is_true), "{mode:?}: {times:?} from {least:?} to {most:?}");
                // A single thread runs uniform environments in one chunk, which reads the clock once.
                assert!(!is_uniform || times.iter().all(|time| *time == times[0]), "{mode:?}: {times:?}");
            }
            assert_eq!((times[3], times[30]), (0.0, 0.0), "they go on");
            // The next episodes start in one call; environments in the middle of an episode restart as well.
            started = [match mode {
                AutoresetMode::SameStep => {
                    reset(&pool, Some(&[3, 30])).unwrap();
                    ended
                }
                _ => timed(&|| drop(reset(&pool, None).unwrap())),
            }; 2];
            std::thread::sleep(PAUSE);
        }
    }
}
