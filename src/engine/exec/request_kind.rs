//! The operation that a request performs, and the lanes of the request.

use crate::contract::options::ResetOptions;

/// Operation that a request performs with each of its lanes.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestKind {
    Step,
    /// A reset with an optional seed per lane (in the order of the request's lanes), and reset options.
    Reset {
        seeds: Vec<Option<u64>>,
        options: ResetOptions,
        /// Whether to reset each item; other items repeat their last row. `None`: all items are reset.
        mask: Option<Vec<bool>>,
    },
}

impl RequestKind {
    /// Returns whether item `index` repeats its last row instead of being reset.
    #[inline(always)]
    pub fn is_peek(&self, index: usize) -> bool {
        matches!(self, Self::Reset { mask: Some(only), .. } if !only[index])
    }

    /// Returns the seed of the reset for item `index`.
    pub fn seed(&self, index: usize) -> Option<u64> {
        match self {
            Self::Reset { seeds, .. } => seeds.get(index).copied().flatten(),
            Self::Step => None,
        }
    }
}

/// Lanes of a request, in the order of its rows.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneList {
    /// All lanes from 0 up to, but not including, this number.
    All(usize),
    /// The listed lanes, in the order of the request's rows.
    Some(Vec<u32>),
}

impl LaneList {
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(lanes) => lanes.len(),
        }
    }

    /// Removes all lanes from the list, and keeps the allocated memory.
    pub fn clear(&mut self) {
        match self {
            Self::All(count) => *count = 0,
            Self::Some(lanes) => lanes.clear(),
        }
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> usize {
        match self {
            Self::All(_) => index,
            Self::Some(lanes) => lanes[index] as usize,
        }
    }

    /// Returns whether the lanes of items `index..index + W` are consecutive.
    #[inline(always)]
    pub fn is_run<const W: usize>(&self, index: usize) -> bool {
        match self {
            Self::All(_) => true,
            Self::Some(lanes) => {
                let lanes = &lanes[index..index + W];
                (0..W).fold(true, |run, i| run & (lanes[i] == lanes[0].wrapping_add(i as u32)))
            }
        }
    }

    /// Returns whether the lanes of these items are consecutive.
    #[inline]
    pub fn is_span(&self, items: std::ops::Range<usize>) -> bool {
        match self {
            Self::All(_) => true,
            Self::Some(lanes) => lanes[items].windows(2).fold(true, |run, pair| run & (pair[1] == pair[0].wrapping_add(1))),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}
