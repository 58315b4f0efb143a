//! Reorders and shortens the colour table `x11r6rgb.txt` of the engine's archive.

use std::collections::{BTreeMap, BTreeSet};

use super::zip::ZipEntry;

/// Default colours of the player and of the mouse pointer in the engine's settings, which the engine looks up most often.
const SETTING_COLOURS: [&str; 2] = ["40 cf 00", "80 80 ff"];

/// Returns the colours that the archive's text files request, as numbers or names, the most frequent first.
pub(super) fn requested_colours(files: &[ZipEntry]) -> Vec<String> {
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

/// Splits a string into runs of letters and digits.
fn each_word(text: &str) -> impl Iterator<Item = &str> {
    text.split(|byte: char| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns all words in the archive's files, except those in the colour table itself.
pub(super) fn archive_words(files: &[ZipEntry]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in files.iter().filter(|file| file.name != "x11r6rgb.txt") {
        let text = String::from_utf8_lossy(&file.bytes).to_ascii_lowercase();
        all.extend(each_word(&text).map(str::to_owned));
    }
    all
}

/// Moves the requested colours to the start of the colour table. If a name occurs several times, its first line is used. If
/// `words` is given, removes all other colours whose names contain a word that is not in `words`.
pub(super) fn reorder_colours(table: &[u8], colours: &[String], words: Option<&BTreeSet<String>>) -> Vec<u8> {
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
