//! Decides which robots move when several want to, as networkx does in the package.
//!
//! Cells are nodes, and each agent has an edge from its cell to the cell that it wants. Of a connected component with a cycle, only
//! the cycle moves, or nothing if the cycle has two cells. Of any other component, the longest chain moves.
//!
//! Among chains of equal length, the order of predecessors in networkx's copy of the component decides. For components of less than
//! half of all nodes, it is the order of a CPython set of cells; otherwise, the order in which the edges were added.

use crate::cell_set::CellSet;
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
                CellSet::of(found.cells()).cells().collect()
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
