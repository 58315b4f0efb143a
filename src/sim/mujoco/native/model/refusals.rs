//! Lists all reasons why the native stepper refuses a model.

use crate::mjt::{MJJAC_AUTO, MJJAC_SPARSE};
use crate::model::Model;
use crate::model_table::{FLAGS, REFUSED_FLAGS, Role, Rule, TABLE, entry};
use crate::native::Stepper;
use crate::native::dialect::Solver;
use crate::native::model::read::read_model;
use crate::native::model::reader::Reader;
use crate::native::model::{Integrator, MAX_NBODY, MAX_NC, MAX_NQ, MAX_NTREE, MAX_NV, Unsupported};

/// Reasons for refusal that were found so far.
#[derive(Default)]
pub(in crate::native) struct Refusals(pub(in crate::native) Vec<Unsupported>);

impl Refusals {
    /// Returns the value that was read; on an error, records the error as a refusal and returns `None`.
    pub(in crate::native) fn note<T>(&mut self, read: Result<T, Unsupported>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(refusal) => {
                if !self.0.contains(&refusal) {
                    self.0.push(refusal);
                }
                None
            }
        }
    }
}

impl Stepper {
    /// Returns the reasons why MuJoCo must step the model instead of the native stepper. The list is empty if
    /// [`Stepper::verified`] accepts the model.
    pub fn refusals(model: &Model) -> Vec<String> {
        let refused = Self::verified(model).err();
        refused.map_or_else(Vec::new, |refusal| read_model(model).err().unwrap_or_else(|| vec![refusal]))
    }
}

pub(in crate::native) fn solver_of(reader: &Reader<'_>) -> Result<Solver, Unsupported> {
    match reader.integer("opt.solver")? {
        0 => Ok(Solver::Pgs),
        2 => Ok(Solver::Newton),
        _ => Err("the solver by conjugate gradients".into()),
    }
}

pub(in crate::native) fn integrator_of(reader: &Reader<'_>) -> Result<Integrator, Unsupported> {
    match reader.integer("opt.integrator")? {
        0 => Ok(Integrator::Euler),
        1 => Ok(Integrator::RungeKutta),
        3 => Ok(Integrator::ImplicitFast),
        _ => Err("an implicit integrator".into()),
    }
}

pub(in crate::native) fn excessive_sizes(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let mut found = Vec::new();
    for (name, field, most) in [
        ("bodies", "nbody", MAX_NBODY),
        ("degrees of freedom", "nv", MAX_NV),
        ("positions", "nq", MAX_NQ),
        ("numbers in the mass matrix", "nC", MAX_NC),
        ("trees of bodies", "ntree", MAX_NTREE),
    ] {
        let count = reader.size(field)?;
        if count > most {
            found.push(format!("{count} {name}: at most {most}"));
        }
    }
    Ok(found)
}

/// Lists the fields of the model whose values the native stepper does not support, by the table of fields.
pub(in crate::native) fn unsupported_fields(reader: &Reader<'_>) -> Result<Vec<Unsupported>, Unsupported> {
    let mut found = unknown_fields(reader);
    for (name, role) in TABLE.iter().flat_map(|fields| fields.names().map(|name| (name, fields.role))) {
        if !reader.has(name) {
            continue;
        }
        let reason = match role {
            Role::Must(rule) if !has_value(reader, name, &rule)? => rule.reason,
            Role::Equals(size, reason) if reader.size(name)? != reader.size(size)? => reason,
            _ => continue,
        };
        if !found.iter().any(|known| known == reason) {
            found.push(reason.to_owned());
        }
    }
    found.extend(unsupported_flags(reader, "opt.disableflags", "disable")?);
    found.extend(unsupported_flags(reader, "opt.enableflags", "enable")?);
    match (reader.integer("opt.jacobian")?, reader.size("nv")?) {
        (MJJAC_SPARSE, _) => found.push("sparse matrices (<option jacobian>)".into()),
        (MJJAC_AUTO, nv) if nv >= SPARSE_NV => {
            found.push(format!("{nv} degrees of freedom, with sparse matrices from {SPARSE_NV} on (<option jacobian>)"));
        }
        _ => {}
    }
    Ok(found)
}

/// Lists the fields of this version's `mjModel` that the table of fields lacks, so that their effect on a step is not known.
fn unknown_fields(reader: &Reader<'_>) -> Vec<Unsupported> {
    let names = reader.0.library().layout().model_fields();
    let mut found: Vec<_> = names.filter(|name| !name.starts_with("vis.") && entry(name).is_none()).collect();
    found.sort_unstable();
    found.into_iter().map(|name| format!("{name}, a field of mjModel that is not known")).collect()
}

fn has_value(reader: &Reader<'_>, name: &str, rule: &Rule) -> Result<bool, Unsupported> {
    let (width, objects) = rule.count;
    let count = match objects {
        "" => 1,
        // Older versions of MuJoCo have one control for each actuator.
        "nactuator" if !reader.has(objects) => reader.size("nu")?,
        objects => reader.size(objects)?,
    };
    Ok(reader.numbers(name, width * count)?.iter().all(|value| *value == rule.value))
}

/// Lists the flags with which MuJoCo must step the model; `value` is their value in MJCF.
fn unsupported_flags(reader: &Reader<'_>, option: &str, value: &str) -> Result<Vec<Unsupported>, Unsupported> {
    let (layout, kind) = (reader.0.library().layout(), if value == "disable" { "mjtDisableBit." } else { "mjtEnableBit." });
    let is_bit = |name: &str, bit: i64| name.starts_with(kind) && layout.number(name).is_ok_and(|own| i64::from(own) == bit);
    let flags = reader.integer(option)?;
    let mut found = Vec::new();
    for bit in (0..i32::BITS).map(|shift| 1 << shift).filter(|bit| flags & bit != 0) {
        // A bit can belong to another flag in another version.
        if FLAGS.iter().any(|(name, _)| is_bit(name, bit)) {
            continue;
        }
        let name = REFUSED_FLAGS.iter().find(|(name, _)| is_bit(name, bit)).map(|(_, attribute)| *attribute);
        found.push(match name {
            Some(attribute) => format!("<flag {attribute}=\"{value}\"/>"),
            None => format!("the bit {bit:#x} of {option}"),
        });
    }
    Ok(found)
}

/// Number of degrees of freedom from which on MuJoCo chooses sparse matrices (`mj_isSparse`).
const SPARSE_NV: usize = 60;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::native::dialect::NATIVE_VERSIONS;

    /// Line of `tests/data/mujoco_fields.txt`: name, type or value, number of elements, versions.
    type Line<'a> = [&'a str; 4];

    fn with_headers(test: impl FnOnce(&[Line<'_>])) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/data/mujoco_fields.txt");
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let lines: Vec<Vec<_>> = text.lines().map(|line| line.split(' ').collect()).collect();
        test(&lines.iter().map(|line| Line::try_from(&**line).unwrap()).collect::<Vec<_>>());
    }

    #[test]
    fn the_table_has_exactly_the_fields_of_all_native_versions() {
        with_headers(|lines| {
            let versions: BTreeSet<_> = lines[0][3].split(',').collect();
            let number = |version: &i32| format!("{}.{}.{}", version / 1_000_000, version / 1000 % 1000, version % 1000);
            let native: Vec<_> = NATIVE_VERSIONS.iter().map(number).collect();
            assert_eq!(versions, native.iter().map(String::as_str).collect());
            let of_model = |line: &&Line<'_>| line[2] != "-" && !["opt", "vis", "stat"].contains(&line[0]);
            let fields: BTreeSet<_> = lines.iter().filter(of_model).map(|line| line[0]).collect();
            let names: Vec<_> = TABLE.iter().flat_map(|fields| fields.names()).collect();
            assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), fields);
            assert_eq!(names.len(), fields.len(), "each field is in the table once");
        });
    }

    #[test]
    fn rules_count_elements_as_the_headers_do() {
        with_headers(|lines| {
            let numbers: BTreeMap<_, _> = lines.iter().filter(|line| line[2] == "-").map(|line| (line[0], line[1])).collect();
            for [name, _, extent, versions] in lines {
                let Some(Role::Must(rule)) = entry(name).map(|fields| fields.role) else { continue };
                let (width, objects) = rule.count;
                let found = match extent.split_once('x') {
                    Some((objects, width)) => (numbers.get(width).unwrap_or(&width).parse(), objects),
                    None => (extent.parse(), ""),
                };
                let known = if *versions != "4.0.0" && found.1 == "nu" { (found.0, "nactuator") } else { found };
                assert_eq!((Ok(width), objects), known, "{name} in {versions}");
            }
        });
    }

    #[test]
    fn all_flags_are_supported_or_refused_by_name() {
        with_headers(|lines| {
            for [name, value, ..] in lines.iter().filter(|line| line[0].contains("BL_")) {
                let kind = if name.starts_with("mjDSBL") { "mjtDisableBit" } else { "mjtEnableBit" };
                let name = format!("{kind}.{name}");
                let supported = FLAGS.iter().find(|(flag, _)| *flag == name);
                let is_refused = REFUSED_FLAGS.iter().any(|(flag, _)| *flag == name);
                assert!(supported.is_some() != is_refused, "{name}");
                assert!(supported.is_none_or(|(_, own)| own.to_string() == *value), "{name} is {value}");
            }
        });
    }

    #[test]
    fn arrays_have_the_widths_that_readers_assume() {
        with_headers(|lines| {
            for (name, expected) in [("mjNDYN", "10"), ("mjNGAIN", "10"), ("mjNBIAS", "10"), ("mjNREF", "2"), ("mjNIMP", "5")] {
                let found: Vec<_> = lines.iter().filter(|line| line[0] == name).map(|line| line[1]).collect();
                assert_eq!(found, [expected], "{name}");
            }
        });
    }
}
