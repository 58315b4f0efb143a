//! Draws the picture and detects collisions, up to a clock.

#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
use envpool_rs_numeric::simd::SimdKernel;
#[cfg(any(target_arch = "x86_64", test))]
use envpool_rs_numeric::simd::SimdLevel;

use super::paint::{Layers, Painter, Portable, Row};
use super::pixels::{OBJECT_SLOTS, WORDS};
use super::{BL, BLANK, FrameBuffers, LINE, M0, M1, NEVER, P0, P1, PF, Tia, WIDTH};

/// Pixels that HMOVE blanks.
const HMOVE_BLANK_PIXELS: usize = 8;
/// Motion of missile 0 in the Cosmic Ark stars mode, in pixels, on each of four lines.
const STAR_STEPS: [i32; 4] = [18, 33, 0, 17];

/// Colliding pairs for each set of objects, as bits of the collision registers.
///
/// Each register from CXM0P on has two bits, its bit 6 before its bit 7.
static COLLISIONS: [u16; 64] = collisions();

const PAIRS: [(u8, u8); 16] = [
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
    // CXBLPF has no bit 6.
    (0, 0),
    (BL, PF),
    (M0, M1),
    (P0, P1),
];

const fn collisions() -> [u16; 64] {
    let mut table = [0; 64];
    let mut objects = 0;
    while objects < 64 {
        let mut pair = 0;
        while pair < 16 {
            let both = PAIRS[pair].0 | PAIRS[pair].1;
            if both != 0 && objects as u8 & both == both {
                table[objects] |= 1 << pair;
            }
            pair += 1;
        }
        objects += 1;
    }
    table
}

/// Indices of the two objects of each bit of the collision registers.
static OBJECTS_OF_PAIRS: [[u8; 2]; 16] = {
    let mut places = [[0; 2]; 16];
    let mut pair = 0;
    while pair < 16 {
        if PAIRS[pair].0 != 0 {
            places[pair] = [PAIRS[pair].0.trailing_zeros() as u8, PAIRS[pair].1.trailing_zeros() as u8];
        }
        pair += 1;
    }
    places
};

/// Mask of the playfield's left half, per word.
const LEFT: [u64; WORDS] = [u64::MAX, 0xffff, 0];

/// Mask of the last word's pixels.
const LAST: u64 = 0xffff_ffff;

/// Priority: the players before the playfield and the ball.
const PLAYERS: u8 = 0;
/// Priority of score mode: as `PLAYERS`, with the playfield's halves in the players' colours.
const SCORE: u8 = 1;
/// Priority: the playfield and the ball before the players.
const PLAYFIELD: u8 = 2;

/// Returns the pixels of the layers in the colours of the ball, the second player and the first player; later layers win.
#[inline(always)]
fn layers<const ORDER: u8>(objects: &[u64; OBJECT_SLOTS], word: usize) -> Layers {
    let [p0, m0, p1, m1, ball, field, ..] = *objects;
    let (first, second) = (p0 | m0, p1 | m1);
    match ORDER {
        PLAYERS => [ball | field, second, first],
        SCORE => {
            let (left, right) = (field & LEFT[word], field & !LEFT[word]);
            [ball, second | right & !first, first | left & !second]
        }
        _ => {
            let before = ball | field;
            [before, second & !before, first & !before]
        }
    }
}

/// Mask of the pixels before each position of the line.
static PIXELS_BEFORE: [[u64; WORDS]; WIDTH + 1] = {
    let mut table = [[0; WORDS]; WIDTH + 1];
    let mut place = 1;
    while place <= WIDTH {
        table[place] = table[place - 1];
        table[place][(place - 1) / 64] |= 1 << ((place - 1) % 64);
        place += 1;
    }
    table
};

/// Returns the mask of the pixels from `from` to `to` (exclusive), in one word.
#[inline(always)]
fn between(from: usize, to: usize, word: usize) -> u64 {
    PIXELS_BEFORE[to.min(WIDTH)][word] & !PIXELS_BEFORE[from.min(WIDTH)][word]
}

/// A call of `Tia::draw` with the vector instructions of `P`.
#[cfg(target_arch = "x86_64")]
struct Draw<'a, P> {
    tia: &'a mut Tia,
    clock: i32,
    screen: &'a mut FrameBuffers,
    paint: PhantomData<P>,
}

#[cfg(target_arch = "x86_64")]
impl<'a, P: Painter> Draw<'a, P> {
    #[inline(always)]
    fn new(tia: &'a mut Tia, clock: i32, screen: &'a mut FrameBuffers) -> Self {
        Self { tia, clock, screen, paint: PhantomData }
    }
}

#[cfg(target_arch = "x86_64")]
impl<P: Painter> SimdKernel for Draw<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // SAFETY: `draw_lines` runs this at the SIMD level that has the instructions of `P`.
        unsafe { self.tia.draw::<P, false>(self.clock, self.screen) };
    }
}

impl Tia {
    /// Draws up to `clock`, or defers it if nothing would change on the screen.
    #[inline(always)]
    pub(super) fn draw_to(&mut self, clock: i32, screen: &mut FrameBuffers) {
        if clock > self.no_change_until {
            self.draw_lines(clock, screen);
        } else {
            self.defer(clock);
        }
    }

    /// Draws up to `clock`.
    #[inline(never)]
    pub(super) fn draw_lines(&mut self, clock: i32, screen: &mut FrameBuffers) {
        let level = screen.level;
        match level {
            _ if screen.hidden => self.skip_to(clock, screen),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512(_) => level.run(Draw::<super::paint::Avx512>::new(self, clock, screen)),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2(_) => level.run(Draw::<super::paint::Avx2>::new(self, clock, screen)),
            _ => self.draw_portably(clock, screen),
        }
    }

    #[inline(never)]
    fn draw_portably(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: `Portable` uses no special instructions.
        unsafe { self.draw::<Portable, false>(clock, screen) };
    }

    /// Updates the state as drawing up to `clock` would, without painting.
    #[inline(always)]
    fn skip_to(&mut self, clock: i32, screen: &mut FrameBuffers) {
        if self.may_collide() && !self.is_blanked() || self.stars.moving {
            self.collide_lines(clock, screen);
        } else {
            self.skip_lines(clock);
        }
    }

    #[inline(never)]
    fn collide_lines(&mut self, clock: i32, screen: &mut FrameBuffers) {
        // SAFETY: hidden lines are not painted, and `Portable` uses no special instructions.
        unsafe { self.draw::<Portable, true>(clock, screen) };
    }

    /// Skips to `clock` if no collisions are possible and no state but `hmove_blank` changes between lines.
    #[inline(always)]
    fn skip_lines(&mut self, clock: i32) {
        let (first, last) = (self.first_clock(), self.last_clock());
        if clock <= self.clock_at_last_update || clock < first || self.clock_at_last_update >= last {
            return;
        }
        let end = clock.min(last);
        let mut line = self.clock_at_last_update - self.line_clock;
        if end - line > LINE {
            self.end_line();
            // An active HMOVE blank ends with its line; a pending one applies to the next line.
            self.hmove_blank &=
                self.line_clock >= BLANK + HMOVE_BLANK_PIXELS as i32 && end - line < LINE + BLANK + HMOVE_BLANK_PIXELS as i32;
            line += (end - line - 1) / LINE * LINE;
        } else if end - line >= BLANK + HMOVE_BLANK_PIXELS as i32 && self.line_clock < BLANK + HMOVE_BLANK_PIXELS as i32 {
            self.hmove_blank = false;
        }
        self.set_drawn_to(end, line, last);
    }

    /// Records that drawing has reached `clock` of the line that starts at `line`, in a picture that ends at `last`.
    #[inline(always)]
    fn set_drawn_to(&mut self, clock: i32, line: i32, last: i32) {
        self.clock_at_last_update = clock;
        self.line_clock = clock - line;
        self.no_change_until = if clock >= last {
            NEVER
        } else if clock - line < LINE {
            clock.max(line + BLANK)
        } else {
            clock
        };
    }

    /// Draws up to `clock`.
    ///
    /// # Safety
    /// The processor has the instructions of `P`.
    #[inline(always)]
    unsafe fn draw<P: Painter, const HIDDEN: bool>(&mut self, clock: i32, screen: &mut FrameBuffers) {
        let (first, last) = (self.first_clock(), self.last_clock());
        if clock <= self.clock_at_last_update || clock < first || self.clock_at_last_update >= last {
            return;
        }
        let clock = clock.min(last);
        let mut line = self.clock_at_last_update - self.line_clock;
        let mut from = self.line_clock;
        loop {
            let to = (clock - line).min(LINE);
            if to > BLANK && from < LINE {
                let (from, to) = ((from.max(BLANK) - BLANK) as usize, (to - BLANK) as usize);
                let row = ((line - first) / LINE) as usize;
                if HIDDEN {
                    self.collide_between(from, to);
                    self.hmove_blank &= from >= HMOVE_BLANK_PIXELS || to < HMOVE_BLANK_PIXELS;
                } else if let Some(row) = screen.current.as_chunks_mut::<WIDTH>().0.get_mut(row) {
                    // SAFETY: this function's contract guarantees the instructions of `P`.
                    unsafe { self.draw_piece::<P>(row, from, to) };
                }
            }
            if line + to == clock {
                break;
            }
            // The end of the line takes effect only when something after it is drawn.
            line += LINE;
            from = 0;
            self.end_line();
            if clock - line >= 2 * LINE && !self.hmove_blank && !self.stars.moving {
                // Whole lines, all of which are equal.
                let lines = (clock - line - 1) / LINE;
                if HIDDEN {
                    self.collide_between(0, WIDTH);
                } else {
                    let row = ((line - first) / LINE) as usize;
                    let (rows, _) = screen.current.as_chunks_mut::<WIDTH>();
                    if let Some([row, others @ ..]) = rows.get_mut(row..row + lines as usize) {
                        // SAFETY: this function's contract guarantees the instructions of `P`.
                        unsafe { self.paint::<P>(row, 0, WIDTH) };
                        others.fill(*row);
                    }
                }
                line += lines * LINE;
            }
        }
        self.set_drawn_to(clock, line, last);
    }

    /// Draws a part of a row, with its HMOVE blank.
    ///
    /// # Safety
    /// The processor has the instructions of `P`.
    #[inline(always)]
    unsafe fn draw_piece<P: Painter>(&mut self, row: &mut Row, from: usize, to: usize) {
        // SAFETY: this function's contract guarantees the instructions of `P`.
        unsafe { self.paint::<P>(row, from, to) };
        if self.hmove_blank && from < HMOVE_BLANK_PIXELS {
            row.iter_mut().take(HMOVE_BLANK_PIXELS).skip(from).for_each(|pixel| *pixel = 0);
            self.hmove_blank = to < HMOVE_BLANK_PIXELS;
        }
    }

    /// Applies the changes at the end of a line: the playfield's reflection, suppressed copies, stars.
    #[inline(always)]
    fn end_line(&mut self) {
        if self.reflect_now != self.reflect {
            self.reflect_now = self.reflect;
            self.pixels.invalidate(PF);
        }
        self.end_suppression();
        if self.stars.moving {
            self.move_stars();
        }
    }

    /// Makes suppressed copies visible again.
    #[inline(always)]
    pub(super) fn end_suppression(&mut self) {
        for (player, object) in self.players.iter_mut().zip([P0, P1]) {
            if player.suppressed {
                player.suppressed = false;
                self.pixels.invalidate(object);
            }
        }
    }

    #[cold]
    fn move_stars(&mut self) {
        self.stars.phase = (self.stars.phase + 1) & 3;
        let position = i32::from(self.missiles[0].position) - STAR_STEPS[usize::from(self.stars.phase)];
        self.missiles[0].position = position.rem_euclid(WIDTH as i32) as u8;
        self.stars.shape = match self.stars.phase {
            1 => 1,
            2 => 2,
            _ => 0,
        };
        self.pixels.invalidate(M0);
    }

    /// Paints a part of a row and detects its collisions.
    ///
    /// # Safety
    /// The processor has the instructions of `P`.
    #[inline(always)]
    unsafe fn paint<P: Painter>(&mut self, row: &mut Row, from: usize, to: usize) {
        if self.is_blanked() {
            row[from..to].fill(0);
            return;
        }
        self.update_pixels();
        if self.may_collide() {
            self.collide(from, to);
        }
        // SAFETY: this function's contract guarantees the instructions of `P`.
        unsafe {
            let paint = P::new(&self.pixels.colours);
            match self.order() {
                PLAYERS => self.paint_in::<P, PLAYERS>(paint, row, from, to),
                SCORE => self.paint_in::<P, SCORE>(paint, row, from, to),
                _ => self.paint_in::<P, PLAYFIELD>(paint, row, from, to),
            }
        }
    }

    /// Paints a part of a row with the priority `ORDER`.
    ///
    /// # Safety
    /// The processor has the instructions of `P`.
    #[inline(always)]
    unsafe fn paint_in<P: Painter, const ORDER: u8>(&self, paint: P, row: &mut Row, from: usize, to: usize) {
        let words = &self.pixels.words;
        // SAFETY: this function's contract guarantees the instructions of `P`; word indices are below 3, the number of
        // words of a line.
        unsafe {
            if to - from == WIDTH {
                paint.word(row, 0, u64::MAX, layers::<ORDER>(&words[0], 0));
                paint.word(row, 1, u64::MAX, layers::<ORDER>(&words[1], 1));
                paint.word(row, 2, LAST, layers::<ORDER>(&words[2], 2));
                return;
            }
            if from < 64 {
                paint.word(row, 0, between(from, to, 0), layers::<ORDER>(&words[0], 0));
            }
            if from < 128 && to > 64 {
                paint.word(row, 1, between(from, to, 1), layers::<ORDER>(&words[1], 1));
            }
            if to > 128 {
                paint.word(row, 2, between(from, to, 2), layers::<ORDER>(&words[2], 2));
            }
        }
    }

    /// Returns the priority. If only the playfield is visible, score mode takes precedence over playfield priority.
    #[inline(always)]
    fn order(&self) -> u8 {
        if self.priority & 2 != 0 && self.visible_objects != PF { PLAYFIELD } else { self.priority & 1 }
    }

    /// Whether any two visible objects have not collided yet.
    #[inline(always)]
    fn may_collide(&self) -> bool {
        COLLISIONS[usize::from(self.visible_objects & 63)] & !self.collisions != 0
    }

    /// Detects collisions as drawing would, without painting.
    #[inline(always)]
    fn collide_between(&mut self, from: usize, to: usize) {
        if self.may_collide() && !self.is_blanked() {
            self.update_pixels();
            self.collide(from, to);
        }
    }

    /// Detects collisions in the pixels from `from` to `to` (exclusive).
    #[inline(always)]
    fn collide(&mut self, from: usize, to: usize) {
        // Word by word: vector loads of words just stored one by one would stall until the stores have reached the cache.
        if to - from == WIDTH {
            self.collide_in(0, u64::MAX);
            self.collide_in(1, u64::MAX);
            self.collide_in(2, LAST);
            return;
        }
        if from < 64 {
            self.collide_in(0, between(from, to, 0));
        }
        if from < 128 && to > 64 {
            self.collide_in(1, between(from, to, 1));
        }
        if to > 128 {
            self.collide_in(2, between(from, to, 2));
        }
    }

    /// Detects collisions in the pixels `inside` of a word.
    #[inline(always)]
    fn collide_in(&mut self, word: usize, inside: u64) {
        let inside = inside & overlapping_pixels(&self.pixels.words[word]);
        if inside != 0 {
            self.collide_pairs(word, inside);
        }
    }

    /// Sets the collision bits of these pixels of a word, each of which has several objects.
    #[inline(never)]
    fn collide_pairs(&mut self, word: usize, inside: u64) {
        let objects = &self.pixels.words[word % WORDS];
        let mut left = COLLISIONS[usize::from(self.visible_objects & 63)] & !self.collisions;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left ^= bit;
            let places = OBJECTS_OF_PAIRS[bit.trailing_zeros() as usize % 16];
            let [one, other] = places.map(|place| objects[usize::from(place) % OBJECT_SLOTS]);
            if one & other & inside != 0 {
                self.collisions |= bit;
            }
        }
    }
}

/// Returns the pixels with more than one object.
#[inline(always)]
fn overlapping_pixels(objects: &[u64; OBJECT_SLOTS]) -> u64 {
    let (mut any, mut several) = (0, 0);
    for object in &objects[..6] {
        several |= any & object;
        any |= object;
    }
    several
}

#[cfg(test)]
mod tests {
    use super::super::{VisiblePicture, clock_at};
    use super::*;
    use envpool_rs_numeric::random::Generator;

    const PICTURE: VisiblePicture = VisiblePicture { first_line: 2, rows: 40, pal: false, hmove_blanks: true };
    const CYCLES: u32 = 76;

    /// Returns random register writes with their cycles: mostly to a few registers, at times typical of programs.
    fn writes(random: &mut Generator) -> Vec<(u32, u16, u8)> {
        let favourites: Vec<u16> = (0..5).map(|_| random.integers(0x04, 0x2d) as u16).collect();
        let mut cycles = 0;
        let mut writes = Vec::new();
        while cycles < 46 * CYCLES {
            let register = match random.integers(0, 3) {
                0 => random.integers(0x04, 0x2d) as u16,
                _ => favourites[random.integers(0, favourites.len() as i64) as usize],
            };
            cycles += match random.integers(0, 4) {
                0 => 3,
                1 => CYCLES - cycles % CYCLES + random.integers(3, 24) as u32,
                _ => random.integers(3, 40) as u32,
            };
            let register = if random.integers(0, 40) == 0 { 0x01 } else { register };
            let value = [0, 0xff, 0x02, random.integers(0, 256) as u8][random.integers(0, 4) as usize];
            writes.push((cycles, register, value));
            if register == 0x2a && random.integers(0, 6) == 0 {
                // The sequence that starts the stars.
                writes.insert(writes.len() - 1, (cycles, 0x22, 0x70));
                cycles += 21;
                writes.push((cycles, 0x22, 0x60));
            }
        }
        writes
    }

    /// Returns the picture and the serialized registers after these writes. `eager` draws clock by clock.
    fn played(writes: &[(u32, u16, u8)], level: SimdLevel, hidden: bool, eager: bool) -> (Vec<u8>, Vec<u8>) {
        let mut tia = Tia::new(PICTURE);
        let mut screen = FrameBuffers { level, hidden, ..FrameBuffers::default() };
        tia.start_frame(0, &mut screen);
        let (mut stopped, mut drawn) = (false, 0);
        for (cycles, register, value) in writes {
            while eager && drawn < clock_at(*cycles) {
                drawn += 1;
                tia.draw_lines(drawn, &mut screen);
            }
            tia.poke(*register, *value, false, &mut cycles.clone(), &mut stopped, &mut screen);
        }
        tia.end_frame(50 * CYCLES, &mut screen);
        // The extent of deferred drawing is not observable.
        tia.deferred_to = 0;
        (screen.pixels().to_vec(), postcard::to_allocvec(&tia).expect("encoded"))
    }

    #[test]
    fn it_does_not_matter_when_and_by_which_instructions_lines_are_drawn() {
        let mut random = Generator::new(1);
        for round in 0..400 {
            let writes = writes(&mut random);
            let (picture, registers) = played(&writes, SimdLevel::Scalar, false, true);
            for level in SimdLevel::available() {
                let found = played(&writes, level, false, false);
                assert!(found.0 == picture, "round {round}: pictures differ, {level:?}");
                assert_eq!(found.1, registers, "round {round}, {level:?}");
                let hidden = played(&writes, level, true, round % 2 == 0);
                assert_eq!(hidden.1, registers, "round {round}, hidden");
            }
        }
    }

    /// Returns the objects at `x`, computed one by one from the registers.
    fn objects(tia: &Tia, x: usize) -> u8 {
        let from = |position: u8| (x + WIDTH - usize::from(position)) % WIDTH;
        let copies = |index: usize| -> &[usize] {
            [&[0][..], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]]
                [usize::from(tia.players[index].nusiz)]
        };
        let is_player = |index: usize| {
            let player = &tia.players[index];
            let (stretch, late) = [(1, 0), (2, 1), (4, 1)][[0, 0, 0, 0, 0, 1, 0, 2][usize::from(player.nusiz)]];
            copies(index).iter().any(|distance| {
                let into = (from(player.position) + WIDTH - distance - late) % WIDTH;
                into < 8 * stretch && player.current_grp & 0x80 >> (into / stretch) != 0
            })
        };
        let is_missile = |index: usize| {
            let missile = &tia.missiles[index];
            copies(index).iter().any(|distance| (from(missile.position) + WIDTH - distance) % WIDTH < 1 << missile.size)
        };
        let column = if x < 80 || !tia.reflect_now { x / 4 % 20 } else { 39 - x / 4 };
        let field = tia.pf >> (if (4..12).contains(&column) { 15 - column } else { column }) & 1 != 0;
        let ball = from(tia.ball.position) < 1 << tia.ball.size;
        let all = [(is_player(0), P0), (is_missile(0), M0), (is_player(1), P1), (is_missile(1), M1), (ball, BL), (field, PF)];
        all.into_iter().filter(|(is_there, _)| *is_there).fold(0, |objects, (_, object)| objects | object) & tia.visible_objects
    }

    /// Returns the colour of these objects at `x`.
    fn colour(tia: &Tia, objects: u8, x: usize) -> u8 {
        let player = [P0 | M0, P1 | M1].iter().position(|either| objects & either != 0).map(|index| tia.players[index].colup);
        let field = match (objects & PF != 0, objects & BL != 0) {
            (true, _) if tia.priority == 1 => Some(tia.players[x / 80].colup),
            (true, _) | (_, true) => Some(tia.ball.colupf),
            _ => None,
        };
        let layers = if tia.priority & 2 != 0 { [field, player] } else { [player, field] };
        layers.into_iter().flatten().next().unwrap_or(tia.colubk)
    }

    /// Object pairs of the collision registers' bits 6 and 7, from CXM0P on.
    const REGISTERS: [[u8; 2]; 8] = [
        [M0 | P0, M0 | P1],
        [M1 | P1, M1 | P0],
        [P0 | BL, P0 | PF],
        [P1 | BL, P1 | PF],
        [M0 | BL, M0 | PF],
        [M1 | BL, M1 | PF],
        [0, BL | PF],
        [M0 | M1, P0 | P1],
    ];

    #[test]
    fn a_line_shows_what_the_registers_say_and_notes_what_touches() {
        let mut random = Generator::new(2);
        for round in 0..2_000 {
            let mut tia = Tia::new(PICTURE);
            let mut screen = FrameBuffers::default();
            tia.start_frame(0, &mut screen);
            let mut byte = |below: i64| random.integers(0, below) as u8;
            for player in &mut tia.players {
                (player.current_grp, player.nusiz, player.position, player.colup) =
                    (byte(256), byte(8), byte(160), byte(128) * 2);
            }
            for missile in &mut tia.missiles {
                (missile.size, missile.position) = (byte(4), byte(160));
            }
            (tia.ball.size, tia.ball.position, tia.ball.colupf) = (byte(4), byte(160), byte(128) * 2);
            // `PF` alone in score mode with priority is excluded: there score mode takes precedence.
            (tia.visible_objects, tia.priority, tia.colubk) = (byte(64) | P0, byte(3), byte(128) * 2);
            tia.pf = if tia.visible_objects & PF == 0 { 0 } else { u32::from(byte(256)) << 12 | u32::from(byte(255)) << 4 | 1 };
            (tia.reflect, tia.reflect_now) = (round % 2 == 0, round % 2 == 0);
            tia.draw_lines(tia.first_clock() + LINE, &mut screen);
            let objects: Vec<u8> = (0..WIDTH).map(|x| objects(&tia, x)).collect();
            let expected: Vec<u8> = objects.iter().enumerate().map(|(x, objects)| colour(&tia, *objects, x)).collect();
            assert_eq!(screen.pixels()[..WIDTH], expected, "round {round}: {tia:?}");
            let touch = |pair: u8| pair != 0 && objects.iter().any(|objects| objects & pair == pair);
            let expected = REGISTERS.as_flattened().iter().rev().fold(0, |bits, pair| bits << 1 | u16::from(touch(*pair)));
            assert_eq!(tia.collisions, expected, "round {round}: {tia:?}");
        }
    }
}
