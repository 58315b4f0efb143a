//! Where ViZDoom's files lie: in Python's package `vizdoom`, in EnvPool's assets, or where the user says. None of them comes with this
//! crate.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use envpool_rs_engine::{Error, OptionSpec, Options, Result, Store};
use envpool_rs_sim_vizdoom::{
    config::Config,
    wad::{Palette, Wad},
};

/// Options of all tasks.
pub fn options() -> Vec<OptionSpec> {
    vec![
        OptionSpec::place("vizdoom_dir", "folder of Python's package vizdoom; the installed one"),
        OptionSpec::new("engine_timeout", 60.0, "seconds after which an engine that does not answer is given up")
            .numbers(0.1..=86_400.0),
        OptionSpec::new(
            "restart",
            false,
            "an engine that is lost is started anew, and its episode truncated, instead of an error",
        ),
        OptionSpec::new(
            "fast_palette_copy",
            false,
            "a shorter loop is put into the running engine's memory: the same pictures, faster",
        ),
    ]
}

/// What the options of all tasks say.
#[derive(Debug, Clone)]
pub struct Places {
    folder: Option<PathBuf>,
    assets: Option<PathBuf>,
    /// How long an engine may take to answer.
    pub patience: Duration,
    /// Whether an engine that was lost is replaced.
    pub restarts: bool,
    /// Whether the engine's loop is replaced.
    pub copies_faster: bool,
}

/// A file that is not there, by the option that names it.
pub fn missing(option: &str, got: impl Display, what: impl Display) -> Error {
    Error::NotFound(format!("{option}={got}: expected {what}"))
}

impl Places {
    /// From the options.
    ///
    /// # Errors
    /// `Value` for a folder without a name.
    pub fn new(options: &Options) -> Result<Self> {
        let place = |name: &str| match options.find(name).and_then(|_| options.text(name)) {
            Some("") => Err(Error::value(name, "\"\"", "a folder, or None for the installed one")),
            text => Ok(text.map(PathBuf::from)),
        };
        Ok(Self {
            folder: place("vizdoom_dir")?,
            assets: place("assets_dir")?,
            patience: Duration::from_secs_f64(options.float("engine_timeout")),
            restarts: options.bool("restart"),
            copies_faster: options.bool("fast_palette_copy"),
        })
    }

    /// A file of Python's package.
    fn of_package(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(name))
    }

    /// A file of EnvPool's assets, given by its path there.
    fn of_assets(&self, name: &str) -> Option<PathBuf> {
        self.assets.as_ref().map(|assets| assets.join("vizdoom").join(name)).filter(|path| path.is_file())
    }

    /// A path that the user gave: relative ones lie in EnvPool's assets, as EnvPool has it, or else where the process is.
    pub fn given(&self, path: &str) -> PathBuf {
        let in_assets = self.assets.as_ref().map(|assets| assets.join(path));
        in_assets.filter(|path| path.exists()).unwrap_or_else(|| absolute(Path::new(path)))
    }

    fn shown(&self) -> String {
        self.folder.as_ref().map_or_else(|| "None".to_owned(), |folder| format!("{:?}", folder.display().to_string()))
    }

    /// The engine, `given` by the option `option` or the package's.
    ///
    /// # Errors
    /// `NotFound`, naming the option; `Value` for a file that cannot be run.
    pub fn engine(&self, option: &str, given: Option<&Path>) -> Result<PathBuf> {
        let path = match given {
            Some(path) => path.to_owned(),
            None => self.of_package("vizdoom").ok_or_else(|| {
                missing(
                    "vizdoom_dir",
                    "None",
                    "the folder of Python's package vizdoom, with the engine in it: pip install vizdoom",
                )
            })?,
        };
        let shown = path.display();
        if !path.is_file() {
            return match given {
                Some(_) => Err(missing(option, format_args!("{:?}", shown.to_string()), "the engine, a program of that name")),
                None => {
                    Err(missing("vizdoom_dir", self.shown(), format_args!("a folder with the engine in it: there is no {shown}")))
                }
            };
        }
        if !is_executable(&path) {
            return Err(Error::value(option, format_args!("{:?}", shown.to_string()), "a program that may be run"));
        }
        Ok(absolute(&path))
    }

    /// The game's file: `given` by the option `option`, EnvPool's where that is preferred, or the package's of that name.
    ///
    /// # Errors
    /// `NotFound`, naming the option; `Value` for what is no such file.
    pub fn game(&self, option: &str, given: Option<&Path>, prefers_assets: bool, name: &str) -> Result<PathBuf> {
        let of_assets = || self.of_assets(&format!("bin/{name}")).filter(|_| prefers_assets);
        let path = given.map(Path::to_owned).or_else(of_assets).or_else(|| self.of_package(name));
        self.wad(
            option,
            given.is_some(),
            path.ok_or_else(|| missing("vizdoom_dir", "None", format_args!("a folder with {name} in it")))?,
        )
    }

    /// A scenario's file.
    ///
    /// # Errors
    /// As [`game`](Self::game).
    pub fn scenario(&self, option: &str, path: &Path) -> Result<PathBuf> {
        self.wad(option, true, path.to_owned())
    }

    fn wad(&self, option: &str, is_given: bool, path: PathBuf) -> Result<PathBuf> {
        let shown = path.display().to_string();
        if !path.is_file() {
            return match is_given {
                true => Err(missing(option, format_args!("{shown:?}"), "a file of the game (.wad)")),
                false => Err(missing("vizdoom_dir", self.shown(), format_args!("a folder of vizdoom's: there is no {shown}"))),
            };
        }
        Wad::open(&path)
            .map_err(|error| Error::value(option, format_args!("{shown:?}"), format_args!("a file of the game ({error})")))?;
        Ok(absolute(&path))
    }

    /// A configuration that EnvPool or Python's package has for a scenario, and the scenario's file beside it.
    ///
    /// # Errors
    /// `NotFound` where neither has it, saying who would.
    pub fn named(&self, task: &str, name: &str, prefers_assets: bool) -> Result<(PathBuf, PathBuf)> {
        let file = |extension: &str| format!("{name}.{extension}");
        let of_assets = |extension: &str| self.of_assets(&format!("maps/{}", file(extension))).filter(|_| prefers_assets);
        if let (Some(config), Some(scenario)) = (of_assets("cfg"), of_assets("wad")) {
            return Ok((config, scenario));
        }
        let of_package = |extension: &str| self.of_package("scenarios").map(|folder| folder.join(file(extension)));
        if let (Some(config), Some(scenario)) = (of_package("cfg"), of_package("wad"))
            && config.is_file()
        {
            return Ok((config, scenario));
        }
        let assets = self.assets.as_ref().map_or_else(|| "None".to_owned(), |path| format!("{:?}", path.display().to_string()));
        if name.starts_with('D') {
            let expected =
                format!("EnvPool's assets, which alone have {name}.cfg and {name}.wad for {task}: pip install envpool-assets");
            return Err(missing("assets_dir", assets, expected));
        }
        Err(missing(
            "vizdoom_dir",
            self.shown(),
            format_args!("the folder of Python's package vizdoom, with scenarios/{name}.cfg: pip install vizdoom"),
        ))
    }

    /// The configuration file of that name in Python's package.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn config(&self, name: &str) -> Result<PathBuf> {
        let path = self.of_package("scenarios").map(|folder| folder.join(name)).filter(|path| path.is_file());
        path.ok_or_else(|| {
            missing(
                "vizdoom_dir",
                self.shown(),
                format_args!("the folder of Python's package vizdoom, with scenarios/{name}: pip install vizdoom"),
            )
        })
    }
}

/// Reads a configuration, once for all environments of a pool.
///
/// # Errors
/// `NotFound` where there is no such file, `Value` where it says what nobody knows; naming the option.
pub fn read_config(store: &Store, option: &str, path: &Path) -> Result<Config> {
    let shown = path.display().to_string();
    if !path.is_file() {
        return Err(missing(option, format_args!("{shown:?}"), "a configuration of ViZDoom's (.cfg)"));
    }
    let config = store.get_or_load(&format!("configuration {shown}"), || {
        Config::read(path).map(|config| (config, size_of::<Config>())).map_err(Error::Value)
    })?;
    Ok((*config).clone())
}

/// The palette of a game: its scenario's, if that has one.
///
/// # Errors
/// `Value` where there is none.
pub fn palette(store: &Store, game: &Path, scenario: Option<&Path>) -> Result<Palette> {
    let name = format!("palette of {} and {scenario:?}", game.display());
    let palette = store.get_or_load(&name, || {
        for path in scenario.into_iter().chain([game]) {
            let found = Wad::open(path).and_then(|mut wad| wad.palette());
            if let Some(palette) = found.map_err(|error| Error::Value(format!("{}: {error}", path.display())))? {
                return Ok((palette, size_of::<Palette>()));
            }
        }
        Err(Error::Value(format!("{}: it has no palette: expected a whole game (IWAD)", game.display())))
    })?;
    Ok(*palette)
}

/// Refuses a map that no file has.
///
/// # Errors
/// `Value`, naming the option and the maps that there are.
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

/// A path from the root: the engine runs elsewhere.
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
