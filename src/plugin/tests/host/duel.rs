//! Tests a library with Dict spaces, texts, several players, infos, options, reset options, its own memory and lock, and its own
//! snapshots.

use std::sync::LazyLock;

use envpool_rs_engine::{AutoresetMode, Batch, Dialect, Error, Pool, PoolConfig, ResetOptions, Result, Role, Space, Value};
use envpool_rs_plugin::host::check_task;

use crate::{columns, load, message, never, pool, reset, support, task};

fn id() -> &'static str {
    static ID: LazyLock<&str> = LazyLock::new(|| load(&support::library("duel", "duel", &[])).unwrap().ids[0]);
    *ID
}

fn config(lanes: i64) -> PoolConfig {
    let mut config = PoolConfig::new(lanes).unwrap();
    config.max_episode_steps = Some(20);
    config
}

/// Steps all environments with the same actions: `aims` holds the aims of players 0 and 1, and the force is 0.
fn step(pool: &Pool, aims: [[i32; 2]; 2]) -> Result<Box<Batch>> {
    let lanes = pool.config().num_envs;
    let mut call = pool.step(None)?;
    call.set_action(0, &vec![aims; lanes].into_flattened().into_flattened())?;
    call.set_action(1, &vec![0.25; lanes * 2])?;
    call.run(&mut None, &mut never)
}

const MISS: [[i32; 2]; 2] = [[1, 0], [1, 2]];

#[test]
fn spaces_have_dicts_texts_and_a_row_for_each_player() {
    let spec = task(id()).factory(&task(id()).resolve(&[]).unwrap()).unwrap().spec();
    assert_eq!((spec.players, spec.shared_spaces), (2, true));
    let Space::Dict(parts) = &spec.observation else { panic!("a Dict") };
    assert_eq!(parts.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["weather", "last", "even"]);
    let paths: Vec<_> = spec.observation.leaves().into_iter().map(|leaf| leaf.path).collect();
    assert_eq!(paths, ["weather.wind", "weather.lives", "last", "even"]);
    assert!(matches!(&parts[1].1, Space::Text { shape: [8], charset } if charset == "efghilrt"));
    assert_eq!(
        task(id()).options.iter().map(|option| option.name).collect::<Vec<_>>().join(" "),
        "is_harsh lives bonus mode arena check"
    );
}

#[test]
fn rows_contain_the_actions_of_each_player_in_both_dialects() {
    for dialect in [Dialect::Gymnasium, Dialect::EnvPool] {
        let pool = pool(id(), &[("is_harsh", Value::Bool(true))], config(9), dialect);
        let first = reset(&pool, None, ResetOptions::new(vec![("wind".into(), 2.5)])).unwrap();
        assert_eq!(first.values::<f32>(Role::Observation(0)).unwrap(), [2.5; 18]);
        let batch = step(&pool, [[0, 2], [1, 0]]).unwrap(); // player 0 hits player 1
        assert_eq!(&batch.values::<u8>(Role::Observation(2)).unwrap()[..16], b"right\0\0\0left\0\0\0\0");
        assert_eq!(batch.values::<u8>(Role::Observation(3)).unwrap(), [0; 18]);
        match dialect {
            Dialect::Gymnasium => {
                assert_eq!(batch.values::<f64>(Role::Reward).unwrap()[..2], [1.5, -0.25]);
                assert_eq!(batch.values::<i64>(Role::Observation(1)).unwrap()[..2], [3, 2]);
                assert_eq!(batch.values::<f64>(Role::Info(1)).unwrap()[..2], [2.5, 5.0]);
            }
            Dialect::EnvPool => {
                assert_eq!(batch.values::<f32>(Role::Reward).unwrap()[..2], [1.5, -0.25]);
                assert_eq!(batch.values::<i32>(Role::Observation(1)).unwrap()[..2], [3, 2]);
                assert_eq!(batch.values::<f32>(Role::Info(1)).unwrap()[..2], [2.5, 5.0]);
            }
        }
    }
}

#[test]
fn infos_are_present_after_resets_steps_or_terminations() {
    let pool = pool(id(), &[], config(5), Dialect::Gymnasium);
    let present = |batch: &Batch| [0, 1, 2].map(|info| batch.values::<u8>(Role::InfoPresent(info)).unwrap()[0]);
    assert_eq!(present(&reset(&pool, None, ResetOptions::default()).unwrap()), [1, 0, 0]);
    let hits = [[0, 2], [1, 0]];
    let seen: Vec<_> = (0..3).map(|_| present(&step(&pool, hits).unwrap())).collect();
    assert_eq!(seen, [[1, 1, 0], [1, 1, 0], [1, 1, 1]]);
    assert_eq!(present(&step(&pool, hits).unwrap()), [1, 0, 0], "autoreset");
}

#[test]
fn an_episode_after_the_limit_continues_the_count_that_the_library_sets() {
    let pool = pool(id(), &[], config(2), Dialect::EnvPool);
    reset(&pool, None, ResetOptions::default()).unwrap();
    let elapsed: Vec<_> = (0..23).map(|_| step(&pool, MISS).unwrap().values::<i32>(Role::ElapsedStep).unwrap()[0]).collect();
    assert_eq!(elapsed[18..], [19, 20, 10, 11, 12]);
}

#[test]
fn the_librarys_limit_truncates_and_its_discount_becomes_zero() {
    let mut config = config(1);
    config.max_episode_steps = None;
    let options = task(id()).resolve(&[("is_harsh".to_owned(), Value::Bool(true))]).unwrap();
    let outputs = envpool_rs_engine::Outputs { dialect: Dialect::EnvPool, format: envpool_rs_engine::Format::Dm };
    let pool = Pool::new(task(id()), &options, config, outputs).unwrap();
    reset(&pool, None, ResetOptions::default()).unwrap();
    let discounts: Vec<_> = (0..30)
        .map(|_| {
            let batch = step(&pool, MISS).unwrap();
            (batch.values::<f32>(Role::Discount).unwrap()[0], batch.values::<i32>(Role::StepType).unwrap()[0])
        })
        .collect();
    assert_eq!((discounts[9], discounts[10], discounts[29]), ((1.0, 1), (0.0, 1), (0.0, 2)));
}

#[test]
fn options_are_checked_by_their_type_range_choices_and_the_library() {
    let refused = |name: &str, value: Value| task(id()).resolve(&[(name.to_owned(), value)]).err().map(|error| error.to_string());
    assert_eq!(refused("lives", Value::Int(6)).unwrap(), "lives=6: expected an integer from 1 to 5");
    assert_eq!(refused("mode", Value::Text("hot".into())).unwrap(), "mode=\"hot\": expected \"calm\", \"storm\" or \"broken\"");
    assert!(refused("bonus", Value::Text("x".into())).unwrap().starts_with("bonus=\"x\": expected float"));
    assert!(refused("arena", Value::None).is_none() && refused("arena", Value::Text("/x".into())).is_none());
    let given = [("lives".to_owned(), Value::Int(5)), ("bonus".to_owned(), Value::Float(0.0))];
    let error = task(id()).factory(&task(id()).resolve(&given).unwrap()).err().unwrap().to_string();
    assert!(error.ends_with("task games/Duel-v3: lives=5: expected a bonus, too"), "{error}");
    let broken = task(id()).resolve(&[("mode".to_owned(), Value::Text("broken".into()))]).unwrap();
    let outputs = crate::outputs(Dialect::EnvPool);
    assert!(message(Pool::new(task(id()), &broken, config(1), outputs)).ends_with("the arena is broken"));
}

#[test]
fn states_are_saved_and_loaded_by_the_library() {
    let pools = [(); 2].map(|()| pool(id(), &[("arena", Value::None)], config(3), Dialect::Gymnasium));
    pools.iter().for_each(|pool| _ = reset(pool, None, ResetOptions::default()).unwrap());
    (0..4).for_each(|_| _ = step(&pools[0], MISS).unwrap());
    let states = pools[0].get_state(None).unwrap();
    pools[1].set_state(&states, None).unwrap();
    for _ in 0..30 {
        let [one, other] = pools.each_ref().map(|pool| columns(&step(pool, [[0, 2], [1, 1]]).unwrap()));
        assert!(one == other);
    }
    let other = pool(id(), &[("lives", Value::Int(2))], config(3), Dialect::Gymnasium);
    let error = message(other.set_state(&states, None));
    assert!(error.contains("of the library duel 0.3, the pool plays games/Duel-v3(") && error.contains("lives=2"), "{error}");
    assert!(!error.contains("arena"), "{error}");
}

#[test]
fn lanes_render_as_text_in_utf8() {
    let pool = pool(id(), &[], config(2), Dialect::Gymnasium);
    reset(&pool, None, ResetOptions::default()).unwrap();
    step(&pool, [[0, 2], [1, 0]]).unwrap();
    assert_eq!(pool.render_text(None, &mut never).unwrap(), ["lives 3 and 2\u{b7}"; 2]);
    assert!(matches!(pool.render(None, envpool_rs_engine::RenderArgs::default(), &mut never), Err(Error::State(_))));
}

#[test]
fn calls_of_a_library_with_global_state_never_overlap() {
    let mut config = config(64);
    config.num_threads = 2;
    let pools = [pool(id(), &[], config.clone(), Dialect::EnvPool), pool(id(), &[], config, Dialect::EnvPool)];
    std::thread::scope(|scope| {
        for pool in &pools {
            scope.spawn(|| {
                reset(pool, None, ResetOptions::default()).unwrap();
                (0..40).for_each(|_| _ = step(pool, MISS).unwrap());
            });
        }
    });
}

#[test]
fn checks_find_no_mistake_in_the_library() {
    assert_eq!(check_task(task(id()), &[], 25).unwrap(), []);
}

#[test]
fn same_step_autoreset_keeps_final_rows_of_both_players() {
    let mut config = config(6);
    config.autoreset_mode = AutoresetMode::SameStep;
    let pool = pool(id(), &[], config, Dialect::Gymnasium);
    reset(&pool, None, ResetOptions::default()).unwrap();
    let hits = [[0, 2], [1, 0]];
    (0..2).for_each(|_| _ = step(&pool, hits).unwrap());
    let batch = step(&pool, hits).unwrap();
    assert_eq!(batch.values::<u8>(Role::Terminated).unwrap(), [1; 6]);
    assert_eq!(batch.values::<i64>(Role::FinalObservation(1)).unwrap()[..2], [3, 0]);
    assert_eq!(batch.values::<i64>(Role::Observation(1)).unwrap()[..2], [3, 3]);
    assert_eq!(batch.values::<i64>(Role::FinalInfo(0)).unwrap()[0], 3);
}

/// Loads a separate copy of the library, so that no other test changes the copy's counter of existing matches. Returns the task's
/// id and a function that returns the counter.
fn counted_library(name: &str, options: &[&str]) -> (&'static str, impl Fn() -> i64 + use<>) {
    let id = format!("-DID=\"games/{name}-v0\"");
    let path = support::library("duel", name, &[&[id.as_str()], options].concat());
    let id = load(&path).unwrap().ids[0];
    // SAFETY: the pool has already loaded the library, so loading it again executes no code.
    let library = unsafe { libloading::Library::new(&path) }.unwrap();
    // SAFETY: the library is loaded, and has a function of this name and type.
    (id, move || unsafe { library.get::<unsafe extern "C" fn() -> i64>("duel_living").unwrap()() })
}

/// Waits until no match exists, because the last worker frees the lanes when it ends.
fn check_all_destroyed(living: impl Fn() -> i64) {
    let ended = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        living() == 0
    });
    assert!(ended, "{} matches are left", living());
}

#[test]
fn states_that_were_created_are_destroyed_with_their_pool() {
    let (id, living) = counted_library("CountedDuel", &[]);
    let pool = pool(id, &[], config(40), Dialect::EnvPool);
    assert_eq!(living(), 40);
    reset(&pool, None, ResetOptions::default()).unwrap();
    drop(pool);
    check_all_destroyed(living);
}

#[cfg(target_os = "linux")]
#[test]
fn states_are_destroyed_by_threads_that_get_no_scratch_memory() {
    const LIMITED: &str = "ENVPOOL_RS_TEST_LIMITED";
    if std::env::var_os(LIMITED).is_none() {
        let command =
            r#"ulimit -v 4000000 && exec "$0" --exact duel::states_are_destroyed_by_threads_that_get_no_scratch_memory"#;
        let program = std::env::current_exe().unwrap();
        let status = std::process::Command::new("sh").arg("-c").arg(command).arg(program).env(LIMITED, "1").status();
        assert!(status.unwrap().success());
        return;
    }
    let (id, living) = counted_library("LargeDuel", &["-DSCRATCH=(256 << 20)"]);
    let mut config = config(4);
    config.num_threads = 1;
    let pool = pool(id, &[], config, Dialect::EnvPool);
    assert_eq!(living(), 4);
    let (sender, receiver) = std::sync::mpsc::channel();
    let other_thread = std::thread::spawn(move || drop(receiver.recv()));
    let mut ballast: Vec<Vec<u8>> = Vec::with_capacity(1000);
    loop {
        let mut block = Vec::new();
        if block.try_reserve_exact(64 << 20).is_err() {
            break;
        }
        ballast.push(block);
    }
    sender.send(pool).unwrap();
    other_thread.join().unwrap();
    check_all_destroyed(living);
}
