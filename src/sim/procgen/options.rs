//! Options of a game, on which its levels, rules and pictures depend.

/// Distribution from which levels are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DistributionMode {
    /// Levels with smaller and easier worlds.
    Easy,
    /// Levels of normal size and difficulty, which are the default of the package procgen.
    #[default]
    Hard,
    /// Harder levels, which some games have.
    Extreme,
    /// Levels with large worlds, of which the agent sees only a part.
    Memory,
}

impl DistributionMode {
    /// Returns the name of the distribution mode.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Hard => "hard",
            Self::Extreme => "extreme",
            Self::Memory => "memory",
        }
    }
}

/// Options on which the rules and the pictures of a game depend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameOptions {
    /// Distribution of levels.
    pub distribution_mode: DistributionMode,
    /// Whether completing a level starts the next level within the same episode instead of ending the episode.
    pub use_sequential_levels: bool,
    /// Whether the view follows the agent, in games whose view can move.
    pub center_agent: bool,
    /// Whether backgrounds are drawn.
    pub use_backgrounds: bool,
    /// Whether objects are drawn as rectangles of a single colour.
    pub use_monochrome_assets: bool,
    /// Whether objects of the same type have the same picture in all levels.
    pub restrict_themes: bool,
    /// Whether two squares at the upper left of the picture show the agent's velocity.
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
