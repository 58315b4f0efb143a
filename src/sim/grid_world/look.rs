//! What stands in a cell, as one byte: its kind, with a door's state, and its colour.

use serde::{Deserialize, Serialize};

/// The six colours, numbered as MiniGrid encodes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Colour {
    /// (255, 0, 0).
    Red,
    /// (0, 255, 0).
    Green,
    /// (0, 0, 255).
    Blue,
    /// (112, 39, 195).
    Purple,
    /// (255, 255, 0).
    Yellow,
    /// (100, 100, 100).
    Grey,
}

impl Colour {
    /// By their numbers.
    pub const ALL: [Self; 6] = [Self::Red, Self::Green, Self::Blue, Self::Purple, Self::Yellow, Self::Grey];

    /// By their names: the order in which colours are drawn.
    pub const SORTED: [Self; 6] = [Self::Blue, Self::Green, Self::Grey, Self::Purple, Self::Red, Self::Yellow];

    /// Its name.
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

    /// The colour of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.name() == name)
    }

    /// Red, green and blue from 0 to 255.
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

/// What stands in a cell. A door is one of three kinds, by its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing.
    Empty,
    /// What nobody passes or sees through.
    Wall,
    /// Coloured ground.
    Floor,
    /// A door that can be walked through.
    OpenDoor,
    /// A door that is closed, but not locked.
    ClosedDoor,
    /// A door that opens for who carries a key of its colour.
    LockedDoor,
    /// A key.
    Key,
    /// A ball.
    Ball,
    /// A box, perhaps with something in it.
    Box,
    /// Where most episodes end well.
    Goal,
    /// Where they end badly.
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

    /// Whether it is a door, whatever its state.
    pub const fn is_door(self) -> bool {
        matches!(self, Self::OpenDoor | Self::ClosedDoor | Self::LockedDoor)
    }

    /// Whether it can be carried.
    pub const fn can_be_carried(self) -> bool {
        matches!(self, Self::Key | Self::Ball | Self::Box)
    }

    /// Whether the agent may step onto it.
    pub const fn can_be_entered(self) -> bool {
        matches!(self, Self::Empty | Self::Floor | Self::OpenDoor | Self::Goal | Self::Lava)
    }

    /// Whether it hides what is behind it.
    pub const fn is_opaque(self) -> bool {
        matches!(self, Self::Wall | Self::ClosedDoor | Self::LockedDoor)
    }

    /// Its name in missions.
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

    /// MiniGrid's number of it, and of a door's state.
    const fn encoded(self) -> (u8, u8) {
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

/// A cell's kind and colour in one byte; an empty cell is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Look(pub(super) u8);

impl Look {
    /// An empty cell.
    pub const EMPTY: Self = Self(0);
    /// A grey wall.
    pub const WALL: Self = Self::new(Kind::Wall, Colour::Grey);
    /// The goal.
    pub const GOAL: Self = Self::new(Kind::Goal, Colour::Green);
    /// Lava.
    pub const LAVA: Self = Self::new(Kind::Lava, Colour::Red);

    /// What looks so.
    pub const fn new(kind: Kind, colour: Colour) -> Self {
        Self(kind as u8 | (colour as u8) << 4)
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        // What is no kind never gets in (`is_valid`); an empty cell does no harm.
        match self.0 & 15 {
            kind @ 0..=10 => Kind::ALL[kind as usize],
            _ => Kind::Empty,
        }
    }

    /// Its colour.
    #[inline]
    pub const fn colour(self) -> Colour {
        match self.0 >> 4 {
            colour @ 0..=5 => Colour::ALL[colour as usize],
            _ => Colour::Red,
        }
    }

    /// Whether the cell is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same of another kind: a door in another state.
    #[must_use]
    pub const fn with_kind(self, kind: Kind) -> Self {
        Self(self.0 & 0xf0 | kind as u8)
    }

    /// Whether it is of the kind, any door being like any other.
    pub fn is_a(self, kind: Kind) -> bool {
        self.kind() == kind || (self.kind().is_door() && kind.is_door())
    }

    /// Whether the byte stands for something.
    pub const fn is_valid(self) -> bool {
        self.0 == 0 || (self.0 & 15 != 0 && self.0 & 15 <= 10 && self.0 >> 4 < 6)
    }

    /// What MiniGrid's observations say of it: kind, colour, state.
    #[inline]
    pub const fn encoded(self) -> [u8; 3] {
        let [kind, colour, state, _] = CODES[self.0 as usize].to_le_bytes();
        [kind, colour, state]
    }

    /// The same in the lower bytes of a word, whose highest is 1 for what hides things.
    #[inline]
    pub(super) const fn code(self) -> u32 {
        CODES[self.0 as usize]
    }

    /// What it is and which colour, in words: `red ball`.
    pub fn words(self) -> String {
        format!("{} {}", self.colour().name(), self.kind().name())
    }
}

/// [`Look::code`] of every byte.
static CODES: [u32; 256] = {
    let mut codes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let look = Look(byte as u8);
        if look.is_valid() {
            let (kind, state) = look.kind().encoded();
            let colour = if look.is_empty() { 0 } else { look.colour() as u8 };
            codes[byte] = u32::from_le_bytes([kind, colour, state, look.kind().is_opaque() as u8]);
        }
        byte += 1;
    }
    codes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_encoded_as_minigrid_does() {
        assert_eq!(Look::EMPTY.encoded(), [1, 0, 0]);
        assert_eq!(Look::WALL.encoded(), [2, 5, 0]);
        assert_eq!(Look::new(Kind::LockedDoor, Colour::Yellow).encoded(), [4, 4, 2]);
        assert_eq!(Look::new(Kind::Box, Colour::Purple).encoded(), [7, 3, 0]);
        assert_eq!(Look::LAVA.encoded(), [9, 0, 0]);
    }

    #[test]
    fn bytes_that_stand_for_nothing_are_known() {
        let valid = (0..=255).filter(|byte| Look(*byte).is_valid()).count();
        assert_eq!(valid, 1 + 10 * 6);
        assert!(!Look(0x10).is_valid(), "an empty cell has no colour");
    }

    #[test]
    fn colours_are_drawn_by_their_names() {
        let mut sorted = Colour::ALL;
        sorted.sort_by_key(|colour| colour.name());
        assert_eq!(sorted, Colour::SORTED);
        assert_eq!(Colour::named("purple"), Some(Colour::Purple));
    }
}
