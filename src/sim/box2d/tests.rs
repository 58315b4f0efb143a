//! Tests of complete worlds. `tests/python/box2d/test_box2d.py` compares worlds with Box2D itself.

use envpool_rs_numeric::simd::SimdLevel;

use super::*;

const CONFIG: StepConfig = StepConfig { dt: 0.02, velocity_iterations: 180, position_iterations: 60 };

/// Creates a world with two jointed boxes and a ball, or a third box, that fall onto uneven ground. `number` varies the initial
/// state.
fn heap(number: u32) -> World {
    let mut world = World::new(vec2(0.0, -10.0));
    let heights = [1.0, 0.3, 0.0, 0.0, 0.6, 1.5];
    let corner = |i: usize| vec2(2.0 * i as f32 - 5.0, heights[i]);
    let mut ground: Vec<_> = (0..5).map(|i| FixtureDef::new(Shape::Edge(corner(i), corner(i + 1)))).collect();
    ground.extend([-5.0, 5.0].map(|x| FixtureDef::new(Shape::Edge(vec2(x, 0.0), vec2(x, 40.0)))));
    world.create_static(&ground);
    let solid = |shape| FixtureDef { density: 1.0, restitution: 0.2, ..FixtureDef::new(shape) };
    let plank = solid(Shape::Polygon(Polygon::centered_box(0.8, 0.1)));
    let tilt = 0.37 * number as f32;
    let one = world.create_dynamic(vec2(-0.5, 3.0), tilt, &[plank]);
    let two = world.create_dynamic(vec2(0.5, 3.5), -tilt, &[plank]);
    world.create_joint(&RevoluteJointDef {
        body_a: one,
        body_b: two,
        local_anchor_a: vec2(0.8, 0.0),
        local_anchor_b: vec2(-0.8, 0.0),
        limits: Some((-0.5, 1.0)),
        motor: Some((3.0, if number.is_multiple_of(2) { 2.0 } else { -2.0 })),
    });
    let ball = if number % 4 < 2 {
        Shape::Polygon(Polygon::centered_box(0.3, 0.3))
    } else {
        Shape::Circle { center: vec2(0.0, 0.0), radius: 0.3 }
    };
    let ball = solid(ball);
    let ball = world.create_dynamic(vec2(0.1 * number as f32 - 0.7, 6.0), 0.0, &[ball]);
    world.body_mut(ball).apply_force_to_center(vec2(20.0 - 3.0 * number as f32, -900.0));
    world
}

struct Heaps(Vec<World>);

impl Worlds for Heaps {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn world(&mut self, index: usize) -> &mut World {
        &mut self.0[index]
    }
}

#[test]
fn batched_worlds_match_worlds_stepped_alone() {
    for level in SimdLevel::available() {
        for count in [1, 2, 5, 16, 19, 40] {
            let (mut together, mut batch) = (Heaps((0..count).map(heap).collect()), WorldBatch::new(level));
            let (mut alone, mut workspace) = (Heaps((0..count).map(heap).collect()), Workspace::default());
            for step in 0..150 {
                batch.step(&mut together, &CONFIG);
                alone.0.iter_mut().for_each(|world| world.step(&CONFIG, &mut workspace));
                assert_eq!(together.0, alone.0, "{level:?}, {count} worlds, step {step}");
            }
        }
    }
}

#[test]
fn a_heap_of_bodies_falls_asleep() {
    let (mut world, mut workspace) = (heap(1), Workspace::default());
    world.joints[0].set_motor(0.0, Some(0.0));
    let mut began = 0;
    for _ in 0..3000 {
        world.step(&CONFIG, &mut workspace);
        began += world.events().iter().filter(|event| event.is_begin).count();
    }
    assert!(began > 2);
    for body in &world.bodies {
        assert!(!body.is_dynamic || (!body.is_awake && (0.0..2.0).contains(&body.position().y)), "{body:?}");
    }
}

#[test]
fn a_restored_world_continues_bit_for_bit() {
    let (mut world, mut workspace) = (heap(3), Workspace::default());
    (0..60).for_each(|_| world.step(&CONFIG, &mut workspace));
    assert!(!world.contacts.is_empty());
    let mut saved: World = postcard::from_bytes(&postcard::to_stdvec(&world).unwrap()).unwrap();
    assert!(saved.is_valid());
    let mut other = Workspace::default();
    for _ in 0..200 {
        world.step(&CONFIG, &mut workspace);
        saved.step(&CONFIG, &mut other);
        assert_eq!(world, saved);
    }
}

#[test]
fn worlds_with_invalid_indices_are_rejected() {
    let (mut world, mut workspace) = (heap(3), Workspace::default());
    (0..60).for_each(|_| world.step(&CONFIG, &mut workspace));
    let damages: [fn(&mut World); 7] = [
        |world| world.contacts[0].fixture_a = 99,
        |world| world.contacts[0].body_b = 99,
        |world| world.contacts[0].manifold.point_count = 3,
        |world| world.joints[0].body_a = 99,
        |world| world.fixtures[0].proxy = 99,
        |world| world.bodies[1].fixtures.end += 9,
        |world| world.dynamic_bodies[0] = 0,
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let mut damaged = world.clone();
        damage(&mut damaged);
        assert!(!damaged.is_valid(), "{number}");
    }
}

#[test]
fn nan_infinite_and_huge_impulses_do_not_hang_or_panic() {
    for wild in [f32::NAN, f32::INFINITY, -1e30, 1e38] {
        let (mut world, mut batch) = (heap(2), WorldBatch::new(SimdLevel::detect()));
        for step in 0..40 {
            let body = world.body_mut(BodyId(1 + step % 3));
            body.apply_linear_impulse(vec2(wild, wild), vec2(wild, 0.0));
            batch.step(&mut world, &CONFIG);
        }
        world.ray_cast(vec2(wild, 0.0), vec2(0.0, wild), |_| true);
    }
}

#[test]
fn proxies_are_reused_in_order_of_destruction() {
    let mut world = heap(0);
    let leaves = |world: &World| world.fixtures.iter().map(|fixture| fixture.proxy).collect::<Vec<_>>();
    let edge = FixtureDef::new(Shape::Edge(vec2(0.0, 0.0), vec2(1.0, 0.0)));
    let refilled = |world: &mut World, order: [u32; 4]| {
        world.destroy_bodies(order.map(BodyId));
        world.create_static(&[edge; 8]);
        leaves(world)
    };
    let (forwards, backwards) = (refilled(&mut heap(0), [0, 1, 2, 3]), refilled(&mut world, [3, 2, 1, 0]));
    assert_ne!(forwards, backwards);
    world.reset(vec2(0.0, -10.0));
    world.create_static(&[edge; 8]);
    let mut new = World::new(vec2(0.0, -10.0));
    new.create_static(&[edge; 8]);
    assert_eq!(leaves(&world), leaves(&new));
    assert!(world.is_valid());
}

#[test]
fn rays_hit_the_first_shape_that_passes_the_filter() {
    let mut world = World::new(vec2(0.0, 0.0));
    let wall = |x: f32| FixtureDef::new(Shape::Edge(vec2(x, -1.0), vec2(x, 1.0)));
    world.create_static(&[wall(4.0), FixtureDef { category_bits: 2, ..wall(2.0) }, wall(8.0)]);
    let ball = FixtureDef::new(Shape::Circle { center: vec2(6.0, 0.0), radius: 1.0 });
    let block = FixtureDef::new(Shape::Polygon(Polygon::centered_box(0.5, 0.5)));
    world.create_static(&[ball]);
    world.create_dynamic(vec2(-3.0, 0.0), 0.0, &[block]);
    let cast = |x: f32| world.ray_cast(vec2(0.0, 0.1), vec2(x, 0.1), |fixture| fixture.category_bits() == 1);
    assert_eq!((cast(10.0), cast(3.0), cast(-10.0)), (0.4, 1.0, 0.25));
}

#[test]
fn ray_fans_match_single_ray_casts() {
    for stones in [0, 5, 90] {
        let mut world = World::new(vec2(0.0, 0.0));
        let height = |i: i32| ((i * i * 7 + i * 3) % 11) as f32 * 0.13;
        let corner = |i: i32| vec2(0.4 * i as f32 - 12.0, height(i));
        (0..60).for_each(|i| {
            world.create_static(&[FixtureDef::new(Shape::Edge(corner(i), corner(i + 1)))]);
        });
        for i in 0..stones {
            let stone = FixtureDef::new(Shape::Polygon(Polygon::centered_box(0.3, 0.2 + 0.1 * height(i))));
            world.create_dynamic(vec2(0.37 * i as f32 - 10.0, 1.3 + height(i + 5)), i as f32, &[stone]);
        }
        let ball = FixtureDef { category_bits: 2, ..FixtureDef::new(Shape::Circle { center: vec2(0.0, 0.0), radius: 1.0 }) };
        world.create_dynamic(vec2(2.0, 1.0), 0.0, &[ball]);
        let mut hits = 0;
        for number in 0..400 {
            let from = vec2(0.05 * number as f32 - 10.0, 0.2 + (number % 17) as f32 * 0.25);
            let ends: [Vec2; 7] = std::array::from_fn(|ray| {
                let angle = ray as f32 + 0.1 * number as f32;
                vec2(from.x + 6.0 * angle.sin(), from.y - 6.0 * angle.cos())
            });
            let seen = |fixture: &Fixture| fixture.category_bits() == 1;
            let fan = world.ray_cast_fan(from, &ends, seen);
            assert_eq!(fan.map(f32::to_bits), ends.map(|end| world.ray_cast(from, end, seen).to_bits()), "{stones} {from:?}");
            hits += fan.iter().filter(|fraction| **fraction < 1.0).count();
        }
        assert!(hits > 1000, "{hits}");
    }
}

/// Checks that steps neither hang nor panic with degenerate shapes: zero length or area, coincident points, and coordinates
/// that are huge, infinite or NaN.
#[test]
fn degenerate_shapes_do_not_hang_or_panic() {
    let wild = [0.0, -0.0, 1e-30, 1e30, f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let mut workspace = Workspace::default();
    for (number, x) in wild.into_iter().enumerate() {
        let y = wild[(number * 3 + 1) % wild.len()];
        let mut world = World::new(vec2(0.0, -10.0));
        let edge = |a, b| FixtureDef::new(Shape::Edge(a, b));
        let flat = Polygon::hull(&[vec2(-1.0, 0.0), vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 0.0)]);
        let spot = Polygon::hull(&[vec2(x, y); 3]);
        world.create_static(&[
            edge(vec2(0.0, 0.0), vec2(0.0, 0.0)),
            edge(vec2(-5.0, x), vec2(5.0, y)),
            edge(vec2(5.0, 0.0), vec2(-5.0, 0.0)),
            FixtureDef::new(Shape::Polygon(flat)),
        ]);
        let solid = |shape| FixtureDef { density: 1.0, ..FixtureDef::new(shape) };
        let parts = [
            solid(Shape::Polygon(flat)),
            solid(Shape::Polygon(spot)),
            solid(Shape::Circle { center: vec2(0.0, 0.0), radius: 0.0 }),
        ];
        let one = world.create_dynamic(vec2(0.0, 0.3), 0.1, &parts);
        let two = world.create_dynamic(vec2(x, y), y, &[solid(Shape::Polygon(Polygon::centered_box(0.2, 0.2)))]);
        world.create_joint(&RevoluteJointDef {
            body_a: one,
            body_b: two,
            local_anchor_a: vec2(x, 0.0),
            local_anchor_b: vec2(0.0, y),
            limits: Some((-0.5, 0.5)),
            motor: Some((x, y)),
        });
        for _ in 0..30 {
            world.body_mut(two).apply_force_to_center(vec2(y, x));
            world.step(&CONFIG, &mut workspace);
        }
        assert_eq!(world.body_count(), 3, "{number}");
    }
}
