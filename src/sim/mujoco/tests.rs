//! Tests of the crate with a real MuJoCo library.
//!
//! The environment variable `ENVPOOL_RS_MUJOCO` names a file that describes the library (`envpool-rs mujoco-library FILE`);
//! without the variable the tests are skipped. The Python tests `tests/python/mujoco` run complete environments.

use std::path::Path;

use crate::*;

const POLE: &str = r#"<mujoco><worldbody><body name="cart"><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
<body name="pole"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".05" mass="1"/></body></body></worldbody>
<actuator><motor joint="j" ctrlrange="-3 3" ctrllimited="true"/></actuator></mujoco>"#;

pub(super) fn library() -> Option<&'static Library> {
    let Some(file) = std::env::var_os("ENVPOOL_RS_MUJOCO") else {
        eprintln!("skipped: ENVPOOL_RS_MUJOCO names no file, as `envpool-rs mujoco-library FILE` writes");
        return None;
    };
    // SAFETY: `envpool-rs mujoco-library` wrote the file for the library that the file names.
    Some(unsafe { install_described(Path::new(&file)) }.unwrap())
}

pub(super) fn model(library: &'static Library, text: &str) -> Model {
    Model::from_text(library, Path::new("test.xml"), text, &[]).unwrap()
}

#[test]
fn a_model_reports_its_sizes_names_and_numbers() {
    let Some(library) = library() else { return };
    assert!(library.version() >= 3_000_000);
    let pole = model(library, POLE);
    let expected = ModelSizes { nq: 2, nv: 2, nu: 1, nbody: 3, njnt: 2, ngeom: 2, ..ModelSizes::NONE };
    assert_eq!(*pole.sizes(), expected);
    assert_eq!([pole.id(ObjectKind::Body, "pole"), pole.id(ObjectKind::Body, "wing")], [Some(2), None]);
    assert_eq!((pole.timestep(), pole.actuator_ctrlrange(), pole.body_mass()), (0.002, &[-3.0, 3.0][..], &[0.0, 1.0, 1.0][..]));
    assert!(pole.bytes() > 1000 && pole.qpos0() == [0.0, 0.0]);
    let heavier = model(library, &POLE.replace("mass=\"1\"", "mass=\"2\""));
    assert!(pole.fingerprint() == pole.clone().fingerprint() && pole.fingerprint() != heavier.fingerprint());
}

#[test]
fn fingerprints_differ_if_any_number_of_the_models_differs() {
    let Some(library) = library() else { return };
    let fingerprint = |text: &str| model(library, text).fingerprint();
    let same = fingerprint(POLE);
    assert_eq!(same, fingerprint(POLE));
    for (from, to) in [
        (r#"size=".1" mass="1""#, r#"size=".1" mass="1" friction=".3""#),
        ("<mujoco>", r#"<mujoco><option gravity="0 0 -1"/>"#),
        ("<mujoco>", r#"<mujoco><option iterations="7"/>"#),
        (r#"axis="0 1 0""#, r#"axis="0 1 0" stiffness="2""#),
        (r#"axis="0 1 0""#, r#"axis="0 1 0" frictionloss="2""#),
        (r#"size=".05""#, r#"size=".06""#),
    ] {
        let other = POLE.replace(from, to);
        assert!(other != POLE && fingerprint(&other) != same, "{to}");
    }
}

#[test]
fn a_simulation_continues_identically_from_its_saved_state() {
    let Some(library) = library() else { return };
    let pole = model(library, POLE);
    let mut data = Data::new(&pole).unwrap();
    data.qpos_mut()[1] = 0.3;
    data.ctrl_mut()[0] = 1.0;
    data.forward().unwrap();
    data.step(20, false).unwrap();
    let mut state = vec![0.0; pole.state_len()];
    data.get_state(&mut state);
    let mut other = Data::new(&pole).unwrap();
    other.set_state(&state).unwrap();
    for _ in 0..5 {
        data.step(7, true).unwrap();
        other.step(7, true).unwrap();
        assert_eq!((data.qpos(), data.qvel(), data.cfrc_ext()), (other.qpos(), other.qvel(), other.cfrc_ext()));
    }
    assert!(data.qpos()[1] > 0.3 && data.body(2)[0] == data.xpos()[6]);
    assert!(matches!(other.set_state(&state[1..]), Err(Fault::MujocoError(_))));
    data.reset().unwrap();
    assert_eq!(data.qpos(), [0.0, 0.0]);
}

#[test]
fn lanes_that_share_a_simulation_equal_separate_simulations() {
    let Some(library) = library() else { return };
    let pole = model(library, POLE);
    let workspace = Workspace::new(&pole);
    let mut alone: Vec<_> = (0..3).map(|_| Data::new(&pole).unwrap()).collect();
    let mut states = vec![vec![0.0; pole.state_len()]; 3];
    let play = |data: &mut Data, lane: f64| {
        data.ctrl_mut()[0] = lane - 1.0;
        data.step(3, true)?;
        Ok((data.qpos().to_vec(), data.qvel().to_vec(), data.cfrc_ext().to_vec()))
    };
    for (data, state) in alone.iter_mut().zip(&mut states) {
        data.get_state(state);
    }
    for _ in 0..20 {
        for (lane, (data, state)) in alone.iter_mut().zip(&mut states).enumerate() {
            assert_eq!(workspace.with_state(state, |shared| play(shared, lane as f64)), play(data, lane as f64));
        }
    }
    // A step that fails for one lane leaves the states of other lanes unchanged.
    let mut wild = states[0].clone();
    let fault = workspace.with_state(&mut wild, |data| {
        data.qvel_mut()[0] = 1e200;
        data.step(1, false)
    });
    assert!(matches!(fault, Err(Fault::MujocoWarning(_))) && wild == states[0]);
    assert_eq!(workspace.with_state(&mut states[1], |shared| play(shared, 1.0)), play(&mut alone[1], 1.0));
}

#[test]
fn an_operation_refuses_equal_ids_and_ids_that_do_not_exist() {
    use crate::batch::{BatchArrays, BatchConfig, Operation, Rows, Simulations, Stage};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    let Some(library) = library() else { return };
    let pole = model(library, POLE);
    let (nsim, warnings) = (3, Simulations::warning_count(&pole));
    let mut memory = [pole.state_len(), warnings, 1].map(|numbers| vec![0_u64; nsim * numbers]);
    let [state, warnings, status] = memory.each_mut().map(|rows| {
        // SAFETY: `memory` holds a row of each array for each simulation, and outlives the simulations.
        unsafe { Rows::new(rows.as_mut_ptr().cast(), 8 * rows.len() / nsim) }
    });
    let config = BatchConfig { nsim, is_persistent: false, raises_unstable: false };
    let stepper = Stepper::new(&pole).ok();
    // SAFETY: as above; a row of `warnings` has 8 bytes for each warning, which are two int32.
    let simulations = unsafe { Simulations::new(&pole, config, BatchArrays { state, warnings, status }, stepper) }.unwrap();
    let step = Operation::Step { count: 1, stage: Stage::None };
    let is_accepted = |ids: &[usize]| {
        // SAFETY: no other thread uses the simulations, and the operation has no addresses.
        let run = || unsafe { simulations.run(&step, 0, ids, &mut || false) };
        catch_unwind(AssertUnwindSafe(run)).is_ok()
    };
    assert!(is_accepted(&[]) && is_accepted(&[1]) && is_accepted(&[0, 2]) && is_accepted(&[2, 0, 1]));
    for refused in [&[0, 0][..], &[2, 1, 2], &[0, 2, 2], &[3], &[3, 0]] {
        assert!(!is_accepted(refused), "{refused:?}");
    }
}

#[test]
fn errors_and_warnings_of_the_library_are_values() {
    let Some(library) = library() else { return };
    let missing = Model::from_xml(library, Path::new("/nowhere/x.xml"), &[]).unwrap_err();
    assert!(matches!(&missing, Fault::Model { path, .. } if path == Path::new("/nowhere/x.xml")), "{missing}");
    let broken = std::env::temp_dir().join(format!("envpool_rs-mujoco-{}-broken.xml", std::process::id()));
    std::fs::write(&broken, "<mujoco><nothing/></mujoco>").unwrap();
    let error = Model::from_xml(library, &broken, &[]).unwrap_err().to_string();
    std::fs::remove_file(broken).unwrap();
    assert!(error.contains("nothing"), "{error}");
    let balls: String = (0..20)
        .map(|x| format!(r#"<body pos="{} 0 .1"><freejoint/><geom size=".1" mass="1"/></body>"#, 0.05 * f64::from(x)))
        .collect();
    let crowd =
        format!(r#"<mujoco><size memory="200K"/><worldbody><geom type="plane" size="5 5 1"/>{balls}</worldbody></mujoco>"#);
    let crowd = model(library, &crowd);
    for _ in 0..3 {
        let fault = Data::new(&crowd).unwrap().forward().unwrap_err();
        assert!(matches!(&fault, Fault::MujocoError(text) if text.contains("stack")), "{fault}");
    }
    let mut wild = Data::new(&model(library, POLE)).unwrap();
    wild.qvel_mut()[0] = 1e200;
    let fault = wild.step(1, false).unwrap_err();
    assert!(matches!(&fault, Fault::MujocoWarning(text) if text.contains("unstable")), "{fault}");
    wild.reset().unwrap();
    wild.step(1, false).unwrap();
}

#[test]
fn rendering_shows_the_scene_and_does_not_change_the_simulation() {
    let Some(library) = library() else { return };
    if let Err(fault) = render::backend() {
        return eprintln!("skipped: {fault}");
    }
    let pole = model(library, POLE);
    let studio = render::Renderer::new(&pole, render::RenderOptions { shadows: false, ..render::RenderOptions::default() });
    let mut data = Data::new(&pole).unwrap();
    data.forward().unwrap();
    let camera = render::Camera::Free(render::FreeCamera { uses_model_default: true, ..render::FreeCamera::DEFAULT });
    let draw = |data: &Data, side: u32| {
        let pixels = (side * side) as usize;
        let (mut rgb, mut depth) = (vec![0; 3 * pixels], vec![0.0; pixels]);
        studio.draw(data, &camera, &mut render::RenderTarget::new(side, side, &mut rgb, Some(&mut depth))).unwrap();
        (rgb, depth)
    };
    let state = |data: &Data| {
        let mut state = vec![0.0; pole.state_len()];
        data.get_state(&mut state);
        state
    };
    let (before, (rgb, depth)) = (state(&data), draw(&data, 32));
    assert_eq!(state(&data), before);
    assert!(rgb.iter().any(|value| *value > 0) && depth.iter().any(|distance| *distance < 1.0));
    assert!(draw(&data, 32) == (rgb.clone(), depth) && studio.contexts() == 1);
    // The next picture, of 800 x 800 pixels, is larger than the rendering context's initial size. The picture is rendered in
    // another thread, from a simulation that has advanced.
    let mut data = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            assert!(draw(&data, 800).0.iter().any(|value| *value > 0));
            data
        });
        other.join().unwrap()
    });
    data.qpos_mut()[0] = 0.5;
    data.forward().unwrap();
    assert!(draw(&data, 32).0 != rgb && studio.contexts() == 1);
}
