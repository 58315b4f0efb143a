//! Generates worlds that are grids of rooms, with doors between the rooms and objects inside (minigrid's `RoomGrid`).

use super::{
    builder::{GenError, GenResult, MaxTries, WorldBuilder},
    cell::{Cell, Color, Kind},
    grid::{Area, ObjectId, Point, at},
    world::World,
};

/// Kinds of objects that the agent can carry, in the order in which minigrid draws them.
pub const OBJECT_KINDS: [Kind; 3] = [Kind::Key, Kind::Ball, Kind::Box];

/// Maximum number of attempts to place an object in a room.
const PLACE_TRIES: MaxTries = MaxTries::Limit(1000);
/// Maximum number of attempts to add doors until all rooms are connected.
const MAX_ROUNDS: u32 = 5000;

/// Number and size of the rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoomGridShape {
    /// Width and height of a room in cells, including its walls. Neighbouring rooms share a wall.
    pub room_size: i32,
    /// Number of rooms in each row.
    pub num_cols: i32,
    /// Number of rows of rooms.
    pub num_rows: i32,
}

impl RoomGridShape {
    /// Returns the number of columns and rows of the world, in cells.
    pub const fn size(self) -> (i32, i32) {
        ((self.room_size - 1) * self.num_cols + 1, (self.room_size - 1) * self.num_rows + 1)
    }
}

/// Boundary between a room and one of its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// The rooms are separated by a wall.
    Wall,
    /// The wall between the rooms contains a door, given by its object number.
    Door(ObjectId),
    /// The wall between the rooms has been removed.
    Opening,
}

#[derive(Debug, Clone, Copy)]
struct Room {
    /// Boundaries on the four sides: right, down, left, up.
    passages: [Passage; 4],
    /// Position in the room's wall at which a door can be placed, for each side; `None` if there is no neighbouring room.
    door_pos: [Option<Point>; 4],
    locked: bool,
}

/// Grid of rooms under construction. The column and the row of a room identify it.
pub struct RoomGrid<'a, 'b> {
    /// Builder of the world.
    pub builder: &'a mut WorldBuilder<'b>,
    shape: RoomGridShape,
    rooms: Vec<Room>,
    /// Objects that have been placed in rooms so far.
    objects: Vec<ObjectId>,
}

/// Column and row of a room.
pub type RoomIndex = (i32, i32);

/// Offsets of a room's four neighbours: right, down, left, up.
const NEIGHBOURS: [RoomIndex; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl<'a, 'b> RoomGrid<'a, 'b> {
    /// Creates rooms without doors, and draws a position for each possible door. The agent starts in the middle of the world.
    ///
    /// # Errors
    /// `Impossible` if the rooms are too small to have cells inside their walls.
    pub fn new(builder: &'a mut WorldBuilder<'b>, shape: RoomGridShape) -> GenResult<Self> {
        let (width, height) = shape.size();
        builder.clear(width, height);
        let empty = Room { passages: [Passage::Wall; 4], door_pos: [None; 4], locked: false };
        let rooms = vec![empty; (shape.num_cols * shape.num_rows) as usize];
        let mut grid = Self { builder, shape, rooms, objects: Vec::new() };
        for room in grid.rooms_by_row() {
            let area = grid.room_area(room);
            grid.builder.world.grid.wall_rect(area);
        }
        for (i, j) in grid.rooms_by_row() {
            let Area { top, width, height } = grid.room_area((i, j));
            let edge = top + at(width - 1, height - 1);
            if i + 1 < shape.num_cols {
                let door = at(edge.x, grid.builder.rand_int(top.y + 1, edge.y)?);
                grid.room_mut((i, j)).door_pos[0] = Some(door);
                grid.room_mut((i + 1, j)).door_pos[2] = Some(door);
            }
            if j + 1 < shape.num_rows {
                let door = at(grid.builder.rand_int(top.x + 1, edge.x)?, edge.y);
                grid.room_mut((i, j)).door_pos[1] = Some(door);
                grid.room_mut((i, j + 1)).door_pos[3] = Some(door);
            }
        }
        let middle = |count: i32| count / 2 * (shape.room_size - 1) + shape.room_size / 2;
        grid.builder.set_agent(at(middle(shape.num_cols), middle(shape.num_rows)), 0);
        Ok(grid)
    }

    /// Returns the number and size of the rooms.
    pub fn shape(&self) -> RoomGridShape {
        self.shape
    }

    fn rooms_by_row(&self) -> impl Iterator<Item = RoomIndex> + use<> {
        let RoomGridShape { num_cols, num_rows, .. } = self.shape;
        (0..num_rows).flat_map(move |j| (0..num_cols).map(move |i| (i, j)))
    }

    /// Returns the indices of all rooms, column by column.
    pub fn rooms_by_column(&self) -> impl Iterator<Item = RoomIndex> + use<> {
        let RoomGridShape { num_cols, num_rows, .. } = self.shape;
        (0..num_cols).flat_map(move |i| (0..num_rows).map(move |j| (i, j)))
    }

    fn room(&self, (i, j): RoomIndex) -> &Room {
        &self.rooms[(j * self.shape.num_cols + i) as usize]
    }

    fn room_mut(&mut self, (i, j): RoomIndex) -> &mut Room {
        &mut self.rooms[(j * self.shape.num_cols + i) as usize]
    }

    fn neighbour(&self, (i, j): RoomIndex, side: usize) -> Option<RoomIndex> {
        let (right, down) = NEIGHBOURS[side];
        self.room((i, j)).door_pos[side].map(|_| (i + right, j + down))
    }

    /// Returns the area of a room, including its walls.
    pub fn room_area(&self, (i, j): RoomIndex) -> Area {
        let RoomGridShape { room_size, .. } = self.shape;
        Area::new(at(i * (room_size - 1), j * (room_size - 1)), room_size, room_size)
    }

    /// Returns the index of the room in which the agent is.
    pub fn agent_room(&self) -> RoomIndex {
        let pos = self.builder.world.agent.pos;
        (pos.x / (self.shape.room_size - 1), pos.y / (self.shape.room_size - 1))
    }

    /// Returns the boundaries on the four sides of a room: right, down, left, up.
    pub fn passages(&self, room: RoomIndex) -> [Passage; 4] {
        self.room(room).passages
    }

    /// Draws a random room: first its column, then its row.
    ///
    /// # Errors
    /// `Impossible` if there are no rooms.
    pub fn rand_room(&mut self) -> GenResult<RoomIndex> {
        let column = self.builder.rand_int(0, self.shape.num_cols)?;
        Ok((column, self.builder.rand_int(0, self.shape.num_rows)?))
    }

    /// Places an object at a random position in a room, but not next to the agent.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_in_room(&mut self, room: RoomIndex, id: ObjectId) -> GenResult<()> {
        let is_next_to_agent = |world: &World, pos: Point| world.agent.pos.manhattan_distance(pos) < 2;
        let pos = self.builder.find_free_pos(self.room_area(room), PLACE_TRIES, is_next_to_agent)?;
        self.builder.world.put_obj(pos, id);
        self.objects.push(id);
        Ok(())
    }

    /// Places a new object in a room. The object's kind and colour are drawn at random if they are `None`.
    ///
    /// # Errors
    /// `Rejected` after too many attempts; `Impossible` if no position is free, or if the world already has the maximum number
    /// of objects.
    pub fn add_object(&mut self, room: RoomIndex, kind: Option<Kind>, color: Option<Color>) -> GenResult<ObjectId> {
        let kind = match kind {
            Some(kind) => kind,
            None => self.builder.rand_elem(&OBJECT_KINDS)?,
        };
        let color = color.unwrap_or_else(|| self.builder.rand_color());
        let id = self.builder.new_object(kind, color)?;
        self.place_in_room(room, id)?;
        Ok(id)
    }

    /// Places a new door on a side of a room. Colour and locked state of the door are drawn at random if they are `None`.
    ///
    /// The last door added to a room decides whether the room counts as locked.
    ///
    /// # Errors
    /// `Impossible` if the side has no neighbouring room, or already has a door or an opening.
    pub fn add_door(&mut self, room: RoomIndex, side: usize, color: Option<Color>, locked: Option<bool>) -> GenResult<ObjectId> {
        let color = color.unwrap_or_else(|| self.builder.rand_color());
        let locked = locked.unwrap_or_else(|| self.builder.rand_bool());
        let (Some(pos), Some(neighbour)) = (self.room(room).door_pos[side], self.neighbour(room, side)) else {
            return Err(GenError::Impossible);
        };
        if self.room(room).passages[side] != Passage::Wall {
            return Err(GenError::Impossible);
        }
        let kind = if locked { Kind::LockedDoor } else { Kind::ClosedDoor };
        let door = self.builder.put_new(pos, kind, color)?;
        self.room_mut(room).locked = locked;
        self.room_mut(room).passages[side] = Passage::Door(door);
        self.room_mut(neighbour).passages[(side + 2) % 4] = Passage::Door(door);
        Ok(door)
    }

    /// Draws a random side (0 right, 1 down, 2 left, 3 up) of a room that has a neighbouring room and no door.
    ///
    /// # Errors
    /// `Impossible` if there is no such side.
    pub fn rand_free_side(&mut self, room: RoomIndex) -> GenResult<usize> {
        loop {
            self.builder.count_attempt()?;
            let side = self.builder.rand_int(0, 4)? as usize;
            if self.neighbour(room, side).is_some() && self.room(room).passages[side] == Passage::Wall {
                return Ok(side);
            }
        }
    }

    /// Places a new door on a random free side of a room.
    ///
    /// # Errors
    /// `Impossible` if no side of the room is free.
    pub fn add_rand_door(&mut self, room: RoomIndex, color: Option<Color>, locked: Option<bool>) -> GenResult<ObjectId> {
        let side = self.rand_free_side(room)?;
        self.add_door(room, side, color, locked)
    }

    /// Returns whether a room has a neighbouring room on a side.
    pub fn has_neighbour(&self, room: RoomIndex, side: usize) -> bool {
        self.neighbour(room, side).is_some()
    }

    /// Returns the position at which a door can be placed on a side of a room; `None` if there is no neighbouring room.
    pub fn door_pos(&self, room: RoomIndex, side: usize) -> Option<Point> {
        self.room(room).door_pos[side]
    }

    /// Removes the wall on a side of a room.
    ///
    /// # Errors
    /// `Impossible` if there is no neighbouring room.
    pub fn remove_wall(&mut self, room: RoomIndex, side: usize) -> GenResult<()> {
        let Some(neighbour) = self.neighbour(room, side) else { return Err(GenError::Impossible) };
        let Area { top, width, height } = self.room_area(room);
        let (first, step, count) = match side {
            0 => (top + at(width - 1, 0), at(0, 1), height),
            1 => (top + at(0, height - 1), at(1, 0), width),
            2 => (top, at(0, 1), height),
            _ => (top, at(1, 0), width),
        };
        (1..count - 1).for_each(|k| self.builder.set(first + step * k, Cell::EMPTY));
        self.room_mut(room).passages[side] = Passage::Opening;
        self.room_mut(neighbour).passages[(side + 2) % 4] = Passage::Opening;
        Ok(())
    }

    /// Places the agent at a random position in a room, facing an empty cell or a wall.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_agent(&mut self, room: RoomIndex) -> GenResult<()> {
        loop {
            self.builder.count_attempt()?;
            self.builder.place_agent(self.room_area(room), PLACE_TRIES)?;
            let ahead = self.builder.world.grid.get(self.builder.world.agent.front_pos());
            if ahead.is_empty() || ahead.kind() == Kind::Wall {
                return Ok(());
            }
        }
    }

    /// Places the agent in a random room.
    ///
    /// # Errors
    /// `Rejected` after too many attempts, `Impossible` if no position is free.
    pub fn place_agent_anywhere(&mut self) -> GenResult<()> {
        let room = self.rand_room()?;
        self.place_agent(room)
    }

    /// Adds unlocked doors until every room is connected to the agent's room. Existing locked doors also count as connections.
    ///
    /// Draws the colour of each door from `colors`.
    ///
    /// # Errors
    /// `Rejected` after more than 5000 attempts.
    pub fn connect_all(&mut self, colors: &[Color]) -> GenResult<()> {
        let start = self.agent_room();
        for _ in 0..=MAX_ROUNDS {
            if self.num_reachable_rooms(start) == self.rooms.len() {
                return Ok(());
            }
            let room = self.rand_room()?;
            let side = self.builder.rand_int(0, 4)? as usize;
            let Some(neighbour) = self.neighbour(room, side) else { continue };
            let is_free = self.room(room).passages[side] == Passage::Wall;
            if is_free && !self.room(room).locked && !self.room(neighbour).locked {
                let color = self.builder.rand_elem(colors)?;
                self.add_door(room, side, Some(color), Some(false))?;
            }
        }
        Err(GenError::Rejected)
    }

    fn num_reachable_rooms(&self, start: RoomIndex) -> usize {
        let number = |(i, j): RoomIndex| (j * self.shape.num_cols + i) as usize;
        let mut reached = vec![false; self.rooms.len()];
        let mut frontier = vec![start];
        let mut count = 0;
        while let Some(room) = frontier.pop() {
            if !std::mem::replace(&mut reached[number(room)], true) {
                count += 1;
                let open_sides = (0..4).filter(|side| self.room(room).passages[*side] != Passage::Wall);
                frontier.extend(open_sides.filter_map(|side| self.neighbour(room, side)));
            }
        }
        count
    }

    /// Adds `count` distractors (objects without a role in the mission) to a room. If `room` is `None`, the room of each
    /// distractor is drawn at random.
    ///
    /// If `unique` is set, no two objects have the same kind and colour.
    ///
    /// # Errors
    /// `Rejected` after too many attempts; `Impossible` if no position is free, if the world has too many objects, or if there
    /// are fewer than `count` combinations of kind and colour.
    pub fn add_distractors(&mut self, room: Option<RoomIndex>, count: i32, unique: bool) -> GenResult<Vec<ObjectId>> {
        let mut added = Vec::with_capacity(count.max(0) as usize);
        while (added.len() as i32) < count {
            self.builder.count_attempt()?;
            let color = self.builder.rand_color();
            let kind = self.builder.rand_elem(&OBJECT_KINDS)?;
            let cell = Cell::new(kind, color);
            if unique && self.objects.iter().any(|id| self.builder.world.object(*id).cell == cell) {
                continue;
            }
            let room = match room {
                Some(room) => room,
                None => self.rand_room()?,
            };
            added.push(self.add_object(room, Some(kind), Some(color))?);
        }
        Ok(added)
    }

    /// Returns whether the agent can reach a cell next to every object without moving any object. Doors of all states count as
    /// open.
    pub fn are_objs_reachable(&self) -> bool {
        let grid = &self.builder.world.grid;
        let index = |pos: Point| (pos.y * grid.width() + pos.x) as usize;
        let mut reached = vec![false; (grid.width() * grid.height()) as usize];
        let mut frontier = vec![self.builder.world.agent.pos];
        while let Some(pos) = frontier.pop() {
            if !grid.area().contains(pos) || std::mem::replace(&mut reached[index(pos)], true) {
                continue;
            }
            let cell = grid.get(pos);
            if cell.is_empty() || cell.kind().is_door() {
                frontier.extend(super::grid::DIR_TO_VEC.map(|vec| pos + vec));
            }
        }
        grid.positions().all(|pos| {
            let cell = grid.get(pos);
            cell.is_empty() || cell.kind() == Kind::Wall || reached[index(pos)]
        })
    }

    /// Returns an error, so that the world is generated again, unless the agent can reach a cell next to every object.
    ///
    /// # Errors
    /// `Rejected` if the agent cannot reach one of the objects.
    pub fn check_objs_reachable(&self) -> GenResult<()> {
        if self.are_objs_reachable() { Ok(()) } else { Err(GenError::Rejected) }
    }

    /// Opens every door, including locked doors.
    pub fn open_all_doors(&mut self) {
        for id in 1..=self.builder.world.num_objects() as ObjectId {
            let object = self.builder.world.object(id);
            if object.cell.kind().is_door() {
                self.builder.world.grid.set_cell(object.cur_pos, object.cell.with_kind(Kind::OpenDoor));
            }
        }
    }

    /// Returns the colours of all locked doors.
    pub fn locked_door_colors(&self) -> Vec<Color> {
        let doors = (1..=self.builder.world.num_objects() as ObjectId).map(|id| self.builder.world.object(id).cell);
        doors.filter(|cell| cell.kind() == Kind::LockedDoor).map(Cell::color).collect()
    }
}
