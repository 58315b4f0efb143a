//! Rules of the games from Ice Hockey to Robot Tank.

use super::{RamView, RomState};

pub fn ice_hockey(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x8a]) - m.decimal([0x8b]));
    p.reward = p.reward.min(1);
    p.ended = m.byte(0x87) == 0 && m.byte(0x86) == 0;
}

pub fn james_bond(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xdc, 0xdd, 0xde]));
    let lives = m.byte(0x86) & 0x0f;
    p.ended = lives == 0 && m.byte(0x8c) == 0x68;
    p.lives = lives + 1;
}

/// Journey Escape: the initial score of 50,000 does not count as a reward.
pub fn journey_escape(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x92, 0x91, 0x90]));
    if p.reward == 50_000 {
        p.reward = 0;
    }
    p.ended = m.byte(0x95) == 0 && m.byte(0x96) == 0;
}

pub fn kaboom(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa5, 0xa4, 0xa3]));
    p.ended = m.byte(0xa1) == 0 || p.score == 999_999;
}

pub fn kangaroo(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa8, 0xa7]) * 100);
    let lives = m.byte(0xad);
    p.ended = lives == 0xff;
    p.lives = (lives & 7) + 1;
}

pub fn keystone_kapers(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x9c, 0x9b]));
    p.lives = m.byte(0x96);
    p.ended = p.lives == 0 && m.byte(0x88) == 0;
}

pub fn king_kong(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x83, 0x82]));
    p.lives = m.byte(0xee);
    p.ended = p.lives == 0;
}

/// Klax: score, misses and level are in the cartridge's RAM, and the 25 cells of the bin are in the console's RAM.
pub fn klax(p: &mut RomState, m: RamView<'_>) {
    let pairs = [0xf0b6, 0xf0b5, 0xf0b4].map(|address| super::two_digits(m.cartridge_byte(address)));
    p.score(pairs.iter().fold(0, |score, pair| score * 100 + pair));
    let [misses, most_misses, level] = [0xf0ee, 0xf0e9, 0xf09d].map(|address| m.cartridge_byte(address));
    let playing = m.byte(0xa8) == 4;
    let full = (0xb3..0xb3 + 25).all(|address| !matches!(m.byte(address), 0 | 2 | 6 | 10 | 14));
    p.ended = (most_misses > 0 && misses == most_misses) || (playing && full) || level == 0x99;
}

pub fn koolaid(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x81, 0x80]) * 100);
    p.ended = m.byte(0xd1) == 0x80;
}

pub fn krull(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x9e, 0x9d, 0x9c]));
    let lives = m.byte(0x9f);
    p.ended = lives == 0 && m.byte(0xa2) == 0x03 && m.byte(0x80) == 0x80;
    p.lives = (lives & 7) + 1;
}

pub fn kung_fu_master(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x9a, 0x99, 0x98]));
    let lives = m.byte(0x9d);
    p.ended = lives == 0xff;
    p.lives = (lives & 7) + 1;
}

pub fn laser_gates(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x82, 0x81, 0x80]));
    p.ended = m.byte(0x83) == 0;
}

pub fn lost_luggage(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x96, 0x95, 0x94]));
    p.lives = m.byte(0xca);
    p.ended = p.lives == 0 && m.byte(0xc8) == 0x0a && m.byte(0xa5) == 0 && m.byte(0xa9) == 0;
}

pub fn mario_bros(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x8a, 0x89]) * 100);
    p.lives = m.byte(0x87);
    p.ended = p.lives == 0;
}

/// Miniature Golf: the reward of a hole is its par minus the strokes taken.
///
/// `memory` contains five numbers: the hole, its par, the strokes before the stroke counter last wrapped around, the stroke
/// counter, and the strokes before the hole.
pub fn miniature_golf(p: &mut RomState, m: RamView<'_>) {
    p.reward = 0;
    let [strokes, par, hole] = [m.decimal([0x87]), m.decimal([0x88]), m.decimal([0xaf])];
    if hole != p.memory[0] {
        let taken = p.memory[3] + p.memory[2] - p.memory[4];
        if taken > 0 {
            p.reward = p.memory[1] - taken;
        }
        if hole == 0 {
            p.ended = true;
        }
        p.memory[0] = hole;
        p.memory[2] = 0;
        p.memory[4] = p.memory[3];
    }
    if par != 0 {
        p.memory[1] = par;
    } else {
        if strokes < p.memory[3] {
            p.memory[2] += p.memory[3];
        }
        p.memory[3] = strokes;
    }
}

pub fn montezuma_revenge(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x95, 0x94, 0x93]));
    let lives = m.byte(0xba);
    p.ended = lives == 0 && m.byte(0xfe) == 0x60;
    p.lives = (lives & 7) + 1;
}

pub fn mr_do(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x82, 0x83]) * 10);
    p.lives = m.byte(0xdb);
    p.ended = m.byte(0xda) == 0x40;
}

pub fn ms_pacman(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xf8, 0xf9, 0xfa]));
    let lives = m.byte(0xfb) & 0x0f;
    p.ended = lives == 0 && m.byte(0xa7) == 0x53;
    p.lives = (lives & 7) + 1;
}

pub fn name_this_game(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xc6, 0xc5, 0xc4]));
    p.lives = m.byte(0xc7) & 7;
    p.ended = p.lives == 0;
}

/// Othello: the game ends when neither player has been asked for a move for fifty frames.
pub fn othello(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xce]) - m.decimal([0xd0]));
    p.memory[0] = if m.byte(0xc0) == 0 { p.memory[0].saturating_add(1) } else { 0 };
    p.ended = p.memory[0] > 50;
}

pub fn pacman(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xcc, 0xce, 0xd0]));
    p.lives = m.byte(0x98) + 1;
    p.ended = p.lives == 1 && m.byte(0xe4) == 0x3f;
}

pub fn phoenix(p: &mut RomState, m: RamView<'_>) {
    p.score((m.decimal([0xc8, 0xc9]) * 10 + (m.byte(0xc7) >> 4)) * 10);
    p.ended = m.byte(0xcc) == 0x80;
    p.lives = m.byte(0xcb) & 7;
}

pub fn pitfall(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xd7, 0xd6, 0xd5]));
    let lives = m.byte(0x80) >> 4;
    p.ended = lives == 0 && m.byte(0x9e) != 0;
    p.lives = match lives {
        0x0a => 3,
        0x08 => 2,
        _ => 1,
    };
}

pub fn pitfall2(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xc9, 0xc8, 0xc7]));
    p.lives = 1;
    p.ended = p.score == 199_000;
}

pub fn pong(p: &mut RomState, m: RamView<'_>) {
    let [theirs, mine] = [m.byte(13), m.byte(14)];
    p.score(mine - theirs);
    p.ended = theirs == 21 || mine == 21;
}

pub fn pooyan(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x8a, 0x89, 0x88]));
    let lives = m.byte(0x96);
    p.ended = lives == 0 && m.byte(0x98) == 0x05;
    p.lives = (lives & 7) + 1;
}

/// Private Eye: the game ends when the copyright notice appears.
pub fn private_eye(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xca, 0xc9, 0xc8]));
    p.ended = m.byte(0xc2) > 1;
}

/// Q*bert: the byte that counts lives goes down from 2 through 255 to 254. `memory[0]` is the byte's value in the previous frame.
pub fn qbert(p: &mut RomState, m: RamView<'_>) {
    let byte = m.byte(0x88);
    p.ended = byte == 0xfe || (byte == 0x02 && p.memory[0] == -1);
    let lives = i32::from(byte as i8);
    if p.memory[0] - 1 == lives {
        p.lives -= 1;
    }
    p.memory[0] = lives;
    if p.ended {
        p.reward = 0;
    } else {
        p.score(m.decimal([0xdb, 0xda, 0xd9]));
    }
}

/// River Raid: digits of the score are stored as eight times their value; all other bytes mean 0. `memory[0]` is the previous
/// value of the byte that counts lives.
pub fn river_raid(p: &mut RomState, m: RamView<'_>) {
    let digit = |address: u8| match m.byte(address) {
        byte if byte % 8 == 0 && byte <= 72 => byte / 8,
        _ => 0,
    };
    p.score([77, 79, 81, 83, 85, 87].iter().fold(0, |score, address| score * 10 + digit(*address)));
    let lives = m.byte(0xc0);
    p.ended = lives == 0x58 && p.memory[0] == 0x59;
    p.memory[0] = lives;
    p.lives = match lives {
        0x58 => 4,
        0x59 => 1,
        lives => lives / 8 + 1,
    };
}

pub fn road_runner(p: &mut RomState, m: RamView<'_>) {
    p.score(m.digits([0xc9, 0xca, 0xcb, 0xcc]) * 100);
    let lives = m.byte(0xc4) & 7;
    let falling = m.byte(0xb9) != 0 || m.byte(0xbd) != 0;
    p.ended = lives == 0 && falling;
    p.lives = lives + 1;
}

/// Robot Tank: the score counts destroyed tanks; each squadron has twelve tanks.
pub fn robotank(p: &mut RomState, m: RamView<'_>) {
    p.score(m.byte(0xb6) * 12 + m.byte(0xb5));
    let lives = m.byte(0xa8);
    p.ended = lives == 0 && m.byte(0xb4) == 0xff;
    p.lives = (lives & 0x0f) + 1;
}
