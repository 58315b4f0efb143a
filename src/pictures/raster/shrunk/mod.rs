//! Draws polygons, and in the same pass scales the picture down as `pygame.transform.smoothscale` does.
//!
//! smoothscale averages a cell (a rectangle of pixels) of the large picture into each pixel of the small picture. Most cells
//! have a single colour. Therefore the cells are classified first: only cells that a polygon's edge may cross are rasterized
//! and averaged. The result is equal to pygame's, bit by bit.

mod cells;
mod drawing;
mod line;
mod row_buffer;
mod simd;
mod sizes;
mod spans;

use std::ops::Range;

use envpool_rs_numeric::simd::SimdLevel;

use self::cells::{Run, Tables};
use self::drawing::{draw_lines, fill_wild};
use self::line::Lines;
use self::row_buffer::RowBuffer;
use self::simd::{Portable, SimdOps, Weights};
pub use self::sizes::{LARGE, SMALL};
use self::spans::{Outline, Spans};
use super::Color;
use super::pygame::Pixel;

/// Maximum number of corners of a polygon.
const CORNERS: usize = 8;
/// Initial capacity of the lists of polygons, lines and rectangles.
const ROOM: usize = 256;

/// A polygon to draw. Its rows are numbered as in the picture after the vertical flip.
#[derive(Debug, Clone, Copy)]
struct Layer {
    color: u32,
    corners: [Pixel; CORNERS],
    count: usize,
    /// Whether the polygon's outline is anti-aliased.
    is_smooth: bool,
    /// Whether the polygon was drawn before the vertical flip.
    is_flipped: bool,
    /// Whether each row of the polygon has only one span.
    is_simple: bool,
    /// First row of the polygon that is drawn, and the index of this row's span in [`Spans`].
    top: i32,
    spans: usize,
    /// Range of the outline's lines in the list of all lines.
    lines: (usize, usize),
    /// First and last row of cells of each of these lines. The other elements are an empty range.
    line_bands: [[u8; CORNERS]; 2],
}

impl Layer {
    fn corners(&self) -> &[Pixel] {
        &self.corners[..self.count]
    }

    /// Returns the index of the polygon's span in row `row`.
    #[inline(always)]
    fn span_of(&self, row: i32) -> usize {
        (self.spans as isize + (row - self.top) as isize) as usize
    }

    /// Returns which of the polygon's lines have pixels in the row `band` of cells: in the byte of each such line, counted from the
    /// lowest, the highest bit is set.
    #[inline(always)]
    fn lines_of(&self, band: usize) -> u64 {
        let [firsts, lasts] = self.line_bands.map(u64::from_le_bytes);
        let (highest, band) = (u64::from_ne_bytes([0x80; 8]), u64::from_ne_bytes([band as u8; 8]));
        // Numbers are below 128, so that no byte borrows from the next: the highest bit says whether the difference is at least 0.
        ((band | highest) - firsts) & ((lasts | highest) - band) & highest
    }

    /// Returns two bit sets of the cells in the row `band` of cells: the cells that the polygon touches, and the cells that it
    /// covers completely.
    #[inline(always)]
    fn reach<P: SimdOps>(&self, spans: &Spans, tables: &Tables, band: usize) -> (u128, u128) {
        let at = self.span_of(tables.rows[band].first as i32);
        let Some((outer, inner)) = spans.outer_window(at).zip(spans.window(at)) else { return (0, 0) };
        let reach = P::reach(outer, inner, &tables.windows[band]);
        if reach.outer.0 > reach.outer.1 {
            return (0, 0);
        }
        let touched = tables.touched((reach.outer.0.into(), reach.outer.1.into()));
        let covered = if self.is_simple { tables.covered((reach.inner.0.into(), reach.inner.1.into())) } else { 0 };
        (touched, covered)
    }
}

/// Rectangle that is drawn on top of all polygons.
#[derive(Debug, Clone, Copy)]
struct Block {
    begin: [usize; 2],
    end: [usize; 2],
    color: u32,
}

impl Block {
    fn is_in(&self, rows: &Range<i32>) -> bool {
        (self.begin[1] as i32) < rows.end && rows.start < self.end[1] as i32
    }
}

/// A polygon in one row of cells, with two bit sets: the cells in which the polygon is visible, and the cells that it
/// covers completely.
#[derive(Debug, Clone, Copy)]
struct VisibleLayer {
    layer: u32,
    cells: u128,
    covered: u128,
}

/// Draw target that renders a large picture directly at a smaller size. Its memory is reused for the next picture.
#[derive(Debug)]
pub struct SmoothScaled {
    tables: Tables,
    level: SimdLevel,
    layers: Vec<Layer>,
    /// For each row of cells: the indices of the polygons that have pixels in it.
    by_band: Vec<Vec<u32>>,
    lines: Lines,
    blocks: Vec<Block>,
    spans: Spans,
    background: u32,
    /// First pixel row that the caller covers with later drawing. In this row and below, polygons from before the vertical flip
    /// are not drawn.
    hidden: i32,
    seen: Vec<VisibleLayer>,
    buffer: RowBuffer,
}

/// Returns the SIMD level with which to draw. If the processor has AVX-512 without VNNI, which averaging cells needs, returns
/// AVX2.
fn drawing_level(level: SimdLevel) -> SimdLevel {
    match level {
        SimdLevel::Avx512(_) if !level.has_avx512_vnni() => {
            let below = SimdLevel::available().into_iter().find(|other| matches!(other, SimdLevel::Avx2(_)));
            below.unwrap_or_default()
        }
        level => level,
    }
}

impl Default for SmoothScaled {
    fn default() -> Self {
        Self {
            tables: Tables::new(),
            level: drawing_level(SimdLevel::detect()),
            layers: Vec::with_capacity(ROOM),
            by_band: (0..SMALL).map(|_| Vec::with_capacity(ROOM)).collect(),
            lines: Lines::with_capacity(ROOM),
            blocks: Vec::with_capacity(ROOM),
            spans: Spans::default(),
            background: 0,
            hidden: 0,
            seen: Vec::with_capacity(ROOM),
            buffer: RowBuffer::new(),
        }
    }
}

fn rgb(Color(red, green, blue, _): Color) -> u32 {
    u32::from_le_bytes([red, green, blue, 0])
}

/// Returns the pixel of the small picture for a cell that has the single colour `color`. Each channel is 2 lower, because
/// smoothscale's rounding loses one unit per axis.
#[inline(always)]
fn plain(color: u32) -> u32 {
    u32::from_le_bytes(color.to_le_bytes().map(|part| part.saturating_sub(2)))
}

fn least_and_most(values: impl Iterator<Item = i32>) -> Run {
    values.fold((i32::MAX, i32::MIN), |(least, most), value| (least.min(value), most.max(value)))
}

impl SmoothScaled {
    /// Starts a picture filled with `background`. Polygons from before the vertical flip are not drawn in the pixel row
    /// `hidden` and below, because the caller covers these rows with later drawing.
    pub fn begin(&mut self, background: Color, hidden: usize) {
        (self.background, self.hidden) = (rgb(background), hidden as i32);
        self.layers.clear();
        self.by_band.iter_mut().for_each(Vec::clear);
        self.lines.clear();
        self.blocks.clear();
        self.spans.clear();
    }

    fn add(&mut self, corners: &[Pixel], color: Color, is_smooth: bool, is_flipped: bool) {
        if !(4..=CORNERS).contains(&corners.len()) {
            return;
        }
        let (left, right) = least_and_most(corners.iter().map(|corner| corner.0));
        let (low, bottom) = least_and_most(corners.iter().map(|corner| corner.1));
        let last = LARGE.1 as i32 - 1;
        let least = if is_flipped { last + 1 - self.hidden } else { 0 };
        let (low, high) = (low.max(least), bottom.min(last));
        if right < 0 || left >= LARGE.0 as i32 || low > high {
            return;
        }
        let (spans, first_line) = (self.spans.next(), self.lines.len());
        if is_smooth {
            corners.iter().zip(corners[1..].iter().chain(corners)).for_each(|(a, b)| self.lines.add(*a, *b));
        }
        let lines = (first_line, self.lines.len());
        let outline = Outline { corners, is_smooth, low, high, bottom };
        let is_simple = self.spans.add(&outline, self.lines.range(lines), is_flipped, self.level);
        let (top, bottom) = if is_flipped { (last - high, last - low) } else { (low, high) };
        let mut layer = Layer {
            color: rgb(color),
            corners: [(0, 0); CORNERS],
            count: corners.len(),
            is_smooth,
            is_flipped,
            is_simple,
            top,
            spans,
            lines,
            line_bands: [[SMALL as u8; CORNERS], [0; CORNERS]],
        };
        for (at, line) in self.lines.range(lines).0.iter().enumerate() {
            // Lines are flipped, and inside of the picture.
            let (first, end) = line.first_and_last_row();
            layer.line_bands[0][at] = self.tables.cells_of_row[(last - end) as usize].0;
            layer.line_bands[1][at] = self.tables.cells_of_row[(last - first) as usize].1;
        }
        layer.corners[..corners.len()].copy_from_slice(corners);
        let row = |row: i32| row.clamp(0, last) as usize;
        let (first, end) = (self.tables.cells_of_row[row(top)].0, self.tables.cells_of_row[row(bottom)].1);
        let index = self.layers.len() as u32;
        self.by_band[usize::from(first)..=usize::from(end)].iter_mut().for_each(|band| band.push(index));
        self.layers.push(layer);
    }

    /// Renders the small picture, and writes it to `out` as red, green and blue, row by row.
    pub fn show(&mut self, out: &mut [u8]) {
        match self.level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `drawing_level` returns `Avx2` only if the processor has AVX2.
            SimdLevel::Avx2(_) => unsafe { self.show_by_avx2(out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `drawing_level` returns `Avx512` only if the processor has AVX-512 and VNNI.
            SimdLevel::Avx512(_) => unsafe { self.show_by_avx512(out) },
            _ => self.show_by::<Portable>(out),
        }
    }

    #[inline(always)]
    fn show_by<P: SimdOps>(&mut self, out: &mut [u8]) {
        let blocks = least_and_most(self.blocks.iter().flat_map(|block| [block.begin[1] as i32, block.end[1] as i32 - 1]));
        for (band, out) in out.chunks_exact_mut(SMALL * 3).enumerate().take(SMALL) {
            let cell = &self.tables.rows[band];
            let rows = cell.first as i32..(cell.first + cell.count) as i32;
            let blocks = if rows.start <= blocks.1 && blocks.0 < rows.end { &self.blocks[..] } else { &[] };
            let mut mixed = 0;
            for block in blocks.iter().filter(|block| block.is_in(&rows)) {
                mixed |= self.tables.touched((block.begin[0] as i32, block.end[0] as i32 - 1));
            }
            let has_blocks = mixed != 0;
            let mut colors = [plain(self.background); SMALL];
            let covered = self.classify_cells::<P>(band, &mut mixed, &mut colors);
            if mixed != 0 {
                self.draw::<P>((band, rows), (mixed, covered), has_blocks);
                let (tables, row) = (&self.tables, &self.tables.rows[band]);
                while mixed != 0 {
                    let x = mixed.trailing_zeros() as usize;
                    mixed &= mixed - 1;
                    let column = &tables.columns[x];
                    let weights = Weights {
                        columns: &tables.weights[x],
                        width: column.count,
                        rows: &tables.parts[band],
                        height: row.count,
                        reciprocals: tables.reciprocals,
                    };
                    colors[x] = u32::from_le_bytes(P::average(&self.buffer, column.first, &weights));
                }
            }
            P::write_rgb(&colors, out);
        }
    }

    /// Classifies a row of cells: adds the cells that edges cross to `mixed`, and sets the colour of each cell that a polygon
    /// covers.
    ///
    /// Returns a bit set of the cells that polygons cover completely.
    #[inline(always)]
    fn classify_cells<P: SimdOps>(&mut self, band: usize, mixed: &mut u128, colors: &mut [u32; SMALL]) -> u128 {
        self.seen.clear();
        for index in &self.by_band[band] {
            let (cells, covered) = self.layers[*index as usize].reach::<P>(&self.spans, &self.tables, band);
            if cells != 0 {
                self.seen.push(VisibleLayer { layer: *index, cells, covered });
            }
        }
        let mut hidden = 0;
        for seen in self.seen.iter_mut().rev() {
            // Cells that a later polygon covers are not visible.
            seen.cells &= !hidden;
            seen.covered &= seen.cells;
            *mixed |= seen.cells & !seen.covered;
            let color = plain(self.layers[seen.layer as usize].color);
            P::set_colors(colors, seen.covered, color);
            hidden |= seen.covered;
        }
        hidden
    }

    /// Rasterizes and averages those cells of a row of cells that are in the bit set `mixed`.
    #[inline(always)]
    fn draw<P: SimdOps>(&mut self, (band, rows): (usize, Range<i32>), (mixed, covered): (u128, u128), has_blocks: bool) {
        let Self { tables, layers, lines, blocks, spans, buffer, background, seen, .. } = self;
        // Columns of other cells may be written as well: cells that are averaged have all their layers drawn, in order.
        P::clear(buffer, P::chunks(&tables.chunks, mixed & !covered), *background);
        for (layer, cells) in
            seen.iter().map(|seen| (&layers[seen.layer as usize], seen.cells & mixed)).filter(|seen| seen.1 != 0)
        {
            let spans = if layer.is_simple { spans.window(layer.span_of(rows.start)) } else { None };
            let (first, last) = (cells.trailing_zeros() as usize, 127 - cells.leading_zeros() as usize);
            let drawn = (rows.clone(), tables.columns_of((first, last)));
            draw_lines::<P>(buffer, layer.color, (lines.range(layer.lines), layer.lines_of(band)), drawn, spans);
            match spans {
                Some(spans) => P::cover(buffer, P::chunks(&tables.chunks, cells), spans, layer.color),
                None => fill_wild::<P>(buffer, layer, rows.clone()),
            }
        }
        let blocks = if has_blocks { &blocks[..] } else { &[] };
        for block in blocks.iter().filter(|block| block.is_in(&rows)) {
            let inside = rows.start.max(block.begin[1] as i32)..rows.end.min(block.end[1] as i32);
            let columns = (block.begin[0] as i32, block.end[0] as i32 - 1);
            inside.for_each(|row| buffer.fill::<P>((row - rows.start) as usize, columns, block.color));
        }
    }
}

#[cfg(test)]
mod tests;
