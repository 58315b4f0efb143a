//! What is to be done, and with which lanes.

use crate::contract::options::ResetOptions;

/// What is to be done with the lanes of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Step,
    /// A seed per lane (in the request's order) where given, and the options of the reset.
    Reset {
        seeds: Vec<Option<u64>>,
        options: ResetOptions,
        /// Where given, the items that are reset; the others only show themselves.
        only: Option<Vec<bool>>,
    },
}

impl Kind {
    /// Whether item `index` is only to be looked at.
    #[inline(always)]
    pub fn only_shows(&self, index: usize) -> bool {
        matches!(self, Self::Reset { only: Some(only), .. } if !only[index])
    }

    /// The seed that a reset gives to item `index`.
    pub fn seed(&self, index: usize) -> Option<u64> {
        match self {
            Self::Reset { seeds, .. } => seeds.get(index).copied().flatten(),
            Self::Step => None,
        }
    }
}

/// The lanes of a request, in the order of its rows.
#[derive(Debug, Clone, PartialEq)]
pub enum LaneList {
    /// Lanes 0, 1, ... up to this number.
    All(usize),
    /// These.
    Some(Vec<u32>),
}

impl LaneList {
    pub fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(lanes) => lanes.len(),
        }
    }

    /// Removes all, keeping the memory.
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

    /// Whether the lanes of items `index..index + W` are consecutive.
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

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}
