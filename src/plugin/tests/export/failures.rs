//! Tests panics and errors of exported environments.

use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::{
    Action, AutoresetMode, Dialect, Dtype, Env, EnvSpec, Error, Format, LaneStep, OptionSpec, Options, Outputs, Pool,
    ResetOptions, Result, Row, Scheduling, Space,
};
use envpool_rs_numeric::random::RandomState;
use envpool_rs_plugin::export::ExportedTask;

use super::{config, loaded, never, options, reset};

/// Environment in which action 1 panics and action 2 raises an error. The option `at` names a function that fails.
struct Failing<const TOGETHER: bool> {
    at: String,
}

impl<const TOGETHER: bool> Failing<TOGETHER> {
    fn fail_at(&self, function: &str) {
        assert!(self.at != function, "{function} was asked to fail");
    }
}

impl<const TOGETHER: bool> Env for Failing<TOGETHER> {
    type State = f64;
    type Random = RandomState;
    const SCHEDULING: Scheduling = if TOGETHER { Scheduling::Batched(4) } else { Scheduling::OneByOne };

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("at", "", "function that fails")]
    }

    fn new(options: &Options) -> Result<Self> {
        let at = options.text("at").unwrap_or_default().to_owned();
        if at == "new" { Err(Error::value("at", at, "another function")) } else { Ok(Self { at }) }
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F64), Space::discrete(3))
    }

    fn create(&self, lane: usize) -> Result<f64> {
        if self.at == "create" && lane == 2 { Err(Error::State("no licence".into())) } else { Ok(0.0) }
    }

    fn reset(&self, state: &mut f64, _: &ResetOptions, random: &mut RandomState) {
        self.fail_at("reset");
        *state = random.uniform(0.0, 1.0);
    }

    fn step(&self, state: &mut f64, action: &Action<'_>, rewards: &mut [f64], random: &mut RandomState) -> bool {
        match action.discrete() {
            1 => panic!("the pole broke"),
            2 => Error::State("the track ended".into()).raise(),
            _ => {}
        }
        *state = random.uniform(0.0, 1.0);
        rewards[0] = *state;
        false
    }

    fn step_lanes(&self, lanes: &mut [LaneStep<'_, Self>]) {
        for lane in lanes {
            match lane.action.discrete() {
                0 => lane.rewards[0] = 5.0,
                _ => lane.error = Some(Error::State("the track ended".into())),
            }
        }
    }

    fn observe(&self, state: &f64, out: &mut Row<'_>) {
        self.fail_at("observe");
        out.scalar(0, *state);
    }

    fn is_valid(&self, state: &f64) -> bool {
        self.fail_at("is_valid");
        (0.0..=1.0).contains(state)
    }
}

static CREATED: AtomicUsize = AtomicUsize::new(0);
static CLOSED: AtomicUsize = AtomicUsize::new(0);

/// Environment that counts its states. The creation of lane 2 fails by a panic or an error.
struct Counted {
    panics: bool,
}

impl Env for Counted {
    type State = f64;
    type Random = RandomState;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("panics", false, "whether creation panics")]
    }

    fn new(options: &Options) -> Result<Self> {
        Ok(Self { panics: options.bool("panics") })
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 1.0, &[1], Dtype::F64), Space::discrete(3))
    }

    fn create(&self, lane: usize) -> Result<f64> {
        assert!(lane != 2 || !self.panics, "no licence");
        if lane == 2 {
            return Err(Error::State("no licence".into()));
        }
        CREATED.fetch_add(1, Ordering::Relaxed);
        Ok(0.0)
    }

    fn close(&self, _: f64) {
        CLOSED.fetch_add(1, Ordering::Relaxed);
    }

    fn reset(&self, _: &mut f64, _: &ResetOptions, _: &mut RandomState) {}

    fn step(&self, _: &mut f64, _: &Action<'_>, _: &mut [f64], _: &mut RandomState) -> bool {
        false
    }

    fn observe(&self, state: &f64, out: &mut Row<'_>) {
        out.scalar(0, *state);
    }
}

#[test]
fn states_are_closed_if_the_creation_of_another_one_fails() {
    let task = loaded("exported/Counted-v0", ExportedTask::env::<Counted>("exported/Counted-v0"));
    for panics in [false, true] {
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let made = Pool::new(task, &options(task, &[("panics", panics.into())]), config(4, AutoresetMode::NextStep), outputs);
        assert!(made.err().unwrap().to_string().contains("no licence"), "panics: {panics}");
        assert_eq!(CREATED.load(Ordering::Relaxed), CLOSED.load(Ordering::Relaxed), "panics: {panics}");
        assert!(CREATED.load(Ordering::Relaxed) > 0);
    }
}

fn pool<const TOGETHER: bool>(id: &'static str, at: &str) -> Result<Pool> {
    let task = super::REGISTRY.task(id).unwrap_or_else(|_| loaded(id, ExportedTask::env::<Failing<TOGETHER>>(id)));
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    Pool::new(task, &options(task, &[("at", at.into())]), config(4, AutoresetMode::NextStep), outputs)
}

fn step(pool: &Pool, actions: [i32; 4]) -> Result<Vec<f64>> {
    let mut call = pool.step(None)?;
    call.set_action(0, &actions)?;
    let batch = call.run(&mut None, &mut never)?;
    Ok(batch.values(envpool_rs_engine::Role::Reward).unwrap().to_vec())
}

fn failed_lanes(error: &Error) -> (usize, Vec<u32>) {
    let Error::Failed(failure) = error else { panic!("{error}") };
    (failure.lane, failure.others.clone())
}

#[test]
fn a_panic_and_a_raised_error_fail_their_lanes_only() {
    let pool = pool::<false>("exported/Failing-v0", "").unwrap();
    reset(&pool, Vec::new(), ResetOptions::default());
    let panicked = step(&pool, [0, 1, 0, 0]).unwrap_err();
    assert_eq!(failed_lanes(&panicked), (1, vec![]));
    assert!(panicked.to_string().contains("the pole broke"), "{panicked}");
    assert_eq!(pool.recv(&mut None, &mut never).unwrap().rows(), 3);
    pool.reset(Some(&[1]), Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap();
    let raised = step(&pool, [0, 0, 0, 2]).unwrap_err();
    assert_eq!(failed_lanes(&raised), (3, vec![]));
    assert!(raised.to_string().contains("the track ended"), "{raised}");
    assert_eq!(pool.recv(&mut None, &mut never).unwrap().rows(), 3);
    reset(&pool, Vec::new(), ResetOptions::default());
    assert!(step(&pool, [0; 4]).unwrap().iter().all(|reward| (0.0..1.0).contains(reward)));
}

#[test]
fn a_lane_of_a_group_fails_alone() {
    let pool = pool::<true>("exported/FailingTogether-v0", "").unwrap();
    reset(&pool, Vec::new(), ResetOptions::default());
    let error = step(&pool, [0, 0, 1, 0]).unwrap_err();
    assert_eq!(failed_lanes(&error), (2, vec![]));
    assert_eq!(pool.recv(&mut None, &mut never).unwrap().rows(), 3);
    reset(&pool, Vec::new(), ResetOptions::default());
    assert_eq!(step(&pool, [0; 4]).unwrap(), [5.0; 4]);
}

#[test]
fn failures_before_the_first_step_name_the_library_and_the_task() {
    for (at, expected) in [("new", "at=new: expected another function"), ("create", "no licence")] {
        let error = pool::<false>("exported/FailingEarly-v0", at).err().unwrap().to_string();
        assert!(error.contains("exported") && error.contains("FailingEarly-v0") && error.contains(expected), "{error}");
    }
    for at in ["reset", "observe"] {
        let pool = pool::<false>("exported/FailingEarly-v0", at).unwrap();
        let error = pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut never).unwrap_err();
        assert!(error.to_string().contains(&format!("{at} was asked to fail")), "{error}");
    }
}

#[test]
fn states_that_the_environment_refuses_are_refused() {
    let pool_of = |at| {
        let pool = pool::<false>("exported/FailingStates-v0", at).unwrap();
        reset(&pool, Vec::new(), ResetOptions::default());
        pool
    };
    let (good, refusing) = (pool_of(""), pool_of("is_valid"));
    let states = good.get_state(None).unwrap();
    good.set_state(&states, None).unwrap();
    // Either the pool refuses the snapshot, because the option `at` differs, or the environment refuses it.
    assert!(refusing.set_state(&states, None).is_err());
    let own = refusing.get_state(None).unwrap();
    let error = refusing.set_state(&own, None).unwrap_err().to_string();
    assert!(error.contains("is_valid was asked to fail"), "{error}");
    for cut in 0..states[0].len() {
        assert!(good.set_state(&[&states[0][..cut]], Some(&[0])).is_err());
    }
}
