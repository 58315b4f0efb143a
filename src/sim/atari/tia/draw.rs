//! The picture and collisions, drawn up to a clock.

use super::tables::{BALLS, MISSILES, PLAYERS, PLAYFIELD, SHOWN, SPAN};
use super::{BL, BLANK, LINE, M0, M1, P0, P1, PF, Screen, Tia, WIDTH};

/// Pixels that HMOVE blackens.
const BLACKENED: i32 = 8;
/// VBLANK's bit that blanks the picture.
const BLANKED: u8 = 0x02;
/// By how much the stars move on each of four lines.
const STAR_STEPS: [i32; 4] = [18, 33, 0, 17];

/// Pairs of objects that touch, for each set of objects: bits of the collision registers, two each from CXM0P on, the
/// register's bit 6 before its bit 7.
static COLLISIONS: [u16; 64] = collisions();

const PAIRS: [(u8, u8); 15] = [
    (M0, P0),
    (M0, P1),
    (M1, P1),
    (M1, P0),
    (P0, BL),
    (P0, PF),
    (P1, BL),
    (P1, PF),
    (M0, BL),
    (M0, PF),
    (M1, BL),
    (M1, PF),
    (BL, PF),
    (M0, M1),
    (P0, P1),
];
/// CXBLPF has no bit 6.
const PAIR_BITS: [u8; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15];

const fn collisions() -> [u16; 64] {
    let mut table = [0; 64];
    let mut objects = 0;
    while objects < 64 {
        let mut pair = 0;
        while pair < 15 {
            let both = PAIRS[pair].0 | PAIRS[pair].1;
            if objects as u8 & both == both {
                table[objects] |= 1 << PAIR_BITS[pair];
            }
            pair += 1;
        }
        objects += 1;
    }
    table
}

/// Pixels that are drawn at a time.
const BLOCK: usize = 8;
/// One in each byte of a block.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The movable objects' shapes on this line, as windows into the tables of shapes.
struct Shapes {
    players: [Window; 2],
    missiles: [Window; 2],
    ball: Window,
}

/// Where on a table of shapes the line begins.
#[derive(Clone, Copy)]
struct Window {
    table: &'static [u8; SPAN],
    from: usize,
}

impl Window {
    fn new(table: &'static [u8; SPAN], position: u8) -> Self {
        Self { table, from: WIDTH - usize::from(position) }
    }

    /// The shape's bytes at the block that begins at `x`.
    #[inline(always)]
    fn block(self, x: usize) -> u64 {
        let at = self.from + x;
        self.table[at..at + BLOCK].try_into().map_or(0, u64::from_le_bytes)
    }
}

/// One in each byte that is not zero.
#[inline(always)]
fn ones_where_set(bytes: u64) -> u64 {
    const LOW: u64 = 0x7f * ONES;
    (((bytes & LOW) + LOW) | bytes) >> 7 & ONES
}

static NOTHING: [u8; SPAN] = [0; SPAN];

impl Tia {
    /// Draws up to `clock`.
    #[inline]
    pub(super) fn draw_to(&mut self, clock: i32, screen: &mut Screen) {
        if clock <= self.drawn_to || clock < self.first_clock() || self.drawn_to >= self.last_clock() {
            return;
        }
        self.draw_lines(clock.min(self.last_clock()), screen);
    }

    fn draw_lines(&mut self, clock: i32, screen: &mut Screen) {
        while self.drawn_to < clock {
            let from = self.line_clock;
            let to = (from + clock - self.drawn_to).min(LINE);
            let row = ((self.drawn_to - from - self.first_clock()) / LINE) as usize;
            self.draw_piece(row, from.max(BLANK), to, screen);
            self.drawn_to += to - from;
            self.line_clock = to;
            // The line's end is seen when something beyond it is asked for.
            if to == LINE && self.drawn_to < clock {
                self.line_clock = 0;
                self.end_line();
            }
        }
    }

    fn draw_piece(&mut self, row: usize, from: i32, to: i32, screen: &mut Screen) {
        if to <= from {
            return;
        }
        let start = row * WIDTH;
        let x = (from - BLANK) as usize;
        let end = (to - BLANK) as usize;
        self.draw_pixels(&mut screen.current[start..start + WIDTH], x, end);
        if self.hmove_blank && from < BLANK + BLACKENED {
            screen.current[start + x..start + BLACKENED as usize].fill(0);
            if to >= BLANK + BLACKENED {
                self.hmove_blank = false;
            }
        }
    }

    /// What changes from line to line: the playfield's reflection, suppressed copies, stars.
    fn end_line(&mut self) {
        self.reflect_now = self.reflect;
        self.players.iter_mut().for_each(|player| player.suppressed = false);
        if self.stars.moving {
            self.move_stars();
        }
    }

    fn move_stars(&mut self) {
        self.stars.phase = (self.stars.phase + 1) & 3;
        let position = i32::from(self.missiles[0].position) - STAR_STEPS[usize::from(self.stars.phase)];
        self.missiles[0].position = position.rem_euclid(WIDTH as i32) as u8;
        self.stars.shape = match self.stars.phase {
            1 => 1,
            2 => 2,
            _ => 0,
        };
    }

    fn shapes(&self) -> Shapes {
        let player = |i: usize| {
            let player = &self.players[i];
            Window::new(&PLAYERS[usize::from(player.copies)][usize::from(player.suppressed)], player.position)
        };
        let missile = |i: usize| {
            let missile = &self.missiles[i];
            let size = match (i, self.stars.shape) {
                (0, 1) => missile.size | 1,
                (0, 2) => return Window::new(&NOTHING, 0),
                _ => missile.size,
            };
            Window::new(&MISSILES[usize::from(self.players[i].copies)][usize::from(size)], missile.position)
        };
        Shapes {
            players: [player(0), player(1)],
            missiles: [missile(0), missile(1)],
            ball: Window::new(&BALLS[usize::from(self.ball.size)], self.ball.position),
        }
    }

    fn draw_pixels(&mut self, row: &mut [u8], from: usize, to: usize) {
        if self.vblank & BLANKED != 0 {
            row[from..to].fill(0);
        } else if self.visible == 0 {
            row[from..to].fill(self.colours[0]);
        } else {
            self.draw_objects(row, from, to);
        }
    }

    fn draw_objects(&mut self, row: &mut [u8], from: usize, to: usize) {
        // With nothing but the playfield, score mode comes before priority.
        let priority = if self.visible == PF && self.priority == 3 { 1 } else { usize::from(self.priority) };
        let shapes = self.shapes();
        let columns = &PLAYFIELD[usize::from(self.reflect_now)];
        for x in (from & !(BLOCK - 1)..to).step_by(BLOCK) {
            let field = |column: usize| if self.playfield & columns[column] != 0 { PF } else { 0 };
            let fields = [field(x / 4), field(x / 4 + 1)];
            let objects = self.movable(&shapes, x);
            let shown = &SHOWN[x / 80][priority];
            let colour = |set: u8| u64::from(self.colours[usize::from(shown[usize::from(set & 63)] & 3)]);
            // In a register: bytes stored one by one and loaded together wait for each other.
            let block = if objects == 0 {
                const HALF: u64 = ONES >> 32;
                (colour(fields[0]) * HALF) | ((colour(fields[1]) * HALF) << 32)
            } else {
                let sets = objects | spread(fields);
                self.collisions |= collisions_between(sets, from.max(x) - x, to.min(x + BLOCK) - x);
                (0..BLOCK).fold(0, |block, i| block | colour((sets >> (8 * i)) as u8) << (8 * i))
            };
            copy_block(row, x, block, from, to);
        }
    }

    /// The sets of movable objects at the eight pixels from `x` on, a byte each.
    #[inline(always)]
    fn movable(&self, shapes: &Shapes, x: usize) -> u64 {
        let player = |i: usize| ones_where_set(shapes.players[i].block(x) & (u64::from(self.players[i].shown) * ONES));
        let mut objects = 0;
        if self.visible & P0 != 0 {
            objects |= player(0) * u64::from(P0);
        }
        if self.visible & P1 != 0 {
            objects |= player(1) * u64::from(P1);
        }
        if self.visible & M0 != 0 {
            objects |= shapes.missiles[0].block(x) * u64::from(M0);
        }
        if self.visible & M1 != 0 {
            objects |= shapes.missiles[1].block(x) * u64::from(M1);
        }
        if self.visible & BL != 0 {
            objects |= shapes.ball.block(x) * u64::from(BL);
        }
        objects
    }
}

/// The playfield's bits of two columns, for each of their pixels.
fn spread(fields: [u8; 2]) -> u64 {
    const HALF: u64 = ONES >> 32;
    (u64::from(fields[0]) * HALF) | ((u64::from(fields[1]) * HALF) << 32)
}

/// What touches in the block's pixels from `first` to before `last`.
fn collisions_between(sets: u64, first: usize, last: usize) -> u16 {
    (first..last).fold(0, |found, i| found | COLLISIONS[usize::from((sets >> (8 * i)) as u8 & 63)])
}

/// Copies what lies between `from` and `to` of the block that begins at `x`.
#[inline(always)]
fn copy_block(row: &mut [u8], x: usize, block: u64, from: usize, to: usize) {
    if from <= x && x + BLOCK <= to {
        row[x..x + BLOCK].copy_from_slice(&block.to_le_bytes());
    } else {
        let first = from.max(x);
        for (i, pixel) in row[first..to.min(x + BLOCK)].iter_mut().enumerate() {
            *pixel = (block >> (8 * (first - x + i))) as u8;
        }
    }
}
