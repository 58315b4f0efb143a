//! Finds ViZDoom's files: in the Python package `vizdoom`, in EnvPool's assets, or at the user's paths. This crate contains none
//! of these files.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use envpool_rs_engine::{AssetCache, Error, OptionSpec, Options, Result};
use envpool_rs_sim_vizdoom::{
    config::Config,
    wad::{Palette, Wad},
};

/// Returns the specifications of the options that all ViZDoom tasks share.
pub fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::path("vizdoom_dir", "folder of the Python package vizdoom; default: the installed one"),
        OptionSpec::new("engine_timeout", 60.0, "seconds after which an engine that does not reply is killed")
            .numbers(0.1..=86_400.0),
        OptionSpec::new("restart", false, "restart a lost engine and truncate its episode instead of raising an error"),
    ]
}

/// Values of the options that all ViZDoom tasks share.
#[derive(Debug, Clone)]
pub struct AssetPaths {
    vizdoom_dir: Option<PathBuf>,
    assets_dir: Option<PathBuf>,
    /// Time within which an engine process must reply to a request.
    pub engine_timeout: Duration,
    /// Whether a failed engine process is restarted automatically.
    pub restart: bool,
}

/// Creates the error for a missing file; its message names the option that sets the file.
pub fn not_found(option: &str, got: impl Display, what: impl Display) -> Error {
    Error::NotFound(format!("{option}={got}: expected {what}"))
}

impl AssetPaths {
    /// Reads the options that all ViZDoom tasks share.
    ///
    /// # Errors
    /// `Value` for an empty folder name.
    pub fn new(options: &Options) -> Result<Self> {
        let folder = |name: &str| match options.find(name).and_then(|_| options.text(name)) {
            Some("") => Err(Error::value(name, "\"\"", "a folder, or None for the installed one")),
            text => Ok(text.map(PathBuf::from)),
        };
        Ok(Self {
            vizdoom_dir: folder("vizdoom_dir")?,
            assets_dir: folder("assets_dir")?,
            engine_timeout: Duration::from_secs_f64(options.float("engine_timeout")),
            restart: options.bool("restart"),
        })
    }

    /// Returns the path that the file `name` has in the Python package `vizdoom`; `None` if the package's folder is not known.
    fn in_package(&self, name: &str) -> Option<PathBuf> {
        self.vizdoom_dir.as_ref().map(|folder| folder.join(name))
    }

    /// Returns the path of the file `name` in EnvPool's assets; `None` if the file does not exist.
    fn in_assets(&self, name: &str) -> Option<PathBuf> {
        self.assets_dir.as_ref().map(|assets| assets.join("vizdoom").join(name)).filter(|path| path.is_file())
    }

    /// Returns the resolved form of a path from an option. As in EnvPool, the path is relative to EnvPool's assets if the file
    /// exists there, and otherwise to the working directory.
    pub fn resolve(&self, path: &str) -> PathBuf {
        let in_assets = self.assets_dir.as_ref().map(|assets| assets.join(path));
        in_assets.filter(|path| path.exists()).unwrap_or_else(|| absolute(Path::new(path)))
    }

    fn quoted_vizdoom_dir(&self) -> String {
        self.vizdoom_dir.as_ref().map_or_else(|| "None".to_owned(), |folder| format!("{:?}", folder.display().to_string()))
    }

    /// Returns the path of the engine's program: the path `given`, which the user set with the option `option`, or otherwise
    /// the program in the package `vizdoom`.
    ///
    /// # Errors
    /// `NotFound` error that names the option; `Value` if the file is not executable.
    pub fn engine(&self, option: &str, given: Option<&Path>) -> Result<PathBuf> {
        let path = match given {
            Some(path) => path.to_owned(),
            None => self.in_package("vizdoom").ok_or_else(|| {
                not_found(
                    "vizdoom_dir",
                    "None",
                    "the folder of the Python package vizdoom, with the engine; run pip install vizdoom",
                )
            })?,
        };
        let path_text = path.display();
        if !path.is_file() {
            return match given {
                Some(_) => Err(not_found(
                    option,
                    format_args!("{:?}", path_text.to_string()),
                    "the path of the engine, an existing program",
                )),
                None => Err(not_found(
                    "vizdoom_dir",
                    self.quoted_vizdoom_dir(),
                    format_args!("a folder with the engine: {path_text} does not exist"),
                )),
            };
        }
        if !is_executable(&path) {
            return Err(Error::value(option, format_args!("{:?}", path_text.to_string()), "an executable program"));
        }
        Ok(absolute(&path))
    }

    /// Returns the path of the game file (IWAD). This is the path `given`, which the user set with the option `option`; else
    /// the file in EnvPool's assets if `prefers_assets` is set; else the file in the package `vizdoom`.
    ///
    /// # Errors
    /// `NotFound` error that names the option; `Value` if the file is not a `.wad` file.
    pub fn game(&self, option: &str, given: Option<&Path>, prefers_assets: bool, name: &str) -> Result<PathBuf> {
        let of_assets = || self.in_assets(&format!("bin/{name}")).filter(|_| prefers_assets);
        let path = given.map(Path::to_owned).or_else(of_assets).or_else(|| self.in_package(name));
        self.wad(
            option,
            given.is_some(),
            path.ok_or_else(|| not_found("vizdoom_dir", "None", format_args!("a folder with {name} in it")))?,
        )
    }

    /// Returns the path of the scenario file (`.wad`) that the user set with the option `option`, after checking that the file
    /// exists.
    ///
    /// # Errors
    /// `NotFound` error that names the option; `Value` if the file is not a `.wad` file.
    pub fn scenario(&self, option: &str, path: &Path) -> Result<PathBuf> {
        self.wad(option, true, path.to_owned())
    }

    fn wad(&self, option: &str, is_given: bool, path: PathBuf) -> Result<PathBuf> {
        let path_text = path.display().to_string();
        if !path.is_file() {
            return match is_given {
                true => Err(not_found(option, format_args!("{path_text:?}"), "an existing .wad file")),
                false => Err(not_found(
                    "vizdoom_dir",
                    self.quoted_vizdoom_dir(),
                    format_args!("the folder of the Python package vizdoom: {path_text} does not exist"),
                )),
            };
        }
        Wad::open(&path)
            .map_err(|error| Error::value(option, format_args!("{path_text:?}"), format_args!("a .wad file ({error})")))?;
        Ok(absolute(&path))
    }

    /// Returns the configuration and the `.wad` file of a scenario, from EnvPool's assets or the Python package.
    ///
    /// # Errors
    /// `NotFound` error that names the package to install.
    pub fn scenario_files(&self, task: &str, name: &str, prefers_assets: bool) -> Result<(PathBuf, PathBuf)> {
        let file = |extension: &str| format!("{name}.{extension}");
        let of_assets = |extension: &str| self.in_assets(&format!("maps/{}", file(extension))).filter(|_| prefers_assets);
        if let (Some(config), Some(scenario)) = (of_assets("cfg"), of_assets("wad")) {
            return Ok((config, scenario));
        }
        let of_package = |extension: &str| self.in_package("scenarios").map(|folder| folder.join(file(extension)));
        if let (Some(config), Some(scenario)) = (of_package("cfg"), of_package("wad"))
            && config.is_file()
        {
            return Ok((config, scenario));
        }
        let assets =
            self.assets_dir.as_ref().map_or_else(|| "None".to_owned(), |path| format!("{:?}", path.display().to_string()));
        if name.starts_with('D') {
            let expected = format!(
                "EnvPool's assets, the only source of {name}.cfg and {name}.wad for {task}; run pip install envpool-assets"
            );
            return Err(not_found("assets_dir", assets, expected));
        }
        Err(not_found(
            "vizdoom_dir",
            self.quoted_vizdoom_dir(),
            format_args!("the folder of the Python package vizdoom, with scenarios/{name}.cfg; run pip install vizdoom"),
        ))
    }

    /// Returns a configuration file of the Python package.
    ///
    /// # Errors
    /// `NotFound` if the package does not have the file.
    pub fn config(&self, name: &str) -> Result<PathBuf> {
        let path = self.in_package("scenarios").map(|folder| folder.join(name)).filter(|path| path.is_file());
        path.ok_or_else(|| {
            not_found(
                "vizdoom_dir",
                self.quoted_vizdoom_dir(),
                format_args!("the folder of the Python package vizdoom, with scenarios/{name}; run pip install vizdoom"),
            )
        })
    }
}

/// Reads the configuration file `path`, or returns the copy in `store` if another environment of the pool has read it.
///
/// # Errors
/// `NotFound` error that names the option if the file does not exist; `Value` for invalid lines.
pub fn read_config(store: &AssetCache, option: &str, path: &Path) -> Result<Config> {
    let path_text = path.display().to_string();
    if !path.is_file() {
        return Err(not_found(option, format_args!("{path_text:?}"), "an existing ViZDoom configuration (.cfg)"));
    }
    let config = store.get_or_load(&format!("configuration {path_text}"), || {
        Config::read(path).map(|config| (config, size_of::<Config>())).map_err(Error::Value)
    })?;
    Ok((*config).clone())
}

/// Returns the palette of a game: the scenario's palette if it has one, otherwise the game file's.
///
/// # Errors
/// `Value` if neither file has a palette.
pub fn palette(store: &AssetCache, game: &Path, scenario: Option<&Path>) -> Result<Palette> {
    let name = format!("palette of {} and {scenario:?}", game.display());
    let palette = store.get_or_load(&name, || {
        for path in scenario.into_iter().chain([game]) {
            let found = Wad::open(path).and_then(|mut wad| wad.palette());
            if let Some(palette) = found.map_err(|error| Error::Value(format!("{}: {error}", path.display())))? {
                return Ok((palette, size_of::<Palette>()));
            }
        }
        Err(Error::Value(format!("{}: it has no palette; expected a complete game file (IWAD)", game.display())))
    })?;
    Ok(*palette)
}

/// Checks that the scenario or the game file contains the map `map`.
///
/// # Errors
/// `Value` error that names the option and the existing maps.
pub fn check_map(option: &str, map: &str, game: &Path, scenario: Option<&Path>) -> Result<()> {
    let mut all = Vec::new();
    for path in scenario.into_iter().chain([game]) {
        let wad = Wad::open(path).map_err(|error| Error::Value(format!("{}: {error}", path.display())))?;
        if wad.has_map(map) {
            return Ok(());
        }
        all.extend(wad.maps().into_iter().map(str::to_owned));
    }
    all.sort();
    all.dedup();
    Err(Error::value(option, format_args!("{map:?}"), format_args!("one of {}", all.join(", "))))
}

/// Returns the absolute form of a path, which the engine needs, because it runs in a different working directory.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}
