//! Cartridge images, which are recognised by the MD5 digests of the known games.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use super::games::Game;
use super::input::Controllers;
use super::machine::Machine;
use super::recompiler::{CodeCache, MAX_CODE_BYTES};
use super::rom_image::RomImage;
use super::start_states::StartStates;
use envpool_rs_sync::{ForkMutex, fork};

/// Maximum number of bytes that are read from a file to compute its digest. Without this limit, an endless or huge file would
/// fill memory.
const MAX_FILE_SIZE: u64 = 1 << 24;

/// Cartridge image, with the game that it belongs to.
#[derive(Clone, Debug)]
pub struct Rom {
    game: &'static Game,
    image: Arc<RomImage>,
    start_states: Arc<StartStates>,
    /// Code cache with the compiled program, or the reason why the host does not support compiled code.
    code_cache: Arc<OnceLock<Result<Arc<CodeCache>, String>>>,
}

/// Reason why a cartridge image is rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RomError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = .path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The image does not belong to the requested game.
    #[error("{origin}: not {name}: its MD5 is {found:032x}, expected {expected:032x}")]
    WrongGame {
        /// Origin of the rejected image, such as its path.
        origin: String,
        /// Name of the requested game.
        name: &'static str,
        /// MD5 digest of the rejected image, as a big-endian number.
        found: u128,
        /// MD5 digest of the requested game's image, as a big-endian number.
        expected: u128,
    },
    /// The image belongs to no known game.
    #[error("{origin}: no game that is known has the MD5 {found:032x}")]
    Unknown {
        /// Origin of the rejected image, such as its path.
        origin: String,
        /// MD5 digest of the rejected image, as a big-endian number.
        found: u128,
    },
}

impl Rom {
    /// Recognises the image of a known game.
    ///
    /// # Errors
    /// [`RomError::Unknown`] if the digest is not that of a known game; `origin` names the image in the message.
    pub fn new(origin: &str, image: &[u8]) -> Result<Self, RomError> {
        let found = digest(image);
        let game = Game::with_digest(found).ok_or_else(|| RomError::Unknown { origin: origin.to_owned(), found })?;
        Ok(Self::padded(game, image))
    }

    /// Checks that an image belongs to the given game.
    ///
    /// # Errors
    /// [`RomError::WrongGame`] if the image belongs to another game or is damaged.
    pub fn of_game(game: &'static Game, origin: &str, image: &[u8]) -> Result<Self, RomError> {
        let found = digest(image);
        if found != game.md5 || image.len() != game.size {
            return Err(RomError::WrongGame { origin: origin.to_owned(), name: game.name, found, expected: game.md5 });
        }
        Ok(Self::padded(game, image))
    }

    /// Reads an image from a file.
    ///
    /// # Errors
    /// [`RomError::Unreadable`] if the file cannot be read; [`RomError::Unknown`] if its digest is not that of a known game.
    pub fn read(path: &Path) -> Result<Self, RomError> {
        let unreadable = |source| RomError::Unreadable { path: path.to_owned(), source };
        Self::new(&path.display().to_string(), &contents(path).map_err(unreadable)?)
    }

    /// Reads the image of the given game from a file. All consoles of the game in the process share start states and code cache;
    /// a forked child has its own, because threads of the parent may have held the locks of the parent's.
    ///
    /// # Errors
    /// [`RomError::Unreadable`] if the file cannot be read; [`RomError::WrongGame`] if it is not the image of the game.
    pub fn read_game(game: &'static Game, path: &Path) -> Result<Self, RomError> {
        static CARTRIDGES: ForkMutex<BTreeMap<(u32, u128), Rom>> = ForkMutex::new(BTreeMap::new());
        let image = contents(path).map_err(|source| RomError::Unreadable { path: path.to_owned(), source })?;
        let rom = Self::of_game(game, &path.display().to_string(), &image)?;
        Ok(CARTRIDGES.lock().entry((fork::generation(), game.md5)).or_insert(rom).clone())
    }

    /// Returns a cartridge that has arbitrary bytes as the image of the given game, for tests.
    pub fn with_unchecked_image(game: &'static Game, image: &[u8]) -> Self {
        let mut bytes = image.to_vec();
        bytes.resize(game.size, 0);
        Self::padded(game, &bytes)
    }

    fn padded(game: &'static Game, image: &[u8]) -> Self {
        Self { game, image: Arc::new(RomImage::new(image)), start_states: Arc::default(), code_cache: Arc::default() }
    }

    /// Returns the game of the cartridge.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// Returns a machine with the cartridge, switched on but not yet reset.
    pub fn machine(&self) -> Machine {
        let game = self.game;
        let mut input = Controllers::new(game.controller);
        input.swapped_ports = game.swapped_ports;
        input.swapped_paddles = game.swapped_paddles;
        input.right_paddles = game.right_paddles;
        Machine::new(Arc::clone(&self.image), game.scheme, game.picture, input)
    }

    pub(super) fn beginnings(&self) -> Arc<StartStates> {
        Arc::clone(&self.start_states)
    }

    /// Returns the code cache with the compiled program; `None` if the host does not support compiled code.
    pub fn code_cache(&self) -> Option<Arc<CodeCache>> {
        self.code_cache_or_refusal().as_ref().ok().cloned()
    }

    /// Returns the reason why the program, or a part of it, is interpreted; `None` if the complete program can be compiled.
    pub fn refusal(&self) -> Option<String> {
        self.code_cache_or_refusal().as_ref().map_or_else(|refusal| Some(refusal.clone()), |made| made.refusal())
    }

    fn code_cache_or_refusal(&self) -> &Result<Arc<CodeCache>, String> {
        let make = || CodeCache::new(Arc::clone(&self.image), self.game.scheme, MAX_CODE_BYTES);
        self.code_cache.get_or_init(|| make().map(Arc::new))
    }

    /// Returns a separate code cache that is cleared after `most_bytes` bytes of code, for tests.
    pub fn separate_code_cache(&self, most_bytes: usize) -> Option<CodeCache> {
        CodeCache::new(Arc::clone(&self.image), self.game.scheme, most_bytes).ok()
    }
}

fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    if read as u64 > MAX_FILE_SIZE {
        let why = format!("a file of more than {} MiB is no cartridge's image", MAX_FILE_SIZE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(bytes)
}

fn digest(image: &[u8]) -> u128 {
    u128::from_be_bytes(md5::compute(image).0)
}
