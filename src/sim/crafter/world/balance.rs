//! Balance of the creatures of each chunk: creatures appear and disappear at random (`Env._balance_chunk` of the package
//! crafter).

use envpool_rs_numeric::random::RandomState;

use super::{CHUNK_SIDE, Kind, Object, Point, World};
use crate::vocabulary::Material;

/// Rule by which creatures of one kind appear and disappear.
struct Creature {
    /// Function that creates a creature at a position.
    create: fn(Point) -> Object,
    /// Material on which the creature appears.
    material: Material,
    /// Minimum distances from the player in cells at which a creature can appear (first number) and disappear (second number).
    distances: [i32; 2],
    /// Probabilities per call of `balance`: first of appearing, then of disappearing.
    probabilities: [f64; 2],
}

const ZOMBIE: Creature =
    Creature { create: Object::zombie, material: Material::Grass, distances: [6, 0], probabilities: [0.3, 0.4] };
const SKELETON: Creature =
    Creature { create: Object::skeleton, material: Material::Path, distances: [7, 7], probabilities: [0.1, 0.1] };
const COW: Creature = Creature {
    create: |pos| Object::new(Kind::Cow, pos),
    material: Material::Grass,
    distances: [5, 5],
    probabilities: [0.01, 0.1],
};

impl World {
    /// Balances the creatures of all chunks that have ever contained an object.
    pub fn balance(&mut self, player: Point, daylight: f64, random: &mut RandomState) {
        let zombies = 3.5 - 3.0 * daylight;
        let cows = 1.5 + daylight;
        for index in 0..self.used_chunks.len() {
            let chunk = usize::from(self.used_chunks[index]);
            let counts = &self.chunks[chunk].materials;
            let (grass, path) = (counts[Material::Grass as usize], counts[Material::Path as usize]);
            let targets =
                |is_spacious: bool, least: f64, most: f64| [if is_spacious { least as usize } else { 0 }, most as usize];
            self.balance_kind(chunk, &ZOMBIE, targets(grass >= 50, zombies, zombies), player, random);
            self.balance_kind(chunk, &SKELETON, targets(path >= 6, 1.0, 2.0), player, random);
            self.balance_kind(chunk, &COW, targets(grass >= 30, 1.0, cows), player, random);
        }
        self.sweep();
    }

    /// May add a creature of one kind if the chunk has fewer than `targets[0]` creatures of this kind, and may remove one if it
    /// has more than `targets[1]`.
    fn balance_kind(&mut self, chunk: usize, creature: &Creature, targets: [usize; 2], player: Point, random: &mut RandomState) {
        let rank = (creature.create)(player).kind.rank();
        let is_one = |number: &&u16| self.object(**number).kind.rank() == rank;
        let count = self.chunks[chunk].members.iter().filter(is_one).count();
        if count < targets[0] && random.random_sample() < creature.probabilities[0] {
            let space = self.chunks[chunk].materials[creature.material as usize];
            let pos = self.nth_cell(chunk, creature.material, random.randint(0, space.into()) as usize);
            if self.occupant(pos).is_none() && player.distance(pos) >= creature.distances[0] {
                self.add((creature.create)(pos));
            }
        } else if count > targets[1] && random.random_sample() < creature.probabilities[1] {
            let chosen = random.randint(0, count as i64) as usize;
            let number = *self.chunks[chunk].members.iter().filter(is_one).nth(chosen).expect("it is below their count");
            if player.distance(self.object(number).pos) >= creature.distances[1] {
                self.remove(number);
            }
        }
    }

    /// Returns the cell with number `n` among a chunk's cells of one material, counted column by column.
    fn nth_cell(&self, chunk: usize, material: Material, n: usize) -> Point {
        let rows = self.area.chunk_rows();
        let (left, top) = (chunk as i32 / rows * CHUNK_SIDE, chunk as i32 % rows * CHUNK_SIDE);
        let (right, bottom) = ((left + CHUNK_SIDE).min(self.area.width), (top + CHUNK_SIDE).min(self.area.height));
        let cells = (left..right).flat_map(|x| (top..bottom).map(move |y| Point { x, y }));
        cells.filter(|pos| self.material(*pos) == material).nth(n).expect("the chunk counts its materials")
    }
}
