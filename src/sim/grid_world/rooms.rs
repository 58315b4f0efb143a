//! Worlds that are grids of rooms: walls between them, doors in these, objects in rooms.

use super::{
    grid::{Area, Id, Point, at},
    look::{Colour, Kind, Look},
    site::{Made, Site, Tries, Unmade},
    world::World,
};

/// What can be carried, in the order in which it is drawn.
pub const THINGS: [Kind; 3] = [Kind::Key, Kind::Ball, Kind::Box];

/// Tries to find a place in a room.
const TRIES: Tries = Tries::Most(1000);
/// Rounds in which doors are added until all rooms can be reached.
const MOST_ROUNDS: u32 = 5000;

/// How many rooms there are, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Cells on each side of a room, its walls included, which neighbours share.
    pub room: i32,
    /// Rooms in a row.
    pub columns: i32,
    /// Rows of rooms.
    pub rows: i32,
}

impl Shape {
    /// Columns and rows of cells.
    pub const fn size(self) -> (i32, i32) {
        ((self.room - 1) * self.columns + 1, (self.room - 1) * self.rows + 1)
    }
}

/// What is between a room and its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// A wall.
    Wall,
    /// A door.
    Door(Id),
    /// Nothing any more.
    Gap,
}

#[derive(Debug, Clone, Copy)]
struct Room {
    /// Right, down, left, up.
    passages: [Passage; 4],
    /// Where a door goes; `None` where there is no neighbour.
    door_places: [Option<Point>; 4],
    locked: bool,
}

/// A grid of rooms while it is made. A room is named by its column and row.
pub struct Rooms<'a, 'b> {
    /// The world and its draws.
    pub site: &'a mut Site<'b>,
    shape: Shape,
    rooms: Vec<Room>,
    /// What was put into rooms.
    objects: Vec<Id>,
}

/// A room's column and row.
pub type RoomAt = (i32, i32);

/// Right, down, left, up.
const NEIGHBOURS: [RoomAt; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl<'a, 'b> Rooms<'a, 'b> {
    /// Empty rooms without doors; where each door would go is drawn. The agent is in the middle for now.
    ///
    /// # Errors
    /// `Impossible` for rooms without an inside.
    pub fn new(site: &'a mut Site<'b>, shape: Shape) -> Made<Self> {
        let (width, height) = shape.size();
        site.clear(width, height);
        let empty = Room { passages: [Passage::Wall; 4], door_places: [None; 4], locked: false };
        let rooms = vec![empty; (shape.columns * shape.rows) as usize];
        let mut own = Self { site, shape, rooms, objects: Vec::new() };
        for room in own.all_by_row() {
            let area = own.area(room);
            own.site.world.grid.wall_around(area);
        }
        for (i, j) in own.all_by_row() {
            let Area { top, width, height } = own.area((i, j));
            let edge = top + at(width - 1, height - 1);
            if i + 1 < shape.columns {
                let door = at(edge.x, own.site.integer(top.y + 1, edge.y)?);
                own.room_mut((i, j)).door_places[0] = Some(door);
                own.room_mut((i + 1, j)).door_places[2] = Some(door);
            }
            if j + 1 < shape.rows {
                let door = at(own.site.integer(top.x + 1, edge.x)?, edge.y);
                own.room_mut((i, j)).door_places[1] = Some(door);
                own.room_mut((i, j + 1)).door_places[3] = Some(door);
            }
        }
        let middle = |count: i32| count / 2 * (shape.room - 1) + shape.room / 2;
        own.site.set_agent(at(middle(shape.columns), middle(shape.rows)), 0);
        Ok(own)
    }

    /// How many rooms there are.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn all_by_row(&self) -> impl Iterator<Item = RoomAt> + use<> {
        let Shape { columns, rows, .. } = self.shape;
        (0..rows).flat_map(move |j| (0..columns).map(move |i| (i, j)))
    }

    /// All rooms, column by column.
    pub fn all_by_column(&self) -> impl Iterator<Item = RoomAt> + use<> {
        let Shape { columns, rows, .. } = self.shape;
        (0..columns).flat_map(move |i| (0..rows).map(move |j| (i, j)))
    }

    fn room(&self, (i, j): RoomAt) -> &Room {
        &self.rooms[(j * self.shape.columns + i) as usize]
    }

    fn room_mut(&mut self, (i, j): RoomAt) -> &mut Room {
        &mut self.rooms[(j * self.shape.columns + i) as usize]
    }

    fn neighbour(&self, (i, j): RoomAt, side: usize) -> Option<RoomAt> {
        let (right, down) = NEIGHBOURS[side];
        self.room((i, j)).door_places[side].map(|_| (i + right, j + down))
    }

    /// The cells of a room, its walls included.
    pub fn area(&self, (i, j): RoomAt) -> Area {
        let Shape { room, .. } = self.shape;
        Area::new(at(i * (room - 1), j * (room - 1)), room, room)
    }

    /// The room that the agent is in.
    pub fn agents_room(&self) -> RoomAt {
        let place = self.site.world.agent.place;
        (place.x / (self.shape.room - 1), place.y / (self.shape.room - 1))
    }

    /// What is on the sides of a room: right, down, left, up.
    pub fn passages(&self, room: RoomAt) -> [Passage; 4] {
        self.room(room).passages
    }

    /// Any room: its column, then its row.
    ///
    /// # Errors
    /// None, as long as there are rooms.
    pub fn any_room(&mut self) -> Made<RoomAt> {
        let column = self.site.integer(0, self.shape.columns)?;
        Ok((column, self.site.integer(0, self.shape.rows)?))
    }

    /// Puts an object somewhere into a room, not next to the agent.
    ///
    /// # Errors
    /// Those of [`Site::find`].
    pub fn place(&mut self, room: RoomAt, id: Id) -> Made<()> {
        let is_next_to_agent = |world: &World, cell: Point| world.agent.place.distance(cell) < 2;
        let cell = self.site.find(self.area(room), TRIES, is_next_to_agent)?;
        self.site.world.put(cell, id);
        self.objects.push(id);
        Ok(())
    }

    /// A new object in a room; what is not said is drawn.
    ///
    /// # Errors
    /// Those of `place`.
    pub fn add_object(&mut self, room: RoomAt, kind: Option<Kind>, colour: Option<Colour>) -> Made<Id> {
        let kind = match kind {
            Some(kind) => kind,
            None => self.site.one_of(&THINGS)?,
        };
        let colour = colour.unwrap_or_else(|| self.site.colour());
        let id = self.site.object(kind, colour)?;
        self.place(room, id)?;
        Ok(id)
    }

    /// A new door on a side of a room, its colour and whether it is locked drawn unless said. Whether the room counts as locked is
    /// what its last door is.
    ///
    /// # Errors
    /// `Impossible` where that side has no neighbour or is open already.
    pub fn add_door(&mut self, room: RoomAt, side: usize, colour: Option<Colour>, locked: Option<bool>) -> Made<Id> {
        let colour = colour.unwrap_or_else(|| self.site.colour());
        let locked = locked.unwrap_or_else(|| self.site.flag());
        let (Some(place), Some(neighbour)) = (self.room(room).door_places[side], self.neighbour(room, side)) else {
            return Err(Unmade::Impossible);
        };
        if self.room(room).passages[side] != Passage::Wall {
            return Err(Unmade::Impossible);
        }
        let kind = if locked { Kind::LockedDoor } else { Kind::ClosedDoor };
        let door = self.site.put(place, kind, colour)?;
        self.room_mut(room).locked = locked;
        self.room_mut(room).passages[side] = Passage::Door(door);
        self.room_mut(neighbour).passages[(side + 2) % 4] = Passage::Door(door);
        Ok(door)
    }

    /// A side of a room that has a neighbour and no door yet.
    ///
    /// # Errors
    /// `Impossible` where it has none.
    pub fn any_free_side(&mut self, room: RoomAt) -> Made<usize> {
        loop {
            self.site.try_again()?;
            let side = self.site.integer(0, 4)? as usize;
            if self.neighbour(room, side).is_some() && self.room(room).passages[side] == Passage::Wall {
                return Ok(side);
            }
        }
    }

    /// A new door on any free side of a room.
    ///
    /// # Errors
    /// Those of `any_free_side`.
    pub fn add_any_door(&mut self, room: RoomAt, colour: Option<Colour>, locked: Option<bool>) -> Made<Id> {
        let side = self.any_free_side(room)?;
        self.add_door(room, side, colour, locked)
    }

    /// Whether a room has a neighbour on a side.
    pub fn has_neighbour(&self, room: RoomAt, side: usize) -> bool {
        self.neighbour(room, side).is_some()
    }

    /// Where the door on a side of a room goes.
    pub fn door_place(&self, room: RoomAt, side: usize) -> Option<Point> {
        self.room(room).door_places[side]
    }

    /// Takes away the wall on a side of a room.
    ///
    /// # Errors
    /// `Impossible` where there is no neighbour.
    pub fn remove_wall(&mut self, room: RoomAt, side: usize) -> Made<()> {
        let Some(neighbour) = self.neighbour(room, side) else { return Err(Unmade::Impossible) };
        let Area { top, width, height } = self.area(room);
        let (first, step, count) = match side {
            0 => (top + at(width - 1, 0), at(0, 1), height),
            1 => (top + at(0, height - 1), at(1, 0), width),
            2 => (top, at(0, 1), height),
            _ => (top, at(1, 0), width),
        };
        (1..count - 1).for_each(|k| self.site.set(first + step * k, Look::EMPTY));
        self.room_mut(room).passages[side] = Passage::Gap;
        self.room_mut(neighbour).passages[(side + 2) % 4] = Passage::Gap;
        Ok(())
    }

    /// The agent somewhere in a room, with nothing but perhaps a wall ahead of it.
    ///
    /// # Errors
    /// Those of [`Site::find`].
    pub fn place_agent(&mut self, room: RoomAt) -> Made<()> {
        loop {
            self.site.try_again()?;
            self.site.place_agent(self.area(room), TRIES)?;
            let ahead = self.site.world.grid.look(self.site.world.agent.front());
            if ahead.is_empty() || ahead.kind() == Kind::Wall {
                return Ok(());
            }
        }
    }

    /// The agent in any room.
    ///
    /// # Errors
    /// Those of `place_agent`.
    pub fn place_agent_anywhere(&mut self) -> Made<()> {
        let room = self.any_room()?;
        self.place_agent(room)
    }

    /// Adds doors that are not locked, of one of these colours each, until every room can be reached from the agent's, locked doors
    /// counting as any others.
    ///
    /// # Errors
    /// `Rejected` where that takes too long.
    pub fn connect_all(&mut self, colours: &[Colour]) -> Made<()> {
        let start = self.agents_room();
        for _ in 0..=MOST_ROUNDS {
            if self.reached_from(start) == self.rooms.len() {
                return Ok(());
            }
            let room = self.any_room()?;
            let side = self.site.integer(0, 4)? as usize;
            let Some(neighbour) = self.neighbour(room, side) else { continue };
            let is_free = self.room(room).passages[side] == Passage::Wall;
            if is_free && !self.room(room).locked && !self.room(neighbour).locked {
                let colour = self.site.one_of(colours)?;
                self.add_door(room, side, Some(colour), Some(false))?;
            }
        }
        Err(Unmade::Rejected)
    }

    fn reached_from(&self, start: RoomAt) -> usize {
        let number = |(i, j): RoomAt| (j * self.shape.columns + i) as usize;
        let mut reached = vec![false; self.rooms.len()];
        let mut frontier = vec![start];
        let mut count = 0;
        while let Some(room) = frontier.pop() {
            if !std::mem::replace(&mut reached[number(room)], true) {
                count += 1;
                let open = (0..4).filter(|side| self.room(room).passages[*side] != Passage::Wall);
                frontier.extend(open.filter_map(|side| self.neighbour(room, side)));
            }
        }
        count
    }

    /// So many objects to draw attention away, in a room or in any; no two of a kind and colour where `unique`.
    ///
    /// # Errors
    /// Those of `add_object`; `Impossible` where there are not as many kinds.
    pub fn add_distractors(&mut self, room: Option<RoomAt>, count: i32, unique: bool) -> Made<Vec<Id>> {
        let mut added = Vec::with_capacity(count.max(0) as usize);
        while (added.len() as i32) < count {
            self.site.try_again()?;
            let colour = self.site.colour();
            let kind = self.site.one_of(&THINGS)?;
            let look = Look::new(kind, colour);
            if unique && self.objects.iter().any(|id| self.site.world.object(*id).look == look) {
                continue;
            }
            let room = match room {
                Some(room) => room,
                None => self.any_room()?,
            };
            added.push(self.add_object(room, Some(kind), Some(colour))?);
        }
        Ok(added)
    }

    /// Whether the agent can get next to everything, through doors of any state.
    pub fn is_all_in_reach(&self) -> bool {
        let grid = &self.site.world.grid;
        let index = |cell: Point| (cell.y * grid.width() + cell.x) as usize;
        let mut reached = vec![false; (grid.width() * grid.height()) as usize];
        let mut frontier = vec![self.site.world.agent.place];
        while let Some(cell) = frontier.pop() {
            if !grid.area().contains(cell) || std::mem::replace(&mut reached[index(cell)], true) {
                continue;
            }
            let look = grid.look(cell);
            if look.is_empty() || look.kind().is_door() {
                frontier.extend(super::grid::WAYS.map(|way| cell + way));
            }
        }
        grid.cells().all(|cell| {
            let look = grid.look(cell);
            look.is_empty() || look.kind() == Kind::Wall || reached[index(cell)]
        })
    }

    /// Gives up this attempt unless the agent can get next to everything.
    ///
    /// # Errors
    /// `Rejected`.
    pub fn check_reach(&self) -> Made<()> {
        if self.is_all_in_reach() { Ok(()) } else { Err(Unmade::Rejected) }
    }

    /// Opens every door, locked or not.
    pub fn open_all_doors(&mut self) {
        for id in 1..=self.site.world.count() as Id {
            let object = self.site.world.object(id);
            if object.look.kind().is_door() {
                self.site.world.grid.set_look(object.place, object.look.with_kind(Kind::OpenDoor));
            }
        }
    }

    /// The colours of all doors that are locked.
    pub fn locked_colours(&self) -> Vec<Colour> {
        let doors = (1..=self.site.world.count() as Id).map(|id| self.site.world.object(id).look);
        doors.filter(|look| look.kind() == Kind::LockedDoor).map(Look::colour).collect()
    }
}
