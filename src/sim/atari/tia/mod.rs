//! The TIA chip: draws the picture while the television's beam moves, and reads paddles and buttons.
//!
//! A line has 228 colour clocks, three for each processor cycle: 68 of horizontal blank and 160 pixels. Drawing is lazy: when
//! the processor accesses the chip, all pixels up to the current clock are drawn (`draw.rs`). Register writes take effect some
//! clocks later. If the program ends a frame early, the rest of the picture stays undrawn. The undrawn pixels keep their values
//! from two frames before, because two frame buffers alternate.
//!
//! # Files
//! | file | |
//! |---|---|
//! | this one | registers, and the frame |
//! | `tia/registers.rs` | effect of a write to each register |
//! | `tia/motion.rs` | positions: RESxx and HMOVE |
//! | `tia/offsets.rs` | offsets of the fields that generated code accesses |
//! | `tia/draw.rs` | the picture and collisions |
//! | `tia/line.rs`, `tia/pixels.rs` | the line and its objects; pixels that objects cover |
//! | `tia/shapes.rs` | pixels of the objects, from their registers |
//! | `tia/paint.rs` | painting of colours with vector instructions |
//! | `tia/tables.rs` | copies of players and missiles, graphics, the playfield |

mod draw;
mod frame_buffers;
mod line;
mod motion;
pub(crate) mod offsets;
mod paint;
mod pixels;
mod read;
mod registers;
mod shapes;
mod tables;

use serde::{Deserialize, Serialize};

pub use self::frame_buffers::{FrameBuffers, VisiblePicture};
pub use self::line::WIDTH;
use self::line::{BL, M0, M1, MOVABLE, P0, P1, PF};
use self::pixels::{COLOURS, ObjectPixels};
pub(crate) use self::read::is_collision;

/// Number of colour clocks of a line.
pub(crate) const LINE: i32 = 228;
/// Number of colour clocks of horizontal blank, before the first pixel.
const BLANK: i32 = 68;
/// Number of rows of the tallest visible picture.
pub(super) const MAX_ROWS: usize = 260;
/// Clock value that is never reached.
const NEVER: i32 = i32::MAX;
/// Latest clock at which a line may start without its clocks wrapping around.
const LAST_LINE: i32 = i32::MAX - 2 * LINE;

/// Returns a placeholder for clock fields whose values are not in snapshots; they are computed before their next use.
fn unknown() -> i32 {
    i32::MIN
}

fn unknown_clocks() -> (i32, i32) {
    (unknown(), unknown())
}

/// Number of colour clocks per processor cycle.
pub(crate) const CLOCKS: i32 = 3;

/// Returns the colour clock of a processor cycle. The colour clock wraps around after about an hour without the end of a frame.
#[inline(always)]
fn clock_at(cycles: u32) -> i32 {
    (cycles as i32).wrapping_mul(CLOCKS)
}

/// Bit of the register VBLANK that blanks the picture.
const BLANKED: u8 = 0x02;

/// Registers of a player object.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Player {
    /// GRPx: the player's graphics as last written.
    grp: u8,
    /// DGRPx: value of `grp` when the other player's graphics were last written.
    dgrp: u8,
    /// VDELPx: whether `dgrp` is displayed instead of `grp`.
    vdelp: bool,
    /// REFPx: whether the player's graphics are mirrored.
    refp: bool,
    /// Graphics that are displayed, after the vertical delay and the reflection.
    current_grp: u8,
    /// NUSIZx: number and size of the copies.
    nusiz: u8,
    /// Position of the player on the line, in pixels.
    position: u8,
    /// Whether the player's first copy is not drawn until the end of the line.
    suppressed: bool,
    /// HMPx: motion that an HMOVE applies (the register's high nibble).
    hmp: u8,
    /// COLUPx: colour of the player and its missile.
    colup: u8,
}

/// Registers of a missile, which has the same copies as its player.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Missile {
    enam: bool,
    /// RESMPx: whether the missile is hidden and locked to its player.
    resmp: bool,
    /// Binary logarithm of the missile's width, which is 1, 2, 4 or 8 pixels.
    size: u8,
    position: u8,
    hmm: u8,
}

/// Registers of the ball.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Ball {
    enabl: bool,
    denabl: bool,
    vdelbl: bool,
    size: u8,
    position: u8,
    hmbl: u8,
    /// COLUPF: colour of the ball and of the playfield.
    colupf: u8,
}

/// State of the stars in the game Cosmic Ark: missile 0 continues to move, because its motion register was changed during an
/// HMOVE.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct CosmicArk {
    moving: bool,
    phase: u8,
    /// Shape of missile 0 on the current line: 0 for unchanged, 1 for at least two pixels wide, 2 for invisible.
    shape: u8,
}

/// Registers and drawing state of the TIA.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tia {
    picture: VisiblePicture,
    players: [Player; 2],
    missiles: [Missile; 2],
    ball: Ball,
    stars: CosmicArk,
    /// PF0 to PF2: the twenty bits of the playfield; the lowest bit is the leftmost.
    pf: u32,
    /// CTRLPF, as last written: whether the playfield's right half is mirrored. `reflect_now` is the value of this bit with
    /// which the current line is drawn.
    reflect: bool,
    reflect_now: bool,
    /// CTRLPF: bit 0 is score mode, bit 1 draws the playfield in front of the players.
    priority: u8,
    /// COLUBK: colour of the background.
    colubk: u8,
    /// Set of the visible objects, with one bit per object.
    visible_objects: u8,
    vsync: u8,
    vblank: u8,
    /// Collision registers: two bits per register, starting with CXM0P.
    collisions: u16,
    /// Bits of the collision registers that the current frame does not detect.
    #[serde(skip)]
    undetected: u16,
    /// Bits of the collision registers that may be set in the real chip, because frames have not detected them.
    #[serde(skip)]
    unknown: u16,
    /// Whether the program has read unknown bits.
    #[serde(skip)]
    has_read_unknown: bool,
    /// Clock at which the frame started.
    frame_start: i32,
    /// Clock up to which all pixels have been drawn.
    clock_at_last_update: i32,
    /// Clock up to which drawing is deferred. Deferred pixels are drawn when later pixels are drawn, or at the end of the
    /// frame.
    deferred_to: i32,
    /// Position of `clock_at_last_update` within its line, in clocks.
    line_clock: i32,
    /// Clock at which the current VSYNC has lasted long enough to end the frame.
    vsync_finish_clock: i32,
    /// Number of lines of the last frame.
    last_lines: i32,
    last_hmove: i32,
    hmove_blank: bool,
    /// Whether the last frame is partial, because the program did not end it.
    partial: bool,
    /// VBLANK: whether the paddles' capacitors are grounded.
    dump_enabled: bool,
    /// Cycle at which the paddles' capacitors were released.
    dump_disabled_cycle: u32,
    /// Lower bound of the clock up to which drawing has no effect: before this clock, there is no undrawn pixel and no end of a
    /// line.
    #[serde(skip)]
    no_change_until: i32,
    /// Lower bound of the clock up to which drawing has no effect, unless a write makes an object visible, clears the collisions or
    /// draws up to [`no_change_until`](Self::no_change_until). While lines are hidden and no collision is possible, this is
    /// [`NEVER`], so that most writes only defer drawing.
    #[serde(skip)]
    no_paint_until: i32,
    /// Lower bound of the clock at which the television starts a new frame by itself.
    #[serde(skip, default = "unknown")]
    frame_end: i32,
    /// Clocks at which the visible picture starts and ends.
    #[serde(skip, default = "unknown_clocks")]
    visible_clocks: (i32, i32),
    /// Clock at which a line starts: the line that contains the clock of the last call of `line_clock_at`.
    #[serde(skip, default = "unknown")]
    line_start: i32,
    #[serde(skip)]
    pixels: ObjectPixels,
    /// For each paddle, a resistance in ohms and the number of cycles in which it charges the capacitor.
    #[serde(skip)]
    charge_times: [(i32, u32); 4],
    /// Set of the objects whose motion registers may differ from zero.
    #[serde(skip, default = "all_movable")]
    moving: u8,
}

fn all_movable() -> u8 {
    MOVABLE
}

impl Tia {
    pub(super) fn new(picture: VisiblePicture) -> Self {
        Self {
            picture,
            players: Default::default(),
            missiles: Default::default(),
            ball: Ball::default(),
            stars: CosmicArk::default(),
            pf: 0,
            reflect: false,
            reflect_now: false,
            priority: 0,
            colubk: 0,
            visible_objects: 0,
            vsync: 0,
            vblank: 0,
            collisions: 0,
            undetected: 0,
            unknown: 0,
            has_read_unknown: false,
            frame_start: 0,
            clock_at_last_update: 0,
            deferred_to: 0,
            line_clock: 0,
            vsync_finish_clock: NEVER,
            last_lines: 0,
            last_hmove: 0,
            hmove_blank: false,
            partial: false,
            dump_enabled: false,
            dump_disabled_cycle: 0,
            no_change_until: 0,
            no_paint_until: 0,
            frame_end: unknown(),
            visible_clocks: unknown_clocks(),
            line_start: unknown(),
            pixels: ObjectPixels::default(),
            charge_times: Default::default(),
            moving: MOVABLE,
        }
    }

    pub(super) fn reset(&mut self) {
        *self = Self::new(self.picture);
    }

    /// Returns the visible part of the picture.
    pub fn picture(&self) -> VisiblePicture {
        self.picture
    }

    /// Sets the visible part of the picture, effective from the next reset.
    pub(super) fn set_picture(&mut self, picture: VisiblePicture) {
        self.picture = picture;
        self.visible_clocks = unknown_clocks();
    }

    /// Returns the number of lines of the last frame.
    pub fn last_lines(&self) -> i32 {
        self.last_lines
    }

    /// Returns a processor cycle before which no write can end the frame by exceeding the television's maximum number of lines.
    pub fn frame_limit(&self) -> u32 {
        let clocks = (self.picture.max_lines() + 1) * LINE + self.frame_start;
        (clocks.max(0) / CLOCKS) as u32
    }

    /// Returns whether the last frame replaced all pixels of earlier frames.
    pub(super) fn replaces_all_pixels(&self) -> bool {
        self.clock_at_last_update >= self.last_clock()
    }

    /// Returns whether the program has read collisions that hidden frames have not detected.
    pub(super) fn has_read_unknown(&self) -> bool {
        self.has_read_unknown
    }

    /// Returns those bits of the collision registers that hidden frames have not detected, and that have not been cleared since.
    pub(super) fn unknown_collisions(&self) -> u16 {
        self.unknown
    }

    pub(super) fn is_partial(&self) -> bool {
        self.partial
    }

    pub(super) fn set_partial(&mut self, partial: bool) {
        self.partial = partial;
    }

    /// Subtracts `cycles` processor cycles from all stored times, because the machine's cycle count restarts.
    pub(super) fn rebase(&mut self, cycles: u32) {
        self.dump_disabled_cycle = self.dump_disabled_cycle.wrapping_sub(cycles);
        self.last_hmove = self.last_hmove.wrapping_sub(clock_at(cycles));
        if self.vsync_finish_clock != NEVER {
            self.vsync_finish_clock = self.vsync_finish_clock.wrapping_sub(clock_at(cycles));
        }
    }

    fn is_blanked(&self) -> bool {
        self.vblank & BLANKED != 0
    }

    fn first_clock(&self) -> i32 {
        self.frame_start + i32::from(self.picture.first_line) * LINE
    }

    fn last_clock(&self) -> i32 {
        self.first_clock() + i32::from(self.picture.rows) * LINE
    }

    /// Returns the clocks at which the visible picture starts and ends, and caches them.
    #[inline(always)]
    fn visible_clocks(&mut self) -> (i32, i32) {
        if self.visible_clocks.1 == unknown() {
            self.visible_clocks = (self.first_clock(), self.last_clock());
        }
        self.visible_clocks
    }

    /// Returns whether this state of the TIA, which may come from an untrusted snapshot, is valid.
    pub(super) fn is_valid(&self) -> bool {
        let on_line = |position: u8| usize::from(position) < WIDTH;
        let row_start = i64::from(self.clock_at_last_update) - i64::from(self.line_clock) - i64::from(self.first_clock());
        let players = self.players.iter().all(|player| {
            let displays_registers = player.current_grp == player.displayed_graphics();
            on_line(player.position) && player.nusiz < 8 && player.hmp < 16 && displays_registers
        });
        let missiles = self.missiles.iter().all(|missile| on_line(missile.position) && missile.size < 4 && missile.hmm < 16);
        let ball = on_line(self.ball.position) && self.ball.size < 4 && self.ball.hmbl < 16;
        let drawn = (0..=LINE).contains(&self.line_clock)
            && (0..i64::from(self.picture.rows) * i64::from(LINE)).contains(&row_start)
            && row_start % i64::from(LINE) == 0;
        let before = self.frame_start > -LINE && self.frame_start <= 0;
        players
            && missiles
            && ball
            && before
            && (drawn || !self.partial)
            && self.priority < 4
            && self.visible_objects < 64
            && self.stars.phase < 4
    }

    /// Starts a frame at the start of the current line. `cycles` is the machine's cycle count at the end of the last frame,
    /// after which the count restarts at zero.
    pub(super) fn start_frame(&mut self, cycles: u32, screen: &mut FrameBuffers) {
        let clocks = clock_at(cycles).wrapping_sub(self.frame_start) as u32 % LINE as u32;
        self.frame_start = -(clocks as i32);
        screen.swap();
        self.clock_at_last_update = self.first_clock();
        self.line_clock = 0;
        self.deferred_to = self.clock_at_last_update;
        self.no_change_until = self.clock_at_last_update + BLANK;
        self.no_paint_until = self.no_change_until;
        self.pixels.end_line();
        self.undetected = if screen.hidden { screen.unread_collisions } else { 0 };
        self.unknown |= self.undetected & !self.collisions;
        (self.frame_end, self.line_start) = (unknown(), unknown());
        self.visible_clocks = (self.first_clock(), self.last_clock());
        if self.picture.pal {
            let loss = self.colour_loss();
            let [first, second] = &mut self.players;
            for colour in [&mut self.colubk, &mut self.ball.colupf, &mut first.colup, &mut second.colup] {
                *colour = *colour & 0xfe | loss;
            }
            self.pixels.invalidate(COLOURS);
        }
    }

    /// Returns bit 0 of the palette numbers of all pixels: 1 if a PAL television shows no colours, because the last frame had
    /// an odd number of lines; otherwise 0.
    pub(crate) fn colour_loss(&self) -> u8 {
        u8::from(self.picture.pal && self.last_lines & 1 != 0)
    }

    fn line_at(&self, clock: i32) -> i32 {
        clock.wrapping_sub(self.frame_start) / LINE
    }

    /// Returns the position of a colour clock within its line (0 to 227), and caches the start of the line.
    #[inline(always)]
    fn line_clock_at(&mut self, clock: i32) -> i32 {
        self.near_line_clock(clock).unwrap_or_else(|| self.find_far_line(clock))
    }

    /// Returns the position of a colour clock within its line, if it is in the line of the last call or in the next one, which are
    /// the most frequent cases.
    #[inline(always)]
    fn near_line_clock(&mut self, clock: i32) -> Option<i32> {
        let at = clock.wrapping_sub(self.line_start);
        if (0..LINE).contains(&at) {
            return Some(at);
        }
        let at = at.wrapping_sub(LINE);
        if !(0..LINE).contains(&at) || !(LINE..LAST_LINE).contains(&clock) {
            return None;
        }
        self.line_start += LINE;
        Some(at)
    }

    /// Returns the position within its line of a colour clock that may be far from that of the last call. A clock that has
    /// wrapped around counts backwards from the line's end, and its line is not cached.
    #[inline(never)]
    fn find_far_line(&mut self, clock: i32) -> i32 {
        let at = clock.wrapping_sub(self.frame_start) % LINE;
        let is_ordinary = at >= 0 && (0..LAST_LINE).contains(&clock);
        self.line_start = if is_ordinary { clock - at } else { unknown() };
        at
    }

    /// Ends a frame: counts its lines, and makes the undrawn pixels of a partial frame gray.
    pub(super) fn end_frame(&mut self, cycles: u32, screen: &mut FrameBuffers) {
        self.draw_lines(self.deferred_to, screen);
        self.last_lines = self.line_at(clock_at(cycles));
        if self.partial && !screen.provisional {
            let row = (self.last_lines - i32::from(self.picture.first_line)).max(0) as usize;
            let rest = screen.current.get_mut(row..usize::from(self.picture.rows)).unwrap_or_default();
            rest.as_flattened_mut().iter_mut().for_each(|pixel| *pixel = (*pixel & 0x0f) >> 1);
        }
    }

    /// Defers drawing up to `clock`, because nothing visible changes before that clock.
    ///
    /// `clock` is at most the clock of the current register write plus the write's delay. The next write comes after `clock`.
    #[inline(always)]
    fn defer(&mut self, clock: i32) {
        self.deferred_to = clock;
    }
}

#[cfg(test)]
mod tests;
