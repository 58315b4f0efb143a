//! Tests the layers of the code: dependencies between crates, and imports between the modules of a crate.
//!
//! The compiler rejects an import of a crate that the manifest does not name. So these tests compare the manifests with a table.
//! For the modules inside a crate, they read the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

#[path = "support/modules.rs"]
mod modules;

use modules::{Modules, arrows, circles, modules, naming, shown};

/// Folder of every crate, and the workspace crates in its `[dependencies]`, without the prefix `envpool_rs_`.
///
/// A new dependency must be added to this table and to ARCHITECTURE.md, so that it is not added by accident.
const CRATES: [(&str, &[&str]); 24] = [
    ("src/sync", &[]),
    ("src/numeric", &["sync"]),
    ("src/transport", &["sync"]),
    ("src/engine", &["numeric", "sync"]),
    ("src/pictures", &["engine", "numeric"]),
    ("src/sim/atari", &["numeric", "sync"]),
    ("src/sim/box2d", &["numeric"]),
    ("src/sim/crafter", &["numeric", "sync"]),
    ("src/sim/grid_world", &["numeric"]),
    ("src/sim/mujoco", &["numeric", "sync"]),
    ("src/sim/procgen", &["numeric"]),
    ("src/sim/vizdoom", &[]),
    ("src/envs/atari", &["engine", "numeric", "pictures", "sim_atari"]),
    ("src/envs/box2d", &["engine", "numeric", "pictures", "sim_box2d"]),
    ("src/envs/classic", &["engine", "numeric", "pictures"]),
    ("src/envs/crafter", &["engine", "numeric", "sim_crafter"]),
    ("src/envs/minigrid", &["engine", "numeric", "sim_grid_world"]),
    ("src/envs/mujoco", &["engine", "numeric", "sim_mujoco"]),
    ("src/envs/procgen", &["engine", "numeric", "sim_procgen"]),
    ("src/envs/vizdoom", &["engine", "numeric", "pictures", "sim_vizdoom"]),
    ("src/interop", &["engine", "sync", "transport"]),
    ("src/plugin", &["engine", "numeric", "sync"]),
    (
        ".",
        &[
            "engine",
            "envs_atari",
            "envs_box2d",
            "envs_classic",
            "envs_crafter",
            "envs_minigrid",
            "envs_mujoco",
            "envs_procgen",
            "envs_vizdoom",
            "interop",
            "numeric",
            "pictures",
            "plugin",
            "sim_atari",
            "sim_box2d",
            "sim_crafter",
            "sim_grid_world",
            "sim_mujoco",
            "sim_procgen",
            "sim_vizdoom",
            "transport",
        ],
    ),
    ("src/python", &["engine", "envpool_rs", "interop", "numeric", "plugin", "sim_mujoco", "sync", "transport"]),
];

/// Layers of the engine crate from bottom to top. Each layer may import only from the layers that precede it in this list.
const ENGINE: [&str; 7] = ["contract", "threads", "results", "exec", "backend", "tasks", "pool"];

/// Names of types, functions and crates for threads and shared data, which code without threads must not use. Sleeping is not in
/// the list, because a test environment sleeps on purpose.
const THREADS: [&str; 11] =
    ["spawn", "scope", "sync", "Mutex", "RwLock", "Condvar", "Atomic", "AtomicU32", "AtomicUsize", "crossbeam_queue", "rayon"];

/// Folder of the extension module's crate. Only this crate may depend on the crates for Python that `PYTHON` lists.
const BINDING: &str = "src/python";
const PYTHON: [&str; 3] = ["numpy", "pyo3", "pyo3-ffi"];

/// Finds the engine's modules that import from a higher layer or belong to no layer.
fn upward_imports(modules: &Modules) -> Vec<String> {
    let layer = |module: &[String]| ENGINE.iter().position(|layer| module.first().is_some_and(|name| name == layer));
    let mut found = Vec::new();
    for (module, others) in arrows(modules) {
        if module.is_empty() {
            continue; // The crate root `lib.rs` may import from all layers, because it re-exports them.
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

/// Data of a workspace crate's manifest.
struct Manifest {
    name: String,
    /// Folder of the crate, relative to the repository's root.
    folder: String,
    /// Crates in `[dependencies]`, including those that are only for some operating systems.
    normal: BTreeSet<String>,
    /// Crates in any of the manifest's dependency tables.
    all: BTreeSet<String>,
}

/// Parses the output of `cargo metadata` for the crates below `root`.
fn manifests(metadata: &Value, root: &Path) -> Vec<Manifest> {
    let text = |value: &Value| value.as_str().expect("cargo metadata has a text here").to_owned();
    let packages = metadata["packages"].as_array().expect("cargo metadata lists packages").iter();
    let read = packages.map(|package| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root).ok()).expect("members lie in the workspace");
        let folder = folder.to_str().expect("folders have plain names").replace('\\', "/");
        let dependencies = package["dependencies"].as_array().expect("cargo metadata lists dependencies");
        Manifest {
            name: text(&package["name"]),
            folder: if folder.is_empty() { ".".to_owned() } else { folder },
            normal: dependencies.iter().filter(|one| one["kind"].is_null()).map(|one| text(&one["name"])).collect(),
            all: dependencies.iter().map(|one| text(&one["name"])).collect(),
        }
    });
    read.collect()
}

/// Returns the folder of the repository's root.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the manifests of all crates of this repository.
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

/// Returns a crate's name without the prefix `envpool_rs_`; `None` for crates outside of the workspace.
fn short_name(name: &str) -> Option<&str> {
    if name == "envpool_rs" { Some(name) } else { name.strip_prefix("envpool_rs_") }
}

/// Finds differences between the manifests and the table `crates`. Also finds crates other than the extension module that depend
/// on crates for Python.
fn wrong_dependencies(manifests: &[Manifest], crates: &[(&str, &[&str])]) -> Vec<String> {
    let mut found = Vec::new();
    for Manifest { folder, normal, all, .. } in manifests {
        let Some((_, allowed)) = crates.iter().find(|(known, _)| known == folder) else {
            found.push(format!("{folder} has no line in the table"));
            continue;
        };
        let named: BTreeSet<_> = normal.iter().filter_map(|name| short_name(name)).collect();
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

/// Returns the modules of the crate in `folder`.
fn modules_of(folder: &str) -> Modules {
    // The crate at the repository's root has its sources in the folder `src`.
    let sources = root().join(if folder == "." { "src" } else { folder });
    modules(&|path| std::fs::read_to_string(sources.join(path)).ok())
}

#[test]
fn manifests_name_the_dependencies_of_the_table() {
    assert_eq!(wrong_dependencies(&workspace(), &CRATES), Vec::<String>::new());
}

#[test]
fn no_module_imports_itself_indirectly() {
    let found: Vec<_> = CRATES
        .iter()
        .map(|(folder, _)| (*folder, circles(&modules_of(folder))))
        .filter(|(_, circles)| !circles.is_empty())
        .collect();
    assert_eq!(found, []);
}

#[test]
fn imports_inside_the_engine_point_downwards() {
    assert_eq!(upward_imports(&modules_of("src/engine")), Vec::<String>::new());
}

#[test]
fn environments_name_no_threads() {
    for (folder, _) in CRATES.iter().filter(|(folder, _)| folder.starts_with("src/envs/")) {
        assert_eq!(naming(&modules_of(folder), &THREADS), Vec::<String>::new(), "{folder}");
    }
}

#[test]
fn every_crate_has_a_row_in_the_table_with_its_dependencies() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    for Manifest { name, folder, normal, .. } in workspace() {
        let beginning = [format!("`{name}`"), format!("`{folder}`")];
        let row = rows.iter().find(|row| row.len() > 4 && row[1..3] == beginning);
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md: expected a row that begins with {beginning:?}"));
        let documented: BTreeSet<_> = row[4].split('`').skip(1).step_by(2).collect();
        assert_eq!(
            documented,
            normal.iter().filter_map(|name| short_name(name)).collect(),
            "ARCHITECTURE.md: dependencies of {name}"
        );
    }
}

/// Creates a crate from a few source texts. Tests use it to show that the checks find violations.
fn synthetic_crate(files: &[(&str, &str)]) -> Modules {
    let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    modules(&|path| files.get(path).cloned())
}

#[test]
fn cycles_through_braces_paths_and_inline_modules_are_detected() {
    for (a, b) in [
        ("use crate::{pool::{b::B}};", "use super::a::A;"),
        ("fn f() { let _ = crate::pool::b::B; }", "mod inner { use super::super::a::A; }"),
        ("macro_rules! m { () => { $crate::pool::b::g() } }", "vec![super::a::A];"),
    ] {
        let modules =
            synthetic_crate(&[("lib.rs", "mod pool;"), ("pool/mod.rs", "mod a; mod b;"), ("pool/a.rs", a), ("pool/b.rs", b)]);
        assert_eq!(circles(&modules), [["pool::a", "pool::b"]], "{a} {b}");
    }
}

#[test]
fn a_module_split_into_files_is_not_a_cycle() {
    let files = |a: &str, b: &str| {
        let split = ("pool/mod.rs", "mod a; mod b; use self::a::A; use self::b::B;");
        circles(&synthetic_crate(&[
            ("lib.rs", "mod pool; mod other;"),
            split,
            ("pool/a.rs", a),
            ("pool/b.rs", b),
            ("other.rs", "use crate::pool::P;"),
        ]))
    };
    assert_eq!(files("use super::P;", "use super::P;"), Vec::<Vec<String>>::new());
    assert_eq!(files("use crate::other::O;", ""), [["other", "pool", "pool::a"]]);
}

#[test]
fn an_upward_import_is_detected() {
    let files = |contract: &str, other: &str| {
        let root = ("lib.rs", "mod contract; mod pool; pub use pool::Pool;");
        upward_imports(&synthetic_crate(&[root, ("contract.rs", contract), ("pool.rs", other)]))
    };
    assert_eq!(files("", "use crate::contract::Env;"), Vec::<String>::new());
    assert_eq!(files("use super::pool::P;", ""), ["contract must not know pool"]);
    assert_eq!(files("use crate::Pool;", ""), ["contract must not know pool"]);
    assert_eq!(files("use crate::Other;", ""), ["contract must not know the crate's root"]);
    let stray = synthetic_crate(&[("lib.rs", "mod attic;"), ("attic.rs", "")]);
    assert_eq!(upward_imports(&stray), ["attic lies in no layer"]);
}

#[test]
fn test_code_comments_and_strings_are_ignored() {
    let contract = r#"
        //! See crate::pool.
        #[cfg(test)]
        use crate::pool::P;
        #[cfg(test)]
        mod tests { use crate::pool::P; }
        const TEXT: &str = "use crate::pool::P;";
        fn f() {}
    "#;
    let files = |contract: &str| {
        upward_imports(&synthetic_crate(&[("lib.rs", "mod contract; mod pool;"), ("contract.rs", contract), ("pool.rs", "")]))
    };
    assert_eq!(files(contract), Vec::<String>::new());
    let after = "#[cfg(test)]\nmod tests { use crate::pool::P; }\nuse crate::pool::P;";
    assert_eq!(files(after), ["contract must not know pool"]);
}

#[test]
fn names_of_threads_are_detected() {
    assert!(!naming(&modules_of("src/engine"), &THREADS).is_empty());
    assert_eq!(naming(&synthetic_crate(&[("lib.rs", "use std::sync::Mutex;")]), &["Mutex"]), ["the crate's root names Mutex"]);
}

#[test]
fn missing_and_superfluous_dependencies_of_the_table_are_detected() {
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
    assert_eq!(wrong(std::slice::from_ref(&engine)), [format!("{BINDING} is no crate")]);
    assert_eq!(wrong(&[engine, binding, package("src/attic", &[])]), ["src/attic has no line in the table"]);
}
