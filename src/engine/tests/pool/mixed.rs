//! Tests pools of different environments, and options that change from episode to episode.

use std::sync::atomic::{AtomicUsize, Ordering};

use envpool_rs_engine::{Action, Distribution, Env, EnvSpec, Group, OptionSpec, Registry, Row, Space, Value};
use envpool_rs_numeric::random::Generator;
use proptest::prelude::*;

use super::envs::{COUNT, GATE, PANIC, WAIT, counter};
use super::failures::quietly;
use super::*;

const MODES: [AutoresetMode; 2] = [AutoresetMode::NextStep, AutoresetMode::SameStep];

fn outputs() -> Outputs {
    Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium }
}

fn group<'a>(registry: &'a Registry, id: &str, given: &[(&str, Value)], num_envs: usize, limit: u32) -> Group<'a> {
    let task = registry.task(id).unwrap();
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Group { task, options: task.resolve(&given).unwrap(), max_episode_steps: Some(limit), num_envs }
}

fn mixed(groups: &[Group<'_>], config: PoolConfig) -> Pool {
    Pool::with_groups(groups, config, outputs()).unwrap()
}

fn refusal(groups: &[Group<'_>]) -> String {
    let count = groups.iter().map(|group| group.num_envs).sum::<usize>();
    message(Pool::with_groups(groups, config(count as i64), outputs()))
}

/// Returns the rows of a batch: for each, the environment id and the values of all columns.
fn rows(batch: &Batch) -> Vec<(usize, Vec<f64>)> {
    let columns: Vec<_> = batch.layout().columns.iter().map(|column| column.role).collect();
    let count = ids(batch).len();
    let columns: Vec<_> = columns.into_iter().filter(|role| *role != Role::EnvId && *role != Role::PlayerEnvId).collect();
    let numbers: Vec<_> = columns.into_iter().map(|role| numbers(batch, role)).collect();
    let row = |row: usize| {
        numbers.iter().flat_map(move |column| column[row * (column.len() / count)..][..column.len() / count].to_vec())
    };
    ids(batch).iter().enumerate().map(|(index, id)| (*id as usize, row(index).collect())).collect()
}

fn torque(id: usize, number: usize) -> f32 {
    ((id * 7 + number * 3) % 9) as f32 / 2.0 - 2.0
}

fn push(pool: &Pool, ids: &[i64], played: &[Vec<Vec<f64>>]) {
    let torques: Vec<_> = ids.iter().map(|id| torque(*id as usize, played[*id as usize].len())).collect();
    let mut call = pool.step(Some(ids)).unwrap();
    call.set_action(0, &torques).unwrap();
    call.send(None).unwrap();
}

/// Runs environment `id` of a group in a pool of one environment, and returns the environment's rows.
fn alone(group: &Group<'_>, config: &PoolConfig, id: usize, steps: usize) -> Vec<Vec<f64>> {
    let config = PoolConfig { seeds: vec![config.seeds[id]], num_envs: 1, batch_size: 1, ..config.clone() };
    let pool = mixed(&[Group { num_envs: 1, ..group.clone() }], config);
    reset(&pool, None).unwrap();
    let step = |number| {
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[torque(id, number)]).unwrap();
        rows(&call.run(&mut None, &mut never).unwrap()).remove(0).1
    };
    (0..steps).map(step).collect()
}

/// Returns groups with 34 pendulums in total. Gravities are fixed, or drawn for each episode if `drawn`.
fn pendulums(registry: &Registry, drawn: bool) -> Vec<Group<'_>> {
    let gravity = |g: f64| if drawn { Value::Distribution(Distribution::Uniform(g, g + 1.0)) } else { g.into() };
    let runs = [(9.0, 1, 4), (2.5, 19, 6), (10.0, 2, 3), (1.0, 3, 5), (9.0, 9, 7)];
    runs.into_iter().map(|(g, count, limit)| group(registry, "Pendulum-v1", &[("g", gravity(g))], count, limit)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_environment_of_a_mixed_pool_equals_a_separate_environment(
        same_step: bool,
        drawn: bool,
        batch_size in proptest::sample::select(vec![1_i64, 2, 17, 34]),
        threads in 1..4_i64,
        portions in proptest::collection::vec(proptest::collection::vec(0..34_i64, 1..34), 1..24),
    ) {
        let registry = classic();
        let groups = pendulums(&registry, drawn);
        let size = config(34).batch_size(batch_size).unwrap().num_threads(threads).unwrap();
        let size = PoolConfig { autoreset_mode: MODES[usize::from(same_step)], ..size };
        let pool = mixed(&groups, size.clone());
        pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
        (0..34 / batch_size).for_each(|_| _ = recv(&pool).unwrap());
        let mut played = vec![Vec::new(); 34];
        for mut portion in portions {
            // Each batch must contain distinct environments, in any order.
            let mut seen = std::collections::HashSet::new();
            portion.retain(|id| seen.insert(*id));
            portion.truncate(portion.len() - portion.len() % if pool.is_async() { batch_size as usize } else { 1 });
            if portion.is_empty() {
                continue;
            }
            push(&pool, &portion, &played);
            for _ in 0..if pool.is_async() { portion.len() / batch_size as usize } else { 1 } {
                rows(&recv(&pool).unwrap()).into_iter().for_each(|(id, row)| played[id].push(row));
            }
        }
        let group_of = |id: usize| groups.iter().scan(0, |end, group| { *end += group.num_envs; Some((*end, group)) }).find(|(end, _)| id < *end);
        for (id, shown) in played.iter().enumerate().filter(|(_, shown)| !shown.is_empty()) {
            prop_assert_eq!(shown, &alone(group_of(id).unwrap().1, &size, id, shown.len()), "environment {}", id);
        }
    }
}

#[test]
fn tasks_with_equal_spaces_share_a_pool_with_their_own_time_limits() {
    let registry = classic();
    let groups = [group(&registry, "CartPole-v0", &[], 2, 3), group(&registry, "CartPole-v1", &[], 2, 5)];
    let pool = mixed(&groups, config(4));
    reset(&pool, None).unwrap();
    let truncated = |number: i32| numbers(&step(&pool, None, &[number % 2; 4]).unwrap(), Role::Truncated);
    let rows: Vec<_> = (0..5).map(truncated).collect();
    assert_eq!(rows[2], [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(rows[4], [0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn environments_whose_spaces_differ_are_refused_by_name() {
    let registry = classic();
    let lakes = [group(&registry, "FrozenLake-v1", &[], 3, 100), group(&registry, "FrozenLake8x8-v1", &[], 1, 100)];
    let text = refusal(&lakes);
    assert!(text.contains("environments 0 (FrozenLake-v1) and 3 (FrozenLake8x8-v1) cannot share a pool"), "{text}");
    assert!(text.contains("the observation space of the one is Discrete(16), of the other Discrete(64)"), "{text}");
    let sizes = [group(&registry, "SimpleSpread-v3", &[], 1, 9), group(&registry, "SimpleSpread-v3", &[("N", 2.into())], 1, 9)];
    assert!(refusal(&sizes).contains("observation space"));
    let drawn = Value::Distribution(Distribution::Uniform(1.0, 2.0));
    let infos = [group(&registry, "Pendulum-v1", &[], 1, 9), group(&registry, "Pendulum-v1", &[("g", drawn)], 1, 9)];
    assert!(refusal(&infos).contains("list of infos of the one is []"));
}

#[test]
fn parts_that_do_not_cover_the_pool_are_refused() {
    let registry = classic();
    let two = [group(&registry, "CartPole-v1", &[], 2, 9)];
    assert!(message(Pool::with_groups(&two, config(3), outputs())).contains("num_envs=3: expected the 2 environments"));
    assert!(message(Pool::with_groups(&[], config(3), outputs())).contains("num_envs=3"));
}

#[test]
fn invalid_parts_are_refused() {
    let registry = classic();
    let part = |num_envs, limit| Group { num_envs, ..group(&registry, "CartPole-v1", &[], 1, limit) };
    let text = message(Pool::with_groups(&[part(usize::MAX, 9), part(4, 9)], config(3), outputs()));
    assert!(text.contains("num_envs=3: expected the more than"), "{text}");
    let text = message(Pool::with_groups(&[part(2, 9), part(1, 0)], config(3), outputs()));
    assert!(text.contains("max_episode_steps=0: expected 1 or more"), "{text}");
    let other = group(&registry, "Pendulum-v1", &[], 1, 9).options;
    let text = message(Pool::with_groups(&[Group { options: other, ..part(3, 9) }], config(3), outputs()));
    assert!(text.contains("options are not for task CartPole-v1"), "{text}");
}

/// Environment type that several tasks use; its observation is the number of the task.
struct Numbered(u8);

/// Number of environments that were made with a gain that one test uses.
static MADE: AtomicUsize = AtomicUsize::new(0);
const COUNTED_GAIN: f64 = 7.25;

impl Env for Numbered {
    type State = ();
    type Random = Generator;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::new("gain", 1.0, "").per_episode()]
    }

    fn new(options: &Options) -> Result<Self> {
        assert_eq!(options.variant::<u16>(), None, "it is of another type");
        MADE.fetch_add(usize::from(options.get("gain") == &Value::Float(COUNTED_GAIN)), Ordering::Relaxed);
        options.variant().map(|number| Self(*number)).ok_or_else(|| Error::Value("a task without a number".into()))
    }

    fn spec(&self) -> EnvSpec {
        EnvSpec::new(Space::uniform(0.0, 255.0, &[1], Dtype::U8), Space::discrete(1))
    }

    fn create(&self, _lane: usize) -> Result<()> {
        Ok(())
    }

    fn reset(&self, (): &mut (), _options: &ResetOptions, _random: &mut Generator) {}

    fn step(&self, (): &mut (), _action: &Action<'_>, rewards: &mut [f64], _random: &mut Generator) -> bool {
        rewards[0] = 0.0;
        false
    }

    fn observe(&self, (): &(), out: &mut Row<'_>) {
        out.write(0, &[self.0]);
    }
}

#[test]
fn an_environment_reads_the_variant_of_its_task() {
    let first = Task::env::<Numbered>("First-v0").variant(&1_u8);
    let mut registry = Registry::default();
    registry.add([first.with_id("AlsoFirst-v0"), Task::env::<Numbered>("Second-v0").variant(&2_u8), first]);
    let drawn = Value::Distribution(Distribution::Uniform(0.5, 1.5));
    for (id, seen) in [("First-v0", 1), ("AlsoFirst-v0", 1), ("Second-v0", 2)] {
        for gain in [Value::Float(1.0), drawn.clone()] {
            let pool = mixed(&[group(&registry, id, &[("gain", gain)], 1, 9)], config(1));
            assert_eq!(numbers(&reset(&pool, None).unwrap(), Role::Observation(0)), [f64::from(seen)], "{id}");
        }
    }
    let part = group(&registry, "First-v0", &[], 1, 9);
    assert!(part.task.factory(&group(&registry, "AlsoFirst-v0", &[], 1, 9).options).is_ok());
    let other = Group { options: group(&registry, "Second-v0", &[], 1, 9).options, ..part.clone() };
    assert!(refusal(&[other]).contains("options are not for task First-v0"));
    let without = Task::env::<Numbered>("Without-v0");
    assert!(without.factory(&part.options).is_err());
    assert_eq!(message(without.factory(&without.resolve(&[]).unwrap())), "a task without a number");
}

#[test]
fn equal_options_of_several_calls_share_an_environment() {
    let mut registry = Registry::default();
    registry.add([Task::env::<Numbered>("Third-v0").variant(&3_u8)]);
    let pool = mixed(&[group(&registry, "Third-v0", &[], 3, 9)], config(3));
    let set = |lane: i64, gain: f64| pool.set_options(Some(&[lane]), &[vec![("gain".to_owned(), Value::Float(gain))].into()]);
    set(0, COUNTED_GAIN).unwrap();
    let made = MADE.load(Ordering::Relaxed);
    for (lane, gain) in [(1, COUNTED_GAIN), (2, 2.0), (2, COUNTED_GAIN), (0, 1.0), (0, COUNTED_GAIN)] {
        set(lane, gain).unwrap();
    }
    reset(&pool, None).unwrap();
    assert_eq!((made > 0, MADE.load(Ordering::Relaxed)), (true, made));
}

#[test]
fn the_memory_of_each_environment_is_counted() {
    let registry = classic();
    let map = Value::Lines([vec![format!("S{}", "F".repeat(255))], vec!["F".repeat(256); 255]].concat());
    let drawn = Value::Distribution(Distribution::Uniform(0.1, 0.9));
    let lakes = group(&registry, "FrozenLake-v1", &[("desc", map), ("success_rate", drawn)], 1 << 24, 9);
    let text = message(Pool::with_groups(&[lakes], config(1 << 24), outputs()));
    assert!(text.contains("a pool of num_envs=16777216 takes") && text.contains("which this machine does not have"), "{text}");
}

#[test]
fn making_many_environments_can_be_interrupted() {
    let registry = classic();
    let map = Value::Lines([vec![format!("S{}", "F".repeat(255))], vec!["F".repeat(256); 255]].concat());
    let lake = |number: usize| {
        let rate = Value::Float(number as f64 / 100.0);
        group(&registry, "FrozenLake-v1", &[("desc", map.clone()), ("success_rate", rate)], 1, 9)
    };
    let lakes: Vec<_> = (0..60).map(lake).collect();
    let made = Pool::with_groups_interruptible(&lakes, config(60), outputs(), &mut || true);
    assert_eq!(made.err(), Some(Error::Interrupted));
    let mut asked = 0;
    let mut later = || {
        asked += 1;
        asked > 2
    };
    assert_eq!(Pool::with_groups_interruptible(&lakes, config(60), outputs(), &mut later).err(), Some(Error::Interrupted));
}

#[test]
fn infos_of_distributions_before_the_first_draw_are_zero() {
    let registry = classic();
    let drawn = Value::Distribution(Distribution::Uniform(1.0, 2.0));
    let pool = mixed(&[group(&registry, "Pendulum-v1", &[("g", drawn)], 2, 9)], config(2));
    let mut fresh = pool.get_state(Some(&[0])).unwrap().remove(0);
    reset(&pool, None).unwrap();
    // In a snapshot, the phase follows the checksum, the task and the version. Task and version start with their lengths.
    let phase = 8 + 1 + usize::from(fresh[8]) + 1 + env!("CARGO_PKG_VERSION").len();
    assert_eq!(fresh[phase], 0);
    fresh[phase] = 1;
    let checksum = crc32fast::hash(&fresh[8..]).to_le_bytes();
    fresh[4..8].copy_from_slice(&checksum);
    pool.set_state(&[fresh], Some(&[1])).unwrap();
    let mut call = pool.step(None).unwrap();
    call.set_action(0, &[0.5_f32; 2]).unwrap();
    let reported = numbers(&call.run(&mut None, &mut never).unwrap(), Role::Info(0));
    assert!(reported[0] >= 1.0);
    assert_eq!(reported[1], 0.0);
}

#[test]
fn a_panic_in_one_part_does_not_affect_other_parts() {
    let (first, last) = (counter(), Task::env::<super::envs::Counter>("Counter-v1"));
    for (victim, batch_size) in (0..7).flat_map(|victim| [(victim, 7), (victim, 1)]) {
        quietly(|| {
            let pool =
                mixed(&[all_of(&first, 3), all_of(&last, 1), all_of(&first, 3)], config(7).batch_size(batch_size).unwrap());
            pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
            (0..7 / batch_size).for_each(|_| _ = recv(&pool).unwrap());
            let actions: Vec<_> = (0..7).map(|id| if id == victim { PANIC } else { COUNT }).collect();
            send(&pool, None, &actions).unwrap();
            let (mut shown, mut errors) = (Vec::new(), Vec::new());
            while shown.len() < 6 || errors.is_empty() {
                match recv(&pool) {
                    Ok(batch) => shown.extend(ids(&batch).into_iter().zip(counts(&batch))),
                    Err(error) => errors.push(error.to_string()),
                }
            }
            shown.sort_by(|one, other| one.0.total_cmp(&other.0));
            let others: Vec<_> = (0..7).filter(|id| *id != victim).map(|id| (id as f64, 1.0)).collect();
            assert_eq!(shown, others);
            assert!(errors[0].starts_with(&format!("environment {victim} panicked")), "{errors:?}");
        });
    }
}

fn all_of(task: &Task, num_envs: usize) -> Group<'_> {
    Group { task, options: task.resolve(&[]).unwrap(), max_episode_steps: None, num_envs }
}

#[test]
fn a_slow_environment_does_not_delay_another_part() {
    let (first, last) = (counter(), Task::env::<super::envs::Counter>("Counter-v1"));
    let pool = mixed(&[all_of(&first, 1), all_of(&last, 3)], config(4).batch_size(1).unwrap().num_threads(2).unwrap());
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().send(None).unwrap();
    (0..4).for_each(|_| _ = recv(&pool).unwrap());
    GATE.closed(|| {
        send(&pool, Some(&[0]), &[WAIT]).unwrap();
        GATE.holds(1);
        send(&pool, Some(&[1, 2, 3]), &[COUNT; 3]).unwrap();
        let mut received: Vec<_> = (0..3).flat_map(|_| ids(&recv(&pool).unwrap())).collect();
        received.sort_by(f64::total_cmp);
        assert_eq!(received, [1.0, 2.0, 3.0]);
        GATE.open();
        assert_eq!(ids(&recv(&pool).unwrap()), [0.0]);
    });
}

#[test]
fn a_state_is_restored_only_with_the_same_task_and_options() {
    let registry = classic();
    let groups = pendulums(&registry, false);
    let pool = mixed(&groups, config(34));
    reset(&pool, None).unwrap();
    let states = pool.get_state(None).unwrap();
    pool.set_state(&states[..1], Some(&[30])).unwrap();
    let text = message(pool.set_state(&states[..1], Some(&[1])));
    assert!(text.contains("g=9.0") && text.contains("g=2.5"), "{text}");
    let played = |pool: &Pool| {
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[0.5; 34]).unwrap();
        rows(&call.run(&mut None, &mut never).unwrap())
    };
    pool.set_state(&states, None).unwrap();
    let expected: Vec<_> = (0..12).map(|_| played(&pool)).collect();
    let other = mixed(&groups, config(34).seed(3).unwrap());
    other.set_state(&states, None).unwrap();
    assert_eq!((0..12).map(|_| played(&other)).collect::<Vec<_>>(), expected);
}

#[test]
fn each_episode_begins_with_a_draw_from_the_environments_own_stream() {
    let registry = classic();
    let choice = Distribution::Choice(vec![0.25.into(), Value::Int(4), 8.5.into()]);
    let draws = [("slip", Value::Distribution(Distribution::Uniform(0.0, 0.5))), ("large", Value::Distribution(choice))];
    let pool = mixed(&[group(&registry, "NChain-v0", &draws, 3, 2)], config(3).seed(5).unwrap());
    let mut streams: Vec<_> = (5..8).map(Generator::new).collect();
    let mut reported = |batch: &Batch| {
        for (id, rng) in streams.iter_mut().enumerate() {
            assert_eq!(numbers(batch, Role::Info(0))[id], f64::from(rng.uniform(0.0, 0.5) as f32));
            assert_eq!(numbers(batch, Role::Info(1))[id], [0.25, 4.0, 8.5][rng.integers(0, 3) as usize]);
            (0..2).for_each(|_| _ = rng.random()); // the two earlier steps drew these numbers
        }
    };
    reported(&reset(&pool, None).unwrap());
    for _ in 0..20 {
        (0..2).for_each(|_| _ = step(&pool, None, &[0, 1, 1]).unwrap());
        reported(&step(&pool, None, &[0; 3]).unwrap());
    }
}

#[test]
fn unplayable_distributions_are_refused_at_pool_creation() {
    let registry = classic();
    let refused = |id: &str, name: &str, draw: Distribution| {
        let task = registry.task(id).unwrap();
        let options = task.resolve(&[(name.to_owned(), Value::Distribution(draw))]);
        message(options.and_then(|options| Pool::new(task, &options, config(2), outputs())))
    };
    let text = refused("Pendulum-v1", "g", Distribution::Uniform(2.0, 2.0));
    assert!(text.contains(r#"g=("uniform", 2.0, 2.0): expected finite bounds"#), "{text}");
    assert!(refused("Pendulum-v1", "g", Distribution::Uniform(f64::NAN, 2.0)).contains("finite bounds"));
    assert!(refused("Pendulum-v1", "g", Distribution::Uniform(-1e308, 1e308)).contains("finite bounds"));
    assert!(refused("Pendulum-v1", "g", Distribution::Integers(1, 4)).contains("expected a distribution of floats"));
    assert!(refused("Pendulum-v1", "g", Distribution::Choice(vec![])).contains("one value or more"));
    assert!(refused("Pendulum-v1", "g", Distribution::Choice(vec!["x".into()])).contains("expected float, not str"));
    assert!(refused("NChain-v0", "slip", Distribution::Uniform(0.5, 1.5)).contains("slip"));
    assert!(refused("NChain-v0", "n", Distribution::Integers(3, 6)).contains("it cannot change from episode to episode"));
    let maps = ["S", "G"].map(|letter| Value::Lines(vec!["SF".into(), format!("F{letter}")]));
    let longer = Value::Lines(vec!["SFF".into(), "FFG".into()]);
    let text = refused("FrozenLake-v1", "desc", Distribution::Choice(maps.into_iter().chain([longer]).collect()));
    assert!(text.contains("values that leave the spaces as they are"), "{text}");
}
