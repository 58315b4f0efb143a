//! Tests the Crafter environment with textures of uniform colours, because the Python package's textures may be missing.

use envpool_rs_engine::{ActionColumn, LaneState};
use envpool_rs_numeric::random::{Generator, RandomStream};
use envpool_rs_sim_crafter::TextureSet;

use super::*;

fn make_env(values: &[(&str, Value)]) -> Crafter {
    let values: Vec<_> = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let mut env = Crafter::new(&tasks()[0].resolve(&values).unwrap()).unwrap();
    env.renderer = Some(PictureRenderer::new(&TextureSet::plain(), env.layout.clone(), env.level));
    env
}

fn small_env() -> Crafter {
    make_env(&[("area", Value::Ints(vec![30, 20])), ("size", 18.into())])
}

fn reset(env: &Crafter, seed: u64) -> (EpisodeState, EpisodeRandom) {
    let mut random = EpisodeRandom::from_seed(seed);
    let mut state = env.create(0).unwrap();
    assert!(env.is_valid(&state), "one that was never reset");
    env.reset(&mut state, &ResetOptions::default(), &mut random);
    (state, random)
}

fn play(env: &Crafter, state: &mut EpisodeState, random: &mut EpisodeRandom, choices: &mut Generator, steps: usize) -> Vec<f64> {
    let mut rewards = Vec::new();
    for _ in 0..steps {
        let column = [ActionColumn::I32(vec![choices.integers(0, ACTIONS.len() as i64) as i32])];
        let mut reward = [0.0];
        if env.step(state, &Action::new(&column, 0), &mut reward, random) {
            env.reset(state, &ResetOptions::default(), random);
        }
        rewards.push(reward[0]);
    }
    rewards
}

fn bytes_of(env: &Crafter, state: &EpisodeState) -> Vec<u8> {
    let mut bytes = Vec::new();
    state.save(env, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_saved_state_continues_like_the_original() {
    let env = small_env();
    let (mut state, mut random) = reset(&env, 3);
    let mut choices = Generator::new(1);
    for steps in [1, 30, 170, 40] {
        play(&env, &mut state, &mut random, &mut choices, steps);
        let mut copy = EpisodeState::load(&env, &mut bytes_of(&env, &state).as_slice()).unwrap();
        let (mut other_random, mut other_choices) = (random.clone(), choices.clone());
        let rewards = play(&env, &mut state, &mut random, &mut choices, 60);
        assert_eq!(play(&env, &mut copy, &mut other_random, &mut other_choices, 60), rewards);
        assert_eq!(bytes_of(&env, &copy), bytes_of(&env, &state));
        assert!(other_random == random, "the streams are at different places");
    }
}

#[test]
fn damaged_states_are_refused_or_playable() {
    let env = small_env();
    let (mut state, mut random) = reset(&env, 5);
    let mut choices = Generator::new(2);
    let rounds = if cfg!(miri) { 10 } else { 3000 };
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..rounds {
        if round % 300 == 0 {
            play(&env, &mut state, &mut random, &mut choices, 25);
        }
        let mut bytes = bytes_of(&env, &state);
        // Damages random bytes of the serialized state, but not those of the observation, which is at the end and may contain
        // any bytes.
        let len = bytes.len() - env.layout.bytes();
        for _ in 0..=choices.integers(0, 3) {
            bytes[choices.integers(0, len as i64) as usize] = choices.integers(0, 256) as u8;
        }
        match EpisodeState::load(&env, &mut bytes.as_slice()) {
            Ok(mut damaged) => {
                accepted += 1;
                play(&env, &mut damaged, &mut random.clone(), &mut choices, 12);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > rounds / 4 && accepted > rounds / 100, "{refused} refused, {accepted} accepted");
}

#[test]
fn states_of_another_area_or_size_are_refused() {
    let env = small_env();
    let (state, _) = reset(&env, 1);
    let bytes = bytes_of(&env, &state);
    assert!(EpisodeState::load(&env, &mut bytes.as_slice()).is_ok());
    for other in
        [make_env(&[("area", Value::Ints(vec![20, 30])), ("size", 18.into())]), make_env(&[("area", Value::Ints(vec![30, 20]))])]
    {
        assert!(EpisodeState::load(&other, &mut bytes.as_slice()).is_err());
    }
}

#[test]
fn the_length_is_the_time_limit() {
    let limit = |values: &[(String, Value)]| tasks()[0].step_limit(&tasks()[0].resolve(values).unwrap());
    assert_eq!(limit(&[]), Some(10_000));
    assert_eq!(limit(&[("length".to_owned(), 7.into())]), Some(7));
    assert_eq!(limit(&[("length".to_owned(), 0.into())]), Some(i32::MAX as u32));
    assert_eq!(limit(&[("length".to_owned(), Value::None)]), Some(i32::MAX as u32));
}

#[test]
fn options_without_a_picture_are_refused_by_name() {
    let refused = |name: &str, value: Value| {
        let options = tasks()[0].resolve(&[(name.to_owned(), value)]).unwrap();
        Crafter::new(&options).err().unwrap().to_string()
    };
    assert!(refused("view", Value::Ints(vec![9, 2])).starts_with("view=[9, 2]: expected more than 2 rows"));
    assert!(refused("size", 17.into()).starts_with("size=[17, 17]: expected at least [18, 18]"));
    assert!(refused("crafter_dir", "".into()).starts_with("crafter_dir=\"\": expected a folder"));
}
