//! Rewrites the engine's archive `vizdoom.pk3` (a zip file) so that engines start faster.
//!
//! During its start, an engine decompresses some files of its archive about a dozen times. The rewritten archive stores all
//! files uncompressed and shortens or reorders four kinds of files. The results of all lookups in the engine stay the same:
//!
//! - `language.*`: The engine reads strings in fourteen passes over all languages. Only the passes for English and for the `*`
//!   language (used for all languages) find anything, so other languages are removed. (The engine's `language` is English
//!   unless its arguments or its configuration file select another; in this case, the rewritten archive is not used.) Nine
//!   passes accept each remaining string. The first match takes precedence over all later matches, even in other files. If no
//!   other file has strings, English is stored as `* default`. Only two passes accept it: the `*` pass, and the last pass, for
//!   `default`.
//! - `x11r6rgb.txt`: The engine compares a colour with 752 names, line by line, before it parses it as a number. Colours that
//!   the archive requests are therefore put first; a requested number is added as a name. The engine reads the complete table
//!   250 times. If no other file can name a colour, the table keeps only colours whose names are words of the archive.
//! - `iwadinfo.txt`: The engine compares the lump names of the game file with the descriptions of thirty games and takes the
//!   first game whose names all occur. Only the description of this game is kept.
//! - `menudef.txt`: Menus cannot be opened without a keyboard and without commands, so they are removed if no other file
//!   defines menus.

mod colours;
mod iwadinfo;
mod language;
mod tokens;
mod zip;

use std::collections::BTreeSet;

use self::colours::{archive_words, reorder_colours, requested_colours};
use self::iwadinfo::keep_game;
use self::language::{keep_english, merge_english};
use self::zip::{read_zip, write_zip};

pub use self::zip::has_valid_checksum;

/// Properties of the game file (IWAD) and the scenario that determine which parts of the archive are needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherFiles {
    /// Names of the lumps (data entries) of the game file (IWAD).
    pub lump_names: BTreeSet<String>,
    /// Whether the game file and the scenario define neither strings nor menus.
    pub lacks_strings_and_menus: bool,
    /// Whether the game file and the scenario contain no lump that may name a colour.
    pub names_no_colours: bool,
}

/// Names of the lumps (data entries of `.wad` files) that define strings or menus.
pub const STRING_AND_MENU_LUMPS: [&str; 2] = ["LANGUAGE", "MENUDEF"];
/// Names of the lumps that may contain names of colours. The lump that defines actors (`ACTOR_LUMP`) is checked separately.
pub const COLOUR_LUMPS: [&str; 17] = [
    "ANIMDEFS", "CVARINFO", "DECALDEF", "FONTDEFS", "GAMEINFO", "HIRESTEX", "IWADINFO", "KEYCONF", "LOCKDEFS", "MAPINFO",
    "MENUDEF", "SBARINFO", "TEAMINFO", "TERRAIN", "TEXTCOLO", "TEXTURES", "ZMAPINFO",
];
/// Name of the lump that defines actors (kinds of objects in the game).
pub const ACTOR_LUMP: &str = "DECORATE";
/// Words in actor definitions after which a colour may be named: properties, actions that have a colour argument, and
/// `#include`.
const COLOUR_KEYWORDS: [&str; 6] = ["color", "particle", "setblend", "railgun", "railattack", "include"];

/// Returns whether an actor definition may contain the name of a colour.
pub fn may_name_colour(actors: &[u8]) -> bool {
    let text = String::from_utf8_lossy(actors).to_ascii_lowercase();
    COLOUR_KEYWORDS.iter().any(|keyword| text.contains(keyword))
}

/// Returns an equivalent archive with which engines start faster; `None` if `archive` cannot be parsed.
pub fn optimized(archive: &[u8], other_files: &OtherFiles) -> Option<Vec<u8>> {
    let mut files = read_zip(archive)?;
    let colours = requested_colours(&files);
    let words = other_files.names_no_colours.then(|| archive_words(&files));
    let strings = if other_files.lacks_strings_and_menus { merge_english(&files) } else { None };
    for file in &mut files {
        if file.name == "iwadinfo.txt" {
            file.bytes = keep_game(&file.bytes, &other_files.lump_names).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "menudef.txt" && other_files.lacks_strings_and_menus {
            file.bytes.clear();
        }
        // Only files in the archive's root are changed, because files with the same names in subfolders have another purpose.
        if file.name.starts_with("language.") {
            file.bytes = keep_english(&file.bytes).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "x11r6rgb.txt" {
            file.bytes = reorder_colours(&file.bytes, &colours, words.as_ref());
        }
    }
    for (at, bytes) in strings.into_iter().flatten() {
        files[at].bytes = bytes;
    }
    // Empty string files are removed, because the engine would read each of them in all passes.
    files.retain(|file| !(file.name.starts_with("language.") && file.bytes.is_empty()));
    write_zip(&files)
}

#[cfg(test)]
mod tests {
    use super::zip::{CENTRAL_HEADER, DEFLATED, END_OF_DIRECTORY, LOCAL_HEADER, LOCAL_HEADER_BYTES, ZipEntry};
    use super::*;

    pub(super) fn file(name: &str, text: &str) -> ZipEntry {
        ZipEntry { name: name.into(), bytes: text.into() }
    }

    /// Packs files into a zip archive with deflate, as `zip` does.
    fn packed(files: &[ZipEntry]) -> Vec<u8> {
        let (mut archive, mut directory) = (Vec::new(), Vec::new());
        for ZipEntry { name, bytes } in files {
            let deflated = miniz_oxide::deflate::compress_to_vec(bytes, 6);
            let at = archive.len() as u32;
            let mut described = Vec::new();
            [20, 0, DEFLATED, 0, 0].iter().for_each(|half: &u16| described.extend(half.to_le_bytes()));
            let words = [crc32fast::hash(bytes), deflated.len() as u32, bytes.len() as u32];
            words.iter().for_each(|word| described.extend(word.to_le_bytes()));
            described.extend((name.len() as u16).to_le_bytes());
            described.extend([0; 2]);
            archive.extend(LOCAL_HEADER.to_le_bytes());
            archive.extend(&described);
            archive.extend(name.bytes());
            archive.extend(deflated);
            directory.extend(CENTRAL_HEADER.to_le_bytes());
            directory.extend([20, 0]);
            directory.extend(&described);
            directory.extend([0; 10]);
            directory.extend(at.to_le_bytes());
            directory.extend(name.bytes());
        }
        let at = archive.len() as u32;
        archive.extend(&directory);
        archive.extend(END_OF_DIRECTORY.to_le_bytes());
        archive.extend([0; 4]);
        [files.len() as u16; 2].iter().for_each(|count| archive.extend(count.to_le_bytes()));
        archive.extend((directory.len() as u32).to_le_bytes());
        archive.extend(at.to_le_bytes());
        archive.extend([0; 2]);
        archive
    }

    #[test]
    fn other_files_keep_their_contents_and_order() {
        let files = [file("decorate.txt", &"Actor ".repeat(500)), file("sprites/", ""), file("sprites/a.png", "\u{89}PNG")];
        let archive = optimized(&packed(&files), &OtherFiles::default()).unwrap();
        assert_eq!(read_zip(&archive).unwrap(), files);
        assert!(has_valid_checksum(&archive));
        let mut damaged = archive.clone();
        damaged[40] ^= 1;
        assert!(!has_valid_checksum(&damaged) && !has_valid_checksum(&archive[..archive.len() - 1]) && !has_valid_checksum(b""));
    }

    #[test]
    fn invalid_or_damaged_archives_are_refused() {
        let archive = packed(&[file("a.txt", &"text ".repeat(100))]);
        assert_eq!(optimized(b"", &OtherFiles::default()), None);
        assert_eq!(optimized(b"PK and so on, which is no archive at all", &OtherFiles::default()), None);
        for at in [0, LOCAL_HEADER_BYTES + 8, archive.len() - 30] {
            let mut damaged = archive.clone();
            damaged[at] ^= 0xff;
            assert_eq!(optimized(&damaged, &OtherFiles::default()), None, "byte {at}");
        }
    }

    #[test]
    fn requested_colours_come_first_and_keep_their_values() {
        let files = [
            file("textcolors.txt", "Brick { #470000 #FFB8B8 }\nTan { #470000 #470000 }\ncolour = gold, white"),
            file("mapinfo/doom.txt", "color = \"00 Ff 10\" gold"),
            file("x11r6rgb.txt", "! X\n255 250 250\t\tsnow\n255 215   0 \t\tgold\n1 2 3\tgold\n255 255 255\t\tWhite\n"),
        ];
        let archive = read_zip(&optimized(&packed(&files), &OtherFiles::default()).unwrap()).unwrap();
        assert_eq!(archive[..2], files[..2]);
        let table = String::from_utf8(archive[2].bytes.clone()).unwrap();
        let expected = "64 207 0\t40 cf 00\n128 128 255\t80 80 ff\n71 0 0\t#470000\n255 215 0\tgold\n255 184 184\t#ffb8b8\n0 255 16\t00 ff 10\n255 255 255\twhite\n";
        let (first, others) = table.split_at(expected.len());
        let sorted = |text: &str| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.join("\n")
        };
        assert_eq!(sorted(first), sorted(expected));
        assert!(first.starts_with("64 207 0\t40 cf 00\n128 128 255\t80 80 ff\n71 0 0\t#470000\n255 215 0\tgold\n"), "{first}");
        assert_eq!(others.as_bytes(), files[2].bytes);
    }

    pub(super) fn known(names: &[&str]) -> OtherFiles {
        OtherFiles {
            lump_names: names.iter().map(|name| (*name).to_owned()).collect(),
            lacks_strings_and_menus: true,
            names_no_colours: false,
        }
    }

    #[test]
    fn files_without_english_are_removed() {
        let files = [file("language.fr", "[fra] A = \"b\";"), file("language.enu", "[enu default] A = \"a\";"), file("a", "")];
        let archive = |known: &OtherFiles| read_zip(&optimized(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&OtherFiles::default()), [file("language.enu", "[enu default] A = \"a\";"), file("a", "")]);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("a", "")]);
    }

    #[test]
    fn colours_are_removed_only_if_no_file_can_name_them() {
        let table = "! a comment\r\n1 2 3\t\tPale Green\r\n4 5 6\t\tPaleGreen\r\n7 8 9\t\tred\r\n1 1 1\tRed\n2 2 2\tgrey 7\n3 3 3\tgrey 8\n";
        let files = [file("actors/a.txt", "A \"PALE green\" Red, grey 7"), file("x11r6rgb.txt", table)];
        let colours = |is_colourless: bool| {
            let known = OtherFiles { names_no_colours: is_colourless, ..known(&[]) };
            String::from_utf8(read_zip(&optimized(&packed(&files), &known).unwrap()).unwrap()[1].bytes.clone()).unwrap()
        };
        let first = "64 207 0\t40 cf 00\n128 128 255\t80 80 ff\n";
        let (left, all) = (colours(true), colours(false));
        // If a name occurs several times in the colour table, its first line is used.
        let mut lines: Vec<&str> = left.strip_prefix(first).unwrap().lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1 2 3\tpale green", "2 2 2\tgrey 7", "7 8 9\tred"]);
        assert!(all.starts_with(first) && all.ends_with(table));
    }

    #[test]
    fn actors_that_may_name_a_colour_are_detected() {
        let plain = b"ACTOR A : Health\n{\n  +ROCKETTRAIL\n  Inventory.PickupMessage \"red\"\n  States { Spawn: BON1 A 6 A_MonsterRail }\n}";
        assert!(!may_name_colour(plain));
        for text in
            ["BloodColor \"red\"", "POWERUP.COLOR red", "A_SetBlend(\"red\", 1, 2)", "A_SpawnParticle(red)", "#include \"other\""]
        {
            assert!(may_name_colour(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn strings_and_menus_are_kept_if_other_files_have_some() {
        let files = [file("language.enu", "[enu default] A = \"a\";"), file("menudef.txt", "ListMenu \"MainMenu\" {}")];
        let archive = |known: &OtherFiles| read_zip(&optimized(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&OtherFiles::default()), files);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("menudef.txt", "")]);
    }
}
