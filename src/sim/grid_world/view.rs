//! The agent's partial view: a square of cells ahead of the agent, and a mask of the visible cells.

use super::{cell::Cell, grid::Point, world::World};

/// Maximum width and height of a view, in cells.
pub const MAX_VIEW_SIZE: usize = 31;

/// The agent's view: a square of cells. The cell `(i, j)` is in column `i`, counted to the right, and in row `j`, counted
/// towards the agent.
///
/// The agent stands in the middle of the last row.
#[derive(Debug, Clone)]
pub struct View {
    side: usize,
    cells: [Cell; MAX_VIEW_SIZE * MAX_VIEW_SIZE],
    /// Bit mask of the visible cells, for each row.
    vis_mask: [u32; MAX_VIEW_SIZE],
}

impl View {
    /// Returns the width and height of the view in cells.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the cell `(i, j)` of the view, whether it is visible or not.
    pub fn get(&self, i: usize, j: usize) -> Cell {
        self.cells[j * self.side + i]
    }

    /// Returns whether the cell `(i, j)` of the view is visible.
    pub fn is_visible(&self, i: usize, j: usize) -> bool {
        self.vis_mask[j] >> i & 1 == 1
    }
}

/// Returns the position in the world of the view's first cell, and the vectors from a cell to the next cell on the right and to
/// the next cell below.
fn view_frame(world: &World, side: usize) -> (Point, Point, Point) {
    let ahead = world.agent.dir_vec();
    let right = ahead.rotate_right();
    let first = world.agent.pos + ahead * (side as i32 - 1) - right * (side as i32 / 2);
    (first, right, ahead * -1)
}

/// Returns the position in the world of the cell `(i, j)` of the agent's view.
pub fn view_to_world(world: &World, side: usize, i: usize, j: usize) -> Point {
    let (first, right, down) = view_frame(world, side);
    first + right * i as i32 + down * j as i32
}

/// Collects the cells of the view, row by row starting with the farthest row, and a visibility bit for each cell (minigrid's
/// `gen_obs_grid`).
///
/// The function `convert` converts each cell to an element of `cells`.
#[inline(always)]
fn gen_obs_grid<T>(
    world: &World,
    side: usize,
    see_through_walls: bool,
    convert: impl Fn(Cell) -> T,
    cells: &mut [T],
    visible: &mut [u32],
) {
    let (first, right, down) = view_frame(world, side);
    let stride = world.grid.stride();
    let (to_right, to_next) = ((right.y * stride + right.x) as isize, (down.y * stride + down.x) as isize);
    let grid_cells = world.grid.cells();
    let mut row = world.grid.offset(first) as isize;
    for (cells, visible) in cells.chunks_exact_mut(side).zip(visible.iter_mut()) {
        let mut offset = row;
        let mut transparent = 0;
        for (i, out) in cells.iter_mut().enumerate() {
            let cell = grid_cells[offset as usize];
            *out = convert(cell);
            transparent |= (1 ^ (cell.packed() >> 24)) << i;
            offset += to_right;
        }
        *visible = transparent;
        row += to_next;
    }
    if see_through_walls {
        visible[..side].fill(u32::MAX >> (32 - side));
    } else {
        process_vis(side, visible);
    }
    cells[side * side - 1 - side / 2] = convert(world.carrying_cell());
}

/// Replaces the mask of transparent cells of each row by the mask of visible cells (minigrid's `process_vis`).
///
/// Processing starts with the agent's row, in each row first to the right, then to the left. A visible transparent cell makes
/// three cells visible: its neighbour in this direction, the cell ahead of the transparent cell, and the cell ahead of the
/// neighbour.
#[inline(always)]
fn process_vis(side: usize, rows: &mut [u32]) {
    let all = u32::MAX >> (32 - side);
    let mut seen = 1 << (side / 2);
    for row in rows[..side].iter_mut().rev() {
        let transparent = *row;
        // Visibility spreads to the right like the carry of a binary addition, which runs through transparent cells and ends in
        // the first opaque cell.
        let passable = transparent & (all >> 1);
        seen |= passable ^ (passable + (seen & passable));
        let ahead = seen & passable;
        let mut next = ahead | ahead << 1;
        // Visibility spreads to the left by shifts of the bit mask by 1, 2, 4, ... cells.
        let passable = transparent & (all & !1);
        let (mut mask, mut step) = (passable, 1);
        while step < side {
            seen |= (seen & mask) >> step;
            mask &= mask << step;
            step *= 2;
        }
        let ahead = seen & passable;
        next |= ahead | ahead >> 1;
        *row = seen;
        seen = next;
    }
}

/// Returns the agent's view of the world.
pub fn view(world: &World, side: usize, see_through_walls: bool) -> View {
    let mut view = View { side, cells: [Cell::EMPTY; MAX_VIEW_SIZE * MAX_VIEW_SIZE], vis_mask: [0; MAX_VIEW_SIZE] };
    gen_obs_grid(world, side, see_through_walls, |cell| cell, &mut view.cells[..side * side], &mut view.vis_mask[..side]);
    view
}

/// Writes the image of an observation: three bytes per cell, column by column; the bytes of invisible cells are zero.
///
/// BabyAI may let the agent pick up an object after the first observation of an episode. The first observation still contains
/// the object on the grid.
#[inline]
pub fn image(world: &World, side: usize, see_through_walls: bool, out: &mut [u8]) {
    if world.picked_up_after_first_obs != 0 {
        return image(&world.as_first_observed(), side, see_through_walls, out);
    }
    match side {
        // The default view size of 7 has a separate call, so that the compiler sees loops of constant length.
        7 => encode_view(world, 7, see_through_walls, &mut [0; 49], &mut [0; 7], &mut [0; 49 * 3 + 1], out),
        _ => {
            const CELLS: usize = MAX_VIEW_SIZE * MAX_VIEW_SIZE;
            encode_view(
                world,
                side,
                see_through_walls,
                &mut [0; CELLS][..side * side],
                &mut [0; MAX_VIEW_SIZE],
                &mut [0; CELLS * 3 + 1],
                out,
            );
        }
    }
}

/// Writes the image through a buffer with one spare byte. Each cell is stored as a word of four bytes, of which the next cell
/// overwrites the last byte.
#[inline(always)]
fn encode_view(
    world: &World,
    side: usize,
    see_through_walls: bool,
    codes: &mut [u32],
    visible: &mut [u32],
    buffer: &mut [u8],
    out: &mut [u8],
) {
    gen_obs_grid(world, side, see_through_walls, Cell::packed, codes, visible);
    for i in 0..side {
        for j in 0..side {
            let code = codes[j * side + i] & 0_u32.wrapping_sub(visible[j] >> i & 1);
            let offset = (i * side + j) * 3;
            buffer[offset..offset + 4].copy_from_slice(&code.to_le_bytes());
        }
    }
    out[..side * side * 3].copy_from_slice(&buffer[..side * side * 3]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_numeric::random::Generator;

    /// Returns masks of the visible cells, computed with loops over cells as in minigrid.
    fn process_vis_by_loops(side: usize, transparent: &[u32]) -> Vec<u32> {
        let mut seen = vec![0_u32; side];
        seen[side - 1] = 1 << (side / 2);
        let is = |bits: u32, i: usize| bits >> i & 1 == 1;
        for j in (0..side).rev() {
            for i in 0..side - 1 {
                if is(seen[j], i) && is(transparent[j], i) {
                    seen[j] |= 1 << (i + 1);
                    if j > 0 {
                        seen[j - 1] |= 3 << i;
                    }
                }
            }
            for i in (1..side).rev() {
                if is(seen[j], i) && is(transparent[j], i) {
                    seen[j] |= 1 << (i - 1);
                    if j > 0 {
                        seen[j - 1] |= 3 << (i - 1);
                    }
                }
            }
        }
        seen
    }

    #[test]
    fn visibility_equals_that_of_minigrids_loops() {
        let mut random = Generator::new(5);
        for side in [3, 5, 7, 9, 13, 31] {
            for walls in [0.1, 0.3, 0.6] {
                for _ in 0..2000 {
                    let transparent: Vec<u32> =
                        (0..side).map(|_| (0..side).map(|i| u32::from(random.random() > walls) << i).sum()).collect();
                    let mut rows = transparent.clone();
                    process_vis(side, &mut rows);
                    assert_eq!(rows, process_vis_by_loops(side, &transparent), "{side} {transparent:?}");
                }
            }
        }
    }
}
