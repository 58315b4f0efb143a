//! Generates mazes by Kruskal's algorithm.

use std::collections::BTreeSet;

use crate::grid::Grid;
use crate::object_ids::{AGENT_OBJ, DOOR_OBJ, EXIT_OBJ, INVALID_OBJ, KEY_OBJ, SPACE, WALL_OBJ};
use crate::random::RandGen;

/// Number of cells between the border of the grid and the maze.
const MAZE_OFFSET: i32 = 1;
/// Object type that no cell has, so that a search for it visits all reachable cells.
const NO_TYPE: i32 = -999;

/// Generator of a square maze, with a border of one cell around it.
pub(crate) struct MazeGen<'a> {
    rand_gen: &'a mut RandGen,
    maze_dim: i32,
    array_dim: i32,
    grid: Grid,
    /// Indices of the passages, in the order in which they were opened; -1 for passages on which an object has been placed.
    free_cells: Vec<i32>,
}

impl<'a> MazeGen<'a> {
    /// Creates the generator of a maze that is `maze_dim` cells wide and high, an odd number.
    pub fn new(rand_gen: &'a mut RandGen, maze_dim: i32) -> Self {
        let array_dim = maze_dim + 2 * MAZE_OFFSET;
        Self { rand_gen, maze_dim, array_dim, grid: Grid::default(), free_cells: Vec::new() }
    }

    /// Returns the object type of a cell of the maze.
    pub fn cell(&self, x: i32, y: i32) -> i32 {
        self.grid.get(x + MAZE_OFFSET, y + MAZE_OFFSET).unwrap_or(INVALID_OBJ)
    }

    /// Generates a maze.
    pub fn generate_maze(&mut self) {
        let dim = self.maze_dim;
        self.grid.resize(self.array_dim, self.array_dim, WALL_OBJ);
        self.grid.set(MAZE_OFFSET, MAZE_OFFSET, 0);
        self.free_cells.clear();
        let mut is_free = vec![false; (dim * dim) as usize];
        let mut set_of: Vec<usize> = (0..is_free.len()).collect();
        let mut members: Vec<Vec<usize>> = set_of.iter().map(|cell| vec![*cell]).collect();
        let mut walls = self.walls();
        while !walls.is_empty() {
            let [x1, y1, x2, y2] = walls.remove(self.rand_gen.index(walls.len()));
            let cell = |x: i32, y: i32| (dim * y + x) as usize;
            let middle = ((x1 + x2) / 2, (y1 + y2) / 2);
            let (from, to) = (set_of[cell(x1, y1)], set_of[cell(x2, y2)]);
            if self.cell(middle.0, middle.1) != WALL_OBJ || from == to {
                continue;
            }
            for (x, y) in [(x1, y1), middle, (x2, y2)] {
                self.grid.set(x + MAZE_OFFSET, y + MAZE_OFFSET, SPACE);
                if !std::mem::replace(&mut is_free[cell(x, y)], true) {
                    self.free_cells.push(dim * y + x);
                }
            }
            let mut moved = members[from].clone();
            moved.push(cell(middle.0, middle.1));
            moved.iter().for_each(|cell| set_of[*cell] = to);
            members[to].append(&mut moved);
        }
    }

    /// Returns all walls between two cells, the vertical walls first.
    fn walls(&self) -> Vec<[i32; 4]> {
        let dim = self.maze_dim;
        let inner = || (1..dim - 1).step_by(2);
        let outer = || (0..dim).step_by(2);
        let vertical = inner().flat_map(|x| outer().map(move |y| [x - 1, y, x + 1, y]));
        let horizontal = outer().flat_map(|x| inner().map(move |y| [x, y - 1, x, y + 1]));
        vertical.chain(horizontal).collect()
    }

    /// Generates a maze without dead ends.
    pub fn generate_maze_no_dead_ends(&mut self) {
        self.generate_maze();
        for index in 0..self.array_dim * self.array_dim {
            if self.inner_cell(index) == SPACE && self.neighbors(index, SPACE).len() == 1 {
                let walls = self.neighbors(index, WALL_OBJ);
                if !walls.is_empty() {
                    let wall = self.rand_gen.choose_one(&walls);
                    self.set_index(wall, SPACE);
                }
            }
        }
    }

    /// Generates a maze with locked doors, an agent and an exit. Each key can be reached without passing its door.
    pub fn generate_maze_with_doors(&mut self, num_doors: i32) {
        self.generate_maze();
        let forks: Vec<i32> = (0..self.array_dim * self.array_dim)
            .filter(|index| self.inner_cell(*index) == SPACE && self.neighbors(*index, SPACE).len() > 2)
            .collect();
        let doors = self.rand_gen.choose_n(&forks, num_doors as usize);
        doors.iter().for_each(|door| self.set_index(*door, DOOR_OBJ));
        let spaces: Vec<i32> = (0..self.array_dim * self.array_dim).filter(|index| self.inner_cell(*index) == SPACE).collect();
        let agent = loop {
            let cell = self.rand_gen.choose_one(&spaces);
            if self.neighbors(cell, DOOR_OBJ).is_empty() {
                break cell;
            }
        };
        self.set_index(agent, AGENT_OBJ);
        self.place_keys(agent, doors.len() as i32);
    }

    /// Numbers the doors in the order of their distance from the agent. Places a key in front of each door, and the exit behind
    /// all doors.
    fn place_keys(&mut self, agent: i32, num_doors: i32) {
        let mut reached = BTreeSet::from([agent]);
        for door in 0..=num_doors {
            let mut new = BTreeSet::new();
            let found = (door < num_doors).then(|| self.expand_to_type(&reached, &mut new, DOOR_OBJ));
            if let Some(found) = found {
                self.set_index(found, DOOR_OBJ + door + 1);
                reached.extend(&new);
            }
            self.expand_to_type(&reached, &mut new, NO_TYPE);
            let cells: Vec<i32> = new.iter().copied().collect();
            let cell = self.rand_gen.choose_one(&cells);
            self.set_index(cell, if door == num_doors { EXIT_OBJ } else { KEY_OBJ + door + 1 });
            reached.extend(new);
            reached.extend(found);
        }
    }

    /// Searches the maze from the cells `reached` for a cell of object type `kind`, and adds the visited cells to `new`.
    /// Returns the index of the found cell; -1 if there is none.
    fn expand_to_type(&self, reached: &BTreeSet<i32>, new: &mut BTreeSet<i32>, kind: i32) -> i32 {
        let mut current = reached.clone();
        while !current.is_empty() {
            let mut next = BTreeSet::new();
            for cell in current {
                for space in self.neighbors(cell, SPACE) {
                    if !reached.contains(&space) && new.insert(space) {
                        next.insert(space);
                    }
                }
                if let Some(found) = self.neighbors(cell, kind).first() {
                    return *found;
                }
            }
            current = next;
        }
        -1
    }

    /// Places objects of consecutive types, starting with `start_obj`, on random passages. The first passage stays free.
    pub fn place_objects(&mut self, start_obj: i32, num_objs: i32) {
        for object in start_obj..start_obj + num_objs {
            let slot = loop {
                let slot = self.rand_gen.index(self.free_cells.len());
                if self.free_cells[slot] > 0 {
                    break slot;
                }
            };
            let cell = std::mem::replace(&mut self.free_cells[slot], -1);
            self.grid.set(cell % self.maze_dim + MAZE_OFFSET, cell / self.maze_dim + MAZE_OFFSET, object);
        }
    }

    fn set_index(&mut self, index: i32, kind: i32) {
        self.grid.cells[index as usize] = kind;
    }

    /// Returns the object type of a cell of the maze, by index. Cells of the border have an invalid type.
    fn inner_cell(&self, index: i32) -> i32 {
        let (x, y) = (index % self.array_dim, index / self.array_dim);
        let is_inside = |at: i32| (1..self.array_dim - 1).contains(&at);
        if is_inside(x) && is_inside(y) { self.grid.cells[index as usize] } else { INVALID_OBJ }
    }

    /// Returns the neighbors of a cell that have the object type `kind`, in the order left, below, above, right.
    fn neighbors(&self, index: i32, kind: i32) -> Vec<i32> {
        let dim = self.array_dim;
        [-1, -dim, dim, 1].into_iter().map(|step| index + step).filter(|next| self.inner_cell(*next) == kind).collect()
    }
}
