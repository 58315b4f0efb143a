use super::*;

/// Returns a dict space of float64 vectors whose keys and lengths are given.
fn space(parts: &[(&str, usize)]) -> Space {
    let part = |(key, len): &(&str, usize)| ((*key).to_owned(), Space::uniform(0.0, 1.0, &[*len], Dtype::F64));
    Space::Dict(parts.iter().map(part).collect())
}

fn spec(written: &[(&str, usize)]) -> EnvSpec {
    let mut spec = EnvSpec::new(space(&[("b", 3)]), Space::discrete(2));
    spec.envpool_observation = Some(space(&[("c", 1), ("b", 3)]));
    spec.written = Some(space(written));
    spec
}

fn columns(written: &[(&str, usize)], dialect: Dialect) -> Vec<Option<(usize, usize)>> {
    let outputs = Outputs { dialect, format: Format::Gymnasium };
    let layout = Layout::new(&spec(written), outputs, &PoolConfig::new(1).unwrap());
    let shown = |span: &LeafSpan| (*span != LeafSpan::ABSENT).then_some((span.column, span.len));
    layout.leaves.iter().map(shown).collect()
}

#[test]
fn each_interface_has_its_part_of_the_written_leaves() {
    let written = [("a", 2), ("b", 3), ("c", 1)];
    assert_eq!(columns(&written, Dialect::Gymnasium), [None, Some((0, 3)), None]);
    assert_eq!(columns(&written, Dialect::EnvPool), [None, Some((1, 3)), Some((0, 1))]);
}

#[test]
#[should_panic(expected = "a leaf is not written")]
fn an_interface_has_no_leaf_that_is_not_written() {
    columns(&[("a", 2), ("b", 3)], Dialect::EnvPool);
}
