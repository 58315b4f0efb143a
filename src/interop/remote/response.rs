//! The reply of a host.

use std::ops::Range;
use std::sync::Arc;

use super::bytes::{Reader, Writer};
use super::parts::Parts;
use envpool_rs_engine::{Batch, Fault};

const ROWS: u32 = 0;
const SHOWN: u32 = 1;
const VALUES: u32 = 2;
const PANICKED: u32 = 3;
const REFUSED: u32 = 4;

/// Encodes a reply.
#[derive(Default)]
pub struct Response(Writer);

impl Response {
    pub fn finish(self) -> Vec<u8> {
        self.0.finish()
    }

    /// Adds the rows of a batch after steps or resets of these lanes.
    pub fn rows(&mut self, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.rows_of(ROWS, lanes, batch, parts);
    }

    /// Adds the rows of lanes whose states were loaded.
    pub fn shown(&mut self, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.rows_of(SHOWN, lanes, batch, parts);
    }

    fn rows_of(&mut self, kind: u32, lanes: &[u32], batch: &Batch, parts: &Parts) {
        self.0.number(kind);
        self.0.numbers(lanes);
        parts.append(batch, |bytes| self.0.raw(bytes));
    }

    /// Adds a lane's reply to any other operation.
    pub fn value(&mut self, lane: u32, value: &[u8]) {
        self.told(VALUES, lane, value);
    }

    /// Adds the failure of a lane that panicked.
    pub fn panicked(&mut self, lane: u32, text: &str) {
        self.told(PANICKED, lane, text.as_bytes());
    }

    /// Adds the failure of a lane that rejected its operation.
    pub fn refused(&mut self, lane: u32, text: &str) {
        self.told(REFUSED, lane, text.as_bytes());
    }

    fn told(&mut self, kind: u32, lane: u32, bytes: &[u8]) {
        self.0.number(kind);
        self.0.number(lane);
        self.0.block(bytes);
    }
}

/// Lanes of a host, numbered within it and in row order, with their reply.
pub struct Told {
    pub lanes: Vec<u32>,
    pub what: What,
}

/// Body of a reply.
pub enum What {
    /// Rows of steps and resets, column by column.
    Rows(Piece),
    /// Rows after loading states, column by column.
    Shown(Piece),
    Value(Vec<u8>),
    Failed(Fault),
}

/// A slice of an encoded reply.
pub struct Piece {
    answer: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Piece {
    pub fn bytes(&self) -> &[u8] {
        &self.answer[self.range.clone()]
    }
}

/// Decodes a reply; `None` for malformed bytes.
pub fn told(answer: Vec<u8>, parts: &Parts) -> Option<Vec<Told>> {
    let answer = Arc::new(answer);
    let mut from = Reader::new(&answer);
    let mut all = Vec::new();
    while !from.is_at_end() {
        all.push(match from.number()? {
            kind @ (ROWS | SHOWN) => {
                let lanes = from.numbers()?;
                let start = from.place();
                from.raw(parts.stride().checked_mul(lanes.len())?)?;
                let rows = Piece { answer: Arc::clone(&answer), range: start..from.place() };
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use envpool_rs_engine::{Dialect, Dtype, EnvSpec, Format, InfoSpec, Layout, Outputs, PoolConfig, Space};

    fn parts() -> Parts {
        let mut spec = EnvSpec::new(Space::discrete(3), Space::discrete(2));
        spec.info.push(InfoSpec::new("lives", Dtype::I32, &[]));
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        Parts::of(&Layout::new(&spec, outputs, &PoolConfig::new(4).unwrap()))
    }

    impl Response {
        /// Adds rows of arbitrary bytes.
        fn any_rows(&mut self, kind: u32, lanes: &[u32], rows: &[u8]) {
            self.0.number(kind);
            self.0.numbers(lanes);
            self.0.raw(rows);
        }
    }

    /// Encodes decoded replies again.
    fn rewritten(told: &[Told]) -> Vec<u8> {
        let mut response = Response::default();
        for Told { lanes, what } in told {
            match what {
                What::Rows(piece) | What::Shown(piece) => {
                    response.any_rows(if matches!(what, What::Rows(_)) { ROWS } else { SHOWN }, lanes, piece.bytes());
                }
                What::Value(value) => response.value(lanes[0], value),
                What::Failed(Fault::Panicked(text)) => response.panicked(lanes[0], text),
                What::Failed(fault) => response.refused(lanes[0], &fault.to_string()),
            }
        }
        response.finish()
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer_or_refused(bytes in prop::collection::vec(prop_oneof![4 => Just(0u8), 1 => 1u8..6, 1 => any::<u8>()], 0..300)) {
            let parts = parts();
            if let Some(all) = told(bytes, &parts) {
                for Told { lanes, what } in &all {
                    if let What::Rows(piece) | What::Shown(piece) = what {
                        let rows = parts.rows(piece.bytes(), lanes.len());
                        (0..lanes.len()).for_each(|row| _ = rows.answered(row, &mut [0.0]));
                    }
                }
                let again = rewritten(&all);
                let once_more = told(again.clone(), &parts).expect("what was written can be read");
                prop_assert_eq!(rewritten(&once_more), again);
            }
        }

        #[test]
        fn answers_arrive(lanes in prop::collection::vec(any::<u32>(), 0..4), value in prop::collection::vec(any::<u8>(), 0..20), text in ".{0,20}") {
            let parts = parts();
            let rows: Vec<_> = (0..parts.stride() * lanes.len()).map(|byte| byte as u8).collect();
            let mut response = Response::default();
            response.value(3, &value);
            response.any_rows(ROWS, &lanes, &rows);
            response.panicked(2, &text);
            response.any_rows(SHOWN, &lanes, &rows);
            response.refused(1, &text);
            let bytes = response.finish();
            let all = told(bytes.clone(), &parts).expect("it is an answer");
            prop_assert_eq!(rewritten(&all), bytes.clone());
            prop_assert_eq!(all.iter().map(|told| told.lanes.len()).sum::<usize>(), 3 + 2 * lanes.len());
            let is_part = |end: &usize| told(bytes[..*end].to_vec(), &parts).is_some_and(|some| some.len() == all.len());
            prop_assert!((0..bytes.len()).find(is_part).is_none());
        }
    }
}
