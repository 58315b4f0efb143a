//! Computes the seeds from which environments draw their level seeds.

use envpool_rs_sim_procgen::RandGen;

/// Returns the seed of environment `lane`'s stream of level seeds. `seed` is the environment's own seed.
///
/// The environments of a pool have the seeds `s`, `s + 1` and so on. Procgen draws the streams of all its environments from one
/// generator with the seed `s`: environment `i` is seeded with the generator's word number `i`.
pub(crate) fn stream_seed(seed: u64, lane: usize) -> u32 {
    let first = seed.wrapping_sub(lane as u64) as u32;
    let mut generator = RandGen::new(first);
    (0..lane).for_each(|_| {
        generator.word();
    });
    generator.word()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_of_a_pool_get_the_words_of_one_generator() {
        let mut generator = RandGen::new(7);
        let words: Vec<_> = (0..5).map(|_| generator.word()).collect();
        let streams: Vec<_> = (0..5).map(|lane| stream_seed(7 + lane as u64, lane)).collect();
        assert_eq!(streams, words);
    }
}
