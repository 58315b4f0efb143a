//! The vector instructions that pictures are drawn with.

/// Which vector instructions there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// What this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") {
                let is_wide = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512dq") && has!("avx512vnni");
                return if is_wide { Self::Avx512 } else { Self::Avx2 };
            }
        }
        Self::Plain
    }
}
