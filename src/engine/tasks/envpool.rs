//! EnvPool's classes of tasks, and its options that no option of a task equals.

/// Class of tasks in EnvPool. A configuration of the class selects one of the tasks.
#[derive(Debug, PartialEq, Eq)]
pub struct EnvPoolClass {
    /// Module of the class, without `envpool.`.
    pub module: &'static str,
    /// First part of the names of the specification's and the pools' classes.
    pub name: &'static str,
    /// Task whose options are the defaults of the class.
    pub defaults: &'static str,
    /// Task of a configuration, unless `selectors` select it.
    pub task: &'static str,
    /// Options whose values select the task.
    pub selectors: &'static [&'static str],
}

impl EnvPoolClass {
    /// Creates a class of one task.
    pub const fn new(module: &'static str, name: &'static str, task: &'static str) -> Self {
        Self { module, name, defaults: task, task, selectors: &[] }
    }

    /// Creates a class whose configurations have the defaults of one task, and make another.
    pub const fn making(self, task: &'static str) -> Self {
        Self { task, ..self }
    }

    /// Creates a class whose configurations select the task by the values of options.
    pub const fn selected_by(self, selectors: &'static [&'static str]) -> Self {
        Self { selectors, ..self }
    }
}

/// Integer option of EnvPool's that sets several options of a task, or selects another task.
#[derive(Debug, PartialEq, Eq)]
pub struct EnvPoolOption {
    /// Name of the keyword argument.
    pub name: &'static str,
    /// Value of the task's defaults.
    pub default: i64,
    /// Accepted values, in words.
    pub allowed: &'static str,
    /// Effect of the option.
    pub doc: &'static str,
    /// Tasks that the values from 0 select; empty if the option sets options instead.
    pub tasks: &'static [&'static str],
}
