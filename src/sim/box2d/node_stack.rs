//! Fixed-size stack of tree nodes, with which a tree is traversed without allocating memory.

/// Index that means "no node" (`b2_nullNode`).
pub const NULL_NODE: u32 = u32::MAX;
/// Upper bound of the height of a balanced tree of at most 2³² leaves.
pub(super) const MAX_DEPTH: usize = 64;

/// Stack of the tree nodes that a traversal has yet to visit.
pub(super) struct NodeStack {
    nodes: [u32; 2 * MAX_DEPTH],
    count: usize,
}

impl NodeStack {
    #[inline(always)]
    pub fn with_root(root: u32) -> Self {
        let mut stack = Self { nodes: [NULL_NODE; 2 * MAX_DEPTH], count: 0 };
        if root != NULL_NODE {
            stack.push(root);
        }
        stack
    }

    #[inline(always)]
    pub fn push(&mut self, node: u32) {
        self.nodes[self.count] = node;
        self.count += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        Some(self.nodes[self.count])
    }
}
