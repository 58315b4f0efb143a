//! Generates a world from noise (`worldgen.py` of the package crafter).
//!
//! The package generates one cell after the other. This module first computes the noise of all cells that may need it, many
//! cells at once. Then it generates the cells in order, because their random draws share one stream.

use envpool_rs_numeric::random::RandomState;
use envpool_rs_numeric::simd::SimdLevel;

use super::{Kind, Object, Point, World};
use crate::noise::OpenSimplex;
use crate::vocabulary::Material;

/// Noise of one world, with reusable memory for coordinates and results.
struct Noise {
    simplex: OpenSimplex,
    level: SimdLevel,
    width: i32,
    height: i32,
    xs: Vec<f64>,
    ys: Vec<f64>,
}

impl Noise {
    /// Returns the noise of `cells` in layer `z`, where `scale` converts a column and a row to coordinates.
    fn sample(&mut self, cells: &[Point], z: f64, scale: impl Fn(f64, f64) -> (f64, f64)) -> Vec<f64> {
        let columns: Vec<f64> = (0..self.width).map(|x| scale(x.into(), 0.0).0).collect();
        let rows: Vec<f64> = (0..self.height).map(|y| scale(0.0, y.into()).1).collect();
        self.xs.clear();
        self.xs.extend(cells.iter().map(|cell| columns[cell.x as usize]));
        self.ys.clear();
        self.ys.extend(cells.iter().map(|cell| rows[cell.y as usize]));
        let mut noise = vec![0.0; cells.len()];
        self.simplex.noise3(self.level, &self.xs, &self.ys, z, &mut noise);
        noise
    }

    /// Returns the noise of `cells` in layer `z`, with features that are about `size` cells large.
    fn of_size(&mut self, cells: &[Point], z: f64, size: f64) -> Vec<f64> {
        self.sample(cells, z, |x, y| (x / size, y / size))
    }
}

/// Properties of a cell that noise determines, before any random number is drawn.
#[derive(Debug, Clone, Copy)]
enum Ground {
    Fixed(Material),
    /// Path in a cave, on which skeletons may be placed.
    Tunnel,
    /// Stone, or an ore if the random draw for it succeeds.
    Mountain {
        may_be_coal: bool,
        may_be_iron: bool,
        may_be_diamond: bool,
        is_lava: bool,
    },
    /// Grass, or a tree if the random draw for it succeeds.
    Grassland {
        may_be_tree: bool,
    },
}

impl World {
    /// Generates the materials and creatures of a world that contains only the player.
    pub fn generate(&mut self, player: Point, random: &mut RandomState, level: SimdLevel) {
        let area = self.area;
        let simplex = OpenSimplex::new(random.randint(0, (1 << 31) - 1));
        let mut noise = Noise { simplex, level, width: area.width, height: area.height, xs: Vec::new(), ys: Vec::new() };
        let grounds = grounds(self, player, &mut noise);
        self.set_materials(grounds.iter().map(|ground| draw_material(*ground, random)));
        let cells = (0..area.width).flat_map(|x| (0..area.height).map(move |y| Point { x, y }));
        for (pos, ground) in cells.zip(&grounds) {
            self.draw_object(pos, player, matches!(ground, Ground::Tunnel), random);
        }
    }

    /// Adds a creature to the cell `pos` with a probability that depends on its material and its distance from the player.
    fn draw_object(&mut self, pos: Point, player: Point, is_tunnel: bool, random: &mut RandomState) {
        let material = self.cells[self.area.index(pos)];
        if !material.is_walkable() {
            return;
        }
        let offset = pos - player;
        let square = offset.x * offset.x + offset.y * offset.y;
        if square > 3 * 3 && material == Material::Grass && random.random_sample() > 0.985 {
            self.add(Object::new(Kind::Cow, pos));
        } else if square > 10 * 10 && random.random_sample() > 0.993 {
            self.add(Object::zombie(pos));
        } else if material == Material::Path && is_tunnel && random.random_sample() > 0.95 {
            self.add(Object::skeleton(pos));
        }
    }
}

/// Returns the material of a cell with the given ground, drawing random numbers if the ground leaves a choice.
fn draw_material(ground: Ground, random: &mut RandomState) -> Material {
    match ground {
        Ground::Fixed(material) => material,
        Ground::Tunnel => Material::Path,
        Ground::Mountain { may_be_coal: true, .. } if random.random_sample() > 0.85 => Material::Coal,
        Ground::Mountain { may_be_iron: true, .. } if random.random_sample() > 0.75 => Material::Iron,
        Ground::Mountain { may_be_diamond: true, .. } if random.random_sample() > 0.994 => Material::Diamond,
        Ground::Mountain { is_lava: true, .. } => Material::Lava,
        Ground::Mountain { .. } => Material::Stone,
        Ground::Grassland { may_be_tree: true } if random.random_sample() > 0.8 => Material::Tree,
        Ground::Grassland { .. } => Material::Grass,
    }
}

/// List of cells with the same kind of landscape (water, sand, mountain or grassland): their positions, and their indices in
/// the world.
#[derive(Default)]
struct CellList {
    indices: Vec<usize>,
    cells: Vec<Point>,
}

impl CellList {
    fn push(&mut self, index: usize, cell: Point) {
        self.indices.push(index);
        self.cells.push(cell);
    }

    /// Removes the cells for which `keep` returns false. The arguments of `keep` are a cell's position in this list and the
    /// cell's index in the world.
    fn retain(&mut self, mut keep: impl FnMut(usize, usize) -> bool) {
        let mut remaining = 0;
        for rank in 0..self.indices.len() {
            if keep(rank, self.indices[rank]) {
                self.indices[remaining] = self.indices[rank];
                self.cells[remaining] = self.cells[rank];
                remaining += 1;
            }
        }
        self.indices.truncate(remaining);
        self.cells.truncate(remaining);
    }
}

/// Returns the ground of all cells, which depends only on the noise and not on random draws.
fn grounds(world: &World, player: Point, noise: &mut Noise) -> Vec<Ground> {
    let area = world.area;
    let all: Vec<_> = (0..area.width).flat_map(|x| (0..area.height).map(move |y| Point { x, y })).collect();
    let mut grounds = vec![Ground::Fixed(Material::Grass); all.len()];
    let (mut outer, mut starts) = (CellList::default(), Vec::new());
    for (index, (cell, near)) in all.iter().zip(noise.of_size(&all, 8.0, 3.0)).enumerate() {
        let start = start_weight(*cell - player, near);
        if start <= 0.5 {
            outer.push(index, *cell);
            starts.push(start);
        }
    }
    let waters = [noise.of_size(&outer.cells, 3.0, 15.0), noise.of_size(&outer.cells, 3.0, 5.0)];
    let mountains = [noise.of_size(&outer.cells, 0.0, 15.0), noise.of_size(&outer.cells, 0.0, 5.0)];
    let (mut mountain_cells, mut shores, mut plains) = (CellList::default(), CellList::default(), CellList::default());
    let mut heights = vec![0.0; all.len()];
    for (rank, (index, cell)) in outer.indices.iter().zip(&outer.cells).enumerate() {
        let start = starts[rank];
        let water = waters[0][rank] + 0.15 * waters[1][rank] + 0.1 - 2.0 * start;
        let mountain = (mountains[0][rank] + 0.3 * mountains[1][rank]) / 1.3 - (4.0 * start + 0.3 * water);
        heights[*index] = mountain;
        if mountain > 0.15 {
            mountain_cells.push(*index, *cell);
        } else if 0.25 < water && water <= 0.35 {
            // A cell at the shore that does not become sand becomes water if its noise is above 0.3, and otherwise grassland.
            grounds[*index] = Ground::Fixed(if 0.3 < water { Material::Water } else { Material::None });
            shores.push(*index, *cell);
        } else if 0.3 < water {
            grounds[*index] = Ground::Fixed(Material::Water);
        } else {
            plains.push(*index, *cell);
        }
    }
    let sand = noise.of_size(&shores.cells, 4.0, 9.0);
    for (rank, (index, cell)) in shores.indices.iter().zip(&shores.cells).enumerate() {
        if sand[rank] > -0.2 {
            grounds[*index] = Ground::Fixed(Material::Sand);
        } else if matches!(grounds[*index], Ground::Fixed(Material::None)) {
            plains.push(*index, *cell);
        }
    }
    let trees = noise.of_size(&plains.cells, 5.0, 7.0);
    for (index, tree) in plains.indices.iter().zip(trees) {
        grounds[*index] = Ground::Grassland { may_be_tree: tree > 0.0 };
    }
    decide_mountains(&mut grounds, mountain_cells, &heights, noise);
    grounds
}

/// Returns the weight of a cell (`start` in the package crafter), which is nearly 1 around the player's start cell and nearly 0
/// far away from it.
fn start_weight(offset: Point, noise: f64) -> f64 {
    let square = offset.x * offset.x + offset.y * offset.y;
    let start = 4.0 - f64::from(square).sqrt() + 2.0 * noise;
    1.0 / (1.0 + (-start).exp())
}

/// Sets the ground of mountain cells: caves, tunnels, ores, lava or stone.
fn decide_mountains(grounds: &mut [Ground], mut cells: CellList, heights: &[f64], noise: &mut Noise) {
    let mut peaks = CellList::default();
    for (index, cell) in cells.indices.iter().zip(&cells.cells) {
        if heights[*index] > 0.3 {
            peaks.push(*index, *cell);
        }
    }
    for (index, cave) in peaks.indices.iter().zip(noise.of_size(&peaks.cells, 6.0, 7.0)) {
        if cave > 0.15 {
            grounds[*index] = Ground::Fixed(Material::Path);
        }
    }
    let is_path = |grounds: &[Ground], index: usize| matches!(grounds[index], Ground::Fixed(Material::Path));
    cells.retain(|_, index| !is_path(grounds, index));
    for is_horizontal in [true, false] {
        let tunnels = noise.sample(&cells.cells, 7.0, |x, y| match is_horizontal {
            true => (2.0 * x / 3.0, y / 5.0 / 3.0),
            false => (x / 5.0 / 3.0, 2.0 * y / 3.0),
        });
        cells.retain(|rank, index| {
            if tunnels[rank] > 0.4 {
                grounds[index] = Ground::Tunnel;
            }
            tunnels[rank] <= 0.4
        });
    }
    let coal = noise.of_size(&cells.cells, 1.0, 8.0);
    let iron = noise.of_size(&cells.cells, 2.0, 6.0);
    for (rank, index) in cells.indices.iter().enumerate() {
        let height = heights[*index];
        grounds[*index] = Ground::Mountain {
            may_be_coal: coal[rank] > 0.0,
            may_be_iron: iron[rank] > 0.4,
            may_be_diamond: height > 0.18,
            is_lava: false,
        };
    }
    cells.retain(|_, index| heights[index] > 0.3);
    for (index, heat) in cells.indices.iter().zip(noise.of_size(&cells.cells, 6.0, 5.0)) {
        if let Ground::Mountain { is_lava, .. } = &mut grounds[*index] {
            *is_lava = heat > 0.35;
        }
    }
}
