//! Options that every task takes, in addition to the options of its environment.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Declaration of an option that every task takes.
pub struct PoolOption {
    /// Name of the keyword argument.
    pub name: &'static str,
    /// Accepted Python types, separated by "or".
    pub kind: &'static str,
    /// Default value in Python syntax, and its meaning.
    pub default: &'static str,
    /// Accepted strings, if the option accepts only a few strings; otherwise empty.
    pub values: &'static [&'static str],
    /// Effect of the option, with units.
    pub doc: &'static str,
}

const fn pool_option(name: &'static str, kind: &'static str, default: &'static str, doc: &'static str) -> PoolOption {
    PoolOption { name, kind, default, values: &[], doc }
}

/// Names of EnvPool's and gymnasium's autoreset modes in this package.
const AUTORESET_MODES: [&str; 3] = ["next_step", "same_step", "disabled"];

/// Names of the rules by which results are normalised.
const NORMALIZATION_RULES: [&str; 2] = ["gymnasium", "sb3"];

/// Options that every task takes, in the order in which a configuration lists them.
pub const POOL_OPTIONS: [PoolOption; 16] = [
    pool_option("num_envs", "int", "1", "environments"),
    pool_option("batch_size", "int", "0: num_envs", "rows of a result; fewer than num_envs is asynchronous"),
    pool_option(
        "num_threads",
        "int or str",
        "0: as many as useful",
        "background workers, and the calling thread works too; 'auto' measures which number is fastest",
    ),
    pool_option(
        "max_num_players",
        "int or None",
        "None: the task's",
        "EnvPool's name for the number of players; any other number is refused",
    ),
    pool_option("thread_affinity_offset", "int", "-1: off", "pins worker k to CPU number offset + k"),
    pool_option(
        "seed",
        "int or list of int or None",
        "42 (make), drawn (make_vec)",
        "environment i gets seed + i; or a list with a seed for each",
    ),
    pool_option(
        "max_episode_steps",
        "int or None or list of such",
        "None: the task's",
        "time limit in steps, after which an episode is truncated; or a list with one for each",
    ),
    pool_option("reward_threshold", "float or None", "None: the task's", "mean return that counts as solved; reported by spec"),
    PoolOption {
        name: "autoreset_mode",
        kind: "str or AutoresetMode",
        default: "'next_step'",
        values: &AUTORESET_MODES,
        doc: "when a finished environment is reset: in the next step, in the last step, or only by reset",
    },
    pool_option(
        "record_episode_statistics",
        "bool",
        "False",
        "return, length and time of ended episodes in info[\"episode\"]; not with dm_env's time steps",
    ),
    PoolOption {
        name: "normalize_obs",
        kind: "str or bool",
        default: "False",
        values: &NORMALIZATION_RULES,
        doc: "normalises observations by running statistics, as gymnasium (True) or Stable-Baselines3 does",
    },
    PoolOption {
        name: "normalize_reward",
        kind: "str or bool",
        default: "False",
        values: &NORMALIZATION_RULES,
        doc: "divides rewards by the standard deviation of returns, as gymnasium (True) or Stable-Baselines3 does",
    },
    pool_option("clip_obs", "float or None", "None: off, or 10 with \"sb3\"", "largest absolute value of observations"),
    pool_option("clip_reward", "float or None", "None: off, or 10 with \"sb3\"", "largest absolute value of rewards"),
    pool_option("gamma", "float", "0.99", "discount factor of the returns that normalize_reward uses"),
    pool_option("epsilon", "float", "1e-8", "normalisation adds it to variances"),
];

/// Options that every task takes and that Python code, instead of the engine, handles: EnvPool's aliases, render options, and
/// options of EnvPool's interfaces.
pub const PYTHON_OPTIONS: [PoolOption; 9] = [
    pool_option(
        "normalization",
        "Normalization or None",
        "None",
        "another pool's normalization: its options, and its statistics, frozen, at each reset of all environments",
    ),
    pool_option("env_seed", "list of int or None", "[]: seed", "EnvPool's name for a list of seeds"),
    pool_option(
        "base_path",
        "str or None",
        "None",
        "EnvPool's name for the folder of its files: Atari's rom_dir; no other task needs one",
    ),
    PoolOption {
        name: "render_mode",
        kind: "str or None",
        default: "None",
        values: &["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"],
        doc: "result of render(): a window, pictures, depths or both (MuJoCo), or text (toy text)",
    },
    pool_option("render_env_id", "int or None", "0", "the environment that EnvPool's render() shows by default"),
    pool_option("render_width", "int or None", "0: the task's", "width of pictures in pixels"),
    pool_option("render_height", "int or None", "0: the task's", "height of pictures in pixels"),
    pool_option("render_camera_id", "int or None", "None", "one of the model's cameras (MuJoCo); None or -1: the task's own"),
    pool_option(
        "gym_reset_return_info",
        "bool or None",
        "None: as the installed gym",
        "whether reset returns infos; False for env_type=\"gym\" only",
    ),
];

fn to_dicts<'py>(py: Python<'py>, options: &[PoolOption]) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let describe = |option: &PoolOption| {
        let entry = PyDict::new(py);
        entry.set_item("name", option.name)?;
        entry.set_item("default", option.default)?;
        entry.set_item("kind", option.kind)?;
        entry.set_item("values", option.values)?;
        entry.set_item("doc", option.doc)?;
        Ok(entry)
    };
    options.iter().map(describe).collect()
}

/// Returns the options that every task takes, in the order in which a configuration lists them.
#[pyfunction]
pub fn pool_options(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    to_dicts(py, &POOL_OPTIONS)
}

/// Returns the options that every task takes and that Python code, instead of the engine, handles.
#[pyfunction]
pub fn options_of_python(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    to_dicts(py, &PYTHON_OPTIONS)
}
