//! A large picture of polygons, shrunk without being drawn.
//!
//! What comes of `pygame.transform.smoothscale` is an average over a cell of the large picture for each pixel of the small one. Most
//! cells have one colour all over. So polygons are first laid over cells, one row of cells after the other; then only those cells are
//! drawn in the large picture that an edge may run through, and only these are averaged. What comes out is the same to the last bit.

use std::ops::Range;

use super::Color;
use super::pygame::{self, Easel, Pixel};

/// Width and height of the large picture.
pub const LARGE: (usize, usize) = (1000, 800);
/// Side of the small one.
pub const SMALL: usize = 96;

/// Pixels that a cell has at most, with those that it shares with its neighbours.
const WIDEST: usize = 12;
const HIGHEST: usize = 10;
/// A whole pixel's weight.
const WHOLE: usize = 0x4000;
/// How far smooth edges may reach beyond what is filled, in pixels.
const FRINGE: usize = 2;
/// A row of a polygon that covers nothing.
const EMPTY: (i16, i16) = (i16::MAX, i16::MIN);
/// Corners of a polygon at most.
const CORNERS: usize = 8;

type Rgb = [u8; 4];

/// The pixels of a cell in one direction, and how much of each is the cell's.
#[derive(Debug, Clone)]
struct Cell<const N: usize> {
    first: usize,
    count: usize,
    weights: [u16; N],
}

fn cells<const N: usize>(large: usize) -> (Vec<Cell<N>>, u16) {
    let space = WHOLE * large / SMALL;
    let cell = |index: usize| {
        let (begin, end) = (index * space, (index + 1) * space);
        let part = |pixel: usize| end.min((pixel + 1) * WHOLE).saturating_sub(begin.max(pixel * WHOLE));
        // Shares that are so small that not even white comes to a unit are none.
        let counts = |pixel: &usize| part(*pixel) * 4 * 255 >= 0x10000;
        let mut pixels = (begin / WHOLE..large).filter(counts).take_while(|pixel| pixel * WHOLE < end);
        let first = pixels.next().unwrap_or(0);
        let count = 1 + pixels.count();
        Cell { first, count, weights: std::array::from_fn(|at| if at < count { part(first + at) as u16 } else { 0 }) }
    };
    ((0..SMALL).map(cell).collect(), (0x4000_0000 / space) as u16)
}

/// First and last cell that each pixel belongs to.
fn cells_of<const N: usize>(cells: &[Cell<N>], large: usize) -> Vec<(u8, u8)> {
    let has = |cell: &Cell<N>, pixel: usize| (cell.first..cell.first + cell.count).contains(&pixel);
    let of = |pixel| {
        let first = cells.iter().position(|cell| has(cell, pixel)).unwrap_or(0);
        let last = cells.iter().rposition(|cell| has(cell, pixel)).unwrap_or(0);
        (first as u8, last as u8)
    };
    (0..large).map(of).collect()
}

/// A polygon.
#[derive(Debug, Clone, Copy)]
struct Layer {
    color: Rgb,
    corners: [Pixel; CORNERS],
    count: usize,
    /// Whether its outline is smooth.
    is_smooth: bool,
    /// Whether it was drawn before the picture was turned upside down.
    is_turned: bool,
    /// Whether each of its rows is one span.
    is_simple: bool,
    /// The rows where it was drawn, and where its spans begin.
    low: i32,
    high: i32,
    spans: usize,
    /// Its first and last column.
    reach: Run,
}

impl Layer {
    fn corners(&self) -> &[Pixel] {
        &self.corners[..self.count]
    }

    fn fringe(&self) -> i32 {
        if self.is_smooth { FRINGE as i32 } else { 0 }
    }

    /// Where a row is shown, and the other way round.
    fn turn(&self, row: i32) -> i32 {
        if self.is_turned { LARGE.1 as i32 - 1 - row } else { row }
    }

    fn span_of(&self, row: i32) -> usize {
        (self.spans as isize + (row - self.low) as isize) as usize
    }
}

/// Columns from the first to the last.
type Run = (i32, i32);

/// A small rectangle over everything else: first column and row, one more than the last of each, and colour.
type Block = ([usize; 2], [usize; 2], Rgb);

/// Where edges cross a row, leftmost and rightmost, and how many do.
type Crossing = (i32, i32, u32);

/// Collects what is drawn, and shows it shrunk. Its memory is used again and again.
///
/// ```
/// use envpool_rs::sim::raster::{BLACK, Easel, SMALL, Shrunk, WHITE};
///
/// let mut picture = Shrunk::default();
/// picture.begin(BLACK, 800);
/// picture.polygon(&[(0, 0), (499, 0), (499, 799), (0, 799)], WHITE, false);
/// let mut pixels = vec![0; SMALL * SMALL * 3];
/// picture.show(&mut pixels);
/// assert_eq!((pixels[0], pixels[(SMALL - 1) * 3]), (253, 0));
/// ```
#[derive(Debug)]
pub struct Shrunk {
    tables: Tables,
    layers: Vec<Layer>,
    blocks: Vec<Block>,
    lefts: Vec<i16>,
    rights: Vec<i16>,
    crossings: Vec<Crossing>,
    background: Rgb,
    /// Rows from here on are hidden by what is drawn after the picture was turned.
    hidden: i32,
    /// Cells with edges in them, row by row of cells, and the colours of the other cells.
    mixed: Vec<u128>,
    /// Cells that no polygon covers from side to side.
    bare: Vec<u128>,
    /// Runs of columns that are drawn, and which of them each row of pixels has.
    runs: Vec<Run>,
    drawn: Vec<(u32, u32)>,
    plain: Vec<[Rgb; SMALL]>,
    pixels: Vec<Rgb>,
}

#[derive(Debug)]
struct Tables {
    columns: Vec<Cell<WIDEST>>,
    rows: Vec<Cell<HIGHEST>>,
    reciprocals: (u16, u16),
    /// The columns' weights, for each colour of each pixel.
    weights: Vec<[u16; WIDEST * 4]>,
    cells_of_column: Vec<(u8, u8)>,
    cells_of_row: Vec<(u8, u8)>,
    /// The first cell that begins in a column or to the right of it, and one more than the last that ends there or to the left of it.
    whole: Vec<(u8, u8)>,
}

impl Default for Shrunk {
    fn default() -> Self {
        let (columns, across) = cells::<WIDEST>(LARGE.0);
        let (rows, down) = cells::<HIGHEST>(LARGE.1);
        let whole = |x: usize| {
            let begins = columns.iter().position(|cell| cell.first >= x).unwrap_or(SMALL);
            let ends = columns.iter().rposition(|cell| cell.first + cell.count <= x + 1).map_or(0, |cell| cell + 1);
            (begins as u8, ends as u8)
        };
        let tables = Tables {
            weights: columns.iter().map(|cell| std::array::from_fn(|at| cell.weights[at / 4])).collect(),
            cells_of_column: cells_of(&columns, LARGE.0),
            cells_of_row: cells_of(&rows, LARGE.1),
            whole: (0..LARGE.0).map(whole).collect(),
            columns,
            rows,
            reciprocals: (across, down),
        };
        Self {
            tables,
            layers: Vec::new(),
            blocks: Vec::new(),
            lefts: Vec::new(),
            rights: Vec::new(),
            crossings: Vec::new(),
            background: [0; 4],
            hidden: 0,
            mixed: vec![0; SMALL],
            bare: vec![0; SMALL],
            runs: Vec::new(),
            drawn: vec![(0, 0); LARGE.1],
            plain: vec![[[0; 4]; SMALL]; SMALL],
            pixels: vec![[0; 4]; LARGE.0 * LARGE.1 + WIDEST],
        }
    }
}

fn rgb(Color(red, green, blue, _): Color) -> Rgb {
    [red, green, blue, 0]
}

/// Cells from `first` to `last`.
fn bits(first: u8, last: u8) -> u128 {
    (u128::MAX >> (127 - (last - first))) << first
}

fn least_and_most(values: impl Iterator<Item = i32>) -> (i32, i32) {
    values.fold((i32::MAX, i32::MIN), |(least, most), value| (least.min(value), most.max(value)))
}

impl Shrunk {
    /// Begins a picture all of `background`; what is drawn after it was turned hides the rows from `hidden` on.
    pub fn begin(&mut self, background: Color, hidden: usize) {
        (self.background, self.hidden) = (rgb(background), hidden as i32);
        self.layers.clear();
        self.blocks.clear();
        self.lefts.clear();
        self.rights.clear();
        self.pad();
    }

    fn pad(&mut self) {
        self.lefts.extend([EMPTY.0; FRINGE]);
        self.rights.extend([EMPTY.1; FRINGE]);
    }

    fn add(&mut self, corners: &[Pixel], color: Color, is_smooth: bool, is_turned: bool) {
        if !(4..=CORNERS).contains(&corners.len()) {
            return;
        }
        let (left, right) = least_and_most(corners.iter().map(|corner| corner.0));
        let (top, bottom) = least_and_most(corners.iter().map(|corner| corner.1));
        let fringe = if is_smooth { FRINGE as i32 } else { 0 };
        // Rows that are not seen tell how far edges reach in those beside them.
        let least = if is_turned { LARGE.1 as i32 - self.hidden } else { 0 } - fringe;
        let most = LARGE.1 as i32 - 1 + fringe;
        let mut layer = Layer {
            color: rgb(color),
            corners: [(0, 0); CORNERS],
            count: corners.len(),
            is_smooth,
            is_turned,
            is_simple: true,
            low: top.max(least),
            high: bottom.min(most),
            spans: self.lefts.len(),
            reach: (left, right),
        };
        if right < -fringe || left >= LARGE.0 as i32 + fringe || layer.low > layer.high {
            return;
        }
        layer.corners[..corners.len()].copy_from_slice(corners);
        layer.is_simple = self.cross(&layer, bottom);
        if !layer.is_simple {
            // Somewhere between its outermost corners.
            let one = if is_smooth { 0x10000 } else { 1 };
            self.crossings.fill((left.wrapping_mul(one), right.wrapping_mul(one), 0));
        }
        self.keep(is_smooth);
        self.layers.push(layer);
    }

    /// Finds where edges cross each row; whether each row is one span.
    fn cross(&mut self, layer: &Layer, bottom: i32) -> bool {
        self.crossings.clear();
        self.crossings.resize((layer.high + 1 - layer.low) as usize, (i32::MAX, i32::MIN, 0));
        for (a, b) in pygame::edges(layer.corners()) {
            let end = if b.1 == bottom { b.1 + 1 } else { b.1 };
            let (begin, end) = (a.1.max(layer.low), end.min(layer.high + 1));
            if begin < end {
                let rows = &mut self.crossings[(begin - layer.low) as usize..(end - layer.low) as usize];
                if layer.is_smooth {
                    cross_smooth(rows, a, b, begin);
                } else {
                    cross_rough(rows, a, b, begin);
                }
            }
        }
        let one = if layer.is_smooth { 0x10000 } else { 1 };
        let reaches = |corner: &Pixel| {
            let row = self.crossings.get((corner.1 - layer.low) as usize);
            row.is_none_or(|row| row.0 <= corner.0.wrapping_mul(one) && corner.0.wrapping_mul(one) <= row.1)
        };
        self.crossings.iter().all(|crossing| crossing.2 <= 2) && layer.corners().iter().all(reaches)
    }

    /// Keeps the spans of the rows that were crossed last.
    fn keep(&mut self, is_smooth: bool) {
        let near = |x: i32| x.clamp(-16, LARGE.0 as i32 + 16) as i16;
        let span = |(left, right, _): &Crossing| {
            if left > right {
                return EMPTY;
            }
            let (a, b) = if is_smooth {
                (pygame::nearest(left.wrapping_add(1)), pygame::nearest(right.wrapping_sub(1)))
            } else {
                (*left, *right)
            };
            (near(a.min(b)), near(a.max(b)))
        };
        self.lefts.extend(self.crossings.iter().map(|crossing| span(crossing).0));
        self.rights.extend(self.crossings.iter().map(|crossing| span(crossing).1));
        self.pad();
    }

    /// The picture's red, green and blue, row by row.
    pub fn show(&mut self, out: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the processor has just said that it has AVX2.
            return unsafe { self.show_by_avx2(out) };
        }
        self.draw_all();
        self.average(out, |this, band, x| this.cell(band, x, average));
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn show_by_avx2(&mut self, out: &mut [u8]) {
        self.draw_all();
        self.average(out, |this, band, x| this.cell(band, x, |rows, weights, by| average_by_avx2(rows, weights, by)));
    }

    #[inline(always)]
    fn draw_all(&mut self) {
        self.mixed.fill(0);
        self.bare.fill(u128::MAX);
        self.plain.fill([self.background; SMALL]);
        for index in 0..self.layers.len() {
            let layer = self.layers[index];
            self.lay(&layer);
        }
        for (begin, end, _) in &self.blocks {
            let tables = &self.tables;
            let columns = bits(tables.cells_of_column[begin[0]].0, tables.cells_of_column[end[0] - 1].1);
            let (first, last) = (tables.cells_of_row[begin[1]].0, tables.cells_of_row[end[1] - 1].1);
            self.mixed[usize::from(first)..=usize::from(last)].iter_mut().for_each(|mixed| *mixed |= columns);
        }
        self.find_runs();
        self.draw();
    }

    /// Lays a polygon over the cells.
    #[inline(always)]
    fn lay(&mut self, layer: &Layer) {
        let tables = &self.tables;
        let (fringe, last) = (layer.fringe(), LARGE.1 as i32 - 1);
        let (a, b) = (layer.turn(layer.low - fringe).clamp(0, last), layer.turn(layer.high + fringe).clamp(0, last));
        let first = tables.cells_of_row[a.min(b) as usize].0;
        let end = tables.cells_of_row[a.max(b) as usize].1;
        for band in usize::from(first)..=usize::from(end) {
            let cell = &tables.rows[band];
            let (a, b) = (layer.turn(cell.first as i32), layer.turn((cell.first + cell.count) as i32 - 1));
            let (a, b) = (a.min(b), a.max(b));
            // Spans of the rows around it, empty ones included.
            let from = layer.span_of((a - fringe).max(layer.low - FRINGE as i32));
            let to = layer.span_of((b + fringe).min(layer.high + FRINGE as i32) + 1);
            if from >= to {
                continue;
            }
            let left = self.lefts[from..to].iter().copied().min().unwrap_or(EMPTY.0);
            let right = self.rights[from..to].iter().copied().max().unwrap_or(EMPTY.1);
            if left > right {
                continue;
            }
            let fringe = layer.fringe();
            let (left, right) = (i32::from(left) - fringe, i32::from(right) + fringe);
            if right < 0 || left >= LARGE.0 as i32 {
                continue;
            }
            let first = tables.cells_of_column[left.max(0) as usize].0;
            let last = tables.cells_of_column[right.min(LARGE.0 as i32 - 1) as usize].1;
            self.mixed[band] |= bits(first, last);
            if !layer.is_simple || a < layer.low || b > layer.high {
                continue;
            }
            let (from, to) = (layer.span_of(a), layer.span_of(b) + 1);
            let left = self.lefts[from..to].iter().copied().max().unwrap_or(EMPTY.0);
            let right = self.rights[from..to].iter().copied().min().unwrap_or(EMPTY.1);
            if right < left || right < 0 || usize::from(left.max(0) as u16) >= LARGE.0 {
                continue;
            }
            let begin = tables.whole[left.max(0) as usize].0;
            let end = tables.whole[usize::from(right as u16).min(LARGE.0 - 1)].1;
            if begin < end {
                self.mixed[band] &= !bits(begin, end - 1);
                self.bare[band] &= !bits(begin, end - 1);
                self.plain[band][usize::from(begin)..usize::from(end)].fill(layer.color);
            }
        }
    }

    /// Finds what has to be drawn. A row of pixels that two rows of cells share has the runs of both.
    #[inline(always)]
    fn find_runs(&mut self) {
        self.runs.clear();
        let (mut row, mut above) = (0, 0);
        for (cell, mixed) in self.tables.rows.iter().zip(&self.mixed) {
            // Rows before this one are the last row of cells' alone, or its and this one's.
            if row > cell.first {
                self.drawn[cell.first] = add_runs(&mut self.runs, &self.tables.columns, above | mixed);
            }
            let runs = add_runs(&mut self.runs, &self.tables.columns, *mixed);
            row = row.max(cell.first);
            self.drawn[row..cell.first + cell.count].fill(runs);
            (row, above) = (cell.first + cell.count, *mixed);
        }
    }

    /// Draws what is in cells with edges.
    #[inline(always)]
    fn draw(&mut self) {
        let Self { tables, layers, blocks, lefts, rights, mixed, bare, runs, drawn, pixels, background, hidden, .. } = self;
        let mut sheet = Sheet { runs, drawn, pixels };
        let size = (LARGE.0 as i32, LARGE.1 as i32);
        for (cell, bare) in tables.rows.iter().zip(mixed.iter().zip(bare).map(|(mixed, bare)| *mixed & *bare)) {
            each_run(&tables.columns, bare, |(left, right)| {
                for row in cell.first..cell.first + cell.count {
                    fill(&mut sheet.pixels[row * LARGE.0 + left as usize..=row * LARGE.0 + right as usize], *background);
                }
            });
        }
        for layer in layers {
            let spans = if layer.is_simple { layer.span_of(layer.low)..layer.span_of(layer.high + 1) } else { 0..0 };
            let (lefts, rights) = (&lefts[spans.clone()], &rights[spans]);
            if layer.is_smooth {
                // Rows of the field that are hidden later.
                let least = size.1 - *hidden;
                pygame::smooth_outline(layer.corners(), size, |x, y, part| {
                    let at = (y - layer.low) as usize;
                    let is_filled =
                        at < lefts.len() && at < rights.len() && { i32::from(lefts[at]) <= x && x <= i32::from(rights[at]) };
                    if !is_filled && y >= least {
                        sheet.dot(layer.turn(y) as usize, x as usize, layer.color, part);
                    }
                });
            }
            if layer.is_simple {
                let (low, high) = (layer.low.max(0), layer.high.min(size.1 - 1));
                let (a, b) = (layer.turn(low), layer.turn(high));
                let span = |row: usize| {
                    let at = (layer.turn(row as i32) - layer.low) as usize;
                    (i32::from(lefts[at]), i32::from(rights[at]))
                };
                sheet.rows(a.min(b) as usize..(a.max(b) + 1) as usize, layer.reach, layer.color, span);
            } else {
                let span = |row, a: i32, b: i32| sheet.span(layer.turn(row) as usize, a.min(b), a.max(b), layer.color);
                if layer.is_smooth {
                    pygame::filled_polygon(layer.corners(), size.1, span);
                } else {
                    pygame::polygon(layer.corners(), size.1, span);
                }
            }
        }
        for (begin, end, color) in blocks {
            (begin[1]..end[1]).for_each(|row| sheet.span(row, begin[0] as i32, end[0] as i32 - 1, *color));
        }
    }

    #[inline(always)]
    fn average(&self, out: &mut [u8], of_cell: impl Fn(&Self, usize, usize) -> Rgb) {
        let mut line = [0; SMALL * 3 + 1];
        for ((band, plain), out) in self.plain.iter().enumerate().zip(out.chunks_exact_mut(SMALL * 3)) {
            for (x, color) in plain.iter().enumerate() {
                // An average over one colour loses a unit across and one down.
                line[x * 3..x * 3 + 4].copy_from_slice(&color.map(|part| part.saturating_sub(2)));
            }
            let mut left = self.mixed[band];
            while left != 0 {
                let x = left.trailing_zeros() as usize;
                left &= left - 1;
                line[x * 3..x * 3 + 3].copy_from_slice(&of_cell(self, band, x)[..3]);
            }
            out.copy_from_slice(&line[..SMALL * 3]);
        }
    }

    /// The average of a cell, rounded as SSE2's code rounds it.
    #[inline(always)]
    fn cell(&self, band: usize, x: usize, average: impl Fn(Rows<'_>, &[u16; WIDEST * 4], (u16, u16)) -> Rgb) -> Rgb {
        let tables = &self.tables;
        let (row, column) = (&tables.rows[band], &tables.columns[x]);
        let pixels = &self.pixels[row.first * LARGE.0 + column.first..];
        average(Rows { pixels, weights: &row.weights[..row.count] }, &tables.weights[x], tables.reciprocals)
    }
}

/// Rows of pixels, and how much of each counts.
struct Rows<'a> {
    pixels: &'a [Rgb],
    weights: &'a [u16],
}

impl<'a> Rows<'a> {
    /// Each row's pixels as bytes, and its weight.
    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = (&'a [u8; WIDEST * 4], u16)> {
        let rows = self.pixels.chunks(LARGE.0).filter_map(|row| row.first_chunk::<WIDEST>()?.as_flattened().first_chunk());
        rows.zip(self.weights.iter().copied())
    }
}

fn average(rows: Rows<'_>, weights: &[u16; WIDEST * 4], (across, down): (u16, u16)) -> Rgb {
    let mut sums = [0_u16; 4];
    for (pixels, weight) in rows.each() {
        let mut sum = [0_u16; 4];
        for (i, (pixel, weight)) in pixels.iter().zip(weights).enumerate() {
            sum[i % 4] += high(u16::from(*pixel) << 2, *weight);
        }
        sums = std::array::from_fn(|i| sums[i] + high(high(sum[i], across) << 2, weight));
    }
    sums.map(|sum| high(sum, down) as u8)
}

/// [`average`], all colours of four pixels at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn average_by_avx2(rows: Rows<'_>, weights: &[u16; WIDEST * 4], (across, down): (u16, u16)) -> Rgb {
    use std::arch::x86_64::*;
    let weight = |at: usize| {
        let weights: &[u16; 16] = weights[at..].first_chunk().expect("there are three times sixteen");
        // SAFETY: the array has 32 bytes, wherever it lies.
        unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) }
    };
    let weights = [weight(0), weight(16), weight(32)];
    let (across, mut sums) = (_mm_set1_epi16(across as i16), _mm_setzero_si128());
    for (pixels, part) in rows.each() {
        let product = |at: usize| {
            let four: &[u8; 16] = pixels[at * 16..].first_chunk().expect("there are three times sixteen");
            // SAFETY: the array has 16 bytes, wherever it lies.
            let four = unsafe { _mm_loadu_si128(four.as_ptr().cast()) };
            _mm256_mulhi_epu16(_mm256_slli_epi16::<2>(_mm256_cvtepu8_epi16(four)), weights[at])
        };
        let sum = _mm256_add_epi16(_mm256_add_epi16(product(0), product(1)), product(2));
        let sum = _mm_add_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi16(sum, _mm_srli_si128::<8>(sum));
        let row = _mm_slli_epi16::<2>(_mm_mulhi_epu16(sum, across));
        sums = _mm_add_epi16(sums, _mm_mulhi_epu16(row, _mm_set1_epi16(part as i16)));
    }
    let average = _mm_mulhi_epu16(sums, _mm_set1_epi16(down as i16));
    _mm_cvtsi128_si32(_mm_packus_epi16(average, average)).to_le_bytes()
}

#[inline(always)]
fn high(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}

impl Easel for Shrunk {
    fn smooth_polygon(&mut self, corners: &[Pixel], color: Color) {
        self.add(corners, color, true, true);
    }

    fn polygon(&mut self, corners: &[Pixel], color: Color, is_turned: bool) {
        self.add(corners, color, false, is_turned);
    }

    fn block(&mut self, begin: Pixel, end: Pixel, color: Color) {
        let inside = |(x, y): Pixel| [x.clamp(0, LARGE.0 as i32) as usize, y.clamp(0, LARGE.1 as i32) as usize];
        let (begin, end) = (inside(begin), inside(end));
        if begin[0] < end[0] && begin[1] < end[1] {
            self.blocks.push((begin, end, rgb(color)));
        }
    }
}

fn meet(row: &mut Crossing, x: i32) {
    *row = (row.0.min(x), row.1.max(x), row.2 + 1);
}

/// Where an edge crosses rows, in parts of 2^-16 of a pixel: for `gfxdraw.filled_polygon`.
fn cross_smooth(rows: &mut [Crossing], a: Pixel, b: Pixel, begin: i32) {
    let (height, dx) = ((b.1 - a.1) as u64, b.0 - a.0);
    let base = 65536_i32.wrapping_mul(a.0);
    // 2^16 * y / height for y up to the height, below 2^16 both: rounded up by less than 2^-32 for each y.
    let reciprocal = (1_u64 << 48).div_ceil(height);
    for (y, row) in ((begin - a.1) as u64..).zip(rows) {
        let along = ((y * reciprocal) >> 32) as i32;
        meet(row, along.wrapping_mul(dx).wrapping_add(base));
    }
}

/// Where an edge crosses rows, in pixels: for `draw.polygon`.
fn cross_rough(rows: &mut [Crossing], a: Pixel, b: Pixel, begin: i32) {
    for (y, row) in (begin..).zip(rows) {
        let along = (y - a.1).wrapping_mul(b.0 - a.0) as f32 / (b.1 - a.1) as f32;
        let along = if row.2.is_multiple_of(2) { along.floor() } else { along.ceil() };
        meet(row, along as i32 + a.0);
    }
}

/// Calls `take` with the columns of each run of cells.
#[inline(always)]
fn each_run(columns: &[Cell<WIDEST>], mut cells: u128, mut take: impl FnMut(Run)) {
    while cells != 0 {
        let first = cells.trailing_zeros();
        let last = first + (!(cells >> first)).trailing_zeros() - 1;
        cells &= !bits(first as u8, last as u8);
        let last = &columns[last as usize];
        take((columns[first as usize].first as i32, (last.first + last.count) as i32 - 1));
    }
}

#[inline(always)]
fn add_runs(runs: &mut Vec<Run>, columns: &[Cell<WIDEST>], cells: u128) -> (u32, u32) {
    let begin = runs.len() as u32;
    each_run(columns, cells, |run| runs.push(run));
    (begin, runs.len() as u32)
}

/// The large picture, as far as it is drawn.
struct Sheet<'a> {
    runs: &'a [Run],
    drawn: &'a [(u32, u32)],
    pixels: &'a mut [Rgb],
}

impl Sheet<'_> {
    #[inline(always)]
    fn dot(&mut self, row: usize, x: usize, color: Rgb, part: u32) {
        let pixel = &mut self.pixels[row * LARGE.0 + x];
        *pixel = if part == 255 { color } else { pygame::blended(*pixel, color, part) };
    }

    /// Fills a span, as far as it is drawn.
    fn span(&mut self, row: usize, left: i32, right: i32, color: Rgb) {
        self.rows(row..row + 1, (left, right), color, |_| (left, right));
    }

    /// Fills a span of each row, as far as they are drawn, all of them within `reach`.
    #[inline(always)]
    fn rows(&mut self, rows: Range<usize>, reach: Run, color: Rgb, span: impl Fn(usize) -> Run) {
        let mut row = rows.start;
        while row < rows.end {
            // Neighbours mostly have the same runs.
            let drawn = self.drawn[row];
            let mut end = row + 1;
            while end < rows.end && self.drawn[end] == drawn {
                end += 1;
            }
            let runs = &self.runs[drawn.0 as usize..drawn.1 as usize];
            for run in runs.iter().filter(|run| run.0 <= reach.1 && run.1 >= reach.0) {
                for row in row..end {
                    let (left, right) = span(row);
                    let (left, right) = (run.0.max(left), run.1.min(right));
                    if left <= right {
                        fill(&mut self.pixels[row * LARGE.0 + left as usize..=row * LARGE.0 + right as usize], color);
                    }
                }
            }
            row = end;
        }
    }
}

/// As the slice's own, for a few pixels mostly.
#[inline(always)]
fn fill(pixels: &mut [Rgb], color: Rgb) {
    if let Some(last) = pixels.last_chunk_mut() {
        *last = [color; 8];
        pixels.as_chunks_mut().0.iter_mut().for_each(|chunk| *chunk = [color; 8]);
    } else if let Some(last) = pixels.last_chunk_mut() {
        *last = [color; 4];
        pixels.as_chunks_mut().0.iter_mut().for_each(|chunk| *chunk = [color; 4]);
    } else {
        pixels.iter_mut().for_each(|pixel| *pixel = color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::raster::{BLACK, Surface};

    /// Knuth's linear congruential generator.
    struct Dice(u64);

    impl Dice {
        fn uniform(&mut self, low: f64, high: f64) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            low + (high - low) * (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
        }

        fn integer(&mut self, low: i32, high: i32) -> i32 {
            self.uniform(f64::from(low), f64::from(high)).floor() as i32
        }
    }

    /// Polygons of all sorts: convex or not, thin, level, large, beyond the picture.
    fn draw(rng: &mut Dice, easel: &mut impl Easel) {
        for _ in 0..rng.integer(0, 30) {
            let size = if rng.uniform(0.0, 1.0) < 0.2 { 3000.0 } else { 150.0 } * rng.uniform(0.0, 1.0) + 2.0;
            let (x, y) = (rng.uniform(-200.0, 1200.0), rng.uniform(-200.0, 1000.0));
            let count = if rng.uniform(0.0, 1.0) < 0.8 { 4 } else { CORNERS };
            let mut angles = [0.0; CORNERS].map(|_| rng.uniform(0.0, std::f64::consts::TAU));
            if rng.uniform(0.0, 1.0) < 0.9 {
                angles[..count].sort_by(f64::total_cmp);
            }
            let corners = angles.map(|angle| ((x + size * angle.cos()) as i32, (y + size * angle.sin()) as i32));
            let [red, green, blue] = [(); 3].map(|()| rng.integer(0, 256) as u8);
            let color = Color::rgb(red, green, blue);
            if rng.uniform(0.0, 1.0) < 0.7 {
                easel.smooth_polygon(&corners[..count], color);
            } else {
                easel.polygon(&corners[..count], color, true);
            }
        }
        easel.polygon(&[(1000, 800), (1000, 700), (0, 700), (0, 800)], BLACK, false);
        let (x, y) = (rng.integer(-20, 1000), rng.integer(690, 810));
        easel.block((x, y), (x + 5, y + 40), Color::rgb(255, 255, 255));
    }

    #[test]
    fn what_is_shrunk_at_once_is_what_is_drawn_and_then_shrunk() {
        let mut shrunk = Shrunk::default();
        for seed in 0..25 {
            let background = Color::rgb(102, 204, 102);
            shrunk.begin(background, 700);
            draw(&mut Dice(seed), &mut shrunk);
            let mut surface = Surface::new(LARGE, background);
            draw(&mut Dice(seed), &mut surface);
            let expected = surface.shrunk((SMALL, SMALL));
            let mut pixels = vec![0; SMALL * SMALL * 3];
            shrunk.show(&mut pixels);
            assert!(pixels == expected, "{seed}");
            shrunk.draw_all();
            shrunk.average(&mut pixels, |this, band, x| this.cell(band, x, average));
            assert!(pixels == expected, "{seed} without vectors");
        }
    }

    #[test]
    fn wild_corners_end_nothing() {
        let mut shrunk = Shrunk::default();
        let wild = [0, -1, 1, 999, 1000, i32::from(i16::MAX), i32::from(i16::MIN), 16000, -16000];
        let mut pixels = vec![0; SMALL * SMALL * 3];
        for (index, x) in wild.into_iter().enumerate() {
            let at = |by: usize| wild[(index + by) % wild.len()];
            shrunk.begin(BLACK, 700);
            let corners = [(x, at(1)), (at(2), at(3)), (at(4), at(5)), (at(6), x)];
            shrunk.smooth_polygon(&corners, BLACK);
            shrunk.polygon(&corners.map(|(x, y)| (x / 2, y / 2)), BLACK, true);
            shrunk.polygon(&[(x, x); 4], BLACK, false);
            shrunk.polygon(&[], BLACK, false);
            shrunk.block((x, at(1)), (at(2), at(3)), BLACK);
            shrunk.show(&mut pixels);
        }
    }
}
