//! Looks up bytes in tables, and interleaves colour planes, many pixels at a time.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

use envpool_rs_numeric::simd::{SimdKernel, SimdLevel};

/// Looks up the pixels of all `screens` in `table`, and writes the pixelwise maximum of the results to `out`.
///
/// # Panics
/// If the lengths differ, or if there is no screen.
pub fn look_up_maximum(screens: &[&[u8]], table: &[u8; 256], out: &mut [u8]) {
    look_up_at(SimdLevel::detect(), screens, table, out);
}

fn look_up_at(level: SimdLevel, screens: &[&[u8]], table: &[u8; 256], out: &mut [u8]) {
    assert!(!screens.is_empty() && screens.iter().all(|screen| screen.len() == out.len()), "screens of one length");
    match level {
        // SAFETY: the level shows that the processor has the instructions of the function.
        #[cfg(target_arch = "x86_64")]
        level if level.has_avx512_vbmi() => unsafe { avx512::look_up_maximum(screens, table, out) },
        // SAFETY: the level shows that the processor has the instructions of the function.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512(_) | SimdLevel::Avx2(_) => unsafe { avx2::look_up_maximum(screens, table, out) },
        _ => look_up_portably(screens, table, out),
    }
}

fn look_up_portably(screens: &[&[u8]], table: &[u8; 256], out: &mut [u8]) {
    let (first, others) = screens.split_first().expect("a screen");
    out.iter_mut().zip(*first).for_each(|(out, number)| *out = table[usize::from(*number)]);
    for other in others.iter().filter(|other| *other != first) {
        out.iter_mut().zip(*other).for_each(|(out, number)| *out = table[usize::from(*number)].max(*out));
    }
}

/// Interleaves three planes to pixels of three bytes.
///
/// # Panics
/// If the planes' lengths differ, or if `out` does not have three bytes for each of their bytes.
pub fn interleave(planes: [&[u8]; 3], out: &mut [u8]) {
    assert!(planes.iter().all(|plane| 3 * plane.len() == out.len()), "three bytes for each pixel");
    SimdLevel::detect().run(Interleave { planes, out });
}

struct Interleave<'a> {
    planes: [&'a [u8]; 3],
    out: &'a mut [u8],
}

impl SimdKernel for Interleave<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let [red, green, blue] = self.planes;
        for (((out, red), green), blue) in self.out.as_chunks_mut().0.iter_mut().zip(red).zip(green).zip(blue) {
            *out = [*red, *green, *blue];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use envpool_rs_numeric::random::Generator;

    #[test]
    fn all_levels_look_up_the_maximum() {
        let mut random = Generator::new(3);
        let table: [u8; 256] = std::array::from_fn(|i| (i * 89 % 256) as u8);
        for length in [1, 15, 31, 32, 63, 64, 65, 160, 1000] {
            for colours in [2, 256] {
                let screens = [0; 3].map(|_| (0..length).map(|_| random.integers(0, colours) as u8).collect::<Vec<u8>>());
                for count in 1..=3 {
                    let screens: Vec<&[u8]> = screens[..count].iter().map(Vec::as_slice).collect();
                    let brightest = |i: usize| screens.iter().map(|screen| table[usize::from(screen[i])]).max().unwrap_or(0);
                    let expected: Vec<u8> = (0..length).map(brightest).collect();
                    for level in SimdLevel::available() {
                        let mut found = vec![0; length];
                        look_up_at(level, &screens, &table, &mut found);
                        assert_eq!(found, expected, "{} screens of {length} pixels, {}", count, level.name());
                    }
                }
            }
        }
    }

    #[test]
    fn all_levels_interleave() {
        let planes = [0, 1, 2].map(|plane| (0..77).map(|i| 3 * i + plane).collect::<Vec<u8>>());
        for level in SimdLevel::available() {
            let mut out = vec![0; 231];
            level.run(Interleave { planes: [&planes[0], &planes[1], &planes[2]], out: &mut out });
            assert_eq!(out, (0..231).collect::<Vec<u8>>(), "{}", level.name());
        }
    }
}
