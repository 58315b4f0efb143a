//! Stacks of frames of which each frame is stored once, as its difference from the frame before.

use envpool_rs_engine::{Batch, Dtype, Layout, Role};

use super::RowKind;

/// Content of a row's stack.
#[derive(Clone, Copy)]
#[repr(u8)]
enum StackCode {
    /// The environment's last stack.
    Same = 0,
    /// The last stack, of which a new frame replaces the oldest.
    Pushed = 1,
    /// A whole stack.
    Whole = 2,
}

/// Bytes of a frame that are compared at once.
const BLOCK: usize = 64;
/// Bytes that are stored if one of them differs.
const WORD: usize = 8;

/// Encoder of a column of frame stacks, the oldest frame first. Its sections are codes (`u8`, one for each row), whole stacks, and
/// for pushed frames masks of their words, in which a bit is set for a word that differs from the frame before, and these words.
pub struct FrameStacks {
    /// Bytes of a frame.
    frame: usize,
    depth: usize,
    /// Column with the number of frames since the stack was filled with one frame.
    ages: usize,
    /// Whether rows of ended episodes have the first observation of the next episode.
    is_same_step: bool,
    /// Age of each environment's last stack; `UNKNOWN` if the next row stores a whole stack.
    last: Vec<i64>,
}

const UNKNOWN: i64 = i64::MIN;

impl FrameStacks {
    /// Number of sections.
    pub const SECTIONS: usize = 4;

    /// Creates the encoder for observations of `depth` frames; `None` if they are not recorded by a pool that reports the ages of
    /// its stacks.
    pub fn new(layout: &Layout, columns: &[usize], depth: usize, num_envs: usize) -> Option<Self> {
        let ages = layout.hidden_info()?;
        let column = layout.column(*columns.first()?);
        let is_only = columns[1..].iter().all(|column| !matches!(layout.column(*column).role, Role::Observation(_)));
        let is_stack = depth > 1 && column.dtype == Dtype::U8 && column.rows == 1 && column.stride().is_multiple_of(depth);
        (is_only && is_stack).then(|| Self {
            frame: column.stride() / depth,
            depth,
            ages,
            is_same_step: layout.index(Role::FinalObservation(0)).is_some(),
            last: vec![UNKNOWN; num_envs],
        })
    }

    /// Returns the size of `rows` whole stacks.
    pub fn decoded_bytes(&self, rows: usize) -> usize {
        rows * self.frame * self.depth
    }

    /// Appends the stacks in column `column` of a batch. `row_of` returns a row's environment, kind and whether its episode ended.
    pub fn encode(
        &mut self,
        batch: &Batch,
        column: usize,
        row_of: impl Fn(usize) -> (usize, u8, bool),
        [codes, wholes, masks, words]: &mut [Vec<u8>; Self::SECTIONS],
    ) {
        let (stacks, ages) =
            (batch.bytes(column).chunks(self.frame * self.depth), batch.bytes(self.ages).chunks(size_of::<i64>()));
        for (row, (stack, age)) in stacks.zip(ages).enumerate() {
            let (lane, kind, is_end) = row_of(row);
            let age = i64::from_ne_bytes(age.try_into().expect("ages are i64"));
            let last = &mut self.last[lane];
            let code = match age {
                _ if kind != RowKind::Step as u8 || (is_end && self.is_same_step) => StackCode::Whole,
                age if age == *last => StackCode::Same,
                age if age == *last + 1 => StackCode::Pushed,
                _ => StackCode::Whole,
            };
            codes.push(code as u8);
            match code {
                StackCode::Same => {}
                StackCode::Whole => wholes.extend_from_slice(stack),
                StackCode::Pushed => {
                    let (before, new) = stack[stack.len() - 2 * self.frame..].split_at(self.frame);
                    encode_difference(before, new, masks, words);
                }
            }
            *last = if kind == RowKind::Unchanged as u8 { UNKNOWN } else { age };
        }
    }
}

/// Appends the words of `new` that differ from those of `before`, and a mask of all words. Bytes after the end are zero.
fn encode_difference(before: &[u8], new: &[u8], masks: &mut Vec<u8>, words: &mut Vec<u8>) {
    let mut add = |before: &[u8; BLOCK], new: &[u8; BLOCK]| {
        let mut mask = 0;
        if before != new {
            for (word, (old, new)) in before.chunks(WORD).zip(new.chunks(WORD)).enumerate() {
                if old != new {
                    mask |= 1 << word;
                    words.extend_from_slice(new);
                }
            }
        }
        masks.push(mask);
    };
    let ((olds, old_rest), (news, new_rest)) = (before.as_chunks::<BLOCK>(), new.as_chunks::<BLOCK>());
    olds.iter().zip(news).for_each(|(old, new)| add(old, new));
    if !new_rest.is_empty() {
        let padded = |rest: &[u8]| {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            block
        };
        add(&padded(old_rest), &padded(new_rest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_bit_and_a_word_for_each_changed_word() {
        let before: Vec<u8> = (0..=255).cycle().take(150).collect();
        let mut new = before.clone();
        (new[9], new[70], new[149]) = (0, 1, 2);
        let (mut masks, mut words) = (Vec::new(), Vec::new());
        encode_difference(&before, &new, &mut masks, &mut words);
        assert_eq!(masks, [0b10, 0b1, 0b100]);
        assert_eq!(words, [&new[8..16], &new[64..72], &new[144..150], &[0, 0][..]].concat());
    }
}
