//! Tests properties of the random streams that hold for all seeds and arguments.

use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::random::{Generator, Mt19937, Pcg64, RandomState, SeedSequence, u32_words};

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    postcard::from_bytes(&postcard::to_allocvec(value).unwrap()).unwrap()
}

/// Returns a generator after `draws` draws, so that the generator may have a buffered half word.
fn used_generator(seed: u64, draws: usize) -> Generator {
    let mut rng = Generator::new(seed);
    for _ in 0..draws {
        rng.integers(0, 10);
    }
    rng
}

/// Returns a [`RandomState`] after `draws` draws, at any position in its block of words, so that the stream may have a buffered
/// normal number.
fn used_state(seed: u64, draws: usize) -> RandomState {
    let mut rng = RandomState::new(seed);
    for _ in 0..draws {
        rng.standard_normal();
    }
    rng
}

fn next_of_generator(rng: &mut Generator) -> Vec<u64> {
    let mut drawn = vec![rng.integers(0, 1000) as u64, rng.random().to_bits()];
    drawn.extend([rng.standard_normal().to_bits(), rng.choice(77) as u64]);
    drawn
}

fn next_of_state(rng: &mut RandomState) -> Vec<u64> {
    let mut drawn: Vec<_> = (0..700).map(|_| rng.standard_normal().to_bits()).collect();
    drawn.push(rng.randint(0, 1000) as u64);
    drawn
}

fn is_permutation(mut indices: Vec<usize>) -> bool {
    indices.sort_unstable();
    indices.iter().enumerate().all(|(expected, index)| expected == *index)
}

proptest! {
    #[test]
    fn integers_stay_in_their_range(seed: u64, low: i64, high: i64) {
        prop_assume!(low < high);
        let drawn = Generator::new(seed).integers(low, high);
        prop_assert!((low..high).contains(&drawn));
        let drawn = RandomState::new(seed).randint(low, high);
        prop_assert!((low..high).contains(&drawn));
    }

    #[test]
    fn floats_drawn_in_bulk_equal_floats_drawn_singly(seed: u64, words in 0_usize..1300, counts in prop::collection::vec(0_usize..1500, 1..4)) {
        let mut together = Mt19937::init_genrand(seed as u32);
        (0..words).for_each(|_| {
            together.next_u32();
        });
        let mut single = together.clone();
        for count in counts {
            let mut floats = vec![0.0; count];
            together.fill_f64(&mut floats);
            prop_assert!(floats.iter().all(|float| float.to_bits() == single.next_f64().to_bits()));
        }
        prop_assert_eq!(together.next_u32(), single.next_u32());
    }

    #[test]
    fn integers_of_short_ranges_stay_in_range(seed: u64, low: i64, count in 1_i64..50) {
        let high = low.saturating_add(count);
        prop_assume!(low < high);
        let (mut rng, mut legacy) = (Generator::new(seed), RandomState::new(seed));
        for _ in 0..20 {
            prop_assert!((low..high).contains(&rng.integers(low, high)));
            prop_assert!((low..high).contains(&legacy.randint(low, high)));
            prop_assert!((low..high).contains(&legacy.random_integers(low, high - 1)));
        }
    }

    #[test]
    fn integers_of_eight_bits_stay_in_their_range(seed: u64, one: i8, other: i8) {
        let (low, high) = (one.min(other), one.max(other));
        let mut array = [0; 33];
        let mut rng = Generator::new(seed);
        rng.fill_integers_inclusive(&mut array, low, high);
        prop_assert!(array.iter().all(|drawn| (low..=high).contains(drawn)));
        prop_assert!((low..=high).contains(&rng.integers_inclusive(low, high)));
    }

    #[test]
    fn uniform_draws_stay_below_one(seed: u64) {
        let (mut rng, mut legacy) = (Generator::new(seed), RandomState::new(seed));
        for _ in 0..20 {
            prop_assert!((0.0..1.0).contains(&rng.random()));
            prop_assert!((0.0..1.0).contains(&rng.random_f32()));
            prop_assert!((0.0..1.0).contains(&legacy.random_sample()));
        }
    }

    #[test]
    fn shuffles_are_permutations(seed: u64, count in 0_usize..200) {
        prop_assert!(is_permutation(Generator::new(seed).permutation(count)));
        prop_assert!(is_permutation(RandomState::new(seed).permutation(count)));
    }

    #[test]
    fn choices_without_replacement_are_different_and_in_range(seed: u64, count in 0_usize..12_000, part in 0.0..=1.0) {
        let size = (count as f64 * part) as usize;
        for mut chosen in [
            Generator::new(seed).choice_without_replacement(count, size),
            RandomState::new(seed).choice_without_replacement(count, size),
        ] {
            prop_assert_eq!(chosen.len(), size);
            prop_assert!(chosen.iter().all(|index| *index < count));
            chosen.sort_unstable();
            prop_assert!(chosen.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn weighted_choices_never_select_a_zero_weight(seed: u64, weights in prop::collection::vec(0_u8..4, 1..20)) {
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        prop_assume!(sum > 0.0);
        let probabilities: Vec<f64> = weights.iter().map(|weight| f64::from(*weight) / sum).collect();
        prop_assert!(weights[Generator::new(seed).choice_weighted(&probabilities)] > 0);
        prop_assert!(weights[RandomState::new(seed).choice_weighted(&probabilities)] > 0);
    }

    #[test]
    fn a_generator_continues_identically_after_clone_and_serde(seed: u64, draws in 0_usize..9) {
        let mut rng = used_generator(seed, draws);
        let (mut clone, mut restored) = (rng.clone(), round_trip(&rng));
        prop_assert_eq!(&restored, &rng);
        let expected = next_of_generator(&mut rng);
        prop_assert_eq!(next_of_generator(&mut clone), expected.clone());
        prop_assert_eq!(next_of_generator(&mut restored), expected);
    }

    #[test]
    fn a_random_state_continues_identically_after_clone_and_serde(seed: u64, draws in 0_usize..500) {
        let mut rng = used_state(seed, draws);
        let (mut clone, mut restored) = (rng.clone(), round_trip(&rng));
        prop_assert_eq!(&restored, &rng);
        let expected = next_of_state(&mut rng);
        prop_assert_eq!(next_of_state(&mut clone), expected.clone());
        prop_assert_eq!(next_of_state(&mut restored), expected);
    }

    #[test]
    fn a_seed_is_the_list_of_its_words(seed: u64) {
        let words: Vec<_> = u32_words(seed).collect();
        prop_assert_eq!(SeedSequence::new(seed), SeedSequence::from_words(&words, &[]));
    }
}

#[test]
fn generators_refuse_broken_snapshots() {
    let even_increment = (1_u128, 2_u128, None::<u32>);
    let bytes = postcard::to_allocvec(&even_increment).unwrap();
    assert!(postcard::from_bytes::<Pcg64>(&bytes).is_err());
}

#[test]
fn random_states_refuse_broken_snapshots() {
    let attempt = |key: Vec<u32>, position: usize| {
        let bytes = postcard::to_allocvec(&(key, position, None::<f64>)).unwrap();
        postcard::from_bytes::<RandomState>(&bytes).is_ok()
    };
    assert!(attempt(vec![1; 624], 624));
    assert!(!attempt(vec![1; 624], 625), "position beyond the words");
    assert!(!attempt(vec![1; 623], 0), "a word missing");
    assert!(!attempt(vec![0; 624], 0), "draws zero for ever");
}

#[test]
fn a_generator_takes_forty_eight_bytes() {
    assert_eq!(size_of::<Generator>(), 48);
}

#[test]
#[should_panic = "integers(3, 3): low must be below high"]
fn an_empty_range_is_refused() {
    Generator::new(0).integers(3, 3);
}

#[test]
#[should_panic = "the probabilities sum to 0.5"]
fn probabilities_that_do_not_sum_to_one_are_refused() {
    Generator::new(0).choice_weighted(&[0.25, 0.25]);
}
