//! Tests of lanes with own values of model fields.

use std::path::Path;

use crate::native::tests::{PARTS, ROBOTS, SHAPES, compile, known_library};
use crate::native::verify::{OwnValues, compare_with};
use crate::native::{LaneField, Model, Stepper};

fn check(name: &str, model: &Model, left: u64) {
    let stepper = Stepper::new(model).unwrap();
    for own in [OwnValues::InPlace, OwnValues::All] {
        let found = compare_with(&stepper, 200, 5, own).unwrap();
        println!("{name}, {own:?}: {found:?}");
        assert_eq!(found.differing, 0, "{name}, {own:?}: {found:?}");
        // With own values of all fields, MuJoCo steps simulations in which a body with another `body_ipos` touches something.
        let most = if own == OwnValues::All { 2 * left + 8 } else { 2 * left };
        assert!(100 * found.fallbacks <= most * found.steps, "{name} is left to the library: {found:?}");
    }
}

#[test]
fn lanes_with_own_values_equal_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    for (name, text, left) in SHAPES.iter().chain(PARTS) {
        check(name, &compile(library, text), *left);
    }
    let Some(folder) = std::env::var_os("ENVPOOL_RS_MUJOCO_MODELS") else { return };
    for (file, _) in ROBOTS {
        check(file, &Model::from_xml(library, &Path::new(&folder).join(file), &[]).unwrap(), 50);
    }
}

#[test]
fn fields_without_lanes_are_refused_by_name() {
    let Some(library) = known_library() else { return };
    let model = compile(library, SHAPES[0].1);
    let stepper = Stepper::new(&model).unwrap();
    assert_eq!(stepper.lane_field("body_mass"), Ok(Some(LaneField::BodyMass)));
    assert_eq!(stepper.lane_field("geom_rgba"), Ok(None));
    assert_eq!(stepper.lane_field("jnt_range"), Err("jnt_range has values for each simulation".into()));
}
