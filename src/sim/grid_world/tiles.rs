//! Renders worlds and agents' views, pixel for pixel as minigrid does. Each cell is a tile, and each pixel is the average of 3
//! x 3 samples.
//!
//! Numbers are float32 where minigrid uses float32, because some shapes depend on the rounding.

use std::sync::Arc;

use super::{
    cell::{Cell, Kind},
    grid::at,
    view::{View, view, view_to_world},
    world::World,
};

/// Number of samples per pixel along each axis (minigrid's `subdivs`).
const SUBDIVS: usize = 3;

type Rgb = [u8; 3];

const BLACK: Rgb = [0; 3];
const LAVA: Rgb = [255, 128, 0];
const AGENT: Rgb = [255, 0, 0];

/// Contents of a tile: the cell, the direction of an agent in it, and whether it is highlighted as visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tile {
    cell: Cell,
    agent: Option<u8>,
    highlight: bool,
}

impl Tile {
    /// Number of different tiles: 96 possible cells, each with ten combinations of the agent's direction (or no agent) and the
    /// highlight.
    const COUNT: usize = 96 * 10;

    fn index(self) -> usize {
        let agent = self.agent.map_or(0, |direction| usize::from(direction & 3) + 1);
        (usize::from(self.cell.0) * 5 + agent) * 2 + usize::from(self.highlight)
    }
}

/// Tiles of a picture, listed row by row.
#[derive(Debug, Clone)]
pub struct Scene {
    columns: usize,
    tiles: Vec<Tile>,
}

/// Returns the tiles of the complete world. If `highlight` is set, the cells that the agent sees in its view of `side` by
/// `side` cells are brightened.
pub fn full_scene(world: &World, side: usize, see_through_walls: bool, highlight: bool) -> Scene {
    let (columns, rows) = (world.grid.width() as usize, world.grid.height() as usize);
    let tile = |index: usize| {
        let pos = at((index % columns) as i32, (index / columns) as i32);
        let agent = (pos == world.agent.pos).then_some(world.agent.dir);
        Tile { cell: world.grid.get(pos), agent, highlight: false }
    };
    let mut tiles: Vec<_> = (0..columns * rows).map(tile).collect();
    if highlight {
        let view = view(world, side, see_through_walls);
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))).filter(|(i, j)| view.is_visible(*i, *j)) {
            if let Some(index) = world.grid.index(view_to_world(world, side, i, j)) {
                tiles[index].highlight = true;
            }
        }
    }
    Scene { columns, tiles }
}

/// Returns the tiles of the agent's view, with the agent in the middle of the last row.
pub fn pov_scene(view: &View) -> Scene {
    let side = view.side();
    let tile = |index: usize| {
        let (i, j) = (index % side, index / side);
        let highlight = view.is_visible(i, j);
        let agent = (j == side - 1 && i == side / 2).then_some(3);
        Tile { cell: if highlight { view.get(i, j) } else { Cell::EMPTY }, agent, highlight }
    };
    Scene { columns: side, tiles: (0..side * side).map(tile).collect() }
}

/// Rendered tiles of one size in pixels. Clones share the pixels.
#[derive(Debug, Clone)]
pub struct TileSet {
    size: usize,
    pixels: Arc<Vec<Box<[u8]>>>,
}

impl TileSet {
    /// Renders the tiles of all cell contents that a world may have.
    pub fn all(size: usize) -> Self {
        let cells = (0..96).map(Cell).filter(|cell| cell.is_valid());
        let facing = |cell: Cell| [None, Some(0), Some(1), Some(2), Some(3)].map(|agent| Tile { cell, agent, highlight: false });
        Self::render(size, cells.flat_map(facing).flat_map(|tile| [tile, Tile { highlight: true, ..tile }]))
    }

    /// Renders only the tiles that occur in a scene.
    pub fn of(size: usize, scene: &Scene) -> Self {
        Self::render(size, scene.tiles.iter().copied())
    }

    fn render(size: usize, tiles: impl Iterator<Item = Tile>) -> Self {
        let mut pixels: Vec<Box<[u8]>> = vec![Box::default(); Tile::COUNT];
        for tile in tiles {
            if pixels[tile.index()].is_empty() {
                pixels[tile.index()] = render_tile(tile, size);
            }
        }
        Self { size, pixels: Arc::new(pixels) }
    }

    /// Returns the memory that the tiles take, in bytes.
    pub fn bytes(&self) -> usize {
        self.pixels.iter().map(|tile| tile.len() + size_of::<Box<[u8]>>()).sum()
    }

    /// Draws a scene into `out`: red, green and blue of each pixel, row by row.
    pub fn draw(&self, scene: &Scene, out: &mut [u8]) {
        let row = self.size * 3;
        for (band, tiles) in out.chunks_exact_mut(scene.columns * self.size * row).zip(scene.tiles.chunks_exact(scene.columns)) {
            for (line, out) in band.chunks_exact_mut(scene.columns * row).enumerate() {
                for (out, tile) in out.chunks_exact_mut(row).zip(tiles) {
                    out.copy_from_slice(&self.pixels[tile.index()][line * row..][..row]);
                }
            }
        }
    }
}

/// Renders a tile; returns red, green and blue of each pixel, row by row.
fn render_tile(tile: Tile, size: usize) -> Box<[u8]> {
    let side = size * SUBDIVS;
    let mut points = vec![BLACK; side * side];
    let mut fill = |color: Rgb, shape: PointTest<'_>| {
        for (index, point) in points.iter_mut().enumerate() {
            let coord = |k: usize| (k as f64 + 0.5) / side as f64;
            if shape(coord(index % side), coord(index / side)) {
                *point = color;
            }
        }
    };
    let line_color = [100; 3];
    fill(line_color, &point_in_rect(0.0, 0.031, 0.0, 1.0));
    fill(line_color, &point_in_rect(0.0, 1.0, 0.0, 0.031));
    draw_cell(tile.cell, &mut fill);
    if let Some(direction) = tile.agent {
        fill(AGENT, &point_in_triangle(direction));
    }
    if tile.highlight {
        for value in points.iter_mut().flatten() {
            let level = f64::from(*value);
            *value = (level + 0.30 * (255.0 - level)) as u8;
        }
    }
    let pixel = |index: usize| {
        let (x, y, color) = (index / 3 % size, index / 3 / size, index % 3);
        let mut sum = 0.0;
        for row in 0..SUBDIVS {
            let first = (y * SUBDIVS + row) * side + x * SUBDIVS;
            sum += points[first..first + SUBDIVS].iter().map(|point| f64::from(point[color])).sum::<f64>() / 3.0;
        }
        (sum / 3.0) as u8
    };
    (0..size * size * 3).map(pixel).collect()
}

/// Function that returns whether a point, with coordinates from 0 to 1, lies in a shape.
type PointTest<'a> = &'a dyn Fn(f64, f64) -> bool;

fn draw_cell(cell: Cell, fill: &mut dyn FnMut(Rgb, PointTest<'_>)) {
    let color = cell.color().rgb();
    let everywhere = point_in_rect(0.0, 1.0, 0.0, 1.0);
    match cell.kind() {
        Kind::Empty => {}
        Kind::Wall | Kind::Goal => fill(color, &everywhere),
        Kind::Floor => fill(color.map(|level| level / 2), &point_in_rect(0.031, 1.0, 0.031, 1.0)),
        Kind::OpenDoor => {
            fill(color, &point_in_rect(0.88, 1.0, 0.0, 1.0));
            fill(BLACK, &point_in_rect(0.92, 0.96, 0.04, 0.96));
        }
        Kind::LockedDoor => {
            fill(color, &everywhere);
            fill(color.map(|level| (0.45 * f64::from(level)) as u8), &point_in_rect(0.06, 0.94, 0.06, 0.94));
            fill(color, &point_in_rect(0.52, 0.75, 0.50, 0.56));
        }
        Kind::ClosedDoor => {
            fill(color, &everywhere);
            fill(BLACK, &point_in_rect(0.04, 0.96, 0.04, 0.96));
            fill(color, &point_in_rect(0.08, 0.92, 0.08, 0.92));
            fill(BLACK, &point_in_rect(0.12, 0.88, 0.12, 0.88));
            fill(color, &point_in_circle(0.75, 0.50, 0.08));
        }
        Kind::Key => {
            fill(color, &point_in_rect(0.50, 0.63, 0.31, 0.88));
            fill(color, &point_in_rect(0.38, 0.50, 0.59, 0.66));
            fill(color, &point_in_rect(0.38, 0.50, 0.81, 0.88));
            fill(color, &point_in_circle(0.56, 0.28, 0.190));
            fill(BLACK, &point_in_circle(0.56, 0.28, 0.064));
        }
        Kind::Ball => fill(color, &point_in_circle(0.5, 0.5, 0.31)),
        Kind::Box => {
            fill(color, &point_in_rect(0.12, 0.88, 0.12, 0.88));
            fill(BLACK, &point_in_rect(0.18, 0.82, 0.18, 0.82));
            fill(color, &point_in_rect(0.16, 0.84, 0.47, 0.53));
        }
        Kind::Lava => {
            fill(LAVA, &everywhere);
            for wave in 0..3 {
                let (low, high) = (0.3 + 0.2 * f64::from(wave), 0.4 + 0.2 * f64::from(wave));
                for (from, to) in
                    [((0.1, low), (0.3, high)), ((0.3, high), (0.5, low)), ((0.5, low), (0.7, high)), ((0.7, high), (0.9, low))]
                {
                    fill(BLACK, &point_in_line(from, to, 0.03));
                }
            }
        }
    }
}

fn point_in_rect(left: f64, right: f64, top: f64, bottom: f64) -> impl Fn(f64, f64) -> bool {
    move |x, y| x >= left && x <= right && y >= top && y <= bottom
}

fn point_in_circle(x0: f64, y0: f64, radius: f64) -> impl Fn(f64, f64) -> bool {
    move |x, y| (x - x0) * (x - x0) + (y - y0) * (y - y0) <= radius * radius
}

/// Returns a function that tests whether a point lies in a line with rounded ends.
fn point_in_line(from: (f64, f64), to: (f64, f64), radius: f64) -> impl Fn(f64, f64) -> bool {
    let start = (from.0 as f32, from.1 as f32);
    let dir = (to.0 as f32 - start.0, to.1 as f32 - start.1);
    let length = (dir.0 * dir.0 + dir.1 * dir.1).sqrt();
    let dir = (f64::from(dir.0 / length), f64::from(dir.1 / length));
    let (start, length) = ((f64::from(start.0), f64::from(start.1)), f64::from(length));
    let in_bounds =
        point_in_rect(from.0.min(to.0) - radius, from.0.max(to.0) + radius, from.1.min(to.1) - radius, from.1.max(to.1) + radius);
    move |x, y| {
        in_bounds(x, y) && {
            let coord = ((x - start.0) * dir.0 + (y - start.1) * dir.1).clamp(0.0, length);
            let (dx, dy) = (x - (start.0 + coord * dir.0), y - (start.1 + coord * dir.1));
            (dx * dx + dy * dy).sqrt() <= radius
        }
    }
}

/// Cosine and sine of 0, -90, -180 and -270 degrees, as the C library rounds them.
const ROTATIONS: [(f64, f64); 4] =
    [(1.0, 0.0), (6.123_233_995_736_766e-17, -1.0), (-1.0, -1.224_646_799_147_353_2e-16), (-1.836_970_198_721_029_7e-16, 1.0)];

/// Returns a function that tests whether a point lies in the agent's triangle, whose tip points in the direction `direction`.
fn point_in_triangle(direction: u8) -> impl Fn(f64, f64) -> bool {
    let (a, b, c): ((f32, f32), (f32, f32), (f32, f32)) = ((0.12, 0.19), (0.87, 0.50), (0.12, 0.81));
    let v0 = (c.0 - a.0, c.1 - a.1);
    let v1 = (b.0 - a.0, b.1 - a.1);
    let dot = |p: (f32, f32), q: (f32, f32)| p.0 * q.0 + p.1 * q.1;
    let (d00, d01, d11) = (dot(v0, v0), dot(v0, v1), dot(v1, v1));
    let inverse = f64::from(1.0 / (d00 * d11 - d01 * d01));
    let [d00, d01, d11] = [d00, d01, d11].map(f64::from);
    let double = |p: (f32, f32)| (f64::from(p.0), f64::from(p.1));
    let (a, v0, v1) = (double(a), double(v0), double(v1));
    let (cosine, sine) = ROTATIONS[usize::from(direction & 3)];
    move |x, y| {
        let (x, y) = (x - 0.5, y - 0.5);
        let (x, y) = (0.5 + x * cosine - y * sine, 0.5 + y * cosine + x * sine);
        let v2 = (x - a.0, y - a.1);
        let (d02, d12) = (v0.0 * v2.0 + v0.1 * v2.1, v1.0 * v2.0 + v1.1 * v2.1);
        let u = (d11 * d02 - d01 * d12) * inverse;
        let v = (d00 * d12 - d01 * d02) * inverse;
        u >= 0.0 && v >= 0.0 && u + v < 1.0
    }
}
