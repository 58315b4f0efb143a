//! Encodes and decodes requests to hosts: steps, resets, saves and loads of lanes, which are the host's environments.

use super::bytes::{ByteReader, ByteWriter};
use envpool_rs_engine::ResetOptions;

/// Resets of several lanes with the same options.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resets {
    pub options: Vec<(String, f64)>,
    pub lanes: Vec<u32>,
    pub seeds: Vec<Option<u64>>,
}

/// Request to one host: operations of its lanes, in order. Lanes are numbered within the host; each lane occurs at most once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HostRequest {
    pub loads: Vec<(u32, Vec<u8>)>,
    pub steps: Vec<u32>,
    /// Actions of all steps in the request, concatenated.
    pub actions: Vec<u8>,
    pub resets: Vec<Resets>,
    pub saves: Vec<u32>,
}

/// Converts the options of a reset to pairs of a name and a value.
pub fn plain_options(options: &ResetOptions) -> Vec<(String, f64)> {
    options.names().map(|name| (name.to_owned(), options.get_or(name, 0.0))).collect()
}

impl HostRequest {
    /// Returns whether the request holds only steps.
    pub fn is_steps(&self) -> bool {
        self.loads.is_empty() && self.resets.is_empty() && self.saves.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.is_steps() && self.steps.is_empty()
    }

    /// Returns the lanes of all operations in the request.
    pub fn lanes(&self) -> impl Iterator<Item = u32> + '_ {
        let resets = self.resets.iter().flat_map(|resets| resets.lanes.iter().copied());
        let loads = self.loads.iter().map(|(lane, _)| *lane);
        self.steps.iter().copied().chain(resets).chain(self.saves.iter().copied()).chain(loads)
    }

    /// Consumes the request and returns the lanes of all its operations.
    pub fn into_lanes(self) -> Vec<u32> {
        if self.is_steps() { self.steps } else { self.lanes().collect() }
    }

    /// Adds a reset of a lane to the request.
    pub fn reset(&mut self, lane: u32, seed: Option<u64>, options: Vec<(String, f64)>) {
        if self.resets.last().is_none_or(|resets| resets.options != options) {
            self.resets.push(Resets { options, ..Resets::default() });
        }
        let resets = self.resets.last_mut().expect("it has just been made");
        resets.lanes.push(lane);
        resets.seeds.push(seed);
    }

    /// Encodes the request as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = ByteWriter::default();
        to.numbers(&self.steps);
        to.block(&self.actions);
        to.number(self.resets.len() as u32);
        for Resets { options, lanes, seeds } in &self.resets {
            to.number(options.len() as u32);
            for (name, value) in options {
                to.block(name.as_bytes());
                to.number64(value.to_bits());
            }
            to.numbers(lanes);
            for seed in seeds {
                to.number(u32::from(seed.is_some()));
                to.number64(seed.unwrap_or(0));
            }
        }
        to.numbers(&self.saves);
        to.number(self.loads.len() as u32);
        for (lane, state) in &self.loads {
            to.number(*lane);
            to.block(state);
        }
        to.finish()
    }

    /// Decodes a request. Returns `None` if the bytes are malformed.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = ByteReader::new(bytes);
        let (steps, actions) = (from.numbers()?, from.block()?.to_vec());
        let mut resets = Vec::new();
        for _ in 0..from.number()? {
            let mut options = Vec::new();
            for _ in 0..from.number()? {
                options.push((from.text()?, f64::from_bits(from.number64()?)));
            }
            let lanes = from.numbers()?;
            let mut seeds = Vec::with_capacity(lanes.len());
            for _ in &lanes {
                let is_seeded = from.number()? != 0;
                seeds.push(Some(from.number64()?).filter(|_| is_seeded));
            }
            resets.push(Resets { options, lanes, seeds });
        }
        let (saves, mut loads) = (from.numbers()?, Vec::new());
        for _ in 0..from.number()? {
            loads.push((from.number()?, from.block()?.to_vec()));
        }
        from.is_at_end().then_some(Self { loads, steps, actions, resets, saves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_decode_to_a_request_or_an_error(small in prop::collection::vec(prop_oneof![Just(0u8), Just(1), Just(2), any::<u8>()], 0..200)) {
            if let Some(request) = HostRequest::decode(&small) {
                let again = HostRequest::decode(&request.encode()).expect("what was written can be read");
                prop_assert_eq!(again.encode(), request.encode());
            }
        }
    }

    #[test]
    fn requests_survive_encoding() {
        let mut request = HostRequest { steps: vec![3, 1], actions: vec![1, 2, 3], saves: vec![4], ..HostRequest::default() };
        request.reset(0, Some(7), Vec::new());
        request.reset(2, None, Vec::new());
        request.reset(5, None, vec![("low".into(), -0.5)]);
        request.loads.push((6, b"state".to_vec()));
        assert_eq!(request.resets.len(), 2);
        assert_eq!(HostRequest::decode(&request.encode()), Some(request.clone()));
        assert_eq!(request.lanes().collect::<Vec<_>>(), [3, 1, 0, 2, 5, 4, 6]);
        let bytes = request.encode();
        assert!((0..bytes.len()).all(|end| HostRequest::decode(&bytes[..end]).is_none()));
    }
}
