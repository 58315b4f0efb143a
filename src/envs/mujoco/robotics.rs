//! Parts that Gymnasium-Robotics' families share: the folder of the models, and the first options of the tasks.

use crate::simulated::shared_model::path_in_folder;
use crate::simulated::{MAX_SKIPPED, MAX_STACKED};
use envpool_rs_engine::{Dtype, InfoSpec, OptionSpec, Result};
use std::path::{Path, PathBuf};

/// Option that names the folder of Gymnasium-Robotics' models.
pub const ROBOTICS_DIR: &str = "robotics_dir";

/// Returns the options that all tasks with a model of Gymnasium-Robotics have, with their defaults.
pub fn model_options(frame_skip: i64, xml_file: &'static str) -> [OptionSpec; 4] {
    [
        OptionSpec::new("frame_skip", frame_skip, "simulation steps per step").integers(1..=MAX_SKIPPED),
        OptionSpec::new("frame_stack", 1, "number of stacked observations, the newest last; 1 adds no axis")
            .integers(1..=MAX_STACKED),
        OptionSpec::new("xml_file", xml_file, "model: a file in robotics_dir, or a path"),
        OptionSpec::path(ROBOTICS_DIR, "folder of xml_file; None: that of the installed gymnasium-robotics"),
    ]
}

/// Returns the path of the model `xml_file` in `folder`. An absolute path needs no folder.
///
/// # Errors
/// `NotFound` if no folder is given, or if there is no such file.
pub fn model_path(folder: Option<&str>, xml_file: &str) -> Result<PathBuf> {
    let folder = folder.or(Path::new(xml_file).is_absolute().then_some(""));
    path_in_folder(ROBOTICS_DIR, folder, xml_file, "the value of xml_file")
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
