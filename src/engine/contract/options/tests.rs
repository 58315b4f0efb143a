//! Unit tests of task options: their resolution, checks of values, and error messages.

use super::*;

fn refusal(option: &OptionSpec, value: impl Into<Value>) -> String {
    option.convert(&value.into()).unwrap_err().to_string()
}

#[test]
fn integer_distributions_must_contain_an_integer() {
    let skip = OptionSpec::new("frame_skip", 4, "").integers(1..=9).per_episode();
    let drawn = |low, high| Value::Distribution(Distribution::Integers(low, high));
    assert_eq!(skip.convert(&drawn(4, 5)), Ok(drawn(4, 5)));
    assert!(refusal(&skip, drawn(4, 4)).contains("the first below the second"));
    assert!(refusal(&skip, drawn(4, 11)).contains("frame_skip=10"));
}

#[test]
fn options_accept_values_of_their_declared_type() {
    let size = OptionSpec::new("size", 4, "").integer_or_pair(1..=9);
    assert_eq!(size.convert(&Value::Int(9)), Ok(Value::Int(9)));
    assert_eq!(size.convert(&Value::Ints(vec![1, 9])), Ok(Value::Ints(vec![1, 9])));
    assert_eq!(refusal(&size, 10), "size=10: expected an integer from 1 to 9, or two of them");
    let one = "an integer from 1 to 9, or two of them; a list is one value for all environments, an array has one for each";
    assert_eq!(refusal(&size, vec![4_i64, 0]), format!("size=[4, 0]: expected {one}"));
    assert_eq!(refusal(&size, vec![4_i64, 4, 4]), format!("size=[4, 4, 4]: expected {one}"));
    let share = OptionSpec::new("share", 0.5, "").numbers(-1.0..=1.5);
    assert_eq!(share.convert(&Value::Int(1)), Ok(Value::Float(1.0)));
    assert_eq!(refusal(&share, -1.25), "share=-1.25: expected -1 to 1.5");
    let scale = OptionSpec::new("scale", 0.5, "");
    assert_eq!(refusal(&scale.clone().numbers(0.0..=f64::MAX), -1.0), "scale=-1.0: expected 0 or more");
    assert_eq!(refusal(&scale.clone().numbers(f64::MIN_POSITIVE..=f64::MAX), 0.0), "scale=0.0: expected above 0");
    assert_eq!(refusal(&scale.numbers(f64::MIN_POSITIVE..=9.0), 0.0), "scale=0.0: expected above 0, up to 9");
    let most = OptionSpec::optional("most", 1, "").integers(0..=3);
    assert_eq!(refusal(&most, 4), "most=4: expected an integer from 0 to 3 or None");
    assert_eq!(refusal(&OptionSpec::new("p", 0.5, "").probability(), 2), "p=2: expected a probability, from 0 to 1");
    let kind = OptionSpec::optional("kind", "a", "").one_of(&["a", "b"]);
    assert_eq!(kind.convert(&Value::None), Ok(Value::None));
    assert_eq!(refusal(&kind, "c"), r#"kind="c": expected "a" or "b" or None"#);
    let flag = OptionSpec::new("flag", false, "");
    assert_eq!([0, 1].map(|number| flag.convert(&Value::Int(number)).unwrap()), [Value::Bool(false), Value::Bool(true)]);
    assert_eq!(refusal(&flag, 2), "flag=2: expected bool, not int");
}

#[test]
fn a_pair_of_bounds_has_two_numbers_which_may_be_infinite() {
    let range = OptionSpec::optional("range", Vec::<f64>::new(), "").bounds();
    assert_eq!(range.convert(&Value::Floats(vec![0.5, f64::INFINITY])), Ok(Value::Floats(vec![0.5, f64::INFINITY])));
    assert_eq!(range.convert(&Value::None), Ok(Value::None));
    for bad in [vec![], vec![1.0], vec![1.0, 0.0], vec![0.0, 1.0, 2.0], vec![f64::NAN, 1.0], vec![0.0, f64::NAN]] {
        let refusal = range.convert(&Value::Floats(bad)).unwrap_err().to_string();
        assert!(refusal.ends_with("expected two numbers, the first not above the second or None"), "{refusal}");
    }
}

#[test]
fn distributions_outside_the_allowed_values_are_refused() {
    let count = OptionSpec::new("count", 4, "").integers(1..=9).per_episode();
    let drawn = |low, high| count.convert(&Value::Distribution(Distribution::Integers(low, high)));
    assert!(drawn(1, 10).is_ok());
    assert_eq!(drawn(1, 11).unwrap_err().to_string(), "count=10: expected an integer from 1 to 9");
    assert_eq!(drawn(0, 10).unwrap_err().to_string(), "count=0: expected an integer from 1 to 9");
}

#[test]
fn rows_of_reset_options_belong_to_items() {
    let rows = vec![("cell[0]".to_owned(), vec![4.0, f64::NAN]), ("cell[1]".to_owned(), vec![5.0, f64::NAN])];
    let options = ResetOptions::new(vec![("low".to_owned(), -1.0)]).with_rows(rows).with_seed(7);
    assert!(options.has_rows());
    let (first, second) = (options.of_item(0), options.of_item(1));
    assert_eq!((first.get("cell[0]"), first.get("cell[1]"), first.get("low")), (Some(4.0), Some(5.0), Some(-1.0)));
    assert_eq!((second.get("cell[0]"), second.get("low"), second.seed()), (None, Some(-1.0), Some(7)));
    let scattered = options.clone().scattered(&[2, 0], 3);
    assert_eq!([0, 1, 2].map(|item| scattered.of_item(item).get("cell[1]")), [None, None, Some(5.0)]);
    assert!(!first.has_rows() && !second.has_rows());
}

#[test]
fn names_and_counts_of_reset_options_are_checked() {
    const KNOWN: &[&str] = &["low", "cell[0]", "cell[1]", "state.qpos[0]"];
    let rows = |name: &str| ResetOptions::default().with_rows(vec![(name.to_owned(), vec![1.0, 2.0])]);
    assert_eq!(rows("cell[0]").check_names(KNOWN, &[], 2), Ok(()));
    let error = rows("cell[0]").check_names(KNOWN, &[], 3).unwrap_err().to_string();
    assert!(error.contains("cell=[2 values]: expected one for each of the 3 environments"), "{error}");
    let error = rows("cell[2]").check_names(KNOWN, &[], 2).unwrap_err().to_string();
    assert!(error.contains("cell: expected 2 numbers"), "{error}");
    let error = rows("low[0]").check_names(KNOWN, &[], 2).unwrap_err().to_string();
    assert!(error.contains("low: expected one number for all environments"), "{error}");
    let error = rows("row[0]").check_names(KNOWN, &[], 2).unwrap_err().to_string();
    assert!(error.contains("unknown reset option \"row\""), "{error}");
    let absent = |name: &str| ResetOptions::default().with_absent(vec![name.to_owned()]).check_names(KNOWN, &[], 2);
    assert_eq!((absent("cell"), absent("state")), (Ok(()), Ok(())));
    assert!(absent("sta").is_err() && absent("state.qvel").is_err());
    let error = rows("state.qvel[0]").check_names(KNOWN, &[], 2).unwrap_err().to_string();
    assert!(error.contains("unknown reset option \"state.qvel\""), "{error}");
    assert!(absent("low").unwrap_err().to_string().contains("low=None: expected a number"));
    let options = [OptionSpec::new("gravity", 9.8, "").per_episode(), OptionSpec::new("frames", 4, "")];
    let unknown = |name: &str| rows(name).check_names(&["low"], &options, 2).unwrap_err().to_string();
    assert_eq!(unknown("other"), "unknown reset option \"other\"; there are: low, gravity");
    assert_eq!(unknown("config.gravity"), "unknown reset option \"config.gravity\"; give \"gravity\" itself, outside a dict");
}

#[test]
fn an_option_with_components_has_one_name() {
    assert_eq!(reset_option_names(&["low", "cell[0]", "cell[1]", "goal[0]"]), ["low", "cell", "goal"]);
    assert!(reset_option_names(&[]).is_empty());
}
