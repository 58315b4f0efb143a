//! Layouts of kitchens: those of the package, and grids as text.

use super::recipe::Recipe;
use crate::grid::{Cell, Direction, Grid, cells};
use envpool_rs_engine::{Error, Result, suggestion};
use envpool_rs_pictures::raster::{Color, WHITE};

/// Largest number of cells, for which the table of distances takes 8 MB.
const MAX_CELLS: usize = 1024;

/// Content of a cell that never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terrain {
    Floor,
    Counter,
    Onions,
    Tomatoes,
    Pot,
    Dishes,
    Serving,
}

impl Terrain {
    /// All kinds, each with its letter in layouts, in the order of the package's layers. Layers have no floor.
    pub const ALL: [(Self, u8); 7] = [
        (Self::Pot, b'P'),
        (Self::Counter, b'X'),
        (Self::Onions, b'O'),
        (Self::Tomatoes, b'T'),
        (Self::Dishes, b'D'),
        (Self::Serving, b'S'),
        (Self::Floor, b' '),
    ];

    /// Returns the colour in pictures.
    pub fn color(self) -> Color {
        match self {
            Self::Floor => WHITE,
            Self::Counter => Color::rgb(190, 150, 110),
            Self::Onions => Color::rgb(235, 220, 130),
            Self::Tomatoes => Color::rgb(235, 110, 90),
            Self::Pot => Color::rgb(170, 170, 180),
            Self::Dishes => Color::rgb(210, 225, 240),
            Self::Serving => Color::rgb(160, 205, 170),
        }
    }

    /// Returns the letter in layouts.
    pub fn letter(self) -> char {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or(' ', |(_, letter)| char::from(letter))
    }
}

/// Player at the start of an episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    pub cell: Cell,
    pub direction: Direction,
    pub has_onion: bool,
}

/// Kitchen, and the parameters that its layout states.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub width: i32,
    pub height: i32,
    pub terrain: Grid<Terrain>,
    /// Cells of each kind, row by row.
    pub floor: Vec<Cell>,
    pub counters: Vec<Cell>,
    pub pots: Vec<Cell>,
    pub onions: Vec<Cell>,
    pub tomatoes: Vec<Cell>,
    pub dishes: Vec<Cell>,
    pub serving: Vec<Cell>,
    /// Players on their digits in the grid.
    pub players: Vec<Start>,
    /// Players of the standard start, if the layout states others than those on digits.
    pub start_players: Vec<Start>,
    /// Pots with ingredients at the standard start.
    pub start_pots: Vec<(Cell, Recipe)>,
    pub parameters: Vec<(String, Vec<String>)>,
}

impl Layout {
    /// Creates the package's layout of this name, or a layout from the rows of a grid.
    ///
    /// # Errors
    /// `Value` for an unknown name, and for a grid that the package refuses.
    pub fn new(text: &str) -> Result<Self> {
        if text.trim().contains('\n') {
            return Self::from_grid(&text.trim_matches('\n').split('\n').map(str::trim).collect::<Vec<_>>());
        }
        let blocks = include_str!("layouts.txt").split("\n\n").skip(1).map(|block| block.trim_end().split('\n'));
        let found = blocks.clone().find(|block| block.clone().next() == Some(text));
        let Some(block) = found else {
            let names: Vec<_> = blocks.filter_map(|mut block| block.next()).collect();
            let expected = format!("the name of a layout, or rows of a grid{}", suggestion(text, &names));
            return Err(Error::value("layout", format_args!("{text:?}"), expected));
        };
        let (parameters, grid): (Vec<_>, Vec<_>) = block.skip(1).partition(|line| line.starts_with(|c: char| c.is_lowercase()));
        let mut layout = Self::from_grid(&grid)?;
        for line in parameters {
            let mut words = line.split(' ').map(str::to_owned);
            let (name, values) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
            let number = |index: usize| values.get(index).and_then(|word| word.parse().ok()).unwrap_or(0);
            let cell = Cell { x: number(0), y: number(1) };
            let word = |index: usize| values.get(index).map_or("", String::as_str);
            match name.as_str() {
                "player" => {
                    let direction = match word(2) {
                        "south" => Direction::South,
                        "east" => Direction::East,
                        "west" => Direction::West,
                        _ => Direction::North,
                    };
                    layout.start_players.push(Start { cell, direction, has_onion: word(3) == "onion" });
                }
                "pot" => layout.start_pots.extend(Recipe::parse(word(2)).map(|recipe| (cell, recipe))),
                _ => layout.parameters.push((name, values)),
            }
        }
        Ok(layout)
    }

    fn from_grid(rows: &[&str]) -> Result<Self> {
        let refuse = |expected: &str| Error::value("layout", format_args!("{:?}", rows.join("\n")), expected);
        let (width, height) = (rows[0].len(), rows.len());
        if rows.iter().any(|row| row.len() != width) {
            return Err(refuse("rows of the same length"));
        }
        if width * height > MAX_CELLS {
            return Err(refuse(&format!("at most {MAX_CELLS} cells")));
        }
        let all = || cells(width as i32, height as i32);
        let mut terrain = Grid::new(width as i32, height as i32, Terrain::Floor);
        let mut digits = Vec::new();
        for cell in all() {
            let letter = rows[cell.y as usize].as_bytes()[cell.x as usize];
            match Terrain::ALL.into_iter().find(|(_, known)| *known == letter) {
                Some((kind, _)) => terrain.set(cell, kind),
                None if matches!(letter, b'1'..=b'9') => digits.push((letter, cell)),
                None => return Err(refuse("only X, O, T, P, D, S, spaces, and digits of players from 1 to 9")),
            }
        }
        let is_border = |cell: &Cell| cell.x == 0 || cell.y == 0 || cell.x as usize == width - 1 || cell.y as usize == height - 1;
        if all().filter(is_border).any(|cell| terrain.get(cell) == Some(Terrain::Floor)) {
            return Err(refuse("borders without free cells and players"));
        }
        digits.sort_unstable_by_key(|(digit, _)| *digit);
        if digits.is_empty() || digits.iter().zip(b'1'..).any(|((digit, _), expected)| *digit != expected) {
            return Err(refuse("the players 1, 2, ..., each once; place one or more of them"));
        }
        let of_kind = |kind| all().filter(|cell| terrain.get(*cell) == Some(kind)).collect::<Vec<_>>();
        let [pots, counters, onions, tomatoes, dishes, serving, floor] = Terrain::ALL.map(|(kind, _)| of_kind(kind));
        for (found, needed) in [(&pots, "a pot (P)"), (&dishes, "dishes (D)"), (&serving, "a serving place (S)")] {
            if found.is_empty() {
                return Err(refuse(needed));
            }
        }
        if onions.is_empty() && tomatoes.is_empty() {
            return Err(refuse("onions (O) or tomatoes (T)"));
        }
        let start = |cell| Start { cell, direction: Direction::North, has_onion: false };
        Ok(Self {
            width: width as i32,
            height: height as i32,
            players: digits.into_iter().map(|(_, cell)| start(cell)).collect(),
            start_players: Vec::new(),
            start_pots: Vec::new(),
            parameters: Vec::new(),
            terrain,
            floor,
            counters,
            pots,
            onions,
            tomatoes,
            dishes,
            serving,
        })
    }

    /// Returns the cells of one kind, row by row.
    pub fn cells_of(&self, kind: Terrain) -> impl Iterator<Item = Cell> + '_ {
        cells(self.width, self.height).filter(move |cell| self.terrain.get(*cell) == Some(kind))
    }

    /// Returns the players and the pots with ingredients at the standard start.
    pub fn standard_start(&self) -> (&[Start], &[(Cell, Recipe)]) {
        let players = if self.start_players.is_empty() { &self.players } else { &self.start_players };
        (players, &self.start_pots)
    }

    /// Returns the words of a parameter that the layout states.
    pub fn parameter(&self, name: &str) -> Option<&[String]> {
        self.parameters.iter().find(|(own, _)| own == name).map(|(_, values)| values.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_of_the_package_is_read() {
        let names = include_str!("layouts.txt").split("\n\n").skip(1).filter_map(|block| block.split('\n').next());
        let layouts: Vec<_> = names.map(|name| Layout::new(name).unwrap()).collect();
        assert_eq!(layouts.len(), 49);
        assert_eq!(layouts.iter().map(|layout| layout.players.len()).max(), Some(4));
    }
}
