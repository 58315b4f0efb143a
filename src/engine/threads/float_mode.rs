//! Floating-point mode of the processor: the rounding mode, and whether denormal numbers are flushed to zero.
//!
//! Some callers set their threads to flush denormal numbers to zero (XLA, audio libraries, programs compiled with "fast"
//! arithmetic). In this mode, environments would compute other numbers than their references. Therefore code that steps
//! environments or reads numbers sets the standard mode, and restores the caller's mode afterwards. Worker threads inherit the
//! mode of the thread that starts them until they set their own.
//!
//! The assembly below is declared to access memory, so that the compiler moves neither loads and stores nor the arithmetic
//! between them across the assembly.

/// Guard that sets standard arithmetic (round to nearest, denormal numbers not flushed) for its lifetime.
pub struct FloatModeGuard {
    before: Register,
}

impl FloatModeGuard {
    /// Sets the standard floating-point mode in this thread until the returned guard is dropped.
    #[inline]
    pub fn enter() -> Self {
        let before = read();
        if before != STANDARD {
            write(STANDARD);
        }
        Self { before }
    }
}

impl Drop for FloatModeGuard {
    #[inline]
    fn drop(&mut self) {
        if self.before != STANDARD {
            write(self.before);
        }
    }
}

#[cfg(target_arch = "x86_64")]
type Register = u32;

/// Standard value of MXCSR: all exceptions masked, no denormal number flushed to zero.
#[cfg(target_arch = "x86_64")]
const STANDARD: Register = 0x1f80;

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn read() -> Register {
    let mut register = 0;
    // SAFETY: the instruction stores MXCSR into `register`, which is valid for the write. The mask below removes the flags of
    // masked exceptions (the low six bits).
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut register, options(nostack, preserves_flags)) };
    register & !0x3f
}

#[cfg(target_arch = "x86_64")]
fn write(register: Register) {
    // SAFETY: the instruction loads MXCSR with the standard mode, or with the value that `read` returned.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const register, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
type Register = u64;

#[cfg(target_arch = "aarch64")]
const STANDARD: Register = 0;

#[cfg(target_arch = "aarch64")]
fn read() -> Register {
    let register;
    // SAFETY: the instruction copies FPCR into a general-purpose register and accesses no memory.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) register, options(nomem, nostack, preserves_flags)) };
    register
}

#[cfg(target_arch = "aarch64")]
fn write(register: Register) {
    // SAFETY: the instruction sets FPCR to the standard mode, or to the value that `read` returned.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) register, options(nostack, preserves_flags)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
type Register = ();

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const STANDARD: Register = ();

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn read() -> Register {}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn write(_: Register) {}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[cfg(target_arch = "x86_64")]
    const FLUSHING: Register = 0x9fc0;
    #[cfg(target_arch = "aarch64")]
    const FLUSHING: Register = 1 << 24;

    #[inline(never)]
    fn is_flushing() -> bool {
        black_box(black_box(1e-308_f64) / black_box(16.0)) == 0.0
    }

    #[test]
    fn denormals_are_kept_inside_the_guard_and_flushed_outside() {
        assert!(!is_flushing());
        write(FLUSHING);
        let outside = is_flushing();
        let standard = FloatModeGuard::enter();
        let inside = is_flushing();
        drop(standard);
        let again = is_flushing();
        write(STANDARD);
        assert_eq!((outside, inside, again, is_flushing()), (true, false, true, false));
    }
}
