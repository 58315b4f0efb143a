use std::sync::Arc;

use super::*;
use crate::contract::normalization::{NormalizationConfig, NormalizationRules};
use crate::contract::space::{Dtype, Space};
use crate::contract::spec::EnvSpec;
use crate::results::layout::{Dialect, Format, Outputs, Role};
use crate::results::row_slot::Transition;

const LANES: usize = 3;

/// Layout and normaliser of a pool, for tests that need no pool.
struct Model {
    layout: Arc<Layout>,
    normalizer: Normalizer,
}

/// Row of a test's batch: lane, observation, reward, and whether the episode terminated.
type TestRow = (u32, [f64; 2], f64, bool);

impl Model {
    fn new(rules: NormalizationRules, dtype: Dtype, format: Format) -> Self {
        let normalization =
            NormalizationConfig { observations: Some(rules), rewards: Some(rules), ..NormalizationConfig::default() };
        let config = PoolConfig { normalization, ..PoolConfig::new(LANES as i64).unwrap() };
        let spec = EnvSpec::new(Space::uniform(-1.0, 1.0, &[2], dtype), Space::discrete(2));
        let layout = Arc::new(Layout::new(&spec, Outputs { dialect: Dialect::Gymnasium, format }, &config));
        let normalizer = Normalizer::new(&config, &layout, 1).unwrap();
        Self { layout, normalizer }
    }

    /// Normalises a batch of `rows`, and returns its observations and rewards.
    fn apply(&mut self, rows: &[TestRow], causes: Option<&[RowCause]>) -> (Vec<f32>, Vec<f64>) {
        let mut batch = Batch::new(&self.layout, LANES, 0).unwrap();
        for (index, (lane, observation, reward, terminated)) in rows.iter().enumerate() {
            let transition = Transition { terminated: *terminated, begins_episode: false, ..Transition::started(0, 1) };
            let mut row = batch.row(index);
            row.observation().write(0, observation);
            row.write(Transition { lane: *lane, ..transition }, &[*reward]);
        }
        batch.rows = rows.len();
        self.normalizer.apply(&mut batch, causes);
        (batch.values::<f32>(Role::Observation(0)).unwrap().to_vec(), batch.values::<f64>(Role::Reward).unwrap().to_vec())
    }
}

/// Returns rows of all lanes for step number `step`.
fn rows(step: usize) -> Vec<TestRow> {
    let number = |k: usize| ((step * 31 + k * 17) % 23) as f64 / 7.0 - 1.0;
    (0..LANES).map(|lane| (lane as u32, [number(lane), number(lane + 9)], number(lane + 5), (step + lane) % 4 == 3)).collect()
}

const KINDS: [(NormalizationRules, Dtype, Format); 4] = [
    (NormalizationRules::Gymnasium, Dtype::F32, Format::Gymnasium),
    (NormalizationRules::Gymnasium, Dtype::F64, Format::Dm),
    (NormalizationRules::Sb3, Dtype::F32, Format::Gym),
    (NormalizationRules::Sb3, Dtype::F64, Format::Gymnasium),
];

#[test]
fn the_returns_of_lanes_do_not_depend_on_the_order_of_rows() {
    for (rules, dtype, format) in KINDS {
        let (mut ordered, mut reversed) = (Model::new(rules, dtype, format), Model::new(rules, dtype, format));
        for step in 0..9 {
            ordered.apply(&rows(step), None);
            reversed.apply(&rows(step).into_iter().rev().collect::<Vec<_>>(), None);
            assert_eq!(ordered.normalizer.state().discounted_returns, reversed.normalizer.state().discounted_returns);
        }
        assert!(ordered.normalizer.state().discounted_returns.iter().any(|value| *value != 0.0));
    }
}

#[test]
fn repeated_rows_change_no_statistics() {
    for (rules, dtype, format) in KINDS {
        let (mut with, mut without) = (Model::new(rules, dtype, format), Model::new(rules, dtype, format));
        with.apply(&rows(0), None);
        without.apply(&rows(0), None);
        let peeked = [RowCause::Reset, RowCause::Peek, RowCause::Reset];
        let (shown, _) = with.apply(&rows(1), Some(&peeked));
        let (others, _) = without.apply(&[rows(1)[0], rows(1)[2]], Some(&[RowCause::Reset; 2]));
        assert_eq!((&shown[..2], &shown[4..]), (&others[..2], &others[2..]), "{rules:?}");
        assert_eq!(with.normalizer.state(), without.normalizer.state());
        assert_eq!(with.apply(&rows(2), None), without.apply(&rows(2), None));
    }
}

#[test]
fn frozen_statistics_scale_and_do_not_change() {
    for (rules, dtype, format) in KINDS {
        let mut model = Model::new(rules, dtype, format);
        model.apply(&rows(0), None);
        let frozen = NormalizationState { update_running_mean: false, ..model.normalizer.state() };
        model.normalizer.set_state(&frozen).unwrap();
        let (shown, rewards) = model.apply(&rows(5), None);
        let after = model.normalizer.state();
        assert_eq!((&after.observations, &after.returns), (&frozen.observations, &frozen.returns));
        let statistics = frozen.observations.unwrap();
        let expected = (rows(5)[0].1[0] - statistics.mean[0]) / (statistics.var[0] + 1e-8).sqrt();
        assert!((f64::from(shown[0]) - expected).abs() < 1e-6);
        let expected = rows(5)[0].2 / (frozen.returns.unwrap().var[0] + 1e-8).sqrt();
        assert!((rewards[0] - expected).abs() < 1e-6);
    }
}

#[test]
fn merged_statistics_are_those_of_all_rows() {
    let numbers: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17)).collect();
    let statistics = |numbers: &[f64]| {
        let mut statistics = RunningMeanStd::new(1);
        for part in numbers.chunks(5) {
            let mean = part.iter().sum::<f64>() / 5.0;
            let var = part.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 5.0;
            let batch = running_mean_std::BatchMoments { mean: &[mean], var: &[var], count: 5.0 };
            statistics.merge_batch::<f64, f64>(&batch, false);
        }
        statistics
    };
    let (mut left, right, all) = (statistics(&numbers[..15]), statistics(&numbers[15..]), statistics(&numbers));
    left.merge(&right);
    // `left` and the statistics merged into it each started with 1e-4 rows.
    assert!((left.mean[0] - all.mean[0]).abs() < 1e-4 && (left.var[0] - all.var[0]).abs() < 1e-3, "{left:?} {all:?}");
    assert!((left.count - 40.0002).abs() < 1e-9);
}

#[test]
fn statistics_that_do_not_fit_are_refused_by_name() {
    let mut model = Model::new(NormalizationRules::Sb3, Dtype::F32, Format::Gymnasium);
    let state = model.normalizer.state();
    let changed = |change: &dyn Fn(&mut NormalizationState)| {
        let mut changed = state.clone();
        change(&mut changed);
        changed
    };
    for (wrong, name) in [
        (changed(&|state| state.observations = None), "obs_rms=None"),
        (changed(&|state| state.observations.as_mut().unwrap().mean.push(0.0)), "obs_rms.mean=[3 values]"),
        (changed(&|state| state.returns.as_mut().unwrap().var[0] = -1.0), "return_rms.var=-1"),
        (changed(&|state| state.returns.as_mut().unwrap().count = 0.0), "return_rms.count=0"),
        (changed(&|state| state.discounted_returns.truncate(1)), "returns=[1 values]"),
    ] {
        let error = model.normalizer.set_state(&wrong).unwrap_err().to_string();
        assert!(error.starts_with(name), "{error}");
        assert_eq!(model.normalizer.state(), state);
    }
}
