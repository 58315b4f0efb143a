//! Starts and ends a ViZDoom engine process, with its message queues and its working folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::time::{Duration, Instant};

use super::engine_fault::EngineFault;
use super::message_queue::MessageQueue;
use super::pk3_cache;
use super::shared_files::{INSTANCE_PREFIX, MQ_CONTROLLER_NAME_BASE, MQ_DOOM_NAME_BASE, SM_NAME_BASE, shared_memory_path};
use super::spawner::{Spawner, TempFolder};
use super::vfork::{Child, Command};

/// Name of the link to the recording folder in the engine's working folder.
pub const RECORDING_LINK: &str = "r";
/// Interval between two checks whether an engine that is closing has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Returns a new instance id, which is unique in shared memory.
pub fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{INSTANCE_PREFIX}{}x{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Arguments for starting an engine.
pub struct LaunchArgs {
    /// Instance id of the engine in shared memory.
    pub id: String,
    /// Path of the engine's program.
    pub program: PathBuf,
    /// Program name (`argv[0]`) by which the engine finds its optimized archive.
    pub arg0: Option<PathBuf>,
    /// Command line arguments of the engine.
    pub arguments: Vec<String>,
    /// Folder into which the engine records demos; `None` if it records none.
    pub recording_folder: Option<PathBuf>,
    /// Folder in which the engine's working folder is created.
    pub temp_folder: PathBuf,
}

/// Engine process whose start is queued or in progress.
pub struct PendingEngine {
    engine: mpsc::Receiver<Result<Engine, EngineFault>>,
    is_wanted: Arc<AtomicBool>,
}

impl PendingEngine {
    /// Returns the started engine or the error of its start; `None` while the start is in progress. Never waits.
    ///
    /// # Errors
    /// If the engine cannot be started.
    pub fn poll(&self) -> Option<Result<Engine, EngineFault>> {
        match self.engine.try_recv() {
            Ok(engine) => Some(engine),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Err(EngineFault::SpawnFailed("the thread that starts engines has ended".into())))
            }
        }
    }

    /// Cancels a start that is queued or in progress.
    pub fn cancel(&self) {
        self.is_wanted.store(false, Ordering::SeqCst);
    }

    /// Waits for the result of a cancelled start, and ends the engine if it was started.
    pub fn end(self) {
        drop(self.engine.recv());
    }
}

/// Queues the start of an engine on the spawner's thread.
pub fn queue_start(launch_args: LaunchArgs, spawner: &Spawner) -> PendingEngine {
    let (sender, engine) = mpsc::channel();
    let is_wanted = Arc::new(AtomicBool::new(true));
    let (refused, wanted) = (sender.clone(), Arc::clone(&is_wanted));
    let submitted = spawner.submit(Box::new(move || {
        let engine = match wanted.load(Ordering::SeqCst) {
            true => Engine::start(launch_args),
            false => Err(EngineFault::SpawnFailed("it was closed before".into())),
        };
        // If the receiver no longer exists, `engine` is dropped, which ends its process.
        let _result = sender.send(engine);
    }));
    if let Err(error) = submitted {
        let _result = refused.send(Err(EngineFault::SpawnFailed(error.to_string())));
    }
    PendingEngine { engine, is_wanted }
}

/// An engine process with its message queues and its working folder.
pub struct Engine {
    id: String,
    /// Queue of messages to the engine.
    pub to_engine: MessageQueue,
    /// Queue of messages from the engine.
    pub from_engine: MessageQueue,
    /// Process of the engine.
    pub child: Child,
    /// Working folder; `None` once the engine no longer writes to it.
    folder: Option<TempFolder>,
    /// Id of the process that started the engine.
    owner_pid: u32,
}

impl Engine {
    fn start(launch_args: LaunchArgs) -> Result<Self, EngineFault> {
        let LaunchArgs { id, program, arg0, arguments, recording_folder, temp_folder } = launch_args;
        let queue = |name: &str| MessageQueue::create(&format!("{name}{id}")).map_err(EngineFault::no_shared_memory);
        let (to_engine, from_engine) = (queue(MQ_DOOM_NAME_BASE)?, queue(MQ_CONTROLLER_NAME_BASE)?);
        let folder = TempFolder::new_in(&temp_folder)
            .map_err(|error| EngineFault::SpawnFailed(format!("its working folder cannot be created ({error})")))?;
        if let Some(recording_folder) = recording_folder {
            let linked = std::os::unix::fs::symlink(recording_folder, folder.path().join(RECORDING_LINK));
            linked.map_err(|error| EngineFault::SpawnFailed(format!("the recording folder cannot be linked ({error})")))?;
        }
        let arg0 = arg0.filter(|arg0| pk3_cache::has_archive(arg0));
        let command = Command { program, arg0, arguments, working_folder: folder.path().to_owned() };
        let spawn_failed = |error| EngineFault::SpawnFailed(format!("{}: {error}", command.program.display()));
        let child = Child::start(&command).map_err(spawn_failed)?;
        Ok(Self { id, to_engine, from_engine, child, folder: Some(folder), owner_pid: std::process::id() })
    }

    /// Removes the names of the engine's message queues, and its working folder. If `writes` is set, the engine still writes to
    /// the folder, which is then not removed.
    pub fn unlink_names(&mut self, writes: bool) {
        self.to_engine.unlink_name();
        self.from_engine.unlink_name();
        if !writes {
            self.folder = None;
        }
    }

    /// Waits until the engine process has exited or the deadline `until` has passed; then kills the process if it still runs.
    pub fn end(mut self, until: Instant) {
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.owner_pid != std::process::id() {
            return;
        }
        let _already_exited = self.child.kill();
        let _reaped = self.child.wait();
        // The engine's shared memory may still exist, if the engine has not completed its handshake.
        let _usually_removed = std::fs::remove_file(shared_memory_path(&format!("{SM_NAME_BASE}{}", self.id)));
    }
}
