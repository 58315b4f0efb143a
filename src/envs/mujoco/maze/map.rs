//! Maps of mazes: walls, and the cells in which goals and agents may be placed (Gymnasium-Robotics' `maps.py` and `Maze`).

use std::fmt::Write;

use crate::vector::distance_xy;
use envpool_rs_engine::{Error, OptionSpec, Options, ResetOptions, Result, Value};
use envpool_rs_numeric::random::Generator;

/// Names of the built-in maps, with their rows from top to bottom. A cell is `1` for a wall and `0` for an empty cell. `g`
/// marks a cell in which goals may lie, `r` a cell in which agents may start, and `c` a cell for goals and starts.
const MAPS: [(&str, &str); 10] = [
    ("OPEN", "1111111/1000001/1000001/1000001/1111111"),
    ("OPEN_DIVERSE_G", "1111111/1rgggg1/1ggggg1/1ggggg1/1111111"),
    ("OPEN_DIVERSE_GR", "1111111/1ccccc1/1ccccc1/1ccccc1/1111111"),
    ("U_MAZE", "11111/10001/11101/10001/11111"),
    ("MEDIUM_MAZE", "11111111/10011001/10010001/11000111/10010001/10100101/10001001/11111111"),
    ("MEDIUM_MAZE_DIVERSE_G", "11111111/1r011001/100100g1/11000111/10010001/1g100101/10001g01/11111111"),
    ("MEDIUM_MAZE_DIVERSE_GR", "11111111/1c011001/100100c1/11000111/10010001/1c100101/10001c01/11111111"),
    (
        "LARGE_MAZE",
        "111111111111/100001000001/101101010101/100000010001/101111011101/100101000001/110101010111/100100010001/111111111111",
    ),
    (
        "LARGE_MAZE_DIVERSE_G",
        "111111111111/1r0001g00001/101101010101/10000g0100g1/101111011101/10g101000001/110101010111/1001g0g10g01/111111111111",
    ),
    (
        "LARGE_MAZE_DIVERSE_GR",
        "111111111111/1c0001c00001/101101010101/10000c0100c1/101111011101/10c101000001/110101010111/1001c0c10c01/111111111111",
    ),
];
/// Maximum number of rows of a map, and of cells in a row.
const MAX_SIDE: usize = 64;
/// Distance between agent and goal in metres up to which the goal counts as reached.
pub const GOAL_RADIUS: f64 = 0.45;

/// Position in the horizontal plane: x and y in metres.
pub type Point = [f64; 2];

/// Maze: its walls, and the cells in which goals may lie and agents may start.
#[derive(Debug, Clone, PartialEq)]
pub struct Maze {
    /// Rows of the map, from top to bottom, with the characters of [`MAPS`].
    pub rows: Vec<String>,
    /// Side length of a cell in metres.
    pub scale: f64,
    /// Height of the walls, as a multiple of `scale`.
    height: f64,
    /// Maximum distance of a goal or start from the centre of its cell along each axis, as a multiple of `scale`.
    noise: f64,
    /// Smallest allowed distance in metres between the centres of the start cell and the goal cell, before noise is added.
    min_distance: f64,
    /// Centres of the cells in which goals may lie.
    pub goals: Vec<Point>,
    starts: Vec<Point>,
}

/// Names of the reset option `goal_cell`: the row and the column of the goal's cell.
pub const GOAL_CELL: [&str; 2] = ["goal_cell[0]", "goal_cell[1]"];
/// Names of the reset option `reset_cell`: the row and the column of the agent's cell.
pub const RESET_CELL: [&str; 2] = ["reset_cell[0]", "reset_cell[1]"];

/// Returns the maze options, with defaults of the side length of cells and the height of walls.
pub fn options(scale: f64, height: f64) -> Vec<OptionSpec> {
    let positive = f64::MIN_POSITIVE..=1e6;
    vec![
        OptionSpec::new(
            "maze_map",
            "U_MAZE",
            "name of a map in Gymnasium-Robotics' maps, or its rows, one character for each cell: 0, 1, g, r or c",
        )
        .or(Vec::<String>::new()),
        OptionSpec::new("maze_size_scaling", scale, "side length of a cell in m").numbers(positive.clone()),
        OptionSpec::new("maze_height", height, "height of walls, as a multiple of maze_size_scaling").numbers(positive),
        OptionSpec::new(
            "position_noise_range",
            0.25,
            "maximum distance of goals and starts from a cell's center along each axis, as a multiple of maze_size_scaling",
        )
        .numbers(0.0..=1e6),
    ]
}

impl Maze {
    /// Creates the maze that the options describe. If `is_legacy`, an agent may start 0.5 m from the goal, whatever the size of
    /// cells. Fails with `Value`, with the name of the option whose value is invalid.
    pub fn new(options: &Options, is_legacy: bool) -> Result<Self> {
        let given = options.get("maze_map");
        let rows: Vec<String> = match given {
            Value::Lines(rows) => rows.clone(),
            _ => {
                let name = options.text("maze_map").expect("it has a default");
                let Some((_, rows)) = MAPS.iter().find(|(map, _)| *map == name) else {
                    let names = MAPS.map(|(map, _)| map).join(", ");
                    return Err(Error::value("maze_map", given, format_args!("a list of rows, or one of {names}")));
                };
                rows.split('/').map(str::to_owned).collect()
            }
        };
        let scale = options.float("maze_size_scaling");
        let mut maze = Self {
            rows,
            scale,
            min_distance: if is_legacy { 0.5 } else { 0.5 * scale },
            height: options.float("maze_height"),
            noise: options.float("position_noise_range"),
            goals: Vec::new(),
            starts: Vec::new(),
        };
        maze.check_rows().and_then(|()| maze.place()).map_err(|expected| Error::value("maze_map", given, expected))?;
        Ok(maze)
    }

    fn check_rows(&self) -> std::result::Result<(), String> {
        let width = self.rows.first().map_or(0, String::len);
        let fits = |len: usize| (1..=MAX_SIDE).contains(&len);
        if !fits(self.rows.len()) || !fits(width) || self.rows.iter().any(|row| row.len() != width) {
            return Err(format!("1 to {MAX_SIDE} rows of the same length, 1 to {MAX_SIDE} characters"));
        }
        match self.rows.iter().all(|row| row.bytes().all(|cell| b"01grc".contains(&cell))) {
            true => Ok(()),
            false => Err("rows of the characters 0, 1, g, r and c".into()),
        }
    }

    /// Collects the cells for goals and for starts of episodes.
    fn place(&mut self) -> std::result::Result<(), String> {
        let of_kind = |kind: u8| self.cells().filter(|(cell, ..)| *cell == kind).map(|(_, _, center)| center).collect::<Vec<_>>();
        let [empty, mut goals, mut starts, mut both] = [b'0', b'g', b'r', b'c'].map(of_kind);
        if goals.is_empty() && starts.is_empty() && both.is_empty() {
            both = empty;
        } else if starts.is_empty() && both.is_empty() {
            starts = empty;
        } else if goals.is_empty() && both.is_empty() {
            goals = empty;
        }
        goals.extend(&both);
        starts.extend(&both);
        if goals.is_empty() || starts.is_empty() {
            return Err("cells for goals and for starts".into());
        }
        (self.goals, self.starts) = (goals, starts);
        if !self.goals.iter().all(|goal| self.is_reachable(goal)) {
            return Err("for each cell for goals, a cell for starts that is further away than position_noise_range".into());
        }
        Ok(())
    }

    /// Returns whether goals can be so far apart that reaching one does not mean reaching all of them.
    pub fn has_distant_goals(&self) -> bool {
        let reach = 2.0 * GOAL_RADIUS - 2.0 * self.noise * self.scale;
        self.goals.iter().any(|goal| distance_xy(goal, &self.goals[0]) > reach)
    }

    /// Returns the kind, the name and the centre of each cell, row by row.
    fn cells(&self) -> impl Iterator<Item = (u8, String, Point)> {
        self.rows.iter().enumerate().flat_map(move |(row, cells)| {
            cells
                .bytes()
                .enumerate()
                .map(move |(column, cell)| (cell, format!("block_{row}_{column}"), self.center([row, column])))
        })
    }

    /// Returns the height above the ground of the goal's site and of the centres of walls, in metres.
    pub fn target_height(&self) -> f64 {
        self.height / 2.0 * self.scale
    }

    /// Returns the MJCF elements of the walls and of the site that marks the goal.
    pub fn elements(&self) -> String {
        let (half, z) = (0.5 * self.scale, self.target_height());
        let mut text = String::new();
        for (_, name, [x, y]) in self.cells().filter(|(cell, ..)| *cell == b'1') {
            let place = format_args!("name=\"{name}\" pos=\"{x} {y} {z}\" size=\"{half} {half} {z}\"");
            let look = "type=\"box\" material=\"\" contype=\"1\" conaffinity=\"1\" rgba=\"0.7 0.5 0.3 1.0\"";
            writeln!(text, "<geom {place} {look}/>").expect("a string can grow");
        }
        let size = 0.2 * self.scale;
        writeln!(text, "<site name=\"target\" type=\"sphere\" pos=\"0 0 {z}\" size=\"{size}\" rgba=\"1 0 0 0.7\"/>")
            .expect("a string can grow");
        text
    }

    fn center(&self, [row, column]: [usize; 2]) -> Point {
        let (x_center, y_center) = (self.rows[0].len() as f64 / 2.0 * self.scale, self.rows.len() as f64 / 2.0 * self.scale);
        [(column as f64 + 0.5) * self.scale - x_center, y_center - (row as f64 + 0.5) * self.scale]
    }

    /// Returns the centre of the cell of a reset option, if given. Fails with `Value` for a cell outside, and for a wall.
    fn cell(&self, options: &ResetOptions, [row, column]: [&'static str; 2]) -> Result<Option<Point>> {
        let name = row.trim_end_matches("[0]");
        let (given, side) = ([options.get(row), options.get(column)], [self.rows.len(), self.rows[0].len()]);
        let [row, column] = match given {
            [None, None] => return Ok(None),
            [Some(row), Some(column)] => [row, column],
            [Some(value), None] | [None, Some(value)] => {
                return Err(Error::value(name, format_args!("[{value}]"), "a row and a column"));
            }
        };
        let is_inside = |index: f64, side: usize| index.fract() == 0.0 && (0.0..side as f64).contains(&index);
        if !is_inside(row, side[0]) || !is_inside(column, side[1]) {
            let expected = format_args!("a row from 0 to {} and a column from 0 to {}", side[0] - 1, side[1] - 1).to_string();
            return Err(Error::value(name, format_args!("[{row}, {column}]"), expected));
        }
        let cell = [row as usize, column as usize];
        if self.rows[cell[0]].as_bytes()[cell[1]] == b'1' {
            return Err(Error::value(name, format_args!("[{row}, {column}]"), "a cell without a wall"));
        }
        Ok(Some(self.center(cell)))
    }

    /// Returns the centres of the cells of the reset options `goal_cell` and `reset_cell`; `None` for options that are not given.
    /// Fails with `Value`, with the name of the option, for a cell outside of the map, a wall, or a goal that is close to all
    /// starts.
    pub fn given_cells(&self, options: &ResetOptions) -> Result<[Option<Point>; 2]> {
        let [goal, start] = [[GOAL_CELL[0], GOAL_CELL[1]], [RESET_CELL[0], RESET_CELL[1]]].map(|names| self.cell(options, names));
        let (goal, start) = (goal?, start?);
        if let (Some(center), None) = (&goal, &start)
            && !self.is_reachable(center)
        {
            let given = GOAL_CELL.map(|name| options.get_or(name, 0.0));
            return Err(Error::value("goal_cell", format_args!("{given:?}"), "a cell that is far from a start, or reset_cell"));
        }
        Ok([goal, start])
    }

    /// Returns whether some start is far enough from the goals of the cell with the centre `goal`. Starts are drawn until one is
    /// far enough from the goal, so without such a start, drawing would never end.
    fn is_reachable(&self, goal: &Point) -> bool {
        let margin = self.noise * self.scale * std::f64::consts::SQRT_2;
        self.starts.iter().any(|start| distance_xy(start, goal) - margin > self.min_distance)
    }

    /// Draws a goal: the centre of the given cell, or of a random cell for goals, with noise.
    pub fn draw_goal(&self, given: Option<Point>, random: &mut Generator) -> Point {
        let center = given.unwrap_or_else(|| self.goals[random.integers(0, self.goals.len() as i64) as usize]);
        self.add_noise(center, random)
    }

    /// Draws the agent's position at the start of an episode, in the given cell or far enough from `goal`.
    pub fn draw_start(&self, given: Option<Point>, goal: &Point, random: &mut Generator) -> Point {
        if let Some(center) = given {
            return self.add_noise(center, random);
        }
        loop {
            let start = self.starts[random.integers(0, self.starts.len() as i64) as usize];
            if distance_xy(&start, goal) > self.min_distance {
                return self.add_noise(start, random);
            }
        }
    }

    fn add_noise(&self, [x, y]: Point, random: &mut Generator) -> Point {
        let mut noise = || random.uniform(-self.noise, self.noise) * self.scale;
        let (along_x, along_y) = (noise(), noise());
        [x + along_x, y + along_y]
    }
}
