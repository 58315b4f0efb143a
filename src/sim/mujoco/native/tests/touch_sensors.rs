//! Tests of geoms that only just touch, whose contacts MuJoCo's mid phase may drop.

use crate::native::tests::{compile, known_library};
use crate::native::{Derived, Lane, LaneOutcome, Model, Stepper};
use crate::{Data, STEPPER_LANES};

/// An object of a box and a cylinder above two boxes whose tops are at the height 0.
const TABLE: &str = r#"<mujoco><option timestep="0.002" cone="elliptic"/><default><geom type="box"/></default><worldbody>
<body pos=".1 .2 -.1" euler="0 0 20"><geom size=".5 .5 .1"/><geom size=".1 .1 .1" pos="0 .7 0"/></body>
<body><freejoint/><geom size=".03 .02 .02"/><geom type="cylinder" size=".02 .03" pos=".08 0 0" euler="90 0 0"/></body>
</worldbody></mujoco>"#;

/// Size of the stack of the thread that compares steps, in bytes.
const STACK: usize = 32 << 20;
/// Half height of the object, in metres.
const HALF: f64 = 0.02;

/// Returns the state of the object with the given number: each has another depth, another place and another angle.
fn placed(data: &mut Data, number: usize) -> Vec<f64> {
    let (sine, cosine) = (0.37 * number as f64).sin_cos();
    let depth = 10.0_f64.powi(-17 + (number % 13) as i32) * if number.is_multiple_of(3) { -1.0 } else { 1.0 };
    data.reset().unwrap();
    data.qpos_mut().copy_from_slice(&[
        0.011 * (number % 17) as f64,
        -0.007 * (number % 19) as f64,
        HALF - depth,
        cosine,
        0.0,
        0.0,
        sine,
    ]);
    let mut state = vec![0.0; data.model().state_len()];
    data.get_state(&mut state);
    state
}

#[test]
fn geoms_that_only_just_touch_equal_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    let model = compile(library, TABLE);
    // In debug builds, native steps need a large stack.
    let compared = std::thread::Builder::new().stack_size(STACK).spawn(move || compare_touches(&model)).unwrap();
    compared.join().unwrap();
}

/// Compares a native step of many objects, each of which only just touches the table or does not, with the library's.
fn compare_touches(model: &Model) {
    let (stepper, mut data) = (Stepper::new(model).unwrap(), Data::new(model).unwrap());
    let mut touching = 0;
    for start in (0..40 * STEPPER_LANES).step_by(STEPPER_LANES) {
        let mut states: Vec<_> = (start..start + STEPPER_LANES).map(|number| placed(&mut data, number)).collect();
        let mut expected = states.clone();
        for state in &mut expected {
            data.set_state(state).unwrap();
            data.step(1, false).unwrap();
            touching += usize::from(data.ncon() > 0);
            data.get_state(state);
        }
        let mut lanes: Vec<_> = states.iter_mut().map(|state| Lane { state, control: &[], nefc: 0 }).collect();
        stepper.step_with_fields(None, (&mut lanes, &[]), (1, Derived::default()), |lane, _, outcome| {
            assert!(matches!(outcome, LaneOutcome::Advanced), "object {} is left to the library", start + lane);
        });
        let bits = |states: &[Vec<f64>]| states.iter().flatten().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&states), bits(&expected), "objects from {start}");
    }
    assert!((40..40 * STEPPER_LANES - 40).contains(&touching), "{touching} objects touch the table");
}
