//! Rewrites the engine's archive `vizdoom.pk3` (a zip file) so that engines start faster.
//!
//! An engine that starts decompresses some files of its archive about a dozen times. The rewritten archive stores all files
//! uncompressed and shortens or reorders four kinds of files. No result of a lookup in the engine changes:
//!
//! - `language.*`: The engine reads strings in fourteen passes over all languages. Only the passes for English and for the `*`
//!   language (used for all languages) find anything, so other languages are removed. (`language` is English unless the engine's
//!   arguments or its configuration file select another one; this archive is not used for those.) Nine passes accept each
//!   remaining string, and the first match wins, also over strings of other files. If no other file has strings, English is
//!   stored as `* default`, which two passes accept: the `*` pass and the last one, for `default`.
//! - `x11r6rgb.txt`: The engine compares a colour with 752 names, line by line, before it parses it as a number. Colours that the
//!   archive requests are therefore put first, numbers under their own text as name. The engine reads the whole table 250 times.
//!   If no other file can name a colour, the table keeps only colours whose names are words of the archive.
//! - `iwadinfo.txt`: The engine compares the lump names of the game file with the descriptions of thirty games and takes the
//!   first game that has all its names. Only that game is kept.
//! - `menudef.txt`: Menus cannot be opened without a keyboard and without commands. They are removed if no other file defines
//!   menus.

use std::collections::{BTreeMap, BTreeSet};

/// Signatures of the parts of a zip file.
const LOCAL_HEADER: u32 = 0x0403_4b50;
const CENTRAL_HEADER: u32 = 0x0201_4b50;
const END_OF_DIRECTORY: u32 = 0x0605_4b50;
/// Sizes of the zip headers in bytes, without names.
const LOCAL_HEADER_BYTES: usize = 30;
const CENTRAL_HEADER_BYTES: usize = 46;
const END_OF_DIRECTORY_BYTES: usize = 22;
/// Compression methods: stored and deflated.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Colours of the engine's own settings (player and pointer), which it looks up most often.
const SETTING_COLOURS: [&str; 2] = ["40 cf 00", "80 80 ff"];
/// Largest accepted archive, in unpacked bytes; the engine's archive is smaller.
const MAX_UNPACKED_BYTES: usize = 1 << 26;
/// Length of the checksum in the archive comment, in characters.
const CHECKSUM_CHARS: usize = 8;

/// One file of a zip archive.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ZipEntry {
    name: String,
    bytes: Vec<u8>,
}

/// Properties of the other files of the game (IWAD and scenario).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherFiles {
    /// Lump names of the game file (IWAD).
    pub lump_names: BTreeSet<String>,
    /// Whether neither the game file nor the scenario has strings or menus.
    pub lacks_strings_and_menus: bool,
    /// Whether neither the game file nor the scenario can name a colour.
    pub names_no_colours: bool,
}

/// Lumps that define strings or menus.
pub const STRING_AND_MENU_LUMPS: [&str; 2] = ["LANGUAGE", "MENUDEF"];

/// Lumps that may name colours, except those of actors.
pub const COLOUR_LUMPS: [&str; 17] = [
    "ANIMDEFS", "CVARINFO", "DECALDEF", "FONTDEFS", "GAMEINFO", "HIRESTEX", "IWADINFO", "KEYCONF", "LOCKDEFS", "MAPINFO",
    "MENUDEF", "SBARINFO", "TEAMINFO", "TERRAIN", "TEXTCOLO", "TEXTURES", "ZMAPINFO",
];
/// Lump that defines actors.
pub const ACTOR_LUMP: &str = "DECORATE";
/// Words in actor definitions that may name a colour: properties, actions with a colour argument, and `#include`.
const COLOUR_KEYWORDS: [&str; 6] = ["color", "particle", "setblend", "railgun", "railattack", "include"];

/// Returns whether an actor definition may name a colour.
pub fn may_name_colour(actors: &[u8]) -> bool {
    let text = String::from_utf8_lossy(actors).to_ascii_lowercase();
    COLOUR_KEYWORDS.iter().any(|what| text.contains(what))
}

/// Returns an equivalent archive with which engines start faster; `None` if `archive` cannot be parsed.
pub fn optimized(archive: &[u8], known: &OtherFiles) -> Option<Vec<u8>> {
    let mut files = read_zip(archive)?;
    let colours = requested_colours(&files);
    let words = known.names_no_colours.then(|| archive_words(&files));
    let strings = if known.lacks_strings_and_menus { merge_english(&files) } else { None };
    for file in &mut files {
        if file.name == "iwadinfo.txt" {
            file.bytes = keep_game(&file.bytes, &known.lump_names).unwrap_or_else(|| std::mem::take(&mut file.bytes));
        }
        if file.name == "menudef.txt" && known.lacks_strings_and_menus {
            file.bytes.clear();
        }
        // Files of this name in subfolders have another purpose.
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
    // The engine would read each empty file in all passes.
    files.retain(|file| !(file.name.starts_with("language.") && file.bytes.is_empty()));
    write_zip(&files)
}

/// Returns whether an archive was written by [`optimized`] and is undamaged: its comment is the checksum of the rest.
pub fn has_valid_checksum(archive: &[u8]) -> bool {
    let (all, checksum) = archive.split_at(archive.len().saturating_sub(CHECKSUM_CHARS));
    checksum == format!("{:08x}", crc32fast::hash(all)).as_bytes()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn read_zip(archive: &[u8]) -> Option<Vec<ZipEntry>> {
    let last = archive.len().checked_sub(END_OF_DIRECTORY_BYTES)?;
    let end = (0..=last).rev().find(|at| u32_at(archive, *at) == Some(END_OF_DIRECTORY))?;
    let count = usize::from(u16_at(archive, end + 10)?);
    let mut at = u32_at(archive, end + 16)? as usize;
    let mut files = Vec::with_capacity(count);
    let mut total = 0;
    for _ in 0..count {
        let head = archive.get(at..).filter(|head| u32_at(head, 0) == Some(CENTRAL_HEADER))?;
        let (flags, method) = (u16_at(head, 8)?, u16_at(head, 10)?);
        let (checksum, packed, bytes) = (u32_at(head, 16)?, u32_at(head, 20)? as usize, u32_at(head, 24)? as usize);
        let [name, extra, comment] = [u16_at(head, 28)?, u16_at(head, 30)?, u16_at(head, 32)?].map(usize::from);
        let local = archive.get(u32_at(head, 42)? as usize..).filter(|local| u32_at(local, 0) == Some(LOCAL_HEADER))?;
        let data = LOCAL_HEADER_BYTES + usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
        let packed = local.get(data..data + packed)?;
        total += bytes;
        if flags & 1 != 0 || total > MAX_UNPACKED_BYTES {
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
        let name = std::str::from_utf8(head.get(CENTRAL_HEADER_BYTES..CENTRAL_HEADER_BYTES + name)?).ok()?.to_owned();
        at += CENTRAL_HEADER_BYTES + name.len() + extra + comment;
        files.push(ZipEntry { name, bytes: unpacked });
    }
    Some(files)
}

/// Writes a zip archive of stored files in the given order; its comment is the checksum of all bytes before it.
fn write_zip(files: &[ZipEntry]) -> Option<Vec<u8>> {
    /// 1 January 1980 as a DOS date.
    const DAY: u16 = 0x21;
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for ZipEntry { name, bytes } in files {
        let length = u32::try_from(bytes.len()).ok()?;
        let at = u32::try_from(archive.len()).ok()?;
        let mut described = Vec::new();
        // Required version, flags, compression method, time and date.
        [10, 0, STORED, 0, DAY].iter().for_each(|half: &u16| described.extend(half.to_le_bytes()));
        [crc32fast::hash(bytes), length, length].iter().for_each(|word| described.extend(word.to_le_bytes()));
        described.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        described.extend(0_u16.to_le_bytes()); // nothing extra
        archive.extend(LOCAL_HEADER.to_le_bytes());
        archive.extend(&described);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
        directory.extend(CENTRAL_HEADER.to_le_bytes());
        directory.extend(10_u16.to_le_bytes()); // the version that it was made with
        directory.extend(&described);
        directory.extend([0; 10]); // no comment, the first disk, no attributes
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, length) = (u32::try_from(archive.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let count = u16::try_from(files.len()).ok()?.to_le_bytes();
    archive.extend(directory);
    archive.extend(END_OF_DIRECTORY.to_le_bytes());
    archive.extend([0; 4]); // the first disk
    archive.extend(count);
    archive.extend(count);
    archive.extend(length.to_le_bytes());
    archive.extend(at.to_le_bytes());
    archive.extend((CHECKSUM_CHARS as u16).to_le_bytes());
    let checksum = crc32fast::hash(&archive);
    archive.extend(format!("{checksum:08x}").bytes());
    Some(archive)
}

/// One lexeme of the engine's text files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lexeme<'a> {
    Comment,
    Quoted(&'a [u8]),
    Other(&'a [u8]),
}

/// Returns the first lexeme of a text and the rest; `None` if a comment or string is not terminated.
fn next_lexeme(text: &[u8]) -> Option<(Lexeme<'_>, &[u8])> {
    let find = |from: usize, what: &[u8]| text[from..].windows(what.len()).position(|here| here == what).map(|at| from + at);
    let (part, length) = if text.starts_with(b"//") {
        (Lexeme::Comment, find(2, b"\n").unwrap_or(text.len()))
    } else if text.starts_with(b"/*") {
        (Lexeme::Comment, find(2, b"*/")? + 2)
    } else if text[0] == b'"' {
        let mut at = 1;
        while *text.get(at)? != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        (Lexeme::Quoted(&text[..=at]), at + 1)
    } else {
        (Lexeme::Other(&text[..1]), 1)
    };
    Some((part, &text[length..]))
}

/// Keeps the sections of a string file for English or for all languages; `None` if it cannot be parsed.
fn keep_english(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    // The text between brackets so far, and whether the current section is kept.
    let (mut languages, mut is_kept): (Option<Vec<u8>>, bool) = (None, true);
    while !text.is_empty() {
        let (part, rest) = next_lexeme(text)?;
        text = rest;
        match (part, &mut languages) {
            (Lexeme::Comment, _) => kept.push(b' '),
            (Lexeme::Other(b"["), None) => languages = Some(Vec::new()),
            (Lexeme::Other(b"]"), Some(all)) => {
                let all = std::str::from_utf8(all).ok()?.to_ascii_lowercase();
                let mut each = all.split_ascii_whitespace();
                is_kept = all.contains('~') || each.any(|each| each == "*" || each == "default" || each.starts_with("en"));
                if is_kept {
                    kept.extend(format!("[{all}]").bytes());
                }
                languages = None;
            }
            (Lexeme::Other(bytes), Some(all)) => all.extend(bytes),
            (Lexeme::Quoted(_), Some(_)) => return None,
            (Lexeme::Quoted(bytes) | Lexeme::Other(bytes), None) if is_kept => kept.extend(bytes),
            (Lexeme::Quoted(_) | Lexeme::Other(_), None) => {}
        }
    }
    languages.is_none().then_some(kept)
}

/// One token of the engine's text files.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// Text between quotation marks, with its escapes.
    Quoted(Vec<u8>),
    /// A run of letters, digits and underscores, or one other character.
    Word(String),
}

/// Splits a text into tokens with their start and end offsets; `None` if a comment or string is not terminated.
fn tokenize(text: &[u8]) -> Option<Vec<(Token, usize, usize)>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let (mut rest, mut all, mut goes_on): (_, Vec<(Token, usize, usize)>, _) = (text, Vec::new(), false);
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let (part, after) = next_lexeme(rest)?;
        let end = text.len() - after.len();
        rest = after;
        let was_word = std::mem::take(&mut goes_on);
        match part {
            Lexeme::Comment => {}
            Lexeme::Quoted(bytes) => all.push((Token::Quoted(bytes[1..bytes.len() - 1].to_vec()), at, end)),
            Lexeme::Other(bytes) if bytes[0].is_ascii_whitespace() => {}
            Lexeme::Other(bytes) => {
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

/// Keeps the description of the game with these lump names; `None` if there is none or the text cannot be parsed.
fn keep_game(text: &[u8], names: &BTreeSet<String>) -> Option<Vec<u8>> {
    let all = tokenize(text)?;
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
            // A game that requires another game's file is searched among all descriptions.
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

/// Strings of one `[language ...]` section.
#[derive(Debug, Default)]
struct LanguageSection {
    languages: BTreeSet<String>,
    /// Names of the strings without a `$ifgame` condition.
    names: BTreeSet<String>,
    /// Names of the strings with a `$ifgame` condition.
    conditional: BTreeSet<String>,
    /// All strings of the section in the syntax of the file.
    text: Vec<u8>,
}

/// Parses a string file into its language sections; `None` if it cannot be parsed.
fn parse_languages(text: &[u8]) -> Option<Vec<LanguageSection>> {
    let all = tokenize(text)?;
    let word = |at: usize| match all.get(at) {
        Some((Token::Word(word), ..)) => Some(word.as_str()),
        _ => None,
    };
    let (mut sections, mut at) = (Vec::<LanguageSection>::new(), 0);
    while at < all.len() {
        if word(at)? == "[" {
            at += 1;
            let mut section = LanguageSection::default();
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

/// Rewrites string files with English as `* default`, by index of the file; `None` if that would change a string.
fn merge_english(files: &[ZipEntry]) -> Option<Vec<(usize, Vec<u8>)>> {
    let of_strings = files.iter().enumerate().filter(|(_, file)| file.name.starts_with("language."));
    let each: Vec<(usize, Vec<LanguageSection>)> =
        of_strings.map(|(at, file)| Some((at, parse_languages(&keep_english(&file.bytes)?)?))).collect::<Option<_>>()?;
    let english: Vec<_> = each.iter().flat_map(|(at, sections)| sections.iter().map(move |section| (*at, section))).collect();
    let is_main = |section: &LanguageSection| section.languages.iter().eq(["default", "enu"]);
    let mut mains = english.iter().filter(|(_, section)| is_main(section));
    let ((place, main), None) = (mains.next()?, mains.next()) else { return None };
    // Other English sections apply where the main one lacks a string.
    let adds = |section: &LanguageSection| {
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

/// Returns the colours requested by the archive's texts, as numbers or names, most frequent first.
fn requested_colours(files: &[ZipEntry]) -> Vec<String> {
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
    counts.retain(|colour, _| !SETTING_COLOURS.contains(&colour.as_str()));
    let mut colours: Vec<(String, usize)> = counts.into_iter().collect();
    colours.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    SETTING_COLOURS.map(str::to_owned).into_iter().chain(colours.into_iter().map(|(colour, _)| colour)).collect()
}

/// Splits a text into runs of letters and digits.
fn each_word(text: &str) -> impl Iterator<Item = &str> {
    text.split(|byte: char| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns all words of an archive except those of the colour table itself.
fn archive_words(files: &[ZipEntry]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files.iter().filter(|file| file.name != "x11r6rgb.txt") {
        let text = String::from_utf8_lossy(&file.bytes).to_ascii_lowercase();
        all.extend(each_word(&text).map(str::to_owned));
    }
    all
}

/// Puts the requested colours first in the colour table, where the first line of a name wins. With `words`, other colours are
/// kept only if their names consist of these words.
fn reorder_colours(table: &[u8], colours: &[String], words: Option<&BTreeSet<String>>) -> Vec<u8> {
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

    fn file(name: &str, text: &str) -> ZipEntry {
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
    fn files_stay_what_they_are_in_their_order() {
        let files = [file("decorate.txt", &"Actor ".repeat(500)), file("sprites/", ""), file("sprites/a.png", "\u{89}PNG")];
        let archive = optimized(&packed(&files), &OtherFiles::default()).unwrap();
        assert_eq!(read_zip(&archive).unwrap(), files);
        assert!(has_valid_checksum(&archive));
        let mut damaged = archive.clone();
        damaged[40] ^= 1;
        assert!(!has_valid_checksum(&damaged) && !has_valid_checksum(&archive[..archive.len() - 1]) && !has_valid_checksum(b""));
    }

    #[test]
    fn what_is_no_archive_or_damaged_is_left_alone() {
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
    fn languages_that_nobody_asks_for_are_left_out() {
        let text = "[fra] // French\nA = \"[enu] un\"; /* [enu] */\n[enu default]\nA = \"one\\\" // \"\n\"two\"; $ifgame(doom) B = \"b\";\n[ptb]\
                    \nA=\"um\";[eng]C=\"colour\";[*]D=\"d\";";
        let kept = String::from_utf8(keep_english(text.as_bytes()).unwrap()).unwrap();
        let words: String = kept.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words, "[enu default] A = \"one\\\" // \" \"two\"; $ifgame(doom) B = \"b\"; [eng]C=\"colour\";[*]D=\"d\";");
        assert_eq!(keep_english(b"[~fra] A = \"a\";").unwrap(), b"[~fra] A = \"a\";");
        assert_eq!(keep_english(b"[fra"), None);
        assert_eq!(keep_english(b"[fra] \"open"), None);
        assert_eq!(keep_english(b"[fra] /* open"), None);
    }

    #[test]
    fn colours_that_are_asked_for_come_first_and_mean_the_same() {
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

    fn known(names: &[&str]) -> OtherFiles {
        OtherFiles {
            lump_names: names.iter().map(|name| (*name).to_owned()).collect(),
            lacks_strings_and_menus: true,
            names_no_colours: false,
        }
    }

    #[test]
    fn the_game_that_is_played_is_left_of_all_games() {
        let text = "// Games\nIWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nIWad { Name = \"Second\" MustContain=\"MAP01\"\n\
                    Compatibility = Shorttex, Poly1 }\nIWAD { Name = \"Third\" MustContain = \"MAP01\", \"THIRD\" Required = \"Second\" }\n\
                    Names { \"one.wad\" \"two.wad\" }";
        let only =
            |names: &[&str]| keep_game(text.as_bytes(), &known(names).lump_names).map(|text| String::from_utf8(text).unwrap());
        let first = "IWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["FIRST", "MAP01", "OTHER"]).as_deref(), Some(first));
        let second =
            "IWad { Name = \"Second\" MustContain=\"MAP01\"\nCompatibility = Shorttex, Poly1 }\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["MAP01", "THIRD"]).as_deref(), Some(second), "the first that is found counts");
        assert_eq!(only(&["FIRST"]), None, "no game");
        let third = text.replacen("IWad {", "Other {", 1);
        assert_eq!(keep_game(third.as_bytes(), &known(&["MAP01"]).lump_names), None, "what is not understood");
        let third = &text[text.find("IWAD").unwrap()..];
        assert_eq!(keep_game(third.as_bytes(), &known(&["MAP01", "THIRD"]).lump_names), None, "one that needs another's file");
    }

    #[test]
    fn english_is_everybodys_where_no_string_is_another_for_it() {
        let (main, other) =
            ("[enu default]\nA = \"one\" // first\n \" two\\\"\";\n$ifgame(doom) B = \"b\";\nB=\"c\";", "[eng] a = \"eins\";");
        let strings =
            |main: &str, other: &str| merge_english(&[file("language.eng", other), file("a", ""), file("language.enu", main)]);
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
        let archive = |known: &OtherFiles| read_zip(&optimized(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&OtherFiles::default()), [file("language.enu", "[enu default] A = \"a\";"), file("a", "")]);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("a", "")]);
    }

    #[test]
    fn colours_that_no_word_names_are_left_out_where_no_other_file_names_any() {
        let table = "! a comment\r\n1 2 3\t\tPale Green\r\n4 5 6\t\tPaleGreen\r\n7 8 9\t\tred\r\n1 1 1\tRed\n2 2 2\tgrey 7\n3 3 3\tgrey 8\n";
        let files = [file("actors/a.txt", "A \"PALE green\" Red, grey 7"), file("x11r6rgb.txt", table)];
        let colours = |is_colourless: bool| {
            let known = OtherFiles { names_no_colours: is_colourless, ..known(&[]) };
            String::from_utf8(read_zip(&optimized(&packed(&files), &known).unwrap()).unwrap()[1].bytes.clone()).unwrap()
        };
        let first = "64 207 0\t40 cf 00\n128 128 255\t80 80 ff\n";
        let (left, all) = (colours(true), colours(false));
        // The first line of a name wins.
        let mut lines: Vec<&str> = left.strip_prefix(first).unwrap().lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["1 2 3\tpale green", "2 2 2\tgrey 7", "7 8 9\tred"]);
        assert!(all.starts_with(first) && all.ends_with(table));
    }

    #[test]
    fn actors_that_may_name_a_colour_are_seen_to() {
        let plain = b"ACTOR A : Health\n{\n  +ROCKETTRAIL\n  Inventory.PickupMessage \"red\"\n  States { Spawn: BON1 A 6 A_MonsterRail }\n}";
        assert!(!may_name_colour(plain));
        for text in
            ["BloodColor \"red\"", "POWERUP.COLOR red", "A_SetBlend(\"red\", 1, 2)", "A_SpawnParticle(red)", "#include \"other\""]
        {
            assert!(may_name_colour(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn strings_and_menus_stay_where_other_files_have_some() {
        let files = [file("language.enu", "[enu default] A = \"a\";"), file("menudef.txt", "ListMenu \"MainMenu\" {}")];
        let archive = |known: &OtherFiles| read_zip(&optimized(&packed(&files), known).unwrap()).unwrap();
        assert_eq!(archive(&OtherFiles::default()), files);
        assert_eq!(archive(&known(&[])), [file("language.enu", "[* default]\nA=\"a\";\n"), file("menudef.txt", "")]);
    }
}
