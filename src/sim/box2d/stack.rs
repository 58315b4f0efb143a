//! The nodes of a tree that are still to be looked at, without memory from elsewhere.

/// No node.
pub const NULL: u32 = u32::MAX;
/// Deeper than any balanced tree of `u32` leaves.
pub(super) const DEEPEST: usize = 64;

/// Nodes that are still to be looked at.
pub(super) struct Stack {
    nodes: [u32; 2 * DEEPEST],
    count: usize,
}

impl Stack {
    #[inline(always)]
    pub fn of(root: u32) -> Self {
        let mut stack = Self { nodes: [NULL; 2 * DEEPEST], count: 0 };
        if root != NULL {
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
