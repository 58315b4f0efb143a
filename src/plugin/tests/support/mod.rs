//! Compiles C programs and libraries during tests.
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder inside of `target` into which fixtures are compiled.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
    std::fs::create_dir_all(&folder).expect("target can be written to");
    folder
}

/// Returns the C compiler: `CC`, or `cc`.
fn compiler() -> String {
    std::env::var("CC").unwrap_or_else(|_| "cc".to_owned())
}

/// Compiles `source` with these options into the file `name`.
///
/// # Panics
/// If there is no C compiler, or if the compiler reports an error or a warning.
fn compile(name: &str, source: &Path, options: &[&str]) -> PathBuf {
    let target = folder().join(name);
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    // Tests run in parallel, in several processes. So the file is written under another name and then renamed.
    let unfinished = folder().join(format!("{name}.{}.{:?}", std::process::id(), std::thread::current().id()));
    let output = Command::new(compiler())
        .args(["-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-I"])
        .arg(include)
        .args(options)
        .arg(source)
        .arg("-o")
        .arg(&unfinished)
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| panic!("CC={}: expected a C compiler, which these tests need ({error})", compiler()));
    assert!(output.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&unfinished, &target).expect("target can be written to");
    target
}

/// Writes a C program, runs it and returns its output.
pub fn run_c(name: &str, program: &str) -> String {
    let source = folder().join(format!("{name}.c"));
    std::fs::write(&source, program).expect("target can be written to");
    let output = Command::new(compile(name, &source, &[])).output().expect("the program runs");
    assert!(output.status.success(), "{name} failed");
    String::from_utf8(output.stdout).expect("the program prints ASCII")
}

/// Compiles the fixture `fixtures/{source}.c` to a shared library with these options, and returns its path.
pub fn library(source: &str, name: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(format!("{source}.c"));
    compile(&format!("{name}.so"), &source, &[&["-fPIC", "-shared"], options].concat())
}

/// Compiles the C source `text` to a shared library, and returns its path.
pub fn library_of(name: &str, text: &str) -> PathBuf {
    let source = folder().join(format!("{name}_library.c"));
    std::fs::write(&source, text).expect("target can be written to");
    compile(&format!("{name}.so"), &source, &["-fPIC", "-shared"])
}
