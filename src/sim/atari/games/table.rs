//! Table of the games. Digests, modes, difficulties and actions are those of ALE.

use super::super::action::{ACTIONS, Action, Action::*};
use super::super::bank_switching::BankSwitching;
use super::super::input::Controller;
use super::super::tia::VisiblePicture;
use super::{Game, Lives, ModeSelect, RamView, RomState, mode_select, rules};

/// Default for the highest resistance of a game's paddles, in ohms.
const PADDLE_MAX: i32 = 790_196;
/// Modes of Video Cube: the hundreds are the number of the cube (starting at 0), and the remainder is the cube's view.
const CUBES: [u16; 153] = {
    let mut modes = [0; 153];
    let mut i = 0;
    while i < 153 {
        modes[i] = (i / 3 * 100 + i % 3) as u16;
        i += 1;
    }
    modes
};

const fn game(name: &'static str, md5: u128, scheme: BankSwitching, rule: fn(&mut RomState, RamView<'_>)) -> Game {
    let size = match scheme {
        BankSwitching::TwoK => 0x800,
        BankSwitching::FourK => 0x1000,
        BankSwitching::F8 | BankSwitching::F8Sc | BankSwitching::E0 | BankSwitching::Fe => 0x2000,
        BankSwitching::Dpc => 0x2800,
        BankSwitching::F6 | BankSwitching::F6Sc => 0x4000,
    };
    Game {
        name,
        md5,
        scheme,
        size,
        picture: VisiblePicture { first_line: 34, rows: 210, pal: false, hmove_blanks: true },
        is_pal: false,
        controller: Controller::Joystick,
        swapped_ports: false,
        swapped_paddles: false,
        right_paddles: false,
        paddle_max: PADDLE_MAX,
        modes: &[0],
        select: ModeSelect::Fixed,
        difficulties: &[0],
        minimal: &ACTIONS,
        no_button: false,
        starting_actions: &[],
        rule,
        initial: (0, 0, 0),
        lives: Lives::Counted,
    }
}

const fn poll(hold: u32, is_chosen: fn(RamView<'_>, i32) -> bool) -> ModeSelect {
    ModeSelect::Poll { first: 0, hold, is_chosen }
}

const fn poll_after(first: u32, hold: u32, is_chosen: fn(RamView<'_>, i32) -> bool) -> ModeSelect {
    ModeSelect::Poll { first, hold, is_chosen }
}

impl Game {
    const fn sized(self, size: usize) -> Self {
        Self { size, ..self }
    }

    const fn minimal(self, minimal: &'static [Action]) -> Self {
        Self { minimal, ..self }
    }

    const fn without_button(self) -> Self {
        Self { no_button: true, ..self }
    }

    const fn modes(self, modes: &'static [u16], select: ModeSelect) -> Self {
        Self { modes, select, ..self }
    }

    const fn difficulties(self, difficulties: &'static [u8]) -> Self {
        Self { difficulties, ..self }
    }

    const fn starts(self, starts: &'static [(Action, u32)]) -> Self {
        Self { starting_actions: starts, ..self }
    }

    /// Sets the initial values of three fields of the rule's state (`RomState`): score, number of lives and `memory[0]`.
    const fn initial(self, score: i32, lives: i32, memory: i32) -> Self {
        Self { initial: (score, lives, memory), ..self }
    }

    const fn lives_are(self, lives: Lives) -> Self {
        Self { lives, ..self }
    }

    const fn paddles(self, paddle_max: i32, swapped_paddles: bool) -> Self {
        Self { controller: Controller::Paddles, paddle_max, swapped_paddles, ..self }
    }

    const fn right_paddles(self) -> Self {
        Self { right_paddles: true, ..self }
    }

    const fn swapped_ports(self) -> Self {
        Self { swapped_ports: true, ..self }
    }

    const fn rows(self, first_line: u16, rows: u16) -> Self {
        Self { picture: VisiblePicture { first_line, rows, ..self.picture }, ..self }
    }

    const fn pal(self) -> Self {
        Self { is_pal: true, ..self }
    }

    const fn without_hmove_blanks(self) -> Self {
        Self { picture: VisiblePicture { hmove_blanks: false, ..self.picture }, ..self }
    }
}

/// All games, sorted by name.
#[rustfmt::skip]
pub static GAMES: [Game; 104] = [
    game("adventure", 0x4b27f5397c442d25f0c418ccdacf1926, BankSwitching::FourK, rules::a_to_c::adventure).modes(&[0, 1, 2], ModeSelect::Own(mode_select::adventure)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::One).pal(),
    game("air_raid", 0x35be55426c1fec32dfb503b4f0651572, BankSwitching::FourK, rules::a_to_c::air_raid).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[1, 2, 3, 4, 5, 6, 7, 8], poll_after(20, 10, |m, mode| m.byte(0xaa) == mode)).starts(&[(Fire, 1)]).lives_are(Lives::OneUntilEnd).pal(),
    game("alien", 0xf1a0a23e6464d954e3a9579c4ccd01c8, BankSwitching::FourK, rules::a_to_c::alien).modes(&[0, 1, 2, 3], poll(1, |m, mode| m.byte(0x81) == mode)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::CountedAlways),
    game("amidar", 0xacb7750b4d0c4bd34969802a7deb2990, BankSwitching::FourK, rules::a_to_c::amidar).minimal(&[Noop, Fire, Up, Right, Left, Down, UpFire, RightFire, LeftFire, DownFire]).difficulties(&[0, 3]),
    game("assault", 0xde78b3a064d374390ac0710f95edde92, BankSwitching::FourK, rules::a_to_c::assault).minimal(&[Noop, Fire, Up, Right, Left, RightFire, LeftFire]),
    game("asterix", 0x89a68746eff7f266bbf08de2483abe55, BankSwitching::F8, rules::a_to_c::asterix).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).starts(&[(Fire, 1)]),
    game("asteroids", 0xccbd36746ed4525821a8083b0d6d2c2c, BankSwitching::F8, rules::a_to_c::asteroids).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, UpFire, RightFire, LeftFire, DownFire, UpRightFire, UpLeftFire]).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 128], poll(2, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 3]).without_hmove_blanks(),
    game("atlantis", 0x9ad36e699ef6f45d9eb6c4cf90475c9f, BankSwitching::FourK, rules::a_to_c::atlantis).minimal(&[Noop, Fire, RightFire, LeftFire]).modes(&[0, 1, 2, 3], poll(2, |m, mode| m.byte(0x8d) == mode)),
    game("atlantis2", 0x826481f6fc53ea47c9f272f7050eedf7, BankSwitching::FourK, rules::a_to_c::atlantis2).minimal(&[Noop, Fire, RightFire, LeftFire]),
    game("backgammon", 0x8556b42aa05f94bc29ff39c39b11bff4, BankSwitching::FourK, rules::a_to_c::backgammon).minimal(&[Fire, Right, Left]).modes(&[0], poll(1, |m, _| m.byte(0xdc) == 3)).difficulties(&[3]).lives_are(Lives::OneUntilEnd).paddles(1_000_000, false),
    game("bank_heist", 0x00ce0bdd43aed84a983bef38fe7f5ee3, BankSwitching::FourK, rules::a_to_c::bank_heist).modes(&[0, 4, 8, 12, 16, 20, 24, 28], poll(1, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1, 2, 3]),
    game("basic_math", 0x819aeeb9a2e11deb54e6de334f843894, BankSwitching::TwoK, rules::a_to_c::basic_math).minimal(&[Noop, Fire, Up, Right, Left, Down]).modes(&[5, 6, 7, 8], poll(2, |m, mode| m.byte(0xc5) == mode)).difficulties(&[0, 2, 3]).lives_are(Lives::OneUntilEnd),
    game("battle_zone", 0x41f252a66c6301f1e8ab3612c19bc5d4, BankSwitching::F8, rules::a_to_c::battle_zone).modes(&[1, 2, 3], poll(2, |m, mode| m.byte(0xa1) == mode)).without_hmove_blanks(),
    game("beam_rider", 0x79ab4123a83dc11d468fb2108ea09e2e, BankSwitching::F8, rules::a_to_c::beam_rider).minimal(&[Noop, Fire, Up, Right, Left, UpRight, UpLeft, RightFire, LeftFire]).difficulties(&[0, 1]).starts(&[(Right, 1)]).initial(0, 3, 0),
    game("berzerk", 0x136f75c4dd02c29283752b7e5799f978, BankSwitching::FourK, rules::a_to_c::berzerk).modes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 18], ModeSelect::Own(mode_select::berzerk)),
    game("blackjack", 0x0a981c03204ac2b278ba392674682560, BankSwitching::TwoK, rules::a_to_c::blackjack).minimal(&[Noop, Fire, Up, Down]).difficulties(&[0, 1, 2, 3]).lives_are(Lives::OneUntilEnd).paddles(795_000, false),
    game("bowling", 0xc9b7afad3bfd922e006a6bfc1d4f3fe7, BankSwitching::TwoK, rules::a_to_c::bowling).minimal(&[Noop, Fire, Up, Down, UpFire, DownFire]).modes(&[0, 2, 4], poll(2, |m, mode| m.byte(0x82) == mode)).difficulties(&[0, 1]).lives_are(Lives::None),
    game("boxing", 0xc3ef5c4653212088eda54dc91d787870, BankSwitching::TwoK, rules::a_to_c::boxing).difficulties(&[0, 1, 2, 3]).lives_are(Lives::None),
    game("breakout", 0xf34f08e5eb96e500e851a80be3277a56, BankSwitching::TwoK, rules::a_to_c::breakout).minimal(&[Noop, Fire, Right, Left]).modes(&[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44], poll(1, |m, mode| m.byte(0xb2) == mode)).difficulties(&[0, 1]).paddles(PADDLE_MAX, false),
    game("carnival", 0x028024fb8e5e5f18ea586652f9799c96, BankSwitching::FourK, rules::a_to_c::carnival).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).lives_are(Lives::None).rows(26, 214),
    game("casino", 0xb816296311019ab69a21cb9e9e235d12, BankSwitching::FourK, rules::a_to_c::casino).minimal(&[Noop, Fire, Up, Down]).modes(&[0, 2, 3], poll(2, |m, mode| m.byte(0xd4) == mode)).difficulties(&[0, 1, 2, 3]).starts(&[(Noop, 60), (Fire, 2)]).lives_are(Lives::OneUntilEnd).paddles(PADDLE_MAX, false),
    game("centipede", 0x91c2098e88a6b13f977af8c003e0bca5, BankSwitching::F8, rules::a_to_c::centipede).modes(&[22, 86], poll(2, |m, mode| m.byte(0xa7) == mode)),
    game("chopper_command", 0xc1cb228470a87beb5f36e90ac745da26, BankSwitching::FourK, rules::a_to_c::chopper_command).modes(&[0, 2], poll(2, |m, mode| m.byte(0xe0) == mode)).difficulties(&[0, 1]).lives_are(Lives::CountedAlways),
    game("crazy_climber", 0x55ef7b65066428367844342ed59f956c, BankSwitching::F8, rules::a_to_c::crazy_climber).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).modes(&[0, 1, 2, 3], poll(2, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1]),
    game("crossbow", 0x8cd26dcf249456fe4aeb8db42d49df74, BankSwitching::F6, rules::a_to_c::crossbow).modes(&[0, 2, 4, 6], poll(2, |m, mode| m.byte(0x8d) == mode + 1)).difficulties(&[0, 1]).lives_are(Lives::OneUntilEnd),
    game("darkchambers", 0x106855474c69d08c8ffa308d47337269, BankSwitching::F6Sc, rules::d_to_h::dark_chambers).starts(&[(Noop, 486)]).lives_are(Lives::OneUntilEnd).without_hmove_blanks(),
    game("defender", 0x0f643c34e40e3f1daafd9c524d3ffe64, BankSwitching::FourK, rules::d_to_h::defender).modes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 16], poll(2, |m, mode| m.byte(0x9b) == mode)).difficulties(&[0, 1]),
    game("demon_attack", 0xf0e0addc07971561ab80d9abe1b8d333, BankSwitching::FourK, rules::d_to_h::demon_attack).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[1, 3, 5, 7], poll(1, |m, mode| m.byte(0xea) == mode)).difficulties(&[0, 1]),
    game("donkey_kong", 0x36b20c427975760cb9cf4a47e41369e4, BankSwitching::FourK, rules::d_to_h::donkey_kong),
    game("double_dunk", 0x368d88a6c071caba60b4f778615aae94, BankSwitching::F6, rules::d_to_h::double_dunk).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], ModeSelect::Own(mode_select::double_dunk)).starts(&[(UpFire, 1)]).lives_are(Lives::None),
    game("earthworld", 0x5aea9974b975a6a844e6df10d2b861c4, BankSwitching::F8, rules::d_to_h::earthworld).lives_are(Lives::OneUntilEnd),
    game("elevator_action", 0x71f8bacfbdca019113f3f0801849057e, BankSwitching::F8Sc, rules::d_to_h::elevator_action).starts(&[(Fire, 16)]),
    game("enduro", 0x94b92a882f6dbaa6993a46e2dcc58402, BankSwitching::FourK, rules::d_to_h::enduro).minimal(&[Noop, Fire, Right, Left, Down, DownRight, DownLeft, RightFire, LeftFire]).starts(&[(Fire, 1)]).lives_are(Lives::None),
    game("entombed", 0x6b683be69f92958abe0e2a9945157ad5, BankSwitching::FourK, rules::d_to_h::entombed).difficulties(&[0, 2]).starts(&[(Fire, 1), (Noop, 5)]).lives_are(Lives::OneUntilEnd),
    game("et", 0x615a3bf251a38eb6638cdc7ffbde5480, BankSwitching::F8, rules::d_to_h::et).modes(&[0, 1, 2], poll(25, |m, mode| m.byte(0xea) == mode + 1)).difficulties(&[0, 1, 2, 3]),
    game("fishing_derby", 0xb8865f05676e64f3bec72b9defdacfa7, BankSwitching::TwoK, rules::d_to_h::fishing_derby).difficulties(&[0, 1, 2, 3]).lives_are(Lives::None),
    game("flag_capture", 0x30512e0e83903fc05541d2f6a6a62654, BankSwitching::TwoK, rules::d_to_h::flag_capture).modes(&[8, 9, 10], poll(2, |m, mode| m.byte(0xd6) == mode)).lives_are(Lives::OneUntilEnd),
    game("freeway", 0x8e0ab801b1705a740b476b7f588c6d16, BankSwitching::TwoK, rules::d_to_h::freeway).minimal(&[Noop, Up, Down]).modes(&[0, 1, 2, 3, 4, 5, 6, 7], poll(1, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1]).lives_are(Lives::None),
    game("frogger", 0x081e2c114c9c20b61acf25fc95c71bf4, BankSwitching::FourK, rules::d_to_h::frogger).minimal(&[Noop, Up, Right, Left, Down]).modes(&[0, 1, 2], poll(2, |m, mode| m.byte(0xdd) == 1 + 2 * mode)).difficulties(&[0, 1]),
    game("frostbite", 0x4ca73eb959299471788f0b685c3ba0b5, BankSwitching::FourK, rules::d_to_h::frostbite).modes(&[0, 2], poll(1, |m, mode| m.byte(0x80) == mode)),
    game("galaxian", 0x211774f4c5739042618be8ff67351177, BankSwitching::F8, rules::d_to_h::galaxian).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[1, 2, 3, 4, 5, 6, 7, 8, 9], poll(1, |m, mode| m.byte(0xb3) == mode)).difficulties(&[0, 1]),
    game("gopher", 0xc16c79aad6272baffb8aae9a7fff0864, BankSwitching::FourK, rules::d_to_h::gopher).minimal(&[Noop, Fire, Up, Right, Left, UpFire, RightFire, LeftFire]).modes(&[0, 2], ModeSelect::Own(mode_select::gopher)).difficulties(&[0, 1]).starts(&[(Fire, 1)]),
    game("gravitar", 0x8ac18076d01a6b63acf6e2cab4968940, BankSwitching::F8, rules::d_to_h::gravitar).modes(&[0, 1, 2, 3, 4], poll(10, |m, mode| m.byte(0x80) == mode)).starts(&[(Fire, 16)]),
    game("hangman", 0xf16c709df0a6c52f47ff52b9d95b7d8d, BankSwitching::FourK, rules::d_to_h::hangman).modes(&[0, 1, 2, 3], poll(2, |m, mode| m.byte(0xee) == mode)).difficulties(&[0, 1]).lives_are(Lives::OneUntilEnd),
    game("haunted_house", 0xf0a6e99f5875891246c3dbecbf2d2cea, BankSwitching::FourK, rules::d_to_h::haunted_house).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8], poll(2, |m, mode| m.byte(0xcc) == mode)).difficulties(&[0, 1]),
    game("hero", 0xfca4a5be1251927027f2c24774a02160, BankSwitching::F8, rules::d_to_h::hero).modes(&[0, 1, 2, 3, 4], poll(1, |m, mode| m.byte(0x80) == mode)),
    game("human_cannonball", 0x7972e5101fa548b952d852db24ad6060, BankSwitching::TwoK, rules::d_to_h::human_cannonball).modes(&[0, 1, 2, 3, 4, 5, 6, 7], poll(2, |m, mode| m.byte(0xb6) == mode + 1 && m.byte(0xb7) == 1)).difficulties(&[0, 1]).lives_are(Lives::OneUntilEnd),
    game("ice_hockey", 0xa4c08c4994eb9d24fb78be1793e82e26, BankSwitching::FourK, rules::i_to_r::ice_hockey).modes(&[0, 2], poll(2, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::None),
    game("jamesbond", 0xe51030251e440cffaab1ac63438b44ae, BankSwitching::E0, rules::i_to_r::james_bond).modes(&[0, 1], poll(20, |m, mode| matches!(m.byte(0x8c) - mode, 0 | 0x48))),
    game("journey_escape", 0x718ae62c70af4e5fd8e932fee216948a, BankSwitching::FourK, rules::i_to_r::journey_escape).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft, RightFire, LeftFire, DownFire, UpRightFire, UpLeftFire, DownRightFire, DownLeftFire]).difficulties(&[0, 1]).starts(&[(Fire, 1)]).lives_are(Lives::None).rows(34, 230),
    game("kaboom", 0x5428cdfada281c569c74c7308c7f2c26, BankSwitching::TwoK, rules::i_to_r::kaboom).minimal(&[Noop, Fire, Right, Left]).starts(&[(Fire, 1)]).lives_are(Lives::OneUntilEnd).paddles(PADDLE_MAX, false),
    game("kangaroo", 0x4326edb70ff20d0ee5ba58fa5cb09d60, BankSwitching::F8, rules::i_to_r::kangaroo).modes(&[0, 1], poll(2, |m, mode| matches!(m.byte(0xba) - mode, 0 | 0x80))),
    game("keystone_kapers", 0x6c1f3f2e359dbf55df462ccbcdd2f6bf, BankSwitching::FourK, rules::i_to_r::keystone_kapers).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft, UpFire, RightFire, LeftFire, DownFire]).starts(&[(Reset, 1)]).pal(),
    game("king_kong", 0x0dd4c69b5f9a7ae96a7a08329496779a, BankSwitching::FourK, rules::i_to_r::king_kong).minimal(&[Noop, Fire, Up, Right, Left, Down]).modes(&[0, 1, 2, 3], poll(2, |m, mode| m.byte(0xec) == 2 * mode)).pal(),
    game("klax", 0xeed9eaf1a0b6a2b9bc4c8032cb43e3fb, BankSwitching::F6Sc, rules::i_to_r::klax).modes(&[0, 1, 2], poll(2, |m, mode| m.cartridge_byte(0xf0ea) == mode)).starts(&[(Fire, 1), (Noop, 1)]).lives_are(Lives::OneUntilEnd).pal(),
    game("koolaid", 0x534e23210dd1993c828d944c6ac4d9fb, BankSwitching::FourK, rules::i_to_r::koolaid).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).lives_are(Lives::None),
    game("krull", 0x4baada22435320d185c95b7dd2bcdb24, BankSwitching::F8, rules::i_to_r::krull),
    game("kung_fu_master", 0x5b92a93b23523ff16e2789b820e2a4c5, BankSwitching::F8, rules::i_to_r::kung_fu_master).minimal(&[Noop, Up, Right, Left, Down, DownRight, DownLeft, RightFire, LeftFire, DownFire, UpRightFire, UpLeftFire, DownRightFire, DownLeftFire]),
    game("laser_gates", 0x8e4cd60d93fcde8065c1a2b972a26377, BankSwitching::FourK, rules::i_to_r::laser_gates).starts(&[(Reset, 1)]).lives_are(Lives::None).pal(),
    game("lost_luggage", 0x2d76c5d1aad506442b9e9fb67765e051, BankSwitching::FourK, rules::i_to_r::lost_luggage).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).without_button().modes(&[0, 1], poll(2, |m, mode| m.byte(0x94) == 1 + 3 * mode)).difficulties(&[0, 1]).starts(&[(Fire, 1)]),
    game("mario_bros", 0xe908611d99890733be31733a979c62d8, BankSwitching::F8, rules::i_to_r::mario_bros).modes(&[0, 2, 4, 6], poll(5, |m, mode| m.byte(0x80) == mode)).starts(&[(Noop, 10), (Fire, 7)]),
    game("miniature_golf", 0xdf62a658496ac98a3aa4a6ee5719c251, BankSwitching::TwoK, rules::i_to_r::miniature_golf).difficulties(&[0, 1]).lives_are(Lives::OneUntilEnd),
    game("montezuma_revenge", 0x3347a6dd59049b15a38394aa2dafa585, BankSwitching::E0, rules::i_to_r::montezuma_revenge),
    game("mr_do", 0xaa7bb54d2c189a31bb1fa20099e42859, BankSwitching::F8, rules::i_to_r::mr_do).minimal(&[Noop, Fire, Up, Right, Left, Down, UpFire, RightFire, LeftFire, DownFire]).modes(&[0, 1, 2, 3], poll(5, |m, mode| m.byte(0x80) == mode)).starts(&[(Fire, 1)]).pal(),
    game("ms_pacman", 0x87e79cd41ce136fd4f72cc6e2c161bee, BankSwitching::F8, rules::i_to_r::ms_pacman).minimal(&[Noop, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).modes(&[0, 1, 2, 3], poll(10, |m, mode| (m.byte(0x99), m.byte(0xa1)) == if mode == 0 { (1, 1) } else { (mode, 0) })).without_hmove_blanks(),
    game("name_this_game", 0x36306070f0c90a72461551a7a4f3a209, BankSwitching::FourK, rules::i_to_r::name_this_game).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[8, 24, 40], poll(2, |m, mode| m.byte(0xde) == mode)).difficulties(&[0, 1]),
    game("othello", 0x113cd09c9771ac278544b7e90efe7df2, BankSwitching::TwoK, rules::i_to_r::othello).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).modes(&[0, 1, 2], poll(2, |m, mode| m.byte(0xde) == mode + 1)).difficulties(&[0, 2]).lives_are(Lives::OneUntilEnd),
    game("pacman", 0xfc2233fc116faef0d3c31541717ca2db, BankSwitching::FourK, rules::i_to_r::pacman).minimal(&[Noop, Up, Right, Left, Down]).modes(&[0, 1, 2, 3, 4, 5, 6, 7], poll(2, |m, mode| m.byte(0xcc) == mode + 1 && m.byte(0xe6) == 0)).difficulties(&[0, 1]).pal(),
    game("phoenix", 0x7e52a95074a66640fcfde124fffd491a, BankSwitching::F8, rules::i_to_r::phoenix).minimal(&[Noop, Fire, Right, Left, Down, RightFire, LeftFire, DownFire]),
    game("pitfall", 0x3e90cf23106f2e08b2781e41299de556, BankSwitching::FourK, rules::i_to_r::pitfall).starts(&[(Up, 1)]).initial(2000, 3, 0),
    game("pitfall2", 0x6d842c96d5a01967be9680080dd5be54, BankSwitching::Dpc, rules::i_to_r::pitfall2).sized(10495).starts(&[(Up, 1)]).initial(4000, 1, 0),
    game("pong", 0x60e0ea3cbe0913d39803477945e9e5ec, BankSwitching::TwoK, rules::i_to_r::pong).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[0, 1], poll(2, |m, mode| m.byte(0x96) == mode)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::None).paddles(PADDLE_MAX, true).right_paddles(),
    game("pooyan", 0x4799a40b6e889370b7ee55c17ba65141, BankSwitching::FourK, rules::i_to_r::pooyan).minimal(&[Noop, Fire, Up, Down, UpFire, DownFire]).modes(&[10, 30, 50, 70], poll_after(2, 2, |m, mode| m.byte(0xbd) == mode)).rows(26, 220),
    game("private_eye", 0xef3a4f64b6494ba770862768caf04b86, BankSwitching::F8, rules::i_to_r::private_eye).modes(&[0, 1, 2, 3, 4], poll(2, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1, 2, 3]).starts(&[(Up, 1)]).initial(1000, 0, 0).lives_are(Lives::None),
    game("qbert", 0x484b0076816a104875e00467d431c2d2, BankSwitching::FourK, rules::i_to_r::qbert).minimal(&[Noop, Fire, Up, Right, Left, Down]).difficulties(&[0, 1]).initial(0, 4, 2).rows(40, 210),
    game("riverraid", 0x393948436d1f4cc3192410bb918f9724, BankSwitching::FourK, rules::i_to_r::river_raid).difficulties(&[0, 1]).initial(0, 0, 88),
    game("road_runner", 0xce5cc62608be2cd3ed8abd844efb8919, BankSwitching::F6, rules::i_to_r::road_runner),
    game("robotank", 0x4f618c2429138e0280969193ed6c107e, BankSwitching::Fe, rules::i_to_r::robotank),
    game("seaquest", 0x240bfbac5163af4df5ae713985386f92, BankSwitching::FourK, rules::s_to_z::seaquest).difficulties(&[0, 1]),
    game("sir_lancelot", 0xdd0cbe5351551a538414fb9e37fc56e8, BankSwitching::F8, rules::s_to_z::sir_lancelot).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).starts(&[(Reset, 1), (Left, 1)]).pal(),
    game("skiing", 0xb76fbadc8ffb1f83e2ca08b6fb4d6c9f, BankSwitching::TwoK, rules::s_to_z::skiing).minimal(&[Noop, Right, Left]).without_button().starts(&[(Down, 16)]).lives_are(Lives::None),
    game("solaris", 0xe72eb8d4410152bdcb69e7fba327b420, BankSwitching::F6, rules::s_to_z::solaris),
    game("space_invaders", 0x72ffbef6504b75e69ee1045af9075f66, BankSwitching::FourK, rules::s_to_z::space_invaders).minimal(&[Noop, Fire, Right, Left, RightFire, LeftFire]).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], poll(2, |m, mode| m.byte(0xdc) == mode)).difficulties(&[0, 1]),
    game("space_war", 0xb702641d698c60bcdc922dbd8c9dd49c, BankSwitching::TwoK, rules::s_to_z::space_war).modes(&[6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17], poll(2, |m, mode| m.decimal([0xa7]) == mode)).lives_are(Lives::OneUntilEnd).pal(),
    game("star_gunner", 0xa3c1c70024d7aabb41381adbfb6d3b25, BankSwitching::FourK, rules::s_to_z::star_gunner).modes(&[0, 1, 2, 3], poll(15, |m, mode| m.byte(0xf4) == mode)).initial(0, 5, 0),
    game("superman", 0xa9531c763077464307086ec9a1fd057d, BankSwitching::FourK, rules::s_to_z::superman).difficulties(&[0, 1, 2, 3]).lives_are(Lives::OneUntilEnd),
    game("surround", 0x4d7517ae69f95cfbc053be01312b7dba, BankSwitching::TwoK, rules::s_to_z::surround).minimal(&[Noop, Up, Right, Left, Down]).modes(&[0, 2], poll(2, |m, mode| m.byte(0xf9) == mode + 1)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::OneUntilEnd).swapped_ports(),
    game("tennis", 0x42cdd6a9e42a3639e190722b8ea3fc51, BankSwitching::TwoK, rules::s_to_z::tennis).modes(&[0, 2], poll(2, |m, mode| m.byte(0x80) == mode)).difficulties(&[0, 1, 2, 3]).lives_are(Lives::None),
    game("tetris", 0xb0e1ee07fbc73493eac5651a52f90f00, BankSwitching::TwoK, rules::s_to_z::tetris).minimal(&[Noop, Fire, Right, Left, Down]),
    game("tic_tac_toe_3d", 0x0db4f4150fecf77e4ce72ca4d04c052f, BankSwitching::TwoK, rules::s_to_z::tic_tac_toe_3d).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8], poll(2, |m, mode| m.byte(0x88) == mode)).difficulties(&[0, 2]).lives_are(Lives::OneUntilEnd),
    game("time_pilot", 0xfc2104dd2dadf9a6176c1c1c8f87ced9, BankSwitching::F8, rules::s_to_z::time_pilot).minimal(&[Noop, Fire, Up, Right, Left, Down, UpFire, RightFire, LeftFire, DownFire]).difficulties(&[0, 1, 2]).initial(0, 5, 0),
    game("trondead", 0xfb27afe896e7c928089307b32e5642ee, BankSwitching::FourK, rules::s_to_z::trondead).difficulties(&[0, 1]),
    game("turmoil", 0x7a5463545dfb2dcfdafa6074b2f2c15e, BankSwitching::FourK, rules::s_to_z::turmoil).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft, RightFire, LeftFire]).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8], poll(2, |m, mode| m.byte(0xea) == mode)).starts(&[(Fire, 1)]),
    game("tutankham", 0x085322bae40d904f53bdcc56df0593fc, BankSwitching::E0, rules::s_to_z::tutankham).minimal(&[Noop, Up, Right, Left, Down, UpFire, RightFire, LeftFire]).modes(&[0, 4, 8, 12], poll(2, |m, mode| m.byte(0xab) == mode)),
    game("up_n_down", 0xa499d720e7ee35c62424de882a3351b6, BankSwitching::F8, rules::s_to_z::up_n_down).minimal(&[Noop, Fire, Up, Down, UpFire, DownFire]).difficulties(&[0, 1, 2, 3]).starts(&[(Fire, 1)]).rows(30, 210),
    game("venture", 0x3e899eba0ca8cd2972da1ae5479b4f0d, BankSwitching::FourK, rules::s_to_z::venture).difficulties(&[0, 1, 2, 3]),
    game("video_checkers", 0x539d26b6e9df0da8e7465f0f5ad863b7, BankSwitching::FourK, rules::s_to_z::video_checkers).minimal(&[Fire, UpRight, UpLeft, DownRight, DownLeft]).modes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19], ModeSelect::Own(mode_select::video_checkers)).lives_are(Lives::OneUntilEnd),
    game("video_chess", 0xf0b7db930ca0e548c41a97160b9f6275, BankSwitching::FourK, rules::s_to_z::video_chess).minimal(&[Noop, Fire, Up, Right, Left, Down, UpRight, UpLeft, DownRight, DownLeft]).modes(&[0, 1, 2, 3, 4], poll(1, |m, mode| m.byte(0xea) == mode)).initial(0, 1, 0),
    game("video_cube", 0x3f540a30fdee0b20aed7288e4a5ea528, BankSwitching::FourK, rules::s_to_z::video_cube).modes(&CUBES, ModeSelect::Own(mode_select::video_cube)).difficulties(&[0, 1]).starts(&[(Noop, 61), (Fire, 1), (Noop, 2)]).lives_are(Lives::OneUntilEnd),
    game("video_pinball", 0x107cc025334211e6d29da0b6be46aec7, BankSwitching::FourK, rules::s_to_z::video_pinball).minimal(&[Noop, Fire, Up, Right, Left, Down, UpFire, RightFire, LeftFire]).modes(&[0, 2], poll(2, |m, mode| m.byte(0xc1) == mode)).difficulties(&[0, 1]),
    game("wizard_of_wor", 0x7e8aa18bc9502eb57daaf5e7c1e94da7, BankSwitching::FourK, rules::s_to_z::wizard_of_wor).minimal(&[Noop, Fire, Up, Right, Left, Down, UpFire, RightFire, LeftFire, DownFire]).difficulties(&[0, 1]).initial(0, 3, 0).swapped_ports(),
    game("word_zapper", 0xec3beb6d8b5689e867bafb5d5f507491, BankSwitching::FourK, rules::s_to_z::word_zapper).modes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23], poll(2, |m, mode| m.byte(0xdb) == mode)).difficulties(&[0, 1, 2, 3]).starts(&[(Noop, 486), (Fire, 1), (Noop, 2)]).lives_are(Lives::OneUntilEnd),
    game("yars_revenge", 0xc5930d0e8cdae3e037349bfa08e871be, BankSwitching::FourK, rules::s_to_z::yars_revenge).modes(&[0, 32, 64, 96], poll_after(2, 1, |m, mode| m.byte(0xe3) == mode)).difficulties(&[0, 1]).starts(&[(Fire, 1)]),
    game("zaxxon", 0xeea0da9b987d661264cce69a7c13c3bd, BankSwitching::F8, rules::s_to_z::zaxxon).modes(&[0, 8, 16, 24], poll(10, |m, mode| m.byte(0x82) == mode)),
];

impl Game {
    /// Returns the game with the name `name`; `None` if there is none.
    pub fn named(name: &str) -> Option<&'static Self> {
        GAMES.iter().find(|game| game.name == name)
    }

    /// Returns the game whose cartridge image has the MD5 digest `md5`; `None` if there is none.
    pub fn with_digest(md5: u128) -> Option<&'static Self> {
        GAMES.iter().find(|game| game.md5 == md5)
    }
}
