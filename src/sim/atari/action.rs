//! Actions of a player: the joystick actions and the console switches.

use serde::{Deserialize, Serialize};

use super::input::Joystick;

/// The eighteen joystick actions with ALE's numbers, and the console switches RESET and SELECT.
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
    /// Action that presses the console's RESET switch.
    Reset,
    /// Action that presses the console's SELECT switch.
    Select,
}

/// All joystick actions, by number.
#[rustfmt::skip]
pub const ACTIONS: [Action; 18] = {
    use Action::*;
    [
        Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft, UpFire, RightFire, LeftFire, DownFire,
        UpRightFire, UpLeftFire, DownRightFire, DownLeftFire,
    ]
};

impl Action {
    /// Returns the joystick action with the number `number`; `None` if there is none.
    pub fn from_number(number: usize) -> Option<Self> {
        ACTIONS.get(number).copied()
    }

    /// Returns ALE's name of the action.
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

    /// Returns the state of the joystick (directions and button) that performs the action.
    pub fn stick(self) -> Joystick {
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
        Joystick { up, down, left, right, fire: matches!(self as u8, 1 | 10..=17) }
    }
}
