//! World of an episode: cells, objects, and chunks. A chunk records the objects and the materials in its cells.

mod balance;
mod generation;
mod object;
mod saved;

use serde::{Deserialize, Serialize};

use crate::vocabulary::Material;
use saved::SavedWorld;

pub use object::{Direction, Kind, Object, Point};

/// Width and height of a chunk in cells. The chunks at the right and lower edges of the world may be smaller.
const CHUNK_SIDE: i32 = 12;

/// Maximum number of columns and of rows of a world. A cell contains at most one object, so 16-bit integers suffice as indices
/// of objects.
pub const MAX_AREA_SIDE: i32 = 256;

/// Size of a world in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Number of columns, from 1 to [`MAX_AREA_SIDE`].
    pub width: i32,
    /// Number of rows, from 1 to [`MAX_AREA_SIDE`].
    pub height: i32,
}

impl Area {
    /// Returns the number of cells.
    pub fn cells(self) -> usize {
        (self.width * self.height) as usize
    }

    /// Returns the cell where the player starts.
    pub fn center(self) -> Point {
        Point { x: self.width / 2, y: self.height / 2 }
    }

    fn contains(self, pos: Point) -> bool {
        (0..self.width).contains(&pos.x) && (0..self.height).contains(&pos.y)
    }

    /// Returns the index of a cell. Cells are numbered column by column, because the package crafter stores its maps in this
    /// order.
    #[inline]
    fn index(self, pos: Point) -> usize {
        (pos.x * self.height + pos.y) as usize
    }

    fn chunk_rows(self) -> i32 {
        self.height.div_euclid(CHUNK_SIDE) + i32::from(self.height % CHUNK_SIDE != 0)
    }

    fn num_chunks(self) -> usize {
        let chunk_columns = self.width.div_euclid(CHUNK_SIDE) + i32::from(self.width % CHUNK_SIDE != 0);
        (chunk_columns * self.chunk_rows()) as usize
    }

    #[inline]
    fn chunk_of(self, pos: Point) -> usize {
        (pos.x / CHUNK_SIDE * self.chunk_rows() + pos.y / CHUNK_SIDE) as usize
    }
}

/// Square of cells, with its objects and the number of cells of each material.
#[derive(Debug, Clone, Default)]
struct Chunk {
    /// Numbers of the objects in the chunk, in the order in which they entered the chunk.
    members: Vec<u16>,
    materials: [u16; Material::COUNT],
    /// Whether the chunk has ever contained an object. Creatures are balanced only in such chunks.
    is_used: bool,
}

/// World of an episode.
///
/// Objects are referred to by numbers: their indices in `objects`. [`World::sweep`] makes the numbers of removed objects
/// available for new objects.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "SavedWorld", into = "SavedWorld")]
pub struct World {
    area: Area,
    cells: Vec<Material>,
    /// Number of the object in each cell, plus 1; 0 for a cell without an object.
    occupants: Vec<u16>,
    objects: Vec<Object>,
    /// Numbers of all objects in the order in which they were added. Objects are updated in this order.
    order: Vec<u16>,
    free_numbers: Vec<u16>,
    chunks: Vec<Chunk>,
    /// Indices of chunks that have contained an object, in the order of their first objects. Chunks are balanced in this order.
    used_chunks: Vec<u16>,
}

impl World {
    /// Creates a world without materials and objects.
    pub fn new(area: Area) -> Self {
        let mut world = Self {
            area,
            cells: vec![Material::None; area.cells()],
            occupants: vec![0; area.cells()],
            objects: Vec::new(),
            order: Vec::new(),
            free_numbers: Vec::new(),
            chunks: vec![Chunk::default(); area.num_chunks()],
            used_chunks: Vec::new(),
        };
        world.set_materials(std::iter::repeat_n(Material::None, area.cells()));
        world
    }

    /// Removes all objects.
    pub fn clear(&mut self) {
        self.occupants.fill(0);
        self.objects.clear();
        self.order.clear();
        self.free_numbers.clear();
        for chunk in &mut self.chunks {
            chunk.members.clear();
            chunk.is_used = false;
        }
        self.used_chunks.clear();
    }

    /// Returns the size of the world in cells.
    pub fn area(&self) -> Area {
        self.area
    }

    /// Returns the material of a cell; `Material::None` if the cell is outside of the world.
    #[inline]
    pub fn material(&self, pos: Point) -> Material {
        if self.area.contains(pos) { self.cells[self.area.index(pos)] } else { Material::None }
    }

    /// Replaces all materials by `materials`, which are in the order of cell indices.
    fn set_materials(&mut self, materials: impl Iterator<Item = Material>) {
        for chunk in &mut self.chunks {
            chunk.materials = [0; Material::COUNT];
        }
        let area = self.area;
        let chunks = (0..area.width).flat_map(|x| (0..area.height).map(move |y| area.chunk_of(Point { x, y })));
        for ((cell, material), chunk) in self.cells.iter_mut().zip(materials).zip(chunks) {
            *cell = material;
            self.chunks[chunk].materials[material as usize] += 1;
        }
    }

    /// Replaces the material of a cell.
    ///
    /// # Panics
    /// If the cell is outside of the world.
    pub fn set_material(&mut self, pos: Point, material: Material) {
        let counts = &mut self.chunks[self.area.chunk_of(pos)].materials;
        let cell = &mut self.cells[self.area.index(pos)];
        counts[*cell as usize] -= 1;
        counts[material as usize] += 1;
        *cell = material;
    }

    /// Returns the number of the object in a cell; `None` if the cell has none.
    #[inline]
    pub fn occupant(&self, pos: Point) -> Option<u16> {
        if self.area.contains(pos) { self.occupants[self.area.index(pos)].checked_sub(1) } else { None }
    }

    /// Returns the object with the number `number`.
    #[inline]
    pub fn object(&self, number: u16) -> &Object {
        &self.objects[usize::from(number)]
    }

    /// Returns the object with the number `number`, mutably.
    #[inline]
    pub fn object_mut(&mut self, number: u16) -> &mut Object {
        &mut self.objects[usize::from(number)]
    }

    /// Returns the number of the object at position `rank` in the order in which objects were added; `None` if there are fewer
    /// objects.
    #[inline]
    pub fn nth_object(&self, rank: usize) -> Option<u16> {
        self.order.get(rank).copied()
    }

    /// Returns the number of objects, including those that were removed since the last [`World::sweep`].
    pub fn num_objects(&self) -> usize {
        self.order.len()
    }

    /// Adds an object in its cell, which must be free, and returns the object's number.
    pub fn add(&mut self, object: Object) -> u16 {
        let pos = object.pos;
        let number = match self.free_numbers.pop() {
            Some(number) => {
                self.objects[usize::from(number)] = object;
                number
            }
            None => {
                self.objects.push(object);
                (self.objects.len() - 1) as u16
            }
        };
        self.order.push(number);
        self.occupants[self.area.index(pos)] = number + 1;
        self.enter_chunk(number, pos);
        number
    }

    fn enter_chunk(&mut self, number: u16, pos: Point) {
        let index = self.area.chunk_of(pos);
        let chunk = &mut self.chunks[index];
        if !chunk.is_used {
            chunk.is_used = true;
            self.used_chunks.push(index as u16);
        }
        chunk.members.push(number);
    }

    fn leave_chunk(&mut self, number: u16, pos: Point) {
        self.chunks[self.area.chunk_of(pos)].members.retain(|member| *member != number);
    }

    /// Removes an object. The object's number stays valid until [`World::sweep`]; a second removal has no effect.
    pub fn remove(&mut self, number: u16) {
        let object = &mut self.objects[usize::from(number)];
        if object.is_removed {
            return;
        }
        object.is_removed = true;
        let pos = object.pos;
        self.occupants[self.area.index(pos)] = 0;
        self.leave_chunk(number, pos);
    }

    /// Makes the numbers of removed objects available for new objects; called after each step.
    pub fn sweep(&mut self) {
        let (objects, free) = (&self.objects, &mut self.free_numbers);
        self.order.retain(|number| {
            let is_removed = objects[usize::from(*number)].is_removed;
            if is_removed {
                free.push(*number);
            }
            !is_removed
        });
    }

    /// Moves an object to a free cell. An object that has been removed does not move.
    pub fn move_object(&mut self, number: u16, to: Point) {
        let area = self.area;
        let object = &mut self.objects[usize::from(number)];
        if object.is_removed {
            return;
        }
        let from = object.pos;
        object.pos = to;
        self.occupants[area.index(from)] = 0;
        self.occupants[area.index(to)] = number + 1;
        if area.chunk_of(from) != area.chunk_of(to) {
            self.leave_chunk(number, from);
            self.enter_chunk(number, to);
        }
    }

    /// Returns whether `pos` or one of its eight neighbours has the given material.
    ///
    /// The package reads a numpy slice that starts at `x - 1` and `y - 1`, where -1 is the last index. So for positions in the
    /// first column or row, the slice is empty and the result is false if the world has more than two columns and rows.
    pub fn is_near(&self, pos: Point, material: Material) -> bool {
        let range = |at: i32, length: i32| {
            let first = if at == 0 { length - 1 } else { at - 1 };
            first..(at + 2).min(length)
        };
        range(pos.x, self.area.width).any(|x| range(pos.y, self.area.height).any(|y| self.material(Point { x, y }) == material))
    }

    /// Writes the semantic map: the material of each cell, or the number (13 or more) of the kind of the object in the cell.
    /// `out` has a byte for each cell, column by column.
    ///
    /// # Panics
    /// If `out` has fewer bytes than the world has cells.
    pub fn semantic(&self, out: &mut [u8]) {
        let out = &mut out[..self.cells.len()];
        for (out, cell) in out.iter_mut().zip(&self.cells) {
            *out = *cell as u8;
        }
        for number in &self.order {
            let object = self.object(*number);
            out[self.area.index(object.pos)] = Material::COUNT as u8 + object.kind.rank();
        }
    }
}
