//! Size of the stack that the calling thread has left.

use std::hint::black_box;

thread_local! {
    /// Lowest address of this thread's stack; `None` if the system does not report it.
    static LOWEST: Option<usize> = lowest_address();
}

/// Returns whether the calling thread has `bytes` of its stack left, or the size of its stack is unknown.
#[inline]
pub fn has_stack_left(bytes: usize) -> bool {
    let local = 0_u8;
    let here = std::ptr::from_ref(black_box(&local)).addr();
    LOWEST.with(|lowest| lowest.is_none_or(|lowest| here.saturating_sub(lowest) >= bytes))
}

#[cfg(all(target_os = "linux", not(miri)))]
fn lowest_address() -> Option<usize> {
    // SAFETY: both functions only return numbers of the calling thread.
    let is_main_thread = || unsafe { libc::getpid() == libc::gettid() };
    // Of the main thread's stack, musl reports only the part that was used so far.
    if cfg!(target_env = "musl") && is_main_thread() {
        return None;
    }
    let mut attributes = std::mem::MaybeUninit::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: `pthread_getattr_np` initializes the attributes if it returns 0, and only then they are used.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let status = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (status == 0).then_some(lowest.addr())
    }
}

#[cfg(all(target_os = "macos", not(miri)))]
fn lowest_address() -> Option<usize> {
    // SAFETY: all functions only return numbers of the calling thread.
    let (highest, size) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread), libc::pthread_get_stacksize_np(thread))
    };
    Some(highest.addr().saturating_sub(size))
}

#[cfg(not(all(any(target_os = "linux", target_os = "macos"), not(miri))))]
fn lowest_address() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::has_stack_left;

    /// Returns whether a thread with a stack of 1 MiB has `bytes` left.
    fn has_left(bytes: usize) -> bool {
        std::thread::Builder::new().stack_size(1 << 20).spawn(move || has_stack_left(bytes)).unwrap().join().unwrap()
    }

    #[test]
    fn a_new_thread_has_its_stack_left() {
        assert!(has_left(0) && has_left(1 << 19));
        assert_eq!(has_left(1 << 21), cfg!(any(miri, not(any(target_os = "linux", target_os = "macos")))));
    }
}
