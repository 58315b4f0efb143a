use serde::Deserialize;

use super::*;
use envpool_rs_numeric::random::Generator;
use envpool_rs_numeric::simd::SimdLevel;

/// One recorded case: an image, its target size, and the result of OpenCV that
/// `tools/golden/resize.py` recorded.
#[derive(Deserialize)]
struct Case {
    from: (usize, usize),
    to: (usize, usize),
    channels: usize,
    method: String,
    levels: i64,
    seed: u64,
    crc32: u32,
}

#[derive(Deserialize)]
struct Recorded {
    cases: Vec<Case>,
}

impl Case {
    fn image(&self) -> Vec<u8> {
        let mut random = Generator::new(self.seed);
        let bytes = self.from.0 * self.from.1 * self.channels;
        (0..bytes).map(|_| (random.integers(0, self.levels) * 255 / (self.levels - 1)) as u8).collect()
    }

    fn method(&self) -> Interpolation {
        if self.method == "area" { Interpolation::Area } else { Interpolation::Linear }
    }
}

#[test]
fn images_equal_opencvs_byte_for_byte() {
    let recorded: Recorded = serde_json::from_str(include_str!("../../../tests/data/atari/resize.json")).expect("recorded");
    for case in recorded.cases {
        let (from, to, channels) = (case.from, case.to, case.channels);
        let (image, mut resized) = (case.image(), vec![0; to.0 * to.1 * channels]);
        for level in SimdLevel::available() {
            for channel in 0..channels {
                let plane: Vec<u8> = image.iter().skip(channel).step_by(channels).copied().collect();
                let mut out = vec![0; to.0 * to.1];
                match &Resize::new(from, to, case.method()).algorithm {
                    ResizeAlgorithm::Same => out.copy_from_slice(&plane),
                    ResizeAlgorithm::Blocks(blocks) => blocks.run_at(level, &plane, &mut out),
                    ResizeAlgorithm::Area(area) => area.run_at(level, &plane, &mut out),
                    ResizeAlgorithm::Linear(linear) => linear.run_at(level, &plane, &mut out),
                }
                resized.iter_mut().skip(channel).step_by(channels).zip(out).for_each(|(resized, pixel)| *resized = pixel);
            }
            let what = format!("{from:?} to {to:?}, {channels} channels, {}, {}", case.method, level.name());
            assert_eq!(crc32fast::hash(&resized), case.crc32, "{what}");
        }
    }
}

#[test]
fn screens_become_the_maximum_of_their_planes() {
    static TABLES: [[u8; 256]; 3] = {
        let mut tables = [[0; 256]; 3];
        let mut at = 0;
        while at < 768 {
            tables[at / 256][at % 256] = (at % 256 * [89, 57, 31][at / 256]) as u8;
            at += 1;
        }
        tables
    };
    let mut random = Generator::new(5);
    for (from, to, method) in [
        ((210, 160), (84, 84), Interpolation::Area),
        ((210, 160), (84, 84), Interpolation::Linear),
        ((250, 160), (84, 84), Interpolation::Area),
        ((210, 160), (83, 77), Interpolation::Area),
        ((210, 160), (105, 80), Interpolation::Area),
        ((210, 160), (210, 160), Interpolation::Area),
        ((210, 160), (300, 20), Interpolation::Area),
    ] {
        let pixels = to.0 * to.1;
        let screens = [0; 3].map(|_| -> Vec<u8> { (0..from.0 * from.1).map(|_| random.integers(0, 256) as u8).collect() });
        for count in 1..=3 {
            let screens: Vec<&[u8]> = screens[..count].iter().map(Vec::as_slice).collect();
            let mut expected = vec![0; 3 * pixels];
            for (table, expected) in TABLES.iter().zip(expected.chunks_exact_mut(pixels)) {
                let brightest = |at| screens.iter().map(|screen| table[usize::from(screen[at])]).max().unwrap_or(0);
                let plane: Vec<u8> = (0..from.0 * from.1).map(brightest).collect();
                Resize::new(from, to, method).run(&plane, expected);
            }
            let resize = PaletteResize::new(from, to, method, &TABLES);
            let [mut planes, mut interleaved] = [0; 2].map(|_| vec![0; 3 * pixels]);
            resize.run(&screens, &mut planes);
            assert_eq!(planes, expected, "{count} screens, {from:?} to {to:?}");
            resize.run_interleaved(&screens, &mut interleaved);
            let expected: Vec<u8> = (0..3 * pixels).map(|at| expected[at % 3 * pixels + at / 3]).collect();
            assert_eq!(interleaved, expected, "{count} screens, {from:?} to {to:?}");
        }
    }
}

#[test]
#[should_panic(expected = "bytes of the source")]
fn a_source_of_another_size_is_refused() {
    Resize::new((210, 160), (84, 84), Interpolation::Area).run(&[0; 100], &mut [0; 84 * 84]);
}

#[test]
#[should_panic(expected = "a picture has at least one pixel")]
fn empty_images_are_refused() {
    let _ = Resize::new((210, 160), (0, 84), Interpolation::Area);
}
