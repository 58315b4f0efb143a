//! Replays traces of mpe2 that `tools/golden/mpe.py` recorded, and compares all numbers bit for bit.

use std::io::BufRead;

use serde_json::Value as Json;

use envpool_rs_engine::{Action, ActionColumn, Dtype, Env, Options, ResetOptions, RowBuffer, Space, Value};
use envpool_rs_numeric::random::Generator;

/// Environment, its state, and the buffers with which a trace is replayed.
struct Replay<E: Env> {
    env: E,
    state: E::State,
    rng: Generator,
    observation: RowBuffer,
    benchmark: RowBuffer,
    limit: u64,
    elapsed: u64,
}

/// Replays a whole trace and returns its number of steps.
///
/// # Panics
/// At the first difference from the trace.
pub fn replay<E: Env<Random = Generator>>(trace: impl BufRead) -> usize {
    let mut lines = trace.lines().map(|line| serde_json::from_str::<Json>(&line.unwrap()).unwrap());
    let mut replay = Replay::<E>::new(&lines.next().unwrap());
    let mut steps = 0;
    for (line, record) in (2..).zip(lines) {
        if record.get("action").is_some() {
            replay.step(&record, line);
            steps += 1;
        } else {
            replay.reset(&record, line);
        }
    }
    steps
}

/// Creates an environment of type `E` with the options `given`.
pub fn build<E: Env>(given: &[(&str, Value)]) -> envpool_rs_engine::Result<E> {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    E::new(&Options::resolve(&E::options(), &[], &given)?)
}

impl<E: Env<Random = Generator>> Replay<E> {
    fn new(header: &Json) -> Self {
        let mut given = header["options"].as_object().unwrap().clone();
        let limit = given.remove("max_cycles").map_or(25, |limit| limit.as_u64().unwrap());
        let given: Vec<_> = given.iter().map(|(name, value)| (name.as_str(), option(value))).collect();
        let env = build::<E>(&given).unwrap();
        let spec = env.spec();
        let lengths: Vec<_> = spec.observation.leaves().iter().map(|leaf| leaf.space.size() * spec.rows()).collect();
        let infos: Vec<_> = spec.info.iter().map(|info| info.shape.iter().product()).collect();
        Self {
            state: env.create(0).unwrap(),
            rng: Generator::new(0),
            observation: RowBuffer::new(Dtype::F32, &lengths),
            benchmark: RowBuffer::new(Dtype::F64, &infos),
            limit,
            elapsed: 0,
            env,
        }
    }

    fn reset(&mut self, record: &Json, line: usize) {
        if let Some(seed) = record["seed"].as_u64() {
            self.rng = Generator::new(seed);
        }
        self.env.reset(&mut self.state, &ResetOptions::default(), &mut self.rng);
        self.elapsed = 0;
        self.compare_observation(record, line);
    }

    fn step(&mut self, record: &Json, line: usize) {
        let columns = columns(&self.env.spec().action, &record["action"]);
        let mut rewards = vec![0.0_f64; self.env.spec().players];
        let ended = self.env.step(&mut self.state, &Action::new(&columns, 0), &mut rewards, &mut self.rng);
        self.elapsed += 1;
        let truncated = self.elapsed >= self.limit;
        let terminated = ended && !(E::TRUNCATION_WINS && truncated);
        self.compare_observation(record, line);
        let rewards: Vec<_> = rewards.into_iter().map(f64::to_bits).collect();
        assert_eq!(rewards, bits(&record["rewards"], 16), "rewards, line {line}");
        assert_eq!(terminated, record["terminated"], "terminated, line {line}");
        assert_eq!(truncated, record["truncated"], "truncated, line {line}");
        if let Some(benchmark) = record.get("benchmark") {
            let found = self.benchmark.bits(|row| self.env.info(&self.state, row));
            assert_eq!(found, bits(benchmark, 16), "benchmark_data, line {line}");
        }
    }

    fn compare_observation(&mut self, record: &Json, line: usize) {
        let found = self.observation.bits(|row| self.env.observe(&self.state, row));
        assert_eq!(found, bits(&record["observation"], 8), "observation, line {line}");
    }
}

fn option(value: &Json) -> Value {
    match value {
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(value) => value.as_i64().map_or_else(|| Value::Float(value.as_f64().unwrap()), Value::Int),
        other => panic!("no option has the value {other}"),
    }
}

/// Returns the actions of all players as columns (arrays): one column per array of the action space, or a single column if the
/// players share the space.
///
/// In each column, the actions of the players are consecutive.
fn columns(space: &Space, action: &Json) -> Vec<ActionColumn> {
    let shared = !matches!(space, Space::Dict(_));
    if let Some(moves) = action.as_array() {
        let moves: Vec<_> = moves.iter().map(|value| value.as_i64().unwrap() as i32).collect();
        return moves.chunks(if shared { moves.len() } else { 1 }).map(|own| ActionColumn::I32(own.to_vec())).collect();
    }
    let mut values = bits(action, 8).into_iter().map(|bits| f32::from_bits(bits as u32));
    if shared {
        return vec![ActionColumn::F32(values.collect())];
    }
    space.leaves().iter().map(|leaf| ActionColumn::F32(values.by_ref().take(leaf.space.size()).collect())).collect()
}

/// Parses a string of hexadecimal digits as consecutive unsigned integers of `width` digits each: the bit patterns of recorded
/// floats.
fn bits(digits: &Json, width: usize) -> Vec<u64> {
    let digits = digits.as_str().unwrap();
    (0..digits.len()).step_by(width).map(|at| u64::from_str_radix(&digits[at..at + width], 16).unwrap()).collect()
}

/// Replays the traces in the folder that the environment variable `MPE_TRACES` names.
///
/// `python tools/golden/mpe.py TRACE STEPS > FOLDER/TRACE.jsonl` writes a trace.
#[test]
#[ignore = "needs a folder of long traces, named by the environment variable MPE_TRACES"]
fn long_traces_equal_mpe2s() {
    let folder = std::env::var("MPE_TRACES").expect("MPE_TRACES names a folder");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let trace = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
        let steps = match path.file_name().unwrap().to_string_lossy().starts_with("listener") {
            true => replay::<super::simple_speaker_listener::SimpleSpeakerListener>(trace),
            false => replay::<super::simple_spread::SimpleSpread>(trace),
        };
        println!("{}: {steps} steps, no difference", path.display());
    }
}
