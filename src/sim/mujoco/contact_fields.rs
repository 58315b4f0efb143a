//! Layout of `mjContact`.

use crate::layout::{Field, Kind, Layout};

/// Offsets of the fields of `mjContact`, and of the array of contacts in `mjData`.
#[derive(Debug)]
pub(super) struct ContactFields {
    /// Pointer of `mjData` to its contacts.
    pub(super) array: Field,
    pub(super) geom: Field,
    /// Index of the contact's first force in `efc_force`; -1 if the solver excludes the contact.
    pub(super) efc_address: Field,
    /// Size of one contact, in bytes.
    pub(super) bytes: usize,
}

impl ContactFields {
    /// Finds the fields; `None` if the layout table does not describe contacts.
    pub(super) fn find(layout: &Layout) -> Option<Self> {
        Some(Self {
            array: layout.field("mjContact.array", &[Kind::Bytes]).ok()?,
            geom: layout.field("mjContact.geom", &[Kind::Int32]).ok().filter(|field| field.count == 2)?,
            efc_address: layout.field("mjContact.efc_address", &[Kind::Int32]).ok()?,
            bytes: usize::try_from(layout.number("mjContact.sizeof").ok()?).ok()?,
        })
    }
}
