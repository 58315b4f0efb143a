//! Reads the modules of a crate from its sources, as tokens: the names that each module contains, and the modules that it
//! imports.
//!
//! Tokens allow finding braces in imports (`use crate::{pool::Pool, ..}`) and paths in the middle of code. Comments and strings
//! are not mistaken for code. Code that is compiled only for tests is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Contents of one module's file, without its tests.
#[derive(Default)]
pub struct Module {
    /// Paths in the module's code, starting at the crate's root.
    paths: BTreeSet<Vec<String>>,
    /// Names that the module re-exports (`pub use`), with the paths to which they refer. A re-export alone does not count as an
    /// import.
    exports: BTreeMap<String, Vec<String>>,
    /// All names that occur in the module's code.
    names: BTreeSet<String>,
}

/// Modules of a crate, by their paths from the crate's root.
pub type Modules = BTreeMap<Vec<String>, Module>;

/// Reads the files of a crate, starting with `lib.rs`.
struct Reader<'a> {
    read: &'a dyn Fn(&Path) -> Option<String>,
    modules: Modules,
}

impl Reader<'_> {
    fn file(&mut self, name: &[String], candidates: &[PathBuf], folder: &Path) {
        let text = candidates.iter().find_map(|path| (self.read)(path)).unwrap_or_else(|| panic!("none of {candidates:?}"));
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{name:?}: {error}"));
        self.modules.insert(name.to_vec(), Module::default());
        self.items(name, name, tokens, folder);
    }

    /// Reads the module `here` from the tokens of the file `file`. Submodules are in `folder`.
    fn items(&mut self, file: &[String], here: &[String], tokens: TokenStream, folder: &Path) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut index, mut for_tests, mut public) = (0, false, false);
        while index < tokens.len() {
            match &tokens[index] {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    for_tests |= tokens.get(index + 1).is_some_and(is_for_tests);
                    index += 2; // In a macro, `#` may stand before any token, not only before an attribute.
                    continue;
                }
                TokenTree::Ident(word) if word == "pub" => {
                    // The path in a visibility, such as `pub(in crate::pool)`, does not count as an import.
                    let restricted =
                        matches!(tokens.get(index + 1), Some(TokenTree::Group(to)) if to.delimiter() == Delimiter::Parenthesis);
                    index += 1 + usize::from(restricted);
                    public = true;
                    continue;
                }
                TokenTree::Ident(word) if word == "use" => {
                    let end = (index..tokens.len()).find(|end| is_mark(&tokens[*end], ';')).unwrap_or(tokens.len());
                    if !for_tests {
                        for (name, path) in expanded(&tokens[index + 1..end]) {
                            match public && file == here {
                                true => self.pass_on(file, name, &path),
                                false => self.note(file, here, &path),
                            }
                        }
                    }
                    index = end;
                }
                TokenTree::Ident(word) if word == "mod" => {
                    let name = tokens[index + 1].to_string();
                    let child: Vec<_> = here.iter().cloned().chain([name.clone()]).collect();
                    match &tokens[index + 2] {
                        TokenTree::Group(body) if !for_tests => self.items(file, &child, body.stream(), &folder.join(&name)),
                        TokenTree::Group(_) => {}
                        _ if for_tests => {}
                        _ => {
                            let files = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
                            self.file(&child, &files, &folder.join(&name));
                        }
                    }
                    index += 2;
                }
                TokenTree::Group(group) if !for_tests => self.items(file, here, group.stream(), folder),
                TokenTree::Ident(_) if !for_tests => {
                    let (path, next) = path_at(&tokens, index);
                    self.note(file, here, &path);
                    index = next - 1;
                }
                _ => {}
            }
            public = false;
            // The item to which an attribute belongs ends with its body, or with a semicolon.
            if is_mark(&tokens[index.min(tokens.len() - 1)], ';')
                || matches!(&tokens.get(index), Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace)
            {
                for_tests = false;
            }
            index += 1;
        }
    }

    fn pass_on(&mut self, file: &[String], name: String, path: &[String]) {
        let module = self.modules.get_mut(file).expect("the file is being read");
        if let Some(path) = from_root(file, path) {
            module.exports.insert(name, path);
        }
    }

    fn note(&mut self, file: &[String], here: &[String], path: &[String]) {
        let module = self.modules.get_mut(file).expect("the file is being read");
        module.names.extend(path.iter().cloned());
        if let Some(path) = from_root(here, path) {
            module.paths.insert(path);
        }
    }
}

fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Returns whether an attribute marks its item as compiled only for tests.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else { return false };
    let words = group.stream().to_string();
    let words: Vec<_> = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not") && !words.contains(&"any")
}

/// Reads the path that starts at token `index`. Returns the path and the index after it.
fn path_at(tokens: &[TokenTree], index: usize) -> (Vec<String>, usize) {
    let (mut path, mut next) = (vec![tokens[index].to_string()], index + 1);
    while let [colon, other, TokenTree::Ident(word), ..] = &tokens[next..]
        && is_mark(colon, ':')
        && is_mark(other, ':')
    {
        path.push(word.to_string());
        next += 3;
    }
    (path, next)
}

/// Expands the braces and commas of an import. Returns all imported paths, each with the name that it has in the importing
/// module.
fn expanded(tokens: &[TokenTree]) -> Vec<(String, Vec<String>)> {
    tokens.split(|token| is_mark(token, ',')).filter(|branch| !branch.is_empty()).flat_map(expanded_branch).collect()
}

fn expanded_branch(tokens: &[TokenTree]) -> Vec<(String, Vec<String>)> {
    let (mut path, mut alias) = (Vec::new(), None);
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                alias = tokens.get(index + 1).map(TokenTree::to_string);
                break;
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(branches) => {
                let branches: Vec<_> = branches.stream().into_iter().collect();
                let ends = expanded(&branches).into_iter();
                return ends.map(|(name, end)| (name, path.iter().cloned().chain(end).collect())).collect();
            }
            _ => {}
        }
    }
    let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
    vec![(name, path)]
}

/// Converts a path in module `here` to a path from the crate's root. Returns `None` for a single name, because the import of this
/// name is counted separately.
fn from_root(here: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = here.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                base.pop();
                rest = &rest[1..];
            }
            return Some(base.into_iter().chain(rest.iter().cloned()).collect());
        }
        // The path starts with a child of this module, or with an imported name, whose import is counted separately.
        _ => return (path.len() > 1).then(|| base.into_iter().chain(path.iter().cloned()).collect()),
    }
    Some(base.into_iter().chain(rest[1..].iter().cloned()).collect())
}

/// Reads the modules of a crate. `read` returns the contents of a file.
pub fn modules(read: &dyn Fn(&Path) -> Option<String>) -> Modules {
    let mut reader = Reader { read, modules: Modules::new() };
    reader.file(&[], &[PathBuf::from("lib.rs")], Path::new(""));
    reader.modules
}

/// Finds the module to which a path leads. This is the module with the longest path that `path` starts with, or the origin of a
/// name that this module re-exports.
fn target<'a>(modules: &'a Modules, path: &[String]) -> Option<&'a Vec<String>> {
    let (name, module) = (0..=path.len()).rev().find_map(|len| modules.get_key_value(&path[..len]))?;
    let rest = &path[name.len()..];
    match rest.first().and_then(|word| module.exports.get(word)) {
        // A re-export that refers to itself comes from another crate, so it is not followed.
        Some(origin) if !path.starts_with(origin) => {
            let origin: Vec<_> = origin.iter().chain(&rest[1..]).cloned().collect();
            target(modules, &origin)
        }
        _ => Some(name),
    }
}

/// Returns, for each module, the modules from which it imports.
pub fn arrows(modules: &Modules) -> BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> {
    let mut arrows = BTreeMap::new();
    for (name, Module { paths, exports, names }) in modules {
        // A name that a module both re-exports and uses counts as an import.
        let used = exports.iter().filter(|(name, _)| names.contains(*name)).map(|(_, path)| path);
        let others = paths.iter().chain(used).filter_map(|path| target(modules, path)).filter(|other| *other != name);
        arrows.insert(name, others.collect());
    }
    arrows
}

/// Finds sets of modules that import each other, directly or through other modules.
///
/// One exception is allowed: a module may import from its own children the methods that they define on its types, because such
/// modules are one module in several files.
pub fn circles(modules: &Modules) -> Vec<Vec<String>> {
    let arrows = arrows(modules);
    let reachable = |from: &Vec<String>| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(module) = left.pop() {
            for other in arrows.get(module).into_iter().flatten() {
                if seen.insert(*other) {
                    left.push(other);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<_, _> = arrows.keys().map(|module| (*module, reachable(module))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (module, others) in &reached {
        let circle = others.iter().filter(|other| reached[**other].contains(module)).map(|other| shown(other));
        let circle: Vec<_> = circle.collect();
        if !circle.is_empty() && !is_split_module(&circle) {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

/// Returns whether the set `circle` contains only one module and its children.
fn is_split_module(circle: &[String]) -> bool {
    let is_child = |other: &String| {
        other.strip_prefix(&circle[0]).and_then(|rest| rest.strip_prefix("::")).is_some_and(|name| !name.contains("::"))
    };
    circle[1..].iter().all(is_child)
}

/// Finds the modules whose code contains one of the names `words`.
pub fn naming(modules: &Modules, words: &[&str]) -> Vec<String> {
    let found = modules.iter().flat_map(|(name, module)| {
        words.iter().filter(|word| module.names.contains(**word)).map(|word| format!("{} names {word}", shown(name)))
    });
    found.collect()
}

/// Formats a module's path for messages.
pub fn shown(module: &[String]) -> String {
    if module.is_empty() { "the crate's root".to_owned() } else { module.join("::") }
}
