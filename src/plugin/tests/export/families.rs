//! Tests exported environments of the small families: kernels, numpy's legacy streams, several players, Dict and text spaces.

use envpool_rs_engine::{
    Action, AutoresetMode, Dialect, Distribution, Dtype, Env, EnvSpec, EpisodeEnd, Format, Group, InfoSpec, Kernel, Options,
    Outputs, Pool, ResetOptions, Result, Row, Space, Task, Value,
};
use envpool_rs_envs_classic::bsuite::catch::Catch;
use envpool_rs_envs_classic::classic_control::cart_pole::CartPole;
use envpool_rs_envs_classic::classic_control::mountain_car::MountainCar;
use envpool_rs_envs_classic::classic_control::mountain_car_continuous::MountainCarContinuous;
use envpool_rs_envs_classic::classic_control::pendulum::Pendulum;
use envpool_rs_envs_classic::mpe::simple_speaker_listener::SimpleSpeakerListener;
use envpool_rs_envs_classic::mpe::simple_spread::SimpleSpread;
use envpool_rs_envs_classic::testing::echo::Echo;
use envpool_rs_envs_classic::toy_text::cliff_walking::CliffWalking;
use envpool_rs_envs_classic::toy_text::n_chain::NChain;
use envpool_rs_envs_classic::toy_text::taxi::Taxi;
use envpool_rs_numeric::random::{Generator, RandomStream, StdMt19937};
use envpool_rs_plugin::export::ExportedTask;

use super::plain::Plain;
use super::{bytes, compare, compare_pools, config, loaded, options, reset, step};

fn compare_env<E: Env>(id: &'static str) {
    compare(&Task::env::<Plain<E>>("native"), loaded(id, ExportedTask::env::<Plain<E>>(id)), 150);
}

fn compare_kernel<K: Kernel>(id: &'static str) {
    let native = Task::kernel::<K>("native").max_episode_steps(60);
    compare(&native, loaded(id, ExportedTask::kernel::<K>(id).max_episode_steps(60)), 300);
}

#[test]
fn exported_kernels_equal_the_built_in_ones() {
    compare_kernel::<CartPole>("exported/CartPole-v1");
    compare_kernel::<MountainCar>("exported/MountainCar-v0");
    compare_kernel::<MountainCarContinuous>("exported/MountainCarContinuous-v0");
    compare_kernel::<Pendulum<1>>("exported/Pendulum-v1");
}

#[test]
fn exported_small_environments_equal_the_built_in_ones() {
    compare_env::<NChain>("exported/NChain-v0");
    compare_env::<CliffWalking>("exported/CliffWalking-v1");
    compare_env::<Taxi<3>>("exported/Taxi-v3");
}

#[test]
fn custom_random_streams_are_part_of_the_state() {
    compare_env::<Catch>("exported/Catch-v0");
}

#[test]
fn dict_and_text_spaces_and_double_actions_are_exported() {
    compare_env::<Echo>("exported/Echo-v0");
}

#[test]
fn players_have_their_own_rows_or_spaces() {
    compare_env::<SimpleSpread>("exported/SimpleSpread-v3");
    compare_env::<SimpleSpeakerListener>("exported/SimpleSpeakerListener-v4");
}

/// Environment whose episodes end by its own limit, by its rules, or by both. An episode may continue a longer game.
///
/// The random stream is that of C++'s `mt19937`. New episodes start with 4, 3, ... elapsed steps, so that episodes also reach the
/// pool's time limit.
struct Continuing;

impl Env for Continuing {
    type State = (u32, i32);
    type Random = StdMt19937;
    const TRUNCATION_WINS: bool = true;

    fn new(_: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let steps = InfoSpec::new("steps", Dtype::I64, &[]).only_after_steps();
        let last = InfoSpec::new("last", Dtype::I32, &[2]).only_after_terminations();
        EnvSpec { info: vec![steps, last], ..EnvSpec::new(Space::uniform(0.0, 1e9, &[2], Dtype::I64), Space::discrete(2)) }
    }

    fn create(&self, lane: usize) -> Result<(u32, i32)> {
        Ok((lane as u32, 0))
    }

    fn reset(&self, state: &mut (u32, i32), _: &ResetOptions, random: &mut StdMt19937) {
        *state = (random.integer_between(0, 1 << 30) as u32, 0);
    }

    fn next_episode(&self, state: &mut (u32, i32), ended: EpisodeEnd, random: &mut StdMt19937) -> i32 {
        if ended.at_limit || state.0.is_multiple_of(4) {
            self.reset(state, &ResetOptions::default(), random);
            return 0;
        }
        state.0 += 1;
        ended.elapsed
    }

    fn step(&self, state: &mut (u32, i32), action: &Action<'_>, rewards: &mut [f64], random: &mut StdMt19937) -> bool {
        *state = (random.integer_between(0, 1 << 30) as u32, state.1 + 1);
        rewards[0] = f64::from(state.1);
        state.0.is_multiple_of(5) && action.discrete() == 1
    }

    fn is_truncated(&self, state: &(u32, i32)) -> bool {
        state.0.is_multiple_of(3)
    }

    fn has_zero_discount(&self, state: &(u32, i32)) -> bool {
        state.0.is_multiple_of(7)
    }

    fn observe(&self, state: &(u32, i32), out: &mut Row<'_>) {
        out.write(0, &[i64::from(state.0), i64::from(state.1)]);
    }

    fn info(&self, state: &(u32, i32), out: &mut Row<'_>) {
        out.scalar(0, state.1);
        out.write(1, &[state.1, state.0 as i32]);
    }
}

#[test]
fn episode_ends_and_games_of_several_episodes_are_equal() {
    compare_env::<Continuing>("exported/Continuing-v0");
}

#[test]
fn reset_options_reach_the_environment_and_are_checked() {
    let exported = loaded("exported/ResetOptions-v1", ExportedTask::kernel::<CartPole>("exported/ResetOptions-v1"));
    let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
    let pools = [&Task::kernel::<CartPole>("native"), exported]
        .map(|task| Pool::new(task, &options(task, &[]), config(5, AutoresetMode::NextStep), outputs).unwrap());
    let bounds = |low, high| ResetOptions::new(vec![("low".to_owned(), low), ("high".to_owned(), high)]);
    let [native, exported] = pools.each_ref().map(|pool| reset(pool, vec![Some(4); 5], bounds(0.5, 0.75)));
    assert_eq!(bytes(&native), bytes(&exported));
    let only_high = ResetOptions::new(vec![("high".to_owned(), 2.0)]);
    let [native, exported] = pools.each_ref().map(|pool| reset(pool, vec![Some(4); 5], only_high.clone()));
    assert_eq!(bytes(&native), bytes(&exported));
    let [native, exported] =
        pools.each_ref().map(|pool| pool.reset(None, Vec::new(), bounds(0.5, 0.25)).err().unwrap().to_string());
    assert!(exported.ends_with(&native), "{exported:?} does not contain {native:?}");
}

/// Compares the episodes of two pools whose options change while they run.
fn compare_changes(native: &Task, exported: &Task, option: &str, values: [f64; 3]) {
    let value = |value: f64| vec![(option.to_owned(), Value::Float(value))];
    for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        let drawn = Value::Distribution(Distribution::Uniform(values[0], values[1]));
        let pools = [native, exported].map(|task| {
            let own = |given: Value| options(task, &[(option, given)]);
            let fixed = Value::Distribution(Distribution::Choice(vec![Value::Float(values[2])]));
            let group = |options, num_envs| Group { task, options, max_episode_steps: Some(7), num_envs };
            let groups = [group(own(drawn.clone()), 20), group(own(fixed), 17)];
            let pool = Pool::with_groups(&groups, config(37, mode), outputs).unwrap();
            reset(&pool, Vec::new(), ResetOptions::default());
            pool.set_options(Some(&[1, 2, 30]), &[value(values[1]).into()]).unwrap();
            let queued =
                [ResetOptions::default().with_seed(3), ResetOptions::default().with_values(value(values[2])).with_seed(4)];
            pool.queue_resets(&[5, 5], queued.to_vec()).unwrap();
            pool
        });
        compare_pools([&pools[0], &pools[1]], 60, 3, &format!("{} {mode:?}", native.id));
        let [ours, theirs] = pools.each_ref().map(|pool| pool.options(None).unwrap());
        assert!(ours.iter().zip(&theirs).all(|(one, other)| one.get(option) == other.get(option)));
        let states = pools[1].get_state(None).unwrap();
        let steps = |pool: &Pool| {
            let mut random = Generator::new(9);
            (0..20).map(|_| bytes(&step(pool, &mut random).unwrap()).concat()).collect::<Vec<_>>()
        };
        let expected = steps(&pools[1]);
        pools[1].set_state(&states, None).unwrap();
        assert!(steps(&pools[1]) == expected, "{} {mode:?}: after a snapshot", native.id);
    }
}

#[test]
fn options_of_exported_environments_change_from_episode_to_episode() {
    let kernel = loaded("exported/Changing-v0", ExportedTask::kernel::<Pendulum<1>>("exported/Changing-v0"));
    compare_changes(&Task::kernel::<Pendulum<1>>("native"), kernel, "g", [2.0, 9.0, 4.0]);
    let env = ExportedTask::env::<Plain<NChain>>("exported/ChangingChain-v0");
    let chain = loaded("exported/ChangingChain-v0", env);
    compare_changes(&Task::env::<Plain<NChain>>("native"), chain, "slip", [0.2, 0.9, 0.5]);
}
