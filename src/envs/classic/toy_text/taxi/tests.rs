//! Tests of the environment Taxi.

use super::*;
use crate::toy_text::replay::{replays_like_the_reference, with_options};

#[test]
fn taxi_v4_equals_gymnasiums() {
    replays_like_the_reference::<Taxi<4>>("Taxi-v4");
}

#[test]
fn taxi_v3_equals_that_of_gymnasium_1_2() {
    replays_like_the_reference::<Taxi<3>>("Taxi-v3");
}

#[test]
fn every_state_is_one_scene() {
    assert!((0..STATES).all(|state| DecodedState::decode(state).encode() == state));
}

#[test]
fn version_3_has_no_probabilities_to_set() {
    assert!(with_options::<Taxi<3>>("Taxi-v3", &[("rainy_probability", 0.5.into())]).is_err());
}

#[test]
fn probabilities_out_of_range_are_refused_by_name() {
    for name in ["rainy_probability", "fickle_probability"] {
        let error = with_options::<Taxi<4>>("Taxi-v4", &[(name, (-0.1).into())]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{name}=-0.1")), "{error}");
    }
}
