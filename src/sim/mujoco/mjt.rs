//! Values of MuJoCo's enumerators (`mjt` types of `mjmodel.h` and `mjdata.h`).

/// Declares the enumerators of each type.
macro_rules! mjt {
    ($($type:ident: $($name:ident = $value:expr),*;)*) => {
        $($(#[doc = concat!("`", stringify!($type), "`")] pub(crate) const $name: i64 = $value;)*)*
    };
}

mjt! {
    mjtBias: MJBIAS_NONE = 0, MJBIAS_AFFINE = 1, MJBIAS_MUSCLE = 2;
    mjtDisableBit: MJDSBL_CONSTRAINT = 1, MJDSBL_EQUALITY = 1 << 1, MJDSBL_FRICTIONLOSS = 1 << 2, MJDSBL_LIMIT = 1 << 3,
        MJDSBL_CONTACT = 1 << 4, MJDSBL_GRAVITY = 1 << 7, MJDSBL_EULERDAMP = 1 << 15;
    mjtDyn: MJDYN_NONE = 0, MJDYN_INTEGRATOR = 1, MJDYN_FILTER = 2, MJDYN_FILTEREXACT = 3, MJDYN_MUSCLE = 4;
    mjtEq: MJEQ_CONNECT = 0, MJEQ_WELD = 1, MJEQ_JOINT = 2, MJEQ_TENDON = 3;
    mjtGain: MJGAIN_FIXED = 0, MJGAIN_AFFINE = 1, MJGAIN_MUSCLE = 2;
    mjtGeom: MJGEOM_SPHERE = 2, MJGEOM_BOX = 6;
    mjtIntegrator: MJINT_RK4 = 1;
    mjtJacobian: MJJAC_SPARSE = 1, MJJAC_AUTO = 2;
    mjtObj: MJOBJ_BODY = 1, MJOBJ_GEOM = 5, MJOBJ_SITE = 6, MJOBJ_CAMERA = 7;
    mjtSensor: MJSENS_TOUCH = 0, MJSENS_ACTUATORVEL = 14, MJSENS_SUBTREELINVEL = 36;
    mjtStage: MJSTAGE_ACC = 3;
    mjtTrn: MJTRN_JOINT = 0, MJTRN_JOINTINPARENT = 1, MJTRN_SLIDERCRANK = 2, MJTRN_TENDON = 3, MJTRN_SITE = 4;
    mjtWrap: MJWRAP_JOINT = 1, MJWRAP_PULLEY = 2, MJWRAP_SPHERE = 4, MJWRAP_CYLINDER = 5;
}
