//! Serialized form of a world, which is checked when it is loaded.

use serde::{Deserialize, Serialize};

use super::{Area, Kind, MAX_AREA_SIDE, Object, World};
use crate::vocabulary::Material;

/// Serialized world, without the data that can be computed from it.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedWorld {
    area: Area,
    /// Material of each cell.
    cells: Vec<u8>,
    /// Objects in the order in which they were added to the world.
    objects: Vec<Object>,
    /// Chunks that have contained an object, in the order of their first objects. Each chunk lists its objects in order of
    /// arrival, as indices into `objects`.
    chunks: Vec<(u16, Vec<u16>)>,
}

impl From<World> for SavedWorld {
    fn from(world: World) -> Self {
        let mut ranks = vec![0; world.objects.len()];
        for (rank, number) in world.order.iter().enumerate() {
            ranks[usize::from(*number)] = rank as u16;
        }
        let members = |chunk: &u16| {
            let members = &world.chunks[usize::from(*chunk)].members;
            (*chunk, members.iter().map(|number| ranks[usize::from(*number)]).collect())
        };
        Self {
            area: world.area,
            cells: world.cells.iter().map(|cell| *cell as u8).collect(),
            objects: world.order.iter().map(|number| *world.object(*number)).collect(),
            chunks: world.used_chunks.iter().map(members).collect(),
        }
    }
}

impl SavedWorld {
    /// Returns whether all sizes are valid. The check comes before memory for the world is allocated.
    fn has_valid_sizes(&self) -> bool {
        let sides = 1..=MAX_AREA_SIDE;
        sides.contains(&self.area.width)
            && sides.contains(&self.area.height)
            && self.cells.len() == self.area.cells()
            && self.objects.len() <= self.cells.len().min(usize::from(u16::MAX))
            && self.chunks.len() <= self.area.num_chunks()
    }
}

impl TryFrom<SavedWorld> for World {
    type Error = &'static str;

    fn try_from(saved: SavedWorld) -> Result<Self, Self::Error> {
        if !saved.has_valid_sizes() {
            return Err("a world has a cell for each place of its area, and no more objects than cells");
        }
        let mut world = Self::new(saved.area);
        let materials: Option<Vec<_>> = saved.cells.iter().map(|number| Material::from_number(*number)).collect();
        world.set_materials(materials.ok_or("a material is a number from 0 to 12")?.into_iter());
        let mut objects = vec![None; saved.objects.len()];
        for (chunk, members) in &saved.chunks {
            let used = world.chunks.get_mut(usize::from(*chunk)).ok_or("a chunk lies in the area")?;
            if std::mem::replace(&mut used.is_used, true) {
                return Err("a chunk is listed once");
            }
            world.used_chunks.push(*chunk);
            used.members.clone_from(members);
            for member in members {
                let listed = objects.get_mut(usize::from(*member)).ok_or("a chunk lists objects that exist")?;
                if listed.replace(*chunk).is_some() {
                    return Err("an object is in one chunk");
                }
            }
        }
        for (number, (object, chunk)) in saved.objects.into_iter().zip(objects).enumerate() {
            let is_inside = world.area.contains(object.pos);
            if !is_inside || object.is_removed || chunk.map(usize::from) != Some(world.area.chunk_of(object.pos)) {
                return Err("an object is in the chunk of its cell");
            }
            if !(0..=Object::new(object.kind, object.pos).health).contains(&object.health) {
                return Err("health is at most that of a new object");
            }
            if (object.kind == Kind::Player) != (number == 0) {
                return Err("the player is the first object, and no other");
            }
            let occupant = &mut world.occupants[world.area.index(object.pos)];
            if std::mem::replace(occupant, number as u16 + 1) != 0 {
                return Err("a cell has one object at most");
            }
            world.objects.push(object);
            world.order.push(number as u16);
        }
        Ok(world)
    }
}
