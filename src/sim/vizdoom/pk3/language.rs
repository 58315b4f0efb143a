//! Shortens the files `language.*` of the engine's archive, which contain the game's strings.

use std::collections::BTreeSet;

use super::tokens::{Lexeme, Token, next_lexeme, tokenize};
use super::zip::ZipEntry;

/// Returns the sections of a string file that are for English or for all languages; `None` if the file cannot be parsed.
pub(super) fn keep_english(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    // `languages` contains the text between brackets so far. `is_kept` says whether the current section is kept.
    let (mut languages, mut is_kept): (Option<Vec<u8>>, bool) = (None, true);
    while !text.is_empty() {
        let (part, rest) = next_lexeme(text)?;
        text = rest;
        match (part, &mut languages) {
            (Lexeme::Comment, _) => output.push(b' '),
            (Lexeme::Other(b"["), None) => languages = Some(Vec::new()),
            (Lexeme::Other(b"]"), Some(all)) => {
                let all = std::str::from_utf8(all).ok()?.to_ascii_lowercase();
                let mut each = all.split_ascii_whitespace();
                is_kept = all.contains('~') || each.any(|each| each == "*" || each == "default" || each.starts_with("en"));
                if is_kept {
                    output.extend(format!("[{all}]").bytes());
                }
                languages = None;
            }
            (Lexeme::Other(bytes), Some(all)) => all.extend(bytes),
            (Lexeme::Quoted(_), Some(_)) => return None,
            (Lexeme::Quoted(bytes) | Lexeme::Other(bytes), None) if is_kept => output.extend(bytes),
            (Lexeme::Quoted(_) | Lexeme::Other(_), None) => {}
        }
    }
    languages.is_none().then_some(output)
}

/// Strings of one `[language ...]` section.
#[derive(Debug, Default)]
struct LanguageSection {
    languages: BTreeSet<String>,
    /// Names of the strings that have no `$ifgame` condition.
    names: BTreeSet<String>,
    /// Names of the strings that have a `$ifgame` condition.
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

/// Rewrites string files with English as `* default`. Returns the new files with their indices; `None` if the change would
/// affect a string that the engine finds.
pub(super) fn merge_english(files: &[ZipEntry]) -> Option<Vec<(usize, Vec<u8>)>> {
    let of_strings = files.iter().enumerate().filter(|(_, file)| file.name.starts_with("language."));
    let each: Vec<(usize, Vec<LanguageSection>)> =
        of_strings.map(|(at, file)| Some((at, parse_languages(&keep_english(&file.bytes)?)?))).collect::<Option<_>>()?;
    let english: Vec<_> = each.iter().flat_map(|(at, sections)| sections.iter().map(move |section| (*at, section))).collect();
    let is_main = |section: &LanguageSection| section.languages.iter().eq(["default", "enu"]);
    let mut mains = english.iter().filter(|(_, section)| is_main(section));
    let ((index, main), None) = (mains.next()?, mains.next()) else { return None };
    // The engine uses other English sections for strings that the main section lacks.
    let adds = |section: &LanguageSection| {
        section.languages.iter().any(|language| !language.starts_with("en"))
            || !section.names.is_subset(&main.names)
            || !section.conditional.is_subset(&main.names)
    };
    if english.iter().any(|(_, section)| !is_main(section) && adds(section)) {
        return None;
    }
    let text = |at: usize| if at == *index { [b"[* default]\n", main.text.as_slice()].concat() } else { Vec::new() };
    Some(each.iter().map(|(at, _)| (*at, text(*at))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pk3::tests::file;

    #[test]
    fn other_languages_are_removed() {
        let text = "[fra] // French\nA = \"[enu] un\"; /* [enu] */\n[enu default]\nA = \"one\\\" // \"\n\"two\"; $ifgame(doom) B = \"b\";\n[ptb]\
                    \nA=\"um\";[eng]C=\"colour\";[*]D=\"d\";";
        let output = String::from_utf8(keep_english(text.as_bytes()).unwrap()).unwrap();
        let words: String = output.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words, "[enu default] A = \"one\\\" // \" \"two\"; $ifgame(doom) B = \"b\"; [eng]C=\"colour\";[*]D=\"d\";");
        assert_eq!(keep_english(b"[~fra] A = \"a\";").unwrap(), b"[~fra] A = \"a\";");
        assert_eq!(keep_english(b"[fra"), None);
        assert_eq!(keep_english(b"[fra] \"open"), None);
        assert_eq!(keep_english(b"[fra] /* open"), None);
    }

    #[test]
    fn english_is_merged_only_if_no_string_changes() {
        let (main, other) =
            ("[enu default]\nA = \"one\" // first\n \" two\\\"\";\n$ifgame(doom) B = \"b\";\nB=\"c\";", "[eng] a = \"eins\";");
        let strings =
            |main: &str, other: &str| merge_english(&[file("language.eng", other), file("a", ""), file("language.enu", main)]);
        let expected = "[* default]\nA=\"one two\\\"\";\n$ifgame(doom)B=\"b\";\nB=\"c\";\n";
        assert_eq!(strings(main, other), Some(vec![(0, vec![]), (2, expected.into())]));
        assert_eq!(strings(main, "[fra] C = \"c\";"), Some(vec![(0, vec![]), (2, expected.into())]));
        assert_eq!(strings(main, "[eng] C = \"c\";"), None, "a string that the default lacks");
        assert_eq!(strings(main, "[*] A = \"a\";"), None, "another section for all languages");
        assert_eq!(strings(main, "[~fra] A = \"a\";"), None, "a section for all languages but one");
        assert_eq!(strings(main, main), None, "two main sections");
        assert_eq!(strings("[enu] A = \"a\";", ""), None, "no default");
        for open in ["A = \"a\";", "[enu default", "[enu default] A", "[enu default] A = ;", "[enu default] $ifgame A = \"a\";"] {
            assert_eq!(strings(open, ""), None, "{open}");
        }
    }
}
