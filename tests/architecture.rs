//! Who may know whom, read from the sources themselves: the graph of imports has no circles, and its arrows point downwards.
//!
//! Sources are taken apart into tokens, so that neither braces in imports (`use crate::{engine::Pool, ..}`) nor paths in the middle of
//! the code are missed, and comments and texts are not mistaken for code. What is compiled for tests alone does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The rooms, and which others each may know. Every file has to lie in one of them.
const ROOMS: [(&str, &[&str]); 11] = [
    ("lib", &["engine", "envs", "math", "python", "random", "remote", "sim", "transport", "workers", "xla"]),
    ("math", &[]),
    ("random", &[]),
    ("transport", &[]),
    ("sim", &["math", "random"]),
    ("engine", &["random"]),
    ("envs", &["engine", "math", "random", "sim"]),
    ("workers", &["engine", "transport"]),
    ("remote", &["engine"]),
    ("xla", &["engine"]),
    ("python", &["engine", "envs", "math", "random", "remote", "sim", "transport", "workers", "xla"]),
];

/// The engine's rooms from the bottom to the top: each may know those before it.
const ENGINE: [&str; 7] = ["contract", "threads", "results", "play", "outside", "tasks", "pool"];

/// Names that only the binding may name.
const PYTHON: [&str; 4] = ["pyo3", "numpy", "PyObject", "Python"];

/// What threads are made of, and share. (Sleeping, as an environment for tests does, is no more than being slow.)
const THREADS: [&str; 11] =
    ["spawn", "scope", "sync", "Mutex", "RwLock", "Condvar", "Atomic", "AtomicU32", "AtomicUsize", "crossbeam_queue", "rayon"];

/// A module: its path from the crate's root, and what its file says outside of tests.
#[derive(Default)]
struct Module {
    /// Paths that it names from the crate's root.
    paths: BTreeSet<Vec<String>>,
    /// What it passes on under a name (`pub use`), and where that comes from. A door, which knows nothing of what goes through.
    exports: BTreeMap<String, Vec<String>>,
    /// All names that stand in it.
    names: BTreeSet<String>,
}

type Modules = BTreeMap<Vec<String>, Module>;

/// Takes apart the module `name`, its children included.
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

    /// Reads code that lies in module `here` of file `file`, whose children lie in `folder`.
    fn items(&mut self, file: &[String], here: &[String], tokens: TokenStream, folder: &Path) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let (mut index, mut for_tests, mut public) = (0, false, false);
        while index < tokens.len() {
            match &tokens[index] {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    for_tests |= tokens.get(index + 1).is_some_and(is_for_tests);
                    index += 2; // a macro's `#` in front of anything else is as well passed over
                    continue;
                }
                TokenTree::Ident(word) if word == "pub" => {
                    // `pub(in crate::engine)` knows nobody.
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
            // What an attribute is of ends with its body, or with a semicolon.
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

/// Whether what follows `#` says that something is compiled for tests alone.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else { return false };
    let words = group.stream().to_string();
    let words: Vec<_> = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not") && !words.contains(&"any")
}

/// The path that begins with the name at `index`, and where it ends.
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

/// All paths of an import, whose braces and commas are taken apart, and the name that each has here.
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

/// A path as seen from module `here`, from the crate's root on; `None` where it leads out of the crate, or is a name of `here`'s own.
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
        // A child of this module, or something that has been imported, whose import counts.
        _ => return (path.len() > 1).then(|| base.into_iter().chain(path.iter().cloned()).collect()),
    }
    Some(base.into_iter().chain(rest[1..].iter().cloned()).collect())
}

/// The modules of a crate whose files `read` gives.
fn modules(read: &dyn Fn(&Path) -> Option<String>) -> Modules {
    let mut reader = Reader { read, modules: Modules::new() };
    reader.file(&[], &[PathBuf::from("lib.rs")], Path::new(""));
    reader.modules
}

fn crate_modules() -> Modules {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    modules(&|path| std::fs::read_to_string(src.join(path)).ok())
}

/// The module that a path leads to: the longest that it begins with, or the one from which that has the name.
fn target<'a>(modules: &'a Modules, path: &[String]) -> Option<&'a Vec<String>> {
    let (name, module) = (0..=path.len()).rev().find_map(|len| modules.get_key_value(&path[..len]))?;
    let rest = &path[name.len()..];
    match rest.first().and_then(|word| module.exports.get(word)) {
        // A name that leads to itself is that of something from elsewhere.
        Some(origin) if !path.starts_with(origin) => {
            let origin: Vec<_> = origin.iter().chain(&rest[1..]).cloned().collect();
            target(modules, &origin)
        }
        _ => Some(name),
    }
}

/// Who imports from whom, file by file.
fn arrows(modules: &Modules) -> BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> {
    let mut arrows = BTreeMap::new();
    for (name, Module { paths, exports, names }) in modules {
        // What is passed on and used as well is known.
        let used = exports.iter().filter(|(name, _)| names.contains(*name)).map(|(_, path)| path);
        let others = paths.iter().chain(used).filter_map(|path| target(modules, path)).filter(|other| *other != name);
        arrows.insert(name, others.collect());
    }
    arrows
}

/// Sets of modules that know one another, be it by detours.
fn circles(modules: &Modules) -> Vec<Vec<String>> {
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
        let circle = others.iter().filter(|other| reached[**other].contains(module)).map(|other| other.join("::"));
        let circle: Vec<_> = circle.collect();
        if !circle.is_empty() {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

/// Arrows between rooms that are not allowed: of the crate, and of the engine.
fn forbidden(modules: &Modules) -> Vec<String> {
    let room = |module: &Vec<String>| module.first().map_or_else(|| "lib".to_owned(), Clone::clone);
    let level = |module: &Vec<String>| ENGINE.iter().position(|room| module.get(1).is_some_and(|name| name == room));
    let mut found = Vec::new();
    for (module, others) in arrows(modules) {
        let from = room(module);
        let Some((_, known)) = ROOMS.iter().find(|(name, _)| *name == from) else {
            found.push(format!("{} lies in no room", module.join("::")));
            continue;
        };
        for other in others {
            let to = room(other);
            let upwards = from == "engine"
                && to == "engine"
                && module.len() > 1
                && (level(other) > level(module) || level(other).is_none());
            if upwards || (from != to && !known.contains(&to.as_str())) {
                found.push(format!("{} must not know {}", module.join("::"), other.join("::")));
            }
        }
    }
    found
}

/// Modules of `room` that name one of `words`.
fn naming(modules: &Modules, room: &str, words: &[&str]) -> Vec<String> {
    let in_room = modules.iter().filter(|(name, _)| name.first().is_some_and(|first| first == room));
    let found = in_room.flat_map(|(name, module)| {
        words.iter().filter(|word| module.names.contains(**word)).map(|word| format!("{} names {word}", name.join("::")))
    });
    found.collect()
}

#[test]
fn arrows_point_downwards() {
    assert_eq!(forbidden(&crate_modules()), Vec::<String>::new());
}

#[test]
fn nobody_knows_himself_by_detours() {
    assert_eq!(circles(&crate_modules()), Vec::<Vec<String>>::new());
}

#[test]
fn only_the_binding_names_python() {
    let modules = crate_modules();
    for (room, _) in ROOMS.iter().filter(|(room, _)| *room != "python") {
        assert_eq!(naming(&modules, room, &PYTHON), Vec::<String>::new());
    }
}

#[test]
fn environments_know_no_threads() {
    assert_eq!(naming(&crate_modules(), "envs", &THREADS), Vec::<String>::new());
}

#[test]
fn every_room_is_on_the_map() {
    let map = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let missing: Vec<_> = ROOMS.iter().filter(|(room, _)| *room != "lib" && !map.contains(&format!("| `src/{room}"))).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md has no row for {missing:?}");
}

/// A crate made of a few files, to see that the checks see.
fn made_up(files: &[(&str, &str)]) -> Modules {
    let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    modules(&|path| files.get(path).cloned())
}

#[test]
fn a_circle_is_seen_through_braces_paths_and_inline_modules() {
    let root = "mod engine; mod envs;";
    let engine = "pub mod a; pub mod b;";
    for (a, b) in [
        ("use crate::{engine::{b::B}};", "use super::a::A;"),
        ("fn f() { let _ = crate::engine::b::B; }", "mod inner { use super::super::a::A; }"),
        ("macro_rules! m { () => { $crate::engine::b::g() } }", "vec![super::a::A];"),
    ] {
        let modules =
            made_up(&[("lib.rs", root), ("engine/mod.rs", engine), ("engine/a.rs", a), ("engine/b.rs", b), ("envs.rs", "")]);
        assert_eq!(circles(&modules), [["engine::a", "engine::b"]], "{a} {b}");
    }
}

#[test]
fn an_arrow_upwards_is_seen() {
    let files = |engine: &'static str, envs: &'static str| {
        let root = ("lib.rs", "mod engine; mod envs; mod random;");
        let rooms = ("engine/mod.rs", "mod contract; mod pool;");
        made_up(&[root, rooms, ("engine/contract.rs", engine), ("engine/pool.rs", ""), ("envs.rs", envs), ("random.rs", "")])
    };
    assert_eq!(forbidden(&files("", "use crate::engine::Pool;")), Vec::<String>::new());
    assert_eq!(forbidden(&files("use crate::{random::R, envs::E};", "")), ["engine::contract must not know envs"]);
    assert_eq!(forbidden(&files("use super::pool::P;", "")), ["engine::contract must not know engine::pool"]);
    assert_eq!(forbidden(&files("use crate::engine::P;", "")), ["engine::contract must not know engine"]);
}

#[test]
fn what_is_for_tests_comments_and_texts_does_not_count() {
    let contract = r#"
        //! See crate::envs.
        #[cfg(test)]
        use crate::envs::E;
        #[cfg(test)]
        mod tests { use crate::envs::E; }
        const TEXT: &str = "use crate::envs::E;";
        fn f() {}
    "#;
    let root = ("lib.rs", "mod engine; mod envs;");
    let quiet = made_up(&[root, ("engine/mod.rs", "mod contract;"), ("engine/contract.rs", contract), ("envs.rs", "")]);
    assert_eq!(forbidden(&quiet), Vec::<String>::new());
    let after = "#[cfg(test)]\nmod tests { use crate::envs::E; }\nuse crate::envs::E;";
    let loud = made_up(&[root, ("engine/mod.rs", "mod contract;"), ("engine/contract.rs", after), ("envs.rs", "")]);
    assert_eq!(forbidden(&loud), ["engine::contract must not know envs"]);
}

#[test]
fn names_are_found_where_they_stand() {
    let modules = crate_modules();
    assert!(!naming(&modules, "python", &PYTHON).is_empty());
    assert!(!naming(&modules, "engine", &THREADS).is_empty());
}
