//! A folder in which what engines start faster with is kept.
//!
//! An engine looks for its archive where its first argument, its own name, says that it lies. So a copy in the user's cache does, and no
//! copy of the program is needed. It is named by what it was made of, written beside its place and then moved there, so that whoever
//! looks finds all of it or nothing, and checked whenever it is to be used. Where there is no such folder, or it cannot be written
//! to, engines start without.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::archive::{self, Known};
use super::wad::Wad;

/// Where the folder is said to be, or `off`.
pub const VARIABLE: &str = "ENVPOOL_RS_CACHE";
/// What [`archive::faster`] makes, by number: another one is made where this is another.
const FORM: u32 = 3;
/// The engine's archive, and bots' names, which it looks for in the same place.
const ARCHIVE: &str = "vizdoom.pk3";
const BOTS: &str = "bots.cfg";
/// An archive with more bytes than that is not the engine's.
const MOST_BYTES: u64 = 1 << 26;

/// The folder that the environment chooses: that of the variable, or the user's cache.
fn chosen(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    match variable(VARIABLE) {
        Some(path) if path.as_os_str() == "off" => None,
        Some(path) => std::path::absolute(path).ok(),
        None => variable("XDG_CACHE_HOME")
            .and_then(absolute)
            .or_else(|| variable("HOME").and_then(absolute).map(|home| home.join(".cache")))
            .map(|cache| cache.join("envpool_rs")),
    }
}

/// The name that an engine is to be started by, so that it finds the archive that it is faster with, for a game and a scenario.
pub fn name_of(program: &Path, game: &Path, scenario: Option<&Path>) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    kept(program, &known(game, scenario), &chosen(variable)?)
}

/// What is known of these files: nothing where one is of another kind.
fn known(game: &Path, scenario: Option<&Path>) -> Known {
    let Ok(mut game) = Wad::open(game) else { return Known::default() };
    let mut scenario = scenario.map(Wad::open);
    let of_both = |is: fn(&mut Wad) -> bool, game: &mut Wad, scenario: &mut Option<io::Result<Wad>>| {
        is(game) && scenario.as_mut().is_none_or(|scenario| scenario.as_mut().is_ok_and(is))
    };
    Known {
        is_plain: of_both(|wad| !wad.names().any(|name| archive::ADDED.contains(&name)), &mut game, &mut scenario),
        is_colourless: of_both(is_colourless, &mut game, &mut scenario),
        names: game.names().map(str::to_owned).collect(),
    }
}

/// Whether a file cannot name a colour.
fn is_colourless(wad: &mut Wad) -> bool {
    !wad.names().any(|name| archive::COLOURED.contains(&name))
        && wad.all_of(archive::ACTORS).is_ok_and(|each| !each.iter().any(|text| archive::may_colour(text)))
}

/// Whether the archive is still there, for an engine that is to be started by that name.
pub fn has_archive(name: &Path) -> bool {
    name.with_file_name(ARCHIVE).is_file()
}

fn kept(program: &Path, known: &Known, folder: &Path) -> Option<PathBuf> {
    let beside = |name: &str| {
        let path = program.with_file_name(name);
        let is_small = path.metadata().is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES);
        is_small.then(|| fs::read(path).ok())?
    };
    let (own, bots) = (beside(ARCHIVE)?, beside(BOTS));
    let mut made_of = own.clone();
    made_of.extend(bots.as_deref().unwrap_or_default());
    made_of.extend([u8::from(known.is_plain), u8::from(known.is_colourless)]);
    known.names.iter().for_each(|name| made_of.extend(name.bytes().chain([0])));
    let folder = folder.join(format!("vizdoom-{FORM}-{:x}", md5::compute(&made_of)));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    if !is_ours(&folder) {
        return None;
    }
    if !fs::read(folder.join(ARCHIVE)).is_ok_and(|kept| archive::is_whole(&kept)) {
        write(&folder.join(ARCHIVE), &archive::faster(&own, known)?).ok()?;
    }
    if let Some(bots) = bots
        && !fs::read(folder.join(BOTS)).is_ok_and(|kept| kept == bots)
    {
        write(&folder.join(BOTS), &bots).ok()?;
    }
    Some(folder.join(program.file_name()?))
}

/// Whether nobody else can write to a folder.
fn is_ours(folder: &Path) -> bool {
    // SAFETY: it only asks who this is.
    let own = unsafe { libc::geteuid() };
    folder.metadata().is_ok_and(|folder| folder.uid() == own && folder.mode() & 0o022 == 0)
}

/// Writes a file so that nobody sees less than all of it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let beside = PathBuf::from(name);
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    written.inspect_err(|_| {
        let _nothing_was_written = fs::remove_file(&beside);
    })
}

#[cfg(test)]
mod tests {
    use super::super::starter::Folder;
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program with an archive without files.
    fn program() -> (Folder, PathBuf) {
        let folder = Folder::new().unwrap();
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
    fn an_archive_is_made_once_and_again_where_it_is_damaged() {
        let ((_folder, program), cache) = (program(), Folder::new().unwrap());
        let cache = cache.path().join("deep/er");
        let name = kept(&program, &Known::default(), &cache).unwrap();
        assert_eq!(name.file_name(), program.file_name());
        assert!(has_archive(&name));
        let kept_in = name.parent().unwrap();
        assert_eq!(names(kept_in), [BOTS, ARCHIVE]);
        let made = fs::metadata(kept_in.join(ARCHIVE)).unwrap().ino();
        assert_eq!(kept(&program, &Known::default(), &cache), Some(name.clone()));
        assert_eq!(fs::metadata(kept_in.join(ARCHIVE)).unwrap().ino(), made);
        fs::write(kept_in.join(ARCHIVE), "damaged").unwrap();
        assert_eq!(kept(&program, &Known::default(), &cache), Some(name.clone()));
        assert!(archive::is_whole(&fs::read(kept_in.join(ARCHIVE)).unwrap()));
        fs::remove_file(kept_in.join(ARCHIVE)).unwrap();
        assert!(!has_archive(&name));
        // Another game's is in another folder, and so is another archive.
        assert_ne!(kept(&program, &Known { is_plain: true, ..Known::default() }, &cache), Some(name.clone()));
        assert_ne!(kept(&program, &Known { is_colourless: true, ..Known::default() }, &cache), Some(name.clone()));
        fs::write(program.with_file_name(BOTS), "other bots").unwrap();
        assert_ne!(kept(&program, &Known::default(), &cache), Some(name));
    }

    #[test]
    fn what_is_known_of_files_is_read_from_both() {
        let folder = Folder::new().unwrap();
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
        let all = |is_plain, is_colourless| Known { names: names.clone(), is_plain, is_colourless };
        assert_eq!(known(&game, None), all(true, true));
        let actors = |text| wad("scenario", &[("MAP01", ""), ("DECORATE", "ACTOR A {}"), ("DECORATE", text)]);
        assert_eq!(known(&game, Some(&actors("ACTOR B {}"))), all(true, true));
        assert_eq!(known(&game, Some(&actors("ACTOR B { BloodColor red }"))), all(true, false));
        assert_eq!(known(&game, Some(&wad("scenario", &[("MAPINFO", "")]))), all(true, false));
        assert_eq!(known(&game, Some(&wad("scenario", &[("LANGUAGE", "")]))), all(false, true));
        assert_eq!(known(&game, Some(&folder.path().join("nowhere"))), all(false, false));
        assert!(!known(&wad("game", &[("KEYCONF", "")]), None).is_colourless);
        assert_eq!(known(&folder.path().join("nowhere"), None), Known::default());
    }

    #[test]
    fn many_at_once_find_one_whole_archive() {
        let ((_folder, program), cache) = (program(), Folder::new().unwrap());
        let found: Vec<_> = std::thread::scope(|scope| {
            let each: Vec<_> = (0..8).map(|_| scope.spawn(|| kept(&program, &Known::default(), cache.path()))).collect();
            each.into_iter().map(|each| each.join().unwrap()).collect()
        });
        assert!(found.iter().all(|name| name.is_some() && *name == found[0]));
        assert_eq!(names(found[0].as_ref().unwrap().parent().unwrap()), [BOTS, ARCHIVE]);
    }

    #[test]
    fn nothing_is_kept_where_it_cannot_be_or_others_could_write() {
        let ((folder, program), cache) = (program(), Folder::new().unwrap());
        assert_eq!(kept(&folder.path().join("elsewhere/engine"), &Known::default(), cache.path()), None, "no archive");
        fs::write(cache.path().join("file"), "").unwrap();
        assert_eq!(kept(&program, &Known::default(), &cache.path().join("file")), None, "a folder that is a file");
        let name = kept(&program, &Known::default(), cache.path()).unwrap();
        let kept_in = name.parent().unwrap();
        fs::set_permissions(kept_in, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(kept(&program, &Known::default(), cache.path()), None, "anybody's");
        fs::set_permissions(kept_in, fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(program.with_file_name(ARCHIVE), "no archive").unwrap();
        assert_eq!(kept(&program, &Known::default(), cache.path()), None, "no archive that is understood");
    }

    #[test]
    fn the_folder_is_the_variables_or_the_users() {
        let with = |set: &'static [(&str, &str)]| {
            chosen(move |name| set.iter().find(|(other, _)| *other == name).map(|(_, value)| PathBuf::from(value)))
        };
        assert_eq!(with(&[("HOME", "/home/me")]), Some("/home/me/.cache/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/var/me")]), Some("/var/me/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "here")]), Some("/home/me/.cache/envpool_rs".into()));
        assert_eq!(with(&[("HOME", "/home/me"), (VARIABLE, "/elsewhere")]), Some("/elsewhere".into()));
        assert_eq!(with(&[("HOME", "/home/me"), (VARIABLE, "off")]), None);
        assert_eq!(with(&[]), None);
    }
}
