//! Objects of a world: the player, creatures, arrows and plants.

use serde::{Deserialize, Serialize};

/// Position of a cell, which may be outside of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Point {
    /// Column of the cell, counted from the left.
    pub x: i32,
    /// Row of the cell, counted from the top.
    pub y: i32,
}

impl Point {
    /// Returns the distance of two cells: the sum of the absolute differences of their columns and of their rows.
    #[inline]
    pub fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }
}

impl std::ops::Add for Point {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl std::ops::Sub for Point {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

/// Direction of a step, in the order of the package crafter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Towards smaller columns.
    Left,
    /// Towards larger columns.
    Right,
    /// Towards smaller rows.
    Up,
    /// Towards larger rows.
    Down,
}

impl Direction {
    /// All directions, in the order of the package crafter.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Returns the offset of a step of one cell in the direction.
    #[inline]
    pub fn offset(self) -> Point {
        match self {
            Self::Left => Point { x: -1, y: 0 },
            Self::Right => Point { x: 1, y: 0 },
            Self::Up => Point { x: 0, y: -1 },
            Self::Down => Point { x: 0, y: 1 },
        }
    }

    /// Returns the direction of a step of one cell; `None` for other offsets.
    pub fn of(offset: Point) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.offset() == offset)
    }
}

/// Kind of an object, with the data that objects of this kind have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The player, whose data is stored in the game.
    Player,
    /// Cow, which walks at random and is food.
    Cow,
    /// Zombie, which attacks the player from a cell next to the player.
    Zombie {
        /// Number of updates that the zombie must still spend next to the player before its next attack.
        cooldown: u8,
    },
    /// Skeleton, which shoots arrows in tunnels.
    Skeleton {
        /// Number of updates before the skeleton can shoot its next arrow.
        reload: u8,
    },
    /// Arrow, which flies until it hits an object or a material.
    Arrow {
        /// Direction in which the arrow flies.
        facing: Direction,
    },
    /// Sapling, which becomes food when it is ripe.
    Plant {
        /// Number of updates since the sapling was planted or eaten.
        grown: u32,
    },
}

impl Kind {
    /// Number of updates after which a sapling is ripe.
    const RIPE: u32 = 300;

    /// Returns the kind's number in the semantic map, minus the player's number.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::Player => 0,
            Self::Cow => 1,
            Self::Zombie { .. } => 2,
            Self::Skeleton { .. } => 3,
            Self::Arrow { .. } => 4,
            Self::Plant { .. } => 5,
        }
    }

    /// Returns whether the object is a plant that can be eaten.
    pub fn is_ripe(self) -> bool {
        matches!(self, Self::Plant { grown } if grown > Self::RIPE)
    }

    /// Returns whether the kind is a cow, a zombie or a skeleton.
    pub fn is_creature(self) -> bool {
        matches!(self, Self::Cow | Self::Zombie { .. } | Self::Skeleton { .. })
    }
}

/// Object of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Kind of the object, with its data.
    pub kind: Kind,
    /// Cell in which the object is.
    pub pos: Point,
    /// Health of the object, at least 0. The player's health is stored in the inventory instead.
    pub health: i32,
    /// Whether the object has been removed in this step.
    pub is_removed: bool,
}

impl Object {
    /// Creates an object with the initial health of its kind.
    pub fn new(kind: Kind, pos: Point) -> Self {
        let health = match kind {
            Kind::Player | Kind::Arrow { .. } => 0,
            Kind::Cow | Kind::Skeleton { .. } => 3,
            Kind::Zombie { .. } => 5,
            Kind::Plant { .. } => 1,
        };
        Self { kind, pos, health, is_removed: false }
    }

    /// Creates a zombie that may attack in its first update.
    pub fn zombie(pos: Point) -> Self {
        Self::new(Kind::Zombie { cooldown: 0 }, pos)
    }

    /// Creates a skeleton that may shoot in its first update.
    pub fn skeleton(pos: Point) -> Self {
        Self::new(Kind::Skeleton { reload: 0 }, pos)
    }

    /// Reduces the object's health by `damage`, but not below 0.
    pub fn damage(&mut self, damage: i32) {
        self.health = (self.health - damage).max(0);
    }
}
