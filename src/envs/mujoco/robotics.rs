//! Parts that Gymnasium-Robotics' families share: the folder of the models, and the first options of the tasks.

use std::path::{Path, PathBuf};

use crate::errors::to_error;
use crate::mujoco_env::shared_model::path_in_folder;
use crate::mujoco_env::step_options;
use crate::render_setup::CameraPreset;
use envpool_rs_engine::{Dtype, InfoSpec, OptionSpec, Options, Result};
use envpool_rs_sim_mujoco::{Library, Model, render::FreeCamera};

/// Option that names the folder of Gymnasium-Robotics' models.
pub const ROBOTICS_DIR: &str = "robotics_dir";

/// Returns the free camera of a family's pictures: the point that it looks at, its distance in metres, elevation and azimuth.
pub const fn camera(lookat: [f64; 3], distance: f64, elevation: f64, azimuth: f64) -> CameraPreset {
    CameraPreset::Robot(FreeCamera {
        lookat: Some(lookat),
        distance: Some(distance),
        elevation: Some(elevation),
        azimuth: Some(azimuth),
        ..FreeCamera::DEFAULT
    })
}

/// Returns the options that all tasks with a model of Gymnasium-Robotics have, with their defaults.
pub fn model_options(frame_skip: i64, xml_file: &'static str) -> Vec<OptionSpec> {
    let mut options = step_options(frame_skip).to_vec();
    options.extend([
        OptionSpec::new("xml_file", xml_file, "model: a file in robotics_dir, or a path"),
        OptionSpec::path(ROBOTICS_DIR, "folder of xml_file; None: that of the installed gymnasium-robotics"),
    ]);
    options
}

/// Model of Gymnasium-Robotics that the options select.
#[derive(Debug)]
pub struct ModelFile {
    /// Value of the option `xml_file`.
    pub xml_file: String,
    folder: Option<String>,
}

impl ModelFile {
    /// Reads the options of [`model_options`].
    pub fn new(options: &Options) -> Self {
        let xml_file = options.text("xml_file").expect("it has a default").to_owned();
        Self { xml_file, folder: options.text(ROBOTICS_DIR).map(str::to_owned) }
    }

    /// Returns the key under which the pool's store holds the model as `family` changes it.
    pub fn name(&self, family: &str) -> String {
        format!("{} in {:?} for {family}", self.xml_file, self.folder)
    }

    /// Returns the path of the model. An absolute path needs no folder.
    ///
    /// # Errors
    /// `NotFound` if no folder is given, or if there is no such file.
    pub fn path(&self) -> Result<PathBuf> {
        let folder = self.folder.as_deref().or(Path::new(&self.xml_file).is_absolute().then_some(""));
        path_in_folder(ROBOTICS_DIR, folder, &self.xml_file, "the value of xml_file")
    }

    /// Compiles the model.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, `Value` if MuJoCo rejects it.
    pub fn compile(&self, library: &'static Library) -> Result<Model> {
        Model::from_xml(library, &self.path()?, &[]).map_err(to_error)
    }
}

/// Returns the infos `is_success` and `distance` of tasks whose goals are reached within a distance.
pub fn goal_infos() -> Vec<InfoSpec> {
    let success = InfoSpec::new("is_success", Dtype::F32, &[]).with_envpool_dtype(Dtype::F64).only_after_steps();
    vec![success, distance_info()]
}

/// Returns the info `distance`, which EnvPool's tasks with goals have.
pub fn distance_info() -> InfoSpec {
    InfoSpec::new("distance", Dtype::F64, &[]).with_envpool_dtype(Dtype::F64).only_in_envpool()
}
