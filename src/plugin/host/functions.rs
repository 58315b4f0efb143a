//! Functions of the pool that libraries call: numpy's draws from a lane's random stream.

use crate::abi::{Host, Random};
use crate::random::{from_pcg64, to_pcg64};
use envpool_rs_numeric::random::{Generator, RandomStream};

/// Table of the functions that libraries may call.
pub static HOST: Host = Host {
    size: size_of::<Host>() as u64,
    random: Some(random),
    uniform: Some(uniform),
    normal: Some(normal),
    exponential: Some(exponential),
    integers: Some(integers),
    next_u64: Some(next_u64),
    next_u32: Some(next_u32),
    random_f32: Some(random_f32),
    seed: Some(seed),
};

/// Returns numpy's `default_rng(seed)`.
pub fn seeded(seed: u64) -> Random {
    from_pcg64(Generator::from_seed(seed).pcg64().expect("a Generator draws from PCG64"))
}

/// Draws a random value from a random stream of the C interface, and advances the stream.
///
/// # Safety
/// `random` points to a stream that no other thread accesses.
#[inline]
unsafe fn draw<T>(random: *mut Random, draw: impl FnOnce(&mut Generator) -> T) -> T {
    // SAFETY: the caller guarantees that no other thread accesses `random`.
    let random = unsafe { &mut *random };
    let mut generator = Generator::from_pcg64(to_pcg64(random));
    let drawn = draw(&mut generator);
    *random = from_pcg64(generator.pcg64().expect("a Generator draws from PCG64"));
    drawn
}

/// Defines the C functions that draw random values from a lane's random stream.
macro_rules! draws {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $draw:expr;)*) => {$(
        pub(super) unsafe extern "C" fn $name(random: *mut Random $(, $argument: $type)*) -> $result {
            // SAFETY: the header requires that `random` is the stream of a lane of the current call.
            unsafe { draw(random, $draw) }
        }
    )*};
}
draws! {
    random() -> f64 = Generator::random;
    uniform(low: f64, high: f64) -> f64 = |generator| generator.uniform(low, high);
    normal() -> f64 = Generator::standard_normal;
    exponential() -> f64 = Generator::standard_exponential;
    integers(low: i64, high: i64) -> i64 = |generator| if low < high { generator.integers(low, high) } else { low };
    random_f32() -> f64 = |generator| f64::from(generator.random_f32());
}

unsafe extern "C" fn next_u64(random: *mut Random) -> u64 {
    // SAFETY: the header requires that `random` is the stream of a lane of the current call.
    let random = unsafe { &mut *random };
    let mut pcg = to_pcg64(random);
    let word = pcg.next_u64();
    *random = from_pcg64(&pcg);
    word
}

unsafe extern "C" fn next_u32(random: *mut Random) -> u64 {
    // SAFETY: the header requires that `random` is the stream of a lane of the current call.
    let random = unsafe { &mut *random };
    let mut pcg = to_pcg64(random);
    let word = pcg.next_u32();
    *random = from_pcg64(&pcg);
    u64::from(word)
}

unsafe extern "C" fn seed(random: *mut Random, seed: u64) {
    // SAFETY: the header requires that `random` points to a stream that no other thread accesses.
    unsafe { *random = seeded(seed) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_equal_the_generators_in_any_order() {
        let (mut random, mut generator) = (seeded(7), Generator::new(7));
        for _ in 0..100 {
            // SAFETY: `random` is a local value, which no other thread accesses.
            let drawn = unsafe {
                [
                    super::random(&raw mut random),
                    uniform(&raw mut random, -2.0, 3.0),
                    normal(&raw mut random),
                    exponential(&raw mut random),
                    integers(&raw mut random, -5, 1 << 40) as f64,
                    integers(&raw mut random, 0, 6) as f64,
                    random_f32(&raw mut random),
                ]
            };
            let expected = [
                generator.random(),
                generator.uniform(-2.0, 3.0),
                generator.standard_normal(),
                generator.standard_exponential(),
                generator.integers(-5, 1 << 40) as f64,
                generator.integers(0, 6) as f64,
                f64::from(generator.random_f32()),
            ];
            assert_eq!(drawn.map(f64::to_bits), expected.map(f64::to_bits));
        }
        assert_eq!(to_pcg64(&random), *generator.pcg64().unwrap());
    }

    #[test]
    fn an_empty_range_draws_nothing() {
        let mut random = seeded(1);
        let before = to_pcg64(&random);
        // SAFETY: `random` is a local value, which no other thread accesses.
        assert_eq!(unsafe { integers(&raw mut random, 3, 3) }, 3);
        assert_eq!(to_pcg64(&random), before);
    }
}
