//! What a player can do in a frame.

use serde::{Deserialize, Serialize};

use super::input::Stick;

/// The eighteen joystick positions, with the numbers that all Atari environments share, and the console's two switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Action {
    #[default]
    Noop,
    Fire,
    Up,
    Right,
    Left,
    Down,
    UpRight,
    UpLeft,
    DownRight,
    DownLeft,
    UpFire,
    RightFire,
    LeftFire,
    DownFire,
    UpRightFire,
    UpLeftFire,
    DownRightFire,
    DownLeftFire,
    /// The reset switch.
    Reset,
    /// The select switch.
    Select,
}

/// All joystick positions, by number.
#[rustfmt::skip]
pub const ACTIONS: [Action; 18] = {
    use Action::*;
    [
        Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft, UpFire, RightFire, LeftFire, DownFire,
        UpRightFire, UpLeftFire, DownRightFire, DownLeftFire,
    ]
};

impl Action {
    /// The joystick position with this number.
    pub fn from_number(number: usize) -> Option<Self> {
        ACTIONS.get(number).copied()
    }

    /// Its name in the reference.
    pub fn name(self) -> &'static str {
        use Action::*;
        match self {
            Noop => "NOOP",
            Fire => "FIRE",
            Up => "UP",
            Right => "RIGHT",
            Left => "LEFT",
            Down => "DOWN",
            UpRight => "UPRIGHT",
            UpLeft => "UPLEFT",
            DownRight => "DOWNRIGHT",
            DownLeft => "DOWNLEFT",
            UpFire => "UPFIRE",
            RightFire => "RIGHTFIRE",
            LeftFire => "LEFTFIRE",
            DownFire => "DOWNFIRE",
            UpRightFire => "UPRIGHTFIRE",
            UpLeftFire => "UPLEFTFIRE",
            DownRightFire => "DOWNRIGHTFIRE",
            DownLeftFire => "DOWNLEFTFIRE",
            Reset => "RESET",
            Select => "SELECT",
        }
    }

    /// How the stick is held.
    pub fn stick(self) -> Stick {
        use Action::*;
        let (up, down, left, right) = match self {
            Up | UpFire => (true, false, false, false),
            Down | DownFire => (false, true, false, false),
            Left | LeftFire => (false, false, true, false),
            Right | RightFire => (false, false, false, true),
            UpLeft | UpLeftFire => (true, false, true, false),
            UpRight | UpRightFire => (true, false, false, true),
            DownLeft | DownLeftFire => (false, true, true, false),
            DownRight | DownRightFire => (false, true, false, true),
            Noop | Fire | Reset | Select => (false, false, false, false),
        };
        Stick { up, down, left, right, fire: matches!(self as u8, 1 | 10..=17) }
    }
}
