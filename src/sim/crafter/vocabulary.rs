//! Materials, items, achievements and actions of crafter 1.8.3's `data.yaml`, in the order of that file.

use serde::{Deserialize, Serialize};

/// Material of a cell. The numbers of the materials are those in the semantic map of the package crafter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
#[allow(missing_docs, reason = "variants are named after those of the package")]
pub enum Material {
    /// No material: the cell is outside of the world.
    #[default]
    None,
    Water,
    Grass,
    Stone,
    Path,
    Sand,
    Tree,
    Lava,
    Coal,
    Iron,
    Diamond,
    Table,
    Furnace,
}

/// Names of all materials, which are also the names of their textures.
pub const MATERIALS: [&str; 12] =
    ["water", "grass", "stone", "path", "sand", "tree", "lava", "coal", "iron", "diamond", "table", "furnace"];

impl Material {
    /// Number of materials, including `None`.
    pub const COUNT: usize = MATERIALS.len() + 1;

    const ALL: [Self; Self::COUNT] = [
        Self::None,
        Self::Water,
        Self::Grass,
        Self::Stone,
        Self::Path,
        Self::Sand,
        Self::Tree,
        Self::Lava,
        Self::Coal,
        Self::Iron,
        Self::Diamond,
        Self::Table,
        Self::Furnace,
    ];

    /// Returns the material with the number `number`; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Returns whether creatures can walk on the material (`walkable` in the package).
    #[inline]
    pub fn is_walkable(self) -> bool {
        matches!(self, Self::Grass | Self::Path | Self::Sand)
    }

    /// Returns whether arrows can fly over the material.
    #[inline]
    pub fn is_open_to_arrows(self) -> bool {
        self.is_walkable() || matches!(self, Self::Water | Self::Lava)
    }
}

/// Item in the player's inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "variants are named after those of the package")]
pub enum Item {
    Health,
    Food,
    Drink,
    Energy,
    Sapling,
    Wood,
    Stone,
    Coal,
    Iron,
    Diamond,
    WoodPickaxe,
    StonePickaxe,
    IronPickaxe,
    WoodSword,
    StoneSword,
    IronSword,
}

/// Names of all items, in the order of the package crafter.
pub const ITEMS: [&str; 16] = [
    "health",
    "food",
    "drink",
    "energy",
    "sapling",
    "wood",
    "stone",
    "coal",
    "iron",
    "diamond",
    "wood_pickaxe",
    "stone_pickaxe",
    "iron_pickaxe",
    "wood_sword",
    "stone_sword",
    "iron_sword",
];

/// Number of each item. After a step, each number is from 0 to [`Inventory::MAX`]; during a step, it may be outside of this
/// range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory(pub [i32; ITEMS.len()]);

impl Inventory {
    /// Maximum number of an item after a step.
    pub const MAX: i32 = 9;

    /// Returns the inventory at the start of an episode: full health, food, drink and energy.
    pub fn initial() -> Self {
        let mut items = [0; ITEMS.len()];
        items[..4].fill(Self::MAX);
        Self(items)
    }

    /// Returns whether the inventory contains at least one of the item `item`.
    #[inline]
    pub fn has(&self, item: Item) -> bool {
        self[item] > 0
    }
}

impl std::ops::Index<Item> for Inventory {
    type Output = i32;

    #[inline]
    fn index(&self, item: Item) -> &i32 {
        &self.0[item as usize]
    }
}

impl std::ops::IndexMut<Item> for Inventory {
    #[inline]
    fn index_mut(&mut self, item: Item) -> &mut i32 {
        &mut self.0[item as usize]
    }
}

/// Achievement that is rewarded once in each episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "variants are named after those of the package")]
pub enum Achievement {
    CollectCoal,
    CollectDiamond,
    CollectDrink,
    CollectIron,
    CollectSapling,
    CollectStone,
    CollectWood,
    DefeatSkeleton,
    DefeatZombie,
    EatCow,
    EatPlant,
    MakeIronPickaxe,
    MakeIronSword,
    MakeStonePickaxe,
    MakeStoneSword,
    MakeWoodPickaxe,
    MakeWoodSword,
    PlaceFurnace,
    PlacePlant,
    PlaceStone,
    PlaceTable,
    Wake,
}

/// Names of all achievements, in the order of the package crafter.
pub const ACHIEVEMENTS: [&str; 22] = [
    "collect_coal",
    "collect_diamond",
    "collect_drink",
    "collect_iron",
    "collect_sapling",
    "collect_stone",
    "collect_wood",
    "defeat_skeleton",
    "defeat_zombie",
    "eat_cow",
    "eat_plant",
    "make_iron_pickaxe",
    "make_iron_sword",
    "make_stone_pickaxe",
    "make_stone_sword",
    "make_wood_pickaxe",
    "make_wood_sword",
    "place_furnace",
    "place_plant",
    "place_stone",
    "place_table",
    "wake_up",
];

/// Action of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "variants are named after those of the package")]
pub enum Action {
    Noop,
    MoveLeft,
    MoveRight,
    MoveUp,
    MoveDown,
    Do,
    Sleep,
    PlaceStone,
    PlaceTable,
    PlaceFurnace,
    PlacePlant,
    MakeWoodPickaxe,
    MakeStonePickaxe,
    MakeIronPickaxe,
    MakeWoodSword,
    MakeStoneSword,
    MakeIronSword,
}

/// Names of all actions, in the order of the package crafter.
pub const ACTIONS: [&str; 17] = [
    "noop",
    "move_left",
    "move_right",
    "move_up",
    "move_down",
    "do",
    "sleep",
    "place_stone",
    "place_table",
    "place_furnace",
    "place_plant",
    "make_wood_pickaxe",
    "make_stone_pickaxe",
    "make_iron_pickaxe",
    "make_wood_sword",
    "make_stone_sword",
    "make_iron_sword",
];

impl Action {
    /// All actions, by number.
    pub const ALL: [Self; ACTIONS.len()] = [
        Self::Noop,
        Self::MoveLeft,
        Self::MoveRight,
        Self::MoveUp,
        Self::MoveDown,
        Self::Do,
        Self::Sleep,
        Self::PlaceStone,
        Self::PlaceTable,
        Self::PlaceFurnace,
        Self::PlacePlant,
        Self::MakeWoodPickaxe,
        Self::MakeStonePickaxe,
        Self::MakeIronPickaxe,
        Self::MakeWoodSword,
        Self::MakeStoneSword,
        Self::MakeIronSword,
    ];
}
