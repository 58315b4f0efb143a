//! Detects which vector instructions the processor has.

use std::sync::OnceLock;

use super::SimdKernel;

/// Set of vector instructions that code may use, because the processor can execute them.
///
/// A value above [`SimdLevel::Scalar`] exists only if the processor has the instructions, because only detection creates such a
/// value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimdLevel {
    /// The processor has no useful vector instructions, so code computes one lane at a time.
    #[default]
    Scalar,
    /// Instructions that every processor of the compilation target has, including fused multiply-add (aarch64).
    Baseline,
    /// Instructions of x86-64-v3: AVX2, FMA, BMI1, BMI2, LZCNT.
    Avx2(DetectionProof),
    /// Instructions of x86-64-v4: those of `Avx2`, and AVX-512 F, BW, DQ, VL.
    Avx512(DetectionProof),
}

/// Proof that the processor has the instructions of a [`SimdLevel`]; only the detection of vector instructions creates such a
/// proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetectionProof(());

impl SimdLevel {
    /// Returns the name of the level, as in `ENVPOOL_RS_VECTORS` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Baseline => "baseline",
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
        }
    }

    /// Returns the widest level of this processor, limited by the environment variable `ENVPOOL_RS_VECTORS` (`scalar` or `avx2`),
    /// which is read once.
    pub fn detect() -> Self {
        static LEVEL: OnceLock<SimdLevel> = OnceLock::new();
        *LEVEL.get_or_init(|| Self::capped(std::env::var("ENVPOOL_RS_VECTORS").as_deref().unwrap_or_default()))
    }

    /// Returns all levels of this processor, the widest first, for tests that compare them. The environment variable
    /// `ENVPOOL_RS_VECTORS` has no effect on the result.
    pub fn available() -> Vec<Self> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let bits = has!("bmi1") && has!("bmi2") && has!("lzcnt");
            let has_avx2 = bits && has!("avx2") && has!("fma");
            if has_avx2 && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                levels.push(Self::Avx512(DetectionProof(())));
            }
            if has_avx2 {
                levels.push(Self::Avx2(DetectionProof(())));
            }
        }
        if cfg!(target_arch = "aarch64") {
            levels.push(Self::Baseline);
        }
        levels.push(Self::Scalar);
        levels
    }

    /// Returns the widest level of this processor that is not above the level named `cap`. If `cap` names no level, all
    /// levels are allowed.
    pub(super) fn capped(cap: &str) -> Self {
        let allows = |level: &Self| match cap {
            "scalar" => *level == Self::Scalar,
            "avx2" => !matches!(level, Self::Avx512(_)),
            _ => true,
        };
        Self::available().into_iter().find(allows).unwrap_or_default()
    }

    /// Returns whether AVX-512 may be used and has VBMI (byte permutations).
    pub fn has_avx512_vbmi(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Self::Avx512(_)) && std::arch::is_x86_feature_detected!("avx512vbmi");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Returns whether AVX-512 may be used and has VNNI (dot products of bytes).
    pub fn has_avx512_vnni(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(self, Self::Avx512(_)) && std::arch::is_x86_feature_detected!("avx512vnni");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Runs the computation `work` in code that is compiled for the instructions of this level.
    #[inline(always)]
    pub fn run<W: SimdKernel>(self, work: W) -> W::Output {
        match self {
            // SAFETY: only detection creates `SimdLevel::Avx512`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { super::x86_64::run_avx512(work) },
            // SAFETY: only detection creates `SimdLevel::Avx2`, so the processor has its instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { super::x86_64::run_avx2(work) },
            _ => work.run(),
        }
    }
}
