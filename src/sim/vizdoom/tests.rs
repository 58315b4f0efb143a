//! Tests of the protocol against a fake engine.
//!
//! The fake engine is this test program, run as a child process. It opens the message queues as ViZDoom's engine does, and
//! simulates a minimal game.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::config::Config;
use super::game::{EngineFault, Game, Settings};
use super::message_queue::{MSG_CODE_DOOM_DONE, Message, MessageQueue};
use super::shared_files::shared_memory_path;
use super::shared_memory::Region;
use super::spawner::{Spawner, TempFolder};

const STATE_BYTES: usize = 10_611_848;
const INPUT_BYTES: usize = 776;
const PIXELS: usize = 320 * 240;

/// Environment variable that contains the behaviour and the arguments of the fake engine.
const BEHAVIOUR_VARIABLE: &str = "ENVPOOL_RS_FAKE_ENGINE";

struct FakeMemory(fs::File);

impl FakeMemory {
    fn write(&self, at: usize, bytes: &[u8]) {
        self.0.write_all_at(bytes, at as u64).unwrap();
    }

    fn word(&self, at: usize, value: u32) {
        self.write(at, &value.to_le_bytes());
    }

    fn create(id: &str, behaviour: &str) -> Self {
        let path = shared_memory_path(&format!("ViZDoomSM{id}"));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path).unwrap();
        let state = if behaviour == "unknown" { STATE_BYTES - 8 } else { STATE_BYTES };
        let length = STATE_BYTES + INPUT_BYTES + PIXELS;
        file.set_len(length as u64).unwrap();
        let memory = Self(file);
        memory.write(4, b"9.9.9");
        memory.write(24, &(length as u64).to_le_bytes());
        for (region, (offset, size)) in
            [(0, state), (STATE_BYTES, INPUT_BYTES), (STATE_BYTES + INPUT_BYTES, PIXELS)].into_iter().enumerate()
        {
            memory.write(32 + 8 * region, &(offset as u64).to_le_bytes());
            memory.write(88 + 8 * region, &(size as u64).to_le_bytes());
        }
        memory.word(176, if behaviour == "small" { 160 } else { 320 });
        memory.word(180, 240);
        memory.write(184, &320_u64.to_le_bytes());
        memory
    }
}

/// Runs the fake engine in a child process; does nothing in a normal test run.
#[test]
fn fake_engine() {
    let Ok(arguments) = std::env::var(BEHAVIOUR_VARIABLE) else { return };
    let words: Vec<_> = arguments.split_whitespace().collect();
    let (behaviour, id) = (words[0], words[words.iter().position(|word| *word == "+viz_instance_id").unwrap() + 1]);
    if behaviour == "exits" {
        std::process::exit(7);
    }
    let open = |name: &str| MessageQueue::open(&format!("{name}{id}"));
    let (orders, answers) = (open("ViZDoomMQDoom"), open("ViZDoomMQCtr"));
    if behaviour == "says" {
        answers.send([(13, "No player 1 start")]).unwrap();
        std::process::exit(0);
    }
    if behaviour == "mute" {
        std::thread::sleep(Duration::from_secs(600));
    }
    let memory = FakeMemory::create(id, behaviour);
    let (mut map_tic, mut reward, mut pressed) = (1_u32, 0_u32, [0; 8]);
    memory.word(216, map_tic);
    answers.send([(MSG_CODE_DOOM_DONE, "")]).unwrap();
    let mut found = Vec::new();
    loop {
        orders.wait(1, Instant::now() + Duration::from_secs(60));
        orders.receive_all(&mut found).unwrap();
        for Message { code, text } in found.drain(..) {
            match (code, text.as_str()) {
                (21 | 23, _) => {
                    map_tic += 1;
                    memory.0.read_exact_at(&mut pressed, STATE_BYTES as u64).unwrap();
                    reward += if behaviour == "forgets" { 0 } else { f64::from_le_bytes(pressed) as u32 };
                    memory.word(216, map_tic);
                    memory.word(224, reward << 16);
                    // Byte 482 of the state says whether the player is dead. In the fake game, the player dies after the fifth
                    // press of a button.
                    memory.write(482, &[u8::from(reward >= 5)]);
                    memory.write(STATE_BYTES + INPUT_BYTES, &[map_tic as u8]);
                    if behaviour == "silent" && map_tic > 2 {
                        std::thread::sleep(Duration::from_secs(60));
                    }
                    if behaviour == "holds" && map_tic > 4 {
                        answers.lock_forever();
                        std::process::abort();
                    }
                    answers.send([(MSG_CODE_DOOM_DONE, "")]).unwrap();
                }
                (22, _) => answers.send([(MSG_CODE_DOOM_DONE, "")]).unwrap(),
                (24, text) if text.starts_with("map ") => (map_tic, reward) = (0, 0),
                (24, _) => {}
                _ => std::process::exit(0),
            }
        }
    }
}

/// A game whose engine is the fake engine.
struct FakeGame {
    _folder: TempFolder,
    game: Game,
}

fn settings(behaviour: &str) -> (TempFolder, Arc<Settings>) {
    let folder = TempFolder::new().unwrap();
    let program = folder.path().join("vizdoom");
    let test = std::env::current_exe().unwrap();
    let script = format!(
        "#!/bin/sh\n{BEHAVIOUR_VARIABLE}=\"{behaviour} $*\" exec {} --exact tests::fake_engine --nocapture\n",
        test.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let config = Config { available_buttons: vec![0], episode_start_time: 3, ..Config::default() };
    let timeout = Duration::from_secs(if behaviour == "silent" { 1 } else { 60 });
    let settings = Settings::new(program, PathBuf::from("/nowhere.wad"), config, timeout);
    // All replies arrive in time, except that an engine with the behaviour `mute` never starts up.
    let startup_timeout = if behaviour == "mute" { Duration::from_millis(50) } else { settings.startup_timeout };
    (folder, Arc::new(Settings { startup_timeout, ..settings }))
}

fn start_fake(behaviour: &str) -> Result<FakeGame, EngineFault> {
    let (folder, settings) = settings(behaviour);
    let mut game = Game::start(&settings, &Spawner::default(), 5);
    finish(&mut game)?;
    Ok(FakeGame { _folder: folder, game })
}

/// Advances the game until its current operation is complete, and returns the engine's error if it fails.
fn finish(game: &mut Game) -> Result<(), EngineFault> {
    loop {
        if game.advance()? {
            return Ok(());
        }
        game.wait(Instant::now() + Duration::from_millis(20));
        game.check_engine()?;
    }
}

fn shared_memory_files(game: &Game) -> Vec<PathBuf> {
    assert!(game.id().starts_with("envpool"));
    let mine = format!("envpool{}x", std::process::id());
    let files = fs::read_dir(Path::new("/dev/shm")).unwrap().filter_map(Result::ok).map(|entry| entry.path());
    files.filter(|path| path.to_string_lossy().contains(&mine)).collect()
}

#[test]
fn an_episode_is_started_stepped_and_restarted() {
    let FakeGame { mut game, _folder } = start_fake("plays").unwrap();
    assert_eq!(game.memory().map_tic(), 3, "tics before the episode were played");
    game.step(&[1.0], 2, false).unwrap();
    finish(&mut game).unwrap();
    assert_eq!((game.memory().map_tic(), game.take_reward(), game.is_episode_finished()), (5, 2.0, false));
    assert_eq!(game.memory().region(Region::Screen)[0], 5);
    game.step(&[0.0], 1, false).unwrap();
    finish(&mut game).unwrap();
    assert_eq!(game.take_reward(), 0.0);
    game.step(&[1.0], 6, true).unwrap();
    finish(&mut game).unwrap();
    assert_eq!(
        (game.memory().map_tic(), game.take_reward(), game.is_episode_finished()),
        (9, 3.0, true),
        "no tic is played after the end"
    );
    game.new_episode(9, None).unwrap();
    finish(&mut game).unwrap();
    assert_eq!((game.memory().map_tic(), game.is_episode_finished()), (3, false));
}

#[test]
fn batched_tics_continue_after_the_end() {
    let FakeGame { mut game, _folder } = start_fake("plays").unwrap();
    game.step(&[1.0], 8, false).unwrap();
    finish(&mut game).unwrap();
    assert_eq!((game.memory().map_tic(), game.is_episode_finished()), (11, true));
}

#[test]
fn a_running_engine_has_no_files_and_leaves_no_process() {
    let FakeGame { game, _folder } = start_fake("plays").unwrap();
    let id = game.id().to_owned();
    let named = shared_memory_files(&game);
    assert!(named.iter().all(|path| !path.to_string_lossy().ends_with(&id)), "{named:?}");
    let process = game.process().unwrap();
    drop(game);
    assert!(!Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn exits_error_messages_and_unsupported_engines_have_different_faults() {
    assert_eq!(start_fake("exits").map(|_| ()), Err(EngineFault::Exited("exit status: 7".into())));
    assert_eq!(start_fake("says").map(|_| ()), Err(EngineFault::EngineError("No player 1 start".into())));
    let unknown = |behaviour| match start_fake(behaviour) {
        Err(EngineFault::Unsupported(text)) => text,
        other => panic!("{:?}", other.map(|_| ())),
    };
    assert!(unknown("unknown").contains("9.9.9"));
    assert!(unknown("small").contains("160 x 240"));
}

#[test]
fn an_engine_that_is_killed_or_does_not_reply_fails() {
    let FakeGame { mut game, _folder } = start_fake("plays").unwrap();
    // SAFETY: `game.process()` is the id of a child of this process that has not been reaped.
    unsafe { libc::kill(game.process().unwrap() as i32, libc::SIGKILL) };
    game.step(&[0.0], 4, false).unwrap();
    assert_eq!(finish(&mut game), Err(EngineFault::Exited("signal: 9 (SIGKILL)".into())));
    let Err(fault) = start_fake("silent") else { panic!("it replies") };
    assert_eq!(fault, EngineFault::TimedOut(Duration::from_secs(1)));
}

#[test]
fn an_engine_that_never_starts_up_fails_and_leaves_no_file() {
    let (_folder, settings) = settings("mute");
    let settings = Arc::new(Settings { engine_timeout: Duration::from_millis(50), ..(*settings).clone() });
    let mut game = Game::start(&settings, &Spawner::default(), 5);
    let id = game.id().to_owned();
    assert_eq!(finish(&mut game), Err(EngineFault::TimedOut(Duration::from_millis(50))));
    drop(game);
    assert!(
        ["ViZDoomMQDoom", "ViZDoomMQCtr", "ViZDoomSM"].iter().all(|name| !shared_memory_path(&format!("{name}{id}")).exists())
    );
}

#[test]
fn an_engine_that_dies_with_the_lock_of_its_queue_fails() {
    let FakeGame { mut game, _folder } = start_fake("holds").unwrap();
    game.step(&[0.0], 4, false).unwrap();
    let fault = finish(&mut game).unwrap_err();
    assert!(matches!(fault, EngineFault::Exited(_)), "{fault}");
    assert!(matches!(game.step(&[0.0], 1, true), Ok(()) | Err(EngineFault::Exited(_))));
}

#[test]
fn a_saved_game_is_replayed_in_another_engine() {
    let FakeGame { mut game, _folder } = start_fake("plays").unwrap();
    let mut step = |values: &[f64], tics, exactly| {
        game.step(values, tics, exactly).unwrap();
        finish(&mut game).unwrap();
    };
    step(&[1.0], 3, false);
    step(&[0.0], 2, true);
    let saved = game.save().unwrap();
    let (folder, settings) = settings("plays");
    assert_eq!(saved.validate(&settings), Ok(()));
    let limited =
        |timeout| Settings { config: Config { episode_timeout: timeout, ..settings.config.clone() }, ..(*settings).clone() };
    assert_eq!(saved.validate(&limited(1)), Ok(()), "a step may exceed the remaining tics");
    let mut replayed = Game::start_replay(&settings, &Spawner::default(), saved.clone());
    finish(&mut replayed).unwrap();
    assert_eq!(
        (replayed.memory().map_tic(), replayed.memory().map_reward()),
        (game.memory().map_tic(), game.memory().map_reward())
    );
    assert_eq!(replayed.take_reward(), game.take_reward());
    // Next, a second game of the same engine process is replayed. Then a replay by an engine that plays a different game must
    // fail.
    game.new_episode(9, None).unwrap();
    finish(&mut game).unwrap();
    game.step(&[1.0], 2, false).unwrap();
    finish(&mut game).unwrap();
    let later = game.save().unwrap();
    let mut replayed = Game::start_replay(&settings, &Spawner::default(), later);
    finish(&mut replayed).unwrap();
    assert_eq!(replayed.memory().map_tic(), game.memory().map_tic());
    let (other, wrong) = self::settings("forgets");
    let mut replayed = Game::start_replay(&wrong, &Spawner::default(), saved);
    assert!(matches!(finish(&mut replayed), Err(EngineFault::ReplayMismatch(_))));
    drop((folder, other));
}

#[test]
fn a_saved_game_beyond_the_limits_is_refused() {
    let FakeGame { mut game, _folder } = start_fake("plays").unwrap();
    game.step(&[1.0], 3, false).unwrap();
    finish(&mut game).unwrap();
    let (_other, settings) = settings("plays");
    let limited = Settings { config: Config { episode_timeout: 2, ..settings.config.clone() }, ..(*settings).clone() };
    let longer = game.save().unwrap().longer(69);
    assert_eq!(longer.validate(&settings), Ok(()));
    assert_eq!(longer.validate(&limited), Err("it has a game of 72 tics: expected at most 2".into()));
    let longest = longer.longer(1 << 20).validate(&settings).unwrap_err();
    assert_eq!(longest, "it has 1048648 tics to replay: expected at most 1048576");
}

#[test]
fn a_missing_program_is_an_error() {
    let (_folder, settings) = settings("plays");
    let settings = Arc::new(Settings { program: PathBuf::from("/nowhere/vizdoom"), ..(*settings).clone() });
    let mut game = Game::start(&settings, &Spawner::default(), 5);
    let Err(EngineFault::SpawnFailed(text)) = finish(&mut game) else { panic!("it runs") };
    assert!(text.starts_with("/nowhere/vizdoom: "), "{text}");
}
