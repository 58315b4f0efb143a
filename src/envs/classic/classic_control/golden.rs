//! Replays recordings of gymnasium's environments in blocks of 1, 8 and 16 lanes (environments that are stepped together).
//!
//! `tools/golden/classic_control.py` writes the recordings.

use std::path::Path;

use serde_json::Value as Json;

use envpool_rs_engine::{Kernel, KernelAction, Options, ResetOptions, Value};
use envpool_rs_numeric::random::Generator;

/// Type of an environment's action that can be parsed from a recording of gymnasium's environment.
pub trait RecordedAction: KernelAction {
    fn parse(json: &Json) -> Self;
}

impl RecordedAction for i32 {
    fn parse(json: &Json) -> Self {
        json.as_i64().expect("an integer") as i32
    }
}

impl RecordedAction for f32 {
    fn parse(json: &Json) -> Self {
        json.as_f64().expect("a number") as f32
    }
}

struct Replay<K: Kernel, const W: usize> {
    kernel: K,
    options: ResetOptions,
    fields: Vec<[f64; W]>,
    rng: [Generator; W],
}

/// Checks that blocks of 1, 8 and 16 lanes reproduce the recording bit for bit.
pub fn replay<K: Kernel<Action: RecordedAction>>(recording: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../tests/data/classic_control/{recording}.json"));
    let json: Json = serde_json::from_str(&std::fs::read_to_string(path).expect("a recording")).expect("JSON");
    replay_blocks::<K, 1>(&json);
    replay_blocks::<K, 8>(&json);
    replay_blocks::<K, 16>(&json);
}

/// Checks that a reset of the environment `K` with the options `options` returns an error.
pub fn refuses<K: Kernel>(options: &[(&str, f64)]) {
    let kernel = K::new(&Options::resolve(&K::options(), &[], &[]).expect("defaults")).expect("a kernel");
    let options = ResetOptions::new(options.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect());
    assert!(kernel.check_reset(&options).is_err(), "{options:?} must be refused");
    assert!(kernel.check_reset(&ResetOptions::default()).is_ok());
}

/// Replays the recorded lanes in overlapping blocks of `W` lanes, so that every lane is tested in every position of a block.
fn replay_blocks<K: Kernel<Action: RecordedAction>, const W: usize>(json: &Json) {
    let lanes = json["lanes"].as_array().expect("lanes");
    for first in 0..lanes.len() {
        let lanes: [&Json; W] = std::array::from_fn(|i| &lanes[(first + i) % lanes.len()]);
        let seeds = lanes.map(|lane| lane["seed"].as_u64().expect("a seed"));
        let mut player = Replay::<K, W>::new(json, seeds);
        player.play(lanes.map(|lane| lane["rows"].as_array().expect("rows").as_slice()));
    }
}

impl<K: Kernel<Action: RecordedAction>, const W: usize> Replay<K, W> {
    fn new(json: &Json, seeds: [u64; W]) -> Self {
        let given: Vec<_> = entries(&json["options"]).map(|(name, value)| (name.clone(), option(value))).collect();
        let reset = entries(&json["reset_options"]).map(|(name, value)| (name.clone(), value.as_f64().expect("a number")));
        let options = Options::resolve(&K::options(), &[], &given).expect("options");
        Self {
            kernel: K::new(&options).expect("a kernel"),
            options: ResetOptions::new(reset.collect()),
            fields: vec![[0.0; W]; size_of::<K::Fields<1>>() / size_of::<f64>()],
            rng: seeds.map(Generator::new),
        }
    }

    fn play(&mut self, mut rows: [&[Json]; W]) {
        self.reset_where_recorded(&mut rows);
        while rows.iter().all(|rows| !rows.is_empty()) {
            self.step(&rows);
            rows = rows.map(|rows| &rows[1..]);
            self.reset_where_recorded(&mut rows);
        }
        assert!(rows.iter().all(|rows| rows.is_empty()), "lanes of different lengths");
    }

    fn step(&mut self, rows: &[&[Json]; W]) {
        let (mut reward, mut terminated) = ([f64::NAN; W], [false; W]);
        let action = rows.map(|rows| K::Action::parse(&rows[0][0]));
        self.kernel.step(&mut self.fields, &action, &mut reward, &mut terminated);
        for i in 0..W {
            assert_eq!(reward[i].to_bits(), rows[i][0][1].as_u64().expect("bits"), "reward, {} rows left", rows[i].len());
            assert_eq!(terminated[i], rows[i][0][2].as_bool().expect("a bool"), "{} rows left", rows[i].len());
            self.check(i, &rows[i][0], rows[i].len());
        }
    }

    fn reset_where_recorded(&mut self, rows: &mut [&[Json]; W]) {
        for i in 0..W {
            if let [row, rest @ ..] = rows[i]
                && row[0].is_null()
            {
                let mut fields = vec![0.0; size_of::<K::Fields<1>>() / size_of::<f64>()];
                self.kernel.reset(&mut fields, &self.options, &mut self.rng[i]);
                self.fields.iter_mut().zip(fields).for_each(|(lanes, field)| lanes[i] = field);
                self.check(i, row, rows[i].len());
                rows[i] = rest;
            }
        }
    }

    fn check(&self, lane: usize, row: &Json, left: usize) {
        let state = row[3].as_array().expect("a state");
        for (field, bits) in self.fields.iter().zip(state) {
            assert_eq!(field[lane].to_bits(), bits.as_u64().expect("bits"), "state {}, {left} rows left", field[lane]);
        }
        let mut observation = vec![[0.0; W]; size_of::<K::Observation<1>>() / size_of::<f32>()];
        self.kernel.observe(&self.fields, &mut observation);
        let bits: Vec<_> = observation.iter().map(|element| u64::from(element[lane].to_bits())).collect();
        assert_eq!(Json::from(bits), row[4], "observation, {left} rows left");
    }
}

fn entries(json: &Json) -> impl Iterator<Item = (&String, &Json)> {
    json.as_object().expect("an object").iter()
}

fn option(json: &Json) -> Value {
    json.as_bool().map_or_else(|| Value::Float(json.as_f64().expect("a number")), Value::Bool)
}
