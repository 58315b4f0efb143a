//! Structs and constants of `include/envpool_rs.h`, version 0 of the C interface between pools and libraries.
//!
//! The header documents the fields of the structs. Each field has 8 bytes. `tests/layout.rs` compares sizes, offsets and
//! constants with those of a C compiler.

use std::ffi::{c_char, c_void};

/// Version of the interface, which is the number in the name of the exported function.
pub const ABI_VERSION: u64 = 0;

/// Name of the function of type [`LibraryFn`] that a library exports.
pub const LIBRARY_SYMBOL: &str = "envpool_rs_library_0";

/// Size in bytes of the zeroed memory that [`Task::make`] may fill in.
pub const ENV_ROOM: usize = 4096;

/// Type of the function that a library exports.
pub type LibraryFn = unsafe extern "C" fn(*const Host) -> *const Library;

/// Type of the functions that run several lanes in one call.
pub type BatchFn = unsafe extern "C" fn(*const Env, *mut Batch) -> i64;

/// Type of [`Env::save`].
pub type SaveFn = unsafe extern "C" fn(*const Env, *mut Batch, *mut u8, u64, *mut u64) -> i64;

/// Type of [`Env::load`].
pub type LoadFn = unsafe extern "C" fn(*const Env, *mut Batch, *const u8, u64) -> i64;

/// Type of [`Env::render`].
pub type RenderFn = unsafe extern "C" fn(*const Env, *mut Batch, *mut u8) -> i64;

/// Type of [`Env::render_text`].
pub type RenderTextFn = unsafe extern "C" fn(*const Env, *mut Batch, *mut c_char, u64, *mut u64) -> i64;

/// Type of [`Env::check_reset`].
pub type CheckResetFn = unsafe extern "C" fn(*const Env, *const f64, *mut c_char, u64) -> i64;

/// Type of [`Env::prepare`].
pub type PrepareFn = unsafe extern "C" fn(*mut Env, *mut c_char, u64) -> i64;

/// Type of [`Task::make`].
pub type MakeFn = unsafe extern "C" fn(*const Task, *const Value, *mut Env, *mut c_char, u64) -> i64;

/// Size and fields of a struct, as a C compiler sees them.
pub struct Layout {
    /// Name of the struct in the header.
    pub name: &'static str,
    /// Size of the struct in bytes.
    pub size: usize,
    /// Name, offset and Rust type of each field.
    pub fields: &'static [(&'static str, usize, &'static str)],
}

/// Declares the structs, and the list of their layouts.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident = $c_name:literal { $($field:ident: $type:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Debug, Clone, Copy)]
            #[allow(missing_docs, reason = "the header documents the fields")]
            pub struct $name {
                $(pub $field: $type,)*
            }

            impl $name {
                /// Returns the struct with all fields zero or null.
                pub const fn zeroed() -> Self {
                    // SAFETY: all fields are numbers, raw pointers and optional functions, for which zeros are valid.
                    unsafe { std::mem::zeroed() }
                }
            }
        )*

        /// Layouts of all structs of the interface.
        pub const LAYOUTS: &[Layout] = &[$(Layout {
            name: $c_name,
            size: size_of::<$name>(),
            fields: &[$((stringify!($field), std::mem::offset_of!($name, $field), stringify!($type)),)*],
        }),*];
    };
}

structs! {
    /// Random stream of a lane: numpy's PCG64.
    Random = "epr_random" {
        state_low: u64,
        state_high: u64,
        increment_low: u64,
        increment_high: u64,
        has_uint32: u64,
        uinteger: u64,
    }

    /// Functions of the pool that libraries may call.
    Host = "epr_host" {
        size: u64,
        random: Option<unsafe extern "C" fn(*mut Random) -> f64>,
        uniform: Option<unsafe extern "C" fn(*mut Random, f64, f64) -> f64>,
        normal: Option<unsafe extern "C" fn(*mut Random) -> f64>,
        exponential: Option<unsafe extern "C" fn(*mut Random) -> f64>,
        integers: Option<unsafe extern "C" fn(*mut Random, i64, i64) -> i64>,
        next_u64: Option<unsafe extern "C" fn(*mut Random) -> u64>,
        next_u32: Option<unsafe extern "C" fn(*mut Random) -> u64>,
        random_f32: Option<unsafe extern "C" fn(*mut Random) -> f64>,
        seed: Option<unsafe extern "C" fn(*mut Random, u64)>,
    }

    /// Description of one array: a leaf of the observation or the action, or an info.
    Array = "epr_array" {
        size: u64,
        name: *const c_char,
        kind: u64,
        dtype: u64,
        flags: u64,
        dims: u64,
        shape: *const u64,
        bounds: u64,
        low: *const f64,
        high: *const f64,
        n: *const i64,
        start: i64,
        charset: *const c_char,
    }

    /// Value of an option.
    Value = "epr_value" {
        kind: u64,
        integer: i64,
        number: f64,
        text: *const c_char,
    }

    /// Option of a task.
    TaskOption = "epr_option" {
        size: u64,
        name: *const c_char,
        doc: *const c_char,
        value: Value,
        low: f64,
        high: f64,
        flags: u64,
        choices: u64,
        choice: *const *const c_char,
    }

    /// Lanes of one call, and the call's arguments and results.
    Batch = "epr_batch" {
        size: u64,
        count: u64,
        lane: *const u32,
        consecutive: u64,
        first_lane: u64,
        state: *mut u8,
        lane_stride: u64,
        field_stride: u64,
        random: *mut Random,
        cause: *const u8,
        seed: *const u64,
        elapsed: *mut i64,
        reset_option: *const f64,
        action: *const *const c_void,
        action_stride: *const u64,
        reward: *mut f64,
        end: *mut u8,
        out: *const *mut c_void,
        out_stride: *const u64,
        scratch: *mut c_void,
        error: *mut c_char,
        error_size: u64,
        ended: *const i64,
        option: *const f64,
        drawn: u64,
    }

    /// A task with its options fixed.
    Env = "epr_env" {
        size: u64,
        data: *mut c_void,
        players: u64,
        flags: u64,
        observations: u64,
        actions: u64,
        infos: u64,
        observation: *const Array,
        action: *const Array,
        info: *const Array,
        state_size: u64,
        state_align: u64,
        scratch_size: u64,
        most_lanes: u64,
        together: u64,
        lane_heap: u64,
        shared_heap: u64,
        create: Option<BatchFn>,
        reset: Option<BatchFn>,
        step: Option<BatchFn>,
        observe: Option<BatchFn>,
        inform: Option<BatchFn>,
        destroy: Option<BatchFn>,
        save: Option<SaveFn>,
        load: Option<LoadFn>,
        is_valid: Option<BatchFn>,
        render: Option<RenderFn>,
        render_text: Option<RenderTextFn>,
        frame_width: u64,
        frame_height: u64,
        frames_per_second: u64,
        check_reset: Option<CheckResetFn>,
        prepare: Option<PrepareFn>,
        unmake: Option<unsafe extern "C" fn(*mut Env)>,
    }

    /// A named task.
    Task = "epr_task" {
        size: u64,
        id: *const c_char,
        max_episode_steps: u64,
        reward_threshold: f64,
        options: u64,
        option: *const TaskOption,
        reset_options: u64,
        reset_option: *const *const c_char,
        data: *const c_void,
        make: Option<MakeFn>,
    }

    /// A library: its name, its version and its tasks.
    Library = "epr_library" {
        size: u64,
        name: *const c_char,
        version: *const c_char,
        tasks: u64,
        task: *const *const Task,
    }
}

/// Declares the constants, and the list of their values.
macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $($(#[$doc])* pub const $name: u64 = $value;)*

        /// Names (in the header with the prefix `EPR_`) and values of all constants.
        pub const CONSTANTS: &[(&str, u64)] = &[$((stringify!($name), $value)),*];
    };
}

constants! {
    /// Element type: boolean, one byte that is 0 or 1.
    BOOL = 1;
    /// Element type: unsigned 8-bit integer.
    UINT8 = 2;
    /// Element type: signed 8-bit integer.
    INT8 = 3;
    /// Element type: signed 16-bit integer.
    INT16 = 4;
    /// Element type: signed 32-bit integer.
    INT32 = 5;
    /// Element type: signed 64-bit integer.
    INT64 = 6;
    /// Element type: single-precision float.
    FLOAT32 = 7;
    /// Element type: double-precision float.
    FLOAT64 = 8;

    /// Kind of space: numbers between bounds.
    BOX = 1;
    /// Kind of space: consecutive integers.
    DISCRETE = 2;
    /// Kind of space: an array of integers, each with its own range.
    MULTI_DISCRETE = 3;
    /// Kind of space: an array of zeros and ones.
    MULTI_BINARY = 4;
    /// Kind of space: a string. For observations only.
    TEXT = 5;

    /// Flag of an info: it is emitted only after steps.
    AFTER_STEPS = 1;
    /// Flag of an info: it is emitted only after steps that terminate an episode.
    AFTER_TERMINATIONS = 2;

    /// Type of an option: boolean.
    OPTION_BOOL = 1;
    /// Type of an option: integer.
    OPTION_INT = 2;
    /// Type of an option: float.
    OPTION_FLOAT = 3;
    /// Type of an option: string.
    OPTION_TEXT = 4;

    /// Flag of an option: its numbers must lie in a range.
    RANGE = 1;
    /// Flag of an option: its value is a path.
    PATH = 2;
    /// Flag of an option: its value may change from episode to episode.
    DRAWN = 4;

    /// Flag of an environment: its states are bytes that may be copied.
    PLAIN = 1;
    /// Flag of an environment: its states are columns of 8-byte fields.
    COLUMNS = 2;
    /// Flag of an environment: all steps are cheap and take about the same time.
    UNIFORM = 4;
    /// Flag of an environment: only one of its functions may run at a time.
    SERIAL = 8;
    /// Flag of an environment: its players have different spaces.
    SEPARATE_SPACES = 16;
    /// Flag of an environment: a step that reaches a limit is only truncated, even if the episode also terminates.
    TRUNCATION_WINS = 32;
    /// Flag of an environment: its random streams are stored in its states.
    OWN_RANDOM = 64;

    /// Bit of `end`: the episode terminated.
    TERMINATED = 1;
    /// Bit of `end`: the episode reached a limit that the environment checks itself.
    TRUNCATED = 2;
    /// Bit of `end`: later rewards have discount 0.
    ZERO_DISCOUNT = 4;
    /// Bit of `end`: the operation failed in this lane only.
    FAILED = 8;

    /// Bit of `cause`: the reset has a new seed.
    SEEDED = 1;
    /// Bit of `cause`: the reset is an autoreset after an episode.
    NEXT_EPISODE = 2;
    /// Bit of `cause`: the episode before the reset reached the time limit.
    AFTER_LIMIT = 4;
}
