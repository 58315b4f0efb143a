//! Equality constraints.

use crate::native::mju::IDENTITY_QUAT;
use crate::native::model::{Frame, SameFrame, SolParams};

/// Equality constraint (`mjtEq`).
#[derive(Debug, Clone)]
pub(in crate::native) enum Equality {
    /// Constraint on a fixed tendon's length (`mjEQ_TENDON`) or on a joint's position (`mjEQ_JOINT`).
    Length(LengthEquality),
    /// Constraint on two bodies (`mjEQ_CONNECT`, `mjEQ_WELD`).
    Bodies(Box<BodyEquality>),
}

impl Equality {
    /// Returns the number of constraint rows.
    pub(in crate::native) fn rows(&self) -> usize {
        match self {
            Self::Length(_) => 1,
            Self::Bodies(equality) => equality.rows(),
        }
    }

    /// Returns the bit mask of the kinematic trees that the constraint acts on.
    pub(in crate::native) fn trees(&self) -> u64 {
        match self {
            Self::Length(equality) => equality.trees,
            Self::Bodies(equality) => equality.trees,
        }
    }

    /// Returns the degrees of freedom with non-zero entries in the constraint rows, in ascending order.
    pub(in crate::native) fn colind(&self) -> Vec<usize> {
        let mut columns: Vec<_> = match self {
            Self::Length(equality) => {
                let second_joint = equality.second_joint.iter().map(|second_joint| second_joint.dofadr);
                equality.parts.iter().map(|(_, dof, _)| *dof).chain(second_joint).collect()
            }
            Self::Bodies(equality) => equality.columns.iter().map(|(dof, _)| *dof).collect(),
        };
        columns.sort_unstable();
        columns
    }
}

/// Equality constraint on a fixed tendon's length (`mjEQ_TENDON`) or on a joint's position (`mjEQ_JOINT`).
#[derive(Debug, Clone)]
pub(in crate::native) struct LengthEquality {
    /// Terms of the constrained length: index in `qpos`, degree of freedom and coefficient of each joint.
    pub(in crate::native) parts: Vec<(usize, usize, f64)>,
    /// Joint whose position determines the desired length; `None` if the desired length is constant.
    pub(in crate::native) second_joint: Option<SecondJoint>,
    /// Length in the model's initial configuration (`tendon_length0` or `qpos0`).
    pub(in crate::native) length0: f64,
    /// Desired length minus `length0`, without the second joint's terms (`eq_data[0]`).
    pub(in crate::native) offset: f64,
    /// Approximate diagonal of `J * inv(M) * J'` for the equality's constraint row (`efc_diagApprox`), which equals
    /// `tendon_invweight0`, or the sum of the joints' `dof_invweight0`.
    pub(in crate::native) diag_approx: f64,
    pub(in crate::native) sol: SolParams,
    /// Bit mask of the kinematic trees that the tendon or the joints move.
    pub(in crate::native) trees: u64,
}

/// Joint that another joint follows by a polynomial (the second joint of `mjEQ_JOINT`).
#[derive(Debug, Clone)]
pub(in crate::native) struct SecondJoint {
    pub(in crate::native) qposadr: usize,
    pub(in crate::native) dofadr: usize,
    pub(in crate::native) qpos0: f64,
    /// Coefficients of the powers 1 to 4 of the joint's displacement (`eq_data[1..5]`).
    pub(in crate::native) polycoef: [f64; 4],
}

/// Equality constraint on two bodies: points of the bodies coincide (`mjEQ_CONNECT`), and the bodies' orientations too
/// (`mjEQ_WELD`).
#[derive(Debug, Clone)]
pub(in crate::native) struct BodyEquality {
    pub(in crate::native) bodies: [usize; 2],
    pub(in crate::native) anchors: [BodyAnchor; 2],
    /// Desired orientation; `None` if the constraint connects points only.
    pub(in crate::native) weld: Option<WeldPose>,
    /// Degrees of freedom that move the bodies, in ascending order. The flags say which of the bodies each moves.
    pub(in crate::native) columns: Vec<(usize, [bool; 2])>,
    /// Root bodies of the bodies' kinematic trees.
    pub(in crate::native) roots: [usize; 2],
    /// `efc_diagApprox` of the rows of the positions, and of the rows of the orientations.
    pub(in crate::native) diag_approx: [f64; 2],
    pub(in crate::native) sol: SolParams,
    /// Bit mask of the bodies' kinematic trees.
    pub(in crate::native) trees: u64,
}

impl BodyEquality {
    /// Returns the number of constraint rows.
    pub(in crate::native) fn rows(&self) -> usize {
        if self.weld.is_some() { 6 } else { 3 }
    }
}

/// Point that a constraint holds at a point of another body.
#[derive(Debug, Clone)]
pub(in crate::native) enum BodyAnchor {
    /// Point in the body's frame.
    Point([f64; 3]),
    /// Frame of a site of the body.
    Site(Frame),
}

impl BodyAnchor {
    /// Returns a frame at the anchor's position that has a rotation of its own.
    pub(in crate::native) fn frame(&self) -> Frame {
        let (pos, quat) = match self {
            Self::Point(point) => (*point, IDENTITY_QUAT),
            Self::Site(frame) => (frame.pos, frame.quat),
        };
        Frame { same: SameFrame::Neither, pos, quat }
    }
}

/// Orientation that a weld holds.
#[derive(Debug, Clone)]
pub(in crate::native) struct WeldPose {
    /// Orientation of the second body relative to the first (`eq_data[6..10]`); not used between sites.
    pub(in crate::native) relpose: [f64; 4],
    /// Factor of the rotational error (`eq_data[10]`).
    pub(in crate::native) torquescale: f64,
}
