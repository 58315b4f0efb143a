//! Sample pictures of the six presets that minigrid registers, a character for each pixel.
//!
//! The samples are minigrid's `minigrid/envs/wfc/patterns/*.png` (MIT licence, Copyright Farama Foundation), which its git
//! repository contains and its wheels lack; the parameters are `WFC_PRESETS` of its `config.py`.

use super::patterns::Catalogue;

/// What one preset generates worlds from.
pub struct Preset {
    /// Rows of the picture: `#` black, `.` white, `,` the grey of 254 that one picture has.
    pub sample: &'static [&'static str],
    /// Pixels on each side of a pattern.
    pub width: usize,
    /// Whether opposite edges of a world fit together.
    pub is_periodic: bool,
}

impl Preset {
    const fn new(sample: &'static [&'static str], width: usize, is_periodic: bool) -> Self {
        Self { sample, width, is_periodic }
    }

    /// The patterns of its sample.
    pub fn catalogue(&self) -> Catalogue {
        Catalogue::new(self.sample, self.width)
    }
}

/// Their names, the default first.
pub static NAMES: [&str; 6] =
    ["MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular", "ObstaclesHogs3"];

/// The presets, in the order of [`NAMES`].
static PRESETS: [Preset; 6] = [
    Preset::new(&["....", ".###", ".#.#", ".###"], 2, false),
    Preset::new(&["........", "........", "..######", "..######", "..##..##", "..##..##", "..######", "..######"], 2, true),
    Preset::new(&["..#..", "..,..", "#####", "..,..", "..#.."], 3, false),
    Preset::new(&["...", ".#.", "..."], 2, false),
    Preset::new(
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
    Preset::new(
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

/// The preset of a name.
pub fn named(name: &str) -> Option<&'static Preset> {
    NAMES.iter().position(|known| *known == name).map(|index| &PRESETS[index])
}
