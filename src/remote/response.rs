//! What a place answers.

use super::bytes::{Reader, Writer};
use super::parts::Parts;
use crate::engine::{Batch, Fault};

const ROWS: u32 = 0;
const SHOWN: u32 = 1;
const VALUES: u32 = 2;
const PANICKED: u32 = 3;
const REFUSED: u32 = 4;

/// An answer that is being written.
#[derive(Default)]
pub struct Response(Writer);

impl Response {
    pub fn finish(self) -> Vec<u8> {
        self.0.finish()
    }

    /// Rows of a batch, which are of these lanes: what steps and resets made of them.
    pub fn rows(&mut self, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.rows_of(ROWS, lanes, batch, parts);
    }

    /// Rows of lanes that were put into states.
    pub fn shown(&mut self, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.rows_of(SHOWN, lanes, batch, parts);
    }

    fn rows_of(&mut self, kind: u32, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.0.number(kind);
        self.0.numbers(lanes);
        parts.append(batch, |bytes| self.0.raw(bytes));
    }

    /// What a lane answers to anything else.
    pub fn value(&mut self, lane: u32, value: &[u8]) {
        self.told(VALUES, lane, value);
    }

    /// Lanes that panicked.
    pub fn panicked(&mut self, lane: u32, text: &str) {
        self.told(PANICKED, lane, text.as_bytes());
    }

    /// That a lane does not do what it was asked.
    pub fn refused(&mut self, lane: u32, text: &str) {
        self.told(REFUSED, lane, text.as_bytes());
    }

    fn told(&mut self, kind: u32, lane: u32, bytes: &[u8]) {
        self.0.number(kind);
        self.0.number(lane);
        self.0.block(bytes);
    }
}

/// What some lanes of a place answered, in order, counted within it.
pub struct Told {
    pub lanes: Vec<u32>,
    pub what: What,
}

/// The same, for all of them.
pub enum What {
    /// Rows of steps and resets, column by column.
    Rows(Vec<u8>),
    /// That they were put into states, which look so.
    Shown(Vec<u8>),
    Value(Vec<u8>),
    Failed(Fault),
}

/// Takes an answer apart; `None` where the bytes are none.
pub fn told(bytes: &[u8], parts: &Parts) -> Option<Vec<Told>> {
    let mut from = Reader::new(bytes);
    let mut all = Vec::new();
    while !from.is_at_end() {
        all.push(match from.number()? {
            kind @ (ROWS | SHOWN) => {
                let lanes = from.numbers()?;
                let rows = from.raw(parts.stride().checked_mul(lanes.len())?)?.to_vec();
                Told { lanes, what: if kind == ROWS { What::Rows(rows) } else { What::Shown(rows) } }
            }
            VALUES => Told { lanes: vec![from.number()?], what: What::Value(from.block()?.to_vec()) },
            PANICKED => Told { lanes: vec![from.number()?], what: What::Failed(Fault::Panicked(from.text()?)) },
            REFUSED => Told { lanes: vec![from.number()?], what: What::Failed(Fault::raised(from.text()?, Vec::new())) },
            _ => return None,
        });
    }
    Some(all)
}
