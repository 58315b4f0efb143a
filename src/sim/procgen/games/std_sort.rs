//! Sorts as `std::sort` of libstdc++ (GNU's C++ library) does. Its introsort is not stable; this module leaves equal elements
//! in the same order as libstdc++.

/// Maximum length of a subarray that is sorted only by insertion sort.
const THRESHOLD: usize = 16;

/// Sorts elements by the order `less`, with libstdc++'s algorithm.
pub(super) fn std_sort<T>(elements: &mut [T], less: impl Fn(&T, &T) -> bool + Copy) {
    if elements.len() < 2 {
        return;
    }
    introsort(elements, 2 * elements.len().ilog2(), less);
    for next in 1..elements.len() {
        let mut at = next;
        while at > 0 && less(&elements[at], &elements[at - 1]) {
            elements.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Partitions the elements until all subarrays have at most [`THRESHOLD`] elements.
fn introsort<T>(elements: &mut [T], mut depth: u32, less: impl Fn(&T, &T) -> bool + Copy) {
    let mut end = elements.len();
    while end > THRESHOLD {
        if depth == 0 {
            return heap_sort(&mut elements[..end], less);
        }
        depth -= 1;
        move_median_to_first(elements, [1, end / 2, end - 1], less);
        let cut = partition(&mut elements[..end], less);
        introsort(&mut elements[cut..end], depth, less);
        end = cut;
    }
}

fn move_median_to_first<T>(elements: &mut [T], [a, b, c]: [usize; 3], less: impl Fn(&T, &T) -> bool) {
    let is_less = |first: usize, second: usize| less(&elements[first], &elements[second]);
    let median = match is_less(a, b) {
        true if is_less(b, c) => b,
        true if is_less(a, c) => c,
        true => a,
        false if is_less(a, c) => a,
        false if is_less(b, c) => c,
        false => b,
    };
    elements.swap(0, median);
}

/// Partitions all elements except the first, which is the pivot. Returns the start of the second subarray.
fn partition<T>(elements: &mut [T], less: impl Fn(&T, &T) -> bool) -> usize {
    let (mut first, mut last) = (1, elements.len());
    loop {
        while less(&elements[first], &elements[0]) {
            first += 1;
        }
        last -= 1;
        while less(&elements[0], &elements[last]) {
            last -= 1;
        }
        if first >= last {
            return first;
        }
        elements.swap(first, last);
        first += 1;
    }
}

/// Sorts elements with `std::make_heap` and `std::sort_heap`.
fn heap_sort<T>(elements: &mut [T], less: impl Fn(&T, &T) -> bool + Copy) {
    for parent in (0..elements.len() / 2).rev() {
        adjust_heap(elements, parent, less);
    }
    for end in (1..elements.len()).rev() {
        elements.swap(0, end);
        adjust_heap(&mut elements[..end], 0, less);
    }
}

/// Restores the heap below the index `top`, whose element was removed: moves larger children up until the hole is a leaf, then
/// moves the removed element up from this leaf.
fn adjust_heap<T>(elements: &mut [T], top: usize, less: impl Fn(&T, &T) -> bool) {
    let (length, mut hole) = (elements.len(), top);
    while 2 * hole + 2 < length {
        let right = 2 * hole + 2;
        let child = if less(&elements[right], &elements[right - 1]) { right - 1 } else { right };
        elements.swap(hole, child);
        hole = child;
    }
    if 2 * hole + 2 == length {
        elements.swap(hole, length - 1);
        hole = length - 1;
    }
    while hole > top && less(&elements[(hole - 1) / 2], &elements[hole]) {
        elements.swap((hole - 1) / 2, hole);
        hole = (hole - 1) / 2;
    }
}
