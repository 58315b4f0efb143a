//! Tests that complete episodes give the same results at all SIMD levels.

use envpool_rs_numeric::random::{Generator, RandomStream};
use envpool_rs_numeric::simd::SimdLevel;

use super::*;

const AREA: Area = Area { width: 64, height: 64 };

/// Returns the pictures and semantic maps of an episode at the SIMD level `level`: by day, at night, and while the player
/// sleeps.
fn episode(level: SimdLevel, layout: &Layout) -> Vec<Vec<u8>> {
    let renderer = PictureRenderer::new(&TextureSet::plain(), layout.clone(), level);
    let (mut scratch, mut random) = (renderer.scratch(), EpisodeRandom::from_seed(11));
    let (mut game, mut choices) = (Game::new(AREA), Generator::new(4));
    random.start_episode();
    game.reset(random.stream(), level);
    let (mut results, mut nights, mut asleep) = (Vec::new(), 0, 0);
    for step in 0..420 {
        let action = if step % 40 < 20 { Action::Sleep } else { Action::ALL[choices.integers(0, 17) as usize] };
        game.step(action, 18, random.stream());
        let mut picture = vec![0; layout.bytes()];
        renderer.render_cells(&game, random.stream(), &mut scratch, &mut picture);
        renderer.render_items(game.inventory(), &mut picture);
        let mut map = vec![0; AREA.cells()];
        game.world().semantic(&mut map);
        results.extend([picture, map]);
        nights += usize::from(game.daylight() < 0.5);
        asleep += usize::from(game.is_sleeping());
    }
    assert!(nights > 50 && asleep > 20, "{nights} steps by night, {asleep} asleep");
    results
}

#[test]
fn episodes_do_not_depend_on_the_vector_instructions() {
    for (view, size) in [([9, 9], [64, 64]), ([5, 7], [101, 60])] {
        let layout = Layout::new(view, size).unwrap();
        let scalar = episode(SimdLevel::Scalar, &layout);
        for level in SimdLevel::available() {
            assert!(episode(level, &layout) == scalar, "{}", level.name());
        }
    }
}

#[test]
fn every_value_has_a_name() {
    assert_eq!(Achievement::Wake as usize + 1, ACHIEVEMENTS.len());
    assert_eq!(Item::IronSword as usize + 1, ITEMS.len());
    assert_eq!(Action::MakeIronSword as usize + 1, ACTIONS.len());
    assert_eq!(Material::from_number(MATERIALS.len() as u8), Some(Material::Furnace));
    assert_eq!(Material::from_number(Material::COUNT as u8), None);
}

#[test]
fn an_empty_area_of_one_cell_can_be_played() {
    let area = Area { width: 1, height: 1 };
    let (mut game, mut random) = (Game::new(area), EpisodeRandom::from_seed(1));
    random.start_episode();
    game.reset(random.stream(), SimdLevel::detect());
    let deaths = (0..400).filter(|step| game.step(Action::ALL[step % 17], 18, random.stream()).is_dead).count();
    assert!(deaths > 0, "a player without water lives");
}
