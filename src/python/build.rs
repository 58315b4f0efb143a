//! Copies the C interface of plugins into the folder from which maturin adds it to the wheel (`include` in pyproject.toml), and
//! sets `Py_GIL_DISABLED` if the interpreter is a free-threaded build.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    pyo3_build_config::use_pyo3_cfgs();
    let header = Path::new("../plugin/include/envpool_rs.h");
    println!("cargo::rerun-if-changed={}", header.display());
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::copy(header, Path::new(&folder).join("envpool_rs.h"))?;
    Ok(())
}
