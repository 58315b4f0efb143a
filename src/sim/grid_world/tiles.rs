//! Pictures of worlds and views, as MiniGrid's own renderer draws them: a tile for each cell, smoothed from three by three points a
//! pixel. Numbers are float32 where its are, for shapes that depend on it.

use std::sync::Arc;

use super::{
    grid::at,
    look::{Kind, Look},
    view::{View, cell_in_world, view},
    world::World,
};

/// Points of a pixel along each side.
const POINTS: usize = 3;

type Rgb = [u8; 3];

const BLACK: Rgb = [0; 3];
const LAVA: Rgb = [255, 128, 0];
const AGENT: Rgb = [255, 0, 0];

/// A tile: what is in the cell, which way an agent in it faces, and whether it is highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tile {
    look: Look,
    agent: Option<u8>,
    highlighted: bool,
}

impl Tile {
    /// Different tiles that there may be.
    const COUNT: usize = 96 * 10;

    fn number(self) -> usize {
        let agent = self.agent.map_or(0, |direction| usize::from(direction & 3) + 1);
        (usize::from(self.look.0) * 5 + agent) * 2 + usize::from(self.highlighted)
    }
}

/// The tiles of a picture, row by row.
#[derive(Debug, Clone)]
pub struct Scene {
    columns: usize,
    tiles: Vec<Tile>,
}

/// The whole world, where `highlight` says so with what the agent sees brighter.
pub fn of_world(world: &World, side: usize, through_walls: bool, highlight: bool) -> Scene {
    let (columns, rows) = (world.grid.width() as usize, world.grid.height() as usize);
    let tile = |index: usize| {
        let cell = at((index % columns) as i32, (index / columns) as i32);
        let agent = (cell == world.agent.place).then_some(world.agent.direction);
        Tile { look: world.grid.look(cell), agent, highlighted: false }
    };
    let mut tiles: Vec<_> = (0..columns * rows).map(tile).collect();
    if highlight {
        let seen = view(world, side, through_walls);
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))).filter(|(i, j)| seen.is_visible(*i, *j)) {
            if let Some(index) = world.grid.index(cell_in_world(world, side, i, j)) {
                tiles[index].highlighted = true;
            }
        }
    }
    Scene { columns, tiles }
}

/// What the agent sees, with the agent at the bottom.
pub fn of_view(seen: &View) -> Scene {
    let side = seen.side();
    let tile = |index: usize| {
        let (i, j) = (index % side, index / side);
        let highlighted = seen.is_visible(i, j);
        let agent = (j == side - 1 && i == side / 2).then_some(3);
        Tile { look: if highlighted { seen.look(i, j) } else { Look::EMPTY }, agent, highlighted }
    };
    Scene { columns: side, tiles: (0..side * side).map(tile).collect() }
}

/// Tiles of one size, drawn. Clones share them.
#[derive(Debug, Clone)]
pub struct Tiles {
    size: usize,
    drawn: Arc<Vec<Box<[u8]>>>,
}

impl Tiles {
    /// All that a world may show.
    pub fn all(size: usize) -> Self {
        let looks = (0..96).map(Look).filter(|look| look.is_valid());
        let facing =
            |look: Look| [None, Some(0), Some(1), Some(2), Some(3)].map(|agent| Tile { look, agent, highlighted: false });
        Self::drawn(size, looks.flat_map(facing).flat_map(|tile| [tile, Tile { highlighted: true, ..tile }]))
    }

    /// Those of a scene.
    pub fn of(size: usize, scene: &Scene) -> Self {
        Self::drawn(size, scene.tiles.iter().copied())
    }

    fn drawn(size: usize, tiles: impl Iterator<Item = Tile>) -> Self {
        let mut drawn: Vec<Box<[u8]>> = vec![Box::default(); Tile::COUNT];
        for tile in tiles {
            if drawn[tile.number()].is_empty() {
                drawn[tile.number()] = pixels(tile, size);
            }
        }
        Self { size, drawn: Arc::new(drawn) }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.drawn.iter().map(|tile| tile.len() + size_of::<Box<[u8]>>()).sum()
    }

    /// The picture of a scene: red, green, blue of each pixel, row by row.
    pub fn draw(&self, scene: &Scene, out: &mut [u8]) {
        let row = self.size * 3;
        for (band, tiles) in out.chunks_exact_mut(scene.columns * self.size * row).zip(scene.tiles.chunks_exact(scene.columns)) {
            for (line, out) in band.chunks_exact_mut(scene.columns * row).enumerate() {
                for (out, tile) in out.chunks_exact_mut(row).zip(tiles) {
                    out.copy_from_slice(&self.drawn[tile.number()][line * row..][..row]);
                }
            }
        }
    }
}

/// A tile's pixels, row by row.
fn pixels(tile: Tile, size: usize) -> Box<[u8]> {
    let side = size * POINTS;
    let mut points = vec![BLACK; side * side];
    let mut fill = |colour: Rgb, shape: Shape<'_>| {
        for (index, point) in points.iter_mut().enumerate() {
            let along = |k: usize| (k as f64 + 0.5) / side as f64;
            if shape(along(index % side), along(index / side)) {
                *point = colour;
            }
        }
    };
    let lines = [100; 3];
    fill(lines, &rectangle(0.0, 0.031, 0.0, 1.0));
    fill(lines, &rectangle(0.0, 1.0, 0.0, 0.031));
    draw_look(tile.look, &mut fill);
    if let Some(direction) = tile.agent {
        fill(AGENT, &triangle(direction));
    }
    if tile.highlighted {
        for value in points.iter_mut().flatten() {
            let level = f64::from(*value);
            *value = (level + 0.30 * (255.0 - level)) as u8;
        }
    }
    let pixel = |index: usize| {
        let (x, y, colour) = (index / 3 % size, index / 3 / size, index % 3);
        let mut sum = 0.0;
        for row in 0..POINTS {
            let first = (y * POINTS + row) * side + x * POINTS;
            sum += points[first..first + POINTS].iter().map(|point| f64::from(point[colour])).sum::<f64>() / 3.0;
        }
        (sum / 3.0) as u8
    };
    (0..size * size * 3).map(pixel).collect()
}

/// Whether a point, its coordinates from 0 to 1, belongs to it.
type Shape<'a> = &'a dyn Fn(f64, f64) -> bool;

fn draw_look(look: Look, fill: &mut dyn FnMut(Rgb, Shape<'_>)) {
    let colour = look.colour().rgb();
    let everywhere = rectangle(0.0, 1.0, 0.0, 1.0);
    match look.kind() {
        Kind::Empty => {}
        Kind::Wall | Kind::Goal => fill(colour, &everywhere),
        Kind::Floor => fill(colour.map(|level| level / 2), &rectangle(0.031, 1.0, 0.031, 1.0)),
        Kind::OpenDoor => {
            fill(colour, &rectangle(0.88, 1.0, 0.0, 1.0));
            fill(BLACK, &rectangle(0.92, 0.96, 0.04, 0.96));
        }
        Kind::LockedDoor => {
            fill(colour, &everywhere);
            fill(colour.map(|level| (0.45 * f64::from(level)) as u8), &rectangle(0.06, 0.94, 0.06, 0.94));
            fill(colour, &rectangle(0.52, 0.75, 0.50, 0.56));
        }
        Kind::ClosedDoor => {
            fill(colour, &everywhere);
            fill(BLACK, &rectangle(0.04, 0.96, 0.04, 0.96));
            fill(colour, &rectangle(0.08, 0.92, 0.08, 0.92));
            fill(BLACK, &rectangle(0.12, 0.88, 0.12, 0.88));
            fill(colour, &circle(0.75, 0.50, 0.08));
        }
        Kind::Key => {
            fill(colour, &rectangle(0.50, 0.63, 0.31, 0.88));
            fill(colour, &rectangle(0.38, 0.50, 0.59, 0.66));
            fill(colour, &rectangle(0.38, 0.50, 0.81, 0.88));
            fill(colour, &circle(0.56, 0.28, 0.190));
            fill(BLACK, &circle(0.56, 0.28, 0.064));
        }
        Kind::Ball => fill(colour, &circle(0.5, 0.5, 0.31)),
        Kind::Box => {
            fill(colour, &rectangle(0.12, 0.88, 0.12, 0.88));
            fill(BLACK, &rectangle(0.18, 0.82, 0.18, 0.82));
            fill(colour, &rectangle(0.16, 0.84, 0.47, 0.53));
        }
        Kind::Lava => {
            fill(LAVA, &everywhere);
            for wave in 0..3 {
                let (low, high) = (0.3 + 0.2 * f64::from(wave), 0.4 + 0.2 * f64::from(wave));
                for (from, to) in
                    [((0.1, low), (0.3, high)), ((0.3, high), (0.5, low)), ((0.5, low), (0.7, high)), ((0.7, high), (0.9, low))]
                {
                    fill(BLACK, &line(from, to, 0.03));
                }
            }
        }
    }
}

fn rectangle(left: f64, right: f64, top: f64, bottom: f64) -> impl Fn(f64, f64) -> bool {
    move |x, y| x >= left && x <= right && y >= top && y <= bottom
}

fn circle(x0: f64, y0: f64, radius: f64) -> impl Fn(f64, f64) -> bool {
    move |x, y| (x - x0) * (x - x0) + (y - y0) * (y - y0) <= radius * radius
}

/// A line with round ends.
fn line(from: (f64, f64), to: (f64, f64), radius: f64) -> impl Fn(f64, f64) -> bool {
    let start = (from.0 as f32, from.1 as f32);
    let way = (to.0 as f32 - start.0, to.1 as f32 - start.1);
    let length = (way.0 * way.0 + way.1 * way.1).sqrt();
    let way = (f64::from(way.0 / length), f64::from(way.1 / length));
    let (start, length) = ((f64::from(start.0), f64::from(start.1)), f64::from(length));
    let within =
        rectangle(from.0.min(to.0) - radius, from.0.max(to.0) + radius, from.1.min(to.1) - radius, from.1.max(to.1) + radius);
    move |x, y| {
        within(x, y) && {
            let along = ((x - start.0) * way.0 + (y - start.1) * way.1).clamp(0.0, length);
            let (aside, below) = (x - (start.0 + along * way.0), y - (start.1 + along * way.1));
            (aside * aside + below * below).sqrt() <= radius
        }
    }
}

/// Cosine and sine of minus so many quarter turns, as the C library rounds them.
const TURNS: [(f64, f64); 4] =
    [(1.0, 0.0), (6.123_233_995_736_766e-17, -1.0), (-1.0, -1.224_646_799_147_353_2e-16), (-1.836_970_198_721_029_7e-16, 1.0)];

/// The agent: a triangle whose tip points where it faces.
fn triangle(direction: u8) -> impl Fn(f64, f64) -> bool {
    let (a, b, c): ((f32, f32), (f32, f32), (f32, f32)) = ((0.12, 0.19), (0.87, 0.50), (0.12, 0.81));
    let v0 = (c.0 - a.0, c.1 - a.1);
    let v1 = (b.0 - a.0, b.1 - a.1);
    let dot = |p: (f32, f32), q: (f32, f32)| p.0 * q.0 + p.1 * q.1;
    let (d00, d01, d11) = (dot(v0, v0), dot(v0, v1), dot(v1, v1));
    let inverse = f64::from(1.0 / (d00 * d11 - d01 * d01));
    let [d00, d01, d11] = [d00, d01, d11].map(f64::from);
    let double = |p: (f32, f32)| (f64::from(p.0), f64::from(p.1));
    let (a, v0, v1) = (double(a), double(v0), double(v1));
    let (cosine, sine) = TURNS[usize::from(direction & 3)];
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
