//! State of controllers and switches, and the voltage lines from which the chips read this state.
//!
//! A joystick pulls lines of port A and one of the TIA's input lines to zero. A pair of paddles shares a port: their
//! buttons use the lines of a joystick's left and right, and each paddle is a resistor through which a capacitor is
//! charged.

use serde::{Deserialize, Serialize};

/// Type of the controller in a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Controller {
    /// Joystick with four directions and a button.
    Joystick,
    /// Pair of paddles, each with a button.
    Paddles,
}

/// State of a player's joystick: its four directions and its button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)]
pub struct Joystick {
    /// Whether the stick is pushed up.
    pub up: bool,
    /// Whether the stick is pulled down.
    pub down: bool,
    /// Whether the stick is pushed to the left.
    pub left: bool,
    /// Whether the stick is pushed to the right.
    pub right: bool,
    /// Whether the joystick's button is pressed.
    pub fire: bool,
}

impl Joystick {
    /// Returns the four lines of port A, starting at bit 0: up, down, left and right; a bit is 0 if the stick is pushed in its
    /// direction.
    fn lines(self) -> u8 {
        let line = |pushed: bool, bit: u8| if pushed { 0 } else { bit };
        line(self.up, 1) | line(self.down, 2) | line(self.left, 4) | line(self.right, 8)
    }
}

/// State of all controllers, and of the console's switches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controllers {
    /// Type of the controllers in both ports.
    pub controller: Controller,
    /// Whether the first player uses the right port.
    pub swapped_ports: bool,
    /// Whether the first player uses the port's second paddle.
    pub swapped_paddles: bool,
    /// Whether paddles are plugged into the right port as well as into the left.
    pub right_paddles: bool,
    /// Joysticks of the first and the second player.
    pub sticks: [Joystick; 2],
    /// Resistances of the first and the second player's paddles, in ohms.
    pub paddles: [i32; 2],
    /// Whether the console's RESET switch is held.
    pub reset: bool,
    /// Whether the console's SELECT switch is held.
    pub select: bool,
    /// Positions of the difficulty switches: bit 0 is set if the left switch is at A, and bit 1 if the right switch is at A.
    pub difficulty: u8,
}

/// Resistance of an open line, which passes no current.
pub const OPEN_RESISTANCE: i32 = i32::MAX;

impl Controllers {
    /// Returns the state in which no stick is moved, and no button or switch is pressed.
    pub fn new(controller: Controller) -> Self {
        Self {
            controller,
            swapped_ports: false,
            swapped_paddles: false,
            right_paddles: false,
            sticks: [Joystick::default(); 2],
            paddles: [0; 2],
            reset: false,
            select: false,
            difficulty: 0,
        }
    }

    /// Returns whether `self` and `other` have the same controllers in the same ports.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        let plugs = |of: &Self| (of.controller, of.swapped_ports, of.swapped_paddles, of.right_paddles);
        plugs(self) == plugs(other)
    }

    fn at_port(&self, port: usize) -> Joystick {
        self.sticks[port ^ usize::from(self.swapped_ports)]
    }

    fn paddle_at(&self, line: usize) -> usize {
        line ^ usize::from(self.swapped_paddles)
    }

    /// Returns SWCHA: the lines of the left port in the high nibble, and the lines of the right port in the low nibble; a bit
    /// is 0 if the stick is pushed in its direction.
    pub(super) fn swcha(&self) -> u8 {
        match self.controller {
            Controller::Joystick => self.at_port(0).lines() << 4 | self.at_port(1).lines(),
            Controller::Paddles => {
                let button = |line: usize, bit: u8| if self.sticks[self.paddle_at(line)].fire { 0 } else { bit };
                0x3f | button(0, 0x80) | button(1, 0x40)
            }
        }
    }

    /// Returns SWCHB: the reset, select, colour and difficulty switches.
    pub(super) fn swchb(&self) -> u8 {
        0x3c | u8::from(!self.reset) | u8::from(!self.select) << 1 | self.difficulty << 6
    }

    /// Returns the resistance on one of the TIA's input lines INPT0 to INPT3.
    pub(super) fn resistance(&self, line: usize) -> i32 {
        match (self.controller, line) {
            (Controller::Paddles, 0 | 1) => self.paddles[self.paddle_at(line)],
            // The paddles of the right port always have zero resistance.
            (Controller::Paddles, _) if self.right_paddles => 0,
            _ => OPEN_RESISTANCE,
        }
    }

    /// Returns whether INPT4 or INPT5, the button line of the left or the right port, is high.
    pub(super) fn button_up(&self, port: usize) -> bool {
        self.controller == Controller::Paddles || !self.at_port(port).fire
    }
}
