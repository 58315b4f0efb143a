//! Observations of the warehouse: vectors, dictionaries, and images around the player.

use super::warehouse::{State, Warehouse};
use crate::float_writer::FloatWriter;
use crate::grid::{Cell, Direction};
use envpool_rs_engine::{Dtype, Row, Space};

/// Form of observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObservationType {
    Flattened,
    Dict,
    Image,
    ImageDict,
}

/// Layer of an image: the cells that it marks by 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    Shelves,
    Requests,
    Agents,
    Goals,
    /// All cells of the warehouse without agents.
    Accessible,
}

/// Number of features next to an image: direction, on a highway, carrying a shelf.
const FEATURES: usize = 6;
/// Number of arrays of the player itself in a dictionary: carrying, direction, location, on a highway.
const OWN_ARRAYS: usize = 4;

impl Warehouse {
    fn side(&self) -> usize {
        2 * self.sensor_range as usize + 1
    }

    /// Returns the observation space of one player.
    pub(super) fn space_of_observations(&self) -> Space {
        let unbounded = |size| Space::uniform(f64::NEG_INFINITY, f64::INFINITY, &[size], Dtype::F32);
        let locations = self.side() * self.side();
        let image = Space::uniform(0.0, 1.0, &[self.layers.len(), self.side(), self.side()], Dtype::F32);
        let named =
            |parts: Vec<(&str, Space)>| Space::Dict(parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect());
        match self.observation_type {
            ObservationType::Flattened => unbounded(8 + locations * (7 + self.message_bits)),
            ObservationType::Image => image,
            ObservationType::ImageDict => named(vec![("features", unbounded(FEATURES)), ("image", image)]),
            ObservationType::Dict => {
                let most = f64::from(self.layout.width.max(self.layout.height));
                // The package casts normalised positions to integers, too.
                let location = Space::uniform(0.0, if self.is_normalised { 1.0 } else { most }, &[2], Dtype::I32);
                let own = vec![
                    ("carrying_shelf", Space::multi_binary(1)),
                    ("direction", Space::discrete(4)),
                    ("location", location),
                    ("on_highway", Space::multi_binary(1)),
                ];
                let mut sensor = vec![
                    ("direction", Space::discrete(4)),
                    ("has_agent", Space::multi_binary(1)),
                    ("has_shelf", Space::multi_binary(1)),
                    ("local_message", Space::multi_binary(self.message_bits)),
                    ("shelf_requested", Space::multi_binary(1)),
                ];
                sensor.retain(|(name, _)| self.message_bits > 0 || *name != "local_message");
                named(vec![("self", named(own)), ("sensors", Space::Tuple(vec![named(sensor); locations]))])
            }
        }
    }

    /// Writes the observations of all players.
    pub(super) fn write_observation(&self, state: &State, out: &mut Row<'_>) {
        match self.observation_type {
            ObservationType::Flattened => {
                if let Some(mut writer) = FloatWriter::new(out, 0) {
                    (0..self.agents).for_each(|number| self.write_vector(state, number, &mut writer));
                }
            }
            ObservationType::Image => self.write_images(state, out, 0),
            ObservationType::ImageDict => {
                if let Some(mut writer) = FloatWriter::new(out, 0) {
                    for (agent, cell) in state.agents.iter().zip(&state.cells) {
                        write_direction(Some(agent.direction), &mut writer);
                        writer.write_flag(self.is_highway(*cell));
                        writer.write_flag(agent.carrying > 0);
                    }
                }
                self.write_images(state, out, 1);
            }
            ObservationType::Dict => (0..self.agents).for_each(|number| self.write_dict(state, number, out)),
        }
    }

    fn is_highway(&self, cell: Cell) -> bool {
        self.layout.highways.get(cell) == Some(true)
    }

    /// Returns the cells that a player on `cell` sees, row by row.
    fn cells_in_range(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let range = self.sensor_range;
        (cell.y - range..=cell.y + range).flat_map(move |y| (cell.x - range..=cell.x + range).map(move |x| Cell { x, y }))
    }

    /// Returns the position of a cell: column and row, or their shares of the warehouse's size.
    fn location(&self, cell: Cell) -> [f64; 2] {
        let (x, y) = (f64::from(cell.x), f64::from(cell.y));
        match self.is_normalised {
            true => [x / f64::from(self.layout.width - 1), y / f64::from(self.layout.height - 1)],
            false => [x, y],
        }
    }

    fn message<'a>(&self, state: &'a State, number: usize) -> &'a [u8] {
        &state.messages[number * self.message_bits..][..self.message_bits]
    }

    #[inline]
    fn write_vector(&self, state: &State, number: usize, writer: &mut FloatWriter<'_>) {
        let (cell, agent) = (state.cells[number], state.agents[number]);
        self.location(cell).into_iter().for_each(|position| writer.write(position as f32));
        writer.write_flag(agent.carrying > 0);
        write_direction(Some(agent.direction), writer);
        writer.write_flag(self.is_highway(cell));
        for near in self.cells_in_range(cell) {
            let other = state.agent_number(near);
            writer.write_flag(other.is_some());
            write_direction(other.map(|other| state.agents[other].direction), writer);
            if self.message_bits > 0 {
                for bit in 0..self.message_bits {
                    writer.write_flag(other.is_some_and(|other| self.message(state, other)[bit] == 1));
                }
            }
            let shelf = state.shelf_at.get(near).unwrap_or(0);
            writer.write_flag(shelf > 0);
            writer.write_flag(shelf > 0 && state.is_requested(shelf));
        }
    }

    fn write_dict(&self, state: &State, number: usize, out: &mut Row<'_>) {
        let (cell, agent) = (state.cells[number], state.agents[number]);
        out.write_at(0, number, &[i8::from(agent.carrying > 0)]);
        out.write_at(1, number, &[agent.direction as i64]);
        out.write_at(2, 2 * number, &self.location(cell).map(|position| position as i32));
        out.write_at(3, number, &[i8::from(self.is_highway(cell))]);
        let arrays = 4 + usize::from(self.message_bits > 0);
        for (place, near) in self.cells_in_range(cell).enumerate() {
            let first = OWN_ARRAYS + arrays * place;
            let (other, shelf) = (state.agent_number(near), state.shelf_at.get(near).unwrap_or(0));
            out.write_at(first, number, &[other.map_or(0, |other| state.agents[other].direction as i64)]);
            out.write_at(first + 1, number, &[i8::from(other.is_some())]);
            out.write_at(first + 2, number, &[i8::from(shelf > 0)]);
            for bit in 0..self.message_bits {
                let is_set = other.is_some_and(|other| self.message(state, other)[bit] == 1);
                out.write_at(first + 3, number * self.message_bits + bit, &[i8::from(is_set)]);
            }
            out.write_at(first + arrays - 1, number, &[i8::from(shelf > 0 && state.is_requested(shelf))]);
        }
    }

    fn write_images(&self, state: &State, out: &mut Row<'_>, leaf: usize) {
        let Some(mut writer) = FloatWriter::new(out, leaf) else { return };
        let range = self.sensor_range;
        for (agent, own) in state.agents.iter().zip(&state.cells) {
            for layer in &self.layers {
                for cell in self.cells_in_range(*own) {
                    let (x, y) = (cell.x - own.x, cell.y - own.y);
                    // The cell that a turn of the image brings to this place.
                    let (x, y) = match agent.direction {
                        _ if !self.is_directional => (x, y),
                        Direction::North => (x, y),
                        Direction::South => (-x, -y),
                        Direction::West => (y, -x),
                        Direction::East => (-y, x),
                    };
                    debug_assert!(x.abs() <= range && y.abs() <= range, "a turned cell stays in range");
                    writer.write_flag(self.is_marked(state, *layer, Cell { x: own.x + x, y: own.y + y }));
                }
            }
        }
    }

    fn is_marked(&self, state: &State, layer: Layer, cell: Cell) -> bool {
        let shelf = state.shelf_at.get(cell);
        match layer {
            Layer::Shelves => shelf.is_some_and(|shelf| shelf > 0),
            Layer::Requests => shelf.is_some_and(|shelf| shelf > 0 && state.is_requested(shelf)),
            Layer::Agents => state.agent_number(cell).is_some(),
            Layer::Goals => self.layout.goals.contains(&cell),
            Layer::Accessible => state.agent_at.get(cell) == Some(0),
        }
    }
}

/// Writes a direction as four numbers, one of which is 1. Cells without an agent have the first direction, as in the package.
#[inline]
fn write_direction(direction: Option<Direction>, writer: &mut FloatWriter<'_>) {
    let direction = direction.unwrap_or(Direction::North);
    Direction::ALL.into_iter().for_each(|other| writer.write_flag(other == direction));
}
