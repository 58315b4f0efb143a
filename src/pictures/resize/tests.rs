use serde::Deserialize;

use super::*;
use envpool_rs_numeric::random::Generator;

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
        let resize = Resize::new(from, to, case.method(), channels);
        let mut out = vec![0; to.0 * to.1 * channels];
        resize.run(&case.image(), &mut out);
        assert_eq!(crc32fast::hash(&out), case.crc32, "{from:?} to {to:?}, {channels} channels, {}", case.method);
    }
}

#[test]
fn two_screens_become_the_maximum_of_their_grays() {
    let mut random = Generator::new(5);
    let table: [u8; 256] = std::array::from_fn(|i| (i * 89 % 256) as u8);
    for (from, to, method) in [
        ((210, 160), (84, 84), Interpolation::Area),
        ((210, 160), (84, 84), Interpolation::Linear),
        ((250, 160), (84, 84), Interpolation::Area),
        ((210, 160), (210, 160), Interpolation::Area),
    ] {
        let resize = Resize::new(from, to, method, 1);
        let [one, other] = [0; 2].map(|_| -> Vec<u8> { (0..from.0 * from.1).map(|_| random.integers(0, 256) as u8).collect() });
        let gray = |screen: &[u8]| -> Vec<u8> { screen.iter().map(|pixel| table[usize::from(*pixel)]).collect() };
        let [mut found, mut expected] = [0; 2].map(|_| vec![0; to.0 * to.1]);
        resize.run(&gray(&one).iter().zip(gray(&other)).map(|(a, b)| b.max(*a)).collect::<Vec<u8>>(), &mut expected);
        resize.run_gray_max(&one, &other, &table, &mut found);
        assert_eq!(found, expected, "two, {from:?} to {to:?}");
        resize.run(&gray(&one), &mut expected);
        resize.run_gray(&one, &table, &mut found);
        assert_eq!(found, expected, "one, {from:?} to {to:?}");
    }
}

#[test]
#[should_panic(expected = "bytes of the source")]
fn a_source_of_another_size_is_refused() {
    Resize::new((210, 160), (84, 84), Interpolation::Area, 1).run(&[0; 100], &mut [0; 84 * 84]);
}

#[test]
#[should_panic(expected = "a picture has at least one pixel")]
fn empty_images_are_refused() {
    let _ = Resize::new((210, 160), (0, 84), Interpolation::Area, 1);
}
