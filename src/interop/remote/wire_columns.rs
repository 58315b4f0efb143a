//! Columns of a host's batches that its replies contain.

use envpool_rs_engine::{Batch, BatchRowWriter, Dtype, Format, Layout, Role, RowRange, RowWriter, StepReply};

/// Meaning of a reply's column for the pool that receives the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireRole {
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

/// Column of a host's batch that replies contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WireColumn {
    pub role: WireRole,
    /// Index of the column in the host's layout.
    pub index: usize,
    /// Number of bytes of the column per environment.
    pub stride: usize,
}

/// Columns that replies of a host contain, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireColumns(pub Vec<WireColumn>);

impl WireColumns {
    /// Selects the columns of a batch's `layout` that replies contain.
    pub fn from_layout(layout: &Layout) -> Self {
        let mut infos = [0; 2];
        let mut next = |which: usize| {
            infos[which] += 1;
            infos[which] - 1
        };
        let mut columns = Vec::new();
        for (index, column) in layout.columns.iter().enumerate() {
            let part = match column.role {
                Role::Observation(leaf) => WireRole::Observation(leaf),
                Role::FinalObservation(leaf) => WireRole::FinalObservation(leaf),
                // The receiving pool has exactly the infos that replies contain, in the order of the reply's columns.
                Role::Info(_) => WireRole::Info(next(0)),
                Role::FinalInfo(_) => WireRole::FinalInfo(next(1)),
                Role::Reward => WireRole::Rewards { double: column.dtype == Dtype::F64 },
                Role::Terminated => WireRole::Terminated,
                Role::Truncated => WireRole::Truncated,
                Role::StepType => WireRole::StepType,
                Role::Discount => WireRole::Discount,
                Role::ElapsedStep => WireRole::Elapsed,
                Role::EpisodeReturn => WireRole::EpisodeReturn,
                Role::EpisodeLength => WireRole::EpisodeLength,
                Role::EpisodeTime => WireRole::EpisodeTime,
                _ => continue, // All other columns are computed by the receiving pool itself.
            };
            columns.push(WireColumn { role: part, index, stride: column.stride() });
        }
        Self(columns)
    }

    /// Returns the result format that a host must use if the receiving pool uses `format`. The host's format is `Dm` for `Dm`,
    /// and otherwise `Gymnasium`, in which terminated and truncated are separate flags.
    pub fn format(format: Format) -> Format {
        if format == Format::Dm { Format::Dm } else { Format::Gymnasium }
    }

    /// Returns the number of bytes per environment, summed over all columns.
    pub fn stride(&self) -> usize {
        self.0.iter().map(|column| column.stride).sum()
    }

    /// Passes the bytes of all rows of a batch to `append`, column by column.
    pub fn append(&self, batch: &Batch, mut append: impl FnMut(&[u8])) {
        self.0.iter().for_each(|column| append(batch.bytes(column.index)));
    }
}

/// Columns of a reply that hold rewards, flags and counters, which the engine defines; observations and infos are not
/// included.
#[derive(Default)]
pub struct ReplyRows<'a> {
    rewards: Cells<'a>,
    is_double: bool,
    terminated: Cells<'a>,
    truncated: Cells<'a>,
    step_type: Cells<'a>,
    discount: Cells<'a>,
    elapsed: Cells<'a>,
    /// Columns for statistics of ended episodes: return, length, and duration in seconds.
    statistics: [Cells<'a>; 3],
}

/// One column of a reply, with `stride` bytes per row. The value is empty if replies do not contain the column.
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

    /// Returns the first `N` bytes of a row. Returns `None` if the column is empty.
    #[inline]
    fn first<const N: usize>(self, row: usize) -> Option<[u8; N]> {
        self.bytes.get(row * self.stride..)?.first_chunk().copied()
    }
}

impl WireColumns {
    /// Splits the bytes of `count` rows into their columns.
    fn columns<'a>(&self, rows: &'a [u8], count: usize) -> impl Iterator<Item = (WireColumn, &'a [u8])> + use<'_, 'a> {
        self.0.iter().scan(rows, move |rest, column| {
            let (bytes, behind) = rest.split_at_checked(count * column.stride)?;
            *rest = behind;
            Some((*column, bytes))
        })
    }

    /// Returns the columns of rewards, flags and counters of a reply with `count` rows.
    pub fn rows<'a>(&self, rows: &'a [u8], count: usize) -> ReplyRows<'a> {
        let mut found = ReplyRows::default();
        for (WireColumn { role: part, stride, .. }, bytes) in self.columns(rows, count) {
            let cells = Cells { bytes, stride };
            match part {
                WireRole::Observation(_) | WireRole::Info(_) | WireRole::FinalObservation(_) | WireRole::FinalInfo(_) => {}
                WireRole::Rewards { double } => (found.rewards, found.is_double) = (cells, double),
                WireRole::Terminated => found.terminated = cells,
                WireRole::Truncated => found.truncated = cells,
                WireRole::StepType => found.step_type = cells,
                WireRole::Discount => found.discount = cells,
                WireRole::Elapsed => found.elapsed = cells,
                WireRole::EpisodeReturn => found.statistics[0] = cells,
                WireRole::EpisodeLength => found.statistics[1] = cells,
                WireRole::EpisodeTime => found.statistics[2] = cells,
            }
        }
        found
    }

    /// Copies the observations and infos of row `row` of a reply with `count` rows into `out`.
    pub fn copy(&self, rows: &[u8], count: usize, row: usize, out: &mut RowWriter<'_>) {
        for (WireColumn { role: part, stride, .. }, bytes) in self.columns(rows, count) {
            let bytes = &bytes[row * stride..][..stride];
            let to = |target: Option<&mut [u8]>| {
                if let Some(target) = target {
                    copy(target, bytes);
                }
            };
            match part {
                WireRole::Observation(leaf) => to(out.observation().bytes(leaf)),
                WireRole::Info(info) => to(out.infos().bytes(info)),
                WireRole::FinalObservation(leaf) => to(out.final_observation().bytes(leaf)),
                WireRole::FinalInfo(info) => to(out.final_infos().bytes(info)),
                _ => {}
            }
        }
    }

    /// Copies the observations and infos of all rows of a reply with `count` rows into the range `run` of a batch's rows.
    pub fn copy_all(&self, rows: &[u8], count: usize, run: RowRange, out: &mut BatchRowWriter<'_>) {
        for (WireColumn { role: part, .. }, bytes) in self.columns(rows, count) {
            match part {
                WireRole::Observation(leaf) => out.write_observations(run, leaf, bytes),
                WireRole::Info(info) => out.write_infos(run, info, bytes),
                WireRole::FinalObservation(leaf) => out.write_final_observations(run, leaf, bytes),
                WireRole::FinalInfo(info) => out.write_final_infos(run, info, bytes),
                _ => {}
            }
        }
    }
}

/// Copies bytes between slices of equal length. The common row sizes have their own branches, which compile to a load and a
/// store.
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

impl ReplyRows<'_> {
    /// Reads the flags, counters and rewards of a row. Writes the rewards into `rewards`.
    #[inline]
    pub fn step_reply(&self, row: usize, rewards: &mut [f64]) -> StepReply {
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
        StepReply {
            terminated,
            truncated: is_set(self.truncated),
            backend_elapsed: number(self.elapsed),
            statistics,
            zero_discount: number(self.discount) == Some(0) && !terminated,
            ..StepReply::default()
        }
    }
}
