//! Pictures of palette numbers, looked up and made smaller in one pass, as [`area`](super::area) makes each of their planes.
//!
//! Where a new pixel is `a/b` old ones wide, all shares are integers in units of a `b`-th of an old pixel, and so are sums. OpenCV's
//! float32 averages are nearer to the exact ones than two sums are to each other, so they round to the same byte, but for sums half-way
//! between two bytes: those are computed as OpenCV does, one by one.
//!
//! Rows are summed first, in 16 bits, then columns of these sums.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod plan;
mod portable;

use self::plan::{Cover, Plan};
use envpool_rs_engine::Vectors;

/// `INTER_AREA` on planes that are looked up in tables, one for each plane.
#[derive(Clone, Debug)]
pub struct NumberedArea {
    plan: Plan,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Tables),
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl NumberedArea {
    /// Of pictures of size `drawn` that are first made into pictures of size `native`, the same or half as many rows and columns. Sizes
    /// are in rows and columns. None where sizes are such that it cannot be done in this way.
    pub fn new(drawn: (usize, usize), native: (usize, usize), to: (usize, usize), tables: &[[u8; 256]]) -> Option<Self> {
        let plan = Plan::new(drawn, native, to, tables)?;
        let way = Way::detect(&plan.columns);
        Some(Self { plan, way })
    }

    /// Looks up `screen`, and makes it smaller: planes, one after the other.
    ///
    /// # Panics
    /// If one of them does not have its size.
    pub fn run(&self, screen: &[u8], out: &mut [u8]) {
        let Plan { tables, to, .. } = &self.plan;
        let drawn = self.plan.drawn();
        assert_eq!(screen.len(), drawn.0 * drawn.1, "bytes of the picture");
        assert_eq!(out.len(), tables.len() * to.0 * to.1, "bytes of the result");
        match &self.way {
            // SAFETY: `detect` found the instructions; the sizes are right.
            #[cfg(target_arch = "x86_64")]
            Way::Avx512(tables) => unsafe { avx512::run(&self.plan, tables, screen, out) },
            // SAFETY: `detect` found the instructions.
            #[cfg(target_arch = "x86_64")]
            Way::Avx2 => unsafe { portable::run_avx2(&self.plan, screen, out) },
            Way::Portable => portable::run(&self.plan, screen, out),
        }
    }
}

impl Way {
    fn detect(columns: &[Cover]) -> Self {
        match Vectors::detect() {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 if std::arch::is_x86_feature_detected!("avx512vbmi") => {
                avx512::Tables::new(columns).map_or(Self::Avx2, Self::Avx512)
            }
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 | Vectors::Avx2 => Self::Avx2,
            _ => {
                let _they_matter_to_vectors = columns;
                Self::Portable
            }
        }
    }
}

#[cfg(test)]
mod tests;
