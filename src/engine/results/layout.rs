//! Layout of a batch: its columns, for the dtypes of EnvPool or gymnasium, and for the flags of gymnasium, gym or dm_env.

use std::ops::Range;

use crate::contract::backend_spec::{BackendSpec, LeafSpec};
use crate::contract::config::PoolConfig;
use crate::contract::space::{Dtype, Leaf, Space};
use crate::contract::spec::{EnvSpec, InfoTiming};

/// Library whose dtypes and infos the arrays follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// EnvPool: float32 rewards, int32 for integers, `env_id`, `players.env_id` and `elapsed_step` in the info.
    EnvPool,
    /// gymnasium's vector environments: float64 rewards, gymnasium's own dtypes and infos.
    Gymnasium,
}

/// Library whose flags a step returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Flags `terminated` and `truncated` (gymnasium, gym 0.26).
    Gymnasium,
    /// Flags `done` and `truncated` (gym before 0.26).
    Gym,
    /// Values `step_type` and `discount` (dm_env).
    Dm,
}

/// Content of a column in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Observation array with this index.
    Observation(usize),
    /// Reward of each player.
    Reward,
    /// Whether the episode terminated by the environment's own rules.
    Terminated,
    /// Whether the time limit truncated the episode.
    Truncated,
    /// Whether the episode has ended: terminated or truncated.
    Done,
    /// dm_env's discount: 0 if the episode has ended, otherwise 1.
    Discount,
    /// dm_env's step type: 0 first, 1 middle, 2 last.
    StepType,
    /// Id of the environment.
    EnvId,
    /// Id of the environment to which each player belongs.
    PlayerEnvId,
    /// Number of steps since the last reset.
    ElapsedStep,
    /// The environment's info array with this index.
    Info(usize),
    /// Whether the row has the info array with this index (gymnasium's `_key`).
    InfoPresent(usize),
    /// Observation array with this index, of the episode that just ended (same-step autoreset).
    FinalObservation(usize),
    /// Info array with this index, of the episode that just ended (same-step autoreset).
    FinalInfo(usize),
    /// Return of the first player in the ended episode; 0 if no episode ended.
    EpisodeReturn,
    /// Length of the ended episode in steps.
    EpisodeLength,
    /// Duration of the ended episode in seconds.
    EpisodeTime,
    /// The observation as the environment reports it, before normalisation (a hidden column).
    RawObservation,
    /// The ended episode's last observation, before normalisation (a hidden column).
    RawFinalObservation,
}

/// Description of one array of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Content of the column.
    pub role: Role,
    /// Element type.
    pub dtype: Dtype,
    /// Shape of one row of the array.
    pub shape: Vec<usize>,
    /// Number of rows of the array for one environment: 1, or its number of players.
    pub rows: usize,
}

impl Column {
    /// Returns the number of elements that the array has for one environment.
    pub fn len(&self) -> usize {
        self.rows * self.shape.iter().product::<usize>()
    }

    /// Returns whether the array has no element for an environment.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the array's number of bytes from one environment's first element to the next environment's.
    pub fn stride(&self) -> usize {
        self.len() * self.dtype.size()
    }
}

/// Position of one observation leaf inside a column. Leaves may share a column (EnvPool packs Blackjack's three numbers).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeafSpan {
    pub(crate) column: usize,
    /// Offset of the leaf in bytes from the start of an environment's row.
    pub(crate) offset: usize,
    /// Number of elements of the leaf in one environment's row.
    pub(crate) len: usize,
}

impl LeafSpan {
    /// Span of a leaf that no column of the batch holds. Environments that write this leaf write nothing.
    const ABSENT: Self = Self { column: usize::MAX, offset: 0, len: 0 };
}

/// All arrays of a batch, and the positions of the environment's leaves in these arrays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The arrays of the batch.
    pub columns: Vec<Column>,
    /// Columns that are not among the results. Their numbers follow those of `columns`.
    pub(crate) hidden: Vec<Column>,
    pub(crate) leaves: Vec<LeafSpan>,
    pub(crate) infos: Vec<Option<LeafSpan>>,
    pub(crate) final_leaves: Vec<LeafSpan>,
    pub(crate) final_infos: Vec<Option<LeafSpan>>,
    /// Timing of the info (after which resets and steps it is emitted) for each column with role `InfoPresent`.
    pub(crate) info_timings: Vec<InfoTiming>,
    /// Infos that the environment writes into every row although some rows do not report them, as the index in `infos` and the
    /// timing. EnvPool's interface, which has no presence flags, reports infos of steps in all rows.
    pub(crate) conditional_infos: Vec<(usize, InfoTiming)>,
}

/// Format of a pool's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Library whose dtypes and infos the results follow.
    pub dialect: Dialect,
    /// Library whose flags a step returns.
    pub format: Format,
}

/// Returns the observation space in a dialect. For EnvPool, this is the environment's EnvPool space if it declares one, otherwise
/// its space with 64-bit types narrowed to 32 bits.
pub fn dialect_observation(spec: &EnvSpec, dialect: Dialect) -> Space {
    in_dialect(&spec.observation, spec.envpool_observation.as_ref(), dialect)
}

/// Returns the action space in a dialect. For EnvPool, this is the environment's EnvPool space if it declares one, otherwise its
/// space with 64-bit types narrowed to 32 bits.
pub fn dialect_action(spec: &EnvSpec, dialect: Dialect) -> Space {
    in_dialect(&spec.action, spec.envpool_action.as_ref(), dialect)
}

/// Returns the element type of rewards in a dialect.
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

/// Returns the info arrays of an environment in a dialect, in its order, each as the index in `EnvSpec::info` and the element type.
pub fn dialect_infos(spec: &EnvSpec, dialect: Dialect) -> Vec<(usize, Dtype)> {
    let infos = spec.info.iter().enumerate();
    match dialect {
        Dialect::Gymnasium => infos.filter(|(_, info)| info.in_gymnasium).map(|(i, info)| (i, info.dtype)).collect(),
        Dialect::EnvPool => {
            let mut infos: Vec<_> = infos.filter(|(_, info)| info.in_envpool).collect();
            infos.sort_by_key(|(_, info)| !info.is_first_in_envpool);
            infos.into_iter().map(|(i, info)| (i, info.envpool_dtype)).collect()
        }
    }
}

/// Returns the span of a written leaf in the column of the same path. `shown` lists paths and columns.
fn span_by_path(leaf: &Leaf<'_>, shown: &[(String, usize)], rows: usize) -> LeafSpan {
    let column = shown.iter().find(|(path, _)| *path == leaf.path);
    column.map_or(LeafSpan::ABSENT, |(_, column)| LeafSpan { column: *column, offset: 0, len: leaf.space.size() * rows })
}

impl Layout {
    /// Creates the layout of a pool's batches for an environment that runs in the pool's process.
    ///
    /// # Panics
    /// If `envpool_observation` does not hold the scalars of `observation`, or `written` lacks a leaf: a mistake in the environment.
    pub fn new(spec: &EnvSpec, outputs: Outputs, config: &PoolConfig) -> Self {
        let mut layout = Self::default();
        layout.leaves = layout.add_observation(spec, outputs.dialect, Role::Observation);
        layout.add_flags(spec.players, dialect_reward(spec, outputs.dialect), outputs, config);
        layout.infos = layout.add_infos(spec, outputs.dialect, Role::Info);
        if outputs.dialect == Dialect::Gymnasium {
            for (index, _) in dialect_infos(spec, outputs.dialect) {
                layout.add(Role::InfoPresent(index), Dtype::Bool, 1);
                layout.info_timings.push(spec.info[index].timing);
            }
        }
        let timings = spec.info.iter().map(|info| info.timing).enumerate();
        let is_conditional = |timing| match outputs.dialect {
            Dialect::Gymnasium => timing != InfoTiming::Always,
            Dialect::EnvPool => timing == InfoTiming::Terminations,
        };
        layout.conditional_infos = timings.filter(|(_, timing)| is_conditional(*timing)).collect();
        layout.add_elapsed(outputs.dialect);
        if config.has_final_columns() {
            layout.final_leaves = layout.add_observation(spec, outputs.dialect, Role::FinalObservation);
            layout.final_infos = layout.add_infos(spec, outputs.dialect, Role::FinalInfo);
        }
        layout.add_statistics(config);
        layout.add_hidden_columns(config);
        layout.add_hidden_infos(&spec.info);
        layout
    }

    /// Creates the layout for environments in a backend. Arrays keep their own types, independent of the dialect.
    pub fn from_backend_spec(spec: &BackendSpec, outputs: Outputs, config: &PoolConfig) -> Self {
        let mut layout = Self::default();
        layout.leaves = layout.add_leaves(&spec.leaves, Role::Observation);
        let reward = if outputs.dialect == Dialect::EnvPool { spec.envpool_reward } else { Dtype::F64 };
        layout.add_flags(spec.players, reward, outputs, config);
        layout.infos = layout.add_leaves(&spec.infos, Role::Info).into_iter().map(Some).collect();
        if outputs.dialect == Dialect::Gymnasium {
            (0..spec.infos.len()).for_each(|index| layout.add(Role::InfoPresent(index), Dtype::Bool, 1));
            layout.info_timings = spec.info_timings.clone();
            layout.info_timings.resize(spec.infos.len(), InfoTiming::Always);
        }
        layout.add_elapsed(outputs.dialect);
        if config.has_final_columns() {
            layout.final_leaves = layout.add_leaves(&spec.leaves, Role::FinalObservation);
            layout.final_infos = layout.add_leaves(&spec.infos, Role::FinalInfo).into_iter().map(Some).collect();
        }
        layout.add_statistics(config);
        layout.add_hidden_columns(config);
        layout
    }

    fn add_leaves(&mut self, leaves: &[LeafSpec], role: fn(usize) -> Role) -> Vec<LeafSpan> {
        let mut spans = Vec::with_capacity(leaves.len());
        for (index, leaf) in leaves.iter().enumerate() {
            let column = Column { role: role(index), dtype: leaf.dtype, shape: leaf.shape.clone(), rows: leaf.rows };
            spans.push(LeafSpan { column: self.columns.len(), offset: 0, len: column.len() });
            self.columns.push(column);
        }
        spans
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

    /// Returns whether some infos are not always emitted, so that presence flags differ between infos.
    pub fn has_conditional_infos(&self) -> bool {
        self.info_timings.iter().any(|occasion| *occasion != InfoTiming::Always)
    }

    /// Returns the resets and steps after which info `info` is emitted; `None` if it has no column with role
    /// [`Role::InfoPresent`].
    pub fn info_timing(&self, info: usize) -> Option<InfoTiming> {
        let info_index = self.columns.iter().filter_map(|column| match column.role {
            Role::InfoPresent(index) => Some(index),
            _ => None,
        });
        info_index.zip(&self.info_timings).find(|(index, _)| *index == info).map(|(_, occasion)| *occasion)
    }

    /// Returns the index of the column with role `role`.
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
        // Asynchronous batches need environment ids, because lanes finish in any order. So they have an id column even in
        // gymnasium's dialect.
        if outputs.dialect == Dialect::EnvPool || config.is_async() {
            self.add(Role::EnvId, Dtype::I32, 1);
        }
        if outputs.dialect == Dialect::EnvPool {
            self.add(Role::PlayerEnvId, Dtype::I32, players);
        }
    }

    fn add_observation(&mut self, spec: &EnvSpec, dialect: Dialect, role: fn(usize) -> Role) -> Vec<LeafSpan> {
        let (space, rows) = (dialect_observation(spec, dialect), spec.rows());
        // Each entry describes one column: its range among all scalars of the observation, its index, and its element size in
        // bytes.
        let mut runs: Vec<(Range<usize>, usize, usize)> = Vec::new();
        let mut end = 0;
        for (index, leaf) in space.leaves().into_iter().enumerate() {
            let (dtype, shape) = (leaf.space.dtype(), leaf.space.shape().to_vec());
            let start = end;
            end += leaf.space.size() * rows;
            runs.push((start..end, self.columns.len(), dtype.size()));
            self.columns.push(Column { role: role(index), dtype, shape, rows });
        }
        if let Some(written) = &spec.written {
            let columns = self.columns.len() - runs.len()..;
            let shown = space.leaves().into_iter().map(|leaf| leaf.path).zip(columns).collect::<Vec<_>>();
            let spans: Vec<_> = written.leaves().iter().map(|leaf| span_by_path(leaf, &shown, rows)).collect();
            assert_eq!(spans.iter().filter(|span| **span != LeafSpan::ABSENT).count(), shown.len(), "a leaf is not written");
            return spans;
        }
        let mut first = 0;
        let span_of = |leaf: Leaf<'_>| {
            let len = leaf.space.size() * rows;
            let run = runs.iter().find(|(run, ..)| run.start <= first && first + len <= run.end);
            let (run, column, size) = run.expect("a leaf of the observation is split over EnvPool's arrays");
            let offset = (first - run.start) * size;
            first += len;
            LeafSpan { column: *column, offset, len }
        };
        let spans = spec.observation.leaves().into_iter().map(span_of).collect();
        assert_eq!(first, end, "EnvPool's observation holds other scalars");
        spans
    }

    fn add_infos(&mut self, spec: &EnvSpec, dialect: Dialect, role: fn(usize) -> Role) -> Vec<Option<LeafSpan>> {
        let mut spans = vec![None; spec.info.len()];
        for (index, dtype) in dialect_infos(spec, dialect) {
            let column = Column { role: role(index), dtype, shape: spec.info[index].shape.clone(), rows: 1 };
            spans[index] = Some(LeafSpan { column: self.columns.len(), offset: 0, len: column.len() });
            self.columns.push(column);
        }
        spans
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
