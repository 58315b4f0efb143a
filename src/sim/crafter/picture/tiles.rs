//! Draws the tiles of pictures: every material with every object on it, and every item with every number.

use super::layout::Layout;
use super::light::{BLOCK, ByteBlock};
use super::texture::{DIGITS, SPRITES, Texture, TextureSet};
use crate::vocabulary::{ITEMS, MATERIALS, Material};
use crate::world::{Direction, Kind};

/// Gray value of cells outside of the world's area.
const OUTSIDE: u8 = 127;

/// Number of tiles per material: the material alone, and the material with each object on it.
pub(super) const VARIANTS: usize = SPRITES.len() + 1;

/// Number of different tiles for cells: each material alone, and with each object on it.
pub(super) const TILES: usize = Material::COUNT * VARIANTS;

/// Returns the number of an object's tile among the tiles of one material. The number 0 belongs to the tile without an object.
#[inline]
pub(super) fn variant(kind: Kind, facing: Direction, is_sleeping: bool) -> usize {
    match kind {
        Kind::Player if is_sleeping => 1,
        Kind::Player => 2 + facing as usize,
        Kind::Cow => 6,
        Kind::Zombie { .. } => 7,
        Kind::Skeleton { .. } => 8,
        Kind::Arrow { facing } => 9 + facing as usize,
        Kind::Plant { .. } => 13 + usize::from(kind.is_ripe()),
    }
}

/// Rectangle of pixels, stored row by row, on which a tile is drawn.
struct Canvas {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    /// Draws a texture at a position: blended with float32 arithmetic if it has transparent pixels, otherwise copied.
    fn draw(&mut self, texture: &Texture, at: [usize; 2], size: [usize; 2]) {
        for (index, [red, green, blue, alpha]) in texture.resized(size).into_iter().enumerate() {
            let (x, y) = (at[0] + index % size[0], at[1] + index / size[0]);
            let target = &mut self.pixels[y * self.width + x];
            for (target, source) in target.iter_mut().zip([red, green, blue]) {
                *target = if texture.has_alpha { blend(source, alpha, *target) } else { source };
            }
        }
    }
}

fn blend(source: u8, alpha: u8, target: u8) -> u8 {
    let [source, alpha, target] = [source, alpha, target].map(|byte| f32::from(byte) / 255.0);
    (255.0 * (alpha * source + (1.0 - alpha) * target)) as u8
}

/// Draws the tiles for cells. Each tile holds the red of all its pixels, then the green, then the blue, each in blocks.
pub(super) fn cell_tiles(textures: &TextureSet, layout: &Layout) -> Vec<ByteBlock> {
    let mut blocks = Vec::with_capacity(TILES * 3 * layout.unit_pixels().div_ceil(BLOCK));
    for material in 0..Material::COUNT {
        for variant in 0..VARIANTS {
            let mut canvas = Canvas { width: layout.unit[0], pixels: vec![[OUTSIDE; 3]; layout.unit_pixels()] };
            if let Some(name) = material.checked_sub(1).map(|index| MATERIALS[index]) {
                // As in the package crafter, the transparent pixels of materials are drawn as if they were opaque.
                let opaque = textures.get(name).resized(layout.unit);
                canvas.pixels = opaque.into_iter().map(|[red, green, blue, _]| [red, green, blue]).collect();
            }
            if let Some(name) = variant.checked_sub(1).map(|index| SPRITES[index]) {
                canvas.draw(textures.get(name), [0, 0], layout.unit);
            }
            let planes = (0..3).flat_map(|channel| canvas.pixels.chunks(BLOCK).map(move |pixels| plane_block(pixels, channel)));
            blocks.extend(planes);
        }
    }
    blocks
}

fn plane_block(pixels: &[[u8; 3]], channel: usize) -> ByteBlock {
    std::array::from_fn(|pixel| pixels.get(pixel).map_or(0, |pixel| pixel[channel]))
}

/// Draws the tiles for items: for each item with each number, starting at 0, the red, green and blue of each pixel.
pub(super) fn item_tiles(textures: &TextureSet, layout: &Layout) -> Vec<u8> {
    let mut tiles = Vec::new();
    for (index, item) in ITEMS.into_iter().enumerate() {
        let cell = [index % layout.grid[0], index / layout.grid[0]];
        // The closure `inside` returns the position of an item's picture or number inside of its cell. The package crafter
        // truncates the position in the picture to an integer.
        let inside = |axis: usize, share: f64| {
            let unit = layout.unit[axis] as f64;
            let start = cell[axis] as f64 * unit;
            (start + share * unit) as usize - start as usize
        };
        let size = |axis: usize, share: f64| (share * layout.unit[axis] as f64) as usize;
        let pair = |number: &dyn Fn(usize) -> usize| [number(0), number(1)];
        for amount in 0..=DIGITS.len() {
            let mut canvas = Canvas { width: layout.unit[0], pixels: vec![[0; 3]; layout.unit_pixels()] };
            if let Some(digit) = amount.checked_sub(1).map(|index| DIGITS[index]) {
                canvas.draw(textures.get(item), pair(&|axis| inside(axis, 0.1)), pair(&|axis| size(axis, 0.8)));
                canvas.draw(textures.get(digit), pair(&|axis| inside(axis, 0.4)), pair(&|axis| size(axis, 0.6)));
            }
            tiles.extend(canvas.pixels.into_iter().flatten());
        }
    }
    tiles
}
