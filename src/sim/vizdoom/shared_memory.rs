//! Shared memory of an engine process: its state, its input and its buffers.

use std::fs::{File, OpenOptions};
use std::path::Path;

use memmap2::{MmapOptions, MmapRaw};

use super::buttons;
use super::engine_fault::EngineFault;
use super::shared_files::allocate;

/// Size of ViZDoom's `SMInputState` in bytes.
const INPUT_BYTES: usize = 776;
/// Byte offset of the array `BT_AVAILABLE` in the input state.
const BT_AVAILABLE: usize = 344;

/// Memory regions of the engine's buffers. The values are the regions' numbers in the shared memory's layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Region of the screen buffer.
    Screen = 2,
    /// Region of the depth buffer.
    Depth = 3,
    /// Region of the labels buffer.
    Labels = 4,
    /// Region of the automap buffer.
    Automap = 5,
    /// Region of the audio buffer.
    Audio = 6,
}

/// Offsets in ViZDoom's `SMGameState` that depend on ViZDoom's version. The size of the state identifies the version.
#[derive(Debug, Clone, Copy)]
struct StateLayout {
    /// Size of the struct `SMGameState` in bytes.
    state_bytes: usize,
    /// Byte offset in the state of four counters: hit count, hits taken, damage count and damage taken.
    hit_counters: usize,
    /// Byte offset in the state of the length of the notification text. The text follows the length.
    notifications: usize,
}

const STATE_LAYOUTS: [StateLayout; 3] = [
    // Layout of the state in ViZDoom 1.3.0.
    StateLayout { state_bytes: 2_403_464, hit_counters: 2_370_672, notifications: 2_370_688 },
    // Layout of the state in ViZDoom 1.3.1.
    StateLayout { state_bytes: 2_944_136, hit_counters: 2_911_344, notifications: 2_911_360 },
    // Layout of the state in ViZDoom 1.3.2.
    StateLayout { state_bytes: 10_611_848, hit_counters: 10_579_056, notifications: 10_579_072 },
];

/// Size of the notification text in bytes.
pub const MAX_NOTIFICATION_BYTES: usize = 32_768;

const SM_SIZE: usize = 24;
const SM_REGION_OFFSET: usize = 32;
const SM_REGION_SIZE: usize = 88;
const GAME_NETGAME: usize = 169;
const GAME_MULTIPLAYER: usize = 170;
const DEMO_RECORDING: usize = 172;
const SCREEN_WIDTH: usize = 176;
const SCREEN_HEIGHT: usize = 180;
const SCREEN_PITCH: usize = 184;
const MAP_TIC: usize = 216;
const MAP_TICLIMIT: usize = 220;
const MAP_REWARD: usize = 224;
const MAP_END: usize = 480;
const PLAYER_DEAD: usize = 482;
/// Byte offset in the state of the number of labels (visible objects). In all supported versions, the fields up to this offset
/// are the same.
const LABEL_COUNT: usize = 3_156;
/// Byte offset in the state of the list of labels; the following constants are the size of a label in bytes and the maximum
/// number of labels.
const LABELS: usize = 3_160;
const LABEL_BYTES: usize = 352;
const MAX_LABELS: usize = 256;

/// Mapped shared memory of an engine process.
#[derive(Debug)]
pub struct SharedMemory {
    map: MmapRaw,
    offsets: [usize; 7],
    sizes: [usize; 7],
    layout: StateLayout,
}

impl SharedMemory {
    /// Maps the shared memory that the engine has created, and removes the name of this memory.
    ///
    /// # Errors
    /// `Unsupported` if the layout is not that of a supported version; `SpawnFailed` if shared memory is exhausted.
    pub fn open(path: &Path) -> Result<Self, EngineFault> {
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let _already_removed = std::fs::remove_file(path);
        let file = opened.map_err(|error| EngineFault::Unsupported(format!("its shared memory cannot be opened ({error})")))?;
        let memory = MmapOptions::new().map_raw(&file);
        let memory = memory.map_err(|error| EngineFault::Unsupported(format!("its shared memory cannot be mapped ({error})")))?;
        if memory.len() < LABEL_COUNT {
            let text = format!("its shared memory has {} bytes, fewer than in any supported version", memory.len());
            return Err(EngineFault::Unsupported(text));
        }
        allocate(&file, 0, LABEL_COUNT).map_err(EngineFault::no_shared_memory)?;
        let this = Self::parse_layout(memory).map_err(EngineFault::Unsupported)?;
        this.allocate(&file).map_err(EngineFault::no_shared_memory)?;
        Ok(this)
    }

    /// Allocates memory for all ranges that this crate reads or writes. The engine itself allocates only the pages that it
    /// writes, so most of its object lists stay unallocated.
    fn allocate(&self, file: &File) -> std::io::Result<()> {
        let StateLayout { hit_counters: hits, notifications, .. } = self.layout;
        allocate(file, 0, LABELS + LABEL_BYTES * MAX_LABELS)?;
        allocate(file, hits, notifications + 4 + MAX_NOTIFICATION_BYTES - hits)?;
        let regions = self.offsets.iter().zip(self.sizes).skip(1).filter(|(_, size)| *size > 0);
        regions.into_iter().try_for_each(|(offset, size)| allocate(file, *offset, size))
    }

    /// Reads the offsets and sizes of the regions, and checks that the regions lie within the mapped memory.
    fn parse_layout(memory: MmapRaw) -> Result<Self, String> {
        let known = STATE_LAYOUTS[0];
        let mut this = Self { map: memory, offsets: [0; 7], sizes: [0; 7], layout: known };
        let text: Vec<u8> = (4..20).map(|at| this.read_u8(at)).take_while(|byte| *byte != 0).collect();
        let name = String::from_utf8_lossy(&text).into_owned();
        if this.read_u64(SM_SIZE) as usize != this.map.len() {
            return Err(format!("its version is {name:?}: expected the memory layout of 1.3"));
        }
        for region in 0..7 {
            this.offsets[region] = this.read_u64(SM_REGION_OFFSET + 8 * region) as usize;
            this.sizes[region] = this.read_u64(SM_REGION_SIZE + 8 * region) as usize;
        }
        let version = STATE_LAYOUTS.iter().find(|version| version.state_bytes == this.sizes[0]);
        this.layout = *version
            .ok_or_else(|| format!("its version is {name:?} with a state of {} bytes: expected 1.3.0 to 1.3.2", this.sizes[0]))?;
        let lies_within = |region: usize| {
            let end = this.offsets[region].checked_add(this.sizes[region]);
            end.is_some_and(|end| end <= this.map.len())
        };
        if this.sizes[1] != INPUT_BYTES || !(0..7).all(lies_within) || !this.offsets[1].is_multiple_of(8) {
            return Err(format!("its version is {name:?}: expected the region layout of 1.3"));
        }
        Ok(this)
    }

    fn ptr(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < self.map.len());
        // SAFETY: `parse_layout` has checked that the regions lie within the mapped memory, and that state offsets are below
        // the size of the state.
        unsafe { self.map.as_mut_ptr().add(offset) }
    }

    fn read_u8(&self, offset: usize) -> u8 {
        // SAFETY: `ptr` returns a pointer into the mapped memory. The read is volatile, because the engine may write at any
        // time.
        unsafe { self.ptr(offset).read_volatile() }
    }

    fn read_u32(&self, offset: usize) -> u32 {
        // SAFETY: `ptr` returns a pointer into the mapped memory, and callers pass offsets aligned to four bytes. The read is
        // volatile, because the engine may write at any time.
        unsafe { self.ptr(offset).cast::<u32>().read_volatile() }
    }

    fn read_u64(&self, offset: usize) -> u64 {
        // SAFETY: `ptr` returns a pointer into the mapped memory, and callers pass offsets aligned to eight bytes. The read is
        // volatile, because the engine may write at any time.
        unsafe { self.ptr(offset).cast::<u64>().read_volatile() }
    }

    fn read_i32_as_f64(&self, offset: usize) -> f64 {
        f64::from(self.read_u32(offset) as i32)
    }

    fn read_f64(&self, offset: usize) -> f64 {
        f64::from_bits(self.read_u64(offset))
    }

    /// Sets which buttons are available, and releases all buttons.
    pub fn set_available_buttons(&self, available: &[usize]) {
        for button in 0..buttons::COUNT {
            self.set_button_state(button, 0.0);
            let is_there = u8::from(available.contains(&button));
            // SAFETY: `BT_AVAILABLE + button` is an offset within the input region, whose size `parse_layout` has checked.
            unsafe { self.ptr(self.offsets[1] + BT_AVAILABLE + button).write_volatile(is_there) };
        }
        // The maximum value 0 (`BT_MAX_VALUE`) means that a delta button has no limit.
        (0..buttons::COUNT - buttons::FIRST_DELTA_BUTTON).for_each(|delta| self.write_input_f64(392 + 8 * delta, 0.0));
    }

    /// Sets the value of a button: 1 for pressed, 0 for released, or an amount for delta buttons.
    pub fn set_button_state(&self, button: usize, value: f64) {
        self.write_input_f64(8 * button, value);
    }

    /// Returns the value of a button, by number.
    pub fn button_state(&self, button: usize) -> f64 {
        // SAFETY: `8 * button` is an offset within the input region, which is aligned to eight bytes and whose size
        // `parse_layout` has checked.
        unsafe { self.ptr(self.offsets[1] + 8 * button).cast::<f64>().read_volatile() }
    }

    fn write_input_f64(&self, offset: usize, value: f64) {
        // SAFETY: `offset` is within the input region, which is aligned to eight bytes and whose size `parse_layout` has
        // checked.
        unsafe { self.ptr(self.offsets[1] + offset).cast::<f64>().write_volatile(value) };
    }

    /// Returns the number of tics since the map started.
    pub fn map_tic(&self) -> u32 {
        self.read_u32(MAP_TIC)
    }

    /// Returns the tic at which the map ends by its own time limit; 0 if the map has no time limit.
    pub fn map_tic_limit(&self) -> u32 {
        self.read_u32(MAP_TICLIMIT)
    }

    /// Returns the scenario's reward since the map started.
    pub fn map_reward(&self) -> f64 {
        self.read_i32_as_f64(MAP_REWARD) / 65_536.0
    }

    /// Returns whether the map has ended.
    pub fn has_map_ended(&self) -> bool {
        self.read_u8(MAP_END) != 0
    }

    /// Returns whether the player is dead.
    pub fn is_dead(&self) -> bool {
        self.read_u8(PLAYER_DEAD) != 0
    }

    /// Returns whether the game is a network game, in which several engine processes take part.
    pub fn is_netgame(&self) -> bool {
        self.read_u8(GAME_NETGAME) != 0
    }

    /// Returns whether the game is a multiplayer game. Such a game does not end when a player dies.
    pub fn is_multiplayer(&self) -> bool {
        self.read_u8(GAME_MULTIPLAYER) != 0
    }

    /// Returns whether the engine records a demo.
    pub fn is_recording(&self) -> bool {
        self.read_u8(DEMO_RECORDING) != 0
    }

    /// Returns the width and height of the screen in pixels, and the number of bytes per row.
    pub fn screen_size(&self) -> (u32, u32, u64) {
        (self.read_u32(SCREEN_WIDTH), self.read_u32(SCREEN_HEIGHT), self.read_u64(SCREEN_PITCH))
    }

    /// Returns the contents of a buffer as the engine last wrote it. The engine must be idle.
    pub fn region(&self, region: Region) -> &[u8] {
        let (offset, size) = (self.offsets[region as usize], self.sizes[region as usize]);
        // SAFETY: `parse_layout` has checked that the region lies within the mapped memory. The engine writes the region only
        // between a message and its reply, and callers read it only while the engine is idle.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(offset), size) }
    }

    /// Returns the value of the game variable with the number `variable`; 0 if the number is unknown.
    pub fn game_variable(&self, variable: usize) -> f64 {
        let flag = |offset: usize| f64::from(u8::from(self.read_u8(offset) != 0));
        match variable {
            0..3 => self.read_i32_as_f64(468 + 4 * variable),
            3 => self.read_i32_as_f64(624),
            4 => self.read_i32_as_f64(628),
            5..9 => self.read_i32_as_f64(self.layout.hit_counters + 4 * (variable - 5)),
            9 => self.read_i32_as_f64(636),
            10 => self.read_i32_as_f64(640),
            11 => flag(PLAYER_DEAD),
            12 => flag(632),
            13 => flag(644),
            14 => flag(645),
            15 => self.read_i32_as_f64(648),
            16 => self.read_i32_as_f64(652),
            17..27 => self.read_i32_as_f64(656 + 4 * (variable - 17)),
            27..37 => self.read_i32_as_f64(696 + 4 * (variable - 27)),
            37..47 => self.read_f64(736 + 8 * (variable - 37)),
            47..54 => self.read_f64(816 + 8 * (variable - 47)),
            54 => self.read_i32_as_f64(876),
            55 => self.read_i32_as_f64(880),
            56..72 => self.read_i32_as_f64(2948 + 4 * (variable - 56)),
            72..132 => self.read_i32_as_f64(228 + 4 * (variable - 72)),
            _ => 0.0,
        }
    }

    /// Returns the text of the notifications of the last tics.
    pub fn notifications(&self) -> String {
        let length = (self.read_u32(self.layout.notifications) as usize).min(MAX_NOTIFICATION_BYTES - 1);
        let bytes: Vec<u8> = (0..length).map(|at| self.read_u8(self.layout.notifications + 4 + at)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the visible objects: for each object, its pixel value in the labels buffer and its object id.
    pub fn labels(&self) -> Vec<(u8, u32)> {
        let count = (self.read_u32(LABEL_COUNT) as usize).min(MAX_LABELS);
        (0..count).map(|label| LABELS + LABEL_BYTES * label).map(|at| (self.read_u8(at), self.read_u32(at + 20))).collect()
    }
}

// SAFETY: the engine writes only between a message and its reply, and the thread that owns this `SharedMemory` reads only after
// the reply.
unsafe impl Send for SharedMemory {}
