//! What is observed of a world: the agent's view or one of the forms that minigrid's wrappers make of it, and the mission.

use super::vocabulary;
use envpool_rs_engine::{Dtype, Error, MAX_SIDE, OptionSpec, Options, Result, Row, Space, Value};
use envpool_rs_sim_grid_world::{Look, MOST_SEEN, Scene, Tiles, World, image, of_view, of_world, view};

/// The form of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The agent's view.
    Image,
    /// The whole world, as `FullyObsWrapper`.
    Full,
    /// The agent's view, a bit for each kind, colour and state, as `OneHotPartialObsWrapper`.
    OneHot,
    /// The agent's view in pixels, as `RGBImgPartialObsWrapper`.
    RgbPartial,
    /// The whole world in pixels, as `RGBImgObsWrapper`.
    Rgb,
    /// The agent's view and the mission's letters in one array, as `FlatObsWrapper`.
    Flat,
    /// The whole world as places and kinds, as `SymbolicObsWrapper`.
    Symbolic,
}

/// The form of the mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Text,
    Bytes,
    Tokens,
    Nothing,
}

/// Letters of missions: what texts are made of, and one-hot letters in this order.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz ,";
/// Letters of a mission in flat observations.
pub const MOST_FLAT: usize = 96;
/// Kinds, colours and states.
const BITS: [usize; 3] = [11, 6, 3];
/// The number of the agent among kinds.
const AGENT: u8 = 10;

/// How worlds of one level are observed.
#[derive(Debug)]
pub struct Observation {
    form: Form,
    told: Told,
    image_only: bool,
    /// Cells on each side of the view.
    pub side: usize,
    /// Whether agents see through walls.
    pub through_walls: bool,
    /// Whether pictures of the whole world show what the agent sees.
    pub highlight: bool,
    /// Pixels on each side of a cell in observations.
    tile: usize,
    /// Columns and rows of the world.
    world: (usize, usize),
    mission_bytes: usize,
    /// For observations of pixels, all tiles.
    pub tiles: Option<Tiles>,
}

/// Its options.
pub fn options() -> Vec<OptionSpec> {
    let forms = &["image", "full", "onehot", "rgb_partial", "rgb", "flat", "symbolic"];
    vec![
        OptionSpec::new("agent_view_size", 7, "cells on each side of the agent's view, odd").integers(3..=MOST_SEEN as i64),
        OptionSpec::optional("see_through_walls", false, "whether the agent sees through walls; None: as the level has it")
            .each_episode(),
        OptionSpec::new("obs", "image", "the form of the picture, as minigrid's wrappers make it").one_of(forms),
        OptionSpec::new("obs_tile_size", 8, "pixels on each side of a cell in observations").integers(1..=64),
        OptionSpec::new("image_only", false, "whether the picture is all that is observed, without a dict"),
        OptionSpec::new("mission", "text", "the form of the mission").one_of(&["text", "bytes", "tokens", "none"]),
        OptionSpec::new("highlight", true, "whether pictures of the whole world show what the agent sees").each_episode(),
    ]
}

impl Observation {
    /// As the options say.
    ///
    /// # Errors
    /// `Value` for an even view, and for options that exclude one another.
    pub fn new(options: &Options, (columns, rows): (i32, i32), sees_through_walls: bool, mission_bytes: usize) -> Result<Self> {
        let side = options.int("agent_view_size") as usize;
        if side.is_multiple_of(2) {
            return Err(Error::value("agent_view_size", side, "an odd number"));
        }
        let form = match options.text("obs") {
            Some("full") => Form::Full,
            Some("onehot") => Form::OneHot,
            Some("rgb_partial") => Form::RgbPartial,
            Some("rgb") => Form::Rgb,
            Some("flat") => Form::Flat,
            Some("symbolic") => Form::Symbolic,
            _ => Form::Image,
        };
        let told = match options.text("mission") {
            Some("bytes") => Told::Bytes,
            Some("tokens") => Told::Tokens,
            Some("none") => Told::Nothing,
            _ => Told::Text,
        };
        let image_only = options.bool("image_only");
        if told != Told::Text && (image_only || form == Form::Flat) {
            let with = if image_only { "image_only=True" } else { "obs=\"flat\"" };
            let allowed = format!("\"text\" together with {with}, which leaves no mission to be told");
            return Err(Error::value("mission", options.get("mission"), allowed));
        }
        let through_walls = match options.get("see_through_walls") {
            Value::Bool(value) => *value,
            _ => sees_through_walls,
        };
        let tile = options.int("obs_tile_size") as usize;
        let world = (columns as usize, rows as usize);
        if form == Form::Rgb && tile * world.0.max(world.1) > MAX_SIDE as usize {
            return Err(Error::value("obs_tile_size", tile, format_args!("observations of at most {MAX_SIDE} pixels a side")));
        }
        let highlight = options.bool("highlight");
        Ok(Self { form, told, image_only, side, through_walls, highlight, tile, world, mission_bytes, tiles: None })
    }

    /// Pixels on each side of a tile, where observations are made of tiles.
    pub fn tile_size(&self) -> Option<usize> {
        matches!(self.form, Form::RgbPartial | Form::Rgb).then_some(self.tile)
    }

    /// Most letters that a mission may have.
    pub fn most_letters(&self) -> usize {
        if self.form == Form::Flat { MOST_FLAT } else { self.mission_bytes }
    }

    fn image_space(&self) -> Space {
        let (columns, rows) = self.world;
        let bytes = |shape: &[usize]| Space::uniform(0.0, 255.0, shape, Dtype::U8);
        match self.form {
            Form::Image => bytes(&[self.side, self.side, 3]),
            Form::Full => bytes(&[columns, rows, 3]),
            Form::OneHot => bytes(&[self.side, self.side, BITS.iter().sum()]),
            Form::RgbPartial => bytes(&[self.side * self.tile, self.side * self.tile, 3]),
            Form::Rgb => bytes(&[rows * self.tile, columns * self.tile, 3]),
            Form::Flat => bytes(&[self.side * self.side * 3 + MOST_FLAT * LETTERS.len()]),
            Form::Symbolic => {
                let every = |cell: [f64; 3]| cell.repeat(columns * rows);
                let high = [columns as f64 - 1.0, rows as f64 - 1.0, f64::from(AGENT)];
                let shape = vec![columns, rows, 3];
                Space::Box { low: every([0.0, 0.0, -1.0]), high: every(high), shape, dtype: Dtype::I64 }
            }
        }
    }

    /// The space of observations.
    pub fn space(&self) -> Space {
        if self.image_only || self.form == Form::Flat {
            return self.image_space();
        }
        let mission = match self.told {
            Told::Text => Some(Space::text(self.mission_bytes, LETTERS)),
            Told::Bytes => Some(Space::uniform(0.0, 255.0, &[self.mission_bytes], Dtype::U8)),
            Told::Tokens => {
                let (words, most) = vocabulary::size(self.mission_bytes);
                Some(Space::multi_discrete(&vec![words as i64 + 1; most]))
            }
            Told::Nothing => None,
        };
        let parts = [("direction", Space::discrete(4)), ("image", self.image_space())];
        let parts = parts.into_iter().chain(mission.map(|space| ("mission", space)));
        Space::Dict(parts.map(|(name, space)| (name.to_owned(), space)).collect())
    }

    /// Writes a world's observation.
    #[inline]
    pub fn write(&self, world: &World, out: &mut Row<'_>) {
        if self.image_only || self.form == Form::Flat {
            self.write_image(world, 0, out);
            return;
        }
        out.scalar(0, i32::from(world.agent.direction));
        self.write_image(world, 1, out);
        match self.told {
            Told::Text | Told::Bytes => {
                if let Some(leaf) = out.bytes(2) {
                    let (text, rest) = leaf.split_at_mut(world.mission.len());
                    text.copy_from_slice(world.mission.as_bytes());
                    rest.fill(0);
                }
            }
            Told::Tokens => {
                let (_, most) = vocabulary::size(self.mission_bytes);
                let mut tokens: Vec<i64> = vocabulary::tokens(&world.mission).collect();
                tokens.resize(most, 0);
                out.write(2, &tokens);
            }
            Told::Nothing => {}
        }
    }

    #[inline]
    fn write_image(&self, world: &World, leaf: usize, out: &mut Row<'_>) {
        if self.form == Form::Symbolic {
            return write_symbols(world, leaf, out);
        }
        let Some(out) = out.bytes(leaf) else { return };
        match self.form {
            Form::Image | Form::Symbolic => image(world, self.side, self.through_walls, out),
            Form::Full => write_whole(world, out),
            Form::OneHot => {
                out.fill(0);
                let mut cells = vec![0; self.side * self.side * 3];
                image(world, self.side, self.through_walls, &mut cells);
                for (bits, cell) in out.chunks_exact_mut(BITS.iter().sum()).zip(cells.chunks_exact(3)) {
                    bits[usize::from(cell[0])] = 1;
                    bits[BITS[0] + usize::from(cell[1])] = 1;
                    bits[BITS[0] + BITS[1] + usize::from(cell[2])] = 1;
                }
            }
            Form::Flat => {
                let (cells, letters) = out.split_at_mut(self.side * self.side * 3);
                image(world, self.side, self.through_walls, cells);
                letters.fill(0);
                for (letter, bits) in world.mission.chars().zip(letters.chunks_exact_mut(LETTERS.len())) {
                    if let Some(number) = LETTERS.find(letter) {
                        bits[number] = 1;
                    }
                }
            }
            Form::RgbPartial => self.draw(&of_view(&view(world, self.side, self.through_walls)), out),
            Form::Rgb => self.draw(&of_world(world, self.side, self.through_walls, self.highlight), out),
        }
    }

    fn draw(&self, scene: &Scene, out: &mut [u8]) {
        match &self.tiles {
            Some(tiles) => tiles.draw(scene, out),
            // Where nothing was loaded: one that only describes itself.
            None => Tiles::of(self.tile, scene).draw(scene, out),
        }
    }
}

fn write_whole(world: &World, out: &mut [u8]) {
    for (cell, out) in world.grid.cells().zip(out.chunks_exact_mut(3)) {
        let shown = match cell == world.agent.place {
            true => [AGENT, 0, world.agent.direction],
            false => world.grid.look(cell).encoded(),
        };
        out.copy_from_slice(&shown);
    }
}

fn write_symbols(world: &World, leaf: usize, out: &mut Row<'_>) {
    for (index, cell) in world.grid.cells().enumerate() {
        let kind = match world.grid.look(cell) {
            _ if cell == world.agent.place => i32::from(AGENT),
            Look::EMPTY => -1,
            look => i32::from(look.encoded()[0]),
        };
        out.write_at(leaf, index * 3, &[cell.x, cell.y, kind]);
    }
}
