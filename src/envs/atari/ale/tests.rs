//! Tests of ALE's environment with the test cartridge.

use super::*;
use crate::testing::{Lane, colour, game, gray, rom, with_options};
use envpool_rs_sim_atari::palette;

const NOOP: i32 = 0;
const FIRE: i32 = 1;

fn with_seed(seed: u64, given: &[(&str, Value)]) -> Lane<AleAtari> {
    let mut env: AleAtari = with_options(&task(game()), given).unwrap();
    env.setup.insert_cartridge(rom()).unwrap();
    Lane::new(env, seed)
}

fn lane(given: &[(&str, Value)]) -> Lane<AleAtari> {
    let mut options = vec![("repeat_action_probability", 0.0.into())];
    options.extend(given.iter().cloned());
    with_seed(3, &options)
}

/// Creates an ALE environment with the options `given`, preprocessing, four frames per step and no NOOPs.
fn preprocessed(given: &[(&str, Value)]) -> Lane<AleAtari> {
    let mut options = vec![("preprocessing", true.into()), ("frameskip", 1.into()), ("noop_max", 0.into())];
    options.extend(given.iter().cloned());
    lane(&options)
}

/// Returns the frame counter in the test program's RAM.
fn frames(lane: &Lane<AleAtari>) -> u8 {
    lane.state.console.ram()[crate::testing::FRAMES]
}

/// Returns the gray value of each of the `frames` stacked frames, after checking that all pixels of a frame are equal.
fn values(lane: &Lane<AleAtari>, frames: usize) -> Vec<u8> {
    let observation = lane.observation();
    let one = |frame: &[u64]| {
        assert!(frame.iter().all(|pixel| *pixel == frame[0]));
        frame[0] as u8
    };
    observation.chunks(observation.len() / frames).map(one).collect()
}

#[test]
fn observations_are_the_last_screen_or_the_ram() {
    let mut lanes = ["rgb", "grayscale", "ram"].map(|kind| lane(&[("obs_type", kind.into())]));
    for lane in &mut lanes {
        assert!(!lane.step(NOOP));
        assert_eq!(lane.reward, 4.0);
    }
    let [rgb, grays, ram] = &lanes;
    assert_eq!(rgb.env.spec().observation.shape(), [210, 160, 3]);
    let expected = palette::rgb(false)[colour(frames(rgb))].map(u64::from);
    assert!(rgb.observation().chunks(3).all(|pixel| pixel == expected));
    assert_eq!(grays.env.spec().observation.shape(), [210, 160]);
    assert_eq!(values(grays, 1), [gray(frames(grays))]);
    assert_eq!(ram.observation(), ram.state.console.ram().map(u64::from));
}

#[test]
fn an_episode_is_truncated_in_the_middle_of_a_step() {
    let mut lane = lane(&[("max_num_frames_per_episode", 6.into())]);
    assert!(!lane.step(NOOP) && !lane.env.is_truncated(&lane.state));
    assert!(!lane.step(NOOP) && lane.env.is_truncated(&lane.state));
    assert_eq!((lane.reward, lane.info()), (2.0, vec![3, 6, 6]));
}

#[test]
fn a_reset_without_a_seed_keeps_the_console() {
    let mut lane = lane(&[]);
    lane.step(NOOP);
    lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
    assert_eq!(lane.info(), [3, 0, 4]);
    lane.env.reset(&mut lane.state, &ResetOptions::default().with_seed(3), &mut lane.random);
    assert_eq!(lane.info(), [3, 0, 0]);
}

#[test]
fn the_random_frame_skip_excludes_its_upper_bound() {
    let mut lane = lane(&[("frameskip", vec![2_i64, 5].into())]);
    let rewards: Vec<_> = (0..60).map(|_| (lane.step(NOOP), lane.reward).1 as i32).collect();
    assert!((2..5).all(|frames| rewards.contains(&frames)) && rewards.iter().all(|frames| (2..5).contains(frames)));
}

#[test]
fn preprocessed_frames_are_the_maximum_of_two_screens() {
    let mut lane = preprocessed(&[("stack_size", 2.into())]);
    let first = frames(&lane);
    assert_eq!(values(&lane, 2), [gray(first); 2]);
    assert!(!lane.step(NOOP));
    assert_eq!(values(&lane, 2), [gray(first), gray(first + 4).max(gray(first + 3))]);
}

#[test]
fn the_last_screen_of_an_episode_is_not_observed() {
    let mut early = preprocessed(&[]);
    early.step(NOOP);
    let before = values(&early, 1);
    assert!(early.step(FIRE));
    assert_eq!((early.reward, values(&early, 1)), (3.0, before), "it ended before there was anything to see");

    let mut late = preprocessed(&[("max_num_frames_per_episode", 8.into())]);
    let first = frames(&late);
    late.step(NOOP);
    assert!(!late.step(NOOP) && late.env.is_truncated(&late.state));
    let seen = [first + 3, first + 4, first + 7].map(gray);
    assert_eq!(values(&late, 1), [seen.into_iter().max().unwrap()]);

    let mut fresh = preprocessed(&[("max_num_frames_per_episode", 4.into())]);
    fresh.step(NOOP);
    assert_eq!(values(&fresh, 1), [gray(first).max(gray(first + 3))]);
}

#[test]
fn a_lost_life_ends_the_step_and_optionally_the_episode() {
    let mut lane = preprocessed(&[("terminal_on_life_loss", true.into())]);
    assert!(!lane.step(NOOP));
    assert!(lane.step(FIRE));
    assert_eq!((lane.reward, lane.info()), (1.0, vec![2, 5, 5]));
    lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
    assert!(!lane.step(NOOP));
}

#[test]
fn stacks_are_filled_with_the_first_observation_or_with_zeros() {
    let first = |padding: &str| {
        let mut lane = lane(&[("obs_type", "ram".into()), ("stack_size", 3.into()), ("padding_type", padding.into())]);
        lane.step(NOOP);
        lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
        assert_eq!(lane.env.spec().observation.shape(), [3, 128]);
        lane.observation()
    };
    let (filled, zeros) = (first("reset"), first("zero"));
    assert_eq!(filled[..128], filled[256..]);
    assert_eq!((zeros[..256].iter().sum::<u64>(), &zeros[256..]), (0, &filled[256..]));
}

#[test]
fn scaled_frames_are_floats_from_0_to_1() {
    let lane =
        preprocessed(&[("scale_obs", true.into()), ("grayscale_newaxis", true.into()), ("screen_size", vec![9_i64, 5].into())]);
    assert_eq!(lane.env.spec().observation, Space::uniform(0.0, 1.0, &[5, 9, 1], Dtype::F32));
    let expected = f32::from(gray(frames(&lane))) / 255.0;
    assert_eq!(lane.observation(), [u64::from(expected.to_bits()); 45]);
}

#[test]
fn a_restored_snapshot_continues_like_the_original() {
    for given in [&[][..], &[("frameskip", 1.into()), ("preprocessing", true.into()), ("stack_size", 4.into())]] {
        let mut lane = with_seed(9, given);
        lane.step(NOOP);
        let (state, random) = lane.saved_and_loaded().unwrap();
        let go_on = |lane: &mut Lane<AleAtari>| -> Vec<_> {
            [NOOP, NOOP, 2, FIRE].map(|action| (lane.step(action), lane.observation(), lane.info())).to_vec()
        };
        let expected = go_on(&mut lane);
        (lane.state, lane.random) = (state, random);
        assert_eq!(go_on(&mut lane), expected);
    }
}

#[test]
fn a_state_that_was_never_reset_is_saved_loaded_and_reset() {
    let mut lane = lane(&[]);
    lane.state = lane.env.create(0).unwrap();
    (lane.state, lane.random) = lane.saved_and_loaded().unwrap();
    assert_eq!(lane.info()[1..], [0; 2]);
    lane.step(NOOP);
    lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
    lane.step(NOOP);
    assert_eq!(lane.info()[..2], [3, 4]);
}

#[test]
fn invalid_options_are_refused_by_name() {
    let refused = |name: &str, given: &[(&str, Value)]| {
        let error = with_options::<AleAtari>(&task(game()), given).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{name}=")), "{error}");
    };
    refused("obs_type", &[("obs_type", "rbg".into())]);
    refused("mode", &[("mode", 1.into())]);
    refused("frameskip", &[("frameskip", 0.into())]);
    refused("frameskip", &[("frameskip", vec![5_i64, 2].into())]);
    refused("frameskip", &[("frameskip", vec![2_i64, 3, 4].into())]);
    refused("frameskip", &[("preprocessing", true.into())]);
    refused("noop_max", &[("noop_max", 3.into())]);
    refused("stack_size", &[("stack_size", 0.into())]);
    refused("padding_type", &[("padding_type", "zero".into())]);
    refused("padding_type", &[("padding_type", "custom".into()), ("stack_size", 2.into())]);
    refused("max_num_frames_per_episode", &[("max_num_frames_per_episode", (-1).into())]);
    let wrapped = |name: &'static str, value: Value| vec![("preprocessing", true.into()), ("frameskip", 1.into()), (name, value)];
    refused("obs_type", &wrapped("obs_type", "ram".into()));
    refused("screen_size", &wrapped("screen_size", 0.into()));
    refused("noop_max", &wrapped("continuous", true.into()));
    let backgammon = task(Game::named("backgammon").unwrap());
    let error = with_options::<AleAtari>(&backgammon, &wrapped("noop_max", 2.into())).unwrap_err().to_string();
    assert_eq!(error, "noop_max=2: expected 0 for a game whose first action is FIRE, not NOOP");
}
