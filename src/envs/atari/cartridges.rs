//! Reads the images of Atari cartridges from a folder that the user provides; this crate contains none.
//!
//! The folder has one file per game (`pong.bin`), as for `ale_py`, or the same files in the subfolder `atari/roms`, as for
//! EnvPool. An image is accepted if its MD5 digest and size are those of the game in the reference.

use std::path::{Path, PathBuf};

use envpool_rs_engine::{Error, Result};
use envpool_rs_sim_atari::{Game, Rom, RomError};

/// Reads the cartridge image of a game from the folder `rom_dir`.
///
/// # Errors
/// `NotFound` if the folder has no file for the game. `Value` if the file is not the game's image; the message states the
/// actual and the expected digest.
pub fn find(game: &'static Game, rom_dir: Option<&str>) -> Result<Rom> {
    let folder = Path::new(rom_dir.ok_or_else(|| {
        Error::NotFound(format!("rom_dir=None: expected the folder that holds {}, the cartridge's image", file_name(game)))
    })?);
    let path = candidate_paths(game, folder).into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let [path, other] = candidate_paths(game, folder);
        let (path, other) = (path.display(), other.display());
        Error::NotFound(format!("rom_dir={:?}: expected the file {path} or {other}", folder.display().to_string()))
    })?;
    Rom::read_game(game, &path).map_err(|error| match &error {
        RomError::Unreadable { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Error::NotFound(error.to_string())
        }
        _ => Error::Value(error.to_string()),
    })
}

fn file_name(game: &Game) -> String {
    format!("{}.bin", game.name)
}

fn candidate_paths(game: &Game, folder: &Path) -> [PathBuf; 2] {
    [folder.join(file_name(game)), folder.join("atari").join("roms").join(file_name(game))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pong() -> &'static Game {
        Game::named("pong").unwrap()
    }

    #[test]
    fn a_missing_image_is_an_error_that_names_the_files_looked_for() {
        let error = find(pong(), Some("/nowhere")).unwrap_err();
        assert!(matches!(&error, Error::NotFound(text) if text.contains("/nowhere/pong.bin")), "{error}");
        assert!(matches!(find(pong(), None).unwrap_err(), Error::NotFound(text) if text.contains("rom_dir=None")));
    }

    #[test]
    fn a_truncated_image_is_an_error_that_names_both_digests() {
        let folder = std::env::temp_dir().join(format!("envpool_rs-cartridges-{}", std::process::id()));
        let roms = folder.join("atari/roms");
        std::fs::create_dir_all(&roms).unwrap();
        std::fs::write(roms.join("pong.bin"), [0; 100]).unwrap();
        let error = find(pong(), folder.to_str()).unwrap_err().to_string();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(error.contains("pong.bin") && error.contains(&format!("{:032x}", pong().md5)), "{error}");
        assert!(error.contains(&format!("{:x}", md5::compute([0; 100]))), "{error}");
    }
}
