//! An environment of a library, created from a task whose options are fixed.

use std::cell::UnsafeCell;
use std::ffi::CString;
use std::sync::Arc;

use crate::abi::{self, BatchFn, ENV_ROOM};
use crate::host::table::{ERROR_SIZE, TablePath, clear_error, take_error};
use envpool_rs_engine::{EnvSpec, Error, MAX_SIDE, Options, RenderSpec, Result, Space, Value};
use envpool_rs_sync::{ForkMutex, ForkMutexGuard};

/// Name of the option that every task of a library has: whether calls are checked.
pub const CHECK_OPTION: &str = "check";

/// All flags of an environment that this version supports.
const FLAGS: u64 =
    abi::PLAIN | abi::COLUMNS | abi::UNIFORM | abi::SERIAL | abi::SEPARATE_SPACES | abi::TRUNCATION_WINS | abi::OWN_RANDOM;

/// Maximum size in bytes of a state, and of any other memory that a library requests.
const MAX_BYTES: u64 = 1 << 40;

/// Description of a library's task, read from the library's table.
pub struct TaskTable {
    pub path: TablePath,
    /// Name and version of the library.
    pub library: &'static str,
    /// Address of the task in the library. This address is passed to `make`.
    pub address: *const abi::Task,
    pub make: abi::MakeFn,
    pub reset_options: &'static [&'static str],
    /// Number of options that may change from episode to episode.
    pub drawn: usize,
    /// Lock that is held during `make`, and during calls of libraries with global state.
    pub lock: &'static ForkMutex<()>,
}

// SAFETY: the address is only passed to `make`, one call at a time by `lock`. The table lives until the process ends.
unsafe impl Send for TaskTable {}
// SAFETY: `make`, to which the address is passed, is called by one thread at a time (`lock`).
unsafe impl Sync for TaskTable {}

/// Memory of an `epr_env` struct. The struct's address stays the same until the memory is dropped.
struct EnvMemory(Box<UnsafeCell<[u64; ENV_ROOM / 8]>>);

impl EnvMemory {
    fn address(&self) -> *mut abi::Env {
        self.0.get().cast()
    }
}

/// Environment of a library: a task whose options are fixed.
pub struct LibraryEnv {
    pub table: Arc<TaskTable>,
    memory: EnvMemory,
    /// Copy of the `epr_env` struct after `make` has filled it in.
    pub view: abi::Env,
    pub spec: EnvSpec,
    pub rendering: RenderSpec,
    pub reset: BatchFn,
    pub step: BatchFn,
    pub observe: BatchFn,
    /// Whether the results of calls are checked.
    pub is_checked: bool,
}

// SAFETY: the header requires that functions of a library can be called from any thread. The memory is written by `make` and
// `prepare` only, before it is shared.
unsafe impl Send for LibraryEnv {}
// SAFETY: the header requires that functions of a library can be called from any thread, and the memory is not written after it
// is shared.
unsafe impl Sync for LibraryEnv {}

impl LibraryEnv {
    /// Creates the environment from resolved options.
    ///
    /// # Errors
    /// `Value` if the library refuses the options, or if the environment's description breaks a rule of the header.
    pub fn make(table: &Arc<TaskTable>, options: &Options) -> Result<Self> {
        let memory = EnvMemory(Box::new(UnsafeCell::new([0; ENV_ROOM / 8])));
        let mut texts = Vec::new();
        let own = options.iter().filter(|(name, _)| *name != CHECK_OPTION);
        let values = own.map(|(name, value)| convert(name, value, &mut texts)).collect::<Result<Vec<_>>>()?;
        let made = {
            let _one_call = table.lock.lock();
            // SAFETY: `make` has this signature in the header, gets the address of its task, a value for each of the task's
            // options, and zeroed memory of the promised size.
            unsafe { (table.make)(table.address, values.as_ptr(), memory.address(), clear_error(), ERROR_SIZE as u64) }
        };
        if made != 0 {
            let message = take_error().unwrap_or_else(|| format!("make returned {made} without a message"));
            return Err(Error::Value(format!("{}: {message}", table.path)));
        }
        let check = options.find(CHECK_OPTION) == Some(&Value::Bool(true));
        // SAFETY: `make` has filled in the memory, by the header's rules for lists and texts.
        unsafe { Self::read(table, memory, check) }
    }

    /// Reads the description that `make` wrote.
    ///
    /// # Safety
    /// The lists and texts in the memory are those that the header describes.
    unsafe fn read(table: &Arc<TaskTable>, memory: EnvMemory, is_checked: bool) -> Result<Self> {
        let path = &table.path;
        // SAFETY: the memory is at least as large as every struct size that `read` accepts.
        let (view, _) = unsafe { path.read("env", "epr_env", memory.address().cast_const()) }?;
        check_numbers(path, &view)?;
        let infos = path.count("env.infos", view.infos, (0, 1024))?;
        let (reset, step) = (path.function("env.reset", view.reset)?, path.function("env.step", view.step)?);
        let observe = path.function("env.observe", view.observe)?;
        if infos > 0 {
            path.function("env.inform", view.inform)?;
        }
        check_functions(path, &view)?;
        let players = view.players.max(1) as usize;
        // SAFETY: the caller guarantees that the lists in `view` are valid.
        let observation = unsafe { path.space("observation", view.observation, view.observations) }?;
        // SAFETY: the caller guarantees that the lists in `view` are valid.
        let action = unsafe { path.space("action", view.action, view.actions) }?;
        let is_shared = view.flags & abi::SEPARATE_SPACES == 0;
        if !is_shared {
            check_separate(path, "observation", &observation, players)?;
            check_separate(path, "action", &action, players)?;
        }
        // SAFETY: the caller guarantees that the lists in `view` are valid.
        let info = unsafe { path.infos(view.info, view.infos) }?;
        let spec = EnvSpec { players, shared_spaces: is_shared, info, ..EnvSpec::new(observation, action) };
        let rendering = match view.render {
            Some(_) => {
                RenderSpec::with_frame_size(view.frame_width as u32, view.frame_height as u32, view.frames_per_second as u32)
            }
            None => RenderSpec::default(),
        };
        let rendering = if view.render_text.is_some() { rendering.with_text() } else { rendering };
        let table = Arc::clone(table);
        Ok(Self { table, memory, view, spec, rendering, reset, step, observe, is_checked })
    }

    /// Returns the address of the `epr_env` struct, which calls pass to the library.
    #[inline]
    pub fn address(&self) -> *const abi::Env {
        self.memory.address()
    }

    /// Returns whether the environment has the flag `flag`.
    #[inline]
    pub fn has(&self, flag: u64) -> bool {
        self.view.flags & flag != 0
    }

    /// Locks the library until the guard is dropped, if the library has global state.
    #[inline]
    pub fn enter(&self) -> Option<ForkMutexGuard<'static, ()>> {
        self.has(abi::SERIAL).then(|| self.table.lock.lock())
    }

    /// Returns the number of bytes that one state takes in memory.
    pub fn state_bytes(&self) -> usize {
        let align = self.view.state_align.max(8) as usize;
        (self.view.state_size.max(1) as usize).next_multiple_of(align)
    }

    /// Calls the library's `prepare`.
    ///
    /// # Errors
    /// `State` with the library's message.
    pub fn prepare(&mut self) -> Result<()> {
        let Some(prepare) = self.view.prepare else { return Ok(()) };
        let prepared = {
            let _one_call = self.enter();
            // SAFETY: `make` has filled in the `epr_env` struct, and `&mut self` excludes other accesses to it.
            unsafe { prepare(self.memory.address(), clear_error(), ERROR_SIZE as u64) }
        };
        if prepared != 0 { Err(self.failure("prepare", prepared)) } else { Ok(()) }
    }

    /// Returns the error for a failed call, with the library's message.
    #[cold]
    pub fn failure(&self, function: &str, code: i64) -> Error {
        let message = take_error().unwrap_or_else(|| format!("{function} returned {code} without a message"));
        Error::State(format!("{}: {message}", self.table.path))
    }
}

impl Drop for LibraryEnv {
    fn drop(&mut self) {
        if let Some(unmake) = self.view.unmake {
            let _one_call = self.enter();
            // SAFETY: `make` has filled in the memory, and no lane uses it any more.
            unsafe { unmake(self.memory.address()) };
        }
    }
}

/// Converts the value of an option. Strings are stored in `texts`.
fn convert(name: &str, value: &Value, texts: &mut Vec<CString>) -> Result<abi::Value> {
    let zero = abi::Value::zeroed();
    let mut text = |text: &str| {
        let text = CString::new(text).map_err(|_| Error::value(name, format_args!("{text:?}"), "a text without zero bytes"))?;
        let address = text.as_ptr(); // moving the `CString` does not move its characters
        texts.push(text);
        Ok(abi::Value { kind: abi::OPTION_TEXT, text: address, ..zero })
    };
    match value {
        Value::Bool(flag) => Ok(abi::Value { kind: abi::OPTION_BOOL, integer: i64::from(*flag), ..zero }),
        Value::Int(integer) => Ok(abi::Value { kind: abi::OPTION_INT, integer: *integer, number: *integer as f64, ..zero }),
        Value::Float(number) => Ok(abi::Value { kind: abi::OPTION_FLOAT, number: *number, ..zero }),
        Value::Text(given) => text(given),
        Value::None => text(""),
        other => Err(Error::Type(format!("{name}={other}: expected bool, int, float or str"))),
    }
}

/// Checks flags, sizes and counts of an environment.
fn check_numbers(path: &TablePath, view: &abi::Env) -> Result<()> {
    let known = view.flags & !FLAGS == 0;
    path.check(known, "env.flags", view.flags, format_args!("bits of {FLAGS}; ABI version 0 has no other flags"))?;
    path.count("env.players", view.players, (0, 1024))?;
    path.count("env.state_size", view.state_size, (0, MAX_BYTES))?;
    let align = view.state_align;
    let is_align = align == 0 || align.is_power_of_two() && align <= 64;
    path.check(is_align, "env.state_align", align as i64, "a power of two up to 64, or 0 for 8")?;
    if view.flags & abi::COLUMNS != 0 {
        let is_columns = view.state_size > 0 && view.state_size.is_multiple_of(8);
        path.check(is_columns, "env.state_size", view.state_size, "a multiple of 8, with EPR_COLUMNS")?;
    }
    path.count("env.scratch_size", view.scratch_size, (0, MAX_BYTES))?;
    path.count("env.most_lanes", view.most_lanes, (0, i64::MAX as u64))?;
    path.count("env.together", view.together, (0, 1 << 20))?;
    let is_one = view.together == 0 || view.flags & abi::UNIFORM == 0;
    path.check(is_one, "env.together", view.together, "0, with EPR_UNIFORM")?;
    path.count("env.lane_heap", view.lane_heap, (0, MAX_BYTES))?;
    path.count("env.shared_heap", view.shared_heap, (0, MAX_BYTES))?;
    Ok(())
}

/// Checks that an environment has all functions that must be present together.
fn check_functions(path: &TablePath, view: &abi::Env) -> Result<()> {
    let is_plain = view.flags & abi::PLAIN != 0;
    let shown = |function: bool| if function { "a function" } else { "null" };
    let (save, load) = (view.save.is_some(), view.load.is_some());
    path.check(!(is_plain && save), "env.save", shown(save), "null, with EPR_PLAIN")?;
    path.check(load == save, "env.load", shown(load), if save { "a function, because of save" } else { "null without save" })?;
    let is_valid = view.is_valid.is_some();
    path.check(is_plain || !is_valid, "env.is_valid", shown(is_valid), "null without EPR_PLAIN; load refuses damaged states")?;
    let side = u64::from(MAX_SIDE);
    let sides = if view.render.is_some() { (1, side) } else { (0, 0) };
    path.count("env.frame_width", view.frame_width, sides)?;
    path.count("env.frame_height", view.frame_height, sides)?;
    path.count("env.frames_per_second", view.frames_per_second, (0, 1000))?;
    Ok(())
}

/// Checks that a space has an entry for each player.
fn check_separate(path: &TablePath, field: &str, space: &Space, players: usize) -> Result<()> {
    let entries = if let Space::Dict(entries) = space { entries.len() } else { 1 };
    let is_separate = matches!(space, Space::Dict(_)) && entries == players;
    let expected = format!("a Dict with an entry for each of {players} players, with EPR_SEPARATE_SPACES");
    path.check(is_separate, field, space, expected)
}
