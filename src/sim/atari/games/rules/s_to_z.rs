//! Rules of the games from Seaquest to Zaxxon.

use super::{RamView, RomState};

pub fn seaquest(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xba, 0xb9, 0xb8]));
    p.ended = m.byte(0xa3) != 0;
    p.lives = m.byte(0xbb) + 1;
}

pub fn sir_lancelot(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa0, 0x9f, 0x9e]));
    p.lives = m.byte(0xa9);
    p.ended = p.lives == 0 && m.byte(0xa7) == 0xa0;
}

/// Skiing: each hundredth of a second that passes costs a point.
pub fn skiing(p: &mut RomState, m: RamView<'_>) {
    let time = m.byte(0xe8) * 6000 + m.decimal([0xea, 0xe9]);
    p.reward = p.score - time;
    p.score = time;
    p.ended = m.byte(0x91) == 0xff;
}

pub fn solaris(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xdc, 0xdd, 0xde]) * 10);
    let lives = m.byte(0xd9);
    p.ended = lives == 0;
    p.lives = lives & 0x0f;
}

pub fn space_invaders(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xe8, 0xe6]));
    if p.reward < 0 {
        p.reward += 10_000;
    }
    p.lives = m.byte(0xc9);
    p.ended = m.byte(0x98) & 0x80 != 0 || p.lives == 0;
}

pub fn space_war(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa7]));
    p.ended = p.score == 10 || m.byte(0x80) == 0;
}

/// Stargunner: before the game starts, the rule ignores RAM and reports five lives.
pub fn star_gunner(p: &mut RomState, m: RamView<'_>) {
    p.score(m.digits([0x83, 0x84, 0x85, 0x86]) * 100);
    let lives = m.byte(0x87);
    p.ended = lives == 0;
    if lives == 5 {
        p.memory[0] = 1;
    }
    p.lives = if p.memory[0] == 1 { lives & 0x0f } else { 5 };
}

/// Superman: the game ends when Clark Kent enters the Daily Planet. The reward is the number of seconds that remain of 100
/// minutes.
pub fn superman(p: &mut RomState, m: RamView<'_>) {
    let seconds = m.decimal([0xe3]) * 60 + m.decimal([0xe2]);
    let is_clark_kent = m.byte(0x9f) & 0x40 != 0;
    p.ended = is_clark_kent && m.byte(0x80) == 0xac && m.byte(0x81) == 0xf2;
    p.reward = if p.ended { 99 * 60 + 59 - seconds } else { 0 };
}

pub fn surround(p: &mut RomState, m: RamView<'_>) {
    let [theirs, mine] = [m.decimal([0xf6]), m.decimal([0xf7])];
    p.score(mine - theirs);
    p.ended = theirs == 10 || mine == 10;
}

/// Tennis: the reward is the change of the difference in games won if there is one, otherwise the change of the difference in
/// points. `memory[0..2]` are the differences in points and in games.
pub fn tennis(p: &mut RomState, m: RamView<'_>) {
    let [my_games, their_games] = [m.byte(0xc7), m.byte(0xc8)];
    let [points, games] = [m.byte(0xc5) - m.byte(0xc6), my_games - their_games];
    p.reward = if games != p.memory[1] { games - p.memory[1] } else { points - p.memory[0] };
    p.memory = [points, games, 0, 0, 0, 0];
    p.ended = (my_games >= 6 && games >= 2) || (their_games >= 6 && games <= -2) || my_games == 7 || their_games == 7;
}

pub fn tetris(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x71, 0x72]));
    p.reward = p.reward.max(0);
    p.ended = m.byte(0x73) & 0x80 != 0;
    if p.ended {
        p.score = 0;
    }
}

/// Tic-Tac-Toe 3D: the game ends when all 64 cells are taken, or when the return address on the stack belongs to the code that
/// announces the winner.
pub fn tic_tac_toe_3d(p: &mut RomState, m: RamView<'_>) {
    p.reward = 0;
    if m.byte(0xff) == 0xf3 && m.byte(0xfe) == 0x10 {
        p.reward = if m.byte(0xe1) == 0x08 { 1 } else { -1 };
        p.ended = true;
    }
    if (0x9a..=0xd9).all(|address| m.byte(address) != 0) {
        p.ended = true;
    }
}

pub fn time_pilot(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x8d, 0x8f]) * 100);
    p.ended = m.byte(0xa0) != 0;
    if m.byte(0x80) & 0x0f == 2 {
        p.lives = (m.byte(0x8b) & 7) + 1;
    }
}

pub fn trondead(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xbf, 0xbe, 0xbd]));
    let hits = m.byte(0xc8);
    p.ended = hits == 5;
    p.lives = 5 - hits;
}

pub fn turmoil(p: &mut RomState, m: RamView<'_>) {
    p.score((m.decimal([0x89, 0x8a]) + m.byte(0xd3)) * 10);
    p.lives = m.byte(0xb9);
    p.ended = p.lives == 0 && m.byte(0xc5) == 1;
}

pub fn tutankham(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x9c, 0x9a]));
    let lives = m.byte(0x9e);
    p.ended = lives == 0 && m.byte(0x81) != 0x84;
    p.lives = lives & 3;
}

pub fn up_n_down(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x82, 0x81, 0x80]));
    let lives = m.byte(0x86) & 0x0f;
    p.ended = m.byte(0x94) > 0x40 && lives == 0;
    p.lives = lives + 1;
}

pub fn venture(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xc8, 0xc7]) * 100);
    let lives = m.byte(0xc6);
    p.ended = lives == 0 && m.byte(0xcd) == 0xff && m.byte(0xbf) & 0x80 != 0;
    p.lives = (lives & 7) + 1;
}

/// Video Checkers: the 32 squares are stored in four groups of eight. The mode decides whether a player without pieces wins or
/// loses.
pub fn video_checkers(p: &mut RomState, m: RamView<'_>) {
    let squares = || (0x80..0x88).chain(0x89..0x91).chain(0x92..0x9a).chain(0x9b..0xa3).map(|square| m.byte(square));
    let black = squares().any(|piece| matches!(piece, 0x10 | 0x20));
    let white = squares().any(|piece| matches!(piece, 0x90 | 0xa0));
    if !black || !white {
        p.ended = true;
        p.reward = if black == (p.setting == 0) { 1 } else { -1 };
    }
}

/// Video Chess: RAM contains a valid result only on white's turn.
pub fn video_chess(p: &mut RomState, m: RamView<'_>) {
    p.reward = 0;
    if m.byte(0xe1) != 0x82 {
        return;
    }
    match m.byte(0xee) {
        0 => p.reward = 1,
        1 => p.reward = -1,
        _ => return,
    }
    p.ended = true;
}

/// Video Cube: each face with a single colour gives a point. `memory[0]` is the number of such faces.
///
/// `setting` is the game's clock in the previous frame, which resets do not change.
pub fn video_cube(p: &mut RomState, m: RamView<'_>) {
    let is_complete = |face: &u8| {
        let first = 0xa0 + face * 9;
        (first..first + 9).all(|block| m.byte(block) == m.byte(first))
    };
    let complete = (0..6_u8).filter(is_complete).count() as i32;
    let clock = m.byte(0xdb);
    let time_is_up = clock == 0 && p.setting == 255;
    p.setting = clock;
    p.reward = if time_is_up { -1 } else { complete - p.memory[0] };
    p.memory[0] = complete;
    p.ended = time_is_up || complete == 6;
}

pub fn video_pinball(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xb0, 0xb2, 0xb4]));
    p.ended = m.byte(0xaf) & 1 != 0;
    p.lives = 4 + (m.byte(0xa8) & 1) - (m.byte(0x99) & 7);
}

/// Wizard of Wor: if the score is 800,000 or more, its first digit has a different meaning. The number of lives in RAM is valid
/// only while the game waits for the player's worrior to enter.
pub fn wizard_of_wor(p: &mut RomState, m: RamView<'_>) {
    let score = m.decimal([0x86, 0x88]);
    p.score(if score >= 8000 { score - 8000 } else { score } * 100);
    let lives = m.byte(0x8d) & 0x0f;
    p.ended = lives == 0 && m.byte(0xf4) == 0xf8;
    if m.byte(0xd7) & 1 == 0 {
        p.lives = lives;
    }
}

/// Word Zapper: RAM contains a valid score, and shows the end of the game, only while the game's clock runs.
pub fn word_zapper(p: &mut RomState, m: RamView<'_>) {
    if m.decimal([0xcf]) > 0 {
        p.score(2 - i32::from(m.byte(0xdc) as i8));
        p.ended = p.score == 3 || m.decimal([0xde]) == 0;
    }
}

pub fn yars_revenge(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xe2, 0xe1, 0xe0]));
    p.lives = m.byte(0x9e) >> 4;
    p.ended = p.lives == 0;
}

pub fn zaxxon(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xe9, 0xe8]) * 100);
    p.lives = m.byte(0xea) & 7;
    p.ended = p.lives == 0;
}
