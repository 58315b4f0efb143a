//! Contents of a cell in one byte: the kind, which includes a door's state, and the colour.

use serde::{Deserialize, Serialize};

/// Colour of a cell, numbered as in minigrid (`COLOR_TO_IDX`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Color {
    /// Red, drawn as (255, 0, 0).
    Red,
    /// Green, drawn as (0, 255, 0).
    Green,
    /// Blue, drawn as (0, 0, 255).
    Blue,
    /// Purple, drawn as (112, 39, 195).
    Purple,
    /// Yellow, drawn as (255, 255, 0).
    Yellow,
    /// Grey, drawn as (100, 100, 100).
    Grey,
}

impl Color {
    /// All colours, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Red, Self::Green, Self::Blue, Self::Purple, Self::Yellow, Self::Grey];

    /// All colours in alphabetical order (minigrid's `COLOR_NAMES`), in which minigrid draws colours.
    pub const SORTED: [Self; 6] = [Self::Blue, Self::Green, Self::Grey, Self::Purple, Self::Red, Self::Yellow];

    /// Returns minigrid's name of the colour, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Yellow => "yellow",
            Self::Grey => "grey",
        }
    }

    /// Returns the colour with the name `name`; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|color| color.name() == name)
    }

    /// Returns the colour's red, green and blue from 0 to 255.
    pub const fn rgb(self) -> [u8; 3] {
        match self {
            Self::Red => [255, 0, 0],
            Self::Green => [0, 255, 0],
            Self::Blue => [0, 0, 255],
            Self::Purple => [112, 39, 195],
            Self::Yellow => [255, 255, 0],
            Self::Grey => [100, 100, 100],
        }
    }
}

/// Kind of a cell. A door has a separate kind for each of its states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Cell that contains no object, wall or floor.
    Empty,
    /// Wall, which the agent can neither pass nor see through.
    Wall,
    /// Coloured floor, on which the agent can walk.
    Floor,
    /// Open door, through which the agent can walk.
    OpenDoor,
    /// Door that is closed, but not locked.
    ClosedDoor,
    /// Locked door, which opens for an agent that carries a key of the same colour.
    LockedDoor,
    /// Key, which opens locked doors of the same colour.
    Key,
    /// Ball, which the agent can carry.
    Ball,
    /// Box, which may contain an object.
    Box,
    /// Goal, which ends the episode with a reward when the agent enters it.
    Goal,
    /// Lava, which ends the episode without a reward when the agent enters it.
    Lava,
}

impl Kind {
    const ALL: [Self; 11] = [
        Self::Empty,
        Self::Wall,
        Self::Floor,
        Self::OpenDoor,
        Self::ClosedDoor,
        Self::LockedDoor,
        Self::Key,
        Self::Ball,
        Self::Box,
        Self::Goal,
        Self::Lava,
    ];

    /// Returns whether the kind is a door, in any state.
    pub const fn is_door(self) -> bool {
        matches!(self, Self::OpenDoor | Self::ClosedDoor | Self::LockedDoor)
    }

    /// Returns whether the agent can carry objects of the kind.
    pub const fn can_pickup(self) -> bool {
        matches!(self, Self::Key | Self::Ball | Self::Box)
    }

    /// Returns whether the agent can step onto cells of the kind.
    pub const fn can_overlap(self) -> bool {
        matches!(self, Self::Empty | Self::Floor | Self::OpenDoor | Self::Goal | Self::Lava)
    }

    /// Returns whether cells of the kind block the view (the opposite of minigrid's `see_behind`).
    pub const fn is_opaque(self) -> bool {
        matches!(self, Self::Wall | Self::ClosedDoor | Self::LockedDoor)
    }

    /// Returns the kind's name in the texts of missions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Wall => "wall",
            Self::Floor => "floor",
            Self::OpenDoor | Self::ClosedDoor | Self::LockedDoor => "door",
            Self::Key => "key",
            Self::Ball => "ball",
            Self::Box => "box",
            Self::Goal => "goal",
            Self::Lava => "lava",
        }
    }

    /// Returns minigrid's numbers for the kind: object index (`OBJECT_TO_IDX`) and door state (`STATE_TO_IDX`).
    const fn encode(self) -> (u8, u8) {
        match self {
            Self::Empty => (1, 0),
            Self::Wall => (2, 0),
            Self::Floor => (3, 0),
            Self::OpenDoor => (4, 0),
            Self::ClosedDoor => (4, 1),
            Self::LockedDoor => (4, 2),
            Self::Key => (5, 0),
            Self::Ball => (6, 0),
            Self::Box => (7, 0),
            Self::Goal => (8, 0),
            Self::Lava => (9, 0),
        }
    }
}

/// Kind and colour of a cell in one byte: kind in bits 0 to 3, colour in bits 4 to 7. An empty cell is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// Empty cell.
    pub const EMPTY: Self = Self(0);
    /// Grey wall.
    pub const WALL: Self = Self::new(Kind::Wall, Color::Grey);
    /// Goal cell, which is green.
    pub const GOAL: Self = Self::new(Kind::Goal, Color::Green);
    /// Lava cell, which is red.
    pub const LAVA: Self = Self::new(Kind::Lava, Color::Red);

    /// Returns the cell with a kind and a colour.
    pub const fn new(kind: Kind, color: Color) -> Self {
        Self(kind as u8 | (color as u8) << 4)
    }

    /// Returns the kind of the cell.
    #[inline]
    pub const fn kind(self) -> Kind {
        // Untrusted snapshots may contain a byte that encodes no kind. This function treats such a byte as an empty cell;
        // `is_valid` rejects it.
        match self.0 & 15 {
            kind @ 0..=10 => Kind::ALL[kind as usize],
            _ => Kind::Empty,
        }
    }

    /// Returns the colour of the cell.
    #[inline]
    pub const fn color(self) -> Color {
        match self.0 >> 4 {
            color @ 0..=5 => Color::ALL[color as usize],
            _ => Color::Red,
        }
    }

    /// Returns whether the cell is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the cell with its kind replaced, such as a door in a different state. The colour stays.
    #[must_use]
    pub const fn with_kind(self, kind: Kind) -> Self {
        Self(self.0 & 0xf0 | kind as u8)
    }

    /// Returns whether the cell has the kind `kind`. Doors of all states count as the same kind.
    pub fn is_a(self, kind: Kind) -> bool {
        self.kind() == kind || (self.kind().is_door() && kind.is_door())
    }

    /// Returns whether the cell's byte encodes a kind and a colour.
    pub const fn is_valid(self) -> bool {
        self.0 == 0 || (self.0 & 15 != 0 && self.0 & 15 <= 10 && self.0 >> 4 < 6)
    }

    /// Returns the cell as minigrid encodes it in observations: object index, colour index, state.
    #[inline]
    pub const fn encode(self) -> [u8; 3] {
        let [kind, color, state, _] = PACKED[self.0 as usize].to_le_bytes();
        [kind, color, state]
    }

    /// Returns one word for the cell: the result of [`Cell::encode`] in the lower three bytes, and 1 in the highest byte if the
    /// cell blocks the view, else 0.
    #[inline]
    pub(super) const fn packed(self) -> u32 {
        PACKED[self.0 as usize]
    }

    /// Returns the cell's colour and kind as a string, such as `red ball`.
    pub fn description(self) -> String {
        format!("{} {}", self.color().name(), self.kind().name())
    }
}

/// Result of [`Cell::packed`] for each of the 256 byte values of a cell.
static PACKED: [u32; 256] = {
    let mut codes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let cell = Cell(byte as u8);
        if cell.is_valid() {
            let (kind, state) = cell.kind().encode();
            let color = if cell.is_empty() { 0 } else { cell.color() as u8 };
            codes[byte] = u32::from_le_bytes([kind, color, state, cell.kind().is_opaque() as u8]);
        }
        byte += 1;
    }
    codes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_encoded_as_in_minigrid() {
        assert_eq!(Cell::EMPTY.encode(), [1, 0, 0]);
        assert_eq!(Cell::WALL.encode(), [2, 5, 0]);
        assert_eq!(Cell::new(Kind::LockedDoor, Color::Yellow).encode(), [4, 4, 2]);
        assert_eq!(Cell::new(Kind::Box, Color::Purple).encode(), [7, 3, 0]);
        assert_eq!(Cell::LAVA.encode(), [9, 0, 0]);
    }

    #[test]
    fn bytes_without_kind_or_color_are_invalid() {
        let valid = (0..=255).filter(|byte| Cell(*byte).is_valid()).count();
        assert_eq!(valid, 1 + 10 * 6);
        assert!(!Cell(0x10).is_valid(), "an empty cell has no colour");
    }

    #[test]
    fn sorted_colors_are_in_the_order_of_names() {
        let mut sorted = Color::ALL;
        sorted.sort_by_key(|color| color.name());
        assert_eq!(sorted, Color::SORTED);
        assert_eq!(Color::from_name("purple"), Some(Color::Purple));
    }
}
