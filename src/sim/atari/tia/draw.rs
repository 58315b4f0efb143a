//! The picture and collisions, drawn up to a clock.

use super::chunk::{Bytes, CHUNK, Chunk};
use super::tables::{BALLS, MISSILE_CHUNKS, MISSILES, PLAYER_CHUNKS, PLAYERS, SPAN, chunks_of_columns, columns};
use super::{BL, BLANK, LINE, M0, M1, P0, P1, PF, Screen, Tia, WIDTH};

/// Pixels that HMOVE blackens.
const BLACKENED: i32 = 8;
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

/// Bytes that are set from the sixteenth on, until the 32nd: windows of it tell which pixels of a chunk are drawn.
static EDGE: [u8; 3 * CHUNK] = {
    let mut edge = [0; 3 * CHUNK];
    let mut at = CHUNK;
    while at < 2 * CHUNK {
        edge[at] = 0xff;
        at += 1;
    }
    edge
};

/// Where the playfield is not, in a chunk, for each set of its four columns.
static NO_FIELD: [Bytes; 16] = {
    let mut fields = [[0; CHUNK]; 16];
    let mut at = 0;
    while at < 16 * CHUNK {
        if ((at / CHUNK) >> (at % CHUNK / 4)) & 1 == 0 {
            fields[at / CHUNK][at % CHUNK] = 0xff;
        }
        at += 1;
    }
    fields
};

/// The movable objects' shapes on this line, as windows into the tables of shapes; those that are not visible show nothing.
struct Shapes {
    players: [Window; 2],
    missiles: [Window; 2],
    ball: Window,
    /// The players' graphics.
    graphics: [u8; 2],
    /// A bit for each column of the playfield.
    columns: u64,
    /// Chunks in which movable objects may show, and those in which several objects may.
    movable: u16,
    several: u16,
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

    /// The shape at the chunk that begins at `x`.
    #[inline(always)]
    fn at(self, x: usize) -> Chunk {
        Chunk::new(window(self.table, self.from + x))
    }
}

/// Sixteen bytes of a table.
#[inline(always)]
fn window(table: &[u8], at: usize) -> &Bytes {
    table.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; CHUNK])
}

static NOTHING: [u8; SPAN] = [0; SPAN];

/// Where each object is not, in a chunk: all bits of its pixels are set where it is absent.
struct Absent {
    players: [Chunk; 2],
    missiles: [Chunk; 2],
    ball: Chunk,
    field: Chunk,
}

/// The colours of a piece: background, ball and playfield behind the players, the playfield's own in score mode.
#[derive(Clone, Copy)]
struct Colours {
    background: Chunk,
    field: Chunk,
    ball: Chunk,
    players: [Chunk; 2],
}

impl Colours {
    /// What is seen of the objects. `FRONT`: the playfield and the ball before the players.
    #[inline(always)]
    fn seen<const FRONT: bool>(self, absent: &Absent) -> Chunk {
        let behind = if FRONT { self.background } else { self.field_over(self.background, absent) };
        let [first, second] = [0, 1].map(|i| absent.players[i].and(absent.missiles[i]));
        let seen = first.select(second.select(behind, self.players[1]), self.players[0]);
        if FRONT { self.field_over(seen, absent) } else { seen }
    }

    #[inline(always)]
    fn field_over(self, under: Chunk, absent: &Absent) -> Chunk {
        absent.field.select(absent.ball.select(under, self.ball), self.field)
    }
}

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
        let x = (from - BLANK) as usize;
        let end = (to - BLANK) as usize;
        let row = &mut screen.current[row * WIDTH..(row + 1) * WIDTH];
        if screen.hidden {
            self.collide_between(x, end);
        } else {
            self.draw_pixels(row, x, end);
        }
        if self.hmove_blank && from < BLANK + BLACKENED {
            if !screen.hidden {
                row[x..BLACKENED as usize].fill(0);
            }
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

    #[inline(always)]
    fn shapes(&self) -> Shapes {
        let player = |i: usize| {
            let player = &self.players[i];
            match self.visible & [P0, P1][i] {
                0 => Window::new(&NOTHING, 0),
                _ => Window::new(&PLAYERS[usize::from(player.copies)][usize::from(player.suppressed)], player.position),
            }
        };
        let missile = |i: usize| {
            let missile = &self.missiles[i];
            let size = match (i, self.stars.shape, self.visible & [M0, M1][i]) {
                (_, _, 0) | (0, 2, _) => return Window::new(&NOTHING, 0),
                (0, 1, _) => missile.size | 1,
                _ => missile.size,
            };
            Window::new(&MISSILES[usize::from(self.players[i].copies)][usize::from(size)], missile.position)
        };
        let ball = match self.visible & BL {
            0 => Window::new(&NOTHING, 0),
            _ => Window::new(&BALLS[usize::from(self.ball.size)], self.ball.position),
        };
        let columns = columns(self.playfield, self.reflect_now);
        let (movable, several) = self.chunks(chunks_of_columns(columns));
        Shapes {
            players: [player(0), player(1)],
            missiles: [missile(0), missile(1)],
            ball,
            graphics: [0, 1].map(|i| alone(self.players[i].shown)),
            columns,
            movable,
            several,
        }
    }

    /// Chunks in which movable objects may show, and those in which several objects may, the playfield showing in `field`.
    #[inline(always)]
    fn chunks(&self, field: u16) -> (u16, u16) {
        let (mut movable, mut several) = (0, 0);
        let mut add = |object: u8, table: &[u16; 160], position: u8| {
            if self.visible & object != 0 {
                let chunks = table[usize::from(position) % 160];
                several |= (movable | field) & chunks;
                movable |= chunks;
            }
        };
        for (i, player, missile) in [(0, P0, M0), (1, P1, M1)] {
            let copies = usize::from(self.players[i].copies & 7);
            add(player, &PLAYER_CHUNKS[copies], self.players[i].position);
            add(missile, &MISSILE_CHUNKS[copies], self.missiles[i].position);
        }
        add(BL, &MISSILE_CHUNKS[0], self.ball.position);
        (movable, several)
    }

    fn draw_pixels(&mut self, row: &mut [u8], from: usize, to: usize) {
        if self.is_blanked() {
            row[from..to].fill(0);
        } else if self.visible == 0 {
            row[from..to].fill(self.background);
        } else if self.priority & 2 != 0 && self.visible != PF {
            self.draw_objects::<true>(row, from, to);
        } else {
            self.draw_objects::<false>(row, from, to);
        }
    }

    fn draw_objects<const FRONT: bool>(&mut self, row: &mut [u8], from: usize, to: usize) {
        let colours = self.both_colours::<FRONT>();
        let shapes = self.shapes();
        let (chunks, _) = row.as_chunks_mut::<CHUNK>();
        let several = if self.may_touch() { shapes.several } else { 0 };
        for (chunk, drawn) in chunks.iter_mut().enumerate().take(to.div_ceil(CHUNK)).skip(from / CHUNK) {
            let x = chunk * CHUNK;
            let colours = colours[x / (WIDTH / 2)];
            let (first, last) = (from.saturating_sub(x), (to - x).min(CHUNK));
            let seen = if shapes.movable >> chunk & 1 == 0 {
                shapes.no_field(x).select(colours.background, colours.field)
            } else {
                let absent = shapes.absent(x);
                if several >> chunk & 1 != 0 {
                    self.collide(&absent, inside(first, last));
                }
                colours.seen::<FRONT>(&absent)
            };
            if last - first == CHUNK {
                seen.write(drawn);
            } else {
                let inside = Chunk::new(window(&EDGE, CHUNK - first)).and(Chunk::new(window(&EDGE, 2 * CHUNK - last)));
                inside.select(seen, Chunk::new(drawn)).write(drawn);
            }
        }
    }

    /// Whether any two visible objects have not touched yet.
    fn may_touch(&self) -> bool {
        COLLISIONS[usize::from(self.visible & 63)] & !self.collisions != 0
    }

    /// What drawing would do, without the drawing.
    fn collide_between(&mut self, from: usize, to: usize) {
        if self.is_blanked() || !self.may_touch() {
            return;
        }
        let shapes = self.shapes();
        let mut left = shapes.several & (0xffff << (from / CHUNK)) & !(0xffff << to.div_ceil(CHUNK));
        while left != 0 {
            let x = left.trailing_zeros() as usize * CHUNK;
            self.collide(&shapes.absent(x), inside(from.saturating_sub(x), (to - x).min(CHUNK)));
            left &= left - 1;
        }
    }

    /// The colours of the line's halves, which differ in score mode. With nothing but the playfield, score mode comes before
    /// priority.
    #[inline(always)]
    fn both_colours<const FRONT: bool>(&self) -> [Colours; 2] {
        let players = [0, 1].map(|i| Chunk::splat(alone(self.players[i].colour)));
        let (background, ball) = (Chunk::splat(alone(self.background)), Chunk::splat(alone(self.ball.colour)));
        let score = !FRONT && self.priority & 1 != 0;
        players.map(|player| Colours { background, field: if score { player } else { ball }, ball, players })
    }

    /// Notes what touches in the pixels of a chunk whose bits are set in `inside`.
    #[inline(always)]
    fn collide(&mut self, absent: &Absent, inside: u16) {
        let of = |chunk: Chunk| !chunk.high_bits() & inside;
        let [p0, p1] = absent.players.map(of);
        let [m0, m1] = absent.missiles.map(of);
        let objects = [p0, m0, p1, m1, of(absent.ball), of(absent.field)];
        let (mut any, mut touching) = (0, 0);
        for object in objects {
            touching |= any & object;
            any |= object;
        }
        if touching != 0 {
            self.collide_at(touching, objects);
        }
    }

    /// Notes what touches in these pixels of objects, all of which are in the order of their bits in sets.
    fn collide_at(&mut self, touching: u16, objects: [u16; 6]) {
        let mut left = touching;
        while left != 0 {
            let pixel = left & left.wrapping_neg();
            let set = objects.iter().enumerate().fold(0, |set, (i, object)| set | usize::from(object & pixel != 0) << i);
            self.collisions |= COLLISIONS[set];
            // Neighbours show the same, mostly.
            let same = objects.iter().fold(u16::MAX, |same, object| same & if object & pixel != 0 { *object } else { !*object });
            left &= !same;
        }
    }
}

/// A byte loaded by itself. Loaded together with its neighbours, some of which have just been stored, it would have to wait
/// until they are in the cache.
#[inline(always)]
fn alone(byte: u8) -> u8 {
    std::hint::black_box(byte)
}

/// A bit for each pixel of a chunk from `first` to before `last`.
fn inside(first: usize, last: usize) -> u16 {
    (0xffff_u32 >> (CHUNK - last) & 0xffff << first) as u16
}

impl Shapes {
    /// Where objects are not in the sixteen pixels from `x` on.
    #[inline(always)]
    fn absent(&self, x: usize) -> Absent {
        let player = |i: usize| self.players[i].at(x).and(Chunk::splat(self.graphics[i])).is_zero();
        Absent {
            players: [player(0), player(1)],
            missiles: self.missiles.map(|missile| missile.at(x).is_zero()),
            ball: self.ball.at(x).is_zero(),
            field: self.no_field(x),
        }
    }

    /// Where the playfield is not.
    #[inline(always)]
    fn no_field(&self, x: usize) -> Chunk {
        Chunk::new(&NO_FIELD[(self.columns >> (x / 4)) as usize & 15])
    }
}
