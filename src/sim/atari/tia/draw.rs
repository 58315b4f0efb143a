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
    (M0, P0), (M0, P1), (M1, P1), (M1, P0), (P0, BL), (P0, PF), (P1, BL), (P1, PF),
    (M0, BL), (M0, PF), (M1, BL), (M1, PF), (BL, PF), (M0, M1), (P0, P1),
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

/// The movable objects' shapes on this line: windows into the tables of shapes, so that `window[x]` is the pixel `x`.
struct Shapes {
    players: [&'static [u8]; 2],
    missiles: [&'static [u8]; 2],
    ball: &'static [u8],
}

fn window(table: &'static [u8; SPAN], position: u8) -> &'static [u8] {
    let from = WIDTH - usize::from(position);
    &table[from..from + WIDTH]
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
        let [x, end] = [from, to].map(|clock| (clock - BLANK) as usize);
        self.draw_pixels(&mut screen.current[start..], x, end);
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
            window(&PLAYERS[usize::from(player.copies)][usize::from(player.suppressed)], player.position)
        };
        let missile = |i: usize| {
            let missile = &self.missiles[i];
            let size = match (i, self.stars.shape) {
                (0, 1) => missile.size | 1,
                (0, 2) => return window(&NOTHING, 0),
                _ => missile.size,
            };
            window(&MISSILES[usize::from(self.players[i].copies)][usize::from(size)], missile.position)
        };
        Shapes {
            players: [player(0), player(1)],
            missiles: [missile(0), missile(1)],
            ball: window(&BALLS[usize::from(self.ball.size)], self.ball.position),
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
        let visible = self.visible;
        let shapes = self.shapes();
        // With nothing but the playfield, score mode comes before priority.
        let priority = if visible == PF && self.priority == 3 { 1 } else { usize::from(self.priority) };
        let shown = [&SHOWN[0][priority], &SHOWN[1][priority]];
        let columns = &PLAYFIELD[usize::from(self.reflect_now)];
        let mut collisions = 0;
        for x in from..to {
            let mut objects = if self.playfield & columns[x / 4] != 0 { PF } else { 0 };
            let mut add = |is: bool, object: u8| objects |= if is { object } else { 0 };
            add(self.players[0].shown & shapes.players[0][x] != 0, P0);
            add(self.players[1].shown & shapes.players[1][x] != 0, P1);
            add(shapes.missiles[0][x] != 0, M0 & visible);
            add(shapes.missiles[1][x] != 0, M1 & visible);
            add(shapes.ball[x] != 0, BL & visible);
            collisions |= COLLISIONS[usize::from(objects)];
            row[x] = self.colours[usize::from(shown[x / 80][usize::from(objects)])];
        }
        self.collisions |= collisions;
    }
}
