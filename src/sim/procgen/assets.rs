//! Pictures of a game: its sprites by type and theme, and its backgrounds.

use std::path::Path;

use crate::image::{AssetError, Image};
use crate::object_ids::{EXPLOSION, TRAIL};

/// Number of object types that are drawn as sprites (pictures): the types from 0 to `MAX_ASSETS - 1`.
pub(crate) const MAX_ASSETS: i32 = 100;

/// File names of the pictures of one object type, one for each theme.
pub(crate) type Names = Vec<String>;

/// Group of background pictures, from which a game draws one picture per level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Backgrounds {
    Topdown,
    TopdownSimple,
    Platform,
    Space,
    Water,
    WaterSurface,
}

const TOPDOWN: [&str; 9] = [
    "topdown_backgrounds/floortiles.png",
    "topdown_backgrounds/backgrounddetailed1.png",
    "topdown_backgrounds/backgrounddetailed2.png",
    "topdown_backgrounds/backgrounddetailed3.png",
    "topdown_backgrounds/backgrounddetailed4.png",
    "topdown_backgrounds/backgrounddetailed5.png",
    "topdown_backgrounds/backgrounddetailed6.png",
    "topdown_backgrounds/backgrounddetailed7.png",
    "topdown_backgrounds/backgrounddetailed8.png",
];
const SPACE: [&str; 13] = [
    "space_backgrounds/deep_space_01.png",
    "space_backgrounds/spacegen_01.png",
    "space_backgrounds/milky_way_01.png",
    "space_backgrounds/ez_space_lite_01.png",
    "space_backgrounds/meyespace_v1_01.png",
    "space_backgrounds/eye_nebula_01.png",
    "space_backgrounds/deep_sky_01.png",
    "space_backgrounds/space_nebula_01.png",
    "space_backgrounds/Background-1.png",
    "space_backgrounds/Background-2.png",
    "space_backgrounds/Background-3.png",
    "space_backgrounds/Background-4.png",
    "space_backgrounds/parallax-space-backgound.png",
];
const PLATFORM: [&str; 37] = [
    "alien_bg",
    "another_world_bg",
    "back_cave",
    "caverns",
    "cyberpunk_bg",
    "parallax_forest",
    "scifi_bg",
    "scifi2_bg",
    "living_tissue_bg",
    "airadventurelevel1",
    "airadventurelevel2",
    "airadventurelevel3",
    "airadventurelevel4",
    "cave_background",
    "blue_desert",
    "blue_grass",
    "blue_land",
    "blue_shroom",
    "colored_desert",
    "colored_grass",
    "colored_land",
    "colored_shroom",
    "landscape1",
    "landscape2",
    "landscape3",
    "landscape4",
    "battleback1",
    "battleback2",
    "battleback3",
    "battleback4",
    "battleback5",
    "battleback6",
    "battleback7",
    "battleback8",
    "battleback9",
    "battleback10",
    "sunrise",
];
const PLATFORM_2: [&str; 12] = [
    "beach1", "beach2", "beach3", "beach4", "fantasy1", "fantasy2", "fantasy3", "fantasy4", "candy1", "candy2", "candy3",
    "candy4",
];
const WATER: [&str; 7] = [
    "water_backgrounds/water1.png",
    "water_backgrounds/water2.png",
    "water_backgrounds/water3.png",
    "water_backgrounds/water4.png",
    "water_backgrounds/underwater1.png",
    "water_backgrounds/underwater2.png",
    "water_backgrounds/underwater3.png",
];

impl Backgrounds {
    /// Returns the file names of the group's pictures, in procgen's order.
    fn names(self) -> Names {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Names>();
        match self {
            Self::Topdown => owned(&TOPDOWN),
            Self::TopdownSimple => owned(&TOPDOWN[..1]),
            Self::Space => owned(&SPACE),
            Self::Water => owned(&WATER),
            Self::WaterSurface => owned(&WATER[..4]),
            Self::Platform => {
                let first = PLATFORM.iter().map(|name| format!("platform_backgrounds/{name}.png"));
                let second = PLATFORM_2.iter().map(|name| format!("platform_backgrounds_2/{name}.png"));
                first.chain(second).chain(owned(&SPACE)).collect()
            }
        }
    }
}

/// Pictures of one game, shared by all its environments.
#[derive(Debug, Default)]
pub struct Assets {
    /// Images of each object type: one image per theme.
    sprites: Vec<Vec<Image>>,
    backgrounds: Vec<Image>,
}

/// Returns the file names of the pictures of an object type that looks the same in every game, such as an explosion; empty for
/// other types.
fn reserved_asset_for_type(kind: i32) -> Names {
    match kind - EXPLOSION {
        explosion @ 0..=4 => vec![format!("misc_assets/explosion{}.png", explosion + 1)],
        _ if kind == TRAIL => vec!["misc_assets/iconCircle_white.png".to_owned()],
        _ => Vec::new(),
    }
}

impl Assets {
    /// Opens the pictures of a game in the folder `root`.
    ///
    /// # Errors
    /// [`AssetError`] if a file is missing or damaged; the error names the file.
    pub(crate) fn open(root: &Path, backgrounds: Backgrounds, asset_for_type: impl Fn(i32) -> Names) -> Result<Self, AssetError> {
        let open = |names: Names, is_background| {
            names.iter().map(|name| Image::open(&root.join(name), is_background)).collect::<Result<Vec<_>, _>>()
        };
        let of_type = |kind| {
            let names = asset_for_type(kind);
            open(if names.is_empty() { reserved_asset_for_type(kind) } else { names }, false)
        };
        let sprites = (0..MAX_ASSETS).map(of_type).collect::<Result<_, _>>()?;
        Ok(Self { sprites, backgrounds: open(backgrounds.names(), true)? })
    }

    /// Returns the memory of all files and decoded pixels of the game, in bytes.
    pub fn bytes(&self) -> usize {
        self.sprites.iter().flatten().chain(&self.backgrounds).map(Image::bytes).sum()
    }

    /// Returns the number of themes of an object type.
    pub(crate) fn num_themes(&self, kind: i32) -> i32 {
        self.sprites[kind as usize].len() as i32
    }

    /// Returns the image of an object type in a theme; `None` if the game has none, which untrusted snapshots can ask for.
    pub(crate) fn sprite(&self, kind: i32, theme: i32) -> Option<&Image> {
        self.sprites.get(kind as usize)?.get(theme as usize)
    }

    /// Returns the number of background pictures.
    pub(crate) fn num_backgrounds(&self) -> i32 {
        self.backgrounds.len() as i32
    }

    /// Returns the background picture with the index `index`.
    pub(crate) fn background(&self, index: i32) -> &Image {
        &self.backgrounds[index as usize]
    }
}
