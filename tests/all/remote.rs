//! Tests that remote pools have the same trajectories as local pools, even if hosts are lost. Pools in the test process serve as
//! hosts.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Instant;

use envpool_rs::engine::{
    ActionColumn, ActionKey, AutoresetMode, BackendSpec, Batch, Dialect, Error, Format, Group, HostLoss, LaneError, Layout,
    LeafSpec, NormalizationConfig, NormalizationRules, Outputs, Pool, PoolConfig, RecoveryConfig, RecoveryPolicy, Registry,
    RequestBuilder, ResetOptions, Result, Role, SeedDerivation, Task, Value, common_spec, dialect_infos, dialect_observation,
};
use envpool_rs::envs::registry;
use envpool_rs::remote::{Delivery, HostTransport, RemoteHost, WireColumns};

/// State of the test hosts, by which tests simulate the loss of a host.
struct HostStates {
    hosts: Vec<RemoteHost>,
    arrivals: VecDeque<Delivery>,
    /// Hosts whose loss is simulated when they receive their next request.
    hosts_to_lose: Vec<usize>,
    lost: Vec<usize>,
    /// Sequence numbers of the requests that each host received.
    numbers: Vec<Vec<u64>>,
}

/// Transport that delivers requests to the hosts immediately.
struct LocalTransport {
    world: Arc<Mutex<HostStates>>,
    make: Box<dyn Fn(usize) -> RemoteHost + Send + Sync>,
}

impl HostTransport for LocalTransport {
    fn send(&self, place: usize, number: u64, request: &[u8]) -> Result<()> {
        let mut world = self.world.lock().unwrap();
        world.numbers[place].push(number);
        if world.hosts_to_lose.contains(&place) {
            world.hosts_to_lose.retain(|doomed| *doomed != place);
            world.lost.push(place);
            return Ok(());
        }
        let host = &world.hosts[place];
        let answer = match host.start(request)? {
            true => host.finish(&mut || false),
            false => host.execute(request, &mut || false),
        };
        world.arrivals.push_back(Delivery { host: place, number, reply: Ok(answer?) });
        Ok(())
    }

    fn wait(&self, _until: Instant) -> Result<Vec<Delivery>> {
        Ok(self.world.lock().unwrap().arrivals.drain(..).collect())
    }

    fn next_loss(&self) -> Option<HostLoss> {
        self.world.lock().unwrap().lost.pop().map(|host| HostLoss { host, fault: LaneError::host_lost("it is gone", Vec::new()) })
    }

    fn restart(&self, place: usize, next: u64) -> Result<(), LaneError> {
        let mut world = self.world.lock().unwrap();
        assert_eq!(next, world.numbers[place].last().map_or(1, |number| number + 1));
        world.hosts[place] = (self.make)(place);
        Ok(())
    }

    fn close(&self, _until: Instant, _by_force: bool) -> Vec<LaneError> {
        Vec::new()
    }
}

const ENVS_PER_HOST: [usize; 2] = [4, 3];
const NUM_ENVS: usize = 7;

fn outputs(dialect: Dialect) -> Outputs {
    Outputs { dialect, format: Format::Gymnasium }
}

fn config(mode: AutoresetMode) -> PoolConfig {
    let config = PoolConfig::new(NUM_ENVS as i64).unwrap().num_threads(1).unwrap();
    PoolConfig { autoreset_mode: mode, max_episode_steps: Some(9), ..config }
}

fn task(id: &str) -> &'static Task {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(registry);
    REGISTRY.task(id).unwrap()
}

/// Creates a local pool, a remote pool with the same environments on two hosts, and the state of the hosts.
fn pools(id: &str, dialect: Dialect, config: PoolConfig, policy: RecoveryPolicy) -> (Pool, Pool, Arc<Mutex<HostStates>>) {
    pools_with(id, &[], dialect, config, policy)
}

/// Creates the same pools as [`pools`], with task options.
fn pools_with(
    id: &str,
    options: &[(String, Value)],
    dialect: Dialect,
    config: PoolConfig,
    policy: RecoveryPolicy,
) -> (Pool, Pool, Arc<Mutex<HostStates>>) {
    let task = task(id);
    let options = task.resolve(options).unwrap();
    let groups = [Group { task, options: options.clone(), max_episode_steps: None, num_envs: NUM_ENVS }];
    let spec = common_spec(&groups, &mut || false).unwrap().0;
    let local = Pool::new(task, &options, config.clone(), outputs(dialect)).unwrap();
    let on_hosts = PoolConfig { normalization: NormalizationConfig::default(), ..config.clone() };
    let (of_places, own) = (on_hosts.clone(), options.clone());
    let make = move |place: usize| {
        let (first, count) = (ENVS_PER_HOST[..place].iter().sum::<usize>(), ENVS_PER_HOST[place]);
        let seeds = of_places.seeds[first..first + count].to_vec();
        let config = PoolConfig { num_envs: count, batch_size: count, num_threads: 1, seeds, ..of_places.clone() };
        RemoteHost::new(Pool::new(task, &own, config, outputs(dialect)).unwrap()).unwrap()
    };
    let world = HostStates {
        hosts: (0..ENVS_PER_HOST.len()).map(&make).collect(),
        arrivals: VecDeque::new(),
        hosts_to_lose: Vec::new(),
        lost: Vec::new(),
        numbers: vec![Vec::new(); ENVS_PER_HOST.len()],
    };
    let world = Arc::new(Mutex::new(world));
    let carrier = LocalTransport { world: Arc::clone(&world), make: Box::new(make) };
    let parts = WireColumns::from_layout(&Layout::new(&spec, outputs(dialect), &on_hosts));
    let leaf = |dtype, shape: &[usize], rows| LeafSpec { rows, ..LeafSpec::new(dtype, shape) };
    let observation = dialect_observation(&spec, dialect);
    let leaves = observation.leaves().iter().map(|each| leaf(each.space.dtype(), each.space.shape(), spec.rows())).collect();
    let infos = dialect_infos(&spec, dialect).into_iter();
    let form = BackendSpec {
        players: spec.players,
        info_timings: infos.clone().map(|(index, _)| spec.info[index].timing).collect(),
        infos: infos.map(|(index, dtype)| leaf(dtype, &spec.info[index].shape, 1)).collect(),
        seeds: config.seeds.iter().copied().map(Some).collect(),
        nested_pools: Some(vec![(NUM_ENVS, groups[0].describe())]),
        recovery: RecoveryConfig {
            policy,
            max_consecutive_losses: 3,
            seed_derivation: SeedDerivation::Long,
            repeats_episode: true,
        },
        ..BackendSpec::new(leaves, ActionKey::from_spec(&spec))
    };
    let config = PoolConfig { max_episode_steps: None, ..config };
    let ours = envpool_rs::remote::pool(Box::new(carrier), &ENVS_PER_HOST, parts, form, config, outputs(dialect)).unwrap();
    (local, ours, world)
}

fn reset(pool: &Pool) -> Box<Batch> {
    pool.reset(None, Vec::new(), ResetOptions::default()).unwrap().run(&mut None, &mut || false).unwrap()
}

/// Fills the action arrays of a request with values that depend only on the step.
fn fill(call: &mut RequestBuilder<'_>, keys: &[ActionKey], step: usize) {
    let lanes = call.lanes();
    for (column, key) in call.actions().iter_mut().zip(keys) {
        let values = (0..lanes * key.values_per_row()).map(|index| (index * 7 + step * 3) % 5);
        match (column, key.discrete) {
            (ActionColumn::I32(to), Some((start, n))) => to.extend(values.map(|value| start as i32 + value as i32 % n as i32)),
            (ActionColumn::F32(to), _) => to.extend(values.map(|value| value as f32 / 5.0 - 0.4)),
            (ActionColumn::F64(to), _) => to.extend(values.map(|value| value as f64 / 5.0 - 0.4)),
            (other, _) => panic!("{other:?}"),
        }
    }
}

fn step(pool: &Pool, ids: Option<&[i64]>, number: usize) -> Box<Batch> {
    let mut call = pool.step(ids).unwrap();
    fill(&mut call, pool.action_keys(), number);
    call.run(&mut None, &mut || false).unwrap()
}

/// Asserts that all arrays of two batches are equal. Exceptions are durations of episodes, and final observations and infos in
/// rows whose episode did not end.
fn assert_same(ours: &Batch, local: &Batch, what: &str) {
    let done = local.values::<u8>(Role::Done);
    assert_eq!(ours.rows(), local.rows(), "{what}");
    assert_eq!(ours.layout().columns.len(), local.layout().columns.len());
    for (index, column) in local.layout().columns.iter().enumerate() {
        let (got, expected) = (ours.bytes(index), local.bytes(index));
        let stride = column.stride().max(1);
        let is_final = matches!(column.role, Role::FinalObservation(_) | Role::FinalInfo(_));
        for (row, (got, expected)) in got.chunks(stride).zip(expected.chunks(stride)).enumerate() {
            if column.role != Role::EpisodeTime && (!is_final || done.is_some_and(|done| done[row] != 0)) {
                assert_eq!(got, expected, "{what}: {:?}, row {row}", column.role);
            }
        }
    }
}

#[test]
fn trajectories_equal_the_local_pools() {
    for id in ["CartPole-v1", "Pendulum-v1", "Taxi-v4", "SimpleSpeakerListener-v4", "Blackjack-v1"] {
        for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
            for dialect in [Dialect::EnvPool, Dialect::Gymnasium] {
                let config = PoolConfig { episode_statistics: true, ..config(mode) };
                let (local, ours, _) = pools(id, dialect, config, RecoveryPolicy::Raise);
                assert_same(&reset(&ours), &reset(&local), id);
                for number in 0..40 {
                    let ids = (number % 3 == 2).then_some(&[5, 0, 6][..]);
                    let what = format!("{id}, {mode:?}, {dialect:?}, step {number}");
                    assert_same(&step(&ours, ids, number), &step(&local, ids, number), &what);
                }
            }
        }
    }
}

#[test]
fn normalised_results_are_the_local_pools() {
    let rules = [NormalizationRules::Gymnasium, NormalizationRules::Sb3].map(Some);
    for (id, rules) in ["CartPole-v1", "Pendulum-v1", "SimpleSpeakerListener-v4"].into_iter().zip([rules[0], rules[1], rules[0]])
    {
        let observations = rules.filter(|_| id != "SimpleSpeakerListener-v4"); // whose observations are a tuple
        let normalization = NormalizationConfig { observations, rewards: rules, ..NormalizationConfig::default() };
        for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
            let config = PoolConfig { normalization, ..config(mode) };
            let (local, ours, _) = pools(id, Dialect::Gymnasium, config, RecoveryPolicy::Raise);
            assert_same(&reset(&ours), &reset(&local), id);
            for number in 0..40 {
                let ids = (number % 3 == 2).then_some(&[5, 0, 6][..]);
                let what = format!("{id}, {mode:?}, step {number}");
                assert_same(&step(&ours, ids, number), &step(&local, ids, number), &what);
            }
            assert_eq!(ours.normalization(), local.normalization());
            assert!(ours.normalization().unwrap().is_some());
            local.set_state(&ours.get_state(None).unwrap(), None).unwrap();
            assert_same(&step(&ours, None, 40), &step(&local, None, 40), id);
        }
    }
}

#[test]
fn environments_of_a_lost_host_resume() {
    for every in [1, 4, 1000] {
        for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
            let (local, ours, world) =
                pools("CartPole-v1", Dialect::EnvPool, config(mode), RecoveryPolicy::Resume { snapshot_interval: every });
            assert_same(&reset(&ours), &reset(&local), "reset");
            for number in 0..30 {
                let dies = [7, 8, 20].contains(&number);
                if dies {
                    world.lock().unwrap().hosts_to_lose.push(number % 2);
                }
                let batch = step(&ours, None, number);
                assert_same(&batch, &step(&local, None, number), &format!("{mode:?}, every {every}, step {number}"));
                let lost: &[u32] = if number % 2 == 0 { &[0, 1, 2, 3] } else { &[4, 5, 6] };
                assert_eq!(batch.resumed, if dies { lost } else { &[] });
                assert!(batch.restarted.is_empty());
            }
        }
    }
}

#[test]
fn replays_of_a_lost_host_are_batched() {
    let (_, ours, world) =
        pools("CartPole-v1", Dialect::EnvPool, config(AutoresetMode::NextStep), RecoveryPolicy::Resume { snapshot_interval: 4 });
    reset(&ours);
    (0..12).for_each(|number| drop(step(&ours, None, number)));
    let requests = || world.lock().unwrap().numbers.iter().map(Vec::len).collect::<Vec<_>>();
    // Each host received 16 requests: the reset, 12 steps, and a snapshot before the 4th, 8th and 12th step.
    assert_eq!(requests(), [16, 16]);
    world.lock().unwrap().hosts_to_lose.push(0);
    step(&ours, None, 12);
    // The replaced host receives additional requests: the lost step, the load of the snapshot, the replay of the requests since
    // the snapshot, and the repeated step.
    let [first, second] = requests()[..] else { panic!() };
    assert!(first <= 16 + 1 + 1 + 4 + 1, "{first} requests, one for each lane and turn?");
    assert_eq!(second, 17);
}

#[test]
fn remote_snapshots_equal_those_of_local_pools() {
    let (local, ours, _) = pools("CartPole-v1", Dialect::EnvPool, config(AutoresetMode::NextStep), RecoveryPolicy::Raise);
    reset(&ours);
    (0..5).for_each(|number| drop(step(&ours, None, number)));
    reset(&local);
    local.set_state(&ours.get_state(None).unwrap(), None).unwrap();
    assert_same(&step(&ours, None, 5), &step(&local, None, 5), "the same states");
    (6..8).for_each(|number| drop(step(&local, None, number)));
    ours.set_state(&local.get_state(Some(&[6, 1])).unwrap(), Some(&[6, 1])).unwrap();
    let only: Vec<_> = (0..NUM_ENVS).map(|lane| lane == 3).collect();
    let look = |pool: &Pool| {
        let call = pool.reset_masked(only.clone(), vec![Some(9); NUM_ENVS], ResetOptions::default()).unwrap();
        call.run(&mut None, &mut || false).unwrap()
    };
    let (shown, expected) = (look(&ours), look(&local));
    for lane in [6, 1, 3] {
        let row = |batch: &Batch| batch.values::<f32>(Role::Observation(0)).unwrap()[4 * lane..][..4].to_vec();
        assert_eq!(row(&shown), row(&expected), "environment {lane}");
    }
    let other = Pool::new(
        task("Taxi-v4"),
        &task("Taxi-v4").resolve(&[]).unwrap(),
        config(AutoresetMode::NextStep),
        outputs(Dialect::EnvPool),
    );
    let strange = other.unwrap().get_state(Some(&[0])).unwrap();
    assert!(matches!(ours.set_state(&strange, Some(&[0])), Err(Error::Value(_))));
}

#[test]
fn a_panic_is_reported_as_by_a_local_pool() {
    let (local, ours, _) = pools("test/Scripted-v0", Dialect::EnvPool, config(AutoresetMode::NextStep), RecoveryPolicy::Raise);
    let reported = [&ours, &local].map(|pool| {
        reset(pool);
        let mut call = pool.step(None).unwrap();
        call.set_action(0, &[0, 0, 1001, 0, 1001, 0, 0]).unwrap();
        let refused = call.run(&mut None, &mut || false).unwrap_err().to_string();
        (refused, pool.recv(&mut None, &mut || false).unwrap())
    });
    let [(ours, rows), (expected, expected_rows)] = reported;
    assert_eq!(ours, expected);
    assert_same(&rows, &expected_rows, "the others");
}

/// Checks infos that only terminating steps emit, in remote environments: the mask must mark the rows that have them. In this
/// race, a lap ends in every step.
#[test]
fn infos_of_terminations_equal_the_local_pools() {
    for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep] {
        let options = [("lap_complete_percent".to_owned(), Value::Float(0.0))];
        let (local, ours, _) = pools_with("CarRacing-v3", &options, Dialect::Gymnasium, config(mode), RecoveryPolicy::Raise);
        assert_same(&reset(&ours), &reset(&local), "reset");
        let reported = (0..3).map(|number| {
            let (our, local) = (step(&ours, None, number), step(&local, None, number));
            assert_same(&our, &local, "step");
            our.values::<u8>(Role::InfoPresent(0)).unwrap().to_vec()
        });
        let all = |is_reported: bool| vec![u8::from(is_reported); NUM_ENVS];
        let steps = mode == AutoresetMode::NextStep;
        assert_eq!(reported.collect::<Vec<_>>(), [all(steps), all(false), all(steps)]);
    }
}
