//! Compares the structs and constants in `abi.rs` with those of the C header, as a C compiler reports them.

mod support;

use std::fmt::Write;

use envpool_rs_plugin::abi::{ABI_VERSION, CONSTANTS, LAYOUTS, LIBRARY_SYMBOL};

/// Writes a C program that prints size and offsets of all structs, and the constants.
fn program() -> String {
    let mut lines = String::new();
    for layout in LAYOUTS {
        writeln!(lines, "printf(\"{0} %zu\\n\", sizeof({0}));", layout.name).unwrap();
        for (field, ..) in layout.fields {
            writeln!(lines, "printf(\"{0}.{field} %zu\\n\", offsetof({0}, {field}));", layout.name).unwrap();
        }
    }
    for (name, _) in CONSTANTS {
        writeln!(lines, "printf(\"EPR_{name} %d\\n\", EPR_{name});").unwrap();
    }
    format!("#include <stddef.h>\n#include <stdio.h>\n#include \"envpool_rs.h\"\nint main(void) {{\n{lines}return 0; }}\n")
}

/// Returns the lines that the C program must print.
fn expected() -> String {
    let mut lines = String::new();
    for layout in LAYOUTS {
        writeln!(lines, "{} {}", layout.name, layout.size).unwrap();
        layout.fields.iter().for_each(|(field, offset, _)| writeln!(lines, "{}.{field} {offset}", layout.name).unwrap());
    }
    CONSTANTS.iter().for_each(|(name, value)| writeln!(lines, "EPR_{name} {value}").unwrap());
    lines
}

#[test]
fn a_c_compiler_sees_the_same_structs_and_constants() {
    assert_eq!(support::run_c("layout", &program()), expected());
}

#[test]
fn the_list_of_fields_is_complete_because_every_field_has_eight_bytes() {
    for layout in LAYOUTS {
        let end = layout.fields.last().map(|(_, offset, _)| offset + 8);
        // The field for an option's value is a struct of four fields, so one distance is not 8 bytes.
        let gaps = layout.fields.windows(2).filter(|pair| pair[1].1 != pair[0].1 + 8).count();
        assert_eq!((end, gaps), (Some(layout.size), usize::from(layout.name == "epr_option")), "{}", layout.name);
    }
}

#[test]
fn every_constant_of_the_header_is_listed() {
    let header = envpool_rs_plugin::HEADER;
    let words = header.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let own = ["ABI_VERSION", "EXPORT", "OPTION_"];
    for name in words.filter_map(|word| word.strip_prefix("EPR_")).filter(|name| !own.contains(name)) {
        assert!(CONSTANTS.iter().any(|(listed, _)| *listed == name), "EPR_{name} is not in abi.rs");
    }
    assert!(header.contains(&format!("#define EPR_ABI_VERSION {ABI_VERSION}\n")));
    assert!(header.contains(&format!(" *{LIBRARY_SYMBOL}(const epr_host *host);")));
}
