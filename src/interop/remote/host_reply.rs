//! Encodes and decodes replies of hosts: rows, values and failures of lanes, which are the host's environments.

use std::ops::Range;
use std::sync::Arc;

use super::bytes::{ByteReader, ByteWriter};
use super::wire_columns::WireColumns;
use envpool_rs_engine::{Batch, LaneError, Result, check_headroom};

const ROWS: u32 = 0;
const PEEKED: u32 = 1;
const VALUES: u32 = 2;
const PANICKED: u32 = 3;
const REFUSED: u32 = 4;

/// Encodes the reply of a host to one request.
#[derive(Default)]
pub struct ReplyEncoder(ByteWriter);

impl ReplyEncoder {
    pub fn finish(self) -> Vec<u8> {
        self.0.finish()
    }

    /// Adds the rows of a batch to the reply. The rows are the results of steps or resets of `lanes`.
    pub fn rows(&mut self, lanes: &[u32], batch: &Batch, columns: &WireColumns) {
        self.rows_of(ROWS, lanes, batch, columns);
    }

    /// Adds to the reply the last rows of lanes whose saved states were loaded.
    pub fn peeked(&mut self, lanes: &[u32], batch: &Batch, columns: &WireColumns) {
        self.rows_of(PEEKED, lanes, batch, columns);
    }

    fn rows_of(&mut self, kind: u32, lanes: &[u32], batch: &Batch, columns: &WireColumns) {
        self.0.number(kind);
        self.0.numbers(lanes);
        columns.append(batch, |bytes| self.0.raw(bytes));
    }

    /// Checks that the system provides the memory for `bytes` more bytes.
    ///
    /// # Errors
    /// `Memory` if it does not.
    pub fn check_room(&self, bytes: usize) -> Result<()> {
        check_headroom(2 * (self.0.len() + bytes), || "a reply".to_owned()) // the buffer doubles when it grows
    }

    /// Adds to the reply the result of a lane's operation other than a step or reset, such as its saved state.
    pub fn value(&mut self, lane: u32, value: &[u8]) {
        self.message(VALUES, lane, value);
    }

    /// Adds to the reply the failure of a lane that panicked.
    pub fn panicked(&mut self, lane: u32, text: &str) {
        self.message(PANICKED, lane, text.as_bytes());
    }

    /// Adds to the reply the failure of a lane that rejected its operation.
    pub fn refused(&mut self, lane: u32, text: &str) {
        self.message(REFUSED, lane, text.as_bytes());
    }

    fn message(&mut self, kind: u32, lane: u32, bytes: &[u8]) {
        self.0.number(kind);
        self.0.number(lane);
        self.0.block(bytes);
    }
}

/// Section of a host's reply that belongs to some of its lanes. Lanes are numbered within the host, in row order.
pub struct HostReply {
    pub lanes: Vec<u32>,
    pub body: ReplyBody,
}

/// Content of a section of a host's reply.
pub enum ReplyBody {
    /// Rows that result from steps and resets, stored column by column.
    Rows(ReplyBytes),
    /// Last rows of lanes whose states were loaded, stored column by column.
    Peeked(ReplyBytes),
    Value(Vec<u8>),
    Failed(LaneError),
}

/// Range of bytes in an encoded reply. A `ReplyBytes` keeps the reply's memory alive.
pub struct ReplyBytes {
    answer: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl ReplyBytes {
    pub fn bytes(&self) -> &[u8] {
        &self.answer[self.range.clone()]
    }
}

/// Decodes a host's reply into its sections. Returns `None` if the bytes are malformed.
pub fn decode_reply(answer: Vec<u8>, columns: &WireColumns) -> Option<Vec<HostReply>> {
    let answer = Arc::new(answer);
    let mut from = ByteReader::new(&answer);
    let mut all = Vec::new();
    while !from.is_at_end() {
        all.push(match from.number()? {
            kind @ (ROWS | PEEKED) => {
                let lanes = from.numbers()?;
                let start = from.position();
                from.raw(columns.stride().checked_mul(lanes.len())?)?;
                let rows = ReplyBytes { answer: Arc::clone(&answer), range: start..from.position() };
                HostReply { lanes, body: if kind == ROWS { ReplyBody::Rows(rows) } else { ReplyBody::Peeked(rows) } }
            }
            VALUES => HostReply { lanes: vec![from.number()?], body: ReplyBody::Value(from.block()?.to_vec()) },
            PANICKED => HostReply { lanes: vec![from.number()?], body: ReplyBody::Failed(LaneError::Panicked(from.text()?)) },
            REFUSED => {
                HostReply { lanes: vec![from.number()?], body: ReplyBody::Failed(LaneError::raised(from.text()?, Vec::new())) }
            }
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

    fn parts() -> WireColumns {
        let mut spec = EnvSpec::new(Space::discrete(3), Space::discrete(2));
        spec.info.push(InfoSpec::new("lives", Dtype::I32, &[]));
        let outputs = Outputs { dialect: Dialect::Gymnasium, format: Format::Gymnasium };
        WireColumns::from_layout(&Layout::new(&spec, outputs, &PoolConfig::new(4).unwrap()))
    }

    impl ReplyEncoder {
        /// Adds a section of rows with arbitrary bytes to the reply.
        fn any_rows(&mut self, kind: u32, lanes: &[u32], rows: &[u8]) {
            self.0.number(kind);
            self.0.numbers(lanes);
            self.0.raw(rows);
        }
    }

    /// Encodes decoded replies again, so that tests can compare the result with the original bytes.
    fn encode_again(replies: &[HostReply]) -> Vec<u8> {
        let mut response = ReplyEncoder::default();
        for HostReply { lanes, body: reply_body } in replies {
            match reply_body {
                ReplyBody::Rows(piece) | ReplyBody::Peeked(piece) => {
                    response.any_rows(if matches!(reply_body, ReplyBody::Rows(_)) { ROWS } else { PEEKED }, lanes, piece.bytes());
                }
                ReplyBody::Value(value) => response.value(lanes[0], value),
                ReplyBody::Failed(LaneError::Panicked(text)) => response.panicked(lanes[0], text),
                ReplyBody::Failed(fault) => response.refused(lanes[0], &fault.to_string()),
            }
        }
        response.finish()
    }

    proptest! {
        #[test]
        fn any_bytes_decode_to_a_reply_or_an_error(bytes in prop::collection::vec(prop_oneof![4 => Just(0u8), 1 => 1u8..6, 1 => any::<u8>()], 0..300)) {
            let parts = parts();
            if let Some(all) = decode_reply(bytes, &parts) {
                for HostReply { lanes, body } in &all {
                    if let ReplyBody::Rows(piece) | ReplyBody::Peeked(piece) = body {
                        let rows = parts.rows(piece.bytes(), lanes.len());
                        (0..lanes.len()).for_each(|row| _ = rows.step_reply(row, &mut [0.0]));
                    }
                }
                let again = encode_again(&all);
                let once_more = decode_reply(again.clone(), &parts).expect("what was written can be read");
                prop_assert_eq!(encode_again(&once_more), again);
            }
        }

        #[test]
        fn replies_survive_encoding(lanes in prop::collection::vec(any::<u32>(), 0..4), value in prop::collection::vec(any::<u8>(), 0..20), text in ".{0,20}") {
            let parts = parts();
            let rows: Vec<_> = (0..parts.stride() * lanes.len()).map(|byte| byte as u8).collect();
            let mut response = ReplyEncoder::default();
            response.value(3, &value);
            response.any_rows(ROWS, &lanes, &rows);
            response.panicked(2, &text);
            response.any_rows(PEEKED, &lanes, &rows);
            response.refused(1, &text);
            let bytes = response.finish();
            let all = decode_reply(bytes.clone(), &parts).expect("it is an answer");
            prop_assert_eq!(encode_again(&all), bytes.clone());
            prop_assert_eq!(all.iter().map(|reported| reported.lanes.len()).sum::<usize>(), 3 + 2 * lanes.len());
            let is_part = |end: &usize| decode_reply(bytes[..*end].to_vec(), &parts).is_some_and(|some| some.len() == all.len());
            prop_assert!((0..bytes.len()).find(is_part).is_none());
        }
    }
}
