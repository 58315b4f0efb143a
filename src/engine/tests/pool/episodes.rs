//! Tests episodes that are parts of a longer game, limits that environments check themselves, and environments that need files.

use super::games::{DISCOUNT, Game, LOSE, PLAY, TRUNCATE, Unprepared};
use super::*;

fn game() -> Task {
    Task::env::<Game>("Game-v0")
}

fn pool(max_episode_steps: Option<u32>, autoreset_mode: AutoresetMode) -> Pool {
    let task = game();
    let options = task.resolve(&[]).unwrap();
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    let config = PoolConfig { max_episode_steps, autoreset_mode, ..config(2) };
    let pool = Pool::new(&task, &options, config, outputs).unwrap();
    reset(&pool, None).unwrap();
    pool
}

/// Returns five values of environment 1: games started, lives lost, terminated, truncated and elapsed steps.
fn second(batch: &Batch) -> [f64; 5] {
    let state = &numbers(batch, Role::Observation(0))[2..];
    let of = |role| numbers(batch, role)[1];
    [state[0], state[1], of(Role::Terminated), of(Role::Truncated), of(Role::ElapsedStep)]
}

fn play(pool: &Pool, action: i32) -> [f64; 5] {
    second(&step(pool, None, &[PLAY, action]).unwrap())
}

#[test]
fn a_new_episode_may_continue_the_same_game() {
    let pool = pool(None, AutoresetMode::NextStep);
    assert_eq!(play(&pool, PLAY), [1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(play(&pool, LOSE), [1.0, 1.0, 1.0, 0.0, 2.0]);
    assert_eq!(play(&pool, PLAY), [1.0, 1.0, 0.0, 0.0, 2.0], "the game goes on, and with it the clock");
    assert_eq!(play(&pool, PLAY)[4], 3.0);
    assert_eq!(second(&reset(&pool, None).unwrap()), [2.0, 0.0, 0.0, 0.0, 0.0], "a reset that is asked for is one");
}

#[test]
fn a_requested_reset_after_an_episode_restarts_the_game() {
    let pool = pool(None, AutoresetMode::NextStep);
    play(&pool, LOSE);
    assert_eq!(second(&reset(&pool, None).unwrap()), [2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn the_game_continues_in_same_step_mode() {
    let pool = pool(None, AutoresetMode::SameStep);
    assert_eq!(play(&pool, LOSE)[..4], [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(play(&pool, PLAY)[4], 2.0);
}

#[test]
fn the_environment_learns_that_the_time_limit_was_reached() {
    let pool = pool(Some(2), AutoresetMode::NextStep);
    play(&pool, PLAY);
    assert_eq!(play(&pool, LOSE)[2..], [1.0, 1.0, 2.0]);
    assert_eq!(play(&pool, PLAY), [2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn an_environment_may_truncate_by_itself() {
    let pool = pool(None, AutoresetMode::NextStep);
    assert_eq!(play(&pool, TRUNCATE)[2..], [0.0, 1.0, 1.0]);
    assert_eq!(play(&pool, PLAY), [2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_discount_may_be_zero_in_the_middle_of_an_episode() {
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Dm };
    let task = game();
    let pool = Pool::new(&task, &task.resolve(&[]).unwrap(), config(2), outputs).unwrap();
    reset(&pool, None).unwrap();
    let batch = step(&pool, None, &[PLAY, DISCOUNT]).unwrap();
    assert_eq!((numbers(&batch, Role::Discount), numbers(&batch, Role::StepType)), (vec![1.0, 0.0], vec![1.0, 1.0]));
    assert_eq!(numbers(&step(&pool, None, &[PLAY; 2]).unwrap(), Role::Discount), [1.0, 1.0]);
}

#[test]
fn fields_left_out_of_a_snapshot_are_restored() {
    let pool = pool(None, AutoresetMode::NextStep);
    play(&pool, PLAY);
    let state = pool.get_state(Some(&[1])).unwrap();
    pool.set_state(&state, Some(&[1])).unwrap();
    assert_eq!(play(&pool, PLAY)[4], 2.0);
}

#[test]
fn a_task_with_a_missing_file_is_described_and_not_playable() {
    let task = Task::env::<Unprepared>("Unprepared-v0");
    let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
    assert!(task.factory(&Options::default()).is_ok());
    let refused = Pool::new(&task, &Options::default(), config(1), outputs).err();
    assert_eq!(refused, Some(Error::NotFound("there is no file".into())));
}

#[test]
fn snapshots_do_not_depend_on_file_paths() {
    let [one, other] = ["here", "there"].map(|folder| {
        let task = game();
        let options = task.resolve(&[("folder".to_owned(), folder.into())]).unwrap();
        let outputs = Outputs { dialect: Dialect::EnvPool, format: Format::Gymnasium };
        let pool = Pool::new(&task, &options, config(1), outputs).unwrap();
        reset(&pool, None).unwrap();
        pool
    });
    one.set_state(&other.get_state(None).unwrap(), None).unwrap();
}
