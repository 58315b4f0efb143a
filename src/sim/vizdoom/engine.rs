//! An engine's process with its queues and its folder: made in the starter's thread, and ended.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::time::{Duration, Instant};

use super::cache;
use super::child::{Child, Order};
use super::fault::Fault;
use super::queue::{FROM_ENGINE, MEMORY, OWN, Queue, TO_ENGINE, shared_file};
use super::starter::{Folder, Starter};

/// The name of the folder for recordings, as the engine sees it.
pub const RECORDINGS: &str = "r";
/// How often an engine that ends by itself is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// A name in shared memory that no other engine has.
pub fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{OWN}{}x{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// What to start.
pub struct Launch {
    /// The engine's name in shared memory.
    pub id: String,
    /// The program.
    pub program: PathBuf,
    /// The name that the program is started by, where that makes it faster.
    pub name: Option<PathBuf>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The folder that recordings go to.
    pub recordings: Option<PathBuf>,
    /// The folder that the engine's own folder lies in.
    pub temporary: PathBuf,
}

/// An engine that is being started.
pub struct Started {
    engine: mpsc::Receiver<Result<Engine, Fault>>,
    is_wanted: Arc<AtomicBool>,
}

impl Started {
    /// The engine, once it is there.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn poll(&self) -> Option<Result<Engine, Fault>> {
        match self.engine.try_recv() {
            Ok(engine) => Some(engine),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Fault::Unstarted("the thread that starts engines has ended".into()))),
        }
    }

    /// Keeps an engine that has not been started from being started.
    pub fn cancel(&self) {
        self.is_wanted.store(false, Ordering::SeqCst);
    }

    /// Ends an engine that has been cancelled, and waits for that.
    pub fn end(self) {
        drop(self.engine.recv());
    }
}

/// Has an engine started, in a moment.
pub fn start(launch: Launch, starter: &Starter) -> Started {
    let (answer, engine) = mpsc::channel();
    let is_wanted = Arc::new(AtomicBool::new(true));
    let (refused, wanted) = (answer.clone(), Arc::clone(&is_wanted));
    let asked = starter.ask(Box::new(move || {
        let engine = match wanted.load(Ordering::SeqCst) {
            true => Engine::start(launch),
            false => Err(Fault::Unstarted("it was ended before".into())),
        };
        // An engine that no receiver waits for ends as it is dropped.
        let _received = answer.send(engine);
    }));
    if let Err(error) = asked {
        let _received = refused.send(Err(Fault::Unstarted(error.to_string())));
    }
    Started { engine, is_wanted }
}

/// An engine's process with its queues and its folder.
pub struct Engine {
    id: String,
    /// Messages to the engine.
    pub to_engine: Queue,
    /// Messages from the engine.
    pub from_engine: Queue,
    /// Its process.
    pub child: Child,
    /// Where it writes, while it does.
    folder: Option<Folder>,
    /// The process that started it.
    owner: u32,
}

impl Engine {
    fn start(launch: Launch) -> Result<Self, Fault> {
        let Launch { id, program, name, arguments, recordings, temporary } = launch;
        let queue = |name: &str| Queue::create(&format!("{name}{id}")).map_err(Fault::without_memory);
        let (to_engine, from_engine) = (queue(TO_ENGINE)?, queue(FROM_ENGINE)?);
        let folder =
            Folder::new_in(&temporary).map_err(|error| Fault::Unstarted(format!("it has no folder to write to ({error})")))?;
        if let Some(recordings) = recordings {
            let linked = std::os::unix::fs::symlink(recordings, folder.path().join(RECORDINGS));
            linked.map_err(|error| Fault::Unstarted(format!("its recordings have no folder ({error})")))?;
        }
        let name = name.filter(|name| cache::has_archive(name));
        let order = Order { program, name, arguments, folder: folder.path().to_owned() };
        let unstarted = |error| Fault::Unstarted(format!("{}: {error}", order.program.display()));
        let child = Child::start(&order).map_err(unstarted)?;
        Ok(Self { id, to_engine, from_engine, child, folder: Some(folder), owner: std::process::id() })
    }

    /// Takes the names away that an engine needs only until it has come up; a folder stays that it `writes` to.
    pub fn unname(&mut self, writes: bool) {
        self.to_engine.unname();
        self.from_engine.unname();
        if !writes {
            self.folder = None;
        }
    }

    /// Waits until the process has ended by itself, or `until`, and ends it then.
    pub fn end(mut self, until: Instant) {
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.owner != std::process::id() {
            return;
        }
        let _gone_already = self.child.kill();
        let _waited_for = self.child.wait();
        // An engine that has not come so far that its memory was opened may have made it.
        let _mostly_gone = std::fs::remove_file(shared_file(&format!("{MEMORY}{}", self.id)));
    }
}
