//! Checks who may depend on whom: between crates by their manifests, inside a crate by its sources.
//!
//! The compiler keeps crates apart once their manifests do. Inside a crate, sources are read as tokens, so that neither braces in imports
//! (`use crate::{pool::Pool, ..}`) nor paths in the middle of the code are missed, and comments and texts are not mistaken for code.
//! Code that is compiled for tests only does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::Value;

/// Every crate's folder, and the crates of this workspace that its `[dependencies]` name, without `envpool_rs_`.
///
/// A new dependency is a line here and in ARCHITECTURE.md, so that it is a decision.
const CRATES: [(&str, &[&str]); 18] = [
    ("src/numeric", &[]),
    ("src/transport", &[]),
    ("src/engine", &["numeric"]),
    ("src/pictures", &["engine"]),
    ("src/sim/atari", &["numeric"]),
    ("src/sim/box2d", &[]),
    ("src/sim/grid_world", &["numeric"]),
    ("src/sim/mujoco", &["numeric"]),
    ("src/sim/vizdoom", &[]),
    ("src/envs/atari", &["engine", "numeric", "pictures", "sim_atari"]),
    ("src/envs/box2d", &["engine", "numeric", "pictures", "sim_box2d"]),
    ("src/envs/classic", &["engine", "numeric", "pictures"]),
    ("src/envs/minigrid", &["engine", "numeric", "sim_grid_world"]),
    ("src/envs/mujoco", &["engine", "numeric", "sim_mujoco"]),
    ("src/envs/vizdoom", &["engine", "numeric", "pictures", "sim_vizdoom"]),
    ("src/interop", &["engine", "transport"]),
    (
        "",
        &[
            "engine",
            "envs_atari",
            "envs_box2d",
            "envs_classic",
            "envs_minigrid",
            "envs_mujoco",
            "envs_vizdoom",
            "interop",
            "numeric",
            "pictures",
            "sim_atari",
            "sim_box2d",
            "sim_grid_world",
            "sim_mujoco",
            "sim_vizdoom",
            "transport",
        ],
    ),
    ("src/python", &["engine", "envpool_rs", "interop", "numeric", "sim_mujoco", "transport"]),
];

/// The engine's layers from the bottom to the top: each may know those before it.
const ENGINE: [&str; 7] = ["contract", "threads", "results", "play", "outside", "tasks", "pool"];

/// Names of threads, and of what they share. (Sleeping is allowed: an environment for tests is slow on purpose.)
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

/// Arrows inside the engine that lead to a higher layer, or into none.
fn upward(modules: &Modules) -> Vec<String> {
    let layer = |module: &[String]| ENGINE.iter().position(|layer| module.first().is_some_and(|name| name == layer));
    let mut found = Vec::new();
    for (module, others) in arrows(modules) {
        if module.is_empty() {
            continue; // `lib.rs` shows all layers
        }
        let Some(own) = layer(module) else {
            found.push(format!("{} lies in no layer", module.join("::")));
            continue;
        };
        let higher = others.iter().filter(|other| layer(other).is_none_or(|other| other > own));
        found.extend(higher.map(|other| format!("{} must not know {}", module.join("::"), shown(other))));
    }
    found
}

/// Modules that name one of `words`.
fn naming(modules: &Modules, words: &[&str]) -> Vec<String> {
    let found = modules.iter().flat_map(|(name, module)| {
        words.iter().filter(|word| module.names.contains(**word)).map(|word| format!("{} names {word}", shown(name)))
    });
    found.collect()
}

/// A crate of the workspace, as its manifest describes it.
struct Manifest {
    name: String,
    /// Its folder, from the repository's root.
    folder: String,
    /// What `[dependencies]` names, and what it names for some systems only.
    normal: BTreeSet<String>,
    /// What any of its tables names.
    all: BTreeSet<String>,
}

/// Reads what `cargo metadata` says of the crates below `root`.
fn manifests(metadata: &Value, root: &Path) -> Vec<Manifest> {
    let text = |value: &Value| value.as_str().expect("cargo metadata has a text here").to_owned();
    let packages = metadata["packages"].as_array().expect("cargo metadata lists packages").iter();
    let read = packages.map(|package| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder =
            manifest.parent().expect("a manifest lies in a folder").strip_prefix(root).expect("members lie in the workspace");
        let dependencies = package["dependencies"].as_array().expect("cargo metadata lists dependencies");
        Manifest {
            name: text(&package["name"]),
            folder: folder.to_str().expect("folders have plain names").replace('\\', "/"),
            normal: dependencies.iter().filter(|one| one["kind"].is_null()).map(|one| text(&one["name"])).collect(),
            all: dependencies.iter().map(|one| text(&one["name"])).collect(),
        }
    });
    read.collect()
}

/// The repository's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn workspace() -> Vec<Manifest> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .expect("cargo can be called");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    manifests(&serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON"), root())
}

/// A crate's name without `envpool_rs_`; `None` for crates of others.
fn short(name: &str) -> Option<&str> {
    if name == "envpool_rs" { Some(name) } else { name.strip_prefix("envpool_rs_") }
}

/// Where manifests differ from the table `crates`, and who names Python besides the extension module.
fn wrong_dependencies(manifests: &[Manifest], crates: &[(&str, &[&str])]) -> Vec<String> {
    let mut found = Vec::new();
    for Manifest { folder, normal, all, .. } in manifests {
        let Some((_, allowed)) = crates.iter().find(|(known, _)| known == folder) else {
            found.push(format!("{folder} has no line in the table"));
            continue;
        };
        let named: BTreeSet<_> = normal.iter().filter_map(|name| short(name)).collect();
        let allowed: BTreeSet<_> = allowed.iter().copied().collect();
        found.extend(named.difference(&allowed).map(|other| format!("{folder} must not depend on {other}")));
        found.extend(allowed.difference(&named).map(|other| format!("{folder} does not depend on {other} any more")));
        let python = PYTHON.iter().filter(|name| folder != BINDING && all.contains(**name));
        found.extend(python.map(|name| format!("{folder} must not depend on {name}")));
    }
    let unknown = crates.iter().filter(|(folder, _)| manifests.iter().all(|manifest| manifest.folder != *folder));
    found.extend(unknown.map(|(folder, _)| format!("{folder} is no crate")));
    found
}

/// The modules of the crate in `folder`.
fn modules_of(folder: &str) -> Modules {
    // The crate at the root has its sources in `src`.
    let sources = root().join(if folder.is_empty() { "src" } else { folder });
    modules(&|path| std::fs::read_to_string(sources.join(path)).ok())
}

#[test]
fn manifests_name_the_dependencies_of_the_table() {
    assert_eq!(wrong_dependencies(&workspace(), &CRATES), Vec::<String>::new());
}

#[test]
fn no_module_imports_itself_by_detours() {
    for (folder, _) in CRATES {
        assert_eq!(circles(&modules_of(folder)), Vec::<Vec<String>>::new(), "{folder}");
    }
}

#[test]
fn imports_inside_the_engine_point_downwards() {
    assert_eq!(upward(&modules_of("src/engine")), Vec::<String>::new());
}

#[test]
fn environments_name_no_threads() {
    for (folder, _) in CRATES.iter().filter(|(folder, _)| folder.starts_with("src/envs/")) {
        assert_eq!(naming(&modules_of(folder), &THREADS), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn every_crate_has_a_row_in_the_map_and_one_with_its_dependencies() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    for Manifest { name, folder, .. } in workspace() {
        let folder = if folder.is_empty() { "src".to_owned() } else { folder };
        let on_map = rows.iter().any(|row| row.len() > 1 && row[1].starts_with(&format!("`{folder}`")));
        assert!(on_map, "ARCHITECTURE.md: expected a row of the map for {folder}");
        let row = rows.iter().find(|row| row.len() > 5 && row[1] == format!("`{name}`") && row[2] == format!("`{folder}`"));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md: expected a row of the crates' table for {name}, {folder}"));
        let named: BTreeSet<_> = row[4].split('`').skip(1).step_by(2).collect();
        let (_, allowed) = CRATES.iter().find(|(known, _)| *known == folder || known.is_empty() && folder == "src").unwrap();
        assert_eq!(named, allowed.iter().copied().collect(), "ARCHITECTURE.md: dependencies of {name}");
    }
}

/// A crate made of a few files, to show that the checks see a violation.
fn made_up(files: &[(&str, &str)]) -> Modules {
    let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    modules(&|path| files.get(path).cloned())
}

#[test]
fn a_circle_is_seen_through_braces_paths_and_inline_modules() {
    for (a, b) in [
        ("use crate::{pool::{b::B}};", "use super::a::A;"),
        ("fn f() { let _ = crate::pool::b::B; }", "mod inner { use super::super::a::A; }"),
        ("macro_rules! m { () => { $crate::pool::b::g() } }", "vec![super::a::A];"),
    ] {
        let modules = made_up(&[("lib.rs", "mod pool;"), ("pool/mod.rs", "mod a; mod b;"), ("pool/a.rs", a), ("pool/b.rs", b)]);
        assert_eq!(circles(&modules), [["pool::a", "pool::b"]], "{a} {b}");
    }
}

#[test]
fn an_arrow_upwards_is_seen() {
    let files = |contract: &str, other: &str| {
        let root = ("lib.rs", "mod contract; mod pool; pub use pool::Pool;");
        upward(&made_up(&[root, ("contract.rs", contract), ("pool.rs", other)]))
    };
    assert_eq!(files("", "use crate::contract::Env;"), Vec::<String>::new());
    assert_eq!(files("use super::pool::P;", ""), ["contract must not know pool"]);
    assert_eq!(files("use crate::Pool;", ""), ["contract must not know pool"]);
    assert_eq!(files("use crate::Other;", ""), ["contract must not know the crate's root"]);
    let stray = made_up(&[("lib.rs", "mod attic;"), ("attic.rs", "")]);
    assert_eq!(upward(&stray), ["attic lies in no layer"]);
}

#[test]
fn code_for_tests_comments_and_texts_do_not_count() {
    let contract = r#"
        //! See crate::pool.
        #[cfg(test)]
        use crate::pool::P;
        #[cfg(test)]
        mod tests { use crate::pool::P; }
        const TEXT: &str = "use crate::pool::P;";
        fn f() {}
    "#;
    let files =
        |contract: &str| upward(&made_up(&[("lib.rs", "mod contract; mod pool;"), ("contract.rs", contract), ("pool.rs", "")]));
    assert_eq!(files(contract), Vec::<String>::new());
    let after = "#[cfg(test)]\nmod tests { use crate::pool::P; }\nuse crate::pool::P;";
    assert_eq!(files(after), ["contract must not know pool"]);
}

#[test]
fn names_of_threads_are_seen() {
    assert!(!naming(&modules_of("src/engine"), &THREADS).is_empty());
    assert_eq!(naming(&made_up(&[("lib.rs", "use std::sync::Mutex;")]), &["Mutex"]), ["the crate's root names Mutex"]);
}

#[test]
fn a_dependency_that_the_table_lacks_is_seen_and_one_that_it_has_in_vain() {
    let package = |folder: &str, names: &[(&str, Option<&str>)]| {
        let dependencies: Vec<_> = names.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
        json!({ "name": "envpool_rs_x", "manifest_path": format!("/ws/{folder}/Cargo.toml"), "dependencies": dependencies })
    };
    let wrong = |packages: &[Value]| {
        let crates: [(&str, &[&str]); 2] = [("src/engine", &["numeric"]), (BINDING, &[])];
        wrong_dependencies(&manifests(&json!({ "packages": packages }), Path::new("/ws")), &crates)
    };
    let engine = package("src/engine", &[("envpool_rs_numeric", None), ("envpool_rs_pictures", Some("dev")), ("libc", None)]);
    let binding = package(BINDING, &[("pyo3", None)]);
    assert_eq!(wrong(&[engine.clone(), binding.clone()]), Vec::<String>::new());
    assert_eq!(wrong(&[package("src/engine", &[]), binding.clone()]), ["src/engine does not depend on numeric any more"]);
    let more = package("src/engine", &[("envpool_rs_numeric", None), ("envpool_rs", None), ("numpy", Some("dev"))]);
    assert_eq!(
        wrong(&[more, binding.clone()]),
        ["src/engine must not depend on envpool_rs", "src/engine must not depend on numpy"]
    );
    assert_eq!(wrong(&[engine.clone()]), [format!("{BINDING} is no crate")]);
    assert_eq!(wrong(&[engine, binding, package("src/attic", &[])]), ["src/attic has no line in the table"]);
}
