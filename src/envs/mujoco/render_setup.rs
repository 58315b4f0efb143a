//! Render configuration of an environment: render options, cameras, and observations that are pictures.

use std::cell::Cell;

use crate::errors::{library_error, to_error};
use envpool_rs_engine::{AssetCache, Dtype, Error, Frame, MAX_SIDE, OptionSpec, Options, RenderParams, Result, Space, Value};
use envpool_rs_sim_mujoco::{
    Data, Model, ObjectKind,
    render::{Camera, FreeCamera, RenderOptions, RenderTarget, Renderer},
};

/// Default side lengths of pictures in pixels: first for display to people, second for observations.
const SIDES: [u32; 2] = [480, 84];
const TRACK: &str = "track";
/// Maximum number of geoms in a picture.
const MAX_GEOMS: i64 = 1_000_000;
/// Maximum number of samples per pixel (multisampling).
const MAX_SAMPLES: i64 = 16;
/// Maximum side length of the shadow map, in pixels.
const MAX_SHADOW: i64 = 16384;
/// Approximate size of a rendering context's memory per thread, in bytes.
const CONTEXT_BYTES: usize = 16 << 20;
/// Size of the default shadow map of gymnasium's models, in bytes.
const SHADOW_BYTES: usize = 64 << 20;
/// Maximum length of the option that lists MuJoCo's visualization flags (`mjtVisFlag`).
const MAX_FLAGS: i64 = 255;

/// Default camera of an environment.
#[derive(Debug, Clone, Copy)]
pub enum CameraPreset {
    /// gymnasium's free camera for robots. The camera looks at the median position of all geoms in the first picture, from a
    /// distance equal to the model's extent. The fields of the [`FreeCamera`] override these defaults.
    Robot(FreeCamera),
    /// dm_control's camera: the model's default free camera, without rangefinder rays, and with depth pictures in metres.
    Model,
}

/// Returns gymnasium's camera for a robot: distance, height of the point that it looks at, and elevation.
pub const fn robot_camera(distance: Option<f64>, height: Option<f64>, elevation: Option<f64>) -> CameraPreset {
    let lookat = match height {
        Some(height) => Some([0.0, 0.0, height]),
        None => None,
    };
    CameraPreset::Robot(FreeCamera { lookat, distance, elevation, ..FreeCamera::DEFAULT })
}

pub(crate) struct RenderSetup {
    pub(crate) is_observed: bool,
    pub(crate) width: u32,
    pub(crate) height: u32,
    frames: usize,
    /// Camera id that the options select; `None` if they select no camera by id.
    id: Option<i64>,
    name: Option<String>,
    tracks: bool,
    free: FreeCamera,
    options: RenderOptions,
    renderer: Option<ModelRenderer>,
}

/// Renderer of a model, and the selected camera.
struct ModelRenderer {
    renderer: Renderer,
    cameras: usize,
    camera: Camera,
    /// Default camera, which the camera id -1 selects.
    default: Camera,
}

/// Names of the render options in EnvPool's configurations, in EnvPool's order.
pub const ENVPOOL_ORDER: [&str; 3] = ["render_width", "render_height", "render_camera_id"];

impl RenderSetup {
    pub(crate) fn options(preset: CameraPreset) -> Vec<OptionSpec> {
        let render_option = |spec: OptionSpec| OptionSpec { is_path: true, ..spec };
        let flag = |name, doc| render_option(OptionSpec::new(name, true, doc));
        let number = |name, doc| render_option(OptionSpec::optional(name, 0.0, doc));
        let side = |name, doc| OptionSpec::new(name, 0, doc).integers(0..=i64::from(MAX_SIDE));
        let mut options = vec![
            OptionSpec::new(
                "from_pixels",
                false,
                "whether observations are pictures: uint8 (3 * frame_stack, render_height, render_width), the newest last",
            ),
            side("render_width", "width of pictures in pixels; 0: 84 with from_pixels, else 480")
                .with_alias("gymnasium", "width"),
            side("render_height", "height of pictures in pixels; 0: 84 with from_pixels, else 480")
                .with_alias("gymnasium", "height"),
            render_option(
                OptionSpec::optional("render_camera_id", 0, "one of the model's cameras; -1 or None: the default")
                    .integers(-1..=i64::from(i32::MAX))
                    .with_alias("gymnasium", "camera_id"),
            ),
            render_option(OptionSpec::optional("camera_name", "", "name of one of the model's cameras")),
        ];
        if let CameraPreset::Robot(_) = preset {
            options.extend([
                render_option(OptionSpec::new(
                    "default_camera",
                    "free",
                    "default camera: \"free\" is fixed, \"track\" is the model's camera of that name, if it has one",
                ))
                .one_of(&["free", TRACK]),
                flag(
                    "gymnasium_v5_render_camera",
                    "whether a free camera has gymnasium's position for the robot; False: a distance by the model's extent",
                ),
            ]);
        }
        options.extend([
            render_option(OptionSpec::optional(
                "camera_lookat",
                Vec::<f64>::new(),
                "the point that a free camera looks at, in metres",
            )),
            number("camera_distance", "distance of a free camera from that point in metres"),
            number("camera_azimuth", "direction of a free camera in degrees"),
            number("camera_elevation", "elevation of a free camera in degrees"),
            render_option(OptionSpec::optional("camera_orthographic", false, "whether a free camera is orthographic")),
            render_option(OptionSpec::new("max_geom", 1000, "maximum number of drawn shapes").integers(1..=MAX_GEOMS)),
            render_option(OptionSpec::optional(
                "visual_options",
                Vec::<i64>::new(),
                "numbers of MuJoCo's mjtVisFlag, each followed by 1 or 0",
            )),
            flag("render_shadows", "whether shadows are drawn"),
            render_option(
                OptionSpec::optional("render_shadow_size", 0, "width of the shadow map in pixels; None: the model's")
                    .integers(1..=MAX_SHADOW),
            ),
            flag("render_reflections", "whether reflections are drawn"),
            flag("render_skybox", "whether the model's sky is drawn"),
            flag("render_haze", "whether haze is drawn at the horizon"),
            flag("render_textures", "whether textures are drawn"),
            render_option(
                OptionSpec::optional("render_multisamples", 0, "samples per pixel; None: the model's number; 0: no antialiasing")
                    .integers(0..=MAX_SAMPLES),
            ),
        ]);
        options
    }

    /// Creates a render configuration from the values of the render options.
    pub(crate) fn new(options: &Options, preset: CameraPreset) -> Result<Self> {
        let is_observed = options.bool("from_pixels");
        let side = |name| match options.int(name) {
            0 => SIDES[usize::from(is_observed)],
            side => side as u32,
        };
        let float = |name| match options.get(name) {
            Value::Float(value) => Some(*value),
            _ => None,
        };
        let int = |name| match options.find(name) {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        };
        let lookat = match options.get("camera_lookat") {
            Value::Floats(point) => Some(
                <[f64; 3]>::try_from(&point[..])
                    .map_err(|_| Error::value("camera_lookat", options.get("camera_lookat"), "three numbers, in metres"))?,
            ),
            _ => None,
        };
        let (base, tracks) = match preset {
            CameraPreset::Model => (FreeCamera { uses_model_default: true, ..FreeCamera::DEFAULT }, false),
            CameraPreset::Robot(place) => {
                let base = if options.bool("gymnasium_v5_render_camera") { place } else { FreeCamera::DEFAULT };
                (base, options.text("default_camera") == Some(TRACK))
            }
        };
        let orthographic = match options.get("camera_orthographic") {
            Value::Bool(value) => Some(*value),
            _ => None,
        };
        let free = FreeCamera {
            lookat: lookat.or(base.lookat),
            distance: float("camera_distance").or(base.distance),
            azimuth: float("camera_azimuth").or(base.azimuth),
            elevation: float("camera_elevation").or(base.elevation),
            orthographic: orthographic.or(base.orthographic),
            uses_model_default: base.uses_model_default,
        };
        let (id, name) = (int("render_camera_id"), options.text("camera_name").map(str::to_owned));
        if let (Some(id), Some(name)) = (id, &name) {
            return Err(Error::Value(format!("render_camera_id={id} and camera_name={name:?}: expected one of them")));
        }
        Ok(Self {
            is_observed,
            width: side("render_width"),
            height: side("render_height"),
            frames: int("frame_stack").map_or(1, |frames| frames as usize),
            id,
            name,
            tracks,
            free,
            options: render_options(options, preset, int("render_multisamples"), int("render_shadow_size"))?,
            renderer: None,
        })
    }

    /// Finds the selected camera in `model`, and gets the renderer that the pool shares for this model.
    pub(crate) fn load(&mut self, model: &Model, store: &AssetCache) -> Result<()> {
        let track = model.id(ObjectKind::Camera, TRACK).filter(|_| self.tracks);
        let far = FreeCamera { distance: self.free.distance.or(Some(model.extent())), ..self.free };
        let free = Camera::Free(if self.free.uses_model_default { self.free } else { far });
        let (default, cameras) = (track.map_or(free, Camera::Fixed), model.cameras());
        let camera = match (&self.name, self.id) {
            (Some(name), _) => Camera::Fixed(model.id(ObjectKind::Camera, name).ok_or_else(|| {
                Error::value(
                    "camera_name",
                    format_args!("{name:?}"),
                    format_args!("the name of one of the model's {cameras} cameras"),
                )
            })?),
            (None, Some(id @ 0..)) => {
                let missing = || Error::value("render_camera_id", id, allowed(cameras));
                Camera::Fixed(usize::try_from(id).ok().filter(|id| *id < cameras).ok_or_else(missing)?)
            }
            _ => default,
        };
        // The model lives as long as the pool, so its address identifies the renderer of this model.
        let name = format!("pictures of {:x} as {:?}", model.address(), self.options);
        let renderer = (*store.get_or_load(&name, || Ok((Renderer::new(model, self.options.clone()), 0)))?).clone();
        self.renderer = Some(ModelRenderer { renderer, cameras, camera, default });
        Ok(())
    }

    fn model_renderer(&self) -> Result<&ModelRenderer> {
        self.renderer.as_ref().ok_or_else(library_error)
    }

    /// Renders the picture that `view` requests. `lookat` is set by the lane's first picture.
    pub(crate) fn picture(&self, data: &Data, lookat: &Cell<Option<[f64; 3]>>, view: &RenderParams) -> Result<Frame> {
        let model_renderer = self.model_renderer()?;
        let camera = match view.camera {
            None => model_renderer.camera,
            Some(-1) => model_renderer.default,
            Some(id) => {
                let missing = || Error::Index(format!("camera_id={id}: expected {}", allowed(model_renderer.cameras)));
                Camera::Fixed(usize::try_from(id).ok().filter(|id| *id < model_renderer.cameras).ok_or_else(missing)?)
            }
        };
        let pixels = view.width as usize * view.height as usize;
        let (mut rgb, mut depth) = (vec![0; 3 * pixels], vec![0.0; if view.depth { pixels } else { 0 }]);
        let mut frame = RenderTarget::new(view.width, view.height, &mut rgb, view.depth.then_some(&mut depth[..]));
        model_renderer.renderer.draw(data, &with_fixed_lookat(camera, data, lookat), &mut frame).map_err(to_error)?;
        let picture = Frame::new(view.width, view.height, rgb);
        Ok(if view.depth { picture.with_depth(depth) } else { picture })
    }

    /// Returns the size of one observed frame, in bytes.
    fn frame_len(&self) -> usize {
        3 * self.width as usize * self.height as usize
    }

    /// Returns the size in bytes of a lane's stacked observation frames; 0 if observations are not pictures.
    pub(crate) fn observed_len(&self) -> usize {
        if self.is_observed { self.frames * self.frame_len() } else { 0 }
    }

    /// Returns the observation space of an environment whose observations are pictures.
    pub(crate) fn space(&self) -> Space {
        Space::uniform(0.0, 255.0, &[3 * self.frames, self.height as usize, self.width as usize], Dtype::U8)
    }

    /// Returns the memory that rendering takes in each thread that steps environments, in bytes.
    pub(crate) fn thread_bytes(&self) -> usize {
        match (self.is_observed, self.options.shadows) {
            (false, _) => 0,
            (true, false) => CONTEXT_BYTES,
            (true, true) => CONTEXT_BYTES + SHADOW_BYTES,
        }
    }

    /// Checks that pictures can be rendered.
    pub(crate) fn check(&self) -> Result<()> {
        self.model_renderer()?.renderer.check().map_err(|fault| Error::State(format!("from_pixels=True: {fault}")))
    }

    /// Renders the newest of the stacked observation frames. At the start of an episode, it fills the whole stack.
    pub(crate) fn take(&self, data: &Data, lookat: &Cell<Option<[f64; 3]>>, pixels: &mut [u8], is_first: bool) -> Result<()> {
        let picture =
            self.picture(data, lookat, &RenderParams { width: self.width, height: self.height, camera: None, depth: false })?;
        let frame = self.frame_len();
        let newest = pixels.len() - frame;
        if !is_first {
            pixels.copy_within(frame.., 0);
        }
        let (red, others) = pixels[newest..].split_at_mut(frame / 3);
        let (green, blue) = others.split_at_mut(frame / 3);
        let planes = red.iter_mut().zip(green).zip(blue);
        for (((red, green), blue), colours) in planes.zip(picture.pixels().as_chunks::<3>().0) {
            [*red, *green, *blue] = *colours;
        }
        if is_first {
            (0..newest).step_by(frame).for_each(|start| pixels.copy_within(newest.., start));
        }
        Ok(())
    }
}

/// Returns a description of the valid camera ids of a model with `cameras` cameras, for error messages.
fn allowed(cameras: usize) -> String {
    match cameras {
        0 => "-1 (the model has no cameras)".to_owned(),
        1 => "-1 or 0 (the model has one camera)".to_owned(),
        _ => format!("-1 to {} (the model has {cameras} cameras)", cameras - 1),
    }
}

fn render_options(
    options: &Options,
    preset: CameraPreset,
    multisamples: Option<i64>,
    shadow_size: Option<i64>,
) -> Result<RenderOptions> {
    let visual_flags = match options.get("visual_options") {
        Value::Ints(numbers) => {
            let pairs = numbers.as_chunks::<2>();
            let flags: Option<Vec<_>> = pairs
                .0
                .iter()
                .map(|[flag, value]| match (flag, value) {
                    (0..=MAX_FLAGS, 0 | 1) => Some((*flag as u8, *value == 1)),
                    _ => None,
                })
                .collect();
            flags.filter(|_| pairs.1.is_empty()).ok_or_else(|| {
                let expected = format!("numbers of mjtVisFlag, 0 to {MAX_FLAGS}, each with True (1) or False (0)");
                Error::value("visual_options", options.get("visual_options"), expected)
            })?
        }
        _ => Vec::new(),
    };
    Ok(RenderOptions {
        shadows: options.bool("render_shadows"),
        reflections: options.bool("render_reflections"),
        skybox: options.bool("render_skybox"),
        haze: options.bool("render_haze"),
        textures: options.bool("render_textures"),
        rangefinders: !matches!(preset, CameraPreset::Model),
        depth_in_metres: matches!(preset, CameraPreset::Model),
        shadow_size: shadow_size.map(|side| side as u32),
        multisamples: multisamples.map(|samples| samples as u8),
        max_geoms: options.int("max_geom") as u32,
        visual_flags,
    })
}

/// Returns the camera with `lookat` set to the median position of all geoms in the lane's first picture.
fn with_fixed_lookat(camera: Camera, data: &Data, lookat: &Cell<Option<[f64; 3]>>) -> Camera {
    match camera {
        Camera::Free(free) if free.lookat.is_none() && !free.uses_model_default => {
            let point = lookat.get().unwrap_or_else(|| median(data.geom_xpos()));
            lookat.set(Some(point));
            Camera::Free(FreeCamera { lookat: Some(point), ..free })
        }
        camera => camera,
    }
}

/// Computes the median of points along each axis, as `np.median` does.
fn median(points: &[f64]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let mut values: Vec<_> = points.iter().skip(axis).step_by(3).copied().collect();
        values.sort_by(f64::total_cmp);
        match (values.len() / 2, values.len() % 2) {
            (0, 0) => 0.0,
            (half, 0) => (values[half - 1] + values[half]) / 2.0,
            (half, _) => values[half],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_middle_is_the_median_of_each_axis() {
        assert_eq!(median(&[1.0, 5.0, 0.0, 3.0, 4.0, 0.0, 2.0, 9.0, 0.5]), [2.0, 5.0, 0.0]);
        assert_eq!(median(&[1.0, 5.0, 0.0, 3.0, 4.0, 1.0]), [2.0, 4.5, 0.5]);
        assert_eq!(median(&[]), [0.0; 3]);
    }
}
