//! Sample pictures of the six presets that minigrid registers, one character per pixel.
//!
//! The samples are minigrid's `minigrid/envs/wfc/patterns/*.png` (MIT licence, Copyright Farama Foundation), which minigrid's
//! git repository contains but its wheels lack. The parameters are those of `WFC_PRESETS` in minigrid's `config.py`.

use super::patterns::PatternCatalogue;

/// Sample picture and parameters of one of minigrid's presets for wave function collapse (WFC).
pub struct WfcPreset {
    /// Rows of the picture: `#` is black, `.` is white, and `,` is grey with the value 254 (in one picture only).
    pub sample: &'static [&'static str],
    /// Width and height of a pattern, in pixels.
    pub width: usize,
    /// Whether the world wraps around, so that patterns at opposite edges must fit together.
    pub is_periodic: bool,
}

impl WfcPreset {
    const fn new(sample: &'static [&'static str], width: usize, is_periodic: bool) -> Self {
        Self { sample, width, is_periodic }
    }

    /// Returns the patterns of the sample picture.
    pub fn catalogue(&self) -> PatternCatalogue {
        PatternCatalogue::new(self.sample, self.width)
    }
}

/// Names of the WFC presets; the first is the default.
pub static NAMES: [&str; 6] =
    ["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"];

/// Presets, in the order of [`NAMES`].
static PRESETS: [WfcPreset; 6] = [
    WfcPreset::new(&["....", ".###", ".#.#", ".###"], 2, false),
    WfcPreset::new(&["........", "........", "..######", "..######", "..##..##", "..##..##", "..######", "..######"], 2, true),
    WfcPreset::new(&["..#..", "..,..", "#####", "..,..", "..#.."], 3, false),
    WfcPreset::new(&["...", ".#.", "..."], 2, false),
    WfcPreset::new(
        &[
            "...........",
            ".....#####.",
            ".....#####.",
            ".....#####.",
            ".....#####.",
            ".#########.",
            ".#########.",
            ".#########.",
            ".#########.",
            ".#########.",
            "...........",
        ],
        3,
        true,
    ),
    WfcPreset::new(
        &[
            ".................",
            ".......#....#....",
            "..#...###..###...",
            ".###...#....#....",
            "..#..............",
            ".........#.......",
            "....#...###...#..",
            "...###...#...###.",
            "....#.........#..",
            ".................",
            ".......#....#....",
            "..#...###..###...",
            ".###...#....#....",
            "..#..#...#....#..",
            "....###.###..###.",
            ".....#...#....#..",
            ".................",
        ],
        3,
        true,
    ),
];

/// Returns the preset with the name `name`; `None` if there is none.
pub fn by_name(name: &str) -> Option<&'static WfcPreset> {
    NAMES.iter().position(|known| *known == name).map(|index| &PRESETS[index])
}
