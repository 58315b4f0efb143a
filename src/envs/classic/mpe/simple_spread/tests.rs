//! Tests of the environment SimpleSpread.

use super::super::trace::{build, replay};
use super::*;
use envpool_rs_engine::{Space, Value};

macro_rules! golden {
    ($($test:ident: $trace:literal),*) => {$(
        #[test]
        fn $test() {
            let trace = include_str!(concat!("../../../../../tests/data/mpe/", $trace, ".jsonl"));
            assert!(replay::<SimpleSpread>(trace.as_bytes()) > 25);
        }
    )*};
}
golden!(
    three_agents_that_choose_moves_do_as_in_mpe2: "spread_discrete",
    three_agents_at_the_levers_do_as_in_mpe2: "spread_continuous",
    one_agent_alone_does_as_in_mpe2: "spread_alone",
    a_crowd_and_its_benchmark_data_are_as_in_mpe2: "spread_crowd",
    near_sighted_agents_see_what_they_see_in_mpe2: "spread_near_sighted",
    collisions_cost_nothing_in_the_curriculum: "spread_curriculum",
    success_terminates_where_it_does_in_mpe2: "spread_success"
);

fn message(given: &[(&str, Value)]) -> String {
    build::<SimpleSpread>(given).unwrap_err().to_string()
}

#[test]
fn impossible_options_are_refused_by_name() {
    assert_eq!(message(&[("N", Value::Int(0))]), "N=0: expected an integer from 1 to 1024");
    assert_eq!(message(&[("N", Value::Int(1025))]), "N=1025: expected an integer from 1 to 1024");
    assert_eq!(message(&[("local_ratio", Value::Float(f64::NAN))]), "local_ratio=NaN: expected finite numbers");
    assert_eq!(message(&[("local_ratio", Value::Float(1.5))]), "local_ratio=1.5: expected 0 to 1");
    assert_eq!(
        message(&[("num_agent_neighbors", Value::Int(0))]),
        "num_agent_neighbors=0: expected an integer from 1 to 1024 or None"
    );
    assert!(message(&[("max_cycles", Value::Int(50))]).contains("max_episode_steps"));
}

#[test]
fn states_of_another_number_of_agents_are_refused() {
    let [three, five] = [3, 5].map(|agents| build::<SimpleSpread>(&[("N", Value::Int(agents))]).unwrap());
    assert!(three.is_valid(&three.create(0).unwrap()));
    assert!(!three.is_valid(&five.create(0).unwrap()));
    assert!(!three.is_valid(&State { landmarks: vec![], ..three.create(0).unwrap() }));
}

#[test]
fn a_state_restored_from_its_bytes_continues_identically() {
    let env = build::<SimpleSpread>(&[]).unwrap();
    let (mut state, mut rng) = (env.create(0).unwrap(), Generator::new(7));
    env.reset(&mut state, &ResetOptions::default(), &mut rng);
    let columns = [envpool_rs_engine::ActionColumn::I32(vec![1, 2, 4])];
    let mut play = |state: &mut State| {
        let mut rewards = [0.0; 3];
        env.step(state, &Action::new(&columns, 0), &mut rewards, &mut rng);
        rewards
    };
    play(&mut state);
    let mut restored: State = postcard::from_bytes(&postcard::to_stdvec(&state).unwrap()).unwrap();
    for _ in 0..10 {
        assert_eq!(play(&mut restored), play(&mut state));
    }
    assert_eq!(restored, state);
}

#[test]
fn the_spaces_equal_mpe2s() {
    let spec = build::<SimpleSpread>(&[]).unwrap().spec();
    assert_eq!((spec.players, spec.shared_spaces, spec.observation.shape()), (3, true, &[18][..]));
    assert_eq!(spec.action, Space::discrete(5));
    let given = [("N", Value::Int(5)), ("num_agent_neighbors", Value::Int(2)), ("num_landmark_neighbors", Value::Int(7))];
    let sighted = build::<SimpleSpread>(&given).unwrap().spec();
    assert_eq!(sighted.observation.shape(), [2 + 2 + 14 + 4 + 4]);
    let levers = build::<SimpleSpread>(&[("continuous_actions", Value::Bool(true))]).unwrap().spec();
    assert_eq!(levers.action, Space::uniform(0.0, 1.0, &[5], Dtype::F32));
}
