//! The engine's own archive (`vizdoom.pk3`, a zip file), made into one that it is faster with, and no different from.
//!
//! An engine that starts unpacks some of its files a dozen times over. So they are stored as they are, and some of them are shortened
//! or made longer, in ways that no answer depends on:
//!
//! - Strings of languages are read in fourteen passes, each through all languages, of which the passes take English and what is
//!   everybody's. So the others' are left out. (`language` is English unless somebody says otherwise, in the engine's arguments or in a
//!   configuration of its own, and for those nothing of this is used.) Nine passes take each of those that are left, and the first of them
//!   counts, against strings of other files too. Where no other file has any, they are everybody's, which one pass takes, and the last,
//!   for those who ask for nothing but what is the default.
//! - A colour is first looked for among 752 names, line by line, and then taken as the number that it mostly is. So numbers and names
//!   that are asked for are put before all others, as names of themselves. The whole table is read each time, 250 times. So where no
//!   other file can name a colour, it has only those whose names are words of the archive.
//! - The game's file is known by names of what it has, each of which is compared with those of thirty games. The first game that has all
//!   of its names is the one; it alone is left.
//! - Menus are never opened: nobody can, without a keyboard and without commands. Where no other file speaks of them, they are left out.

use std::collections::{BTreeMap, BTreeSet};

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

/// What is known of the other files that are played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Names of what the game's file has.
    pub names: BTreeSet<String>,
    /// Whether neither it nor the scenario has strings or menus.
    pub is_plain: bool,
    /// Whether neither of them can name a colour.
    pub is_colourless: bool,
}

/// What files are called that have strings or menus.
pub const ADDED: [&str; 2] = ["LANGUAGE", "MENUDEF"];

/// What files are called that may name colours, but for actors.
pub const COLOURED: [&str; 17] = [
    "ANIMDEFS", "CVARINFO", "DECALDEF", "FONTDEFS", "GAMEINFO", "HIRESTEX", "IWADINFO", "KEYCONF", "LOCKDEFS", "MAPINFO",
    "MENUDEF", "SBARINFO", "TEAMINFO", "TERRAIN", "TEXTCOLO", "TEXTURES", "ZMAPINFO",
];
/// What the files of actors are called.
pub const ACTORS: &str = "DECORATE";
/// What there is in the text of actors that name colours: properties, actions that take one, and other files.
const COLOURING: [&str; 6] = ["color", "particle", "setblend", "railgun", "railattack", "include"];

/// Whether a text of actors can name a colour.
pub fn may_colour(actors: &[u8]) -> bool {
    let text = String::from_utf8_lossy(actors).to_ascii_lowercase();
    COLOURING.iter().any(|what| text.contains(what))
}

/// The archive that an engine is faster with. None where `archive` is not one that is understood.
pub fn faster(archive: &[u8], known: &Known) -> Option<Vec<u8>> {
    let mut files = read(archive)?;
    let colours = asked_for(&files);
    let words = known.is_colourless.then(|| words(&files));
    let strings = if known.is_plain { everybodys(&files) } else { None };
    for file in &mut files {
        if file.name == "iwadinfo.txt" {
            file.bytes = only_game(&file.bytes, &known.names).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "menudef.txt" && known.is_plain {
            file.bytes.clear();
        }
        // Files of that name in folders are others.
        if file.name.starts_with("language.") {
            file.bytes = english(&file.bytes).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "x11r6rgb.txt" {
            file.bytes = with_first(&file.bytes, &colours, words.as_ref());
        }
    }
    for (at, bytes) in strings.into_iter().flatten() {
        files[at].bytes = bytes;
    }
    // Each of them would be read in all passes.
    files.retain(|file| !(file.name.starts_with("language.") && file.bytes.is_empty()));
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

/// What the engine's texts are read as.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// What is between quotation marks, as it is written there.
    Quoted(Vec<u8>),
    /// Letters and digits, or one other character.
    Word(String),
}

/// The tokens of a text, each with where it begins and ends. None where something does not end.
fn tokens(text: &[u8]) -> Option<Vec<(Token, usize, usize)>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut rest, mut all, mut goes_on): (_, Vec<(Token, usize, usize)>, _) = (text, Vec::new(), false);
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let (part, after) = part(rest)?;
        let end = text.len() - after.len();
        rest = after;
        let was_word = std::mem::take(&mut goes_on);
        match part {
            Part::Comment => {}
            Part::Quoted(bytes) => all.push((Token::Quoted(bytes[1..bytes.len() - 1].to_vec()), at, end)),
            Part::Other(bytes) if bytes[0].is_ascii_whitespace() => {}
            Part::Other(bytes) => {
                goes_on = is_word(bytes[0]);
                match all.last_mut() {
                    Some((Token::Word(word), _, ended)) if was_word && goes_on => {
                        word.push(char::from(bytes[0]));
                        *ended = end;
                    }
                    _ => all.push((Token::Word(char::from(bytes[0]).to_string()), at, end)),
                }
            }
        }
    }
    Some(all)
}

/// The description of the game that has these names, without those of all others. None where there is no such game, or it is not
/// understood what is described.
fn only_game(text: &[u8], names: &BTreeSet<String>) -> Option<Vec<u8>> {
    let all = tokens(text)?;
    let is = |token: &Token, what: &str| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(what));
    let (mut game, mut file) = (None, None);
    let mut blocks = all.as_slice();
    while let [(kind, begins, _), (opened, ..), rest @ ..] = blocks {
        let length = rest.iter().position(|(token, ..)| is(token, "}")).filter(|_| is(opened, "{"))?;
        let (inner, (_, _, ends)) = (&rest[..length], &rest[length]);
        blocks = &rest[length + 1..];
        if is(kind, "names") {
            file = file.or(inner.iter().find_map(|(token, ..)| if let Token::Quoted(name) = token { Some(name) } else { None }));
        } else if is(kind, "iwad") {
            let at = inner.iter().position(|(token, ..)| is(token, "mustcontain"));
            let needed = at.map_or(&[][..], |at| &inner[at + 1..]);
            let needed = needed.iter().skip_while(|(token, ..)| is(token, "="));
            let mut needed = needed.take_while(|(token, ..)| is(token, ",") || matches!(token, Token::Quoted(_)));
            let has_all = needed.all(|(token, ..)| match token {
                Token::Quoted(name) => names.contains(&String::from_utf8_lossy(name).to_ascii_uppercase()),
                Token::Word(_) => true,
            });
            // One that needs another game's file looks for it among all.
            if has_all && game.is_none() {
                game = Some(
                    (!inner.iter().any(|(token, ..)| is(token, "required")) && at.is_some()).then(|| &text[*begins..*ends])?,
                );
            }
        } else {
            return None;
        }
    }
    let name = String::from_utf8_lossy(file?).into_owned();
    Some([game?, format!("\nNames\n{{\n\t\"{name}\"\n}}\n").as_bytes()].concat())
}

/// Strings of one language.
#[derive(Debug, Default)]
struct Strings {
    languages: BTreeSet<String>,
    /// Their names, but for those that only some games have.
    names: BTreeSet<String>,
    /// Names that only some games have.
    conditional: BTreeSet<String>,
    /// All of them, as they may be written.
    text: Vec<u8>,
}

/// A file of strings, language by language. None where it is not understood.
fn languages(text: &[u8]) -> Option<Vec<Strings>> {
    let all = tokens(text)?;
    let word = |at: usize| match all.get(at) {
        Some((Token::Word(word), ..)) => Some(word.as_str()),
        _ => None,
    };
    let (mut sections, mut at) = (Vec::<Strings>::new(), 0);
    while at < all.len() {
        if word(at)? == "[" {
            at += 1;
            let mut section = Strings::default();
            while word(at)? != "]" {
                section.languages.insert(word(at)?.to_ascii_lowercase());
                at += 1;
            }
            at += 1;
            sections.push(section);
            continue;
        }
        let section = sections.last_mut()?;
        let is_conditional = word(at)? == "$";
        if is_conditional {
            let [ifgame, opened, game, closed] = [1, 2, 3, 4].map(|after| word(at + after));
            if !ifgame?.eq_ignore_ascii_case("ifgame") || opened? != "(" || closed? != ")" {
                return None;
            }
            section.text.extend(format!("$ifgame({})", game?).bytes());
            at += 5;
        }
        let (name, equals) = (word(at)?, word(at + 1)?);
        if equals != "=" || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        let names = if is_conditional { &mut section.conditional } else { &mut section.names };
        names.insert(name.to_ascii_uppercase());
        section.text.extend(format!("{name}=\"").bytes());
        at += 2;
        let first = at;
        while let (Token::Quoted(bytes), ..) = all.get(at)? {
            section.text.extend(bytes);
            at += 1;
        }
        if at == first || word(at)? != ";" {
            return None;
        }
        at += 1;
        section.text.extend(b"\";\n");
    }
    Some(sections)
}

/// The files of strings of an archive, by their numbers, such that English is everybody's and the default. None where that would change
/// a string.
fn everybodys(files: &[File]) -> Option<Vec<(usize, Vec<u8>)>> {
    let of_strings = files.iter().enumerate().filter(|(_, file)| file.name.starts_with("language."));
    let each: Vec<(usize, Vec<Strings>)> =
        of_strings.map(|(at, file)| Some((at, languages(&english(&file.bytes)?)?))).collect::<Option<_>>()?;
    let english: Vec<_> = each.iter().flat_map(|(at, sections)| sections.iter().map(move |section| (*at, section))).collect();
    let is_main = |section: &Strings| section.languages.iter().eq(["default", "enu"]);
    let mut mains = english.iter().filter(|(_, section)| is_main(section));
    let ((place, main), None) = (mains.next()?, mains.next()) else { return None };
    // Others of English count where the main ones have none.
    let adds = |section: &Strings| {
        section.languages.iter().any(|language| !language.starts_with("en"))
            || !section.names.is_subset(&main.names)
            || !section.conditional.is_subset(&main.names)
    };
    if english.iter().any(|(_, section)| !is_main(section) && adds(section)) {
        return None;
    }
    let text = |at: usize| if at == *place { [b"[* default]\n", main.text.as_slice()].concat() } else { Vec::new() };
    Some(each.iter().map(|(at, _)| (*at, text(*at))).collect())
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

/// Letters and digits that stand together.
fn each_word(text: &str) -> impl Iterator<Item = &str> {
    text.split(|byte: char| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// All words of an archive but those of the table of colours itself.
fn words(files: &[File]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files.iter().filter(|file| file.name != "x11r6rgb.txt") {
        let text = String::from_utf8_lossy(&file.bytes).to_ascii_lowercase();
        all.extend(each_word(&text).map(str::to_owned));
    }
    all
}

/// The table of colours, after those that are asked for: the first line of a name counts. Where words are given, it has only names that
/// consist of them.
fn with_first(table: &[u8], colours: &[String], words: Option<&BTreeSet<String>>) -> Vec<u8> {
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
    let Some(words) = words else { return [lines.as_bytes(), table].concat() };
    for (name, [red, green, blue]) in &named {
        if !colours.contains(name) && each_word(name).all(|word| words.contains(word)) {
            lines += &format!("{red} {green} {blue}\t{name}\n");
        }
    }
    lines.into_bytes()
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
        let archive = faster(&packed(&files), &Known::default()).unwrap();
        assert_eq!(read(&archive).unwrap(), files);
        assert!(is_whole(&archive));
        let mut damaged = archive.clone();
        damaged[40] ^= 1;
        assert!(!is_whole(&damaged) && !is_whole(&archive[..archive.len() - 1]) && !is_whole(b""));
    }

    #[test]
    fn what_is_no_archive_or_damaged_is_left_alone() {
        let archive = packed(&[file("a.txt", &"text ".repeat(100))]);
        assert_eq!(faster(b"", &Known::default()), None);
        assert_eq!(faster(b"PK and so on, which is no archive at all", &Known::default()), None);
        for at in [0, LOCAL_BYTES + 8, archive.len() - 30] {
            let mut damaged = archive.clone();
            damaged[at] ^= 0xff;
            assert_eq!(faster(&damaged, &Known::default()), None, "byte {at}");
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
        let archive = read(&faster(&packed(&files), &Known::default()).unwrap()).unwrap();
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

    fn known(names: &[&str]) -> Known {
        Known { names: names.iter().map(|name| (*name).to_owned()).collect(), is_plain: true, is_colourless: false }
    }

    #[test]
    fn the_game_that_is_played_is_left_of_all_games() {
        let text = "// Games\nIWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nIWad { Name = \"Second\" MustContain=\"MAP01\"\n\
                    Compatibility = Shorttex, Poly1 }\nIWAD { Name = \"Third\" MustContain = \"MAP01\", \"THIRD\" Required = \"Second\" }\n\
                    Names { \"one.wad\" \"two.wad\" }";
        let only = |names: &[&str]| only_game(text.as_bytes(), &known(names).names).map(|text| String::from_utf8(text).unwrap());
        let first = "IWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["FIRST", "MAP01", "OTHER"]).as_deref(), Some(first));
        let second =
            "IWad { Name = \"Second\" MustContain=\"MAP01\"\nCompatibility = Shorttex, Poly1 }\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["MAP01", "THIRD"]).as_deref(), Some(second), "the first that is found counts");
        assert_eq!(only(&["FIRST"]), None, "no game");
        let third = text.replacen("IWad {", "Other {", 1);
        assert_eq!(only_game(third.as_bytes(), &known(&["MAP01"]).names), None, "what is not understood");
        let third = &text[text.find("IWAD").unwrap()..];
        assert_eq!(only_game(third.as_bytes(), &known(&["MAP01", "THIRD"]).names), None, "one that needs another's file");
    }

    #[test]
    fn english_is_everybodys_where_no_string_is_another_for_it() {
        let (main, other) =
            ("[enu default]\nA = \"one\" // first\n \" two\\\"\";\n$ifgame(doom) B = \"b\";\nB=\"c\";", "[eng] a = \"eins\";");
        let strings =
            |main: &str, other: &str| everybodys(&[file("language.eng", other), file("a", ""), file("language.enu", main)]);
        let expected = "[* default]\nA=\"one two\\\"\";\n$ifgame(doom)B=\"b\";\nB=\"c\";\n";
        assert_eq!(strings(main, other), Some(vec![(0, vec![]), (2, expected.into())]));
        assert_eq!(strings(main, "[fra] C = \"c\";"), Some(vec![(0, vec![]), (2, expected.into())]));
        assert_eq!(strings(main, "[eng] C = \"c\";"), None, "a string that the default has not");
        assert_eq!(strings(main, "[*] A = \"a\";"), None, "everybody's before the default");
        assert_eq!(strings(main, "[~fra] A = \"a\";"), None, "everybody's but one's");
        assert_eq!(strings(main, main), None, "twice");
        assert_eq!(strings("[enu] A = \"a\";", ""), None, "no default");
        for open in ["A = \"a\";", "[enu default", "[enu default] A", "[enu default] A = ;", "[enu default] $ifgame A = \"a\";"] {
            assert_eq!(strings(open, ""), None, "{open}");
        }
    }

    #[test]
    fn files_of_other_languages_alone_are_left_out() {
        let files = [file("language.fr", "[fra] A = \"b\";"), file("language.enu", "[enu default] A = \"a\";"), file("a", "")];
        let archive = |known: &Known| read(&faster(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&Known::default()), [file("language.enu", "[enu default] A = \"a\";"), file("a", "")]);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("a", "")]);
    }

    #[test]
    fn colours_that_no_word_names_are_left_out_where_no_other_file_names_any() {
        let table = "! a comment\r\n1 2 3\t\tPale Green\r\n4 5 6\t\tPaleGreen\r\n7 8 9\t\tred\r\n1 1 1\tRed\n2 2 2\tgrey 7\n3 3 3\tgrey 8\n";
        let files = [file("actors/a.txt", "A \"PALE green\" Red, grey 7"), file("x11r6rgb.txt", table)];
        let colours = |is_colourless: bool| {
            let known = Known { is_colourless, ..known(&[]) };
            String::from_utf8(read(&faster(&packed(&files), &known).unwrap()).unwrap()[1].bytes.clone()).unwrap()
        };
        let first = "64 207 0\t40 cf 00\n128 128 255\t80 80 ff\n";
        let (left, all) = (colours(true), colours(false));
        // The first line of a name counts.
        let mut lines: Vec<&str> = left.strip_prefix(first).unwrap().lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1 2 3\tpale green", "2 2 2\tgrey 7", "7 8 9\tred"]);
        assert!(all.starts_with(first) && all.ends_with(table));
    }

    #[test]
    fn actors_that_may_name_a_colour_are_seen_to() {
        let plain = b"ACTOR A : Health\n{\n  +ROCKETTRAIL\n  Inventory.PickupMessage \"red\"\n  States { Spawn: BON1 A 6 A_MonsterRail }\n}";
        assert!(!may_colour(plain));
        for text in
            ["BloodColor \"red\"", "POWERUP.COLOR red", "A_SetBlend(\"red\", 1, 2)", "A_SpawnParticle(red)", "#include \"other\""]
        {
            assert!(may_colour(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn strings_and_menus_stay_where_other_files_have_some() {
        let files = [file("language.enu", "[enu default] A = \"a\";"), file("menudef.txt", "ListMenu \"MainMenu\" {}")];
        let archive = |known: &Known| read(&faster(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&Known::default()), files);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("menudef.txt", "")]);
    }
}
