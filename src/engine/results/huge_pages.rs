//! Zeroed memory of the system, in huge pages where enough are free, on Linux.
//!
//! Results that a caller keeps are in new memory at each step. The system provides each page when a thread first writes into it,
//! so that the workers share this work. For the 7 MiB of 256 Atari observations, the first access takes 2.4 ms in pages of 4 KiB,
//! and 0.15 ms in huge pages. Where few huge pages are free, the system first moves other pages to make some, which takes about
//! 18 ms. Results then are in small pages: 100 results that the caller held took 0.7 to 1.2 ms each on a fragmented machine, and
//! 0.4 to 18 ms if huge pages were always requested.

/// Size of a huge page in bytes, on x86-64 and most systems with aarch64.
const HUGE_PAGE: usize = 2 << 20;

/// Smallest number of bytes that get huge pages.
const MIN_BYTES: usize = HUGE_PAGE / 4 * 3;

/// Smallest number of free huge pages (128 MiB) with which the system makes none by moving other pages.
#[cfg(all(target_os = "linux", not(miri)))]
const MIN_FREE: usize = 64;

/// Memory that starts at the address of a huge page.
#[derive(Debug)]
pub struct HugePages {
    data: *mut u8,
    /// Number of mapped bytes.
    #[cfg_attr(not(all(target_os = "linux", not(miri))), expect(dead_code, reason = "no memory is mapped"))]
    bytes: usize,
}

// SAFETY: `HugePages` only stores the address, and unmaps the memory when it is dropped.
unsafe impl Send for HugePages {}
// SAFETY: shared access to `HugePages` only returns the address.
unsafe impl Sync for HugePages {}

impl HugePages {
    /// Maps at least `bytes` zero bytes, in huge pages if enough are free. `None` if they are too few for huge pages, or if the
    /// system refuses the memory.
    pub fn new(bytes: usize) -> Option<Self> {
        if bytes < MIN_BYTES {
            return None;
        }
        // The last huge page is mapped as a whole unless much of it would be unused.
        let whole = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        Self::map(if whole - bytes <= bytes / 4 { whole } else { bytes.next_multiple_of(1 << 16) })
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    fn map(bytes: usize) -> Option<Self> {
        let (reserved, access) = (bytes.checked_add(HUGE_PAGE)?, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: the call maps new memory and changes no other.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), reserved, access, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let before = start.addr().next_multiple_of(HUGE_PAGE) - start.addr();
        // SAFETY: both parts are in the mapped range, which no other code knows: it is `before` bytes, `bytes` bytes and the rest.
        // The advice changes no content, and systems without huge pages refuse it.
        unsafe {
            let data = start.byte_add(before);
            if before > 0 {
                libc::munmap(start, before);
            }
            if before < HUGE_PAGE {
                libc::munmap(data.byte_add(bytes), HUGE_PAGE - before);
            }
            if free_huge_pages() >= MIN_FREE + bytes / HUGE_PAGE {
                libc::madvise(data, bytes, libc::MADV_HUGEPAGE);
            }
            Some(Self { data: data.cast(), bytes })
        }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn map(_bytes: usize) -> Option<Self> {
        None
    }

    /// Returns the address of the first byte.
    pub fn data(&self) -> *mut u8 {
        self.data
    }
}

/// Returns the number of free huge pages: the kernel's table has, for each zone, the number of free blocks of `2^k` pages. Without
/// the table, the system is asked for huge pages.
#[cfg(all(target_os = "linux", not(miri)))]
fn free_huge_pages() -> usize {
    // SAFETY: the call only returns a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let smallest = (HUGE_PAGE / usize::try_from(page).unwrap_or(HUGE_PAGE)).ilog2();
    std::fs::read_to_string("/proc/buddyinfo").map_or(usize::MAX, |table| count_free(&table, smallest as usize))
}

/// Counts the free blocks of `2^smallest` pages in the text of `/proc/buddyinfo`.
#[cfg(all(target_os = "linux", not(miri)))]
fn count_free(table: &str, smallest: usize) -> usize {
    let zone = |line: &str| {
        let counts = line.split_whitespace().skip(4 + smallest).map_while(|count| count.parse::<usize>().ok());
        counts.enumerate().map(|(order, count)| count << order).sum::<usize>()
    };
    table.lines().map(zone).sum()
}

impl Drop for HugePages {
    fn drop(&mut self) {
        // SAFETY: `map` mapped exactly this range, and its last user is being dropped.
        #[cfg(all(target_os = "linux", not(miri)))]
        unsafe {
            libc::munmap(self.data.cast(), self.bytes);
        }
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn free_huge_pages_are_counted_in_all_zones_and_larger_blocks() {
        let table =
            "Node 0, zone    DMA32   2346 735 155 101 99 97 358 184 64 56 14\nNode 0, zone   Normal   1 2 3 4 5 6 7 8 9 10 11\n";
        assert_eq!(count_free(table, 9), 56 + 2 * 14 + 10 + 2 * 11);
        assert_eq!(count_free(table, 10), 14 + 11);
        assert_eq!(count_free("", 9), 0);
    }
}
