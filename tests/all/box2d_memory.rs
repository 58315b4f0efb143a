//! Tests with a counting allocator that stepping Box2D worlds and rendering race images allocates nothing after warm-up.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use envpool_rs::engine::{Action, ActionColumn, Env, LaneStep, Options, ResetOptions};
use envpool_rs::envs::box2d::{bipedal_walker::BipedalWalker, car_racing::CarRacing, lunar_lander::LunarLander};
use envpool_rs::random::Generator;
use envpool_rs::sim::box2d::{FixtureDef, Polygon, Shape, StepConfig, World, WorldBatch, Worlds, vec2};
use envpool_rs::simd::SimdLevel;

struct CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every method forwards its arguments unchanged to the system allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Resets a world to a pile of boxes that fall onto each other; `number` selects their positions.
fn pile(world: &mut World, number: u32) {
    world.reset(vec2(0.0, -10.0));
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

fn play(piles: &mut Piles, batch: &mut WorldBatch) -> u64 {
    let config = StepConfig { dt: 0.02, velocity_iterations: 20, position_iterations: 10 };
    piles.0.iter_mut().enumerate().for_each(|(number, world)| pile(world, number as u32));
    let before = ALLOCATIONS.get();
    (0..200).for_each(|_| batch.step(piles, &config));
    ALLOCATIONS.get() - before
}

#[test]
fn a_world_allocates_nothing_after_warm_up() {
    for level in SimdLevel::available() {
        for count in [16, 40] {
            let mut piles = Piles((0..count).map(|_| World::new(vec2(0.0, 0.0))).collect());
            let mut batch = WorldBatch::new(level);
            assert!(play(&mut piles, &mut batch) > 0);
            assert_eq!(play(&mut piles, &mut batch), 0, "{count} worlds, {level:?}");
        }
    }
}

/// Steps several environments with one call, calls `look` on each state after each step, and returns the number of allocations.
fn play_env<E: Env<Random = Generator>>(
    env: &E,
    states: &mut [E::State],
    act: impl Fn(usize, usize) -> ActionColumn,
    mut look: impl FnMut(&E::State),
) -> u64 {
    let mut streams: Vec<Generator> = (0..states.len() as u64).map(Generator::new).collect();
    let mut is_over = vec![true; states.len()];
    let (mut rewards, mut taken) = (vec![0.0; states.len()], 0);
    for step in 0..150 {
        for ((state, stream), _) in states.iter_mut().zip(&mut streams).zip(&is_over).filter(|(_, is_over)| **is_over) {
            env.reset(state, &ResetOptions::default(), stream);
        }
        let columns = [act(step, states.len())];
        let lanes = states.iter_mut().zip(&mut streams).zip(rewards.chunks_mut(1)).enumerate();
        let mut lanes: Vec<_> = lanes
            .map(|(index, ((state, random), rewards))| {
                let action = Action::new(&columns, index);
                LaneStep::<E> { state, random, action, rewards, terminated: false, error: None }
            })
            .collect();
        let before = ALLOCATIONS.get();
        env.step_lanes(&mut lanes);
        lanes.iter().for_each(|lane| look(lane.state));
        taken += ALLOCATIONS.get() - before;
        is_over.iter_mut().zip(&lanes).for_each(|(is_over, lane)| *is_over = lane.terminated);
    }
    taken
}

/// Creates an environment with the default options.
fn plain<E: Env>() -> E {
    E::new(&Options::resolve(&E::options(), &[], &[]).unwrap()).unwrap()
}

fn states<E: Env>(env: &E, count: usize) -> Vec<E::State> {
    (0..count).map(|lane| env.create(lane).unwrap()).collect()
}

/// Returns `count` deterministic numbers from -1 to 1.
fn numbers(step: usize, count: usize) -> Vec<f32> {
    (0..count).map(|index| ((index * 37 + step * 11 + step / 7 * 5) % 41) as f32 / 20.0 - 1.0).collect()
}

#[test]
fn a_race_allocates_nothing_after_warm_up() {
    let env: CarRacing = plain();
    let (mut cars, mut pixels) = (states(&env, 2), vec![0; 96 * 96 * 3]);
    let mut play = || {
        // Returns actions with which cars accelerate and turn so hard that they skid.
        let drive = |step: usize, cars: usize| {
            let (steering, gas) = (if step % 20 < 10 { 0.8 } else { -0.8 }, if step % 60 < 50 { 0.8 } else { 0.0 });
            ActionColumn::F32([steering, gas, f32::from(u8::from(gas == 0.0))].repeat(cars))
        };
        play_env(&env, &mut cars, drive, |state| env.render_observation(state, &mut pixels))
    };
    assert!(play() > 0);
    assert_eq!(play(), 0);
}

#[test]
fn landers_and_walkers_allocate_nothing_after_warm_up() {
    let env: LunarLander = plain();
    let mut landers = states(&env, 16);
    let mut land = || {
        let fly = |step: usize, landers: usize| {
            ActionColumn::I32((0..landers).map(|lander| ((lander + step / 9) % 4) as i32).collect())
        };
        play_env(&env, &mut landers, fly, |state| assert!(state.observation().len() == 8))
    };
    assert!(land() > 0);
    assert_eq!(land(), 0);
    let env: BipedalWalker = plain();
    let mut walkers = states(&env, 16);
    let mut walk = || {
        let act = |step: usize, walkers: usize| ActionColumn::F32(numbers(step, 4 * walkers));
        play_env(&env, &mut walkers, act, |state| assert!(state.observation().len() == 24))
    };
    // Box2D worlds persist across episodes of different size, so several early episodes may still allocate.
    assert!((0..6).map(|_| walk()).sum::<u64>() > 0);
    assert_eq!(walk(), 0);
}
