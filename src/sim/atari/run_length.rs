//! Run-length encoding of pictures in snapshots; the second picture is stored as its difference from the first.
//!
//! The two screens of a game take 1 to 6 KB in this encoding, compared with 67 KB or more as pixels.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tia::{MAX_ROWS, WIDTH};

/// Pixel value, and the number of consecutive pixels with this value.
type Run = (u8, u32);

pub(super) fn serialize<S: Serializer>(pictures: &[Vec<u8>; 2], serializer: S) -> Result<S::Ok, S::Error> {
    let [first, second] = pictures;
    let differences = first.iter().zip(second).map(|(one, other)| one ^ other);
    (runs(first.iter().copied()), runs(differences)).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Vec<u8>; 2], D::Error> {
    let (first, differences) = <(Vec<Run>, Vec<Run>)>::deserialize(deserializer)?;
    let (first, differences) = (pixels::<D>(&first)?, pixels::<D>(&differences)?);
    if first.len() != differences.len() {
        return Err(D::Error::custom("two pictures of different sizes"));
    }
    let second = first.iter().zip(differences).map(|(one, difference)| one ^ difference).collect();
    Ok([first, second])
}

fn runs(pixels: impl Iterator<Item = u8>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for pixel in pixels {
        match runs.last_mut() {
            Some((value, length)) if *value == pixel => *length += 1,
            _ => runs.push((pixel, 1)),
        }
    }
    runs
}

/// Expands runs to pixels. Rejects a picture that has too many pixels, before memory is allocated for them.
fn pixels<'de, D: Deserializer<'de>>(runs: &[Run]) -> Result<Vec<u8>, D::Error> {
    let most = (MAX_ROWS * WIDTH) as u64;
    if runs.iter().map(|(_, length)| u64::from(*length)).sum::<u64>() > most {
        return Err(D::Error::custom(format_args!("a picture of more than {most} pixels")));
    }
    Ok(runs.iter().flat_map(|(value, length)| std::iter::repeat_n(*value, *length as usize)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Saved(#[serde(with = "super")] [Vec<u8>; 2]);

    #[test]
    fn pictures_survive_compression() {
        let first: Vec<u8> = (0..33_600_u32).map(|i| (i / 160 / 7 % 5 * 16) as u8).collect();
        let second = first.iter().enumerate().map(|(i, pixel)| if i % 1000 == 0 { 0x0e } else { *pixel }).collect();
        let saved = Saved([first, second]);
        let bytes = postcard::to_allocvec(&saved).expect("encoded");
        assert!(bytes.len() < 1_000, "{}", bytes.len());
        assert_eq!(postcard::from_bytes::<Saved>(&bytes).expect("decoded"), saved);
    }

    #[test]
    fn damaged_runs_are_refused_before_allocation() {
        for runs in [(vec![(1_u8, u32::MAX); 1_000], vec![]), (vec![(1, 100)], vec![(0, 99)])] {
            let bytes = postcard::to_allocvec(&runs).expect("encoded");
            assert!(postcard::from_bytes::<Saved>(&bytes).is_err());
        }
    }
}
