//! MuJoCo's rendering functions, and the field offsets of the structs that they use.

use std::ffi::{c_int, c_void};

use crate::dynamic_library::{FunctionTable, Signature, functions};
use crate::faults::Fault;
use crate::fields::{RawData, RawModel};
use crate::layout::{Field, Kind, Layout};
use crate::library::Library;
use envpool_rs_sync::ForkOnce;

/// Rectangle in pixels (`mjrRect`).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Rect {
    pub left: c_int,
    pub bottom: c_int,
    pub width: c_int,
    pub height: c_int,
}

/// Opaque type of MuJoCo's struct `mjvCamera`. [`Visuals`] has the offsets of some of its fields.
type RawCamera = c_void;
/// Opaque type of MuJoCo's struct `mjvOption`. [`Visuals`] has the offsets of some of its fields.
type RawOption = c_void;
/// Opaque type of MuJoCo's struct `mjvPerturb`. [`Visuals`] has its size.
type RawPerturb = c_void;
/// Opaque type of MuJoCo's struct `mjvScene`. [`Visuals`] has the offsets of some of its fields.
type RawScene = c_void;
/// Opaque type of MuJoCo's struct `mjrContext`. [`Visuals`] has the offsets of some of its fields.
type RawContext = c_void;

functions! {
    /// Table of MuJoCo's rendering functions. Except for the functions that set defaults, all may unwind with an error.
    Drawing: "C-unwind";
    mjv_defaultCamera(*mut RawCamera);
    mjv_defaultFreeCamera(*const RawModel, *mut RawCamera);
    mjv_defaultOption(*mut RawOption);
    mjv_defaultPerturb(*mut RawPerturb);
    mjv_defaultScene(*mut RawScene);
    mjv_makeScene(*const RawModel, *mut RawScene, c_int);
    mjv_freeScene(*mut RawScene);
    mjv_updateScene(*const RawModel, *mut RawData, *const RawOption, *const RawPerturb, *mut RawCamera, c_int, *mut RawScene);
    mjr_defaultContext(*mut RawContext);
    mjr_makeContext(*const RawModel, *mut RawContext, c_int);
    mjr_freeContext(*mut RawContext);
    mjr_setBuffer(c_int, *mut RawContext);
    mjr_resizeOffscreen(c_int, c_int, *mut RawContext);
    mjr_render(Rect, *mut RawScene, *const RawContext);
    mjr_readPixels(*mut u8, *mut f32, Rect, *const RawContext);
    mjr_uploadHField(*const RawModel, *const RawContext, c_int);
}

/// Returns the signatures of MuJoCo's rendering functions, with their types as text.
pub(crate) fn signatures() -> &'static [Signature] {
    Drawing::SIGNATURES
}

macro_rules! visuals {
    (
        sizes { $($size:ident: $struct:literal),* }
        fields { $($field:ident: $path:literal, $kind:ident),* }
        numbers { $($number:ident: $name:literal),* }
    ) => {
        /// MuJoCo's rendering functions and the layouts of their structs, for the library's version.
        #[derive(Debug)]
        pub(super) struct Visuals {
            pub functions: Drawing,
            $(pub $size: usize,)*
            $(pub $field: Field,)*
            $(pub $number: c_int,)*
        }

        impl Visuals {
            fn find(library: &libloading::Library, layout: &Layout) -> Result<Self, Fault> {
                Ok(Self {
                    functions: Drawing::find(library)?,
                    $($size: layout.number(concat!("sizeof.", $struct))? as usize,)*
                    $($field: layout.field($path, &[Kind::$kind])?,)*
                    $($number: layout.number($name)?,)*
                })
            }
        }
    };
}

visuals! {
    sizes {
        scene_size: "mjvScene", camera_size: "mjvCamera", option_size: "mjvOption", perturb_size: "mjvPerturb", context_size: "mjrContext"
    }
    fields {
        scene_flags: "mjvScene.flags", Byte,
        option_flags: "mjvOption.flags", Byte,
        camera_type: "mjvCamera.type", Int32,
        camera_id: "mjvCamera.fixedcamid", Int32,
        camera_lookat: "mjvCamera.lookat", Float64,
        camera_distance: "mjvCamera.distance", Float64,
        camera_azimuth: "mjvCamera.azimuth", Float64,
        camera_elevation: "mjvCamera.elevation", Float64,
        camera_orthographic: "mjvCamera.orthographic", Int32,
        context_buffer: "mjrContext.currentBuffer", Int32,
        context_width: "mjrContext.offWidth", Int32,
        context_height: "mjrContext.offHeight", Int32,
        model_width: "mjModel.vis.global.offwidth", Int32,
        model_height: "mjModel.vis.global.offheight", Int32,
        model_samples: "mjModel.vis.quality.offsamples", Int32,
        model_shadow_size: "mjModel.vis.quality.shadowsize", Int32,
        model_near: "mjModel.vis.map.znear", Float32,
        model_far: "mjModel.vis.map.zfar", Float32
    }
    numbers {
        free: "mjtCamera.mjCAMERA_FREE",
        fixed: "mjtCamera.mjCAMERA_FIXED",
        all: "mjtCatBit.mjCAT_ALL",
        offscreen: "mjtFramebuffer.mjFB_OFFSCREEN",
        font_scale: "mjtFontScale.mjFONTSCALE_150",
        shadow: "mjtRndFlag.mjRND_SHADOW",
        reflection: "mjtRndFlag.mjRND_REFLECTION",
        skybox: "mjtRndFlag.mjRND_SKYBOX",
        haze: "mjtRndFlag.mjRND_HAZE",
        texture: "mjtVisFlag.mjVIS_TEXTURE",
        rangefinder: "mjtVisFlag.mjVIS_RANGEFINDER"
    }
}

/// Rendering functions and struct layouts of the process-wide MuJoCo library.
static VISUALS: ForkOnce<Result<Visuals, Fault>> = ForkOnce::new();

impl Visuals {
    /// Returns the rendering functions and struct layouts of `library`.
    pub(super) fn of(library: &'static Library) -> Result<&'static Self, Fault> {
        let visuals = VISUALS.get_or_init(|| Self::find(library.symbols(), library.layout()).and_then(Self::checked));
        visuals.as_ref().map_err(Clone::clone)
    }

    /// Checks the structs' sizes: functions of MuJoCo that clear a struct write its last byte, and no byte after it.
    fn checked(self) -> Result<Self, Fault> {
        let functions = &self.functions;
        let cleared: [(&str, usize, unsafe extern "C-unwind" fn(*mut c_void)); 2] = [
            ("mjvScene", self.scene_size, functions.mjv_defaultScene),
            ("mjrContext", self.context_size, functions.mjr_defaultContext),
        ];
        for (name, size, clear) in cleared {
            let mut block = Block::new(2 * size + SLACK);
            block.bytes().fill(UNTOUCHED);
            // SAFETY: the block has `SLACK` bytes more than the struct, even if the layout table is wrong by some fields.
            unsafe { clear(block.raw()) };
            // Padding at the end of a struct may stay unwritten.
            let end = block.bytes().iter().rposition(|byte| *byte != UNTOUCHED).map_or(0, |last| last + 1);
            if end > size || end + 8 <= size {
                return Err(Fault::Library(format!("{name} of this version of MuJoCo has {end} bytes, not {size}")));
            }
        }
        Ok(self)
    }
}

/// Byte that fills a block before MuJoCo clears a struct in it.
const UNTOUCHED: u8 = 0xA5;
/// Number of bytes by which a block is larger than its struct while the struct's size is checked.
const SLACK: usize = 4096;

/// Memory that holds one of MuJoCo's structs.
#[derive(Debug)]
pub(super) struct Block(Vec<u64>);

impl Block {
    /// Allocates a zeroed block for a struct of `size` bytes.
    pub(super) fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(size_of::<u64>())])
    }

    pub(super) fn raw(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    fn bytes(&mut self) -> &mut [u8] {
        let bytes = self.0.len() * size_of::<u64>();
        // SAFETY: each word is eight initialized bytes, and `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), bytes) }
    }

    /// Returns the struct's field `field`, which is a 4-byte integer.
    pub(super) fn int(&mut self, field: Field) -> &mut c_int {
        self.within::<c_int>(field, 0)
    }

    /// Returns an element of the struct's field `field`, which holds 8-byte floats.
    pub(super) fn float(&mut self, field: Field, index: usize) -> &mut f64 {
        self.within::<f64>(field, index)
    }

    /// Returns an element of the struct's field `field`, which holds bytes.
    pub(super) fn byte(&mut self, field: Field, index: usize) -> &mut u8 {
        assert!(index < field.count, "byte {index} of {}", field.count);
        self.within::<u8>(field, index)
    }

    fn within<T>(&mut self, field: Field, index: usize) -> &mut T {
        let at = field.offset + index * size_of::<T>();
        assert!(at + size_of::<T>() <= self.bytes().len() && at.is_multiple_of(align_of::<T>()), "a field outside of its struct");
        // SAFETY: the element of the struct's field is within the block and aligned, as asserted above, and every bit
        // pattern is a valid number.
        unsafe { &mut *self.0.as_mut_ptr().cast::<u8>().add(at).cast::<T>() }
    }
}
