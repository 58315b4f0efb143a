//! Which vector instructions this processor has.

/// The widest instructions that kernels are compiled for and the processor can execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// AVX-512 (F, DQ, VL, BW) with FMA.
    Avx512,
    /// AVX2 with FMA.
    Avx2,
    /// A target whose baseline has fused multiply-add (aarch64).
    Baseline,
    /// None that help: one lane at a time.
    Scalar,
}

impl Vectors {
    /// As tests and reports name them.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Baseline => "baseline",
            Self::Scalar => "scalar",
        }
    }

    /// Asks the processor. `ENVPOOL_RS_VECTORS=scalar|avx2` caps the answer, so that tests can compare them.
    pub fn detect() -> Self {
        let found = Self::of_processor();
        match (std::env::var("ENVPOOL_RS_VECTORS").as_deref(), found) {
            (Ok("scalar"), _) => Self::Scalar,
            (Ok("avx2"), Self::Avx512) => Self::Avx2,
            _ => found,
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn of_processor() -> Self {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma");
        match avx2 && has!("avx512f") && has!("avx512dq") && has!("avx512vl") && has!("avx512bw") {
            true => Self::Avx512,
            false if avx2 => Self::Avx2,
            false => Self::Scalar,
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn of_processor() -> Self {
        Self::Baseline
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn of_processor() -> Self {
        Self::Scalar
    }
}
