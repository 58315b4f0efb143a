//! Columns of a host's results that are sent over the wire.

use envpool_rs_engine::{Answered, Batch, Dtype, Format, Layout, Role, RowOut, RowRun, RowsOut};

/// Meaning of a wire column to the receiving pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Observation(usize),
    Info(usize),
    FinalObservation(usize),
    FinalInfo(usize),
    /// Rewards, as float64 if `double`, otherwise as float32.
    Rewards {
        double: bool,
    },
    Terminated,
    Truncated,
    StepType,
    Discount,
    Elapsed,
    EpisodeReturn,
    EpisodeLength,
    EpisodeTime,
}

/// A column that is sent over the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub part: Part,
    /// Index in the layout.
    pub index: usize,
    /// Bytes per environment.
    pub stride: usize,
}

/// The columns that are sent over the wire, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts(pub Vec<Column>);

impl Parts {
    /// Returns the wire columns of a layout.
    pub fn of(layout: &Layout) -> Self {
        let mut infos = [0; 2];
        let mut next = |which: usize| {
            infos[which] += 1;
            infos[which] - 1
        };
        let mut columns = Vec::new();
        for (index, column) in layout.columns.iter().enumerate() {
            let part = match column.role {
                Role::Observation(leaf) => Part::Observation(leaf),
                Role::FinalObservation(leaf) => Part::FinalObservation(leaf),
                // The receiving pool has exactly the infos that are sent, and numbers them in this order.
                Role::Info(_) => Part::Info(next(0)),
                Role::FinalInfo(_) => Part::FinalInfo(next(1)),
                Role::Reward => Part::Rewards { double: column.dtype == Dtype::F64 },
                Role::Terminated => Part::Terminated,
                Role::Truncated => Part::Truncated,
                Role::StepType => Part::StepType,
                Role::Discount => Part::Discount,
                Role::ElapsedStep => Part::Elapsed,
                Role::EpisodeReturn => Part::EpisodeReturn,
                Role::EpisodeLength => Part::EpisodeLength,
                Role::EpisodeTime => Part::EpisodeTime,
                _ => continue, // a column that the receiving pool computes itself
            };
            columns.push(Column { part, index, stride: column.stride() });
        }
        Self(columns)
    }

    /// Returns the format of a host's results for a pool with results in `format`. Formats other than `Dm` become `Gymnasium`,
    /// which has separate flags.
    pub fn format(format: Format) -> Format {
        if format == Format::Dm { Format::Dm } else { Format::Gymnasium }
    }

    /// Returns the bytes per environment.
    pub fn stride(&self) -> usize {
        self.0.iter().map(|column| column.stride).sum()
    }

    /// Appends all rows of a batch, column by column.
    pub fn append(&self, batch: &Batch, mut append: impl FnMut(&[u8])) {
        self.0.iter().for_each(|column| append(batch.bytes(column.index)));
    }
}

/// Rows of a reply, column by column, without the environments' arrays.
#[derive(Default)]
pub struct Rows<'a> {
    rewards: Cells<'a>,
    is_double: bool,
    terminated: Cells<'a>,
    truncated: Cells<'a>,
    step_type: Cells<'a>,
    discount: Cells<'a>,
    elapsed: Cells<'a>,
    /// Return, length and seconds of episodes.
    statistics: [Cells<'a>; 3],
}

/// A column with `stride` bytes per row; empty if the column is not sent.
#[derive(Clone, Copy, Default)]
struct Cells<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Cells<'a> {
    #[inline]
    fn all(self, row: usize) -> &'a [u8] {
        &self.bytes[row * self.stride..][..self.stride]
    }

    /// Returns the first `N` bytes of a row.
    #[inline]
    fn first<const N: usize>(self, row: usize) -> Option<[u8; N]> {
        self.bytes.get(row * self.stride..)?.first_chunk().copied()
    }
}

impl Parts {
    /// Returns the columns of `count` rows with their bytes.
    fn columns<'a>(&self, rows: &'a [u8], count: usize) -> impl Iterator<Item = (Column, &'a [u8])> + use<'_, 'a> {
        self.0.iter().scan(rows, move |rest, column| {
            let (bytes, behind) = rest.split_at_checked(count * column.stride)?;
            *rest = behind;
            Some((*column, bytes))
        })
    }

    /// Returns the columns of `count` rows, without the environments' arrays.
    pub fn rows<'a>(&self, rows: &'a [u8], count: usize) -> Rows<'a> {
        let mut found = Rows::default();
        for (Column { part, stride, .. }, bytes) in self.columns(rows, count) {
            let cells = Cells { bytes, stride };
            match part {
                Part::Observation(_) | Part::Info(_) | Part::FinalObservation(_) | Part::FinalInfo(_) => {}
                Part::Rewards { double } => (found.rewards, found.is_double) = (cells, double),
                Part::Terminated => found.terminated = cells,
                Part::Truncated => found.truncated = cells,
                Part::StepType => found.step_type = cells,
                Part::Discount => found.discount = cells,
                Part::Elapsed => found.elapsed = cells,
                Part::EpisodeReturn => found.statistics[0] = cells,
                Part::EpisodeLength => found.statistics[1] = cells,
                Part::EpisodeTime => found.statistics[2] = cells,
            }
        }
        found
    }

    /// Copies the environments' arrays of row `row` of `count`.
    pub fn copy(&self, rows: &[u8], count: usize, row: usize, out: &mut RowOut<'_>) {
        for (Column { part, stride, .. }, bytes) in self.columns(rows, count) {
            let bytes = &bytes[row * stride..][..stride];
            let to = |target: Option<&mut [u8]>| {
                if let Some(target) = target {
                    copy(target, bytes);
                }
            };
            match part {
                Part::Observation(leaf) => to(out.observation().bytes(leaf)),
                Part::Info(info) => to(out.infos().bytes(info)),
                Part::FinalObservation(leaf) => to(out.final_observation().bytes(leaf)),
                Part::FinalInfo(info) => to(out.final_infos().bytes(info)),
                _ => {}
            }
        }
    }

    /// Copies the environments' arrays of all rows.
    pub fn copy_all(&self, rows: &[u8], count: usize, run: RowRun, out: &mut RowsOut<'_>) {
        for (Column { part, .. }, bytes) in self.columns(rows, count) {
            match part {
                Part::Observation(leaf) => out.observations(run, leaf, bytes),
                Part::Info(info) => out.infos(run, info, bytes),
                Part::FinalObservation(leaf) => out.final_observations(run, leaf, bytes),
                Part::FinalInfo(info) => out.final_infos(run, info, bytes),
                _ => {}
            }
        }
    }
}

/// Copies bytes. The common row sizes have their own branches, which compile to a load and a store.
#[inline]
fn copy(to: &mut [u8], from: &[u8]) {
    macro_rules! sizes {
        ($($size:literal),*) => {
            match (to.len(), from.len()) {
                $(($size, $size) => to[..$size].copy_from_slice(&from[..$size]),)*
                _ => to.copy_from_slice(from),
            }
        };
    }
    sizes!(1, 4, 8, 12, 16, 24, 32);
}

impl Rows<'_> {
    /// Reads the flags, counters and rewards of a row.
    #[inline]
    pub fn answered(&self, row: usize, rewards: &mut [f64]) -> Answered {
        let number = |cells: Cells<'_>| cells.first(row).map(i32::from_ne_bytes);
        let is_set = |cells: Cells<'_>| cells.first(row).is_some_and(|[byte]| byte != 0);
        match (rewards, self.is_double) {
            ([reward], true) => *reward = self.rewards.first(row).map_or(0.0, f64::from_ne_bytes),
            ([reward], false) => *reward = self.rewards.first(row).map_or(0.0, |bytes| f64::from(f32::from_ne_bytes(bytes))),
            (rewards, true) => {
                let values = self.rewards.all(row).as_chunks().0.iter();
                rewards.iter_mut().zip(values).for_each(|(to, value)| *to = f64::from_ne_bytes(*value));
            }
            (rewards, false) => {
                let values = self.rewards.all(row).as_chunks().0.iter();
                rewards.iter_mut().zip(values).for_each(|(to, value)| *to = f64::from(f32::from_ne_bytes(*value)));
            }
        }
        let terminated = is_set(self.terminated) || number(self.step_type) == Some(2);
        let statistic = |index: usize| self.statistics[index].first(row).map(u64::from_ne_bytes);
        let statistics = statistic(0).map(|total| {
            let (length, seconds) = (statistic(1).unwrap_or(0), statistic(2).unwrap_or(0));
            (f64::from_bits(total), length as i64, f64::from_bits(seconds))
        });
        Answered {
            terminated,
            truncated: is_set(self.truncated),
            counted: number(self.elapsed),
            statistics,
            zero_discount: number(self.discount) == Some(0) && !terminated,
            ..Answered::default()
        }
    }
}
