//! What the agent sees: a square of cells ahead of it, as far as nothing stands in the way.

use super::{grid::Point, look::Look, world::World};

/// Longest side of a view.
pub const MOST_SEEN: usize = 31;

/// A view: cell `(i, j)`, `i` to the right and `j` towards the agent, who stands in the middle of the last row.
#[derive(Debug, Clone)]
pub struct View {
    side: usize,
    looks: [Look; MOST_SEEN * MOST_SEEN],
    /// For each row, a bit for each cell that can be seen.
    visible: [u32; MOST_SEEN],
}

impl View {
    /// Cells on each side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// What is in a cell. Of what cannot be seen, what is there all the same.
    pub fn look(&self, i: usize, j: usize) -> Look {
        self.looks[j * self.side + i]
    }

    /// Whether a cell can be seen.
    pub fn is_visible(&self, i: usize, j: usize) -> bool {
        self.visible[j] >> i & 1 == 1
    }
}

/// The cells of the world that a view begins with, and the ways to the next ones to the right and down.
fn frame(world: &World, side: usize) -> (Point, Point, Point) {
    let ahead = world.agent.ahead();
    let right = ahead.turned_right();
    let first = world.agent.place + ahead * (side as i32 - 1) - right * (side as i32 / 2);
    (first, right, ahead * -1)
}

/// The cell of the world that cell `(i, j)` of a view shows.
pub fn cell_in_world(world: &World, side: usize, i: usize, j: usize) -> Point {
    let (first, right, down) = frame(world, side);
    first + right * i as i32 + down * j as i32
}

/// Takes in the cells ahead, row by row from the farthest, as what `taken` makes of each; and for each row a bit for each cell that
/// can be seen.
#[inline(always)]
fn look_ahead<T>(
    world: &World,
    side: usize,
    through_walls: bool,
    taken: impl Fn(Look) -> T,
    cells: &mut [T],
    visible: &mut [u32],
) {
    let (first, right, down) = frame(world, side);
    let stride = world.grid.stride();
    let (to_right, to_next) = ((right.y * stride + right.x) as isize, (down.y * stride + down.x) as isize);
    let looks = world.grid.looks();
    let mut row = world.grid.place(first) as isize;
    for (cells, visible) in cells.chunks_exact_mut(side).zip(visible.iter_mut()) {
        let mut place = row;
        let mut clear = 0;
        for (i, cell) in cells.iter_mut().enumerate() {
            let look = looks[place as usize];
            *cell = taken(look);
            clear |= (1 ^ (look.code() >> 24)) << i;
            place += to_right;
        }
        *visible = clear;
        row += to_next;
    }
    if through_walls {
        visible[..side].fill(u32::MAX >> (32 - side));
    } else {
        spread(side, visible);
    }
    cells[side * side - 1 - side / 2] = taken(world.carried_look());
}

/// Makes of the cells of each row that can be seen through those that can be seen, as MiniGrid does: row by row from the agent
/// on, first to the right, then to the left, each clear cell that is seen shows its neighbour and the two ahead of both.
#[inline(always)]
fn spread(side: usize, rows: &mut [u32]) {
    let all = u32::MAX >> (32 - side);
    let mut seen = 1 << (side / 2);
    for row in rows[..side].iter_mut().rev() {
        let clear = *row;
        // To the right: what is seen runs as a carry through clear cells, and ends in the first that is not.
        let passing = clear & (all >> 1);
        seen |= passing ^ (passing + (seen & passing));
        let ahead = seen & passing;
        let mut next = ahead | ahead << 1;
        // To the left: in steps of 1, 2, 4, ... cells.
        let passing = clear & (all & !1);
        let (mut way, mut step) = (passing, 1);
        while step < side {
            seen |= (seen & way) >> step;
            way &= way << step;
            step *= 2;
        }
        let ahead = seen & passing;
        next |= ahead | ahead >> 1;
        *row = seen;
        seen = next;
    }
}

/// What the agent sees.
pub fn view(world: &World, side: usize, through_walls: bool) -> View {
    let mut view = View { side, looks: [Look::EMPTY; MOST_SEEN * MOST_SEEN], visible: [0; MOST_SEEN] };
    look_ahead(world, side, through_walls, |look| look, &mut view.looks[..side * side], &mut view.visible[..side]);
    view
}

/// The picture of an observation: three bytes for each cell, column by column; zeros for what cannot be seen. The first one of an
/// episode does not show yet that something was taken up.
#[inline]
pub fn image(world: &World, side: usize, through_walls: bool, out: &mut [u8]) {
    if world.taken_late != 0 {
        return image(&world.as_first_seen(), side, through_walls, out);
    }
    match side {
        // Nearly everyone's: with loops of known length.
        7 => encode(world, 7, through_walls, &mut [0; 49], &mut [0; 7], &mut [0; 49 * 3 + 1], out),
        _ => {
            const CELLS: usize = MOST_SEEN * MOST_SEEN;
            encode(world, side, through_walls, &mut [0; CELLS][..side * side], &mut [0; MOST_SEEN], &mut [0; CELLS * 3 + 1], out);
        }
    }
}

/// Writes the picture by way of a buffer that is a byte longer, so that each cell is one word, of which the next takes the last byte.
#[inline(always)]
fn encode(
    world: &World,
    side: usize,
    through_walls: bool,
    codes: &mut [u32],
    visible: &mut [u32],
    buffer: &mut [u8],
    out: &mut [u8],
) {
    look_ahead(world, side, through_walls, Look::code, codes, visible);
    for i in 0..side {
        for j in 0..side {
            let code = codes[j * side + i] & 0_u32.wrapping_sub(visible[j] >> i & 1);
            let place = (i * side + j) * 3;
            buffer[place..place + 4].copy_from_slice(&code.to_le_bytes());
        }
    }
    out[..side * side * 3].copy_from_slice(&buffer[..side * side * 3]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_numeric::random::Generator;

    /// MiniGrid's own loops.
    fn by_loops(side: usize, clear: &[u32]) -> Vec<u32> {
        let mut seen = vec![0_u32; side];
        seen[side - 1] = 1 << (side / 2);
        let is = |bits: u32, i: usize| bits >> i & 1 == 1;
        for j in (0..side).rev() {
            for i in 0..side - 1 {
                if is(seen[j], i) && is(clear[j], i) {
                    seen[j] |= 1 << (i + 1);
                    if j > 0 {
                        seen[j - 1] |= 3 << i;
                    }
                }
            }
            for i in (1..side).rev() {
                if is(seen[j], i) && is(clear[j], i) {
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
    fn what_is_seen_is_what_minigrids_loops_find() {
        let mut random = Generator::new(5);
        for side in [3, 5, 7, 9, 13, 31] {
            for walls in [0.1, 0.3, 0.6] {
                for _ in 0..2000 {
                    let clear: Vec<u32> =
                        (0..side).map(|_| (0..side).map(|i| u32::from(random.random() > walls) << i).sum()).collect();
                    let mut rows = clear.clone();
                    spread(side, &mut rows);
                    assert_eq!(rows, by_loops(side, &clear), "{side} {clear:?}");
                }
            }
        }
    }
}
