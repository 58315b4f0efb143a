//! Draws the cells in the view, one row of the canvas after the other.

use std::ops::Range;

use envpool_rs_numeric::simd::SimdLevel;

use crate::canvas::{Axis, Canvas, SIDE};
use crate::image::Pixels;
use crate::mask::Mask;
use crate::object_ids::SPACE;
use crate::sampling::{Offsets, Sampled};

/// Position and length of a cell along one axis, in pixels.
pub(crate) type Extent = (f64, f64);

/// Cells in the view that show pictures.
///
/// Each pixel is drawn in procgen's order of cells: column by column, and in a column from the lowest row to the highest. Rows of
/// pixels are independent, so they can be drawn in any order. Neighbouring cells with the same picture are drawn together.
#[derive(Debug, Default)]
pub(crate) struct VisibleCells<'a> {
    num_columns: usize,
    /// For each size of pictures, the axes with which pictures of this size are drawn in the cells.
    scales: Vec<Scale>,
    /// Runs (neighbouring cells with the same picture) of all rows of cells, starting with the lowest row.
    runs: Vec<Run<'a>>,
    rows: Vec<CellRow>,
}

/// One row of cells in the view, as a range of runs.
#[derive(Debug, Clone)]
struct CellRow {
    /// Indices of the row's runs in [`VisibleCells::runs`].
    runs: Range<usize>,
    /// Rows of the canvas that the row's cells may cover.
    bounds: Range<i32>,
}

/// Axes of all rows and columns of cells, for pictures of one size.
#[derive(Debug)]
struct Scale {
    size: (i32, i32),
    /// For each column of cells: its axis, and the column of the canvas at which it ends or the next column of cells starts,
    /// whichever comes first.
    columns: Vec<Option<(Axis, i32)>>,
    rows: Vec<Option<Axis>>,
    /// For each column of the canvas, the source coordinate of the last cell that covers this column.
    offsets: Offsets,
}

/// Neighbouring cells of a row with the same picture.
#[derive(Debug, Clone, Copy)]
struct Run<'a> {
    pixels: &'a Pixels,
    /// Index of the run's axes in [`VisibleCells::scales`].
    scale: usize,
    /// First and last column of cells in the run.
    cells: (usize, usize),
    rows: Axis,
    /// First column of the canvas that the run covers.
    first: i32,
    /// Column of the canvas at which the run ends or the next cell starts, whichever comes first. For columns before it,
    /// `Scale::offsets` holds the source coordinates of the run's pixels.
    shared_end: i32,
    /// Horizontal axis of the run's last cell.
    last: Axis,
}

impl Scale {
    fn new(size: (i32, i32), columns: &[Extent], rows: &[Extent], level: SimdLevel) -> Self {
        let rows = Axis::of_cells(rows, size.1, level);
        let mut columns: Vec<_> =
            Axis::of_cells(columns, size.0, level).into_iter().map(|axis| axis.map(|axis| (axis, axis.end()))).collect();
        let offsets = Offsets::of_images(columns.iter().flatten().map(|(axis, _)| axis));
        let mut next_start = SIDE;
        for (axis, shared_end) in columns.iter_mut().rev().flatten() {
            *shared_end = next_start.min(*shared_end);
            next_start = axis.first;
        }
        Self { size, columns, rows, offsets }
    }
}

impl<'a> VisibleCells<'a> {
    /// Creates the cells from their positions. `kinds(row)` returns the object types of a row of cells, and `picture(kind)` the
    /// picture of an object type, if it has one. Positions are computed with the instructions `level`.
    pub fn new<I: Iterator<Item = i32>>(
        columns: &[Extent],
        rows: &[Extent],
        level: SimdLevel,
        kinds: impl Fn(usize) -> I,
        mut picture: impl FnMut(i32) -> Option<&'a Pixels>,
    ) -> Self {
        let (scales, runs) = (Vec::new(), Vec::with_capacity(4 * rows.len()));
        let mut visible = Self { num_columns: columns.len(), scales, runs, rows: Vec::with_capacity(rows.len()) };
        let mut pictures: Vec<(i32, Option<(&Pixels, usize)>)> = Vec::with_capacity(8);
        for row in 0..rows.len() {
            let first_run = visible.runs.len();
            let (mut first, mut last) = (0, SPACE);
            for (column, kind) in (0..columns.len()).zip(kinds(row)).chain([(columns.len(), SPACE)]) {
                if kind == last {
                    continue;
                }
                if last != SPACE {
                    let known = pictures.iter().find(|(kind, _)| *kind == last);
                    let known = known.map(|(_, picture)| *picture).unwrap_or_else(|| {
                        let new = picture(last).map(|pixels| (pixels, visible.scale(pixels, columns, rows, level)));
                        pictures.push((last, new));
                        new
                    });
                    if let Some((pixels, scale)) = known {
                        visible.add(pixels, scale, first..column, row);
                    }
                }
                (first, last) = (column, kind);
            }
            let runs = first_run..visible.runs.len();
            let axes = || visible.runs[runs.clone()].iter().map(|run| &run.rows);
            let bounds = axes().map(|axis| axis.first).min().unwrap_or(0)..axes().map(Axis::end).max().unwrap_or(0);
            visible.rows.push(CellRow { runs, bounds });
        }
        visible
    }

    /// Returns the index in [`VisibleCells::scales`] of the axes for pictures as large as `pixels`; adds the axes if they are
    /// missing.
    fn scale(&mut self, pixels: &Pixels, columns: &[Extent], rows: &[Extent], level: SimdLevel) -> usize {
        let size = (pixels.width, pixels.height);
        self.scales.iter().position(|scale| scale.size == size).unwrap_or_else(|| {
            self.scales.push(Scale::new(size, columns, rows, level));
            self.scales.len() - 1
        })
    }

    #[inline]
    /// Adds neighbouring cells of a row with the picture `pixels`: one run if the picture is opaque, otherwise a run for each cell.
    fn add(&mut self, pixels: &'a Pixels, scale: usize, columns: Range<usize>, row: usize) {
        let axes = &self.scales[scale];
        let Some(rows) = axes.rows[row] else { return };
        let mut joined: Option<Run<'_>> = None;
        for (column, (last, shared_end)) in
            columns.clone().zip(&axes.columns[columns]).filter_map(|(at, axis)| Some((at, (*axis)?)))
        {
            match &mut joined {
                Some(run) if pixels.is_opaque && run.cells.1 + 1 == column && last.first <= run.last.end() => {
                    (run.last, run.shared_end, run.cells.1) = (last, shared_end, column);
                }
                _ => {
                    let cells = (column, column);
                    self.runs.extend(joined.replace(Run { pixels, scale, cells, rows, first: last.first, shared_end, last }));
                }
            }
        }
        self.runs.extend(joined);
    }

    /// Returns the pixels that opaque cells cover.
    pub fn covered(&self) -> Mask {
        let mut covered = Mask::default();
        for run in self.runs.iter().filter(|run| run.pixels.is_opaque) {
            covered.add(run.first..run.last.end(), &run.rows);
        }
        covered
    }

    /// Draws all cells. Ignores the canvas's clip.
    pub fn draw(&self, canvas: &mut Canvas) {
        if self.runs.is_empty() {
            return;
        }
        let mut coverings = [0_u8; SIDE as usize];
        for y in self.rows.iter().flat_map(|row| row.bounds.clone()) {
            coverings[y as usize] += 1;
        }
        for row in &self.rows {
            for run in &self.runs[row.runs.clone()] {
                run.draw(canvas, &self.scales[run.scale], |y| coverings[y as usize] == 1);
            }
        }
        for (y, _) in (0..).zip(coverings).filter(|(_, number)| *number > 1) {
            let contains = |row: &CellRow| row.bounds.contains(&y);
            let first = self.rows.iter().position(contains).unwrap_or(0);
            let last = self.rows.iter().rposition(contains).unwrap_or(0);
            match &self.rows[first..=last] {
                [lower, upper] if self.hides(upper, lower, y) => {
                    self.runs[upper.runs.clone()]
                        .iter()
                        .for_each(|run| run.draw(canvas, &self.scales[run.scale], |row| row == y));
                }
                rows => self.draw_by_columns(canvas, rows, y),
            }
        }
    }

    /// Returns whether the row of cells `upper` completely covers the row of cells `lower` in the canvas row `y`.
    fn hides(&self, upper: &CellRow, lower: &CellRow, y: i32) -> bool {
        let hides = |over: &Run<'_>, under: &Run<'_>| {
            let covers = over.cells.0 <= under.cells.0 && under.cells.1 <= over.cells.1;
            covers && over.pixels.is_opaque && over.scale == under.scale && (over.rows.first..over.rows.end()).contains(&y)
        };
        let upper = &self.runs[upper.runs.clone()];
        self.runs[lower.runs.clone()].iter().all(|under| upper.iter().any(|over| hides(over, under)))
    }

    /// Draws a row of the canvas in which rows of cells overlap. `rows` are consecutive rows of cells.
    fn draw_by_columns(&self, canvas: &mut Canvas, rows: &[CellRow], y: i32) {
        for column in 0..self.num_columns {
            for row in rows.iter().filter(|row| row.bounds.contains(&y)) {
                let contains = |run: &&Run<'_>| (run.cells.0..=run.cells.1).contains(&column);
                if let Some(run) = self.runs[row.runs.clone()].iter().find(contains)
                    && let Some((last, shared_end)) = self.scales[run.scale].columns[column]
                {
                    let run = Run { first: last.first, shared_end, last, ..*run };
                    run.draw(canvas, &self.scales[run.scale], |row| row == y);
                }
            }
        }
    }
}

impl Run<'_> {
    /// Draws the run in those rows of the canvas for which `selects` returns true.
    fn draw(&self, canvas: &mut Canvas, scale: &Scale, selects: impl Fn(i32) -> bool) {
        let Self { pixels, rows, first, shared_end, last, .. } = *self;
        if first < shared_end {
            let source = Sampled { image: pixels, offsets: &scale.offsets, rows: &rows };
            canvas.draw_sampled(&source, first..shared_end, None, |y| if selects(y) { u64::MAX } else { 0 });
        }
        for x in shared_end..last.end() {
            for y in (rows.first..rows.end()).filter(|y| selects(*y)) {
                canvas.blend_pixel(x, y, pixels.pixels[rows.source_of(y) * pixels.width as usize + last.source_of(x)]);
            }
        }
    }
}
