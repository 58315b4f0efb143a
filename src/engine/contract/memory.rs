//! Memory that grows with a caller's data: whether the system provides it is checked, because a refused allocation of `Vec` or
//! `Box` ends the process.

use crate::contract::error::{Error, Result};

/// Checks that the machine has enough memory for `bytes`.
///
/// # Errors
/// `Memory` if `bytes` exceed the memory of the machine, or if the system refuses to reserve them.
pub fn check_fits(bytes: u128, what: &str) -> Result<()> {
    let fits = usize::try_from(bytes).is_ok_and(|bytes| bytes <= machine_bytes() && can_reserve(bytes));
    if fits { Ok(()) } else { Err(Error::Memory(format!("{what} takes {} MiB, which this machine does not have", bytes >> 20))) }
}

/// Memory in bytes for the small allocations of a call that handles a lane's state, message or picture. Together, they need less.
const HEADROOM: usize = 2 << 20;

/// Checks that the system provides `bytes`, and memory for small allocations.
///
/// # Errors
/// `Memory` if it does not.
pub fn check_headroom(bytes: usize, what: impl FnOnce() -> String) -> Result<()> {
    match can_reserve(bytes.saturating_add(HEADROOM)) {
        true => Ok(()),
        false => Err(refused_memory(bytes, what())),
    }
}

/// Returns the error for `bytes` of memory that the system does not provide for `what`.
pub fn refused_memory(bytes: usize, what: impl std::fmt::Display) -> Error {
    Error::Memory(format!("{bytes} bytes for {what} do not fit into memory: release results that are kept"))
}

/// Copies bytes.
///
/// # Errors
/// `Memory` if the system does not provide the memory for the copy.
pub fn copy_of(bytes: &[u8], what: &str) -> Result<Vec<u8>> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len()).map_err(|_| refused_memory(bytes.len(), what))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Collects `len` items into a vector.
///
/// # Errors
/// `Memory` if the system does not provide the memory for the vector; the first error of an item.
pub fn collect_checked<T>(len: usize, what: &str, items: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    all.try_reserve_exact(len).map_err(|_| refused_memory(len.saturating_mul(size_of::<T>()), what))?;
    for item in items {
        all.push(item?);
    }
    Ok(all)
}

/// Returns whether the system lets the process reserve this many bytes. An untouched reservation uses no memory, and fails under
/// an address space limit.
fn can_reserve(bytes: usize) -> bool {
    let mut reserved = Vec::<u8>::new();
    let is_given = reserved.try_reserve_exact(bytes).is_ok();
    std::hint::black_box(&mut reserved); // prevents the compiler from removing the unused allocation
    is_given
}

#[cfg(unix)]
fn machine_bytes() -> usize {
    // SAFETY: `sysconf` has no preconditions; it returns two numbers of the system.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (usize::try_from(pages), usize::try_from(size)) {
        (Ok(pages), Ok(size)) if pages > 0 => pages.saturating_mul(size).min(container_bytes()),
        _ => usize::MAX,
    }
}

#[cfg(not(unix))]
fn machine_bytes() -> usize {
    usize::MAX
}

/// Returns the memory limit of the control group (version 2, else 1) that a container sees; `usize::MAX` without a limit.
#[cfg(unix)]
fn container_bytes() -> usize {
    let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limit = |path| std::fs::read_to_string(path).ok()?.trim().parse().ok();
    files.into_iter().find_map(limit).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_megabyte_fits_and_an_exabyte_does_not() {
        assert_eq!(check_fits(1 << 20, "a pool"), Ok(()));
        let error = check_fits(1 << 60, "a pool").unwrap_err().to_string();
        assert_eq!(error, "a pool takes 1099511627776 MiB, which this machine does not have");
    }

    #[test]
    fn oversized_reservations_are_not_optimised_away() {
        // Checks that the compiler does not optimise the reservation away; otherwise the reservation would always succeed.
        assert!(can_reserve(1 << 20) && !can_reserve(isize::MAX as usize));
    }
}
