//! Converts random streams of lanes between the C interface and numpy's `PCG64`.

use crate::abi::Random;
use envpool_rs_numeric::random::Pcg64;

/// Converts a random stream of the C interface to a `PCG64`.
#[inline]
pub fn to_pcg64(random: &Random) -> Pcg64 {
    let wide = |low: u64, high: u64| u128::from(high) << 64 | u128::from(low);
    let uinteger = (random.has_uint32 != 0).then_some(random.uinteger as u32);
    Pcg64::from_state((wide(random.state_low, random.state_high), wide(random.increment_low, random.increment_high), uinteger))
}

/// Converts a `PCG64` to a random stream of the C interface.
#[inline]
pub fn from_pcg64(pcg: &Pcg64) -> Random {
    let (state, increment, uinteger) = pcg.state();
    Random {
        state_low: state as u64,
        state_high: (state >> 64) as u64,
        increment_low: increment as u64,
        increment_high: (increment >> 64) as u64,
        has_uint32: u64::from(uinteger.is_some()),
        uinteger: u64::from(uinteger.unwrap_or(0)),
    }
}
