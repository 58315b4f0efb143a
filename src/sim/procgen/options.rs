//! Options of a game.

/// Distribution of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DistributionMode {
    /// Smaller and easier worlds.
    Easy,
    /// The default of the package.
    #[default]
    Hard,
    /// Harder worlds of some games.
    Extreme,
    /// Large worlds of which the agent sees a part.
    Memory,
}

impl DistributionMode {
    /// Returns the mode's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Hard => "hard",
            Self::Extreme => "extreme",
            Self::Memory => "memory",
        }
    }
}

/// Options that rules and pictures depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    /// Distribution of levels.
    pub distribution_mode: DistributionMode,
    /// Whether a completed level is followed by the next one within the episode.
    pub use_sequential_levels: bool,
    /// Whether the view follows the agent, in games whose view moves.
    pub center_agent: bool,
    /// Whether backgrounds are drawn.
    pub use_backgrounds: bool,
    /// Whether objects are rectangles of one colour.
    pub use_monochrome_assets: bool,
    /// Whether objects of a type look the same in all levels.
    pub restrict_themes: bool,
    /// Whether two squares at the upper left show the agent's velocity.
    pub paint_vel_info: bool,
}

impl Default for GameOptions {
    fn default() -> Self {
        Self {
            distribution_mode: DistributionMode::Hard,
            use_sequential_levels: false,
            center_agent: true,
            use_backgrounds: true,
            use_monochrome_assets: false,
            restrict_themes: false,
            paint_vel_info: false,
        }
    }
}
