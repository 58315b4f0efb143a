//! Shortens the file `iwadinfo.txt` of the engine's archive, which describes Doom's games.

use std::collections::BTreeSet;

use super::tokens::{Token, tokenize};

/// Returns the shortened `iwadinfo.txt`, which describes only the game whose lump names are all in `names`. Returns `None` if
/// no game matches or the text cannot be parsed.
pub(super) fn keep_game(text: &[u8], names: &BTreeSet<String>) -> Option<Vec<u8>> {
    let all = tokenize(text)?;
    let is = |token: &Token, keyword: &str| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
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
            // If the found game requires another game's file, the text is not shortened, because the engine searches all
            // descriptions for that other game.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pk3::tests::known;

    #[test]
    fn only_the_played_game_is_kept() {
        let text = "// Games\nIWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nIWad { Name = \"Second\" MustContain=\"MAP01\"\n\
                    Compatibility = Shorttex, Poly1 }\nIWAD { Name = \"Third\" MustContain = \"MAP01\", \"THIRD\" Required = \"Second\" }\n\
                    Names { \"one.wad\" \"two.wad\" }";
        let only =
            |names: &[&str]| keep_game(text.as_bytes(), &known(names).lump_names).map(|text| String::from_utf8(text).unwrap());
        let first = "IWad\n{\n\tName = \"First\"\n\tMustContain = \"MAP01\", \"first\"\n}\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["FIRST", "MAP01", "OTHER"]).as_deref(), Some(first));
        let second =
            "IWad { Name = \"Second\" MustContain=\"MAP01\"\nCompatibility = Shorttex, Poly1 }\nNames\n{\n\t\"one.wad\"\n}\n";
        assert_eq!(only(&["MAP01", "THIRD"]).as_deref(), Some(second), "the first match wins");
        assert_eq!(only(&["FIRST"]), None, "no match");
        let third = text.replacen("IWad {", "Other {", 1);
        assert_eq!(keep_game(third.as_bytes(), &known(&["MAP01"]).lump_names), None, "unknown syntax");
        let third = &text[text.find("IWAD").unwrap()..];
        assert_eq!(keep_game(third.as_bytes(), &known(&["MAP01", "THIRD"]).lump_names), None, "requires another game's file");
    }
}
