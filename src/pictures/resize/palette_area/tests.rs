use super::plan::{MAX_UNITS, Rounding};
use super::*;
use crate::resize::{Interpolation, Resize};
use envpool_rs_numeric::random::Generator;

/// Returns a picture filled with noise or, depending on the seed, with blocks of a few colours, as in games.
fn picture(seed: u64, size: (usize, usize)) -> Vec<u8> {
    let mut random = Generator::new(seed);
    let colours: Vec<u8> = (0..8).map(|_| random.integers(0, 256) as u8).collect();
    let noise = seed.is_multiple_of(3);
    let mut picture = vec![0; size.0 * size.1];
    for block in picture.chunks_mut(if noise { 1 } else { 1 + seed as usize % 7 }) {
        block.fill(if noise { random.integers(0, 256) as u8 } else { colours[random.integers(0, 8) as usize] });
    }
    picture
}

/// Returns `area` itself, and one copy of it for each SIMD level that the test machine's processor has.
fn ways(area: &PaletteArea) -> Vec<PaletteArea> {
    let portable =
        SimdLevel::available().into_iter().map(|level| PaletteArea { path: SimdPath::Portable(level), ..area.clone() });
    portable.chain([area.clone()]).collect()
}

#[test]
fn planes_equal_palette_lookup_followed_by_resizing() {
    let tables: [[u8; 256]; 3] = std::array::from_fn(|plane| std::array::from_fn(|k| (k * (plane * 6 + 1) + k / 16 * 31) as u8));
    let sizes = [
        ((240, 320), (240, 320), (84, 84)),
        ((240, 320), (120, 160), (84, 84)),
        ((240, 320), (120, 160), (60, 100)),
        ((240, 320), (240, 320), (240, 84)),
        ((200, 320), (200, 320), (80, 100)),
        ((240, 320), (240, 320), (96, 96)),
        ((120, 160), (120, 160), (84, 84)),
        ((30, 50), (30, 50), (29, 15)),
    ];
    for (drawn, native, to) in sizes {
        let area = PaletteArea::new(drawn, native, to, &tables).expect("sizes that can be done");
        let (halved, resize) = (Resize::new(drawn, native, Interpolation::Area), Resize::new(native, to, Interpolation::Area));
        for seed in 0..8 {
            let screen = picture(seed, drawn);
            let expected: Vec<u8> = tables
                .iter()
                .flat_map(|table| {
                    let looked_up: Vec<u8> = screen.iter().map(|number| table[usize::from(*number)]).collect();
                    let (mut shown, mut out) = (vec![0; native.0 * native.1], vec![0; to.0 * to.1]);
                    halved.run(&looked_up, &mut shown);
                    resize.run(&shown, &mut out);
                    out
                })
                .collect();
            for way in ways(&area) {
                let mut out = vec![0; 3 * to.0 * to.1];
                way.run(&screen, &mut out);
                assert!(out == expected, "{drawn:?} to {native:?} to {to:?}, seed {seed}, {:?}", way.path);
            }
        }
    }
}

#[test]
fn sums_halfway_between_two_bytes_are_detected() {
    for units in [1, 7, 49, 400, 1600, MAX_UNITS] {
        let rounding = Rounding::new(units);
        for sum in 0..=255 * units as i32 {
            let doubled = 2 * sum + rounding.half;
            assert_eq!(
                (doubled as f32 * rounding.inverse + rounding.nudge()) as i32,
                doubled / rounding.whole,
                "{sum} of {units}"
            );
        }
    }
}

#[test]
fn unsupported_sizes_are_declined() {
    let tables = [[0; 256]];
    for (drawn, native, to) in [
        ((240, 320), (240, 320), (120, 160)), // block averages need no weights
        ((240, 320), (240, 320), (300, 300)), // the target is larger than the source
        ((240, 320), (80, 100), (40, 40)),    // `native` is neither `drawn` nor half of it
        ((480, 640), (480, 640), (83, 84)),   // the weights are too fine for float32 averages
    ] {
        assert!(PaletteArea::new(drawn, native, to, &tables).is_none(), "{drawn:?} to {native:?} to {to:?}");
    }
}
