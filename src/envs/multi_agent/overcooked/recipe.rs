//! Recipes of soups, their cooking times and their values.

use serde::{Deserialize, Serialize};

/// Ingredients of a soup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recipe {
    pub onions: u8,
    pub tomatoes: u8,
}

/// Largest number of ingredients of a soup.
pub const MAX_INGREDIENTS: u8 = 3;
/// Length of a table with an entry for each recipe.
pub const TABLE: usize = 16;

impl Recipe {
    /// Returns all recipes with one ingredient or more, in the package's order.
    pub fn all() -> impl Iterator<Item = Self> {
        let pairs = (0..=MAX_INGREDIENTS).flat_map(|onions| (0..=MAX_INGREDIENTS).map(move |tomatoes| Self { onions, tomatoes }));
        pairs.filter(|recipe| recipe.is_possible())
    }

    /// Reads the first letters of ingredients, such as `oot`, or their names, such as `onion onion tomato`.
    pub fn parse(text: &str) -> Option<Self> {
        let letters = text.replace("onion", "o").replace("tomato", "t").replace([' ', ','], "");
        let count = |letter| letters.matches(letter).count();
        let (onions, tomatoes) = (count('o'), count('t'));
        let recipe = Self { onions: u8::try_from(onions).ok()?, tomatoes: u8::try_from(tomatoes).ok()? };
        (onions + tomatoes == letters.len() && recipe.is_possible()).then_some(recipe)
    }

    pub fn size(self) -> u8 {
        self.onions + self.tomatoes
    }

    /// Returns the recipe's number in the order of the package's comparisons.
    pub fn rank(self) -> u32 {
        let code = u32::from(self.onions) + 4 * u32::from(self.tomatoes);
        if self.onions > 0 && self.tomatoes > 0 { 17 * code } else { code }
    }

    pub fn is_possible(self) -> bool {
        (1..=MAX_INGREDIENTS).contains(&self.onions.saturating_add(self.tomatoes))
    }

    /// Returns the names of the ingredients as Python writes a tuple.
    pub fn python_text(self) -> String {
        let names = [vec!["'onion'"; self.onions.into()], vec!["'tomato'"; self.tomatoes.into()]].concat();
        format!("({}{})", names.join(", "), if names.len() == 1 { "," } else { "" })
    }

    /// Returns the recipes with an onion more, and with a tomato more.
    pub fn extended(self) -> [Self; 2] {
        [Self { onions: self.onions + 1, ..self }, Self { tomatoes: self.tomatoes + 1, ..self }]
    }

    /// Returns the recipe's place in a table of [`TABLE`] entries.
    pub fn index(self) -> usize {
        usize::from(self.onions) + 4 * usize::from(self.tomatoes)
    }

    fn is_part_of(self, other: Self) -> bool {
        self.onions <= other.onions && self.tomatoes <= other.tomatoes
    }
}

/// Cooking times and values of all recipes.
#[derive(Debug, Clone, PartialEq)]
pub struct RecipeTable {
    cook_times: [i32; TABLE],
    values: [f64; TABLE],
    best_values: [f64; TABLE],
}

impl RecipeTable {
    /// Creates a table from the cooking time and the reward of the delivery of each recipe.
    pub fn new(cook_time: impl Fn(Recipe) -> i32, value: impl Fn(Recipe) -> f64) -> Self {
        let mut table = Self { cook_times: [0; TABLE], values: [0.0; TABLE], best_values: [0.0; TABLE] };
        for recipe in Recipe::all() {
            table.cook_times[recipe.index()] = cook_time(recipe);
            table.values[recipe.index()] = value(recipe);
        }
        for recipe in Recipe::all().chain([Recipe::default()]) {
            let best =
                Recipe::all().filter(|other| recipe.is_part_of(*other)).map(|other| table.value(other)).fold(0.0, f64::max);
            table.best_values[recipe.index()] = if best > 0.0 { best } else { table.value(recipe) };
        }
        table
    }

    #[inline]
    pub fn cook_time(&self, recipe: Recipe) -> i32 {
        self.cook_times[recipe.index()]
    }

    pub fn longest_cook_time(&self) -> i32 {
        self.cook_times.into_iter().max().unwrap_or(0)
    }

    /// Returns the reward of the delivery of a soup; 0 if the recipe was not ordered.
    #[inline]
    pub fn value(&self, recipe: Recipe) -> f64 {
        self.values[recipe.index()]
    }

    /// Returns the highest value of a recipe and of what it can become.
    #[inline]
    pub fn best_value(&self, recipe: Recipe) -> f64 {
        self.best_values[recipe.index()]
    }
}
