//! Test environments whose behaviour follows their actions.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use envpool_rs_engine::{
    Action, Dtype, Env, EnvSpec, Frame, InfoSpec, Kernel, Options, RenderSpec, ResetOptions, Result, Row, Space, Task,
};
use envpool_rs_numeric::random::Generator;

/// Action with which an environment counts a step.
pub const COUNT: i32 = 0;
/// Action with which an environment counts a step and ends the episode.
pub const END: i32 = 1;
/// Action with which an environment panics.
pub const PANIC: i32 = 2;
/// Action with which an environment counts a step after a delay of [`A_WHILE`].
pub const LINGER: i32 = 3;
/// Action with which an environment counts a step once [`GATE`] is open.
pub const WAIT: i32 = 4;
/// Action with which an environment counts a step. Its state can then be saved, but no environment can load it.
pub const SPOIL: i32 = 5;
/// Action with which an environment panics, and the destructor of the panic's payload panics, too.
pub const BURST: i32 = 6;

/// Number of steps after which rendering fails.
pub const UNDRAWABLE: u32 = 3;

/// Maximum time for which a test waits. It is long because tests may run on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Waits until work of another thread makes `is_so` return true. Panics after [`PATIENCE`].
pub fn until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it never came to be");
        std::thread::yield_now();
    }
}

/// Delay of a [`LINGER`] step.
pub const A_WHILE: Duration = Duration::from_millis(30);

/// Barrier at which [`WAIT`] steps block while a test has closed it. One test at a time can close it.
pub struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
    turn: Mutex<()>,
}

struct GateState {
    open: bool,
    /// Number of times the gate was opened. A step that arrived before an opening passes, even if it wakes up after the gate has
    /// been closed again.
    openings: usize,
    /// Number of steps that are blocked at the closed gate.
    waiting: usize,
}

pub static GATE: Gate =
    Gate { state: Mutex::new(GateState { open: true, openings: 0, waiting: 0 }), changed: Condvar::new(), turn: Mutex::new(()) };

impl Gate {
    /// Runs `test` with the gate closed, and opens it afterwards.
    pub fn closed(&self, test: impl FnOnce()) {
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.state.lock().unwrap().open = false;
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test));
        self.open();
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }

    pub fn open(&self) {
        let mut state = self.state.lock().unwrap();
        state.open = true;
        state.openings += 1;
        state.waiting = 0;
        self.changed.notify_all();
    }

    /// Waits until `steps` steps are blocked at the closed gate. Panics if their number stays different.
    pub fn holds(&self, steps: usize) {
        let state = self.state.lock().unwrap();
        let (state, _) = self.changed.wait_timeout_while(state, PATIENCE, |state| state.waiting < steps).unwrap();
        let waiting = state.waiting;
        drop(state);
        assert_eq!(waiting, steps, "steps that came to the gate");
    }

    pub fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        if state.open {
            return;
        }
        let openings = state.openings;
        state.waiting += 1;
        self.changed.notify_all();
        let _passed = self.changed.wait_while(state, |state| state.openings == openings).unwrap();
    }
}

/// Returns a number of the calling thread, which no other thread has.
pub fn thread_number() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    thread_local! {
        static NUMBER: u32 = LAST.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|number| *number)
}

thread_local! {
    static COUNTERS: RefCell<Vec<Weak<()>>> = const { RefCell::new(Vec::new()) };
}

/// Returns how many of these [`Counter`]s have not been dropped.
pub fn alive(counters: &[Weak<()>]) -> usize {
    counters.iter().filter(|counter| counter.strong_count() > 0).count()
}

/// Calls `make`; returns the [`Counter`]s that this thread created meanwhile, and the result of `make`.
pub fn counters_of<T>(make: impl FnOnce() -> T) -> (Vec<Weak<()>>, T) {
    COUNTERS.take();
    let made = make();
    (COUNTERS.take(), made)
}

/// Environment that counts its steps. Observation float64 `(2,)`: a number drawn at the reset, and the number of steps since.
/// Reward: the number of steps. Info: `steps`.
pub struct Counter {
    _alive: Arc<()>,
}

/// Payload of a panic whose destructor panics.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("it was asked to");
    }
}

impl Env for Counter {
    type State = (f64, u32);
    type Random = Generator;

    fn new(_options: &Options) -> Result<Self> {
        let alive = Arc::new(());
        COUNTERS.with_borrow_mut(|counters| counters.push(Arc::downgrade(&alive)));
        Ok(Self { _alive: alive })
    }

    fn spec(&self) -> EnvSpec {
        let steps = InfoSpec::new("steps", Dtype::I64, &[]);
        let observation = Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64);
        EnvSpec { info: vec![steps], ..EnvSpec::new(observation, Space::discrete(7)) }
    }

    fn create(&self, _lane: usize) -> Result<Self::State> {
        Ok((0.0, 0))
    }

    fn reset(&self, state: &mut Self::State, _options: &ResetOptions, rng: &mut Generator) {
        *state = (rng.random(), 0);
    }

    fn step(&self, state: &mut Self::State, action: &Action<'_>, rewards: &mut [f64], rng: &mut Generator) -> bool {
        match action.discrete() {
            PANIC => panic!("it was asked to"),
            BURST => std::panic::panic_any(Bomb),
            LINGER => std::thread::sleep(A_WHILE),
            WAIT => GATE.pass(),
            SPOIL => state.0 = -1.0,
            _ => {}
        }
        let _moves_the_stream_on = rng.random();
        state.1 += 1;
        rewards[0] = f64::from(state.1);
        action.discrete() == END
    }

    fn observe(&self, state: &Self::State, out: &mut Row<'_>) {
        out.write(0, &[state.0, f64::from(state.1)]);
    }

    fn info(&self, state: &Self::State, out: &mut Row<'_>) {
        out.scalar(0, i64::from(state.1));
    }

    fn is_valid(&self, state: &Self::State) -> bool {
        (0.0..1.0).contains(&state.0)
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(2, 1, 10).with_text()
    }

    fn render_frame(&self, state: &Self::State, _size: (u32, u32)) -> Frame {
        assert!(state.1 != UNDRAWABLE, "it was asked to");
        Frame::new(2, 1, vec![state.1 as u8; 6])
    }

    fn render_text(&self, state: &Self::State) -> String {
        format!("{} steps", state.1)
    }
}

/// [`Counter`] as a kernel, which is stepped in blocks of lanes. Observations are float32; the kernel accepts [`COUNT`] and
/// [`END`] only. Without infos, blocks in which no episode ends need no work lane by lane.
pub struct BlockCounter<const INFOS: bool>;

impl<const INFOS: bool> Kernel for BlockCounter<INFOS> {
    type Action = i32;
    type Fields<const W: usize> = [[f64; W]; 2];
    type Observation<const W: usize> = [[f32; W]; 2];

    fn new(_options: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let steps = InfoSpec::new("steps", Dtype::I64, &[]);
        let observation = Space::vector(&[0.0; 2], &[f64::INFINITY; 2]);
        let info = if INFOS { vec![steps] } else { Vec::new() };
        EnvSpec { info, ..EnvSpec::new(observation, Space::discrete(2)) }
    }

    fn reset(&self, fields: &mut [f64], _options: &ResetOptions, rng: &mut Generator) {
        fields.copy_from_slice(&[rng.random(), 0.0]);
    }

    fn step<const W: usize>(
        &self,
        fields: &mut [[f64; W]],
        action: &[i32; W],
        reward: &mut [f64; W],
        terminated: &mut [bool; W],
    ) {
        for i in 0..W {
            fields[1][i] += 1.0;
            reward[i] = fields[1][i];
            terminated[i] = action[i] == END;
        }
    }

    fn info(&self, index: usize, fields: &[f64], out: &mut Row<'_>) {
        out.scalar(index, fields[1]);
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::with_frame_size(2, 1, 10)
    }

    fn render_frame(&self, fields: &[f64], _size: (u32, u32)) -> Frame {
        Frame::new(2, 1, vec![fields[1] as u8; 6])
    }
}

pub fn counter() -> Task {
    Task::env::<Counter>("Counter-v0")
}

pub fn block_counter() -> Task {
    Task::kernel::<BlockCounter<true>>("BlockCounter-v0")
}

/// Returns the task of a [`BlockCounter`] without infos.
pub fn bare_block_counter() -> Task {
    Task::kernel::<BlockCounter<false>>("BareBlockCounter-v0")
}

/// Returns two tasks of counters: one whose lanes are stepped one by one, and one whose lanes are stepped in blocks.
pub fn both() -> [Task; 2] {
    [counter(), block_counter()]
}
