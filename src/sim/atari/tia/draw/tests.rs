//! Tests of the TIA's drawing.

use super::super::{BL, M1};
use super::super::{VisiblePicture, clock_at};
use super::*;
use envpool_rs_numeric::random::Generator;

const PICTURE: VisiblePicture = VisiblePicture { first_line: 2, rows: 40, pal: false, hmove_blanks: true };
const CYCLES: u32 = 76;

/// Returns random writes to TIA registers, with their cycles. Most writes go to a few registers, at the times at which programs
/// typically write them.
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
            // The last writes make missile 0 draw the stars of the game Cosmic Ark.
            writes.insert(writes.len() - 1, (cycles, 0x22, 0x70));
            cycles += 21;
            writes.push((cycles, 0x22, 0x60));
        }
    }
    writes
}

/// Performs register writes on a TIA. Returns the picture and the serialized registers. If `eager` is set, the TIA draws after
/// every clock instead of lazily.
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
    // The clock up to which drawing was deferred does not affect results, so it is not compared.
    tia.deferred_to = 0;
    (screen.pixels().to_vec(), postcard::to_allocvec(&tia).expect("encoded"))
}

#[test]
fn lines_do_not_depend_on_draw_time_or_vector_instructions() {
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

/// Returns the set of objects that cover the pixel `x`, computed directly from the registers, one object at a time.
fn objects(tia: &Tia, x: usize) -> u8 {
    let from = |position: u8| (x + WIDTH - usize::from(position)) % WIDTH;
    let copies = |index: usize| -> &[usize] {
        [&[0][..], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]][usize::from(tia.players[index].nusiz)]
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

/// Returns the colour of the pixel `x` if the set of objects `objects` covers it.
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

/// Pairs of objects that bits 6 and 7 of each collision register report, starting with CXM0P.
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
fn a_line_equals_a_per_pixel_model_with_its_collisions() {
    let mut random = Generator::new(2);
    for round in 0..2_000 {
        let mut tia = Tia::new(PICTURE);
        let mut screen = FrameBuffers::default();
        tia.start_frame(0, &mut screen);
        let mut byte = |below: i64| random.integers(0, below) as u8;
        for player in &mut tia.players {
            (player.current_grp, player.nusiz, player.position, player.colup) = (byte(256), byte(8), byte(160), byte(128) * 2);
        }
        for missile in &mut tia.missiles {
            (missile.size, missile.position) = (byte(4), byte(160));
        }
        (tia.ball.size, tia.ball.position, tia.ball.colupf) = (byte(4), byte(160), byte(128) * 2);
        // If both score mode and playfield priority are on, the set that contains only `PF` is not tested, because score mode
        // then takes precedence.
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
