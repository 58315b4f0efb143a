//! Lexer for the engine's text files, such as string files and game descriptions.

/// One lexeme of the engine's text files: a comment, a quoted string, or any other single byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lexeme<'a> {
    Comment,
    Quoted(&'a [u8]),
    Other(&'a [u8]),
}

/// Returns the first lexeme of a text, and the rest of the text; `None` if a comment or string is not terminated.
pub(super) fn next_lexeme(text: &[u8]) -> Option<(Lexeme<'_>, &[u8])> {
    let find =
        |from: usize, pattern: &[u8]| text[from..].windows(pattern.len()).position(|here| here == pattern).map(|at| from + at);
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

/// One token of the engine's text files: a quoted string, a word, or a single other character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Text between quotation marks, including its escape sequences.
    Quoted(Vec<u8>),
    /// Sequence of letters, digits and underscores, or a single other character.
    Word(String),
}

/// Splits a text into tokens, each with its start and end offset; `None` if a comment or string is not terminated.
pub(super) fn tokenize(text: &[u8]) -> Option<Vec<(Token, usize, usize)>> {
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
