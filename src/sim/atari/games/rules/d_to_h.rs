//! Rules of the games from Dark Chambers to Human Cannonball.

use super::{RamView, RomState};

/// Dark Chambers: the game ends if the level or the score decreases, or health is zero. `memory[0]` is the highest level
/// reached.
pub fn dark_chambers(p: &mut RomState, m: RamView<'_>) {
    p.reward = 0;
    let level = m.byte(0xd5);
    if level < p.memory[0] {
        p.ended = true;
        return;
    }
    p.memory[0] = level;
    let score = m.decimal([0xcc, 0xcf]) * 10;
    if score < p.score {
        p.ended = true;
    } else {
        p.score(score);
    }
    if m.byte(0xca) & 0x1f == 0 {
        p.ended = true;
    }
}

pub fn defender(p: &mut RomState, m: RamView<'_>) {
    p.score(m.digits([0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1]));
    p.lives = m.byte(0xc2);
    p.ended = p.lives == 0;
}

/// Demon Attack: before the game starts, the score's bytes in RAM contain a fixed pattern, which means a score of 0.
pub fn demon_attack(p: &mut RomState, m: RamView<'_>) {
    let unset = m.byte(0x81) == 0xab && m.byte(0x83) == 0xcd && m.byte(0x85) == 0xea;
    p.score(if unset { 0 } else { m.decimal([0x85, 0x83, 0x81]) });
    let lives = m.byte(0xf2);
    p.ended = lives == 0 && m.byte(0xf1) == 0xbd;
    p.lives = lives + 1;
}

pub fn donkey_kong(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x88, 0x87]) * 100);
    p.lives = m.byte(0xa3);
    p.ended = p.lives == 0 && m.byte(0x8f) == 0x03 && m.byte(0x8b) == 0x1f;
}

pub fn double_dunk(p: &mut RomState, m: RamView<'_>) {
    let [mine, theirs] = [m.decimal([0xf6]), m.decimal([0xf7])];
    p.score(mine - theirs);
    p.ended = (mine >= 24 || theirs >= 24) && m.byte(0xfe) == 0xe7;
}

pub fn earthworld(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa7]));
    p.ended = p.score == 10;
}

pub fn elevator_action(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x89, 0x88, 0x87]));
    p.lives = m.byte(0x83);
    let title = m.byte(0x81) == 0;
    p.ended = p.lives == 0 && !title;
}

/// Enduro: RAM counts the cars that must still be passed: from 200 on the first day, and from 300 on later days.
pub fn enduro(p: &mut RomState, m: RamView<'_>) {
    let left = m.decimal([0xab, 0xac]);
    p.score(match m.byte(0xad) {
        0 => 0,
        1 => 200 - left,
        day => 200 + (day - 2) * 300 + 300 - left,
    });
    p.ended = m.byte(0xaf) == 0xff;
}

pub fn entombed(p: &mut RomState, m: RamView<'_>) {
    p.score(m.byte(0xe3));
    p.ended = m.byte(0xc7) & 3 == 0;
}

pub fn et(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xe1, 0xe0, 0xdf]));
    p.lives = i32::from((m.byte(0xe5) + 1) as i8);
    p.ended = p.lives == 0 && m.byte(0x80) == 8;
}

pub fn fishing_derby(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xbd]) - m.decimal([0xbe]));
    p.ended = m.byte(0xbd) == 0x99 || m.byte(0xbe) == 0x99;
}

pub fn flag_capture(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xea]));
    p.ended = m.decimal([0xeb]) == 0;
}

pub fn freeway(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([103]));
    p.reward = p.reward.clamp(0, 1);
    p.ended = m.byte(22) == 1;
}

pub fn frogger(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xce, 0xcc]));
    p.lives = m.byte(0xd0);
    p.ended = p.lives == 0xff;
}

pub fn frostbite(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xca, 0xc9, 0xc8]));
    let lives = m.byte(0xcc) & 0x0f;
    p.ended = lives == 0 && m.byte(0xf1) & 0x80 != 0;
    p.lives = lives + 1;
}

pub fn galaxian(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xae, 0xad, 0xac]));
    if p.reward < 0 {
        p.reward += 1_000_000;
    }
    p.ended = m.byte(0xbf) & 0x80 != 0;
    p.lives = if p.ended { 0 } else { m.byte(0xb9) + 1 };
}

/// Gopher: the number of lives is the number of carrots left.
pub fn gopher(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xb2, 0xb1, 0xb0]));
    let carrots = m.byte(0xb4) & 7;
    p.ended = carrots == 0;
    p.lives = carrots.count_ones() as i32;
}

pub fn gravitar(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x89, 0x88, 0x87]));
    let screen = m.byte(0x81);
    p.ended = screen == 1;
    p.lives = if screen == 0 { 6 } else { m.byte(0x84) + 1 };
}

/// Hangman: the reward is the change of the player's score minus that of the computer's. `memory[0..2]` are the two scores;
/// `memory[2]` is the game's clock in the previous frame.
pub fn hangman(p: &mut RomState, m: RamView<'_>) {
    let [computer, player] = [m.decimal([0xec]), m.decimal([0xeb])];
    p.reward = (player - p.memory[0]) - (computer - p.memory[1]);
    p.memory[0] = player;
    p.memory[1] = computer;
    let clock = m.byte(0xf1);
    let time_is_up = clock == 0 && p.memory[2] == 255;
    p.memory[2] = clock;
    p.ended = p.reward != 0 || time_is_up;
}

/// Haunted House: each match that is used costs a point.
pub fn haunted_house(p: &mut RomState, m: RamView<'_>) {
    let matches = m.decimal([0x82]);
    p.reward = if matches == p.memory[0] { 0 } else { -1 };
    p.memory[0] = matches;
    p.lives = m.byte(0x96);
    let escaped = m.byte(0x99) == 0x44;
    if escaped {
        p.reward += 100;
    }
    p.ended = p.lives == 0 || escaped;
}

pub fn hero(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xb9, 0xb8, 0xb7]));
    p.lives = m.byte(0xb3);
    p.ended = p.lives == 0;
}

pub fn human_cannonball(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xb6]));
    p.ended = p.score == 7 || m.decimal([0xb7]) == 7;
}
