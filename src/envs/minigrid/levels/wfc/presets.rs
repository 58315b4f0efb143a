//! Sample pictures of the six presets that minigrid registers, one character per pixel.
//!
//! The samples are minigrid's `minigrid/envs/wfc/patterns/*.png` (MIT licence, Copyright Farama Foundation), which its git
//! repository contains and its wheels lack; the parameters are `WFC_PRESETS` of its `config.py`.

use super::patterns::PatternCatalogue;

/// Sample and parameters of a preset.
pub struct WfcPreset {
    /// Rows of the picture: `#` is black, `.` is white, `,` is grey with the value 254, which occurs in one picture only.
    pub sample: &'static [&'static str],
    /// Number of pixels on each side of a pattern.
    pub width: usize,
    /// Whether the world wraps around: opposite edges must fit together.
    pub is_periodic: bool,
}

impl WfcPreset {
    const fn new(sample: &'static [&'static str], width: usize, is_periodic: bool) -> Self {
        Self { sample, width, is_periodic }
    }

    /// Returns the patterns of the sample.
    pub fn catalogue(&self) -> PatternCatalogue {
        PatternCatalogue::new(self.sample, self.width)
    }
}

/// Names of the presets, the default first.
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

/// Returns the preset with this name.
pub fn by_name(name: &str) -> Option<&'static WfcPreset> {
    NAMES.iter().position(|known| *known == name).map(|index| &PRESETS[index])
}
