//! Tests of the minigrid environment with every level.

use super::*;
use envpool_rs_engine::LaneState;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn make_env(task: &Task, values: &[(&str, Value)]) -> MiniGrid {
    let values: Vec<_> = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    MiniGrid::new(&task.resolve(&values).unwrap()).unwrap()
}

fn task(id: &str) -> Task {
    tasks().into_iter().find(|task| task.id == id).unwrap()
}

fn reset(env: &MiniGrid, seed: u64) -> (EpisodeState, Generator) {
    let mut random = Generator::new(seed);
    let mut state = env.create(0).unwrap();
    assert!(env.is_valid(&state), "one that was never reset");
    env.reset(&mut state, &ResetOptions::default(), &mut random);
    (state, random)
}

fn save_and_load(env: &MiniGrid, state: &EpisodeState) -> Result<EpisodeState> {
    let mut bytes = Vec::new();
    state.save(env, &mut bytes)?;
    EpisodeState::load(env, &mut bytes.as_slice())
}

#[test]
fn there_are_82_tasks_of_minigrid_and_96_of_babyai() {
    let ids: Vec<_> = tasks().iter().map(|task| task.id).collect();
    let count = |beginning: &str| ids.iter().filter(|id| id.starts_with(beginning)).count();
    assert_eq!((count("MiniGrid-"), count("BabyAI-"), ids.len()), (82, 96, 178));
}

#[test]
fn states_of_every_task_can_be_saved_and_restored() {
    for task in tasks() {
        let env = make_env(&task, &[]);
        let (mut state, mut random) = reset(&env, 7);
        for _ in 0..60 {
            let action = Actions::ALL[random.integers(0, env.level.num_actions()) as usize];
            if env.level.step(&mut state.world, action, env.margin(), &mut random).terminated {
                env.reset(&mut state, &ResetOptions::default(), &mut random);
            }
            assert!(env.is_valid(&state), "{}", task.id);
        }
        assert_eq!(save_and_load(&env, &state).unwrap().world, state.world, "{}", task.id);
    }
}

#[test]
fn lanes_with_slow_resets_are_scheduled_one_by_one() {
    assert_eq!(make_env(&task("MiniGrid-WFC-RoomsFabric-v0"), &[]).scheduling(), Scheduling::OneByOne);
    assert_eq!(make_env(&task("MiniGrid-DoorKey-8x8-v0"), &[]).scheduling(), Scheduling::Uniform);
}

#[test]
fn invalid_states_are_refused() {
    let env = make_env(&task("BabyAI-KeyInBox-v0"), &[]);
    let (good, _) = reset(&env, 1);
    let refused = |damage: &dyn Fn(&mut World)| {
        let mut bad = good.clone();
        damage(&mut bad.world);
        save_and_load(&env, &bad).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|world| world.agent.dir = 4));
    assert!(refused(&|world| world.agent.pos.x = 22));
    assert!(refused(&|world| world.carrying = 200));
    assert!(refused(&|world| world.max_steps = 0));
    assert!(refused(&|world| world.picked_up_after_first_obs = 1));
    assert!(refused(&|world| world.mission = "x".repeat(513)));
    assert!(refused(&|world| world.grid.clear(22, 21, 6)));
    let boxed = (1..=good.world.num_objects() as u8).find(|id| good.world.object(*id).contains != 0).unwrap();
    assert!(refused(&|world| world.object_mut(boxed).contains = boxed), "a box in itself");
    assert!(refused(&|world| world.object_mut(boxed).contains = 99));
    assert!(refused(&|world| world.object_mut(boxed).cur_pos.y = -7));
}

#[test]
fn impossible_worlds_are_errors() {
    let env = make_env(&task("MiniGrid-Fetch-5x5-N2-v0"), &[("numObjs", 9.into())]);
    let error = catch_unwind(AssertUnwindSafe(|| reset(&env, 0))).map(|_| ()).unwrap_err();
    let error = error.downcast::<Error>().unwrap().to_string();
    assert!(error.starts_with("no world can be generated with these options"), "{error}");
}

#[test]
fn first_observation_does_not_show_the_carried_object() {
    let env = make_env(&task("BabyAI-PutNextS5N2Carrying-v0"), &[]);
    let (mut state, mut random) = reset(&env, 3);
    let middle = |world: &World| {
        let mut image = [0; 147];
        envpool_rs_sim_grid_world::image(world, 7, false, &mut image);
        image[(3 * 7 + 6) * 3]
    };
    assert_eq!((state.world.carrying != 0, middle(&state.world)), (true, 1), "the agent seems to carry nothing");
    env.level.step(&mut state.world, Actions::Done, env.margin(), &mut random);
    assert!((5..=7).contains(&middle(&state.world)));
}
