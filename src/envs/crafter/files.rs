//! Finds Crafter's files in the folder of the Python package crafter. This repository contains none of these files.

use std::path::Path;

use envpool_rs_engine::{AssetCache, Error, Result};
use envpool_rs_sim_crafter::TextureSet;

/// Option that names the folder of the package.
pub const CRAFTER_DIR: &str = "crafter_dir";

/// CRC-32 of `data.yaml` in crafter 1.8.3, whose rules the simulator implements.
const DATA_CHECKSUM: u32 = 0xa521_750a;

/// Reads the textures of the package, once for all environments of a pool.
///
/// # Errors
/// `NotFound` if no folder is given or a file is missing; `Value` if `data.yaml` is not that of crafter 1.8.3, or if a texture
/// is damaged.
pub fn textures(store: &AssetCache, folder: Option<&Path>) -> Result<TextureSet> {
    let folder =
        folder.ok_or_else(|| refused(None, "the folder of the Python package crafter; run pip install crafter==1.8.3"))?;
    let textures = store.get_or_load(&format!("textures of {}", folder.display()), || {
        check_rules(folder)?;
        let assets = folder.join("assets");
        if !assets.is_dir() {
            return Err(missing(folder, &assets));
        }
        let textures = TextureSet::read(&assets).map_err(|error| match error.is_missing {
            true => missing(folder, &error.path),
            false => Error::value(CRAFTER_DIR, quoted(folder), format_args!("readable textures; {error}")),
        })?;
        let bytes = textures.heap_bytes();
        Ok((textures, bytes))
    })?;
    Ok(TextureSet::clone(&textures))
}

/// Returns an error if `data.yaml` belongs to another version of crafter.
fn check_rules(folder: &Path) -> Result<()> {
    let path = folder.join("data.yaml");
    let text = std::fs::read_to_string(&path).map_err(|_| missing(folder, &path))?;
    if crc32fast::hash(text.replace('\r', "").as_bytes()) == DATA_CHECKSUM {
        return Ok(());
    }
    let expected = format!("the folder of crafter 1.8.3: {} has other rules; run pip install crafter==1.8.3", path.display());
    Err(Error::value(CRAFTER_DIR, quoted(folder), expected))
}

fn missing(folder: &Path, path: &Path) -> Error {
    let expected = format!("the folder of the Python package crafter 1.8.3: {} does not exist", path.display());
    Error::NotFound(format!("{CRAFTER_DIR}={}: expected {expected}", quoted(folder)))
}

fn refused(folder: Option<&Path>, expected: &str) -> Error {
    Error::NotFound(format!("{CRAFTER_DIR}={}: expected {expected}", folder.map_or_else(|| "None".to_owned(), quoted)))
}

fn quoted(folder: &Path) -> String {
    format!("{:?}", folder.display().to_string())
}
