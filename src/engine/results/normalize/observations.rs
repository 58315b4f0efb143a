//! Normalisation and clipping of observations.

use crate::contract::normalization::{NormalizationConfig, NormalizationRules};
use crate::contract::row::Element;
use crate::contract::space::Dtype;
use crate::results::batch::Batch;
use crate::results::layout::{Layout, Role};
use crate::results::normalize::RowCause;
use crate::results::normalize::row_kernels::{Clip, Normalize, TileShape};
use crate::results::normalize::running_mean_std::{BatchMoments, RunningMeanStd};
use envpool_rs_numeric::reduce::{Float, mean_and_variance};
use envpool_rs_numeric::simd::SimdLevel;

/// Numbers of two columns of a batch: the one that environments write, and the one that callers get. They are equal if
/// observations are changed in place.
#[derive(Clone, Copy)]
struct ColumnPair {
    raw: usize,
    result: usize,
}

impl ColumnPair {
    /// Returns the columns with the roles `result` and `raw`; `None` if the layout has no column of role `result`.
    fn find(layout: &Layout, result: Role, raw: Role) -> Option<Self> {
        let result = layout.index(result)?;
        Some(Self { raw: layout.index_of_all(raw).unwrap_or(result), result })
    }
}

/// Normalises and clips the observations of a pool's batches.
pub struct ObservationNormalizer {
    /// Running statistics of observations; `None` if observations are clipped only.
    pub statistics: Option<RunningMeanStd>,
    columns: ColumnPair,
    /// Columns of ended episodes' last observations, and the column of the flags of ended episodes.
    finals: Option<(ColumnPair, usize)>,
    work: Box<dyn ObservationWork>,
    /// Whether statistics are merged in float64, not float32.
    has_wide_statistics: bool,
}

impl ObservationNormalizer {
    /// Creates the normaliser of batches with this layout, whose observations are floats.
    pub fn new(config: &NormalizationConfig, layout: &Layout) -> Self {
        let columns = ColumnPair::find(layout, Role::Observation(0), Role::RawObservation).expect("a pool has observations");
        let finals = ColumnPair::find(layout, Role::FinalObservation(0), Role::RawFinalObservation);
        let column = layout.column(columns.raw);
        let shape = TileShape::new(column.shape.iter().product(), column.rows);
        let bound = config.observation_bound();
        let is_wide = column.dtype == Dtype::F64;
        let work: Box<dyn ObservationWork> = match (config.observations, is_wide) {
            (None, false) => Box::new(ClippedRows { bound: bound as f32, shape }),
            (None, true) => Box::new(ClippedRows { bound, shape }),
            (Some(NormalizationRules::Gymnasium), false) => Box::new(NormalizedRows::<f32, f32>::new(config, shape)),
            (Some(NormalizationRules::Sb3), false) => Box::new(NormalizedRows::<f32, f64>::new(config, shape)),
            (Some(_), true) => Box::new(NormalizedRows::<f64, f64>::new(config, shape)),
        };
        let ended = layout.index_of_all(Role::Done);
        Self {
            statistics: config.observations.map(|_| RunningMeanStd::new(shape.width)),
            columns,
            finals: finals.zip(ended),
            work,
            has_wide_statistics: is_wide || config.observations == Some(NormalizationRules::Sb3),
        }
    }

    /// Returns whether statistics are merged in float64, not float32.
    pub fn has_wide_statistics(&self) -> bool {
        self.has_wide_statistics
    }

    /// Merges the batch's rows into the statistics if `updates`, except rows that repeat an observation. Then normalises and
    /// clips the observations.
    pub fn apply(&mut self, batch: &mut Batch, causes: Option<&[RowCause]>, updates: bool) {
        if self.work.shape().width == 0 {
            return;
        }
        if let Some(statistics) = &mut self.statistics {
            if updates {
                self.work.update(batch, self.columns.raw, causes, statistics);
            }
            self.work.prepare(statistics);
        }
        self.work.change(batch, self.columns);
        if let Some((finals, ended)) = self.finals {
            for row in 0..batch.rows() {
                if batch.cells::<u8>(ended)[row] != 0 {
                    self.work.change_row(batch, finals, row);
                }
            }
        }
    }
}

/// Operations on the observations of a batch, for one element type.
trait ObservationWork: Send {
    /// Returns the size of a row.
    fn shape(&self) -> TileShape;

    /// Merges the rows of a column into the statistics, except rows that repeat an observation.
    fn update(&mut self, batch: &Batch, column: usize, causes: Option<&[RowCause]>, statistics: &mut RunningMeanStd);

    /// Computes means and divisors from the statistics.
    fn prepare(&mut self, statistics: &RunningMeanStd);

    /// Changes all rows.
    fn change(&self, batch: &mut Batch, columns: ColumnPair);

    /// Normalises or clips the observations of one environment.
    fn change_row(&self, batch: &mut Batch, columns: ColumnPair, row: usize);
}

/// Clips observations of type `B` in place.
struct ClippedRows<B> {
    bound: B,
    shape: TileShape,
}

impl<B: Float + Element + PartialOrd + Send> ObservationWork for ClippedRows<B> {
    fn shape(&self) -> TileShape {
        self.shape
    }

    fn update(&mut self, _: &Batch, _: usize, _: Option<&[RowCause]>, _: &mut RunningMeanStd) {}

    fn prepare(&mut self, _: &RunningMeanStd) {}

    fn change(&self, batch: &mut Batch, columns: ColumnPair) {
        SimdLevel::detect().run(Clip { values: batch.cells_mut::<B>(columns.result), bound: self.bound });
    }

    fn change_row(&self, batch: &mut Batch, columns: ColumnPair, row: usize) {
        let values = &mut batch.cells_mut::<B>(columns.result)[self.shape.elements(row)];
        SimdLevel::detect().run(Clip { values, bound: self.bound });
    }
}

/// Normalises observations of type `B` to float32, by statistics that are rounded to `S`.
struct NormalizedRows<B, S> {
    shape: TileShape,
    epsilon: f64,
    bound: f32,
    /// Whether statistics before the first batch are float32, like the arrays that gymnasium starts with.
    starts_narrow: bool,
    /// Copies of the rows to merge into the statistics, if other rows of the batch are excluded.
    rows: Vec<B>,
    batch_mean: Vec<B>,
    batch_var: Vec<B>,
    /// Mean of each element of a tile.
    mean: Vec<S>,
    divisor: Vec<S>,
}

impl<B: Float, S: Float> NormalizedRows<B, S> {
    fn new(config: &NormalizationConfig, shape: TileShape) -> Self {
        Self {
            shape,
            epsilon: config.epsilon,
            bound: config.observation_bound() as f32,
            starts_narrow: config.observations == Some(NormalizationRules::Gymnasium),
            rows: Vec::new(),
            batch_mean: vec![B::default(); shape.width],
            batch_var: vec![B::default(); shape.width],
            mean: vec![S::default(); shape.tile()],
            divisor: vec![S::default(); shape.tile()],
        }
    }

    fn kernel<'a, I, O>(&'a self, input: I, output: O) -> Normalize<'a, S, I, O> {
        Normalize { input, output, mean: &self.mean, divisor: &self.divisor, bound: self.bound }
    }
}

impl<B: Float + Element + Send, S: Float + Send> ObservationWork for NormalizedRows<B, S> {
    fn shape(&self) -> TileShape {
        self.shape
    }

    fn update(&mut self, batch: &Batch, column: usize, causes: Option<&[RowCause]>, statistics: &mut RunningMeanStd) {
        let mut rows = batch.cells::<B>(column);
        if let Some(causes) = causes.filter(|causes| causes.contains(&RowCause::Peek)) {
            self.rows.clear();
            let acted = causes.iter().enumerate().filter(|(_, cause)| **cause != RowCause::Peek);
            acted.for_each(|(row, _)| self.rows.extend_from_slice(&rows[self.shape.elements(row)]));
            rows = &self.rows;
        }
        if rows.is_empty() {
            return;
        }
        mean_and_variance(rows, &mut self.batch_mean, &mut self.batch_var);
        let count = (rows.len() / self.shape.width) as f64;
        let is_narrow = self.starts_narrow && statistics.is_initial();
        statistics.merge_batch::<S, B>(&BatchMoments { mean: &self.batch_mean, var: &self.batch_var, count }, is_narrow);
    }

    fn prepare(&mut self, statistics: &RunningMeanStd) {
        let is_narrow = self.starts_narrow && statistics.is_initial();
        let width = self.shape.width;
        for k in 0..width {
            let var = statistics.var[k];
            self.mean[k] = S::round(statistics.mean[k]);
            self.divisor[k] = match is_narrow {
                true => S::round(f64::from((var as f32 + self.epsilon as f32).sqrt())),
                false => (S::round(var) + S::round(self.epsilon)).square_root(),
            };
        }
        for start in (width..self.mean.len()).step_by(width) {
            self.mean.copy_within(..width, start);
            self.divisor.copy_within(..width, start);
        }
    }

    fn change(&self, batch: &mut Batch, ColumnPair { raw, result }: ColumnPair) {
        if raw == result {
            SimdLevel::detect().run(self.kernel((), batch.cells_mut::<f32>(result)));
        } else {
            let (input, output) = batch.cells_of_two::<B, f32>(raw, result);
            SimdLevel::detect().run(self.kernel(input, output));
        }
    }

    fn change_row(&self, batch: &mut Batch, ColumnPair { raw, result }: ColumnPair, row: usize) {
        let elements = self.shape.elements(row);
        if raw == result {
            SimdLevel::detect().run(self.kernel((), &mut batch.cells_mut::<f32>(result)[elements]));
        } else {
            let (input, output) = batch.cells_of_two::<B, f32>(raw, result);
            SimdLevel::detect().run(self.kernel(&input[elements.clone()], &mut output[elements]));
        }
    }
}
