//! Equality constraints, and their conversion from an `mjModel`.

use crate::mjt::{MJEQ_CONNECT, MJEQ_JOINT, MJEQ_TENDON, MJEQ_WELD, MJOBJ_BODY, MJOBJ_SITE};
use crate::native::mju::IDENTITY_QUAT;
use crate::native::model::read::ReadParts;
use crate::native::model::reader::{Reader, all, triple};
use crate::native::model::{Frame, Joint, SameFrame, SolParams, Tendon, TendonPath, Unsupported};

/// Equality constraint (`mjtEq`).
#[derive(Debug, Clone)]
pub(in crate::native) enum Equality {
    /// Constraint on a fixed tendon's length (`mjEQ_TENDON`) or on a joint's position (`mjEQ_JOINT`).
    Length(LengthEquality),
    /// Constraint on two bodies (`mjEQ_CONNECT`, `mjEQ_WELD`).
    Bodies(Box<BodyEquality>),
}

impl Equality {
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
    /// `efc_diagApprox` of the row: `tendon_invweight0`, or the sum of the joints' `dof_invweight0`.
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

/// Equality of two bodies: of points (`mjEQ_CONNECT`), and of orientations too (`mjEQ_WELD`).
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
    pub(in crate::native) fn rows(&self) -> usize {
        if self.weld.is_some() { 6 } else { 3 }
    }
}

/// Point that a constraint holds at a point of another body.
#[derive(Debug, Clone)]
pub(in crate::native) enum BodyAnchor {
    /// Point in the body's frame.
    Point([f64; 3]),
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

/// Columns of the equality constraints in `mjModel`, as far as all types have them.
struct EqualityColumns {
    eq_type: Vec<i64>,
    obj1id: Vec<i64>,
    obj2id: Vec<i64>,
    objtype: Vec<i64>,
    /// Numbers of each constraint (`eq_data`), `width` per constraint.
    eq_data: Vec<f64>,
    width: usize,
}

/// Reads the equality constraints on the lengths of fixed tendons, on the positions of joints and on pairs of bodies.
pub(in crate::native) fn read_equalities(
    reader: &Reader<'_>,
    parts: &ReadParts<'_>,
    timestep: f64,
    width: usize,
) -> Result<Vec<Equality>, Unsupported> {
    let count = reader.size("neq")?;
    let [eq_type, obj1id, obj2id, objtype] =
        all(["eq_type", "eq_obj1id", "eq_obj2id", "eq_objtype"].map(|name| reader.integers(name, count)))?;
    let is_active = reader.bytes("eq_active0", count)?;
    let [solref, solimp, eq_data] =
        all([("eq_solref", 2), ("eq_solimp", 5), ("eq_data", width)].map(|(name, width)| reader.floats(name, width * count)))?;
    let columns = EqualityColumns { eq_type, obj1id, obj2id, objtype, eq_data, width };
    let equality = |number: usize| {
        let sol = SolParams::new(&solref[2 * number..][..2], &solimp[5 * number..][..5], timestep)?;
        match columns.eq_type[number] {
            MJEQ_CONNECT | MJEQ_WELD => body_equality(reader, &columns, parts, (number, sol)),
            _ => length_equality(reader, &columns, parts, (number, sol)),
        }
    };
    (0..count).filter(|number| is_active[*number] != 0).map(equality).collect()
}

/// Reads the constraint with the index `number` on a fixed tendon's length or on a joint's position.
fn length_equality(
    reader: &Reader<'_>,
    columns: &EqualityColumns,
    parts: &ReadParts<'_>,
    (number, sol): (usize, SolParams),
) -> Result<Equality, Unsupported> {
    let ReadParts { tendons, joints, dofs, .. } = parts;
    let [invweight0, length0s] = all(["tendon_invweight0", "tendon_length0"].map(|name| reader.floats(name, tendons.len())))?;
    let dof_invweight0 = reader.floats("dof_invweight0", dofs.len())?;
    let own = &columns.eq_data[columns.width * number..][..columns.width];
    let (first, second) = (columns.obj1id[number] as usize, usize::try_from(columns.obj2id[number]).ok());
    let (parts, second_joint, length0, diag_approx) = match (columns.eq_type[number], tendons.get(first), second) {
        (MJEQ_TENDON, Some(Tendon { path: TendonPath::Fixed(parts), .. }), None) => {
            (parts.clone(), None, length0s[first], invweight0[first])
        }
        (MJEQ_JOINT, ..) => {
            let joint = &joints[first];
            let mut weight = dof_invweight0[joint.dofadr];
            let second_joint = second.map(|second| {
                let Joint { qposadr, dofadr, qpos0, .. } = joints[second];
                weight += dof_invweight0[dofadr];
                SecondJoint { qposadr, dofadr, qpos0, polycoef: [own[1], own[2], own[3], own[4]] }
            });
            (vec![(joint.qposadr, joint.dofadr, 1.0)], second_joint, joint.qpos0, weight)
        }
        _ => return Err("equality constraints of a type other than joint, fixed tendon, connect or weld".to_owned()),
    };
    let moved = parts.iter().map(|(_, dof, _)| *dof).chain(second_joint.iter().map(|second_joint| second_joint.dofadr));
    let trees = moved.fold(0, |trees, dof| trees | 1 << dofs[dof].tree);
    let equality = LengthEquality { parts, second_joint, length0, offset: own[0], diag_approx, sol, trees };
    Ok(Equality::Length(equality))
}

fn body_equality(
    reader: &Reader<'_>,
    columns: &EqualityColumns,
    parts: &ReadParts<'_>,
    (number, sol): (usize, SolParams),
) -> Result<Equality, Unsupported> {
    let ReadParts { dofs, bodies: all, sites, .. } = parts;
    let own = &columns.eq_data[columns.width * number..][..columns.width];
    let is_weld = columns.eq_type[number] == MJEQ_WELD;
    let objects = [columns.obj1id[number], columns.obj2id[number]].map(|object| object.max(0) as usize);
    let (bodies, anchors) = match columns.objtype[number] {
        MJOBJ_BODY => {
            let points = [triple(own, 0), triple(own, 1)];
            let [first, second] = if is_weld { [points[1], points[0]] } else { points };
            (objects, [first, second].map(BodyAnchor::Point))
        }
        MJOBJ_SITE => {
            let [first, second] = objects.map(|site| &sites[site]);
            ([first.body, second.body], [first.frame, second.frame].map(BodyAnchor::Site))
        }
        _ => return Err("equality constraints of objects other than bodies or sites".to_owned()),
    };
    let chains = bodies.map(|body| std::iter::successors(all[body].last_dof, |dof| dofs[*dof].parent).collect::<Vec<_>>());
    let moves = |dof: usize| [chains[0].contains(&dof), chains[1].contains(&dof)];
    let columns: Vec<_> = (0..dofs.len()).map(|dof| (dof, moves(dof))).filter(|(_, moves)| moves.contains(&true)).collect();
    // The chains also end in the same degree of freedom, or are empty, if both bodies are welded to one body.
    if chains[0] == chains[1] {
        return Err("equality constraints of two bodies without a joint between them".to_owned());
    }
    let invweight0 = reader.floats("body_invweight0", 2 * all.len())?;
    let weld = is_weld.then(|| WeldPose { relpose: [own[6], own[7], own[8], own[9]], torquescale: own[10] });
    Ok(Equality::Bodies(Box::new(BodyEquality {
        bodies,
        anchors,
        weld,
        roots: bodies.map(|body| all[body].root),
        diag_approx: [0, 1].map(|part| invweight0[2 * bodies[0] + part] + invweight0[2 * bodies[1] + part]),
        sol,
        trees: columns.iter().fold(0, |trees, (dof, _)| trees | 1 << dofs[*dof].tree),
        columns,
    })))
}
