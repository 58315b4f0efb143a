//! Cache folder for the optimized archives of [`pk3`](super::pk3).
//!
//! An engine looks for its archive in the folder that its own name (`argv[0]`) contains. Engines are therefore started with an
//! `argv[0]` in the cache folder, and the program is not copied. The name of an archive's folder is a checksum of the inputs
//! from which the archive was made. Files are written under a temporary name and then renamed, so that readers never see a
//! partial file. Archives are verified before each use. If the folder does not exist and cannot be created, or is not writable,
//! engines start with the original archive.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::pk3::{self, OtherFiles};
use super::wad::Wad;

/// Environment variable that contains the path of the cache folder, or `off`.
pub const CACHE_VARIABLE: &str = "ENVPOOL_RS_CACHE";
/// Version of the files that [`pk3::optimized`] writes; the version is part of the folder name.
const FORMAT_VERSION: u32 = 3;
/// File name of the engine's archive; `BOTS` is the name of the file with the bots' definitions, which the engine reads from
/// the same folder.
const ARCHIVE: &str = "vizdoom.pk3";
const BOTS: &str = "bots.cfg";
/// Maximum size of an archive in bytes; the engine's archive is smaller.
const MAX_ARCHIVE_BYTES: u64 = 1 << 26;

/// Returns the cache folder that [`CACHE_VARIABLE`] sets, or the default in the user's cache folder; `None` if the variable is
/// `off`.
fn cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    match variable(CACHE_VARIABLE) {
        Some(path) if path.as_os_str() == "off" => None,
        Some(path) => std::path::absolute(path).ok(),
        None => variable("XDG_CACHE_HOME")
            .and_then(absolute)
            .or_else(|| variable("HOME").and_then(absolute).map(|home| home.join(".cache")))
            .map(|cache| cache.join("envpool_rs")),
    }
}

/// Returns the program name (`argv[0]`) by which an engine finds the optimized archive for a game file and a scenario.
pub fn optimized_arg0(program: &Path, game: &Path, scenario: Option<&Path>) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    cached_arg0(program, &scan_files(game, scenario), &cache_folder(variable)?)
}

/// Reads the properties of the game file and the scenario. Returns default values if the game file cannot be read.
fn scan_files(game: &Path, scenario: Option<&Path>) -> OtherFiles {
    let Ok(mut game) = Wad::open(game) else { return OtherFiles::default() };
    let mut scenario = scenario.map(Wad::open);
    let of_both = |is: fn(&mut Wad) -> bool, game: &mut Wad, scenario: &mut Option<io::Result<Wad>>| {
        is(game) && scenario.as_mut().is_none_or(|scenario| scenario.as_mut().is_ok_and(is))
    };
    OtherFiles {
        lacks_strings_and_menus: of_both(
            |wad| !wad.lump_names().any(|name| pk3::STRING_AND_MENU_LUMPS.contains(&name)),
            &mut game,
            &mut scenario,
        ),
        names_no_colours: of_both(names_no_colours, &mut game, &mut scenario),
        lump_names: game.lump_names().map(str::to_owned).collect(),
    }
}

/// Returns whether no lump of a game file or scenario file can name a colour.
fn names_no_colours(wad: &mut Wad) -> bool {
    !wad.lump_names().any(|name| pk3::COLOUR_LUMPS.contains(&name))
        && wad.read_lumps(pk3::ACTOR_LUMP).is_ok_and(|each| !each.iter().any(|text| pk3::may_name_colour(text)))
}

/// Returns whether the optimized archive still exists in the folder that an `argv[0]` contains.
pub fn has_archive(name: &Path) -> bool {
    name.with_file_name(ARCHIVE).is_file()
}

fn cached_arg0(program: &Path, other_files: &OtherFiles, folder: &Path) -> Option<PathBuf> {
    let sibling = |name: &str| {
        let path = program.with_file_name(name);
        let is_small = path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MAX_ARCHIVE_BYTES);
        is_small.then(|| fs::read(path).ok())?
    };
    let (original, bots) = (sibling(ARCHIVE)?, sibling(BOTS));
    let mut key = original.clone();
    key.extend(bots.as_deref().unwrap_or_default());
    key.extend([u8::from(other_files.lacks_strings_and_menus), u8::from(other_files.names_no_colours)]);
    other_files.lump_names.iter().for_each(|name| key.extend(name.bytes().chain([0])));
    let folder = folder.join(format!("vizdoom-{FORMAT_VERSION}-{:x}", md5::compute(&key)));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    if !is_private(&folder) {
        return None;
    }
    if !fs::read(folder.join(ARCHIVE)).is_ok_and(|bytes| pk3::has_valid_checksum(&bytes)) {
        write_atomically(&folder.join(ARCHIVE), &pk3::optimized(&original, other_files)?).ok()?;
    }
    if let Some(bots) = bots
        && !fs::read(folder.join(BOTS)).is_ok_and(|bytes| bytes == bots)
    {
        write_atomically(&folder.join(BOTS), &bots).ok()?;
    }
    Some(folder.join(program.file_name()?))
}

/// Returns whether only the current user can write to a folder.
fn is_private(folder: &Path) -> bool {
    // SAFETY: `geteuid` has no preconditions and cannot fail.
    let user = unsafe { libc::geteuid() };
    folder.metadata().is_ok_and(|folder| folder.uid() == user && folder.mode() & 0o022 == 0)
}

/// Writes a file under a temporary name and renames it, so that readers never see a partial file.
fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let temporary = PathBuf::from(name);
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    written.inspect_err(|_| {
        let _not_created = fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::super::spawner::TempFolder;
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Creates a folder with an empty archive. Returns the folder and the path of an engine program in the folder.
    fn program() -> (TempFolder, PathBuf) {
        let folder = TempFolder::new().unwrap();
        let mut archive = b"PK\x05\x06".to_vec();
        archive.extend([0; 18]);
        fs::write(folder.path().join(ARCHIVE), archive).unwrap();
        fs::write(folder.path().join(BOTS), "bots").unwrap();
        let program = folder.path().join("engine");
        (folder, program)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn an_archive_is_written_once_and_rewritten_if_damaged() {
        let ((_folder, program), cache) = (program(), TempFolder::new().unwrap());
        let cache = cache.path().join("deep/er");
        let name = cached_arg0(&program, &OtherFiles::default(), &cache).unwrap();
        assert_eq!(name.file_name(), program.file_name());
        assert!(has_archive(&name));
        let cache_folder = name.parent().unwrap();
        assert_eq!(names(cache_folder), [BOTS, ARCHIVE]);
        let inode = fs::metadata(cache_folder.join(ARCHIVE)).unwrap().ino();
        assert_eq!(cached_arg0(&program, &OtherFiles::default(), &cache), Some(name.clone()));
        assert_eq!(fs::metadata(cache_folder.join(ARCHIVE)).unwrap().ino(), inode);
        fs::write(cache_folder.join(ARCHIVE), "damaged").unwrap();
        assert_eq!(cached_arg0(&program, &OtherFiles::default(), &cache), Some(name.clone()));
        assert!(pk3::has_valid_checksum(&fs::read(cache_folder.join(ARCHIVE)).unwrap()));
        fs::remove_file(cache_folder.join(ARCHIVE)).unwrap();
        assert!(!has_archive(&name));
        // A different archive, or other properties of the game file and the scenario, result in a different cache folder.
        assert_ne!(
            cached_arg0(&program, &OtherFiles { lacks_strings_and_menus: true, ..OtherFiles::default() }, &cache),
            Some(name.clone())
        );
        assert_ne!(
            cached_arg0(&program, &OtherFiles { names_no_colours: true, ..OtherFiles::default() }, &cache),
            Some(name.clone())
        );
        fs::write(program.with_file_name(BOTS), "other bots").unwrap();
        assert_ne!(cached_arg0(&program, &OtherFiles::default(), &cache), Some(name));
    }

    #[test]
    fn file_properties_are_read_from_game_and_scenario() {
        let folder = TempFolder::new().unwrap();
        let wad = |name: &str, lumps: &[(&str, &str)]| {
            let mut bytes = b"PWAD".to_vec();
            let length: usize = lumps.iter().map(|(_, text)| text.len()).sum();
            bytes.extend([lumps.len() as u32, 12 + length as u32].iter().flat_map(|word| word.to_le_bytes()));
            lumps.iter().for_each(|(_, text)| bytes.extend(text.bytes()));
            let mut at = 12_u32;
            for (name, text) in lumps {
                bytes.extend([at, text.len() as u32].iter().flat_map(|word| word.to_le_bytes()));
                bytes.extend(name.bytes().chain([0; 8]).take(8));
                at += text.len() as u32;
            }
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let game = wad("game", &[("MAP01", ""), ("PLAYPAL", "x")]);
        let names: std::collections::BTreeSet<String> = ["MAP01", "PLAYPAL"].map(str::to_owned).into();
        let all = |is_plain, is_colourless| OtherFiles {
            lump_names: names.clone(),
            lacks_strings_and_menus: is_plain,
            names_no_colours: is_colourless,
        };
        assert_eq!(scan_files(&game, None), all(true, true));
        let actors = |text| wad("scenario", &[("MAP01", ""), ("DECORATE", "ACTOR A {}"), ("DECORATE", text)]);
        assert_eq!(scan_files(&game, Some(&actors("ACTOR B {}"))), all(true, true));
        assert_eq!(scan_files(&game, Some(&actors("ACTOR B { BloodColor red }"))), all(true, false));
        assert_eq!(scan_files(&game, Some(&wad("scenario", &[("MAPINFO", "")]))), all(true, false));
        assert_eq!(scan_files(&game, Some(&wad("scenario", &[("LANGUAGE", "")]))), all(false, true));
        assert_eq!(scan_files(&game, Some(&folder.path().join("nowhere"))), all(false, false));
        assert!(!scan_files(&wad("game", &[("KEYCONF", "")]), None).names_no_colours);
        assert_eq!(scan_files(&folder.path().join("nowhere"), None), OtherFiles::default());
    }

    #[test]
    fn concurrent_writers_leave_one_valid_archive() {
        let ((_folder, program), cache) = (program(), TempFolder::new().unwrap());
        let found: Vec<_> = std::thread::scope(|scope| {
            let each: Vec<_> =
                (0..8).map(|_| scope.spawn(|| cached_arg0(&program, &OtherFiles::default(), cache.path()))).collect();
            each.into_iter().map(|each| each.join().unwrap()).collect()
        });
        assert!(found.iter().all(|name| name.is_some() && *name == found[0]));
        assert_eq!(names(found[0].as_ref().unwrap().parent().unwrap()), [BOTS, ARCHIVE]);
    }

    #[test]
    fn unusable_cache_folders_are_not_used() {
        let ((folder, program), cache) = (program(), TempFolder::new().unwrap());
        assert_eq!(
            cached_arg0(&folder.path().join("elsewhere/engine"), &OtherFiles::default(), cache.path()),
            None,
            "no archive"
        );
        fs::write(cache.path().join("file"), "").unwrap();
        assert_eq!(cached_arg0(&program, &OtherFiles::default(), &cache.path().join("file")), None, "a folder that is a file");
        let name = cached_arg0(&program, &OtherFiles::default(), cache.path()).unwrap();
        let cache_folder = name.parent().unwrap();
        fs::set_permissions(cache_folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(cached_arg0(&program, &OtherFiles::default(), cache.path()), None, "anybody's");
        fs::set_permissions(cache_folder, fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(program.with_file_name(ARCHIVE), "no archive").unwrap();
        assert_eq!(cached_arg0(&program, &OtherFiles::default(), cache.path()), None, "no archive that is understood");
    }

    #[test]
    fn the_cache_folder_is_set_by_the_environment() {
        let with = |set: &'static [(&str, &str)]| {
            cache_folder(move |name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| PathBuf::from(value)))
        };
        assert_eq!(with(&[("HOME", "/home/me")]), Some("/home/me/.cache/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/var/me")]), Some("/var/me/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "here")]), Some("/home/me/.cache/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), (CACHE_VARIABLE, "/elsewhere")]), Some("/elsewhere".into()));
        assert_eq!(with(&[("HOME", "/home/me"), (CACHE_VARIABLE, "off")]), None);
        assert_eq!(with(&[]), None);
    }
}
