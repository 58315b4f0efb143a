//! Finds the largest connected component of free cells in a square. The order of its cells equals the node order of a networkx
//! 3.6 subgraph.

use super::tuple_set::TupleSet;

/// Returns the cells of the largest connected component of free cells. If several components have the same size, returns the
/// first one. Returns `None` if no component has two cells.
///
/// If a subgraph has less than half of the graph's nodes, networkx iterates over it in the order of a CPython set of tuples. It
/// iterates over all other subgraphs in the graph's order.
pub fn largest(is_free: &[bool], side: usize) -> Option<Vec<usize>> {
    let mut seen = vec![false; is_free.len()];
    let mut largest: Vec<usize> = Vec::new();
    for source in (0..is_free.len()).filter(|cell| is_free[*cell]) {
        if !seen[source] {
            let part = component_of(source, is_free, side, &mut seen);
            if part.len() > largest.len() {
                largest = part;
            }
        }
    }
    if largest.len() < 2 {
        return None;
    }
    if 2 * largest.len() < is_free.iter().filter(|is_free| **is_free).count() {
        // In networkx, the order of the cells results from three sets, each built from the previous one: the set of visited
        // nodes, and the node sets of two nested subgraph filters.
        let order = (0..3).fold(largest, |cells, _| {
            let set: TupleSet = cells.iter().map(|cell| (cell / side, cell % side)).collect();
            set.iter().map(|(first, second)| first * side + second).collect()
        });
        return Some(order);
    }
    largest.sort_unstable();
    Some(largest)
}

/// Returns all cells of the component that contains `source`, in the order of a breadth-first search.
fn component_of(source: usize, is_free: &[bool], side: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut part = vec![source];
    seen[source] = true;
    let mut next = 0;
    while next < part.len() {
        let cell = part[next];
        let (first, second) = (cell / side, cell % side);
        let neighbours = [
            (first > 0).then(|| cell - side),
            (second > 0).then(|| cell - 1),
            (first + 1 < side).then(|| cell + side),
            (second + 1 < side).then(|| cell + 1),
        ];
        for neighbour in neighbours.into_iter().flatten() {
            if is_free[neighbour] && !seen[neighbour] {
                seen[neighbour] = true;
                part.push(neighbour);
            }
        }
        next += 1;
    }
    part
}
