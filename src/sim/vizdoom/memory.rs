//! The engine's state, input and pictures in shared memory.

use std::fs::{File, OpenOptions};
use std::path::Path;

use memmap2::{MmapOptions, MmapRaw};

use super::buttons;
use super::fault::Fault;
use super::queue::allocate;

/// Bytes of the input.
const INPUT: usize = 776;
/// Where buttons are said to be there, within the input.
const AVAILABLE: usize = 344;

/// Regions, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The picture.
    Screen = 2,
    /// Distances.
    Depth = 3,
    /// Which thing is where.
    Labels = 4,
    /// The map.
    Automap = 5,
    /// Sound.
    Audio = 6,
}

/// Where those parts of the state lie that are not at the same place in all versions, which are told apart by its size.
#[derive(Debug, Clone, Copy)]
struct Version {
    /// Bytes of the state.
    state: usize,
    /// Hits, hits taken, damage, damage taken.
    hits: usize,
    /// Length and text of notifications.
    notifications: usize,
}

const VERSIONS: [Version; 2] = [
    // 1.3.0
    Version { state: 2_403_464, hits: 2_370_672, notifications: 2_370_688 },
    // 1.3.1 and 1.3.2
    Version { state: 10_611_848, hits: 10_579_056, notifications: 10_579_072 },
];

/// Most characters of notifications.
pub const MOST_NOTIFICATIONS: usize = 32_768;

const SIZE: usize = 24;
const OFFSETS: usize = 32;
const SIZES: usize = 88;
const NETGAME: usize = 169;
const MULTIPLAYER: usize = 170;
const RECORDS: usize = 172;
const WIDTH: usize = 176;
const HEIGHT: usize = 180;
const PITCH: usize = 184;
const MAP_TIC: usize = 216;
const TIC_LIMIT: usize = 220;
const REWARD: usize = 224;
const MAP_END: usize = 480;
const DEAD: usize = 482;
/// Bytes of the state that all versions have, before lists of things.
const COMMON: usize = 3_156;
/// Where the labels begin, from one to the next, and how many there are at most.
const LABELS: usize = 3_160;
const LABEL: usize = 352;
const MOST_LABELS: usize = 256;

/// The shared memory of one engine.
#[derive(Debug)]
pub struct Memory {
    memory: MmapRaw,
    offsets: [usize; 7],
    sizes: [usize; 7],
    version: Version,
}

impl Memory {
    /// The memory that the engine has made under this name, which is taken away.
    ///
    /// # Errors
    /// `Unknown` where it is not laid out as that of any version that is known, `Unstarted` where shared memory has no room for what is
    /// read of it.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let _gone_already = std::fs::remove_file(path);
        let file = opened.map_err(|error| Fault::Unknown(format!("its memory cannot be opened ({error})")))?;
        let memory = MmapOptions::new().map_raw(&file);
        let memory = memory.map_err(|error| Fault::Unknown(format!("its memory cannot be mapped ({error})")))?;
        if memory.len() < COMMON {
            let text = format!("its memory has {} bytes, too few for any version that is known", memory.len());
            return Err(Fault::Unknown(text));
        }
        allocate(&file, 0, COMMON).map_err(Fault::without_memory)?;
        let this = Self::laid_out(memory).map_err(Fault::Unknown)?;
        this.allocate(&file).map_err(Fault::without_memory)?;
        Ok(this)
    }

    /// Takes memory for all that is read and written here. The engine does so only for what it has written, and never writes most of its
    /// lists of things.
    fn allocate(&self, file: &File) -> std::io::Result<()> {
        let Version { hits, notifications, .. } = self.version;
        allocate(file, 0, LABELS + LABEL * MOST_LABELS)?;
        allocate(file, hits, notifications + 4 + MOST_NOTIFICATIONS - hits)?;
        let regions = self.offsets.iter().zip(self.sizes).skip(1).filter(|(_, size)| *size > 0);
        regions.into_iter().try_for_each(|(offset, size)| allocate(file, *offset, size))
    }

    /// What lies where in the memory of an engine.
    fn laid_out(memory: MmapRaw) -> Result<Self, String> {
        let known = VERSIONS[0];
        let mut this = Self { memory, offsets: [0; 7], sizes: [0; 7], version: known };
        let text: Vec<u8> = (4..20).map(|at| this.byte(at)).take_while(|byte| *byte != 0).collect();
        let name = String::from_utf8_lossy(&text).into_owned();
        if this.long(SIZE) as usize != this.memory.len() {
            return Err(format!("it is of version {name:?}, whose memory is laid out in another way than 1.3's"));
        }
        for region in 0..7 {
            this.offsets[region] = this.long(OFFSETS + 8 * region) as usize;
            this.sizes[region] = this.long(SIZES + 8 * region) as usize;
        }
        let version = VERSIONS.iter().find(|version| version.state == this.sizes[0]);
        this.version = *version.ok_or_else(|| {
            format!("it is of version {name:?}, whose state has {} bytes: 1.3.0 to 1.3.2 are known", this.sizes[0])
        })?;
        let lies_within = |region: usize| {
            let end = this.offsets[region].checked_add(this.sizes[region]);
            end.is_some_and(|end| end <= this.memory.len())
        };
        if this.sizes[1] != INPUT || !(0..7).all(lies_within) || !this.offsets[1].is_multiple_of(8) {
            return Err(format!("it is of version {name:?}, whose regions are laid out in another way than 1.3's"));
        }
        Ok(this)
    }

    fn at(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < self.memory.len());
        // SAFETY: offsets of the state are below its size, which was checked, and those of regions were checked, too.
        unsafe { self.memory.as_mut_ptr().add(offset) }
    }

    fn byte(&self, offset: usize) -> u8 {
        // SAFETY: within the memory; the engine may write it at any time.
        unsafe { self.at(offset).read_volatile() }
    }

    fn word(&self, offset: usize) -> u32 {
        // SAFETY: as above, and aligned to four bytes.
        unsafe { self.at(offset).cast::<u32>().read_volatile() }
    }

    fn long(&self, offset: usize) -> u64 {
        // SAFETY: as above, and aligned to eight bytes.
        unsafe { self.at(offset).cast::<u64>().read_volatile() }
    }

    fn integer(&self, offset: usize) -> f64 {
        f64::from(self.word(offset) as i32)
    }

    fn double(&self, offset: usize) -> f64 {
        f64::from_bits(self.long(offset))
    }

    /// Says which buttons there are, none of them pressed.
    pub fn set_available(&self, available: &[usize]) {
        for button in 0..buttons::COUNT {
            self.press(button, 0.0);
            let is_there = u8::from(available.contains(&button));
            // SAFETY: within the input.
            unsafe { self.at(self.offsets[1] + AVAILABLE + button).write_volatile(is_there) };
        }
        // Players that are programs may move as far as they like.
        (0..buttons::COUNT - buttons::FIRST_DELTA).for_each(|delta| self.write_double(392 + 8 * delta, 0.0));
    }

    /// Presses or moves a button, or releases it.
    pub fn press(&self, button: usize, value: f64) {
        self.write_double(8 * button, value);
    }

    /// How a button is pressed, or by how much it is moved.
    pub fn pressed(&self, button: usize) -> f64 {
        // SAFETY: within the input, which is aligned to eight bytes.
        unsafe { self.at(self.offsets[1] + 8 * button).cast::<f64>().read_volatile() }
    }

    fn write_double(&self, offset: usize, value: f64) {
        // SAFETY: within the input, which is aligned to eight bytes.
        unsafe { self.at(self.offsets[1] + offset).cast::<f64>().write_volatile(value) };
    }

    /// Tics of the map.
    pub fn map_tic(&self) -> u32 {
        self.word(MAP_TIC)
    }

    /// Tics after which the map ends by itself; 0 for never.
    pub fn tic_limit(&self) -> u32 {
        self.word(TIC_LIMIT)
    }

    /// The scenario's reward since the map began.
    pub fn reward(&self) -> f64 {
        self.integer(REWARD) / 65_536.0
    }

    /// Whether the map has ended.
    pub fn has_map_ended(&self) -> bool {
        self.byte(MAP_END) != 0
    }

    /// Whether the player is dead.
    pub fn is_dead(&self) -> bool {
        self.byte(DEAD) != 0
    }

    /// Whether it is a game of several engines over a network.
    pub fn is_netgame(&self) -> bool {
        self.byte(NETGAME) != 0
    }

    /// Whether it is a game of several players, in which death ends nothing.
    pub fn is_multiplayer(&self) -> bool {
        self.byte(MULTIPLAYER) != 0
    }

    /// Whether what happens is recorded.
    pub fn records(&self) -> bool {
        self.byte(RECORDS) != 0
    }

    /// Width and height of the pictures, and bytes from row to row.
    pub fn size(&self) -> (u32, u32, u64) {
        (self.word(WIDTH), self.word(HEIGHT), self.long(PITCH))
    }

    /// A picture, or sound: what the engine last wrote there. It writes while it has something to do.
    pub fn region(&self, region: Region) -> &[u8] {
        let (offset, size) = (self.offsets[region as usize], self.sizes[region as usize]);
        // SAFETY: it lies within the memory; the engine, which writes it, waits for whoever reads it, who sends nothing meanwhile.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(offset), size) }
    }

    /// A variable of the game.
    pub fn variable(&self, variable: usize) -> f64 {
        let flag = |offset: usize| f64::from(u8::from(self.byte(offset) != 0));
        match variable {
            0..3 => self.integer(468 + 4 * variable),
            3 => self.integer(624),
            4 => self.integer(628),
            5..9 => self.integer(self.version.hits + 4 * (variable - 5)),
            9 => self.integer(636),
            10 => self.integer(640),
            11 => flag(DEAD),
            12 => flag(632),
            13 => flag(644),
            14 => flag(645),
            15 => self.integer(648),
            16 => self.integer(652),
            17..27 => self.integer(656 + 4 * (variable - 17)),
            27..37 => self.integer(696 + 4 * (variable - 27)),
            37..47 => self.double(736 + 8 * (variable - 37)),
            47..54 => self.double(816 + 8 * (variable - 47)),
            54 => self.integer(876),
            55 => self.integer(880),
            56..72 => self.integer(2948 + 4 * (variable - 56)),
            72..132 => self.integer(228 + 4 * (variable - 72)),
            _ => 0.0,
        }
    }

    /// The game's messages of the last tics.
    pub fn notifications(&self) -> String {
        let length = (self.word(self.version.notifications) as usize).min(MOST_NOTIFICATIONS - 1);
        let bytes: Vec<u8> = (0..length).map(|at| self.byte(self.version.notifications + 4 + at)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Things that are seen: the value of their pixels in the picture of labels, and their number.
    pub fn labels(&self) -> Vec<(u8, u32)> {
        let count = (self.word(COMMON) as usize).min(MOST_LABELS);
        (0..count).map(|label| LABELS + LABEL * label).map(|at| (self.byte(at), self.word(at + 20))).collect()
    }
}

// SAFETY: the engine writes while it has something to do, and whoever has this value reads when it has not.
unsafe impl Send for Memory {}
