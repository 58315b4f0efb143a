//! The engine's own archive (`vizdoom.pk3`, a zip file), made into one that it is faster with, and no different from.
//!
//! An engine that starts unpacks some of its files a dozen times over. So they are stored as they are, and two of them are shortened
//! or made longer, in ways that no answer depends on:
//!
//! - Strings of languages are read in fourteen passes, each through all languages, of which the passes take English and what is
//!   everybody's. So the others' are left out. (`language` is English unless somebody says otherwise, in the engine's arguments or in a
//!   configuration of its own, and for those nothing of this is used.)
//! - A colour is first looked for among 752 names, line by line, and then taken as the number that it mostly is. So numbers and names
//!   that are asked for are put before all others, as names of themselves.

use std::collections::BTreeMap;

/// What a zip file's parts begin with.
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Bytes of them, without names.
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
/// Files that are stored as they are, or deflated.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Colours that the engine's own settings have, for which it asks most often: that of players, and that of a pointer.
const SETTINGS: [&str; 2] = ["40 cf 00", "80 80 ff"];
/// An archive with more than that is not the engine's.
const MOST_BYTES: usize = 1 << 26;
/// Characters of the checksum that is the archive's comment.
const CHECKSUM: usize = 8;

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
struct File {
    name: String,
    bytes: Vec<u8>,
}

/// The archive that an engine is faster with. None where `archive` is not one that is understood.
pub fn faster(archive: &[u8]) -> Option<Vec<u8>> {
    let mut files = read(archive)?;
    let colours = asked_for(&files);
    for file in &mut files {
        // Files of that name in folders are others.
        if file.name.starts_with("language.") {
            file.bytes = english(&file.bytes).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "x11r6rgb.txt" {
            file.bytes = with_first(&file.bytes, &colours);
        }
    }
    write(&files)
}

/// Whether an archive is one that was made here, and whole.
pub fn is_whole(archive: &[u8]) -> bool {
    let (all, checksum) = archive.split_at(archive.len().saturating_sub(CHECKSUM));
    checksum == format!("{:08x}", crc32fast::hash(all)).as_bytes()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn read(archive: &[u8]) -> Option<Vec<File>> {
    let last = archive.len().checked_sub(END_BYTES)?;
    let end = (0..=last).rev().find(|at| word(archive, *at) == Some(END))?;
    let count = usize::from(half(archive, end + 10)?);
    let mut at = word(archive, end + 16)? as usize;
    let mut files = Vec::with_capacity(count);
    let mut total = 0;
    for _ in 0..count {
        let head = archive.get(at..).filter(|head| word(head, 0) == Some(CENTRAL))?;
        let (flags, method) = (half(head, 8)?, half(head, 10)?);
        let (checksum, packed, bytes) = (word(head, 16)?, word(head, 20)? as usize, word(head, 24)? as usize);
        let [name, extra, comment] = [half(head, 28)?, half(head, 30)?, half(head, 32)?].map(usize::from);
        let local = archive.get(word(head, 42)? as usize..).filter(|local| word(local, 0) == Some(LOCAL))?;
        let data = LOCAL_BYTES + usize::from(half(local, 26)?) + usize::from(half(local, 28)?);
        let packed = local.get(data..data + packed)?;
        total += bytes;
        if flags & 1 != 0 || total > MOST_BYTES {
            return None;
        }
        let unpacked = match method {
            STORED => packed.to_vec(),
            DEFLATED => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, bytes).ok()?,
            _ => return None,
        };
        if unpacked.len() != bytes || crc32fast::hash(&unpacked) != checksum {
            return None;
        }
        let name = std::str::from_utf8(head.get(CENTRAL_BYTES..CENTRAL_BYTES + name)?).ok()?.to_owned();
        at += CENTRAL_BYTES + name.len() + extra + comment;
        files.push(File { name, bytes: unpacked });
    }
    Some(files)
}

/// An archive of these files, stored as they are, in the same order. Its comment is the checksum of all before it.
fn write(files: &[File]) -> Option<Vec<u8>> {
    /// 1 January 1980.
    const DAY: u16 = 0x21;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for File { name, bytes } in files {
        let length = u32::try_from(bytes.len()).ok()?;
        let at = u32::try_from(archive.len()).ok()?;
        let mut described = Vec::new();
        // The version that is needed, no flags, how it is packed, and when it was written.
        [10, 0, STORED, 0, DAY].iter().for_each(|half: &u16| described.extend(half.to_le_bytes()));
        [crc32fast::hash(bytes), length, length].iter().for_each(|word| described.extend(word.to_le_bytes()));
        described.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        described.extend(0_u16.to_le_bytes()); // nothing extra
        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&described);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(10_u16.to_le_bytes()); // the version that it was made with
        directory.extend(&described);
        directory.extend([0; 10]); // no comment, the first disk, no attributes
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, length) = (u32::try_from(archive.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let count = u16::try_from(files.len()).ok()?.to_le_bytes();
    archive.extend(directory);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]); // the first disk
    archive.extend(count);
    archive.extend(count);
    archive.extend(length.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend((CHECKSUM as u16).to_le_bytes());
    let checksum = crc32fast::hash(&archive);
    archive.extend(format!("{checksum:08x}").bytes());
    Some(archive)
}

/// What a text in the engine's languages consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Comment,
    Quoted(&'a [u8]),
    Other(&'a [u8]),
}

/// The first part of a text, and what follows. None where something does not end.
fn part(text: &[u8]) -> Option<(Part<'_>, &[u8])> {
    let find = |from: usize, what: &[u8]| text[from..].windows(what.len()).position(|here| here == what).map(|at| from + at);
    let (part, length) = if text.starts_with(b"//") {
        (Part::Comment, find(2, b"\n").unwrap_or(text.len()))
    } else if text.starts_with(b"/*") {
        (Part::Comment, find(2, b"*/")? + 2)
    } else if text[0] == b'"' {
        let mut at = 1;
        while *text.get(at)? != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        (Part::Quoted(&text[..=at]), at + 1)
    } else {
        (Part::Other(&text[..1]), 1)
    };
    Some((part, &text[length..]))
}

/// The parts of a file of strings that English, or everybody, has. None where it is not understood.
fn english(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    // What is between brackets, so far; and whether the strings that follow it are kept.
    let (mut languages, mut is_kept): (Option<Vec<u8>>, bool) = (None, true);
    while !text.is_empty() {
        let (part, rest) = part(text)?;
        text = rest;
        match (part, &mut languages) {
            (Part::Comment, _) => kept.push(b' '),
            (Part::Other(b"["), None) => languages = Some(Vec::new()),
            (Part::Other(b"]"), Some(all)) => {
                let all = std::str::from_utf8(all).ok()?.to_ascii_lowercase();
                let mut each = all.split_ascii_whitespace();
                is_kept = all.contains('~') || each.any(|each| each == "*" || each == "default" || each.starts_with("en"));
                if is_kept {
                    kept.extend(format!("[{all}]").bytes());
                }
                languages = None;
            }
            (Part::Other(bytes), Some(all)) => all.extend(bytes),
            (Part::Quoted(_), Some(_)) => return None,
            (Part::Quoted(bytes) | Part::Other(bytes), None) if is_kept => kept.extend(bytes),
            (Part::Quoted(_) | Part::Other(_), None) => {}
        }
    }
    languages.is_none().then_some(kept)
}

/// Colours that the archive's texts ask for, as numbers or by name, the most frequent first.
fn asked_for(files: &[File]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    for file in files.iter().filter(|file| file.name.ends_with(".txt") && file.name != "x11r6rgb.txt") {
        let text = String::from_utf8_lossy(&file.bytes).to_ascii_lowercase();
        let mut count = |colour: &str| *counts.entry(colour.to_owned()).or_default() += 1;
        for word in text.split(|byte: char| byte.is_ascii_whitespace() || byte == '"' || byte == ',') {
            match word.strip_prefix('#') {
                Some(digits) if digits.len() == 6 && is_hex(digits) => count(word),
                None if word.bytes().all(|byte| byte.is_ascii_lowercase()) && !word.is_empty() => count(word),
                _ => {}
            }
        }
        let is_triple = |text: &&str| {
            text.len() == 8 && text.split(' ').count() == 3 && text.split(' ').all(|digits| digits.len() == 2 && is_hex(digits))
        };
        text.split('"').filter(is_triple).for_each(&mut count);
    }
    counts.retain(|colour, _| !SETTINGS.contains(&colour.as_str()));
    let mut colours: Vec<(String, usize)> = counts.into_iter().collect();
    colours.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    SETTINGS.map(str::to_owned).into_iter().chain(colours.into_iter().map(|(colour, _)| colour)).collect()
}

/// The table of colours, after those that are asked for: the first line of a name counts.
fn with_first(table: &[u8], colours: &[String]) -> Vec<u8> {
    let text = String::from_utf8_lossy(table);
    let mut named: BTreeMap<String, [u8; 3]> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('!')) {
        let mut rest = line.trim();
        let mut values = [0; 3];
        let mut read = || {
            for value in &mut values {
                let (first, others) = rest.split_once(|byte: char| byte.is_ascii_whitespace())?;
                (*value, rest) = (first.parse().ok()?, others.trim_start());
            }
            Some(())
        };
        if read().is_some() {
            named.entry(rest.to_ascii_lowercase()).or_insert(values);
        }
    }
    let mut lines = String::new();
    for colour in colours {
        let digits: String = colour.chars().filter(char::is_ascii_hexdigit).collect();
        let is_number = colour.starts_with('#') || colour.contains(' ');
        let values = match u32::from_str_radix(&digits, 16) {
            Ok(number) if is_number => Some([number >> 16, number >> 8, number].map(|value| value as u8)),
            _ => named.get(colour).copied(),
        };
        if let Some([red, green, blue]) = values {
            lines += &format!("{red} {green} {blue}\t{colour}\n");
        }
    }
    [lines.as_bytes(), table].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: name.into(), bytes: text.into() }
    }

    /// As `zip` packs it.
    fn packed(files: &[File]) -> Vec<u8> {
        let (mut archive, mut directory) = (Vec::new(), Vec::new());
        for File { name, bytes } in files {
            let deflated = miniz_oxide::deflate::compress_to_vec(bytes, 6);
            let at = archive.len() as u32;
            let mut described = Vec::new();
            [20, 0, DEFLATED, 0, 0].iter().for_each(|half: &u16| described.extend(half.to_le_bytes()));
            let words = [crc32fast::hash(bytes), deflated.len() as u32, bytes.len() as u32];
            words.iter().for_each(|word| described.extend(word.to_le_bytes()));
            described.extend((name.len() as u16).to_le_bytes());
            described.extend([0; 2]);
            archive.extend(LOCAL.to_le_bytes());
            archive.extend(&described);
            archive.extend(name.bytes());
            archive.extend(deflated);
            directory.extend(CENTRAL.to_le_bytes());
            directory.extend([20, 0]);
            directory.extend(&described);
            directory.extend([0; 10]);
            directory.extend(at.to_le_bytes());
            directory.extend(name.bytes());
        }
        let at = archive.len() as u32;
        archive.extend(&directory);
        archive.extend(END.to_le_bytes());
        archive.extend([0; 4]);
        [files.len() as u16; 2].iter().for_each(|count| archive.extend(count.to_le_bytes()));
        archive.extend((directory.len() as u32).to_le_bytes());
        archive.extend(at.to_le_bytes());
        archive.extend([0; 2]);
        archive
    }

    #[test]
    fn files_stay_what_they_are_in_their_order() {
        let files = [file("decorate.txt", &"Actor ".repeat(500)), file("sprites/", ""), file("sprites/a.png", "\u{89}PNG")];
        let archive = faster(&packed(&files)).unwrap();
        assert_eq!(read(&archive).unwrap(), files);
        assert!(is_whole(&archive));
        let mut damaged = archive.clone();
        damaged[40] ^= 1;
        assert!(!is_whole(&damaged) && !is_whole(&archive[..archive.len() - 1]) && !is_whole(b""));
    }

    #[test]
    fn what_is_no_archive_or_damaged_is_left_alone() {
        let archive = packed(&[file("a.txt", &"text ".repeat(100))]);
        assert_eq!(faster(b""), None);
        assert_eq!(faster(b"PK and so on, which is no archive at all"), None);
        for at in [0, LOCAL_BYTES + 8, archive.len() - 30] {
            let mut damaged = archive.clone();
            damaged[at] ^= 0xff;
            assert_eq!(faster(&damaged), None, "byte {at}");
        }
    }

    #[test]
    fn languages_that_nobody_asks_for_are_left_out() {
        let text = "[fra] // French\nA = \"[enu] un\"; /* [enu] */\n[enu default]\nA = \"one\\\" // \"\n\"two\"; $ifgame(doom) B = \"b\";\n[ptb]\
                    \nA=\"um\";[eng]C=\"colour\";[*]D=\"d\";";
        let kept = String::from_utf8(english(text.as_bytes()).unwrap()).unwrap();
        let words: String = kept.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words, "[enu default] A = \"one\\\" // \" \"two\"; $ifgame(doom) B = \"b\"; [eng]C=\"colour\";[*]D=\"d\";");
        assert_eq!(english(b"[~fra] A = \"a\";").unwrap(), b"[~fra] A = \"a\";");
        assert_eq!(english(b"[fra"), None);
        assert_eq!(english(b"[fra] \"open"), None);
        assert_eq!(english(b"[fra] /* open"), None);
    }

    #[test]
    fn colours_that_are_asked_for_come_first_and_mean_the_same() {
        let files = [
            file("textcolors.txt", "Brick { #470000 #FFB8B8 }\nTan { #470000 #470000 }\ncolour = gold, white"),
            file("mapinfo/doom.txt", "color = \"00 Ff 10\" gold"),
            file("x11r6rgb.txt", "! X\n255 250 250\t\tsnow\n255 215   0 \t\tgold\n1 2 3\tgold\n255 255 255\t\tWhite\n"),
        ];
        let archive = read(&faster(&packed(&files)).unwrap()).unwrap();
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
}
