//! Compares every method of the random streams with numpy 2.4.6. The test vectors were written by
//! `tools/golden/random_streams.py`.

use serde::Deserialize;
use serde_json::Value;

use crate::random::{Generator, RandomState, SeedSequence};

#[derive(Deserialize)]
struct Vectors {
    sequences: Vec<Sequence>,
    generator: Streams,
    generator_long: Vec<LongStream>,
    legacy: Streams,
    legacy_long: Vec<LongStream>,
    legacy_words: Vec<WordsStream>,
}

#[derive(Deserialize)]
struct Sequence {
    entropy: Vec<u64>,
    spawn_key: Vec<u64>,
    u32: [u32; 9],
    u64: [u64; 9],
}

#[derive(Deserialize)]
struct Streams {
    calls: Vec<Vec<Value>>,
    streams: Vec<Stream>,
}

#[derive(Deserialize)]
struct Stream {
    seed: u64,
    bits: Vec<Vec<u64>>,
}

#[derive(Deserialize)]
struct LongStream {
    seed: u64,
    call: Vec<Value>,
    count: usize,
    checksum: u64,
}

#[derive(Deserialize)]
struct WordsStream {
    words: Vec<u32>,
    bits: Vec<u64>,
}

fn vectors() -> Vectors {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/random.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Computes the same checksum as `tools/golden/random_streams.py`: the sum of the words, weighted by 1, 3, 5, ...
fn checksum(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().zip((1_u64..).step_by(2)).fold(0, |sum, (word, weight)| sum.wrapping_add(word.wrapping_mul(weight)))
}

/// Recorded call of a numpy function: its name, then its arguments.
struct Call<'a>(&'a [Value]);

impl Call<'_> {
    fn name(&self) -> &str {
        self.0[0].as_str().unwrap()
    }

    fn int(&self, index: usize) -> i64 {
        self.0[index + 1].as_i64().unwrap()
    }

    fn size(&self, index: usize) -> usize {
        self.int(index) as usize
    }

    fn float(&self, index: usize) -> f64 {
        self.0[index + 1].as_f64().unwrap()
    }

    fn floats(&self, index: usize) -> Vec<f64> {
        self.0[index + 1].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    }
}

fn float(value: f64) -> Vec<u64> {
    vec![value.to_bits()]
}

fn integer(value: i64) -> Vec<u64> {
    vec![value as u64]
}

fn indices(values: Vec<usize>) -> Vec<u64> {
    values.into_iter().map(|value| value as u64).collect()
}

/// Performs a recorded call of `integers` with a dtype: draws one integer, or an array if the call's name starts with `fill_`.
macro_rules! integers_of {
    ($type:ty, $rng:ident, $call:ident) => {{
        // `bound` reads a bound as an unsigned or signed integer, because the bound `u64::MAX` in the test vectors does not fit
        // an i64.
        let bound = |index: usize| $call.0[index + 1].as_u64().map_or_else(|| $call.int(index) as $type, |bound| bound as $type);
        if $call.name().starts_with("fill_") {
            let mut array = vec![<$type>::MAX; $call.size(0)];
            $rng.fill_integers_inclusive(&mut array, bound(1), bound(2));
            array.into_iter().map(|value| value as u64).collect()
        } else {
            vec![$rng.integers_inclusive::<$type>(bound(0), bound(1)) as u64]
        }
    }};
}

fn draw(rng: &mut Generator, call: &Call) -> Vec<u64> {
    match call.name() {
        "random" => float(rng.random()),
        "random_f32" => float(rng.random_f32().into()),
        "uniform" => float(rng.uniform(call.float(0), call.float(1))),
        "standard_normal" => float(rng.standard_normal()),
        "normal" => float(rng.normal(call.float(0), call.float(1))),
        "standard_exponential" => float(rng.standard_exponential()),
        "exponential" => float(rng.exponential(call.float(0))),
        "integers" => integer(rng.integers(call.int(0), call.int(1))),
        "choice" => indices(vec![rng.choice(call.size(0))]),
        "choice_weighted" => indices(vec![rng.choice_weighted(&call.floats(0))]),
        "choice_without_replacement" => indices(rng.choice_without_replacement(call.size(0), call.size(1))),
        "shuffle" => indices(shuffled(call.size(0), |items| rng.shuffle(items))),
        "permutation" => indices(rng.permutation(call.size(0))),
        "int8" | "fill_int8" => integers_of!(i8, rng, call),
        "uint8" | "fill_uint8" => integers_of!(u8, rng, call),
        "int16" | "fill_int16" => integers_of!(i16, rng, call),
        "uint16" | "fill_uint16" => integers_of!(u16, rng, call),
        "int32" | "fill_int32" => integers_of!(i32, rng, call),
        "uint32" | "fill_uint32" => integers_of!(u32, rng, call),
        "int64" | "fill_int64" => integers_of!(i64, rng, call),
        "uint64" | "fill_uint64" => integers_of!(u64, rng, call),
        other => panic!("no method {other}"),
    }
}

fn draw_legacy(rng: &mut RandomState, call: &Call) -> Vec<u64> {
    match call.name() {
        "random_sample" => float(rng.random_sample()),
        "uniform" => float(rng.uniform(call.float(0), call.float(1))),
        "standard_normal" => float(rng.standard_normal()),
        "normal" => float(rng.normal(call.float(0), call.float(1))),
        "standard_exponential" => float(rng.standard_exponential()),
        "exponential" => float(rng.exponential(call.float(0))),
        "randint" => integer(rng.randint(call.int(0), call.int(1))),
        "random_integers" => integer(rng.random_integers(call.int(0), call.int(1))),
        "choice" => indices(vec![rng.choice(call.size(0))]),
        "choice_weighted" => indices(vec![rng.choice_weighted(&call.floats(0))]),
        "choice_without_replacement" => indices(rng.choice_without_replacement(call.size(0), call.size(1))),
        "shuffle" => indices(shuffled(call.size(0), |items| rng.shuffle(items))),
        "permutation" => indices(rng.permutation(call.size(0))),
        other => panic!("no method {other}"),
    }
}

fn shuffled(count: usize, shuffle: impl FnOnce(&mut [usize])) -> Vec<usize> {
    let mut items: Vec<usize> = (0..count).collect();
    shuffle(&mut items);
    items
}

fn check_streams<R>(expected: &Streams, new: impl Fn(u64) -> R, draw: impl Fn(&mut R, &Call) -> Vec<u64>) {
    assert!(!expected.streams.is_empty());
    for Stream { seed, bits } in &expected.streams {
        assert_eq!(bits.len(), expected.calls.len());
        let mut rng = new(*seed);
        for (number, (call, expected)) in expected.calls.iter().zip(bits).enumerate() {
            let drawn = draw(&mut rng, &Call(call));
            let drawn = if drawn.len() > 20 { vec![checksum(drawn)] } else { drawn };
            assert_eq!(&drawn, expected, "seed {seed}, call {number}: {call:?}");
        }
    }
}

fn check_long<R>(expected: &[LongStream], new: impl Fn(u64) -> R, draw: impl Fn(&mut R, &Call) -> Vec<u64>) {
    assert!(!expected.is_empty());
    for LongStream { seed, call, count, checksum: expected } in expected {
        let mut rng = new(*seed);
        let sum = checksum((0..*count).map(|_| draw(&mut rng, &Call(call))[0]));
        assert_eq!(sum, *expected, "{count} times {call:?}");
    }
}

#[test]
fn seed_sequences_generate_the_words_of_numpy() {
    for Sequence { entropy, spawn_key, u32, u64 } in vectors().sequences {
        let sequence = SeedSequence::from_integers(&entropy, &spawn_key);
        assert_eq!(sequence.generate_u32(), u32, "{entropy:?}, spawn key {spawn_key:?}");
        assert_eq!(sequence.generate_u64(), u64, "{entropy:?}, spawn key {spawn_key:?}");
        if let ([seed], []) = (&entropy[..], &spawn_key[..]) {
            assert_eq!(SeedSequence::new(*seed), sequence, "{seed}");
        }
    }
}

#[test]
fn generators_draw_numpys_bits_in_any_order_of_calls() {
    check_streams(&vectors().generator, Generator::new, draw);
}

#[test]
fn long_streams_of_generators_equal_numpys() {
    check_long(&vectors().generator_long, Generator::new, draw);
}

#[test]
fn random_states_draw_numpys_bits_in_any_order_of_calls() {
    check_streams(&vectors().legacy, RandomState::new, draw_legacy);
}

#[test]
fn long_streams_of_random_states_equal_numpys() {
    check_long(&vectors().legacy_long, RandomState::new, draw_legacy);
}

#[test]
fn random_states_are_seeded_by_lists_as_in_numpy() {
    for WordsStream { words, bits } in vectors().legacy_words {
        let mut rng = RandomState::from_words(&words);
        let drawn: Vec<_> = bits.iter().map(|_| rng.random_sample().to_bits()).collect();
        assert_eq!(drawn, bits, "{} words", words.len());
    }
}
