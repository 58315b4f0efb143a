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
    /// Positions of the columns and rows of cells.
    pub columns: Vec<Extent>,
    pub rows: Vec<Extent>,
    /// For each object type in the view, its picture and the index of the picture's axes in `scales`, if it has a picture.
    pictures: Vec<(i32, Option<(&'a Pixels, usize)>)>,
    /// For each size of pictures, the axes with which pictures of this size are drawn in the cells.
    scales: Vec<Scale>,
    /// Memory of axes that earlier pictures needed.
    unused_scales: Vec<Scale>,
    /// Runs (neighbouring cells with the same picture) of all rows of cells, starting with the lowest row.
    runs: Vec<Run<'a>>,
    cell_rows: Vec<CellRow>,
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
#[derive(Debug, Default)]
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
    fn set(&mut self, size: (i32, i32), columns: &[Extent], rows: &[Extent], level: SimdLevel) {
        self.size = size;
        self.rows.clear();
        self.rows.extend(Axis::of_cells(rows, size.1, level));
        self.columns.clear();
        self.columns.extend(Axis::of_cells(columns, size.0, level).map(|axis| axis.map(|axis| (axis, axis.end()))));
        self.offsets = Offsets::of_images(self.columns.iter().flatten().map(|(axis, _)| axis));
        let mut next_start = SIDE;
        for (axis, shared_end) in self.columns.iter_mut().rev().flatten() {
            *shared_end = next_start.min(*shared_end);
            next_start = axis.first;
        }
    }
}

/// Returns an empty vector with the memory of `vector`, for elements with another lifetime: the standard library collects elements
/// of the same size in place.
fn emptied<T, U>(mut vector: Vec<T>) -> Vec<U> {
    vector.clear();
    vector.into_iter().map(|_| unreachable!("the vector is empty")).collect()
}

impl<'a> VisibleCells<'a> {
    /// Returns no cells, with the memory of these.
    pub fn emptied<'b>(mut self) -> VisibleCells<'b> {
        self.unused_scales.append(&mut self.scales);
        self.columns.clear();
        self.rows.clear();
        self.cell_rows.clear();
        let Self { columns, rows, pictures, scales, unused_scales, runs, cell_rows } = self;
        VisibleCells { columns, rows, pictures: emptied(pictures), scales, unused_scales, runs: emptied(runs), cell_rows }
    }

    /// Adds the cells at the positions `columns` and `rows`. `kinds(row)` returns the object types of a row of cells, and
    /// `picture(kind)` the picture of an object type, if it has one. Axes are computed with the instructions `level`.
    pub fn fill<I: Iterator<Item = i32>>(
        &mut self,
        level: SimdLevel,
        kinds: impl Fn(usize) -> I,
        mut picture: impl FnMut(i32) -> Option<&'a Pixels>,
    ) {
        let num_columns = self.columns.len();
        for row in 0..self.rows.len() {
            let first_run = self.runs.len();
            let (mut first, mut last) = (0, SPACE);
            for (column, kind) in (0..num_columns).zip(kinds(row)).chain([(num_columns, SPACE)]) {
                if kind == last {
                    continue;
                }
                if last != SPACE {
                    let known = self.pictures.iter().find(|(kind, _)| *kind == last);
                    let known = known.map(|(_, picture)| *picture).unwrap_or_else(|| {
                        let new = picture(last).map(|pixels| (pixels, self.scale(pixels, level)));
                        self.pictures.push((last, new));
                        new
                    });
                    if let Some((pixels, scale)) = known {
                        self.add(pixels, scale, first..column, row);
                    }
                }
                (first, last) = (column, kind);
            }
            let runs = first_run..self.runs.len();
            let axes = || self.runs[runs.clone()].iter().map(|run| &run.rows);
            let bounds = axes().map(|axis| axis.first).min().unwrap_or(0)..axes().map(Axis::end).max().unwrap_or(0);
            self.cell_rows.push(CellRow { runs, bounds });
        }
    }

    /// Returns the index in [`VisibleCells::scales`] of the axes for pictures as large as `pixels`; adds the axes if they are
    /// missing.
    fn scale(&mut self, pixels: &Pixels, level: SimdLevel) -> usize {
        let size = (pixels.width, pixels.height);
        self.scales.iter().position(|scale| scale.size == size).unwrap_or_else(|| {
            let mut scale = self.unused_scales.pop().unwrap_or_default();
            scale.set(size, &self.columns, &self.rows, level);
            self.scales.push(scale);
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
        for y in self.cell_rows.iter().flat_map(|row| row.bounds.clone()) {
            coverings[y as usize] += 1;
        }
        for row in &self.cell_rows {
            for run in &self.runs[row.runs.clone()] {
                run.draw(canvas, &self.scales[run.scale], |y| coverings[y as usize] == 1);
            }
        }
        for (y, _) in (0..).zip(coverings).filter(|(_, number)| *number > 1) {
            let contains = |row: &CellRow| row.bounds.contains(&y);
            let first = self.cell_rows.iter().position(contains).unwrap_or(0);
            let last = self.cell_rows.iter().rposition(contains).unwrap_or(0);
            match &self.cell_rows[first..=last] {
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
        for column in 0..self.columns.len() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_picture_reuses_the_memory_of_cells() {
        let image = Pixels::new(3, 3, vec![u32::MAX; 9]);
        let memory = |cells: &VisibleCells<'_>| {
            let axes = (cells.scales[0].columns.as_ptr(), cells.scales[0].rows.as_ptr());
            let cells = (cells.columns.as_ptr(), cells.rows.as_ptr(), cells.runs.as_ptr().addr(), cells.cell_rows.as_ptr());
            (cells, axes)
        };
        let (mut cells, mut last) = (VisibleCells::default(), None);
        for _ in 0..3 {
            cells.columns.extend((0..8).map(|column| (8.0 * f64::from(column), 8.0)));
            cells.rows.extend((0..8).map(|row| (8.0 * f64::from(row), 8.0)));
            cells.fill(SimdLevel::detect(), |row| (0..8).map(move |column| (row as i32 + column) % 2 + 1), |_| Some(&image));
            assert_eq!((cells.runs.len(), cells.scales.len()), (64, 1));
            assert!(last.is_none_or(|last| last == memory(&cells)));
            last = Some(memory(&cells));
            cells = cells.emptied();
        }
    }
}
