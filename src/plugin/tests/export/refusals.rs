//! Tests that exporting an environment fails, with an error that names the property, if the C interface has no field for one of
//! its properties.

use envpool_rs_engine::{Action, Dtype, Env, EnvSpec, InfoSpec, OptionSpec, Options, ResetOptions, Result, Row, Space, Value};
use envpool_rs_envs_classic::classic_control::acrobot::Acrobot;
use envpool_rs_envs_classic::toy_text::frozen_lake::FrozenLake;
use envpool_rs_numeric::random::Generator;
use envpool_rs_plugin::export::ExportedTask;

use super::load;

/// Environment whose description depends on the case number `CASE`.
struct DescribedEnv<const CASE: usize>;

impl<const CASE: usize> Env for DescribedEnv<CASE> {
    type State = ();
    type Random = Generator;

    fn options() -> Vec<OptionSpec> {
        match CASE {
            0 => vec![OptionSpec::new("sizes", Value::Ints(vec![1, 2]), "a list")],
            1 => vec![OptionSpec::optional("level", 3, "an optional number")],
            2 => vec![OptionSpec::new("size", 3, "a number or two").integer_or_pair(1..=9)],
            3 => vec![OptionSpec::new("size", 3, "a number").with_alias("EnvPool", "width")],
            _ => Vec::new(),
        }
    }

    fn new(_: &Options) -> Result<Self> {
        Ok(Self)
    }

    fn spec(&self) -> EnvSpec {
        let one = || Space::uniform(0.0, 1.0, &[1], Dtype::F32);
        let spec = EnvSpec::new(one(), Space::discrete(2));
        match CASE {
            4 => EnvSpec { observation: Space::Tuple(vec![one(), one()]), ..spec },
            5 => EnvSpec { observation: Space::Dict(vec![("a.b".into(), one())]), ..spec },
            6 => EnvSpec { observation: Space::uniform(0.0, 1.0, &[1], Dtype::Raw(16)), ..spec },
            7 => EnvSpec { envpool_reward: Dtype::F64, ..spec },
            8 => EnvSpec { envpool_observation: Some(one()), ..spec },
            9 => EnvSpec { info: vec![InfoSpec::new("speed", Dtype::F64, &[]).only_in_gymnasium()], ..spec },
            _ => spec,
        }
    }

    fn create(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn reset(&self, _: &mut (), _: &ResetOptions, _: &mut Generator) {}

    fn step(&self, _: &mut (), _: &Action<'_>, _: &mut [f64], _: &mut Generator) -> bool {
        false
    }

    fn observe(&self, _: &(), out: &mut Row<'_>) {
        out.scalar(0, 0.0);
    }
}

fn refusal(task: ExportedTask) -> String {
    load(vec![task]).expect_err("a refusal").to_string()
}

#[test]
fn options_of_other_types_are_refused_by_name() {
    let refused = [
        (refusal(ExportedTask::env::<DescribedEnv<0>>("refused/A-v0")), "option \"sizes\": expected a bool, int, float or str"),
        (
            refusal(ExportedTask::env::<DescribedEnv<1>>("refused/B-v0")),
            "option \"level\": expected one type of values, without None",
        ),
        (refusal(ExportedTask::env::<DescribedEnv<2>>("refused/C-v0")), "option \"size\": expected one type of values"),
        (refusal(ExportedTask::env::<DescribedEnv<3>>("refused/D-v0")), "option \"size\": expected no alias"),
        (refusal(ExportedTask::env::<FrozenLake>("refused/E-v0")), "option \""),
    ];
    for (refusal, expected) in refused {
        assert!(refusal.contains(expected) && refusal.contains("refused/"), "{refusal:?} lacks {expected:?}");
    }
}

#[test]
fn spaces_and_infos_without_a_field_are_refused_by_name() {
    let refused = [
        (refusal(ExportedTask::env::<DescribedEnv<4>>("refused/F-v0")), "observation: expected a Dict instead of a Tuple"),
        (refusal(ExportedTask::env::<DescribedEnv<5>>("refused/G-v0")), "observation, key \"a.b\": expected a key without a dot"),
        (refusal(ExportedTask::env::<DescribedEnv<6>>("refused/H-v0")), "observation: expected numbers, not raw bytes"),
        (refusal(ExportedTask::env::<DescribedEnv<7>>("refused/I-v0")), "envpool_reward: expected float32"),
        (refusal(ExportedTask::env::<DescribedEnv<8>>("refused/J-v0")), "envpool_observation: expected None"),
        (refusal(ExportedTask::env::<DescribedEnv<9>>("refused/K-v0")), "info \"speed\": expected an info of both dialects"),
        (refusal(ExportedTask::kernel::<Acrobot>("refused/L-v0")), "info \"state\": expected an info of both dialects"),
    ];
    for (refusal, expected) in refused {
        assert!(refusal.contains(expected) && refusal.contains("refused/"), "{refusal:?} lacks {expected:?}");
    }
}
