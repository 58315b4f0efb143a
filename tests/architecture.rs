//! Who may know whom: the engine knows no environment, environments know no threads, and only the binding knows Python.

use std::path::{Path, PathBuf};

/// All Rust files below `folder`.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "{folder} holds no sources");
    found
}

/// A line's code: what precedes a comment. (A `//` inside a string ends it too, which only makes the check laxer there.)
fn code(line: &str) -> &str {
    line.split("//").next().unwrap()
}

/// The lines of `folder` in whose code one of `words` stands as a word.
fn mentions(folder: &str, words: &[&str]) -> Vec<String> {
    let is_word = |word: &&str, line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|token| token == *word)
            || (word.contains("::") && line.contains(*word))
    };
    let in_file = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| words.iter().any(|word| is_word(word, code(line))));
        lines.map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1)).collect::<Vec<_>>()
    };
    sources(folder).into_iter().flat_map(in_file).collect()
}

fn assert_never_mentions(folder: &str, words: &[&str]) {
    let found = mentions(folder, words);
    assert!(found.is_empty(), "{folder} must not name any of {words:?}:\n{}", found.join("\n"));
}

#[test]
fn the_engine_knows_neither_environments_nor_simulators() {
    assert_never_mentions("src/engine", &["crate::envs", "crate::sim", "crate::python", "super::super::envs"]);
}

#[test]
fn only_the_binding_names_python() {
    for folder in ["src/engine", "src/envs", "src/random", "src/math", "src/sim", "src/transport", "src/xla"] {
        assert_never_mentions(folder, &["pyo3", "numpy", "PyObject", "Python"]);
    }
}

#[test]
fn environments_know_no_threads() {
    // Sleeping, as `testing/scripted.rs` does, is no more than being slow.
    let words = [
        "std::thread::spawn",
        "thread::Builder",
        "std::thread::scope",
        "std::sync",
        "Mutex",
        "RwLock",
        "Atomic",
        "AtomicU32",
        "AtomicUsize",
        "crossbeam_queue",
        "rayon",
    ];
    assert_never_mentions("src/envs", &words);
}

#[test]
fn random_streams_and_mathematics_know_neither_engine_nor_environments() {
    assert_never_mentions("src/random", &["crate::engine", "crate::envs", "crate::math"]);
    assert_never_mentions("src/math", &["crate::engine", "crate::envs"]);
}

#[test]
fn simulators_know_neither_engine_nor_environments() {
    assert_never_mentions("src/sim", &["crate::engine", "crate::envs", "crate::python", "crate::transport"]);
}

#[test]
fn the_transport_knows_nothing_of_what_it_carries() {
    assert_never_mentions("src/transport", &["crate::engine", "crate::envs", "crate::random", "crate::math"]);
}

#[test]
fn programs_of_xla_know_the_engine_alone() {
    let tests = "src/xla/tests.rs"; // which play real environments
    let found = mentions("src/xla", &["crate::envs", "crate::sim", "crate::random", "crate::math", "crate::transport"]);
    let found: Vec<_> = found.into_iter().filter(|line| !line.contains(tests)).collect();
    assert!(found.is_empty(), "src/xla must know no more than the engine:\n{}", found.join("\n"));
}

#[test]
fn nobody_but_the_binding_knows_programs_of_xla() {
    for folder in ["src/engine", "src/envs", "src/random", "src/math", "src/sim", "src/transport"] {
        assert_never_mentions(folder, &["crate::xla"]);
    }
}

#[test]
fn the_check_itself_finds_what_is_there() {
    assert!(!mentions("src/python", &["pyo3"]).is_empty());
    assert!(!mentions("src/envs", &["crate::engine"]).is_empty());
}
