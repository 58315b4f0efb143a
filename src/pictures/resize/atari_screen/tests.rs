use super::covers::*;
use super::*;
use crate::resize::area::Area;
use envpool_rs_numeric::random::Generator;

/// Returns two screens filled with noise or, depending on the seed, with blocks of a few colours, as in games.
fn screens(seed: u64) -> [Box<[u8; SOURCE]>; 2] {
    let mut random = Generator::new(seed);
    let colours: Vec<u8> = (0..8).map(|_| random.integers(0, 256) as u8).collect();
    let noise = seed.is_multiple_of(3);
    std::array::from_fn(|_| {
        let mut screen = Box::new([0; SOURCE]);
        for block in screen.chunks_mut(if noise { 1 } else { 1 + seed as usize % 7 }) {
            block.fill(if noise { random.integers(0, 256) as u8 } else { colours[random.integers(0, 8) as usize] });
        }
        screen
    })
}

/// Returns one resizer for each SIMD level that the test machine's processor has.
fn paths() -> Vec<AtariScreenResize> {
    let best = AtariScreenResize::new();
    let mut paths =
        vec![AtariScreenResize { simd_path: SimdPath::Scalar(Box::new(scalar::Tables::new(&best.covers))), ..best.clone() }];
    #[cfg(target_arch = "x86_64")]
    if SimdLevel::available().len() > 1 {
        paths.push(AtariScreenResize { simd_path: SimdPath::Avx2(Box::new(avx2::Tables::new(&best.covers))), ..best.clone() });
    }
    paths.push(best);
    paths
}

#[test]
fn all_vector_instructions_equal_the_float_averages() {
    let area = Area::new(FROM, TO);
    let table: [u8; 256] = std::array::from_fn(|i| (i * 7 + i / 16 * 31) as u8);
    for seed in 0..30 {
        let [one, other] = screens(seed);
        let gray: Vec<u8> = one.iter().zip(&other[..]).map(|(a, b)| table[*a as usize].max(table[*b as usize])).collect();
        let mut expected = vec![0; RESULT];
        area.run(&gray, &mut expected);
        for (way, screen) in paths().into_iter().enumerate() {
            let mut found = [0; RESULT];
            screen.run([&one, &other], &table, &mut found);
            assert_eq!(found[..], expected, "way {way}, seed {seed}");
        }
    }
}

#[test]
fn every_sum_halfway_between_two_bytes_is_detected() {
    for sum in 0..=51_000_u16 {
        let nearest = (sum + UNITS / 2) / UNITS;
        let eighth = u32::from((sum + UNITS / 2) >> 3);
        assert_eq!(u32::from(nearest), (eighth * 41_944) >> 20, "{sum}");
    }
}

#[test]
fn output_pixels_cover_whole_units() {
    let covers = AtariScreenResize::new().covers;
    for (column, cover) in covers.columns.iter().enumerate() {
        assert!(cover.weights.iter().all(|weight| (weight * COLUMN_UNITS - (weight * COLUMN_UNITS).round()).abs() < 1e-4));
        assert_eq!(cover.units().iter().map(|units| u16::from(*units)).sum::<u16>() * 5, UNITS, "{column}");
        assert_eq!(cover.first, column * 40 / 21);
    }
    for (row, cover) in covers.rows.iter().enumerate() {
        let expected = if row % 2 == 0 { [0.4, 0.4, 0.2] } else { [0.2, 0.4, 0.4] };
        assert!(cover.weights.iter().zip(expected).all(|(found, expected): (_, f32)| (found - expected).abs() < 1e-4));
        assert_eq!(cover.first, row * 5 / 2);
    }
}
