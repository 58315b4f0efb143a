//! Compares every method of [`StdMt19937`] with libstdc++. The test vectors were written by `tools/golden/cpp_streams.cpp`,
//! compiled by g++ 12.

use serde::Deserialize;

use crate::random::{RandomStream, StdMt19937};

#[derive(Deserialize)]
struct Stream {
    seed: u64,
    integers: Vec<(i64, i64, Vec<i64>)>,
    floats: Vec<(f64, f64, Vec<u64>)>,
}

#[test]
fn integers_and_floats_equal_libstdcxxs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/cpp_random.json");
    let streams: Vec<Stream> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(!streams.is_empty());
    for Stream { seed, integers, floats } in streams {
        let mut random = StdMt19937::from_seed(seed);
        for (low, high, expected) in integers {
            let drawn: Vec<_> = expected.iter().map(|_| random.uniform_int(low, high)).collect();
            assert_eq!(drawn, expected, "seed {seed}, integers of {low}..={high}");
        }
        for (low, high, expected) in floats {
            let drawn: Vec<_> = expected.iter().map(|_| random.uniform_real(low, high).to_bits()).collect();
            assert_eq!(drawn, expected, "seed {seed}, floats of {low}..{high}");
        }
    }
}

#[test]
fn only_the_lower_32_bits_of_a_seed_are_used() {
    let [mut small, mut large] = [7, (9 << 32) + 7].map(StdMt19937::from_seed);
    assert_eq!(small.integer_between(0, 1 << 40), large.integer_between(0, 1 << 40));
}
