//! Contacts of a simulation (`mjData.contact`), with their normal forces.

use crate::data::Data;
use crate::fields::{RawData, at, elements};

/// Contact of two geoms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Ids of the two geoms; -1 for a flexible object.
    pub geoms: [i32; 2],
    /// First force of the contact (`efc_force[efc_address]`): for most contacts the normal force, in newtons.
    pub force: f64,
}

impl Contact {
    /// Returns whether the geom `id` is one of the two geoms.
    pub fn is_of(&self, id: usize) -> bool {
        self.geoms.iter().any(|geom| usize::try_from(*geom) == Ok(id))
    }
}

impl Data {
    /// Returns the simulation's contacts in MuJoCo's order; none if the layout table does not describe contacts.
    ///
    /// As in Python, the force of a contact that the solver excludes is the last of all forces.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        let forces = self.efc_force();
        self.contact_places().filter_map(move |(geoms, address)| {
            let place = usize::try_from(address).ok().or(forces.len().checked_sub(1))?;
            Some(Contact { geoms, force: *forces.get(place)? })
        })
    }

    /// Returns the ids of the two geoms of each contact in MuJoCo's order, -1 for a flexible object; none if the layout table does
    /// not describe contacts.
    pub fn contact_geoms(&self) -> impl Iterator<Item = [i32; 2]> + '_ {
        self.contact_places().map(|(geoms, _)| geoms)
    }

    /// Returns the magnitude of the force, or of the torque, of a joint's limit: 0 within the limits, or if the layout table does not
    /// describe constraints.
    pub fn joint_limit_force(&self, joint: usize) -> f64 {
        let library = self.model().library();
        let Some(contact) = &library.contact else { return 0.0 };
        let forces = self.efc_force();
        // SAFETY: the layout table says that `efc_type` and `efc_id` point to int32 values, one for each of `efc_force`.
        let [kinds, ids]: [&[i32]; 2] =
            [library.data.efc_type, library.data.efc_id].map(|field| unsafe { elements(self.raw(), field, forces.len()) });
        let rows = kinds.iter().zip(ids).zip(forces);
        let of_joint = rows.filter(|((kind, id), _)| **kind == contact.joint_limit && usize::try_from(**id) == Ok(joint));
        of_joint.map(|(_, force)| force.abs()).sum()
    }

    /// Returns the ids of the geoms and `efc_address` of each contact; none if the layout table does not describe contacts.
    fn contact_places(&self) -> impl Iterator<Item = ([i32; 2], i32)> + '_ {
        let fields = self.model().library().contact.as_ref();
        let count = fields.map_or(0, |_| self.ncon());
        let raw: *const RawData = self.raw();
        (0..count).filter_map(move |index| {
            let fields = fields?;
            // SAFETY: the layout table says where `mjData` points to its `ncon` contacts, how large a contact is, and where its
            // fields are; `index` is less than `ncon`.
            unsafe {
                let contact = (*at::<*const u8>(raw, fields.array)).add(index * fields.bytes);
                let geoms = *contact.add(fields.geom.offset).cast::<[i32; 2]>();
                Some((geoms, *contact.add(fields.efc_address.offset).cast::<i32>()))
            }
        })
    }

    fn efc_force(&self) -> &[f64] {
        let fields = &self.model().library().data;
        // SAFETY: the layout table says that `nefc` is a 4-byte integer, and that `efc_force` points to `nefc` float64 values,
        // which change only with `&mut self`.
        unsafe {
            let count = *at::<i32>(self.raw(), fields.nefc);
            elements(self.raw(), fields.efc_force, usize::try_from(count).unwrap_or(0))
        }
    }
}
