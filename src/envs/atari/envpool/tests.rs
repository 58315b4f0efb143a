//! Tests of EnvPool's environment with the test cartridge.

use super::*;
use crate::testing::{FRAMES, Lane, colour, game, gray, rom, with_options};
use envpool_rs_sim_atari as atari;

const NOOP: i32 = 0;
const FIRE: i32 = 1;

fn lane(given: &[(&str, Value)]) -> Lane<EnvPoolAtari> {
    let mut options = vec![("noop_max", 0.into()), ("use_fire_reset", false.into())];
    options.extend(given.iter().cloned());
    let mut env: EnvPoolAtari = with_options(&task(game()), &options).unwrap();
    env.setup.insert_cartridge(rom()).unwrap();
    Lane::new(env, 7)
}

/// Returns the frame counter in the test program's RAM.
fn frames(lane: &Lane<EnvPoolAtari>) -> u8 {
    lane.info()[3 + FRAMES] as u8
}

/// Returns the gray value of each stacked frame, after checking that all pixels of a frame are equal.
fn grays(lane: &Lane<EnvPoolAtari>) -> Vec<u8> {
    let observation = lane.observation();
    let frames = observation.chunks(84 * 84).map(|frame| {
        assert!(frame.iter().all(|pixel| *pixel == frame[0]));
        frame[0] as u8
    });
    frames.collect()
}

fn brighter(frames: u8) -> u8 {
    gray(frames).max(gray(frames - 1))
}

#[test]
fn a_frame_is_the_maximum_of_two_screens_and_the_newest_is_last() {
    let mut lane = lane(&[]);
    let first = frames(&lane);
    assert_eq!(grays(&lane), [gray(first); 4]);
    assert!(!lane.step(NOOP));
    assert_eq!((frames(&lane), lane.reward), (first + 4, 4.0));
    assert_eq!(grays(&lane), [gray(first), gray(first), gray(first), brighter(first + 4)]);
}

#[test]
fn a_frame_skip_of_one_returns_the_screen_unchanged() {
    let mut lane = lane(&[("frame_skip", 1.into()), ("stack_num", 1.into())]);
    lane.step(NOOP);
    assert_eq!(grays(&lane), [gray(frames(&lane))]);
}

#[test]
fn only_a_game_that_ends_in_the_last_two_frames_changes_the_screen() {
    let mut lane = lane(&[]);
    let first = frames(&lane);
    assert!(lane.step(FIRE));
    assert_eq!((frames(&lane), lane.reward), (first + 3, 3.0));
    assert_eq!(grays(&lane)[3], gray(first + 3));

    let mut lane = self::lane(&[("use_fire_reset", true.into())]);
    lane.step(NOOP);
    let before = grays(&lane);
    assert!(lane.step(FIRE));
    assert_eq!(lane.reward, 2.0);
    assert_eq!(grays(&lane)[3], before[3]);
}

#[test]
fn a_life_ends_an_episode_and_not_the_game() {
    let mut lane = lane(&[("episodic_life", true.into()), ("frame_skip", 1.into())]);
    let first = frames(&lane);
    assert!(!lane.step(NOOP));
    assert!(lane.step(FIRE));
    let ended = EpisodeEnd { elapsed: 2, at_limit: false };
    assert_eq!(lane.env.next_episode(&mut lane.state, ended, &mut lane.random), 2);
    assert_eq!((frames(&lane), lane.info()[0]), (first + 2, 2));
    assert!(lane.step(FIRE), "the second life");
    assert!(lane.step(FIRE), "the last life");
    assert_eq!(lane.env.next_episode(&mut lane.state, ended, &mut lane.random), 0);
    assert_eq!((frames(&lane), lane.info()[0]), (first, 3), "a new game");
}

#[test]
fn the_time_limit_starts_a_new_game_with_episodic_life() {
    let mut lane = lane(&[("episodic_life", true.into())]);
    let first = frames(&lane);
    lane.step(NOOP);
    let ended = EpisodeEnd { elapsed: 1, at_limit: true };
    assert_eq!(lane.env.next_episode(&mut lane.state, ended, &mut lane.random), 0);
    assert_eq!(frames(&lane), first);
}

#[test]
fn a_lost_life_zeroes_the_discount_only_if_enabled() {
    for asked in [true, false] {
        let mut lane = lane(&[("zero_discount_on_life_loss", asked.into()), ("frame_skip", 1.into())]);
        assert!(!lane.step(FIRE));
        assert_eq!(lane.env.has_zero_discount(&lane.state), asked);
        assert!(!lane.step(NOOP));
        assert!(!lane.env.has_zero_discount(&lane.state));
    }
}

#[test]
fn clipped_rewards_are_the_signs_of_the_scores() {
    let mut lane = lane(&[("reward_clip", true.into())]);
    lane.step(NOOP);
    assert_eq!((lane.reward, lane.info()[1]), (1.0, 4));
}

#[test]
fn a_reset_plays_at_least_one_noop_and_fire_replaces_the_last() {
    let [none, one, fire] = [(0, false), (1, false), (1, true)].map(|(most, fire)| {
        let lane = lane(&[("noop_max", most.into()), ("use_fire_reset", fire.into())]);
        (frames(&lane), lane.info()[0])
    });
    assert_eq!((one.0 - none.0, one.1), (1, 3));
    assert_eq!((fire.0 - none.0, fire.1), (1, 2));
    let mut many = lane(&[("noop_max", 30.into())]);
    for _ in 0..20 {
        many.env.reset(&mut many.state, &ResetOptions::default(), &mut many.random);
        assert!((1..=30).contains(&(frames(&many) - none.0)));
    }
}

#[test]
fn colours_are_stored_in_planes() {
    let lane = lane(&[("gray_scale", false.into()), ("stack_num", 1.into())]);
    let colour = atari::palette::rgb(false)[colour(frames(&lane))];
    assert_eq!(lane.env.spec().observation.shape(), [3, 84, 84]);
    for (plane, value) in lane.observation().chunks(84 * 84).zip(colour) {
        assert!(plane.iter().all(|pixel| *pixel == u64::from(value)));
    }
}

#[test]
fn a_restored_snapshot_continues_like_the_original() {
    let mut lane = lane(&[("repeat_action_probability", 0.5.into())]);
    lane.step(NOOP);
    let (state, random) = lane.saved_and_loaded().unwrap();
    let go_on = |lane: &mut Lane<EnvPoolAtari>| -> Vec<_> {
        [NOOP, NOOP, 2, FIRE].map(|action| (lane.step(action), lane.observation(), lane.info())).to_vec()
    };
    let expected = go_on(&mut lane);
    (lane.state, lane.random) = (state, random);
    assert_eq!(go_on(&mut lane), expected);
}

#[test]
fn states_with_another_stack_are_refused_and_unreset_states_playable() {
    let mut lane = lane(&[]);
    lane.state.stack = FrameStack::new(3, 84 * 84);
    assert!(lane.saved_and_loaded().is_err());
    lane.state = lane.env.create(0).unwrap();
    (lane.state, lane.random) = lane.saved_and_loaded().unwrap();
    assert_eq!(lane.info()[..2], [0; 2]);
    lane.step(NOOP);
    lane.env.reset(&mut lane.state, &ResetOptions::default(), &mut lane.random);
    assert!(!lane.step(NOOP));
    assert_eq!(lane.reward, 4.0);
}

#[test]
fn invalid_options_are_refused_by_name() {
    let refused = |name: &str, value: Value| {
        let error = with_options::<EnvPoolAtari>(&task(game()), &[(name, value)]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{name}=")), "{error}");
        error
    };
    refused("stack_num", 0.into());
    refused("frame_skip", 0.into());
    refused("noop_max", (-1).into());
    refused("img_height", 0.into());
    refused("img_width", 1_000_000.into());
    refused("repeat_action_probability", 1.5.into());
    assert!(refused("task", "pung".into()).contains("did you mean \"pong\"?"));
    assert!(refused("mode", 1.into()).ends_with("one of assault's: 0"));
    assert!(refused("difficulty", (-2).into()).ends_with("one of assault's: 0"));
    let huge = [("stack_num", 1000.into()), ("img_height", 4096.into()), ("img_width", 4096.into())];
    assert!(with_options::<EnvPoolAtari>(&task(game()), &huge).unwrap_err().to_string().starts_with("stack_num=1000: "));
}

#[test]
fn every_game_has_a_spec_without_its_cartridge() {
    for game in &atari::games::GAMES {
        let env: EnvPoolAtari = with_options(&task(game), &[]).unwrap();
        assert_eq!(env.spec().action, Space::discrete(game.minimal.len() as i64), "{}", game.name);
    }
}
