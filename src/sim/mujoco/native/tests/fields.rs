//! Tests of lanes with own values of model fields.

use std::path::Path;

use crate::native::tests::{PARTS, ROBOTS, SHAPES, compile, known_library};
use crate::native::verify::{OwnValues, compare_with};
use crate::native::{LaneField, LaneFields, Model, Stepper};

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

/// MJCF of shapes of each kind that fall on a sloping height field, whose heights leave the range of the model's.
const HILLS: &str = r#"<mujoco><option timestep="0.005"/><asset><hfield name="hills" nrow="6" ncol="9" size="1.2 .8 .3 .1"
    elevation="0 1 0 1 2 1 0 1 0 1 1 0 0 2 2 1 0 0 0 1 0 2 1 0 1 1 0 2 0 1 0 1 0 0 0 1 1 2 1 0 1 0 2 1 0 0 0 1 1 2 0 1 0 1"/></asset>
    <worldbody><geom type="hfield" hfield="hills" pos=".1 0 0" euler="5 8 20"/><geom type="plane" size="5 5 1" pos="0 0 -.3"/>
    <body pos="0 0 .5"><freejoint/><geom type="capsule" size=".05 .15" euler="0 70 0"/><geom size=".06" pos="0 .2 0" margin=".01"/></body>
    <body pos=".3 .2 .6"><freejoint/><geom type="ellipsoid" size=".1 .06 .04"/><geom type="box" size=".05 .04 .03" pos="0 -.2 0"/></body>
    <body pos="-.4 -.2 .5"><freejoint/><geom type="cylinder" size=".06 .08" euler="50 0 0"/></body></worldbody></mujoco>"#;

#[test]
fn lanes_with_own_height_fields_equal_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    let mut model = compile(library, HILLS);
    let heights = vec![0.5; model.hfield_data().len()];
    let mut own = LaneFields::default();
    own.set_heights(Some(&heights));
    let is_refused = |model: &Model| {
        let stepper = Stepper::new(model).unwrap();
        stepper.obstacle(&stepper.layout.initial, &own).is_some_and(|obstacle| obstacle.starts_with("hfield_data has values"))
    };
    assert!(is_refused(&model), "the model does not announce that heights change");
    model.set_shaped(vec![0]);
    assert!(!is_refused(&model));
    check("hills", &model, 20);
}

#[test]
fn lanes_with_own_sizes_and_types_of_geoms_equal_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    for (name, text, left) in &SHAPES[..1] {
        let mut model = compile(library, text);
        model.set_shaped((0..model.sizes().ngeom).collect());
        check(name, &model, *left + 20);
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
