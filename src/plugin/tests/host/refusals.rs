//! Tests that invalid tables are refused, with an error that names the library, the task, the field, its value and the
//! expectation.

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use envpool_rs_engine::Error;
use envpool_rs_plugin::abi::{self, Array, Batch, Env, Library, Task, TaskOption, Value};
use envpool_rs_plugin::host::{libraries, load_table};

use crate::{REGISTRY, load, message, support};

unsafe extern "C" fn play(_env: *const Env, _batch: *mut Batch) -> i64 {
    0
}

unsafe extern "C" fn load_state(_env: *const Env, _batch: *mut Batch, _bytes: *const u8, _length: u64) -> i64 {
    0
}

unsafe extern "C" fn render(_env: *const Env, _batch: *mut Batch, _rgb: *mut u8) -> i64 {
    0
}

/// Copies the environment that the task's data points to.
unsafe extern "C" fn make(task: *const Task, _values: *const Value, env: *mut Env, _error: *mut c_char, _size: u64) -> i64 {
    // SAFETY: the tests' tables point to an environment, and the host provides memory for one.
    unsafe { *env = *(*task).data.cast::<Env>() };
    0
}

unsafe extern "C" fn make_nothing(
    _task: *const Task,
    _values: *const Value,
    _env: *mut Env,
    error: *mut c_char,
    size: u64,
) -> i64 {
    let text = b"there is no level 7\0";
    assert!(size as usize >= text.len());
    // SAFETY: the host's buffer for error messages is larger than `text`.
    unsafe { error.copy_from_nonoverlapping(text.as_ptr().cast(), text.len()) };
    3
}

fn leak<T>(value: T) -> &'static mut T {
    Box::leak(Box::new(value))
}

fn text(text: &'static CStr) -> *const c_char {
    text.as_ptr()
}

fn list<T>(values: Vec<T>) -> *const T {
    Vec::leak(values).as_ptr()
}

/// Tables of a valid library, in which each test changes one field.
struct Tables {
    library: &'static mut Library,
    task: &'static mut Task,
    option: &'static mut TaskOption,
    env: &'static mut Env,
    observation: &'static mut Array,
    action: &'static mut Array,
    info: &'static mut Array,
}

impl Tables {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let id = format!("Table{}-v0\0", NUMBER.fetch_add(1, Ordering::Relaxed)).leak().as_ptr().cast();
        let size = size_of::<Array>() as u64;
        let array = Array { size, name: text(c""), kind: abi::BOX, dtype: abi::FLOAT32, ..Array::zeroed() };
        let (observation, info) = (leak(array), leak(Array { name: text(c"length"), ..array }));
        let action = leak(Array { kind: abi::DISCRETE, dtype: abi::INT64, n: list(vec![2]), ..array });
        let env = leak(Env {
            size: size_of::<Env>() as u64,
            observations: 1,
            observation,
            actions: 1,
            action,
            infos: 1,
            info,
            flags: abi::PLAIN,
            state_size: 8,
            reset: Some(play),
            step: Some(play),
            observe: Some(play),
            inform: Some(play),
            ..Env::zeroed()
        });
        let value = Value { kind: abi::OPTION_INT, ..Value::zeroed() };
        let size = size_of::<TaskOption>() as u64;
        let option = leak(TaskOption { size, name: text(c"level"), doc: text(c"the level"), value, ..TaskOption::zeroed() });
        let task = leak(Task {
            size: size_of::<Task>() as u64,
            id,
            options: 1,
            option,
            data: (&raw const *env).cast::<c_void>(),
            make: Some(make),
            ..Task::zeroed()
        });
        let library = leak(Library {
            size: size_of::<Library>() as u64,
            name: text(c"tables"),
            version: text(c"1"),
            tasks: 1,
            task: list(vec![&raw const *task]),
        });
        Self { library, task, option, env, observation, action, info }
    }

    /// Loads the table, and returns the error message; `None` if the table was accepted.
    fn refusal(&self) -> Option<String> {
        // SAFETY: all memory of the tables is leaked, so it lives until the process ends.
        let loaded = unsafe { load_table(&raw const *self.library as usize, "memory", &REGISTRY, &["num_envs", "seed"]) };
        loaded.err().map(|error| error.to_string())
    }
}

#[test]
fn a_whole_table_is_loaded_once() {
    let tables = Tables::new();
    assert_eq!([tables.refusal(), tables.refusal()], [None, None]);
    assert_eq!(libraries().iter().filter(|info| info.origin == "memory" && info.name == "tables").count(), 1);
}

#[test]
fn each_wrong_field_is_refused_by_its_name_value_and_expectation() {
    type Change = fn(&mut Tables);
    let cases: Vec<(&str, Change)> = vec![
        ("library.size=7: expected sizeof(epr_library), which is 40", |t| t.library.size = 7),
        ("library.name=null: expected a text", |t| t.library.name = std::ptr::null()),
        ("library.name=\"\": expected 1 to 100 letters", |t| t.library.name = text(c"")),
        ("library.version=\"1/2\": expected 1 to 100", |t| t.library.version = text(c"1/2")),
        ("library.version=\u{fffd}: expected UTF-8", |t| t.library.version = text(c"\xff")),
        ("library.tasks=0: expected 1 to 65536", |t| t.library.tasks = 0),
        ("library.tasks=-1: expected 1 to 65536", |t| t.library.tasks = u64::MAX),
        ("library.task=null: expected the address of 1 elements", |t| t.library.task = std::ptr::null()),
        ("library.task[0]=null: expected the address of an epr_task", |t| t.library.task = list(vec![std::ptr::null()])),
        ("library.task[0].size=0: expected sizeof(epr_task), which is 80", |t| t.task.size = 0),
        ("id=\"Table\": expected \"Name-v0\" or \"folder/Name-v0\"", |t| t.task.id = text(c"Table")),
        ("id=\"a b-v0\"", |t| t.task.id = text(c"a b-v0")),
        ("id=\"CartPole-v1\": expected a new name; it is a task of this program", |t| t.task.id = text(c"CartPole-v1")),
        ("make=null: expected a function", |t| t.task.make = None),
        (": there is no level 7", |t| t.task.make = Some(make_nothing)),
        ("max_episode_steps=-4: expected 0 to", |t| t.task.max_episode_steps = -4_i64 as u64),
        ("reward_threshold=inf: expected a finite number", |t| t.task.reward_threshold = f64::INFINITY),
        ("options=-2: expected 0 to 1024", |t| t.task.options = -2_i64 as u64),
        ("option[0].size=8: expected sizeof(epr_option)", |t| t.option.size = 8),
        ("option[0].name=\"a-b\": expected letters, digits and _", |t| t.option.name = text(c"a-b")),
        ("option[0].name=\"check\": expected another name", |t| t.option.name = text(c"check")),
        ("option[0].name=\"seed\": expected another name", |t| t.option.name = text(c"seed")),
        ("option[0].flags=8: expected EPR_RANGE, EPR_PATH or EPR_DRAWN; ABI version 0 has no others", |t| t.option.flags = 8),
        ("option[0].value.kind=9: expected EPR_OPTION_BOOL", |t| t.option.value.kind = 9),
        ("option[0].value=9: expected an integer from 0 to 3", |t| {
            (t.option.value.integer, t.option.high, t.option.flags) = (9, 3.0, abi::RANGE);
        }),
        ("option[0].low=3: expected a number up to high, which is 1", |t| {
            (t.option.low, t.option.high, t.option.flags) = (3.0, 1.0, abi::RANGE);
        }),
        ("reset_option[0]=\"1x\": expected letters", |t| {
            (t.task.reset_options, t.task.reset_option) = (1, list(vec![text(c"1x")]));
        }),
        ("env.size=0: expected sizeof(epr_env), which is", |t| t.env.size = 0),
        ("env.step=null: expected a function", |t| t.env.step = None),
        ("env.inform=null: expected a function", |t| t.env.inform = None),
        ("env.flags=1025: expected bits of 127; ABI version 0 has no other flags", |t| t.env.flags |= 1024),
        ("env.players=-1: expected 0 to 1024", |t| t.env.players = u64::MAX),
        ("env.state_align=3: expected a power of two up to 64, or 0 for 8", |t| t.env.state_align = 3),
        ("env.state_size=12: expected a multiple of 8, with EPR_COLUMNS", |t| {
            (t.env.state_size, t.env.flags) = (12, abi::PLAIN | abi::COLUMNS);
        }),
        ("env.state_size=-8: expected 0 to", |t| t.env.state_size = -8_i64 as u64),
        ("env.together=4: expected 0, with EPR_UNIFORM", |t| (t.env.together, t.env.flags) = (4, abi::PLAIN | abi::UNIFORM)),
        ("env.load=a function: expected null without save", |t| t.env.load = Some(load_state)),
        ("env.is_valid=a function: expected null without EPR_PLAIN", |t| {
            t.env.flags = 0;
            t.env.is_valid = Some(play);
        }),
        ("env.frame_width=0: expected 1 to 4096", |t| t.env.render = Some(render)),
        ("env.frame_height=5: expected 0 to 0", |t| t.env.frame_height = 5),
        ("observations=0: expected 1 to 1024", |t| t.env.observations = 0),
        ("observation=Box(-inf, inf, [], float32): expected a Dict with an entry for each of 2 players", |t| {
            (t.env.players, t.env.flags) = (2, abi::PLAIN | abi::SEPARATE_SPACES);
        }),
        ("observation[0].size=16: expected sizeof(epr_array)", |t| t.observation.size = 16),
        ("observation[0].kind=6: expected EPR_BOX, EPR_DISCRETE", |t| t.observation.kind = 6),
        ("observation[0].dtype=12: expected 1 (bool), 2 (uint8)", |t| t.observation.dtype = 12),
        ("observation[0].dims=-1: expected 0 to 32", |t| t.observation.dims = u64::MAX),
        ("observation[0].shape[0]=0: expected 1 to", |t| (t.observation.dims, t.observation.shape) = (1, list(vec![0]))),
        ("observation[0].shape=", |t| (t.observation.dims, t.observation.shape) = (2, list(vec![1 << 30, 1 << 30]))),
        ("observation[0].bounds=3: expected 0, 1 or 1", |t| t.observation.bounds = 3),
        ("observation[0].low=null: expected the address of 1 elements", |t| t.observation.bounds = 1),
        ("observation[0].low[0]=NaN: expected a number up to high, which is 1", |t| {
            (t.observation.bounds, t.observation.low, t.observation.high) = (1, list(vec![f64::NAN]), list(vec![1.0]));
        }),
        ("observation[0].flags=1: expected 0; flags belong to infos", |t| t.observation.flags = 1),
        ("observation[0].name=\".x\": expected a key, or keys joined by dots", |t| t.observation.name = text(c".x")),
        ("action[0].kind=EPR_TEXT: expected another kind", |t| {
            (t.action.kind, t.action.dtype, t.action.dims) = (abi::TEXT, abi::UINT8, 1);
            (t.action.shape, t.action.charset) = (list(vec![3]), text(c"ab"));
        }),
        ("action[0].dtype=float32: expected int32 or int64", |t| t.action.dtype = abi::FLOAT32),
        ("action[0].n[0]=0: expected 1 to 2147483647", |t| t.action.n = list(vec![0])),
        ("action[0].start=3000000000: expected values of int32", |t| t.action.start = 3_000_000_000),
        ("info[0].name=\"\": expected a name of its own", |t| t.info.name = text(c"")),
        ("info[0].flags=3: expected 0, EPR_AFTER_STEPS or EPR_AFTER_TERMINATIONS", |t| t.info.flags = 3),
        ("info[0].kind=2: expected EPR_BOX", |t| t.info.kind = abi::DISCRETE),
    ];
    for (expected, change) in cases {
        let mut tables = Tables::new();
        change(&mut tables);
        let refusal = tables.refusal().unwrap_or_else(|| panic!("not refused: {expected}"));
        assert!(refusal.contains(expected) && refusal.contains("memory"), "{refusal}, not {expected}");
    }
}

#[test]
fn leaves_of_a_dict_have_different_names_and_are_neighbours() {
    for (names, expected) in [
        ([c"a.x", c"b", c"a.y"], "observation[2].name=\"a.y\": expected the leaves of a Dict one after the other"),
        ([c"a", c"a", c"b"], "observation[1].name=\"a\": expected another name for each array"),
        ([c"a", c"a.x", c"b"], "observation[1].name=\"a.x\": expected no array with a name before its dots"),
        ([c"a", c"", c"b"], "observation[1].name=\"\": expected a key, or keys joined by dots"),
    ] {
        let tables = Tables::new();
        let arrays = names.map(|name| Array { name: name.as_ptr(), ..*tables.observation });
        (tables.env.observation, tables.env.observations) = (list(arrays.to_vec()), 3);
        let refusal = tables.refusal().expect("it is refused");
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn fields_of_a_newer_version_are_refused_unless_they_are_zero() {
    /// Task struct of a later version of the interface, which has an additional field.
    #[repr(C)]
    struct LaterTask {
        task: Task,
        more: u64,
    }
    for (more, refused) in [(0, false), (5, true)] {
        let tables = Tables::new();
        let later = leak(LaterTask { task: *tables.task, more });
        later.task.size += 8;
        tables.library.task = list(vec![(&raw const *later).cast()]);
        let refusal = tables.refusal();
        assert_eq!(refusal.is_some(), refused, "{refusal:?}");
        if let Some(text) = refusal {
            assert!(
                text.contains("byte 80=5: expected 0, because this version of envpool_rs knows an epr_task of 80 bytes"),
                "{text}"
            );
        }
    }
}

#[test]
fn files_that_are_not_libraries_are_refused_with_the_reason() {
    assert!(matches!(load(Path::new("/nowhere/at_all.so")), Err(Error::NotFound(_))));
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/envpool_rs.h");
    assert!(message(load(&header)).contains("expected a shared library for this system ("));
    let other = support::library_of("no_symbol", "int nothing(void) { return 0; }\n");
    assert!(message(load(&other)).ends_with("expected a library that exports envpool_rs_library_0"));
    let later = support::library_of("later", "void envpool_rs_library_3(void) {}\n");
    assert!(message(load(&later)).ends_with("envpool_rs_library_0; it has version 3, for a newer envpool_rs"));
    let null = "const void *envpool_rs_library_0(const void *host) { return host ? 0 : host; }\n";
    assert!(message(load(&support::library_of("null", null))).contains("envpool_rs_library_0 returned null"));
}

#[test]
fn a_changed_file_is_refused_until_the_program_is_restarted() {
    let path = support::library("cart_pole", "changing", &["-DID=\"Changing-v0\"", "-DNAME=\"changing\""]);
    let info = load(&path).unwrap();
    assert_eq!(load(&path).unwrap(), info);
    let copy = path.with_extension("copy");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::rename(&copy, &path).unwrap();
    let error = load(&path).unwrap_err();
    assert!(matches!(&error, Error::State(text) if text.contains("restart the program")), "{error}");
}

/// Address of the `epr_env` struct with which `unmake` was called last.
static LAST: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

#[test]
fn an_environment_is_destroyed_after_its_description() {
    unsafe extern "C" fn unmake(env: *mut Env) {
        LAST.store(env.cast(), Ordering::Relaxed);
    }
    let tables = Tables::new();
    tables.env.unmake = Some(unmake);
    assert_eq!(tables.refusal(), None);
    assert!(!LAST.load(Ordering::Relaxed).is_null());
}
