//! [`Counter`](super::super::envs::Counter) as an environment that gets several lanes in each call.

use std::cell::UnsafeCell;
use std::ops::Range;

use envpool_rs_engine::{
    EnvSpec, ForeignActions, ForeignEnv, ForeignLanes, ForeignProperties, ForeignResets, Frame, Group, InfoSpec, LaneSet,
    OptionSpec, OutputRows, RenderSpec, Scheduling, Space, Value, lane_end, read_value, write_value,
};
use envpool_rs_numeric::random::{Generator, Pcg64, RandomStream};

use super::super::envs::{END, PANIC};
use super::*;

/// A lane's data: the number drawn at the reset, the number of steps since the reset, the random stream, and the option `gain`.
type Lane = (f64, u32, Generator, f64);

/// Environment with observation float64 `(2,)`: a number drawn at the reset, and the number of steps since the reset. Reward: the
/// number of steps. Info: `steps`.
struct ForeignCounter(Scheduling);

struct Lanes(Box<[UnsafeCell<Lane>]>);

// SAFETY: a lane is only accessed by the holder of its `LaneSet`.
unsafe impl Sync for Lanes {}

impl Lanes {
    /// Calls `act` with each lane of a call and its position.
    fn each(&self, lanes: &LaneSet<'_>, mut act: impl FnMut(usize, &mut Lane)) {
        for (position, number) in lanes.numbers().iter().enumerate() {
            // SAFETY: `lanes` grants exclusive access to these lanes, and contains each lane once.
            act(position, unsafe { &mut *self.0[*number as usize].get() });
        }
    }

    fn single<T>(&self, lane: &LaneSet<'_>, act: impl FnOnce(&mut Lane) -> T) -> T {
        assert_eq!(lane.numbers().len(), 1);
        // SAFETY: `lane` grants exclusive access to its only lane.
        act(unsafe { &mut *self.0[lane.numbers()[0] as usize].get() })
    }
}

impl ForeignEnv for ForeignCounter {
    fn spec(&self) -> EnvSpec {
        let steps = InfoSpec::new("steps", Dtype::I64, &[]);
        let observation = Space::uniform(0.0, f64::INFINITY, &[2], Dtype::F64);
        EnvSpec { info: vec![steps], ..EnvSpec::new(observation, Space::discrete(6)) }
    }

    fn render_spec(&self) -> RenderSpec {
        RenderSpec::default()
    }

    fn properties(&self) -> ForeignProperties {
        ForeignProperties {
            scheduling: self.0,
            max_lanes: 3,
            truncation_wins: false,
            lane_bytes: size_of::<Lane>(),
            shared_bytes: 0,
            thread_bytes: 0,
        }
    }

    fn is_slow_to_load(&self) -> bool {
        false
    }

    fn load(&mut self) -> Result<()> {
        Ok(())
    }

    fn create_lanes(
        self: Box<Self>,
        lanes: Range<usize>,
        check: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Box<dyn ForeignLanes>> {
        check()?;
        Ok(Box::new(Lanes(lanes.map(|_| UnsafeCell::new((0.0, 0, Generator::new(0), 0.0))).collect())))
    }
}

impl ForeignLanes for Lanes {
    fn reset_options(&self) -> &[&'static str] {
        &[]
    }

    fn check_reset(&self, _options: &ResetOptions) -> Result<()> {
        Ok(())
    }

    fn recreate(&self, lanes: &LaneSet<'_>) -> Result<()> {
        self.each(lanes, |_, lane| (lane.0, lane.1) = (0.0, 0));
        Ok(())
    }

    fn reset(&self, lanes: &LaneSet<'_>, resets: ForeignResets<'_>) -> Result<Option<Error>> {
        self.each(lanes, |position, lane| {
            (lane.0, lane.1) = (lane.2.random(), 0);
            resets.elapsed[position] = 0;
        });
        Ok(None)
    }

    fn step(
        &self,
        lanes: &LaneSet<'_>,
        actions: &ForeignActions<'_>,
        rewards: &mut [f64],
        ends: &mut [u8],
    ) -> Result<Option<Error>> {
        assert!(lanes.numbers().len() <= 3 && rewards.iter().all(|reward| *reward == 0.0) && ends.iter().all(|end| *end == 0));
        let mut failed = false;
        self.each(lanes, |position, lane| {
            let row = actions.data()[0].wrapping_add(position * actions.strides()[0] as usize);
            // SAFETY: the key is discrete, so each lane has an int32.
            let action = unsafe { *row.cast::<i32>() };
            if action == PANIC {
                ends[position] = lane_end::FAILED;
                failed = true;
                return;
            }
            let _moves_the_stream_on = lane.2.random();
            lane.1 += 1;
            rewards[position] = lane.3 * f64::from(lane.1);
            ends[position] = if action == END { lane_end::TERMINATED } else { 0 };
        });
        Ok(failed.then(|| Error::State("it was asked to".to_owned())))
    }

    fn observe(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let (data, stride) = (rows.data()[0], rows.strides()[0] as usize);
        self.each(lanes, |position, lane| {
            // SAFETY: the observation space has two float64 elements, so each lane's row has them.
            unsafe { *data.add(position * stride).cast::<[f64; 2]>() = [lane.0, f64::from(lane.1)] };
        });
        Ok(())
    }

    fn inform(&self, lanes: &LaneSet<'_>, rows: &mut OutputRows<'_>) -> Result<()> {
        let (data, stride) = (rows.data()[0], rows.strides()[0] as usize);
        self.each(lanes, |position, lane| {
            // SAFETY: the info is one int64, so each lane's row has this element.
            unsafe { *data.add(position * stride).cast::<i64>() = i64::from(lane.1) };
        });
        Ok(())
    }

    fn seed(&self, lane: &LaneSet<'_>, seed: u64) {
        self.single(lane, |lane| lane.2 = Generator::new(seed));
    }

    fn pcg64(&self, lane: &LaneSet<'_>) -> Option<Pcg64> {
        self.single(lane, |lane| lane.2.pcg64().cloned())
    }

    fn draw_options(&self, lane: &LaneSet<'_>, draw: &mut dyn FnMut(&mut Generator)) {
        self.single(lane, |lane| draw(&mut lane.2));
    }

    fn set_options(&self, lane: &LaneSet<'_>, values: &[f64]) {
        self.single(lane, |lane| lane.3 = values[0]);
    }

    fn save(&self, lane: &LaneSet<'_>, bytes: &mut Vec<u8>) -> Result<()> {
        self.single(lane, |lane| write_value(bytes, &(lane.0, lane.1, &lane.2)))
    }

    fn load(&self, lane: &LaneSet<'_>, mut bytes: &[u8]) -> Result<()> {
        let loaded = read_value(&mut bytes)?;
        self.single(lane, |lane| (lane.0, lane.1, lane.2) = loaded);
        Ok(())
    }

    fn render_frame(&self, _lane: &LaneSet<'_>) -> Result<Frame> {
        Err(Error::State("it draws nothing".to_owned()))
    }

    fn render_text(&self, _lane: &LaneSet<'_>) -> Result<String> {
        Err(Error::State("it writes nothing".to_owned()))
    }
}

pub fn task(scheduling: Scheduling) -> Task {
    let gain = OptionSpec::new("gain", 1.0, "factor of rewards").numbers(0.0..=100.0).per_episode();
    Task::foreign("ForeignCounter-v0", "counters 1", (vec![gain], &[]), move |_| Ok(Box::new(ForeignCounter(scheduling))))
}

#[test]
fn a_foreign_counter_equals_the_scalar_counter() {
    for scheduling in [Scheduling::Uniform, Scheduling::OneByOne, Scheduling::Batched(2)] {
        let pools = [super::super::envs::counter(), task(scheduling)].map(|task| {
            let config = PoolConfig { episode_statistics: true, max_episode_steps: Some(4), ..config(10) };
            reset_pool(&task, config)
        });
        for number in 0..20_usize {
            let actions: Vec<_> = (0..10).map(|lane| if (number + lane).is_multiple_of(7) { END } else { 0 }).collect();
            let [one, other] = pools.each_ref().map(|pool| step(pool, None, &actions).unwrap());
            for column in 0..one.layout().columns.len() {
                let is_time = one.layout().columns[column].role == Role::EpisodeTime;
                assert!(is_time || one.bytes(column) == other.bytes(column), "{scheduling:?}, step {number}, column {column}");
            }
        }
    }
}

const OUTPUTS: Outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };

/// Returns the rewards of a step of all lanes.
fn rewards(pool: &Pool, action: i32) -> Vec<f64> {
    let lanes = pool.config().num_envs;
    numbers(&step(pool, None, &vec![action; lanes]).unwrap(), Role::Reward)
}

#[test]
fn one_environment_runs_groups_with_different_values() {
    let task = task(Scheduling::Uniform);
    let options = |gain: f64| task.resolve(&[("gain".to_owned(), Value::Float(gain))]).unwrap();
    let group = |gain: f64, num_envs| Group { task: &task, options: options(gain), max_episode_steps: None, num_envs };
    let pool = Pool::with_groups(&[group(2.0, 2), group(3.0, 1), group(4.0, 1)], config(4), OUTPUTS).unwrap();
    reset(&pool, None).unwrap();
    assert_eq!(rewards(&pool, 0), [2.0, 2.0, 3.0, 4.0]);
    let states = pool.get_state(Some(&[2])).unwrap();
    assert!(pool.set_state(&states, Some(&[3])).is_err(), "the lanes were made with other values");
    pool.set_options(Some(&[1, 2]), &[[("gain".to_owned(), Value::Float(5.0))].into()]).unwrap();
    assert_eq!(rewards(&pool, END), [4.0, 4.0, 6.0, 8.0]);
    assert_eq!(rewards(&pool, 0), [0.0; 4]); // the next episodes begin
    assert_eq!(rewards(&pool, 0), [2.0, 5.0, 5.0, 4.0]);
    pool.set_state(&states, Some(&[2])).unwrap();
    assert_eq!(rewards(&pool, 0), [4.0, 10.0, 6.0, 8.0]);
}
