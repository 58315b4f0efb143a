//! Decides which robots move when several want to, as networkx does in the package.
//!
//! Cells are nodes, and each agent has an edge from its cell to the cell that it wants. Of a connected component with a cycle, only
//! the cycle moves, or nothing if the cycle has two cells. Of any other component, the longest chain moves.
//!
//! Among chains of equal length, the order of predecessors in networkx's copy of the component decides. For components of less than
//! half of all nodes, it is the order of a CPython set of cells; otherwise, the order in which the edges were added.

use crate::grid::{Cell, Grid};

/// Wishes of all agents in one step.
pub struct Wishes<'a> {
    /// Cell of each agent.
    pub cells: &'a [Cell],
    /// Cell that each agent wants; its own cell if it stays.
    pub targets: &'a [Cell],
    /// Number of the agent on each cell, plus 1; 0 on free cells.
    pub agent_at: &'a Grid<u16>,
}

impl Wishes<'_> {
    /// Sets `may_act` to whether the action of each agent is executed.
    pub fn resolve(&self, may_act: &mut [bool]) {
        may_act.fill(false);
        for first in 0..self.cells.len() {
            if self.targets[first] == self.cells[first] {
                may_act[first] = true; // a cycle of one cell: the agent stays, and all that want its cell
                continue;
            }
            // An agent decides here if it is the last one of its chain, or if it is a part of a cycle.
            match self.occupant(self.targets[first]) {
                None if self.is_first_into(first) => self.move_longest_chain(self.targets[first], may_act),
                None => {}
                Some(_) => may_act[first] = may_act[first] || self.is_in_cycle(first),
            }
        }
    }

    fn occupant(&self, cell: Cell) -> Option<usize> {
        self.agent_at.get(cell).and_then(|number| usize::from(number).checked_sub(1))
    }

    /// Returns whether no agent before `agent` wants the same cell.
    fn is_first_into(&self, agent: usize) -> bool {
        !self.targets[..agent].contains(&self.targets[agent])
    }

    /// Returns whether `agent` is a part of a cycle of three cells or more.
    fn is_in_cycle(&self, agent: usize) -> bool {
        let mut length = 1;
        let mut next = self.occupant(self.targets[agent]);
        while let Some(other) = next {
            if other == agent {
                return length > 2;
            }
            if length > self.cells.len() {
                return false;
            }
            length += 1;
            next = self.occupant(self.targets[other]);
        }
        false
    }

    /// Returns the agents that want `cell`, in order.
    fn wanting(&self, cell: Cell) -> impl Iterator<Item = usize> + '_ {
        self.targets.iter().enumerate().filter(move |(_, target)| **target == cell).map(|(agent, _)| agent)
    }

    /// Returns the length of the longest chain of agents that ends with `agent`, which is a part of a tree.
    fn chain_length(&self, agent: usize) -> usize {
        1 + self.wanting(self.cells[agent]).map(|other| self.chain_length(other)).max().unwrap_or(0)
    }

    fn move_longest_chain(&self, end: Cell, may_act: &mut [bool]) {
        let mut order: Option<Vec<Cell>> = None;
        let mut cell = end;
        loop {
            let mut best: Option<(usize, usize)> = None;
            for agent in self.wanting(cell) {
                let length = self.chain_length(agent);
                let is_better = match best {
                    None => true,
                    Some((known, _)) if length != known => length > known,
                    Some((_, other)) => {
                        let order = order.get_or_insert_with(|| self.order_of_copy(end));
                        let rank = |agent: usize| order.iter().position(|cell| *cell == self.cells[agent]);
                        rank(agent) < rank(other)
                    }
                };
                if is_better {
                    best = Some((length, agent));
                }
            }
            let Some((_, agent)) = best else { return };
            may_act[agent] = true;
            cell = self.cells[agent];
        }
    }

    /// Returns the cells of the component with the cell `end`, in the order of networkx's copy.
    fn order_of_copy(&self, end: Cell) -> Vec<Cell> {
        let mut nodes: Vec<Cell> = Vec::new();
        for (cell, target) in self.cells.iter().zip(self.targets) {
            for node in [*cell, *target] {
                if !nodes.contains(&node) {
                    nodes.push(node);
                }
            }
        }
        let members = self.component(end);
        let in_order: Vec<_> = nodes.iter().copied().filter(|node| members.contains(node)).collect();
        match in_order.first() {
            Some(first) if 2 * members.len() < nodes.len() => {
                let found = CellSet::of(self.component(*first));
                CellSet::of(found.cells().collect()).cells().collect()
            }
            _ => in_order,
        }
    }

    /// Returns the cells of a component in the order of a breadth-first search from `first`.
    fn component(&self, first: Cell) -> Vec<Cell> {
        let mut found = vec![first];
        let mut next = 0;
        while let Some(cell) = found.get(next).copied() {
            let successor = self.occupant(cell).map(|agent| self.targets[agent]);
            for neighbor in successor.into_iter().chain(self.wanting(cell).map(|agent| self.cells[agent])) {
                if !found.contains(&neighbor) {
                    found.push(neighbor);
                }
            }
            next += 1;
        }
        found
    }
}

/// Set of cells, which iterates in the order of a CPython set of tuples `(x, y)` that has only grown.
struct CellSet {
    table: Vec<Option<Cell>>,
    used: usize,
}

impl CellSet {
    /// Number of further slots that CPython tries next to a slot.
    const LINEAR_PROBES: usize = 9;

    fn of(cells: Vec<Cell>) -> Self {
        let mut set = Self { table: vec![None; 8], used: 0 };
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.table.iter().flatten().copied()
    }

    /// Returns the slot of a cell, or the free slot that it takes.
    fn slot(&self, cell: Cell) -> usize {
        let mask = self.table.len() - 1;
        let hash = tuple_hash(cell);
        let (mut index, mut perturb) = (hash as usize & mask, hash);
        loop {
            let last = if index + Self::LINEAR_PROBES <= mask { index + Self::LINEAR_PROBES } else { index };
            if let Some(slot) = (index..=last).find(|slot| self.table[*slot].is_none_or(|other| other == cell)) {
                return slot;
            }
            perturb >>= 5;
            index = (index.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize)) & mask;
        }
    }

    fn insert(&mut self, cell: Cell) {
        let slot = self.slot(cell);
        if self.table[slot].is_some() {
            return;
        }
        self.table[slot] = Some(cell);
        self.used += 1;
        if self.used * 5 >= (self.table.len() - 1) * 3 {
            let mut size = 8;
            while size <= self.used * 4 {
                size *= 2;
            }
            let old = std::mem::replace(&mut self.table, vec![None; size]);
            for cell in old.into_iter().flatten() {
                let slot = self.slot(cell);
                self.table[slot] = Some(cell);
            }
        }
    }
}

/// Returns CPython's `hash((x, y))` of two small non-negative integers (xxHash, since CPython 3.8).
fn tuple_hash(cell: Cell) -> u64 {
    const PRIMES: [u64; 3] = [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
    let mut hash = PRIMES[2];
    for number in [cell.x, cell.y] {
        hash = hash.wrapping_add((number as u64).wrapping_mul(PRIMES[1]));
        hash = hash.rotate_left(31).wrapping_mul(PRIMES[0]);
    }
    hash.wrapping_add(2 ^ PRIMES[2] ^ 3_527_539)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_equal_cpythons() {
        // Values of `hash((x, y)) & (2**64 - 1)`, CPython 3.11.
        assert_eq!(tuple_hash(Cell { x: 0, y: 0 }), 9_988_604_870_027_030_631);
        assert_eq!(tuple_hash(Cell { x: 3, y: 17 }), 15_479_928_778_882_835_559);
    }

    #[test]
    fn sets_iterate_in_cpythons_order() {
        // `list({(5, 1), (5, 2), (4, 2), (6, 2), (5, 3), (9, 9)})` by insertion in this order, CPython 3.11.
        let cells = [(5, 1), (5, 2), (4, 2), (6, 2), (5, 3), (9, 9)].map(|(x, y)| Cell { x, y });
        let order: Vec<_> = CellSet::of(cells.to_vec()).cells().map(|cell| (cell.x, cell.y)).collect();
        assert_eq!(order, [(6, 2), (9, 9), (5, 1), (4, 2), (5, 3), (5, 2)]);
    }
}
