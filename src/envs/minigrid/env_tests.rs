//! Tests of the environment over all its levels.

use super::*;
use envpool_rs_engine::LaneState;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn made(task: &Task, given: &[(&str, Value)]) -> MiniGrid {
    let given: Vec<_> = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    MiniGrid::new(&task.resolve(&given).unwrap()).unwrap()
}

fn task(id: &str) -> Task {
    tasks().into_iter().find(|task| task.id == id).unwrap()
}

fn reset(env: &MiniGrid, seed: u64) -> (Play, Generator) {
    let mut random = Generator::new(seed);
    let mut play = env.create(0).unwrap();
    assert!(env.is_valid(&play), "one that was never reset");
    env.reset(&mut play, &ResetOptions::default(), &mut random);
    (play, random)
}

fn saved_and_loaded(env: &MiniGrid, play: &Play) -> Result<Play> {
    let mut bytes = Vec::new();
    play.save(env, &mut bytes);
    Play::load(env, &mut bytes.as_slice())
}

#[test]
fn there_are_82_tasks_of_minigrid_and_96_of_babyai() {
    let ids: Vec<_> = tasks().iter().map(|task| task.id).collect();
    let count = |beginning: &str| ids.iter().filter(|id| id.starts_with(beginning)).count();
    assert_eq!((count("MiniGrid-"), count("BabyAI-"), ids.len()), (82, 96, 178));
}

#[test]
fn worlds_of_every_task_can_be_played_and_brought_back() {
    for task in tasks() {
        let env = made(&task, &[]);
        let (mut play, mut random) = reset(&env, 7);
        for _ in 0..60 {
            let act = Act::ALL[random.integers(0, env.level.actions()) as usize];
            if env.level.step(&mut play.world, act, env.margin(), &mut random).terminated {
                env.reset(&mut play, &ResetOptions::default(), &mut random);
            }
            assert!(env.is_valid(&play), "{}", task.id);
        }
        assert_eq!(saved_and_loaded(&env, &play).unwrap().world, play.world, "{}", task.id);
    }
}

#[test]
fn lanes_whose_resets_take_long_are_handed_out_one_by_one() {
    assert_eq!(made(&task("MiniGrid-WFC-RoomsFabric-v0"), &[]).scheduling(), Scheduling::OneByOne);
    assert_eq!(made(&task("MiniGrid-DoorKey-8x8-v0"), &[]).scheduling(), Scheduling::Uniform);
}

#[test]
fn states_that_could_not_be_played_are_refused() {
    let env = made(&task("BabyAI-KeyInBox-v0"), &[]);
    let (good, _) = reset(&env, 1);
    let refused = |damage: &dyn Fn(&mut World)| {
        let mut bad = good.clone();
        damage(&mut bad.world);
        saved_and_loaded(&env, &bad).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|world| world.agent.direction = 4));
    assert!(refused(&|world| world.agent.place.x = 22));
    assert!(refused(&|world| world.carried = 200));
    assert!(refused(&|world| world.max_steps = 0));
    assert!(refused(&|world| world.taken_late = 1));
    assert!(refused(&|world| world.mission = "x".repeat(513)));
    assert!(refused(&|world| world.grid.clear(22, 21, 6)));
    let boxed = (1..=good.world.count() as u8).find(|id| good.world.object(*id).contents != 0).unwrap();
    assert!(refused(&|world| world.object_mut(boxed).contents = boxed), "a box in itself");
    assert!(refused(&|world| world.object_mut(boxed).contents = 99));
    assert!(refused(&|world| world.object_mut(boxed).place.y = -7));
}

#[test]
fn a_world_that_cannot_be_made_ends_in_an_error() {
    let env = made(&task("MiniGrid-Fetch-5x5-N2-v0"), &[("numObjs", 9.into())]);
    let error = catch_unwind(AssertUnwindSafe(|| reset(&env, 0))).map(|_| ()).unwrap_err();
    let error = error.downcast::<Error>().unwrap().to_string();
    assert!(error.starts_with("no world could be made of these options"), "{error}");
}

#[test]
fn the_first_picture_does_not_show_yet_what_the_agent_carries() {
    let env = made(&task("BabyAI-PutNextS5N2Carrying-v0"), &[]);
    let (mut play, mut random) = reset(&env, 3);
    let middle = |world: &World| {
        let mut image = [0; 147];
        envpool_rs_sim_grid_world::image(world, 7, false, &mut image);
        image[(3 * 7 + 6) * 3]
    };
    assert_eq!((play.world.carried != 0, middle(&play.world)), (true, 1), "its hands seem empty");
    env.level.step(&mut play.world, Act::Done, env.margin(), &mut random);
    assert!((5..=7).contains(&middle(&play.world)));
}
