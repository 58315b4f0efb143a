//! Stack of an environment's last observed frames (pictures).

use serde::{Deserialize, Serialize};

/// Ring buffer of the last `depth` frames of `frame_size` bytes each.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FrameStack {
    bytes: Vec<u8>,
    depth: usize,
    /// Index of the oldest frame, which the next pushed frame replaces.
    oldest: usize,
    /// Number of frames since the stack was last filled with one frame, including that frame.
    age: u32,
}

impl FrameStack {
    /// Creates a stack of `depth` black frames of `size` bytes.
    pub fn new(depth: usize, size: usize) -> Self {
        Self { bytes: vec![0; depth * size], depth, oldest: 0, age: 0 }
    }

    /// Returns whether the stack holds `depth` frames of `size` bytes, and whether the stored index of the oldest frame is in
    /// range.
    pub fn has_shape(&self, depth: usize, size: usize) -> bool {
        self.depth == depth && self.bytes.len() == depth * size && self.oldest < depth.max(1)
    }

    fn frame_size(&self) -> usize {
        self.bytes.len() / self.depth
    }

    fn newest(&self) -> usize {
        (self.oldest + self.depth - 1) % self.depth
    }

    /// Returns the newest frame.
    pub fn newest_frame(&self) -> &[u8] {
        let size = self.frame_size();
        &self.bytes[self.newest() * size..][..size]
    }

    /// Returns the number of frames since the stack was last filled with copies of one frame, or with zeros, including that frame.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// Replaces the oldest frame by a new frame, which `draw` writes.
    pub fn push(&mut self, draw: impl FnOnce(&mut [u8])) {
        let size = self.frame_size();
        draw(&mut self.bytes[self.oldest * size..][..size]);
        self.advance();
    }

    /// Replaces the oldest frame by a copy of the newest frame.
    pub fn repeat_newest(&mut self) {
        let (size, newest) = (self.frame_size(), self.newest());
        self.bytes.copy_within(newest * size..(newest + 1) * size, self.oldest * size);
        self.advance();
    }

    fn advance(&mut self) {
        self.oldest = (self.oldest + 1) % self.depth;
        self.age = self.age.saturating_add(1);
    }

    /// Replaces all frames by copies of the newest frame.
    pub fn fill_with_newest(&mut self) {
        (1..self.depth).for_each(|_| self.repeat_newest());
        self.age = 1;
    }

    /// Fills all frames except the newest with zeros.
    pub fn zero_older(&mut self) {
        let (size, newest) = (self.frame_size(), self.newest());
        self.bytes[..newest * size].fill(0);
        self.bytes[(newest + 1) * size..].fill(0);
        self.age = 1;
    }

    /// Returns the frames, the oldest first, as two consecutive slices; the second may be empty.
    pub fn as_slices(&self) -> [&[u8]; 2] {
        let (newer, older) = self.bytes.split_at(self.oldest * self.frame_size());
        [older, newer]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(stack: &mut FrameStack, value: u8) -> Vec<u8> {
        stack.push(|frame| frame.fill(value));
        stack.as_slices().concat()
    }

    #[test]
    fn frames_are_ordered_oldest_first() {
        let mut stack = FrameStack::new(3, 2);
        assert_eq!(pushed(&mut stack, 1), [0, 0, 0, 0, 1, 1]);
        assert_eq!(pushed(&mut stack, 2), [0, 0, 1, 1, 2, 2]);
        stack.repeat_newest();
        assert_eq!(pushed(&mut stack, 3), [2, 2, 2, 2, 3, 3]);
        stack.zero_older();
        assert_eq!(stack.as_slices().concat(), [0, 0, 0, 0, 3, 3]);
        stack.fill_with_newest();
        assert_eq!(stack.as_slices().concat(), [3; 6]);
    }

    #[test]
    fn a_stack_of_one_frame_contains_the_newest() {
        let mut stack = FrameStack::new(1, 2);
        assert_eq!(pushed(&mut stack, 1), [1, 1]);
        stack.repeat_newest();
        stack.fill_with_newest();
        assert_eq!(pushed(&mut stack, 2), [2, 2]);
    }

    #[test]
    fn age_counts_frames_since_the_stack_was_filled() {
        let mut stack = FrameStack::new(3, 1);
        pushed(&mut stack, 7);
        stack.fill_with_newest();
        assert_eq!((stack.age(), stack.newest_frame()), (1, &[7][..]));
        pushed(&mut stack, 8);
        stack.repeat_newest();
        assert_eq!((stack.age(), stack.newest_frame()), (3, &[8][..]));
        stack.zero_older();
        assert_eq!((stack.age(), stack.newest_frame()), (1, &[8][..]));
    }

    #[test]
    fn invalid_stacks_are_detected() {
        let stack = FrameStack { oldest: 3, ..FrameStack::new(3, 2) };
        assert!(!stack.has_shape(3, 2) && FrameStack::new(3, 2).has_shape(3, 2));
        assert!(!FrameStack::new(3, 2).has_shape(2, 3) && FrameStack::default().has_shape(0, 7));
    }
}
