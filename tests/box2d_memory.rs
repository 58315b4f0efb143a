//! Steps of worlds and pictures of races take no memory once they have had what they need: counted by the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use envpool_rs::engine::{Action, ActionColumn, Env, Options, ResetOptions, Stepped};
use envpool_rs::envs::box2d::car_racing::{CarRacing, State};
use envpool_rs::random::Generator;
use envpool_rs::sim::box2d::{FixtureDef, Instructions, Polygon, Shape, StepConfig, Team, World, Worlds, vec2};

struct Counting;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Boxes that fall onto each other.
fn pile(world: &mut World, number: u32) {
    world.renew(vec2(0.0, -10.0));
    let floor = FixtureDef::new(Shape::Edge(vec2(-20.0, 0.0), vec2(20.0, 0.1)));
    let wood = FixtureDef { density: 1.0, ..FixtureDef::new(Shape::Polygon(Polygon::centered_box(0.5, 0.3))) };
    world.create_static(&[floor]);
    for i in 0..6 {
        let (x, tilt) = (0.1 * (i + number) as f32, 0.3 * (i * number) as f32);
        let body = world.create_dynamic(vec2(x, 2.0 + 1.5 * i as f32), tilt, &[wood]);
        world.body_mut(body).apply_force_to_center(vec2(0.0, -3000.0));
    }
}

struct Piles(Vec<World>);

impl Worlds for Piles {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn world(&mut self, index: usize) -> &mut World {
        &mut self.0[index]
    }
}

fn play(piles: &mut Piles, team: &mut Team) -> u64 {
    let config = StepConfig { dt: 0.02, velocity_sweeps: 20, position_sweeps: 10 };
    piles.0.iter_mut().enumerate().for_each(|(number, world)| pile(world, number as u32));
    let before = TAKEN.get();
    (0..200).for_each(|_| team.step(piles, &config));
    TAKEN.get() - before
}

#[test]
fn the_second_time_a_world_is_played_its_steps_take_no_memory() {
    for instructions in [Instructions::Scalar, Instructions::Avx512] {
        let mut piles = Piles((0..16).map(|_| World::new(vec2(0.0, 0.0))).collect());
        let mut team = Team::new(instructions);
        assert!(play(&mut piles, &mut team) > 0);
        assert_eq!(play(&mut piles, &mut team), 0, "{instructions:?}");
    }
}

/// Cars that drive for a while, seen after each step: how often memory was taken for steps and pictures.
fn race(env: &CarRacing, cars: &mut [State]) -> u64 {
    let mut streams: Vec<Generator> = (0..cars.len() as u64).map(Generator::new).collect();
    for (car, stream) in cars.iter_mut().zip(&mut streams) {
        env.reset(car, &ResetOptions::default(), stream);
    }
    let (mut rewards, mut pixels, mut taken) = (vec![0.0; cars.len()], vec![0; 96 * 96 * 3], 0);
    for step in 0..70 {
        let steering = if step % 20 < 10 { 0.3 } else { -0.3 };
        let actions: Vec<f32> = cars.iter().flat_map(|_| [steering, 0.5, 0.0]).collect();
        let columns = [ActionColumn::F32(actions)];
        let lanes = cars.iter_mut().zip(&mut streams).zip(rewards.chunks_mut(1)).enumerate();
        let mut lanes: Vec<_> = lanes
            .map(|(index, ((state, random), rewards))| {
                let action = Action::new(&columns, index);
                Stepped::<CarRacing> { state, random, action, rewards, terminated: false, failure: None }
            })
            .collect();
        let before = TAKEN.get();
        env.step_together(&mut lanes);
        lanes.iter().for_each(|lane| env.show(lane.state, &mut pixels));
        taken += TAKEN.get() - before;
    }
    taken
}

#[test]
fn the_second_time_a_race_is_driven_its_steps_and_pictures_take_no_memory() {
    let options = Options::resolve(&CarRacing::options(), &[], &[]).unwrap();
    let env = CarRacing::new(&options).unwrap();
    let mut cars: Vec<State> = (0..5).map(|lane| env.create(lane).unwrap()).collect();
    assert!(race(&env, &mut cars) > 0);
    assert_eq!(race(&env, &mut cars), 0);
}
