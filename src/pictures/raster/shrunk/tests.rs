//! Compares pictures that are drawn directly at the small size with pictures that are drawn at the large size and then scaled
//! down.

use super::*;
use crate::raster::{BLACK, DrawTarget, Surface};

/// Pseudorandom numbers of Knuth's linear congruential generator.
struct Dice(u64);

impl Dice {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (self.0 >> 33) as f64 / f64::from(1_u32 << 31)
    }

    fn integer(&mut self, low: i32, high: i32) -> i32 {
        self.uniform(f64::from(low), f64::from(high)).floor() as i32
    }
}

/// Draws random polygons: convex, concave, thin, horizontal, large, and partly outside of the picture.
fn draw(rng: &mut Dice, easel: &mut impl DrawTarget) {
    for _ in 0..rng.integer(0, 30) {
        let size = if rng.uniform(0.0, 1.0) < 0.2 { 3000.0 } else { 150.0 } * rng.uniform(0.0, 1.0) + 2.0;
        let (x, y) = (rng.uniform(-200.0, 1200.0), rng.uniform(-200.0, 1000.0));
        let count = if rng.uniform(0.0, 1.0) < 0.8 { 4 } else { CORNERS };
        let mut angles = [0.0; CORNERS].map(|_| rng.uniform(0.0, std::f64::consts::TAU));
        if rng.uniform(0.0, 1.0) < 0.9 {
            angles[..count].sort_by(f64::total_cmp);
        }
        let corners = angles.map(|angle| ((x + size * angle.cos()) as i32, (y + size * angle.sin()) as i32));
        let [red, green, blue] = [(); 3].map(|()| rng.integer(0, 256) as u8);
        let color = Color::rgb(red, green, blue);
        if rng.uniform(0.0, 1.0) < 0.7 {
            easel.filled_aapolygon(&corners[..count], color);
        } else {
            easel.polygon(&corners[..count], color, true);
        }
    }
    easel.polygon(&[(1000, 800), (1000, 700), (0, 700), (0, 800)], BLACK, false);
    let (x, y) = (rng.integer(-20, 1000), rng.integer(690, 810));
    easel.fill_rect((x, y), (x + 5, y + 40), Color::rgb(255, 255, 255));
}

#[test]
fn direct_shrunk_drawing_equals_drawing_then_smoothscale() {
    let mut shrunk = SmoothScaled::default();
    for seed in 0..15 {
        let background = Color::rgb(102, 204, 102);
        let mut surface = Surface::new(LARGE, background);
        draw(&mut Dice(seed), &mut surface);
        let expected = surface.smoothscale((SMALL, SMALL));
        for level in SimdLevel::available().into_iter().filter(|level| drawing_level(*level) == *level) {
            let mut pixels = vec![0; SMALL * SMALL * 3];
            shrunk.level = level;
            shrunk.begin(background, 700);
            draw(&mut Dice(seed), &mut shrunk);
            shrunk.show(&mut pixels);
            assert!(pixels == expected, "{seed} {level:?}");
        }
    }
}

#[test]
fn extreme_corners_do_not_panic() {
    let mut shrunk = SmoothScaled::default();
    let wild = [0, -1, 1, 999, 1000, i32::from(i16::MAX), i32::from(i16::MIN), 16000, -16000];
    let mut pixels = vec![0; SMALL * SMALL * 3];
    for (index, x) in wild.into_iter().enumerate() {
        let at = |by: usize| wild[(index + by) % wild.len()];
        shrunk.begin(BLACK, 700);
        let corners = [(x, at(1)), (at(2), at(3)), (at(4), at(5)), (at(6), x)];
        shrunk.filled_aapolygon(&corners, BLACK);
        shrunk.polygon(&corners.map(|(x, y)| (x / 2, y / 2)), BLACK, true);
        shrunk.polygon(&[(x, x); 4], BLACK, false);
        shrunk.polygon(&[], BLACK, false);
        shrunk.fill_rect((x, at(1)), (at(2), at(3)), BLACK);
        shrunk.show(&mut pixels);
    }
}
