//! Which arrays a batch consists of: the two dialects (EnvPool's dtypes, gymnasium's dtypes) and the three formats of results.

use std::ops::Range;

use crate::contract::config::PoolConfig;
use crate::contract::form::{Form, LeafForm};
use crate::contract::space::{Dtype, Leaf, Space};
use crate::contract::spec::{EnvSpec, Occasion};

/// Whose dtypes and infos the arrays follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// EnvPool: float32 rewards, int32 for integers, `env_id`, `players.env_id` and `elapsed_step` in the info.
    EnvPool,
    /// gymnasium's vector environments: float64 rewards, gymnasium's own dtypes and infos.
    Gymnasium,
}

/// Which flags a step returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `terminated` and `truncated` (gymnasium, gym 0.26).
    Gymnasium,
    /// `done` and `truncated` (gym before 0.26).
    Gym,
    /// `step_type` and `discount` (dm_env).
    Dm,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Array number `0` of the observation.
    Observation(usize),
    /// Reward of each player.
    Reward,
    /// Whether the episode ended by the environment's own rules.
    Terminated,
    /// Whether the time limit ended the episode.
    Truncated,
    /// Terminated or truncated.
    Done,
    /// 0 where done, otherwise 1.
    Discount,
    /// dm_env's 0 first, 1 middle, 2 last.
    StepType,
    /// Id of the environment.
    EnvId,
    /// Id of the environment that each player belongs to.
    PlayerEnvId,
    /// Steps since the last reset.
    ElapsedStep,
    /// Info array number `0` of the environment.
    Info(usize),
    /// Whether info array number `0` is of this step (gymnasium's `_key`).
    InfoPresent(usize),
    /// Observation array `0` of the episode that just ended (autoreset in the same step).
    FinalObservation(usize),
    /// Info array `0` of the episode that just ended (autoreset in the same step).
    FinalInfo(usize),
    /// Return of the episode that ended, of the first player; 0 where none did.
    EpisodeReturn,
    /// Length of the episode that ended, in steps.
    EpisodeLength,
    /// Seconds that the episode that ended took.
    EpisodeTime,
}

/// One array of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What it holds.
    pub role: Role,
    /// Element type.
    pub dtype: Dtype,
    /// Shape of one row.
    pub shape: Vec<usize>,
    /// Rows that one environment takes: 1, or its number of players.
    pub rows: usize,
}

impl Column {
    /// Elements for one environment.
    pub fn len(&self) -> usize {
        self.rows * self.shape.iter().product::<usize>()
    }

    /// Whether an environment has no element here.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes from one environment to the next.
    pub fn stride(&self) -> usize {
        self.len() * self.dtype.size()
    }
}

/// Where one leaf of the environment's observation lies: leaves may share a column (EnvPool packs Blackjack's three numbers).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) column: usize,
    /// Bytes from the start of an environment's row.
    pub(crate) offset: usize,
    /// Elements.
    pub(crate) len: usize,
}

/// All arrays of a batch, and where the environment's leaves lie in them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The arrays.
    pub columns: Vec<Column>,
    pub(crate) leaves: Vec<Place>,
    pub(crate) infos: Vec<Option<Place>>,
    pub(crate) final_leaves: Vec<Place>,
    pub(crate) final_infos: Vec<Option<Place>>,
    /// For each column of the role `InfoPresent`, after what its info is told.
    pub(crate) occasions: Vec<Occasion>,
}

/// What results look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Whose dtypes and infos.
    pub dialect: Dialect,
    /// Which flags.
    pub format: Format,
}

/// The observation space in a dialect: EnvPool's where it has one of its own, or else with the narrow types.
pub fn dialect_observation(spec: &EnvSpec, dialect: Dialect) -> Space {
    in_dialect(&spec.observation, spec.envpool_observation.as_ref(), dialect)
}

/// The action space in a dialect, likewise.
pub fn dialect_action(spec: &EnvSpec, dialect: Dialect) -> Space {
    in_dialect(&spec.action, spec.envpool_action.as_ref(), dialect)
}

/// The element type of rewards in a dialect.
pub fn dialect_reward(spec: &EnvSpec, dialect: Dialect) -> Dtype {
    match dialect {
        Dialect::Gymnasium => Dtype::F64,
        Dialect::EnvPool => spec.envpool_reward,
    }
}

fn in_dialect(space: &Space, envpool: Option<&Space>, dialect: Dialect) -> Space {
    match (dialect, envpool) {
        (Dialect::Gymnasium, _) => space.clone(),
        (Dialect::EnvPool, Some(own)) => own.clone(),
        (Dialect::EnvPool, None) => narrow(space),
    }
}

fn narrow(space: &Space) -> Space {
    match space.clone() {
        Space::Box { low, high, shape, dtype } => Space::Box { low, high, shape, dtype: dtype.narrow() },
        Space::Discrete { n, start, dtype } => Space::Discrete { n, start, dtype: dtype.narrow() },
        Space::MultiDiscrete { counts, shape, dtype } => Space::MultiDiscrete { counts, shape, dtype: dtype.narrow() },
        Space::MultiBinary { shape } => Space::MultiBinary { shape },
        Space::Text { shape, .. } => Space::uniform(0.0, 255.0, &shape, Dtype::U8),
        Space::Dict(parts) => Space::Dict(parts.into_iter().map(|(key, part)| (key, narrow(&part))).collect()),
        Space::Tuple(parts) => Space::Tuple(parts.iter().map(narrow).collect()),
    }
}

/// The info arrays an environment has in a dialect: index in `EnvSpec::info` and element type.
pub fn dialect_infos(spec: &EnvSpec, dialect: Dialect) -> Vec<(usize, Dtype)> {
    let infos = spec.info.iter().enumerate();
    match dialect {
        Dialect::Gymnasium => infos.filter(|(_, info)| info.in_gymnasium).map(|(i, info)| (i, info.dtype)).collect(),
        Dialect::EnvPool => infos.filter(|(_, info)| info.in_envpool).map(|(i, info)| (i, info.envpool_dtype)).collect(),
    }
}

impl Layout {
    /// The arrays for an environment in a pool.
    ///
    /// # Panics
    /// Where `envpool_observation` does not hold the scalars of `observation`: a mistake in the environment.
    pub fn new(spec: &EnvSpec, outputs: Outputs, config: &PoolConfig) -> Self {
        let mut layout = Self::default();
        layout.leaves = layout.add_observation(spec, outputs.dialect, Role::Observation);
        layout.add_flags(spec.players, dialect_reward(spec, outputs.dialect), outputs, config);
        layout.infos = layout.add_infos(spec, outputs.dialect, Role::Info);
        if outputs.dialect == Dialect::Gymnasium {
            for (index, _) in dialect_infos(spec, outputs.dialect) {
                layout.add(Role::InfoPresent(index), Dtype::Bool, 1);
                layout.occasions.push(spec.info[index].occasion);
            }
        }
        layout.add_elapsed(outputs.dialect);
        if config.has_final_columns() {
            layout.final_leaves = layout.add_observation(spec, outputs.dialect, Role::FinalObservation);
            layout.final_infos = layout.add_infos(spec, outputs.dialect, Role::FinalInfo);
        }
        layout.add_statistics(config);
        layout
    }

    /// The arrays for environments that are played outside of the engine: in their own types, whatever the dialect.
    pub fn of_form(form: &Form, outputs: Outputs, config: &PoolConfig) -> Self {
        let mut layout = Self::default();
        layout.leaves = layout.add_leaves(&form.leaves, Role::Observation);
        let reward = if outputs.dialect == Dialect::EnvPool { form.envpool_reward } else { Dtype::F64 };
        layout.add_flags(form.players, reward, outputs, config);
        layout.infos = layout.add_leaves(&form.infos, Role::Info).into_iter().map(Some).collect();
        if outputs.dialect == Dialect::Gymnasium {
            (0..form.infos.len()).for_each(|index| layout.add(Role::InfoPresent(index), Dtype::Bool, 1));
            layout.occasions = form.occasions.clone();
            layout.occasions.resize(form.infos.len(), Occasion::Always);
        }
        layout.add_elapsed(outputs.dialect);
        if config.has_final_columns() {
            layout.final_leaves = layout.add_leaves(&form.leaves, Role::FinalObservation);
            layout.final_infos = layout.add_leaves(&form.infos, Role::FinalInfo).into_iter().map(Some).collect();
        }
        layout.add_statistics(config);
        layout
    }

    fn add_leaves(&mut self, leaves: &[LeafForm], role: fn(usize) -> Role) -> Vec<Place> {
        let mut places = Vec::with_capacity(leaves.len());
        for (index, leaf) in leaves.iter().enumerate() {
            let column = Column { role: role(index), dtype: leaf.dtype, shape: leaf.shape.clone(), rows: leaf.rows };
            places.push(Place { column: self.columns.len(), offset: 0, len: column.len() });
            self.columns.push(column);
        }
        places
    }

    fn add_elapsed(&mut self, dialect: Dialect) {
        if dialect == Dialect::EnvPool {
            self.add(Role::ElapsedStep, Dtype::I32, 1);
        }
    }

    fn add_statistics(&mut self, config: &PoolConfig) {
        if config.episode_statistics {
            self.add(Role::EpisodeReturn, Dtype::F64, 1);
            self.add(Role::EpisodeLength, Dtype::I64, 1);
            self.add(Role::EpisodeTime, Dtype::F64, 1);
        }
    }

    /// Whether some infos are not always told, so that their masks differ from others'.
    pub fn infos_differ(&self) -> bool {
        self.occasions.iter().any(|occasion| *occasion != Occasion::Always)
    }

    /// After what the info of the column with the role [`Role::InfoPresent`] is told, of which there is one for each info.
    pub fn occasion(&self, info: usize) -> Option<Occasion> {
        let place = self.columns.iter().filter_map(|column| match column.role {
            Role::InfoPresent(index) => Some(index),
            _ => None,
        });
        place.zip(&self.occasions).find(|(index, _)| *index == info).map(|(_, occasion)| *occasion)
    }

    /// Index of the column that plays `role`.
    pub fn index(&self, role: Role) -> Option<usize> {
        self.columns.iter().position(|column| column.role == role)
    }

    fn add(&mut self, role: Role, dtype: Dtype, rows: usize) {
        self.columns.push(Column { role, dtype, shape: Vec::new(), rows });
    }

    fn add_flags(&mut self, players: usize, reward: Dtype, outputs: Outputs, config: &PoolConfig) {
        self.add(Role::Reward, reward, players);
        match outputs.format {
            Format::Gymnasium => {
                self.add(Role::Terminated, Dtype::Bool, 1);
                if config.episode_statistics || config.has_final_columns() {
                    self.add(Role::Done, Dtype::Bool, 1);
                }
            }
            Format::Gym => self.add(Role::Done, Dtype::Bool, 1),
            Format::Dm => {
                self.add(Role::StepType, Dtype::I32, 1);
                self.add(Role::Discount, Dtype::F32, players);
            }
        }
        if outputs.format != Format::Dm {
            self.add(Role::Truncated, Dtype::Bool, 1);
        }
        // Without ids nobody could use asynchronous batches, whatever gymnasium has.
        if outputs.dialect == Dialect::EnvPool || config.is_async() {
            self.add(Role::EnvId, Dtype::I32, 1);
        }
        if outputs.dialect == Dialect::EnvPool {
            self.add(Role::PlayerEnvId, Dtype::I32, players);
        }
    }

    fn add_observation(&mut self, spec: &EnvSpec, dialect: Dialect, role: fn(usize) -> Role) -> Vec<Place> {
        let (space, rows) = (dialect_observation(spec, dialect), spec.rows());
        // Which scalars, counted over the whole observation, each array holds, and how large they are.
        let mut runs: Vec<(Range<usize>, usize, usize)> = Vec::new();
        let mut end = 0;
        for (index, leaf) in space.leaves().into_iter().enumerate() {
            let (dtype, shape) = (leaf.space.dtype(), leaf.space.shape().to_vec());
            let start = end;
            end += leaf.space.size() * rows;
            runs.push((start..end, self.columns.len(), dtype.size()));
            self.columns.push(Column { role: role(index), dtype, shape, rows });
        }
        let mut first = 0;
        let place = |leaf: Leaf<'_>| {
            let len = leaf.space.size() * rows;
            let run = runs.iter().find(|(run, ..)| run.start <= first && first + len <= run.end);
            let (run, column, size) = run.expect("a leaf of the observation is split over EnvPool's arrays");
            let offset = (first - run.start) * size;
            first += len;
            Place { column: *column, offset, len }
        };
        let places = spec.observation.leaves().into_iter().map(place).collect();
        assert_eq!(first, end, "EnvPool's observation holds other scalars");
        places
    }

    fn add_infos(&mut self, spec: &EnvSpec, dialect: Dialect, role: fn(usize) -> Role) -> Vec<Option<Place>> {
        let mut places = vec![None; spec.info.len()];
        for (index, dtype) in dialect_infos(spec, dialect) {
            let column = Column { role: role(index), dtype, shape: spec.info[index].shape.clone(), rows: 1 };
            places[index] = Some(Place { column: self.columns.len(), offset: 0, len: column.len() });
            self.columns.push(column);
        }
        places
    }
}
