//! Test backend that runs each environment in a real process, as a family with an external game engine does.
//!
//! The processes run this test's own program. They may start slowly, die, hang, be killed, and be restarted.
#![cfg(unix)]

mod process;

use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use envpool_rs_engine::{
    BackendWaiter, HostLoss, LaneBackend, LaneError, LaneOp, LaneReply, LostLanes, Payload, Result, RowWriter, StepReply,
    WaitTarget,
};

use self::process::{Process, Reply, Request, frame};

/// Action of a step in which the process exits.
pub const DIE: i32 = 3;
/// Action of a step that never returns, because the process hangs.
pub const HANG: i32 = 4;

/// Names of environment variables that a child process reads: the socket of its parent, and optionally a file to wait for.
const SOCKET: &str = "ENVPOOL_RS_TEST_SOCKET";
const START: &str = "ENVPOOL_RS_TEST_START";

/// Backend that starts and controls the processes. Clones share the processes.
#[derive(Clone)]
pub struct ChildBackend(Arc<Shared>);

struct Shared {
    lanes: Mutex<Vec<Process>>,
    folder: PathBuf,
    is_slow: bool,
}

impl ChildBackend {
    /// Starts one process for each lane. If `is_slow`, the processes start up only after the file [`Self::start_file`] exists.
    pub fn new(lanes: usize, is_slow: bool) -> Self {
        static POOLS: AtomicUsize = AtomicUsize::new(0);
        let name = format!("envpool_rs-{}-{}", std::process::id(), POOLS.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        drop(std::fs::remove_dir_all(&folder)); // a killed process with the same id may have left it
        std::fs::create_dir_all(&folder).unwrap();
        let processes = (0..lanes).map(|lane| Process::start(&folder, lane, is_slow)).collect();
        Self(Arc::new(Shared { lanes: Mutex::new(processes), folder, is_slow }))
    }

    /// Returns the path of the file that slowly starting processes wait for.
    pub fn start_file(&self) -> PathBuf {
        self.0.folder.join("start")
    }

    /// Returns the id of a lane's process.
    pub fn pid(&self, lane: usize) -> i32 {
        self.lock()[lane].child.id() as i32
    }

    fn has_replied(&self, lane: usize) -> bool {
        let process = &mut self.lock()[lane];
        process.pump();
        process.reply.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Process>> {
        self.0.lanes.lock().unwrap()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for process in self.lanes.get_mut().unwrap() {
            process.end();
        }
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

impl LaneBackend for ChildBackend {
    fn waiter(&self) -> Arc<dyn BackendWaiter> {
        Arc::new(self.clone())
    }

    fn stage(&mut self, lane: usize, asked: LaneOp<'_>) -> Result<()> {
        let request = match asked {
            LaneOp::Step { action, truncate, autoreset } => Request::Step { action: action.discrete(), truncate, autoreset },
            LaneOp::Reset { seed, .. } => Request::Reset(seed),
            LaneOp::Next { .. } => Request::Reset(None),
            LaneOp::Call(payload) => Request::Call(payload.bytes().to_vec()),
            LaneOp::Save => Request::Save,
            LaneOp::Load(state) => Request::Load(state.to_vec()),
        };
        self.lock()[lane].staged = frame(&request);
        Ok(())
    }

    fn submit(&mut self, lanes: &[u32]) {
        let mut processes = self.lock();
        for lane in lanes {
            let process = &mut processes[*lane as usize];
            process.outgoing.extend(std::mem::take(&mut process.staged));
            process.is_asked = true;
            process.pump();
        }
    }

    fn is_completed(&mut self, lane: usize) -> bool {
        self.has_replied(lane)
    }

    fn completed_lanes(&mut self, most: usize, found: &mut Vec<u32>) {
        // The test backend does not record the order of completion, so it returns completed lanes in lane order.
        let answered = (0..self.lock().len()).filter(|lane| self.has_replied(*lane));
        found.extend(answered.take(most).map(|lane| lane as u32));
    }

    fn collect(&mut self, lane: usize, out: &mut RowWriter<'_>) -> LaneReply {
        let process = &mut self.lock()[lane];
        process.is_asked = false;
        match process.reply.take().expect("it has answered") {
            Reply::Row { shown, last, reward, terminated } => {
                process.shown = shown;
                out.rewards[0] = reward;
                out.observation().write(0, &shown);
                out.infos().scalar(0, shown[1]);
                if let Some(last) = last {
                    out.final_observation().write(0, &last);
                    out.final_infos().scalar(0, last[1]);
                }
                LaneReply::Row(StepReply { terminated, did_autoreset: last.is_some(), ..StepReply::default() })
            }
            Reply::Value(bytes) => LaneReply::Value(bytes.into()),
            Reply::Raised(text) => LaneReply::Failed(LaneError::raised(text, Vec::new())),
        }
    }

    fn peek(&mut self, lane: usize, out: &mut RowWriter<'_>) -> Option<Payload> {
        let shown = self.lock()[lane].shown;
        out.observation().write(0, &shown);
        out.infos().scalar(0, shown[1]);
        None
    }

    fn lose_host(&mut self, host: usize) -> LostLanes {
        let process = &mut self.lock()[host];
        let is_lost = process.is_asked && process.reply.is_none();
        process.is_asked &= !is_lost;
        LostLanes { lanes: vec![host as u32], lost: if is_lost { vec![host as u32] } else { Vec::new() } }
    }

    fn restart_host(&mut self, host: usize) -> Result<(), LaneError> {
        let process = &mut self.lock()[host];
        let (reply, is_asked, shown) = (process.reply.take(), process.is_asked, process.shown);
        *process = Process { reply, is_asked, shown, ..Process::start(&self.0.folder, host, self.0.is_slow) };
        Ok(())
    }
}

impl BackendWaiter for ChildBackend {
    fn wait(&self, wanted: WaitTarget<'_>, until: Instant) -> Result<()> {
        let lanes = self.lock().len();
        loop {
            let is_there = |lane: &usize| self.has_replied(*lane);
            let count = match wanted.lanes {
                Some(lanes) => lanes.iter().map(|lane| *lane as usize).filter(is_there).count(),
                None => (0..lanes).filter(is_there).count(),
            };
            let left = until.saturating_duration_since(Instant::now());
            if count >= wanted.count || left.is_zero() {
                return Ok(());
            }
            let processes = self.lock();
            let descriptor = |process: &Process| match &process.stream {
                Some(stream) => stream.as_raw_fd(),
                None => process.listener.as_raw_fd(),
            };
            let asked = processes.iter().filter(|process| process.is_asked && process.reply.is_none() && !process.is_dead);
            let poll = |process| libc::pollfd { fd: descriptor(process), events: libc::POLLIN, revents: 0 };
            let mut polled: Vec<_> = asked.map(poll).collect();
            drop(processes);
            // SAFETY: `polled` is a live array of `polled.len()` entries. Only the receiving thread, which is this one, closes
            // the descriptors.
            unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, 1 + left.as_millis() as i32) };
            if polled.iter().any(|polled| polled.revents & libc::POLLHUP != 0) {
                std::thread::yield_now(); // the socket is disconnected: the next check finds the dead process
            }
        }
    }

    fn next_loss(&self) -> Option<HostLoss> {
        let mut processes = self.lock();
        for (lane, process) in processes.iter_mut().enumerate() {
            if process.is_dead {
                continue;
            }
            let Ok(Some(status)) = process.child.try_wait() else { continue };
            process.pump(); // reads messages sent before the exit
            process.is_dead = true;
            let fault = LaneError::host_lost(format!("process of environment {lane} ended: {status}"), Vec::new());
            return Some(HostLoss { host: lane, fault });
        }
        None
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        self.lock().iter_mut().for_each(Process::end);
        Vec::new()
    }
}

mod tests {
    use envpool_rs_engine::{
        BackendSpec, Batch, Dialect, Error, Format, Outputs, Pool, PoolConfig, RecoveryConfig, RecoveryPolicy, ResetOptions,
        SeedDerivation,
    };

    use super::super::envs::COUNT;
    use super::super::fake::backend_spec;
    use super::super::{config, counts, never, recv, reset, send, step};
    use super::*;

    fn pool_of(children: &ChildBackend, config: PoolConfig, policy: RecoveryPolicy) -> Pool {
        let recovery =
            RecoveryConfig { policy, max_consecutive_losses: 3, seed_derivation: SeedDerivation::Long, repeats_episode: false };
        let form = BackendSpec { recovery, ..backend_spec(config.num_envs) };
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        Pool::with_backend(Box::new(children.clone()), form, config, outputs).unwrap()
    }

    fn pool(config: PoolConfig, policy: RecoveryPolicy) -> (Pool, ChildBackend) {
        let children = ChildBackend::new(config.num_envs, false);
        let pool = pool_of(&children, config, policy);
        reset(&pool, None).unwrap();
        (pool, children)
    }

    fn kill(children: &ChildBackend, lane: usize) {
        // SAFETY: `kill` only sends a signal. The child process has not been waited for, so its id is not reused.
        unsafe { libc::kill(children.pid(lane), libc::SIGKILL) };
    }

    #[test]
    fn the_start_of_a_slow_child_is_awaited_until_a_deadline() {
        let children = ChildBackend::new(2, true);
        let pool = pool_of(&children, config(2), RecoveryPolicy::Raise);
        let call = pool.reset(None, Vec::new(), ResetOptions::default()).unwrap();
        let late = call.run_until(&mut None, &mut never, Some(Instant::now())).err();
        assert_eq!(late, Some(Error::Timeout { lanes: vec![0, 1] }));
        std::fs::write(children.start_file(), "").unwrap();
        assert_eq!(recv(&pool).unwrap().rows(), 2);
        assert_eq!(counts(&step(&pool, None, &[COUNT; 2]).unwrap()), [1.0; 2]);
    }

    #[test]
    fn a_dead_child_fails_only_its_own_environment() {
        let (pool, _children) = pool(config(3), RecoveryPolicy::Raise);
        let Err(Error::Failed(failed)) = step(&pool, None, &[COUNT, DIE, COUNT]) else { panic!("expected a failure") };
        assert_eq!((failed.lane, failed.rows_pending), (1, 2));
        assert!(failed.fault.to_string().contains("exit status: 3"), "{failed}");
        assert_eq!(counts(&recv(&pool).unwrap()), [1.0; 2]);
        assert!(matches!(step(&pool, None, &[COUNT; 3]), Err(Error::HostLost(_))));
        assert_eq!(counts(&step(&pool, Some(&[0, 2]), &[COUNT; 2]).unwrap()), [2.0; 2]);
    }

    #[test]
    fn a_hanging_child_times_out_and_restarts_after_it_is_killed() {
        let (pool, children) = pool(config(2), RecoveryPolicy::NewEpisode);
        send(&pool, None, &[COUNT, HANG]).unwrap();
        let late = pool.recv_until(&mut None, &mut never, Some(Instant::now() + Duration::from_millis(30))).err();
        assert!(matches!(late, Some(Error::Timeout { lanes }) if lanes.contains(&1)));
        kill(&children, 1);
        let batch = recv(&pool).unwrap();
        assert_eq!((counts(&batch), &batch.restarted[..]), (vec![1.0, 0.0], &[1][..]));
        step(&pool, None, &[COUNT; 2]).unwrap();
        assert_eq!(counts(&step(&pool, None, &[COUNT; 2]).unwrap()), [3.0, 1.0]);
    }

    #[test]
    fn killed_children_resume_from_their_last_state() {
        for size in [3, 2] {
            let config = config(3).batch_size(size).unwrap();
            let children = ChildBackend::new(3, false);
            let pool = pool_of(&children, config, RecoveryPolicy::Resume { snapshot_interval: 4 });
            let receive = |count: usize| -> Vec<f64> {
                let batches: Vec<Box<Batch>> = (0..count).map(|_| recv(&pool).unwrap()).collect();
                batches.iter().flat_map(|batch| counts(batch)).collect()
            };
            pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
            if size == 3 {
                receive(1);
                for round in 1..12 {
                    send(&pool, None, &[COUNT; 3]).unwrap();
                    kill(&children, round % 3);
                    assert_eq!(receive(1), [round as f64; 3]);
                }
            } else {
                kill(&children, 0);
                pool.drain(&mut never).unwrap();
                kill(&children, 1);
                send(&pool, None, &[COUNT; 3]).unwrap();
                kill(&children, 2);
                assert_eq!(receive(1), [1.0; 2]);
            }
        }
    }

    #[test]
    fn closing_ends_the_processes() {
        let (pool, children) = pool(config(2), RecoveryPolicy::Raise);
        send(&pool, None, &[HANG; 2]).unwrap();
        pool.close();
        let ended = |process: &mut Process| process.child.try_wait().unwrap().is_some();
        assert!(children.lock().iter_mut().all(ended));
    }
}
