//! Draws random numbers as procgen's `RandGen` does: from `std::mt19937`, with procgen's own distributions, including their
//! bias.

use std::collections::BTreeSet;

use envpool_rs_numeric::random::Mt19937;
use serde::{Deserialize, Serialize};

/// Random stream of a game or of its level seeds, equal to that of procgen's `RandGen`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RandGen(Mt19937);

impl RandGen {
    /// Creates the random stream with the seed `seed`.
    pub fn new(seed: u32) -> Self {
        Self(Mt19937::init_genrand(seed))
    }

    /// Restarts the random stream with the seed `seed`.
    pub fn seed(&mut self, seed: i32) {
        self.0 = Mt19937::init_genrand(seed as u32);
    }

    /// Draws a 32-bit word.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Draws an integer from `low` to `high - 1`.
    pub fn randint(&mut self, low: i32, high: i32) -> i32 {
        let range = high.wrapping_sub(low) as u32;
        low.wrapping_add((self.word() % range) as i32)
    }

    /// Draws an integer from 0 to `high - 1`.
    pub fn randn(&mut self, high: i32) -> i32 {
        (self.word() % high as u32) as i32
    }

    /// Draws a random index into a list of `length` elements, all equally likely.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        self.word() as usize % length
    }

    /// Draws a float32 from 0 to 1; rounding may give 1.
    pub fn rand01(&mut self) -> f32 {
        (f64::from(self.word()) / 4_294_967_296.0) as f32
    }

    /// Draws a bool; true and false are equally likely.
    pub(crate) fn randbool(&mut self) -> bool {
        f64::from(self.rand01()) > 0.5
    }

    /// Draws a float32 from `low` to `high`.
    pub(crate) fn randrange(&mut self, low: f32, high: f32) -> f32 {
        self.rand01() * (high - low) + low
    }

    /// Divides the integer `total` randomly into `parts` integers.
    pub(crate) fn partition(&mut self, total: i32, parts: usize) -> Vec<i32> {
        let mut partition = vec![0; parts];
        for _ in 0..total {
            partition[self.index(parts)] += 1;
        }
        partition
    }

    /// Draws one of the elements of `elements`.
    pub(crate) fn choose_one<T: Copy>(&mut self, elements: &[T]) -> T {
        elements[self.index(elements.len())]
    }

    /// Draws `count` elements without repetition. If there are fewer than `count`, returns all elements in order.
    pub(crate) fn choose_n<T: Copy>(&mut self, elements: &[T], count: usize) -> Vec<T> {
        let mut rest = elements.to_vec();
        if count > rest.len() {
            return rest;
        }
        (0..count).map(|_| rest.remove(self.index(rest.len()))).collect()
    }

    /// Draws `count` different integers from 0 to `n - 1` by rejection.
    pub(crate) fn simple_choose(&mut self, n: usize, count: usize) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let mut draw = || loop {
            let next = self.index(n);
            if seen.insert(next) {
                return next;
            }
        };
        (0..count).map(|_| draw()).collect()
    }
}
