//! Rules of the games from Adventure to Crossbow.

use super::{RamView, RomState, two_digits};

pub fn adventure(p: &mut RomState, m: RamView<'_>) {
    let chalice_home = m.byte(0xb9) == 0x12;
    if chalice_home {
        p.reward = 1;
    }
    let eaten = m.byte(0xe0) == 2;
    p.ended = eaten || chalice_home;
}

pub fn air_raid(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xaa, 0xa9, 0xa8]));
    p.ended = m.byte(0xa7) == 0xff;
}

pub fn alien(p: &mut RomState, m: RamView<'_>) {
    let digit = |address: u8| match m.byte(address) {
        0x80 => 0,
        byte => byte >> 3,
    };
    p.score([0x83, 0x85, 0x87, 0x89, 0x8b].iter().fold(0, |score, address| score * 10 + digit(*address)) * 10);
    p.lives = m.byte(0xc0) & 0x0f;
    p.ended = p.lives == 0;
}

pub fn amidar(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xd9, 0xda, 0xdb]));
    let lives = m.byte(0xd6);
    p.lives = lives & 0x0f;
    p.ended = lives == 0x80;
}

pub fn assault(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x82, 0x81, 0x80]));
    p.lives = m.byte(0xe5);
    p.ended = p.lives == 0;
}

pub fn asterix(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xe0, 0xdf, 0xde]));
    p.lives = m.byte(0xd3) & 0x0f;
    let dying = m.byte(0xc7) == 1;
    p.ended = dying && p.lives == 1;
}

pub fn asteroids(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xbe, 0xbd]) * 10);
    if p.reward < 0 {
        p.reward += 100_000;
    }
    p.lives = m.byte(0xbc) >> 4;
    p.ended = p.lives == 0;
}

/// Atlantis: the score is reset at the end of the game, so the last reward is 0.
pub fn atlantis(p: &mut RomState, m: RamView<'_>) {
    p.lives = m.byte(0xf1);
    p.ended = p.lives == 0xff;
    if p.ended {
        p.reward = 0;
    } else {
        p.score(m.decimal([0xa2, 0xa3, 0xa1]) * 100);
    }
}

pub fn atlantis2(p: &mut RomState, m: RamView<'_>) {
    p.lives = m.byte(0xf1);
    p.ended = p.lives == 0xff;
    if p.ended {
        p.reward = 0;
    } else {
        p.score(m.decimal([0xa1, 0xa2, 0xa3]));
    }
}

/// Backgammon: the board's points store the player's pieces as negative numbers and the computer's as positive numbers. The
/// game's two bar bytes count the pieces borne off.
pub fn backgammon(p: &mut RomState, m: RamView<'_>) {
    let pieces = |address: u8| i32::from(m.byte(address) as i8);
    let points = || (0x81..=0x8d).chain(0x8f..=0x9b).map(pieces);
    let [player_out, computer_out] = [-pieces(0x80), pieces(0x8e)];
    let computer_in: i32 = points().filter(|pieces| *pieces > 0).sum();
    let player_in: i32 = points().filter(|pieces| *pieces < 0).map(|pieces| -pieces).sum();
    if computer_in + computer_out != 15 || player_in + player_out != 15 {
        return;
    }
    if player_out == 15 {
        p.ended = true;
        p.reward = 1;
    } else if computer_out == 15 {
        p.ended = true;
        p.reward = -1;
    }
}

pub fn bank_heist(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xda, 0xd9, 0xd8]));
    p.lives = m.byte(0xd5);
    let dying = m.byte(0xce) == 1;
    p.ended = dying && p.lives == 0;
}

pub fn basic_math(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x84]));
    p.ended = m.decimal([0x86]) != 0;
}

pub fn battle_zone(p: &mut RomState, m: RamView<'_>) {
    let digit = |nibble: i32| if nibble == 10 { 0 } else { nibble };
    let [thousands, rest] = [m.byte(0x9d), m.byte(0x9e)];
    p.score((digit(thousands >> 4) + 10 * digit(rest & 0x0f) + 100 * digit(rest >> 4)) * 1000);
    p.lives = m.byte(0xba) & 0x0f;
    p.ended = p.lives == 0;
}

/// BeamRider: RAM counts lives, but a life counts as lost only after the ship has exploded.
pub fn beam_rider(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x89, 0x8a, 0x8b]));
    let lives = m.byte(0x85) + 1;
    let exploded = m.byte(0x8c) == 1;
    if lives != p.lives - 1 || exploded {
        p.lives = lives;
    }
    p.ended = m.byte(0x85) == 0xff;
}

pub fn berzerk(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xdf, 0xde, 0xdd]));
    let lives = m.byte(0xda);
    p.ended = lives == 0xff;
    p.lives = lives + 1;
}

pub fn blackjack(p: &mut RomState, m: RamView<'_>) {
    let bust = m.byte(0x86) == 0x0b && m.byte(0x89) == 0xbb;
    let score = if bust { 0 } else { m.decimal([0x89, 0x86]) };
    p.score(score);
    p.ended = bust || score >= 1000;
}

pub fn bowling(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xa1, 0xa6]));
    p.ended = m.byte(0xa4) > 0x10;
}

pub fn boxing(p: &mut RomState, m: RamView<'_>) {
    let points = |address: u8| if m.byte(address) == 0xc0 { 100 } else { m.decimal([address]) };
    let [mine, theirs] = [points(0x92), points(0x93)];
    p.score(mine - theirs);
    let time_is_up = m.byte(0x90) >> 4 == 0 && two_digits(m.byte(0x91)) == 0;
    p.ended = mine == 100 || theirs == 100 || time_is_up;
}

/// Breakout: the game counts as started when the number of balls is five.
pub fn breakout(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([77]) + 100 * (m.byte(76) & 0x0f));
    p.lives = m.byte(57);
    if p.lives == 5 {
        p.memory[0] = 1;
    }
    p.ended = p.memory[0] == 1 && p.lives == 0;
}

pub fn carnival(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xae, 0xad]) * 10);
    p.ended = m.byte(0x83) == 0;
}

/// Casino: the third mode (poker solitaire) gives points at the end. In the other modes, a bet that is placed while the game
/// waits does not give a negative reward.
pub fn casino(p: &mut RomState, m: RamView<'_>) {
    let score = m.decimal([0x95, 0x8c]);
    if m.byte(0xd4) == 3 {
        let awarded = m.byte(0x9e) == 0xaa;
        p.reward = score - p.score;
        p.ended = score > 0 && awarded;
    } else {
        let waiting = m.byte(0xd3) & 0x80 != 0;
        if !waiting {
            p.reward = score - p.score;
        }
        p.ended = score == 0 || (m.decimal([0x9e]) > 0 && waiting);
    }
    p.score = score;
}

pub fn centipede(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xf6, 0xf5, 0xf4]));
    p.reward = p.reward.max(0);
    p.lives = (m.byte(0xed) >> 4 & 7) + 1;
    p.ended = m.byte(0xa6) & 0x40 != 0;
}

/// Chopper Command: the end of the game is recognised only after the game has started.
pub fn chopper_command(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0xee, 0xec]) * 100);
    p.lives = m.byte(0xe4) & 0x0f;
    p.memory[0] |= m.byte(0xc2) & 1;
    p.ended = p.lives == 0 && p.memory[0] != 0;
}

pub fn crazy_climber(p: &mut RomState, m: RamView<'_>) {
    p.score((m.byte(0x82) + 10 * m.byte(0x83) + 100 * m.byte(0x84) + 1000 * m.byte(0x85)) * 100);
    p.reward = p.reward.max(0);
    p.lives = m.byte(0xaa);
    p.ended = p.lives == 0;
}

pub fn crossbow(p: &mut RomState, m: RamView<'_>) {
    p.score(m.decimal([0x8d, 0x8c, 0x8b]));
    p.ended = m.byte(0xe7) == 0x82;
}
