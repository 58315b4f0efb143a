//! Tables of copies, sizes and graphics of the objects.

/// Offsets of the copies in pixels, for each of the eight NUSIZ modes.
const COPIES: [&[usize]; 8] = [&[0], &[0, 16], &[0, 32], &[0, 16, 32], &[0, 64], &[0], &[0, 32, 64], &[0]];
/// Binary logarithm of the width on the screen of one bit of a player's graphics, for each of the eight NUSIZ modes.
const STRETCH: [usize; 8] = [0, 0, 0, 0, 0, 1, 0, 2];

/// Two factors. The mask of one copy's pixels, multiplied by them, gives the pixels of all copies of a player or missile.
///
/// The first product contains the 64 pixels that start at the object's position, and the second product the next 64.
pub(super) type Factors = [u64; 2];

/// Factors for each NUSIZ mode: first with all copies, then with the first copy suppressed.
pub(super) static FACTORS: [[Factors; 2]; 8] = factors();

const fn factors() -> [[Factors; 2]; 8] {
    let mut table = [[[0; 2]; 2]; 8];
    let mut mode = 0;
    while mode < 8 {
        let mut copy = 0;
        while copy < COPIES[mode].len() {
            let distance = COPIES[mode][copy];
            let mut suppressed = 0;
            while suppressed < 2 {
                if suppressed == 0 || copy > 0 {
                    table[mode][suppressed][distance / 64] |= 1 << (distance % 64);
                }
                suppressed += 1;
            }
            copy += 1;
        }
        mode += 1;
    }
    table
}

/// Returns a mask of the pixels of one copy of a player, stretched as the NUSIZ mode requires; the lowest bit is the leftmost
/// pixel.
pub(super) fn player_pixels(mode: u8, graphics: u8) -> u64 {
    let at = usize::from(graphics);
    match mode {
        5 => u64::from(DOUBLED[at]),
        7 => u64::from(QUADRUPLED[at]) << 1,
        _ => u64::from(MIRRORED[at]),
    }
}

/// Returns the graphics byte with its bits in reverse order.
pub(super) fn reflect(graphics: u8) -> u8 {
    MIRRORED[usize::from(graphics)]
}

static MIRRORED: [u8; 256] = {
    let mut table = [0; 256];
    let mut graphics = 0;
    while graphics < 256 {
        table[graphics] = (graphics as u8).reverse_bits();
        graphics += 1;
    }
    table
};

/// For each graphics byte, a mask of the player's pixels with double width. The pixels start one pixel after the player's
/// position.
static DOUBLED: [u32; 256] = {
    let mut table = [0; 256];
    let mut graphics = 0;
    while graphics < 256 {
        table[graphics] = repeat_bits(MIRRORED[graphics], 2) << 1;
        graphics += 1;
    }
    table
};

/// For each graphics byte, a mask of the player's pixels with quadruple width. It does not include the shift by one pixel from
/// the player's position, because 33 bits would not fit.
static QUADRUPLED: [u32; 256] = {
    let mut table = [0; 256];
    let mut graphics = 0;
    while graphics < 256 {
        table[graphics] = repeat_bits(MIRRORED[graphics], 4);
        graphics += 1;
    }
    table
};

/// For each byte of a playfield register, a mask of the pixels of its eight columns, four pixels each. The lowest bit is the
/// leftmost column.
static FROM_LOWEST: [u32; 256] = {
    let mut table = [0; 256];
    let mut columns = 0;
    while columns < 256 {
        table[columns] = repeat_bits(columns as u8, 4);
        columns += 1;
    }
    table
};

/// Returns a number in which each bit of `bits` is repeated `times` times.
const fn repeat_bits(bits: u8, times: u32) -> u32 {
    let mut wide = 0;
    let mut bit = 0;
    while bit < 8 {
        if bits >> bit & 1 != 0 {
            wide |= ((1 << times) - 1) << (bit * times);
        }
        bit += 1;
    }
    wide
}

/// Returns masks of the pixels of the playfield on a line, in three words of 64 pixels.
///
/// The left half displays PF0's four bits from the lowest, PF1's bits from the highest, and PF2's bits from the lowest. The
/// right half repeats or mirrors the left half.
pub(super) fn playfield(bits: u32, mirrored: bool) -> [u64; 3] {
    let [first, second, third] = [bits << 4, bits >> 4, bits >> 12].map(|register| usize::from(register as u8));
    let left = u128::from(FROM_LOWEST[first] >> 16) | u128::from(QUADRUPLED[second]) << 16 | u128::from(FROM_LOWEST[third]) << 48;
    let right = if mirrored {
        u128::from(QUADRUPLED[third]) | u128::from(FROM_LOWEST[second]) << 32 | u128::from(QUADRUPLED[first]) << 64
    } else {
        left
    };
    [left as u64, (left >> 64) as u64 | (right << 16) as u64, (right >> 48) as u64]
}

/// Position of a RESPx write relative to the player's copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RespPosition {
    /// The write to RESPx comes outside of all copies of the player.
    Outside,
    /// The write to RESPx comes in the four pixels before a copy of the player.
    Before,
    /// The write to RESPx comes while a copy of the player is being drawn.
    Within,
}

/// Classifies a write to RESPx that comes `distance` pixels after the player's old position.
pub(super) fn classify_resp(mode: usize, distance: usize) -> RespPosition {
    let width = 8 << STRETCH[mode];
    let mut found = RespPosition::Outside;
    for copy in COPIES[mode] {
        let into = (distance + 160 - copy) % 160;
        if into < 4 {
            found = RespPosition::Before;
        } else if into < 4 + width {
            found = RespPosition::Within;
        }
    }
    found
}
