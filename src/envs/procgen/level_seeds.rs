//! Computes the seeds of the random streams from which environments draw their level seeds.

use envpool_rs_sim_procgen::RandGen;

/// Returns the seed of the random stream from which environment `number` draws its level seeds. `seed` is the seed of this
/// environment.
///
/// The environments of a pool have the seeds `s`, `s + 1` and so on. Procgen seeds the streams of all its environments with one
/// generator, whose seed is `s`: environment `i` gets the generator's 32-bit output number `i`.
pub(crate) fn stream_seed(seed: u64, number: usize) -> u32 {
    let first = seed.wrapping_sub(number as u64) as u32;
    let mut generator = RandGen::new(first);
    (0..number).for_each(|_| {
        generator.word();
    });
    generator.word()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_of_a_pool_get_consecutive_words_of_one_generator() {
        let mut generator = RandGen::new(7);
        let words: Vec<_> = (0..5).map(|_| generator.word()).collect();
        let streams: Vec<_> = (0..5).map(|lane| stream_seed(7 + lane as u64, lane)).collect();
        assert_eq!(streams, words);
    }
}
