//! Rendering context of one thread at a time: GL context, `mjrContext`, scene, and a copy of a simulation.

use std::ffi::c_int;
use std::ptr::NonNull;

use crate::data::Data;
use crate::faults::{Fault, take_warning};
use crate::fields::{RawModel, at};
use crate::layout::Field;
use crate::model::Model;
use crate::model_overrides::HFIELD_DATA;
use crate::render::gl::{self, Context};
use crate::render::mjr_api::{Block, Rect, Visuals};
use crate::render::options::{Camera, RenderOptions, RenderTarget};

/// GL context with MuJoCo's `mjrContext`, an `mjvScene`, and a copy of a simulation.
#[derive(Debug)]
pub(super) struct RenderContext {
    pub(super) gl: Context,
    visuals: &'static Visuals,
    model: Model,
    /// Copy of the simulation that is rendered, so that rendering changes no simulation.
    copy: Data,
    option: Block,
    perturb: Block,
    camera: Block,
    scene: Block,
    context: Block,
    /// Copy of the height-field data that was last uploaded to GL.
    heights: Box<[f32]>,
    /// Distances of the near and far clipping planes in metres; `None` if depth is not requested in metres.
    metres: Option<[f64; 2]>,
    /// Whether `mjv_makeScene` created the scene, which must then be freed.
    has_scene: bool,
    /// Whether `mjr_makeContext` created MuJoCo's context, which must then be freed.
    has_context: bool,
    /// Whether a picture was drawn. With the first picture, the driver compiles the context's shaders.
    has_drawn: bool,
}

// SAFETY: MuJoCo's structs in the blocks point only to MuJoCo's own allocations, and only one thread at a time uses a
// context.
unsafe impl Send for RenderContext {}

impl RenderContext {
    /// Creates a rendering context for simulations of `model`, and for pictures up to `width` x `height`.
    pub(super) fn new(model: &Model, look: &RenderOptions, width: u32, height: u32) -> Result<Self, Fault> {
        let visuals = Visuals::of(model.library())?;
        let room = |size| Block::new(size + SLACK);
        let mut stage = Self {
            gl: gl::open()?.context()?,
            visuals,
            model: model.clone(),
            copy: Data::new(model)?,
            option: room(visuals.option_size),
            perturb: room(visuals.perturb_size),
            camera: room(visuals.camera_size),
            scene: room(visuals.scene_size),
            context: room(visuals.context_size),
            heights: model.array(HFIELD_DATA).into(),
            metres: look.depth_in_metres.then(|| {
                let ends = [visuals.model_near, visuals.model_far];
                // SAFETY: the layout table says that the fields (`vis.map.znear` and `zfar`) are 4-byte floats of the model,
                // which is alive.
                ends.map(|end| f64::from(unsafe { *at::<f32>(model.raw(), end) }) * model.extent())
            }),
            has_scene: false,
            has_context: false,
            has_drawn: false,
        };
        stage.make_scene(look, width, height)?;
        Ok(stage)
    }

    fn make_scene(&mut self, look: &RenderOptions, width: u32, height: u32) -> Result<(), Fault> {
        let Self { gl, visuals, model, option, perturb, scene, context, .. } = self;
        let functions = &visuals.functions;
        // SAFETY: `Visuals::checked` has verified that the blocks are at least as large as the structs that these functions
        // clear.
        unsafe {
            (functions.mjv_defaultOption)(option.raw());
            (functions.mjv_defaultPerturb)(perturb.raw());
            (functions.mjv_defaultScene)(scene.raw());
            (functions.mjr_defaultContext)(context.raw());
        }
        *option.byte(visuals.option_flags, visuals.texture as usize) &= u8::from(look.textures);
        *option.byte(visuals.option_flags, visuals.rangefinder as usize) &= u8::from(look.rangefinders);
        for (flag, value) in &look.visual_flags {
            if usize::from(*flag) < visuals.option_flags.count {
                *option.byte(visuals.option_flags, usize::from(*flag)) = u8::from(*value);
            }
        }
        let most = c_int::try_from(look.max_geoms).unwrap_or(c_int::MAX);
        // SAFETY: the model is alive, and `mjv_defaultScene` has initialized the scene.
        model.library().call(|_| unsafe { (functions.mjv_makeScene)(model.raw(), scene.raw(), most) })?;
        self.has_scene = true;
        for (flag, is_wanted) in [
            (visuals.shadow, look.shadows),
            (visuals.reflection, look.reflections),
            (visuals.skybox, look.skybox),
            (visuals.haze, look.haze),
        ] {
            *scene.byte(visuals.scene_flags, flag as usize) &= u8::from(is_wanted);
        }
        let _alone = gl::lock_contexts_exclusively();
        let _current = gl.enter()?;
        let drawn = SizedModel::of(model, visuals, look, width, height)?;
        // SAFETY: the model is alive, `mjr_defaultContext` has initialized the context, and GL is current in the calling thread.
        let made = model.library().call(|_| unsafe {
            (functions.mjr_makeContext)(drawn.raw.as_ptr(), context.raw(), visuals.font_scale);
            (functions.mjr_setBuffer)(visuals.offscreen, context.raw());
        });
        let warning = take_warning();
        made?;
        self.has_context = true;
        match *context.int(visuals.context_buffer) == visuals.offscreen {
            true => Ok(()),
            false => Err(Fault::Rendering(format!(
                "this GL has no offscreen framebuffer{}{warning}",
                if warning.is_empty() { "" } else { ": " }
            ))),
        }
    }

    /// Renders a simulation from a camera. The first row of the picture is the top row.
    /// Fails with `MujocoError` if MuJoCo fails; this rendering context must then not be used again.
    pub(super) fn draw(&mut self, data: &Data, camera: &Camera, frame: &mut RenderTarget<'_>) -> Result<(), Fault> {
        let Self { gl, visuals, copy, option, perturb, camera: camera_block, scene, context, heights, metres, has_drawn, .. } =
            self;
        let functions = &visuals.functions;
        let model = data.model();
        write_camera(visuals, camera_block, model, camera);
        gl::check_process()?;
        let is_alone = !*has_drawn || gl.draws_alone();
        let _alone = is_alone.then(gl::lock_contexts_exclusively);
        let _contexts = (!is_alone).then(gl::lock_contexts);
        let _current = gl.enter()?;
        let [width, height] = [frame.width, frame.height].map(|side| side as c_int);
        let rectangle = Rect { left: 0, bottom: 0, width, height };
        let [wide, high] = [*context.int(visuals.context_width), *context.int(visuals.context_height)];
        let ground = data.model_array(HFIELD_DATA);
        let is_other_ground = ground != &heights[..];
        let depth = frame.depth.as_deref_mut().map_or(std::ptr::null_mut(), <[f32]>::as_mut_ptr);
        // SAFETY: the models, simulations and structs are alive, and GL is current in the calling thread. The simulation's copy
        // has a model of the same sizes. `RenderTarget::new` asserts that the buffers have as many pixels as the rectangle.
        model.library().call(|simulating| unsafe {
            if width > wide || height > high {
                (functions.mjr_resizeOffscreen)(width.max(wide), height.max(high), context.raw());
                (functions.mjr_setBuffer)(visuals.offscreen, context.raw());
            }
            if is_other_ground {
                for number in 0..model.sizes().nhfield {
                    (functions.mjr_uploadHField)(data.raw_model(), context.raw(), number as c_int);
                }
            }
            (simulating.mj_copyData)(copy.raw().cast_mut(), data.raw_model(), data.raw());
            (functions.mjv_updateScene)(
                data.raw_model(),
                copy.raw().cast_mut(),
                option.raw(),
                perturb.raw(),
                camera_block.raw(),
                visuals.all,
                scene.raw(),
            );
            (functions.mjr_render)(rectangle, scene.raw(), context.raw());
            (functions.mjr_readPixels)(frame.rgb.as_mut_ptr(), depth, rectangle, context.raw());
        })?;
        *has_drawn = true;
        take_warning();
        if is_other_ground {
            heights.copy_from_slice(ground);
        }
        // GL stores the lowest row of a picture first, so the order of rows is reversed.
        flip_rows(frame.rgb, 3 * frame.width as usize);
        if let Some(depth) = frame.depth.as_deref_mut() {
            flip_rows(depth, frame.width as usize);
            if let Some([near, far]) = *metres {
                // Depth is computed in single precision, as numpy computes a float32 array with Python floats.
                let (nearest, rest) = (near as f32, (1.0 - near / far) as f32);
                depth.iter_mut().for_each(|distance| *distance = nearest / (1.0 - *distance * rest));
            }
        }
        Ok(())
    }
}

impl Drop for RenderContext {
    fn drop(&mut self) {
        let functions = &self.visuals.functions;
        let library = self.model.library();
        if self.has_scene {
            // SAFETY: `mjv_makeScene` created this context's scene, which `drop` frees once.
            _ = library.call(|_| unsafe { (functions.mjv_freeScene)(self.scene.raw()) });
        }
        // The GL context can be unusable because other code closed its display, or because this process is a forked child.
        // Its GL resources are then gone or belong to the parent process.
        if !self.has_context || gl::check_process().is_err() {
            return;
        }
        let _alone = gl::lock_contexts_exclusively();
        if let Ok(_current) = self.gl.enter() {
            // SAFETY: `mjr_makeContext` created MuJoCo's context, which `drop` frees once, and the GL context is current in
            // the calling thread.
            _ = library.call(|_| unsafe { (functions.mjr_freeContext)(self.context.raw()) });
        }
    }
}

/// Number of extra bytes that are allocated after one of MuJoCo's structs.
const SLACK: usize = 256;

/// Copy of a model with the rendering size and quality for which a rendering context is created.
struct SizedModel {
    raw: NonNull<RawModel>,
    model: Model,
}

impl Drop for SizedModel {
    fn drop(&mut self) {
        self.model.library().delete_model(self.raw);
    }
}

impl SizedModel {
    fn of(model: &Model, visuals: &Visuals, look: &RenderOptions, width: u32, height: u32) -> Result<Self, Fault> {
        // SAFETY: the model is alive, and `mj_copyModel` allocates the copy.
        let raw = model.library().call(|functions| unsafe { (functions.mj_copyModel)(std::ptr::null_mut(), model.raw()) })?;
        let raw = NonNull::new(raw).ok_or_else(|| Fault::MujocoError("no memory for a model".into()))?;
        let drawn = Self { raw, model: model.clone() };
        let set = |field: Field, change: &dyn Fn(c_int) -> c_int| {
            // SAFETY: the layout table says that the field is a 4-byte integer of `mjModel`, and no other reference to the
            // copied model exists.
            unsafe {
                let field_pointer = at::<c_int>(raw.as_ptr(), field).cast_mut();
                *field_pointer = change(*field_pointer);
            }
        };
        set(visuals.model_width, &|own| own.max(width as c_int));
        set(visuals.model_height, &|own| own.max(height as c_int));
        if let Some(samples) = look.multisamples {
            set(visuals.model_samples, &|_| c_int::from(samples));
        }
        if let Some(side) = if look.shadows { look.shadow_size } else { Some(0) } {
            set(visuals.model_shadow_size, &|_| side as c_int);
        }
        Ok(drawn)
    }
}

/// Writes a camera into MuJoCo's struct `mjvCamera`, which is in the block `camera_block`.
fn write_camera(visuals: &Visuals, camera_block: &mut Block, model: &Model, camera: &Camera) {
    let functions = &visuals.functions;
    // SAFETY: `Visuals::checked` has verified that the block is at least as large as the `mjvCamera` that the function clears.
    unsafe { (functions.mjv_defaultCamera)(camera_block.raw()) };
    match camera {
        Camera::Fixed(id) => {
            *camera_block.int(visuals.camera_type) = visuals.fixed;
            *camera_block.int(visuals.camera_id) = *id as c_int;
        }
        Camera::Free(free) => {
            if free.uses_model_default {
                // SAFETY: `Visuals::checked` has verified that the block is at least as large as the `mjvCamera` that the
                // function writes. The model is alive.
                unsafe { (functions.mjv_defaultFreeCamera)(model.raw(), camera_block.raw()) };
            }
            *camera_block.int(visuals.camera_type) = visuals.free;
            *camera_block.int(visuals.camera_id) = -1;
            for (field, value) in [
                (visuals.camera_distance, free.distance),
                (visuals.camera_azimuth, free.azimuth),
                (visuals.camera_elevation, free.elevation),
            ] {
                value.into_iter().for_each(|value| *camera_block.float(field, 0) = value);
            }
            for (index, value) in free.lookat.into_iter().flatten().enumerate() {
                *camera_block.float(visuals.camera_lookat, index) = value;
            }
            free.orthographic.into_iter().for_each(|is| *camera_block.int(visuals.camera_orthographic) = c_int::from(is));
        }
    }
}

/// Reverses the order of a picture's rows, each of which has `row` elements.
fn flip_rows<T: Copy>(pixels: &mut [T], row: usize) {
    let mut rest = pixels;
    while rest.len() >= 2 * row && row > 0 {
        let end = rest.len() - row;
        let (first, others) = rest.split_at_mut(row);
        let (middle, last) = others.split_at_mut(end - row);
        first.swap_with_slice(last);
        rest = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::flip_rows;

    #[test]
    fn even_and_odd_numbers_of_rows_are_flipped() {
        let turned = |mut pixels: Vec<u8>, row| {
            flip_rows(&mut pixels, row);
            pixels
        };
        assert_eq!(turned(vec![1, 2, 3, 4, 5, 6], 2), [5, 6, 3, 4, 1, 2]);
        assert_eq!(turned(vec![1, 2, 3, 4], 1), [4, 3, 2, 1]);
        assert_eq!((turned(vec![1, 2], 2), turned(vec![], 0)), (vec![1, 2], vec![]));
    }
}
