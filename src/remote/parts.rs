//! Which columns of a place's results travel.

use crate::engine::{Batch, Dtype, Format, Layout, Role, RowOut};

/// What a column is to the pool that it travels to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Observation(usize),
    Info(usize),
    FinalObservation(usize),
    FinalInfo(usize),
    /// float64 or float32.
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

/// A column that travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub part: Part,
    /// Number in the layout.
    pub index: usize,
    /// Bytes of an environment.
    pub stride: usize,
}

/// The columns that travel, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts(pub Vec<Column>);

impl Parts {
    /// Those of a layout.
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
                // The pool that they travel to has those that there are, and numbers them anew.
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
                _ => continue, // the other pool's own
            };
            columns.push(Column { part, index, stride: column.stride() });
        }
        Self(columns)
    }

    /// The format of a place's results for a pool whose results have another: flags are told apart.
    pub fn format(format: Format) -> Format {
        if format == Format::Dm { Format::Dm } else { Format::Gymnasium }
    }

    /// Bytes of an environment.
    pub fn stride(&self) -> usize {
        self.0.iter().map(|column| column.stride).sum()
    }

    /// All rows of a batch, column by column.
    pub fn append(&self, batch: &Batch, mut append: impl FnMut(&[u8])) {
        self.0.iter().for_each(|column| append(batch.bytes(column.index)));
    }
}

/// What a row says beside its arrays.
#[derive(Default)]
pub struct Flags {
    pub terminated: bool,
    pub truncated: bool,
    pub zero_discount: bool,
    pub elapsed: Option<i32>,
    pub statistics: Option<(f64, i64, f64)>,
}

impl Parts {
    /// Copies row `row` of `count`, which lie one behind the other column by column, to where it belongs.
    #[inline]
    pub fn copy(&self, rows: &[u8], count: usize, row: usize, out: &mut RowOut<'_>) -> Flags {
        let (mut flags, mut start) = (Flags::default(), 0);
        for Column { part, stride, .. } in &self.0 {
            flags.take(*part, &rows[start + row * stride..][..*stride], out);
            start += count * stride;
        }
        flags.zero_discount &= !flags.terminated;
        flags
    }
}

/// Copies bytes; the sizes of most rows by themselves, which takes a load and a store.
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

impl Flags {
    #[inline]
    fn take(&mut self, part: Part, bytes: &[u8], out: &mut RowOut<'_>) {
        let to = |target: Option<&mut [u8]>| {
            if let Some(target) = target {
                copy(target, bytes);
            }
        };
        let number = || bytes.first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
        let wide = || bytes.first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes));
        match part {
            Part::Observation(leaf) => to(out.observation().bytes(leaf)),
            Part::Info(info) => to(out.infos().bytes(info)),
            Part::FinalObservation(leaf) => to(out.final_observation().bytes(leaf)),
            Part::FinalInfo(info) => to(out.final_infos().bytes(info)),
            Part::Rewards { double: true } => {
                let rewards = bytes.as_chunks::<8>().0.iter();
                out.rewards.iter_mut().zip(rewards).for_each(|(to, reward)| *to = f64::from_ne_bytes(*reward));
            }
            Part::Rewards { double: false } => {
                let rewards = bytes.as_chunks::<4>().0.iter();
                out.rewards.iter_mut().zip(rewards).for_each(|(to, reward)| *to = f64::from(f32::from_ne_bytes(*reward)));
            }
            Part::Terminated => self.terminated = bytes != [0],
            Part::Truncated => self.truncated = bytes != [0],
            Part::StepType => self.terminated = number() == 2,
            Part::Discount => self.zero_discount = number() == 0,
            Part::Elapsed => self.elapsed = Some(number()),
            Part::EpisodeReturn => self.statistics = Some((f64::from_bits(wide()), 0, 0.0)),
            Part::EpisodeLength => self.statistics.iter_mut().for_each(|all| all.1 = wide() as i64),
            Part::EpisodeTime => self.statistics.iter_mut().for_each(|all| all.2 = f64::from_bits(wide())),
        }
    }
}
