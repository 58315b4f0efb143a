//! Renders the pictures of a game.

use std::sync::Arc;

use envpool_rs_numeric::random::RandomState;
use envpool_rs_numeric::simd::SimdLevel;

use super::layout::Layout;
use super::light::{BLOCK, ByteBlock, Day, FloatBlock, Light, NOISE_DAYLIGHT, Night};
use super::texture::TextureSet;
use super::tiles::{TILES, VARIANTS, cell_tiles, item_tiles, variant};
use crate::rules::Game;
use crate::vocabulary::{ITEMS, Inventory};
use crate::world::Point;

/// Renderer of pictures that have one layout. Clones share the tiles.
#[derive(Debug, Clone)]
pub struct PictureRenderer {
    layout: Layout,
    level: SimdLevel,
    tables: Arc<Tables>,
}

/// Tiles and other tables of a layout, which are computed once for all pictures.
#[derive(Debug)]
struct Tables {
    /// Red, green and blue planes of each tile of a cell. Each plane starts with a new block.
    cell_tiles: Vec<ByteBlock>,
    /// Red, green and blue of each pixel of the items' tiles.
    item_tiles: Vec<u8>,
    /// Strength of the noise at each pixel of the cells, in blocks. Each row of pixels starts with a new block.
    vignette: Vec<FloatBlock>,
}

/// Working memory for rendering, one per thread.
#[derive(Debug)]
pub struct Scratch {
    /// Number of the tile in each cell, row by row.
    tiles: Vec<usize>,
    /// Index of each tile in `lit`, plus 1; 0 for tiles that are not in the picture.
    lit_indices: [u16; TILES],
    /// Red, green and blue of each pixel of the tiles in the picture, after the light has been applied.
    lit: Vec<u8>,
    /// Random numbers of the noise, in the order in which they are drawn: column by column.
    drawn: Vec<f64>,
    /// Random numbers of the noise, row by row in blocks. Each row of pixels starts with a new block.
    noise: Vec<FloatBlock>,
    /// Red, green and blue planes of a row of pixels before the light is applied.
    row: [Vec<ByteBlock>; 3],
}

impl PictureRenderer {
    /// Creates a renderer, and draws the tiles of its layout.
    pub fn new(textures: &TextureSet, layout: Layout, level: SimdLevel) -> Self {
        let tables = Tables {
            cell_tiles: cell_tiles(textures, &layout),
            item_tiles: item_tiles(textures, &layout),
            vignette: vignette(layout.view_pixels()),
        };
        Self { layout, level, tables: Arc::new(tables) }
    }

    /// Returns the layout of the pictures.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the heap memory of the tiles in bytes.
    pub fn heap_bytes(&self) -> usize {
        let floats = size_of_val(self.tables.vignette.as_slice());
        size_of_val(self.tables.cell_tiles.as_slice()) + self.tables.item_tiles.len() + floats
    }

    /// Creates working memory for one thread.
    pub fn scratch(&self) -> Scratch {
        let cells = self.layout.grid[0] * self.layout.grid[1];
        let [width, height] = self.layout.view_pixels();
        let blocks = width.div_ceil(BLOCK);
        let plane = || vec![[0; BLOCK]; blocks];
        Scratch {
            tiles: vec![0; cells],
            lit_indices: [0; TILES],
            lit: vec![0; cells.min(TILES) * 3 * self.layout.unit_pixels()],
            drawn: vec![0.0; width * height],
            noise: vec![[0.0; BLOCK]; blocks * height],
            row: [plane(), plane(), plane()],
        }
    }

    /// Returns the size of one thread's working memory in bytes.
    pub fn scratch_bytes(&self) -> usize {
        let Scratch { tiles, lit, drawn, noise, row, .. } = self.scratch();
        let row: usize = row.iter().map(|plane| size_of_val(plane.as_slice())).sum();
        size_of::<Scratch>()
            + size_of_val(tiles.as_slice())
            + lit.len()
            + size_of_val(drawn.as_slice())
            + size_of_val(noise.as_slice())
            + row
    }

    /// Renders the cells into `picture`; at night, the noise is drawn from `random`.
    ///
    /// # Panics
    /// If the length of `picture` differs from [`Layout::bytes`].
    pub fn render_cells(&self, game: &Game, random: &mut RandomState, scratch: &mut Scratch, picture: &mut [u8]) {
        assert_eq!(picture.len(), self.layout.bytes(), "a picture of another size");
        self.find_tiles(game, &mut scratch.tiles);
        let light = Light { daylight: game.daylight(), is_sleeping: game.is_sleeping() };
        if light.daylight < NOISE_DAYLIGHT {
            self.render_night(light, random, scratch, picture);
        } else {
            self.render_day(light, scratch, picture);
        }
    }

    /// Finds the number of the tile for each cell.
    fn find_tiles(&self, game: &Game, tiles: &mut [usize]) {
        let [columns, rows] = self.layout.grid.map(|cells| cells as i32);
        let corner = game.player_pos() - Point { x: columns / 2, y: rows / 2 };
        let world = game.world();
        for (row, tiles) in tiles.chunks_exact_mut(columns as usize).enumerate() {
            for (column, tile) in tiles.iter_mut().enumerate() {
                let pos = corner + Point { x: column as i32, y: row as i32 };
                let sprite = |number| variant(world.object(number).kind, game.facing(), game.is_sleeping());
                *tile = world.material(pos) as usize * VARIANTS + world.occupant(pos).map_or(0, sprite);
            }
        }
    }

    /// Returns the red, green and blue planes of a tile.
    fn tile_planes(&self, tile: usize) -> [&[ByteBlock]; 3] {
        let blocks = self.layout.unit_pixels().div_ceil(BLOCK);
        let planes = &self.tables.cell_tiles[tile * 3 * blocks..][..3 * blocks];
        [&planes[..blocks], &planes[blocks..2 * blocks], &planes[2 * blocks..]]
    }

    /// Computes the light of each tile in the picture once, and copies the result to all cells that have this tile.
    fn render_day(&self, light: Light, scratch: &mut Scratch, picture: &mut [u8]) {
        let bytes = 3 * self.layout.unit_pixels();
        let Scratch { tiles, lit_indices, lit, .. } = scratch;
        let mut count = 0;
        for tile in tiles.iter_mut() {
            if lit_indices[*tile] == 0 {
                let out = &mut lit[count * bytes..][..bytes];
                self.level.run(Day { light, colors: self.tile_planes(*tile), out });
                count += 1;
                lit_indices[*tile] = count as u16;
            }
        }
        for tile in tiles.iter_mut() {
            *tile = usize::from(lit_indices[*tile]) - 1;
        }
        lit_indices.fill(0);
        let (columns, [unit_x, unit_y]) = (self.layout.grid[0], self.layout.unit);
        for (row, lit_indices) in tiles.chunks_exact(columns).enumerate() {
            for y in 0..unit_y {
                let out = self.row_of(picture, row * unit_y + y);
                for (out, lit_index) in out.chunks_exact_mut(3 * unit_x).zip(lit_indices) {
                    copy_row::<21>(out, &lit[lit_index * bytes + y * 3 * unit_x..][..3 * unit_x]);
                }
            }
        }
    }

    /// Computes the light of all pixels with noise, row by row.
    fn render_night(&self, light: Light, random: &mut RandomState, scratch: &mut Scratch, picture: &mut [u8]) {
        let [width, height] = self.layout.view_pixels();
        let (columns, [unit_x, unit_y]) = (self.layout.grid[0], self.layout.unit);
        let blocks = width.div_ceil(BLOCK);
        let Scratch { tiles, drawn, noise, row, .. } = scratch;
        random.fill_random_sample(drawn);
        // The package crafter draws the random numbers of the noise column by column.
        let noise_rows = noise.as_flattened_mut();
        for (x, column) in drawn.chunks_exact(height).enumerate() {
            for (y, number) in column.iter().enumerate() {
                noise_rows[y * blocks * BLOCK + x] = *number;
            }
        }
        for y in 0..height {
            let tiles = &tiles[y / unit_y * columns..][..columns];
            for (column, tile) in tiles.iter().enumerate() {
                for (plane, colors) in row.iter_mut().zip(self.tile_planes(*tile)) {
                    let out = &mut plane.as_flattened_mut()[column * unit_x..][..unit_x];
                    copy_row::<7>(out, &colors.as_flattened()[y % unit_y * unit_x..][..unit_x]);
                }
            }
            let colors = [row[0].as_slice(), row[1].as_slice(), row[2].as_slice()];
            let (noise, vignette) = (&noise[y * blocks..][..blocks], &self.tables.vignette[y * blocks..][..blocks]);
            let out = self.row_of(picture, y);
            self.level.run(Night { light, colors, noise, vignette, out });
        }
    }

    /// Renders the items into `picture`.
    ///
    /// # Panics
    /// If the length of `picture` differs from [`Layout::bytes`].
    pub fn render_items(&self, inventory: &Inventory, picture: &mut [u8]) {
        assert_eq!(picture.len(), self.layout.bytes(), "a picture of another size");
        let (columns, [unit_x, unit_y]) = (self.layout.grid[0], self.layout.unit);
        let first_row = self.layout.view_pixels()[1];
        for (index, amount) in inventory.0.iter().enumerate() {
            let amounts = Inventory::MAX as usize + 1;
            let tile = index * amounts + (*amount).clamp(0, Inventory::MAX) as usize;
            let tile = &self.tables.item_tiles[tile * 3 * unit_x * unit_y..][..3 * unit_x * unit_y];
            for (y, from) in tile.chunks_exact(3 * unit_x).enumerate() {
                let out = self.row_of(picture, first_row + index / columns * unit_y + y);
                copy_row::<21>(&mut out[index % columns * 3 * unit_x..][..3 * unit_x], from);
            }
        }
        debug_assert_eq!(self.tables.item_tiles.len(), ITEMS.len() * (Inventory::MAX as usize + 1) * 3 * unit_x * unit_y);
    }

    /// Returns the pixels of all cells in row `y` of pixels, without the border.
    fn row_of<'a>(&self, picture: &'a mut [u8], y: usize) -> &'a mut [u8] {
        let Layout { size, border, .. } = self.layout;
        &mut picture[((border[1] + y) * size[0] + border[0]) * 3..][..3 * self.layout.view_pixels()[0]]
    }
}

/// Copies a row of bytes whose length usually is `COMMON`.
///
/// The compiler turns a copy of constant length into a few instructions instead of a call.
#[inline(always)]
fn copy_row<const COMMON: usize>(to: &mut [u8], from: &[u8]) {
    match (<&mut [u8; COMMON]>::try_from(&mut *to), <&[u8; COMMON]>::try_from(from)) {
        (Ok(to), Ok(from)) => *to = *from,
        _ => to.copy_from_slice(from),
    }
}

/// Returns the strength of the noise at each pixel, in blocks. It is 0 in the middle of the picture.
fn vignette([width, height]: [usize; 2]) -> Vec<FloatBlock> {
    const DEVIATION: f64 = 0.5;
    // `line` returns the elements of `numpy.linspace(-1, 1, count)`.
    let line = |index: usize, count: usize| match index {
        0 => -1.0,
        _ if index == count - 1 => 1.0,
        _ => index as f64 * (2.0 / (count - 1) as f64) - 1.0,
    };
    let strength = |x: usize, y: usize| {
        let (x, y) = (line(x, width), line(y, height));
        1.0 - (-0.5 * (x * x + y * y) / (DEVIATION * DEVIATION)).exp()
    };
    let block = |y: usize, block: usize| {
        std::array::from_fn(|pixel| Some(block * BLOCK + pixel).filter(|x| *x < width).map_or(0.0, |x| strength(x, y)))
    };
    (0..height).flat_map(|y| (0..width.div_ceil(BLOCK)).map(move |index| block(y, index))).collect()
}
