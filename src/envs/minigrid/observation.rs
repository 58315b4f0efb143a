//! Observations of a world: the agent's view or the output of one of minigrid's observation wrappers, and the mission.

use super::vocabulary;
use envpool_rs_engine::{Dtype, Error, MAX_SIDE, OptionSpec, Options, Result, Row, Space, Value};
use envpool_rs_sim_grid_world::{Cell, MAX_VIEW_SIZE, Scene, TileSet, World, full_scene, image, pov_scene, view};

/// Format of the observed image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ImageFormat {
    /// Agent's view as kind, colour and state of each cell.
    Image,
    /// Whole world as kind, colour and state of each cell (`FullyObsWrapper`).
    Full,
    /// Agent's view as one-hot vectors of kind, colour and state (`OneHotPartialObsWrapper`).
    OneHot,
    /// Agent's view in pixels (`RGBImgPartialObsWrapper`).
    RgbPartial,
    /// Whole world in pixels (`RGBImgObsWrapper`).
    Rgb,
    /// One array that holds the agent's view, followed by the mission's letters as one-hot vectors (`FlatObsWrapper`).
    Flat,
    /// Whole world as positions and kinds of its cells (`SymbolicObsWrapper`).
    Symbolic,
}

/// Format of the observed mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MissionFormat {
    Text,
    Bytes,
    Tokens,
    Omitted,
}

/// Letters of missions, in the order of the one-hot encoding.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz ,";
/// Maximum number of letters of a mission in flat observations.
pub const MAX_FLAT_LETTERS: usize = 96;
/// Lengths of the three one-hot vectors of a cell: the numbers of kinds, colours and states.
const ONE_HOT_SIZES: [usize; 3] = [11, 6, 3];
/// Index of the agent among the kinds (`OBJECT_TO_IDX`).
const AGENT_INDEX: u8 = 10;

/// Observation format of a level: image format, mission format, view size and rendered tiles.
#[derive(Debug)]
pub struct Observation {
    image_format: ImageFormat,
    mission_format: MissionFormat,
    image_only: bool,
    /// Width and height of the agent's view, in cells.
    pub side: usize,
    /// Whether the agent sees through walls.
    pub see_through_walls: bool,
    /// Whether pictures of the whole world highlight the cells that the agent sees.
    pub highlight: bool,
    /// Width and height of a cell in observations, in pixels.
    tile_pixels: usize,
    /// Number of columns and rows of the world.
    grid_size: (usize, usize),
    mission_bytes: usize,
    /// Rendered tiles of all cells, for observations in pixels. `None` for other formats, and before the tiles are loaded.
    pub tiles: Option<TileSet>,
}

/// Returns the specifications of the options that determine the format of observations.
pub fn options() -> Vec<OptionSpec> {
    let image_formats = &["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"];
    vec![
        OptionSpec::new("agent_view_size", 7, "cells on each side of the agent's view, odd").integers(3..=MAX_VIEW_SIZE as i64),
        OptionSpec::optional("see_through_walls", false, "whether the agent sees through walls; None: the level's default")
            .per_episode(),
        OptionSpec::new("obs", "image", "format of the image, as made by minigrid's wrappers").one_of(image_formats),
        OptionSpec::new("obs_tile_size", 8, "pixels on each side of a cell in observations").integers(1..=64),
        OptionSpec::new("image_only", false, "whether observations are the image alone instead of a dict"),
        OptionSpec::new("mission", "text", "format of the mission").one_of(&["text", "bytes", "tokens", "none"]),
        OptionSpec::new("highlight", true, "whether pictures of the whole world highlight the agent's view").per_episode(),
    ]
}

impl Observation {
    /// Creates the observation format that the options select.
    ///
    /// # Errors
    /// `Value` for an even view size, and for options that exclude each other.
    pub fn new(options: &Options, (columns, rows): (i32, i32), sees_through_walls: bool, mission_bytes: usize) -> Result<Self> {
        let side = options.int("agent_view_size") as usize;
        if side.is_multiple_of(2) {
            return Err(Error::value("agent_view_size", side, "an odd number"));
        }
        let image_format = match options.text("obs") {
            Some("full") => ImageFormat::Full,
            Some("onehot") => ImageFormat::OneHot,
            Some("rgb_partial") => ImageFormat::RgbPartial,
            Some("rgb") => ImageFormat::Rgb,
            Some("flat") => ImageFormat::Flat,
            Some("symbolic") => ImageFormat::Symbolic,
            _ => ImageFormat::Image,
        };
        let mission_format = match options.text("mission") {
            Some("bytes") => MissionFormat::Bytes,
            Some("tokens") => MissionFormat::Tokens,
            Some("none") => MissionFormat::Omitted,
            _ => MissionFormat::Text,
        };
        let image_only = options.bool("image_only");
        if mission_format != MissionFormat::Text && (image_only || image_format == ImageFormat::Flat) {
            let with = if image_only { "image_only=True" } else { "obs=\"flat\"" };
            let allowed = format!("\"text\" with {with}, whose observations have no separate mission");
            return Err(Error::value("mission", options.get("mission"), allowed));
        }
        let see_through_walls = match options.get("see_through_walls") {
            Value::Bool(value) => *value,
            _ => sees_through_walls,
        };
        let tile_pixels = options.int("obs_tile_size") as usize;
        let grid_size = (columns as usize, rows as usize);
        if image_format == ImageFormat::Rgb && tile_pixels * grid_size.0.max(grid_size.1) > MAX_SIDE as usize {
            return Err(Error::value(
                "obs_tile_size",
                tile_pixels,
                format_args!("observations of at most {MAX_SIDE} pixels a side"),
            ));
        }
        let highlight = options.bool("highlight");
        Ok(Self {
            image_format,
            mission_format,
            image_only,
            side,
            see_through_walls,
            highlight,
            tile_pixels,
            grid_size,
            mission_bytes,
            tiles: None,
        })
    }

    /// Returns the width and height of a tile in pixels; `None` if observations are not pictures made of tiles.
    pub fn tile_size(&self) -> Option<usize> {
        matches!(self.image_format, ImageFormat::RgbPartial | ImageFormat::Rgb).then_some(self.tile_pixels)
    }

    /// Returns the length of the longest mission that an observation can hold, in letters.
    pub fn max_letters(&self) -> usize {
        if self.image_format == ImageFormat::Flat { MAX_FLAT_LETTERS } else { self.mission_bytes }
    }

    fn image_space(&self) -> Space {
        let (columns, rows) = self.grid_size;
        let bytes = |shape: &[usize]| Space::uniform(0.0, 255.0, shape, Dtype::U8);
        match self.image_format {
            ImageFormat::Image => bytes(&[self.side, self.side, 3]),
            ImageFormat::Full => bytes(&[columns, rows, 3]),
            ImageFormat::OneHot => bytes(&[self.side, self.side, ONE_HOT_SIZES.iter().sum()]),
            ImageFormat::RgbPartial => bytes(&[self.side * self.tile_pixels, self.side * self.tile_pixels, 3]),
            ImageFormat::Rgb => bytes(&[rows * self.tile_pixels, columns * self.tile_pixels, 3]),
            ImageFormat::Flat => bytes(&[self.side * self.side * 3 + MAX_FLAT_LETTERS * LETTERS.len()]),
            ImageFormat::Symbolic => {
                let every = |cell: [f64; 3]| cell.repeat(columns * rows);
                let high = [columns as f64 - 1.0, rows as f64 - 1.0, f64::from(AGENT_INDEX)];
                let shape = vec![columns, rows, 3];
                Space::Box { low: every([0.0, 0.0, -1.0]), high: every(high), shape, dtype: Dtype::I64 }
            }
        }
    }

    /// Returns the observation space for the selected formats of image and mission.
    pub fn space(&self) -> Space {
        if self.image_only || self.image_format == ImageFormat::Flat {
            return self.image_space();
        }
        let mission = match self.mission_format {
            MissionFormat::Text => Some(Space::text(self.mission_bytes, LETTERS)),
            MissionFormat::Bytes => Some(Space::uniform(0.0, 255.0, &[self.mission_bytes], Dtype::U8)),
            MissionFormat::Tokens => {
                let (words, max_words) = vocabulary::size(self.mission_bytes);
                Some(Space::multi_discrete(&vec![words as i64 + 1; max_words]))
            }
            MissionFormat::Omitted => None,
        };
        let parts = [("direction", Space::discrete(4)), ("image", self.image_space())];
        let parts = parts.into_iter().chain(mission.map(|space| ("mission", space)));
        Space::Dict(parts.map(|(name, space)| (name.to_owned(), space)).collect())
    }

    /// Writes the observation of a world.
    #[inline]
    pub fn write(&self, world: &World, out: &mut Row<'_>) {
        if self.image_only || self.image_format == ImageFormat::Flat {
            self.write_image(world, 0, out);
            return;
        }
        out.scalar(0, i32::from(world.agent.dir));
        self.write_image(world, 1, out);
        match self.mission_format {
            MissionFormat::Text | MissionFormat::Bytes => {
                if let Some(leaf) = out.bytes(2) {
                    let (text, rest) = leaf.split_at_mut(world.mission.len());
                    text.copy_from_slice(world.mission.as_bytes());
                    rest.fill(0);
                }
            }
            MissionFormat::Tokens => {
                let (_, max_words) = vocabulary::size(self.mission_bytes);
                let mut tokens: Vec<i64> = vocabulary::tokens(&world.mission).collect();
                tokens.resize(max_words, 0);
                out.write(2, &tokens);
            }
            MissionFormat::Omitted => {}
        }
    }

    #[inline]
    fn write_image(&self, world: &World, leaf: usize, out: &mut Row<'_>) {
        if self.image_format == ImageFormat::Symbolic {
            return write_symbolic(world, leaf, out);
        }
        let Some(out) = out.bytes(leaf) else { return };
        match self.image_format {
            ImageFormat::Image | ImageFormat::Symbolic => image(world, self.side, self.see_through_walls, out),
            ImageFormat::Full => write_full(world, out),
            ImageFormat::OneHot => {
                out.fill(0);
                let mut cells = vec![0; self.side * self.side * 3];
                image(world, self.side, self.see_through_walls, &mut cells);
                for (bits, cell) in out.chunks_exact_mut(ONE_HOT_SIZES.iter().sum()).zip(cells.chunks_exact(3)) {
                    bits[usize::from(cell[0])] = 1;
                    bits[ONE_HOT_SIZES[0] + usize::from(cell[1])] = 1;
                    bits[ONE_HOT_SIZES[0] + ONE_HOT_SIZES[1] + usize::from(cell[2])] = 1;
                }
            }
            ImageFormat::Flat => {
                let (cells, letters) = out.split_at_mut(self.side * self.side * 3);
                image(world, self.side, self.see_through_walls, cells);
                letters.fill(0);
                for (letter, bits) in world.mission.chars().zip(letters.chunks_exact_mut(LETTERS.len())) {
                    if let Some(number) = LETTERS.find(letter) {
                        bits[number] = 1;
                    }
                }
            }
            ImageFormat::RgbPartial => self.draw(&pov_scene(&view(world, self.side, self.see_through_walls)), out),
            ImageFormat::Rgb => self.draw(&full_scene(world, self.side, self.see_through_walls, self.highlight), out),
        }
    }

    fn draw(&self, scene: &Scene, out: &mut [u8]) {
        match &self.tiles {
            Some(tiles) => tiles.draw(scene, out),
            // The tiles have not been loaded, because the environment was created only to report its spaces.
            None => TileSet::of(self.tile_pixels, scene).draw(scene, out),
        }
    }
}

fn write_full(world: &World, out: &mut [u8]) {
    for (pos, out) in world.grid.positions().zip(out.chunks_exact_mut(3)) {
        let encoding = match pos == world.agent.pos {
            true => [AGENT_INDEX, 0, world.agent.dir],
            false => world.grid.get(pos).encode(),
        };
        out.copy_from_slice(&encoding);
    }
}

fn write_symbolic(world: &World, leaf: usize, out: &mut Row<'_>) {
    for (index, pos) in world.grid.positions().enumerate() {
        let kind = match world.grid.get(pos) {
            _ if pos == world.agent.pos => i32::from(AGENT_INDEX),
            Cell::EMPTY => -1,
            cell => i32::from(cell.encode()[0]),
        };
        out.write_at(leaf, index * 3, &[pos.x, pos.y, kind]);
    }
}
