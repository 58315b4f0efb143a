//! Registry of tasks, which finds a task by its name.

use std::any::Any;
use std::sync::Arc;

use crate::backend::process_lane::ProcessEnv;
use crate::contract::env::Env;
use crate::contract::error::{Error, Result};
use crate::contract::foreign::{ForeignEnv, ForeignMaker};
use crate::contract::kernel::Kernel;
use crate::contract::options::{OptionSpec, Options, Variant, suggestion};
use crate::contract::value::Value;
use crate::tasks::envpool::{EnvPoolClass, EnvPoolOption};
use crate::tasks::factory::{EnvFactory, block_factory, foreign_factory, lane_factory, process_factory};
use envpool_rs_sync::{AppendList, ForkMutex};

/// A named task: an environment, its registered options and its episode limits.
pub struct Task {
    /// Name, such as `CartPole-v1`.
    pub id: &'static str,
    /// Number of steps after which an episode is truncated; `None` for no limit.
    pub max_episode_steps: Option<u32>,
    /// Mean return per episode at which the task counts as solved.
    pub reward_threshold: Option<f64>,
    /// Declarations of the task's options.
    pub options: Arc<[OptionSpec]>,
    /// Names of the numeric options that `reset(options=...)` accepts.
    pub reset_options: &'static [&'static str],
    /// Name and version of the shared library that the environment belongs to; `None` for environments of this program.
    pub library: Option<&'static str>,
    /// Names of options in the order of EnvPool's configuration, if that differs from the order of `options`.
    pub envpool_order: Vec<&'static str>,
    /// EnvPool's class of this task; `None` if EnvPool has none.
    pub envpool_class: Option<&'static EnvPoolClass>,
    /// Options of EnvPool that no option of this task equals.
    pub envpool_options: &'static [EnvPoolOption],
    presets: Vec<(&'static str, Value)>,
    variant: Option<Variant>,
    limit: Option<fn(&Options) -> Option<u32>>,
    create: Create,
}

type Create = Arc<dyn Fn(&Options) -> Result<Box<dyn EnvFactory>> + Send + Sync>;

impl Task {
    /// Creates a task for an [`Env`].
    pub fn env<E: Env>(id: &'static str) -> Self {
        Self::from_parts(id, E::options(), E::RESET_OPTIONS, Arc::new(lane_factory::<E>))
    }

    /// Creates a task for a [`Kernel`].
    pub fn kernel<K: Kernel>(id: &'static str) -> Self {
        Self::from_parts(id, K::options(), K::RESET_OPTIONS, Arc::new(block_factory::<K>))
    }

    /// Creates a task for a [`ProcessEnv`]. None of its options can be drawn for each episode.
    pub fn processes<P: ProcessEnv>(id: &'static str) -> Self {
        Self::from_parts(id, P::options(), &[], Arc::new(process_factory::<P>))
    }

    /// Creates a task for [`ForeignEnv`]s of the library `library`. Snapshots contain the library's name.
    ///
    /// `create` creates the environment from resolved options. Options that may change from episode to episode are numbers. `create`
    /// is kept until the process ends.
    pub fn foreign(
        id: &'static str,
        library: &'static str,
        (options, reset_options): (Vec<OptionSpec>, &'static [&'static str]),
        create: impl Fn(&Options) -> Result<Box<dyn ForeignEnv>> + Send + Sync + 'static,
    ) -> Self {
        let maker: &'static ForeignMaker = Box::leak(Box::new(ForeignMaker(Box::new(create))));
        let task = Self::from_parts(id, options, reset_options, Arc::new(foreign_factory)).variant(maker);
        Self { library: Some(library), ..task }
    }

    /// Copies the task under another name, with all options that were preset so far. Tasks of a large family then share one list
    /// of options.
    #[must_use]
    pub fn with_id(&self, id: &'static str) -> Self {
        Self {
            id,
            options: Arc::clone(&self.options),
            presets: self.presets.clone(),
            envpool_order: self.envpool_order.clone(),
            create: Arc::clone(&self.create),
            ..*self
        }
    }

    fn from_parts(id: &'static str, options: Vec<OptionSpec>, reset_options: &'static [&'static str], create: Create) -> Self {
        Self {
            id,
            max_episode_steps: None,
            reward_threshold: None,
            options: options.into(),
            reset_options,
            library: None,
            envpool_order: Vec::new(),
            envpool_class: None,
            envpool_options: &[],
            presets: Vec::new(),
            variant: None,
            limit: None,
            create,
        }
    }

    /// Replaces the environment's options: for one [`Env`] type that implements many environments with individual options.
    #[must_use]
    pub fn options(mut self, options: Vec<OptionSpec>) -> Self {
        self.options = options.into();
        self
    }

    /// Replaces the names of the environment's reset options: for one [`Env`] type that implements many environments with
    /// individual reset options, which [`Env::reset_options`] returns.
    #[must_use]
    pub fn with_reset_options(mut self, reset_options: &'static [&'static str]) -> Self {
        self.reset_options = reset_options;
        self
    }

    /// Sets a value that the environment reads by [`Options::variant`]: for one [`Env`] type that implements many environments.
    ///
    /// A separate type for each value would compile the engine's code for [`Env`] again for each.
    #[must_use]
    pub fn variant(mut self, variant: &'static (dyn Any + Send + Sync)) -> Self {
        self.variant = Some(Variant(variant));
        self
    }

    /// Sets the order of options in EnvPool's configuration; options that are not listed follow the listed ones.
    #[must_use]
    pub fn envpool_order(mut self, names: Vec<&'static str>) -> Self {
        self.envpool_order = names;
        self
    }

    /// Sets EnvPool's class of this task.
    #[must_use]
    pub fn envpool_class(mut self, class: &'static EnvPoolClass) -> Self {
        self.envpool_class = Some(class);
        self
    }

    /// Sets the options of EnvPool that no option of this task equals.
    #[must_use]
    pub fn envpool_options(mut self, options: &'static [EnvPoolOption]) -> Self {
        self.envpool_options = options;
        self
    }

    /// Returns the names of all options, in the order of EnvPool's configuration.
    pub fn names_in_envpool_order(&self) -> Vec<&'static str> {
        let names: Vec<_> = self.options.iter().map(|option| option.name).collect();
        let first = self.envpool_order.iter().filter(|name| names.contains(name));
        first.chain(names.iter().filter(|name| !self.envpool_order.contains(name))).copied().collect()
    }

    /// Truncates episodes after `steps` steps.
    #[must_use]
    pub fn max_episode_steps(mut self, steps: u32) -> Self {
        self.max_episode_steps = Some(steps);
        self
    }

    /// Truncates episodes after the number of steps that `limit` computes from the options, if any.
    #[must_use]
    pub fn step_limit_from(mut self, limit: fn(&Options) -> Option<u32>) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Returns the number of steps after which an episode with these options is truncated by default; `None` for no limit.
    pub fn step_limit(&self, options: &Options) -> Option<u32> {
        self.limit.and_then(|limit| limit(options)).or(self.max_episode_steps)
    }

    /// Sets the mean return per episode at which the task counts as solved.
    #[must_use]
    pub fn reward_threshold(mut self, threshold: f64) -> Self {
        self.reward_threshold = Some(threshold);
        self
    }

    /// Presets the value of an option, instead of the environment's default.
    #[must_use]
    pub fn preset(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.presets.push((name, value.into()));
        self
    }

    /// Resolves all options. Each is the value in `given`, or this task's preset, or the default.
    ///
    /// # Errors
    /// `Value` for an unknown option, `Type` for a value of another type.
    pub fn resolve(&self, given: &[(String, Value)]) -> Result<Options> {
        let mut options = Options::resolve(&self.options, &self.presets, given)?;
        options.variant = self.variant;
        options.specs = Some(Arc::clone(&self.options));
        Ok(options)
    }

    /// Creates the factory of the task's environment with these options.
    ///
    /// # Errors
    /// `Value` or `Type` for an option that the environment refuses; `Value` for options that were resolved for another task or
    /// variant.
    pub fn factory(&self, options: &Options) -> Result<Box<dyn EnvFactory>> {
        let has_names = options.iter().map(|(name, _)| name).eq(self.options.iter().map(|option| option.name));
        if !has_names || options.variant != self.variant {
            return Err(Error::Value(format!("options are not for task {}: expected the result of its resolve()", self.id)));
        }
        (self.create)(options)
    }
}

/// Registry of all tasks, in order of registration.
#[derive(Default)]
pub struct Registry {
    tasks: Vec<Task>,
    /// Tasks that were added later. Added tasks live until the process ends, because pools borrow them.
    added: AppendList<&'static Task>,
    /// Mutex that is locked while a thread checks and adds tasks.
    adding: ForkMutex<()>,
}

impl Registry {
    /// Adds tasks to the registry.
    ///
    /// # Panics
    /// If a name is already registered: a mistake in the table of tasks.
    pub fn add(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            assert!(self.tasks.iter().all(|other| other.id != task.id), "task {:?} is registered twice", task.id);
            self.tasks.push(task);
        }
    }

    /// Adds tasks to a registry that is in use. They are never removed.
    ///
    /// # Errors
    /// `Value` if a name is already registered; in this case, no task is added.
    pub fn extend(&self, tasks: Vec<Task>) -> Result<()> {
        let _turn = self.adding.lock();
        for (index, task) in tasks.iter().enumerate() {
            let mut others = self.tasks.iter().chain(self.added.iter().map(|task| &**task)).chain(&tasks[..index]);
            if let Some(other) = others.find(|other| other.id == task.id) {
                let owner = other.library.map_or_else(|| "this program".to_owned(), |library| format!("the library {library}"));
                return Err(Error::value(
                    "id",
                    format_args!("{:?}", task.id),
                    format_args!("a new name; it is a task of {owner}"),
                ));
            }
        }
        self.added.extend(tasks.into_iter().map(|task| &*Box::leak(Box::new(task))));
        Ok(())
    }

    /// Returns the tasks that were registered at the start, without those that [`extend`](Self::extend) added.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Returns all tasks, including those that [`extend`](Self::extend) added.
    pub fn all_tasks(&self) -> Vec<&Task> {
        self.tasks.iter().chain(self.added.iter().map(|task| &**task)).collect()
    }

    /// Returns the registered task with this id.
    ///
    /// # Errors
    /// `UnknownTask`, suggesting the nearest names.
    pub fn task(&self, id: &str) -> Result<&Task> {
        let added = || self.added.iter().map(|task| &**task).find(|task| task.id == id);
        self.tasks.iter().find(|task| task.id == id).or_else(added).ok_or_else(|| {
            let ids: Vec<_> = self.all_tasks().iter().map(|task| task.id).collect();
            Error::UnknownTask(format!("unknown task {id:?}{}", suggestion(id, &ids)))
        })
    }
}
