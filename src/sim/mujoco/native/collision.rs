//! Collision detection (`mj_collision`): filters, colliders, and guards of pairs without a collider.

mod bounding_boxes;
pub(super) mod guards;
pub(super) mod height_fields;
pub(super) mod hulls;
pub(super) mod library_contacts;
pub(super) mod pairs;
pub(super) mod plane_colliders;
pub(super) mod round_colliders;
