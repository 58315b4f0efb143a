//! Rendering options and cameras.

/// Options for the contents and quality of pictures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenderOptions {
    /// Whether to draw shadows. Without them there is no shadow map either, which is most of a picture's cost.
    pub shadows: bool,
    /// Side length of the shadow map in pixels; `None` for the model's own value.
    pub shadow_size: Option<u32>,
    /// Whether to draw reflections.
    pub reflections: bool,
    /// Whether to draw the skybox, if the model has one.
    pub skybox: bool,
    /// Whether to draw haze at the horizon.
    pub haze: bool,
    /// Whether to draw textures.
    pub textures: bool,
    /// Whether to draw the rays of rangefinder sensors.
    pub rangefinders: bool,
    /// Whether depth is in metres; otherwise it is OpenGL's depth, 0 at the near plane and 1 at the far plane.
    pub depth_in_metres: bool,
    /// Samples per pixel; `None` for the model's own value.
    pub multisamples: Option<u8>,
    /// Maximum number of geoms in the scene.
    pub max_geoms: u32,
    /// Values of MuJoCo's rendering flags (`mjtVisFlag`), by number.
    pub visual_flags: Vec<(u8, bool)>,
}

impl Default for RenderOptions {
    /// Returns MuJoCo's default rendering options.
    fn default() -> Self {
        Self {
            shadows: true,
            shadow_size: None,
            reflections: true,
            skybox: true,
            haze: true,
            textures: true,
            rangefinders: true,
            depth_in_metres: false,
            multisamples: None,
            max_geoms: 1000,
            visual_flags: Vec::new(),
        }
    }
}

/// Camera from which a picture is rendered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Camera {
    /// Camera of the model, by id.
    Fixed(usize),
    /// Camera at any pose.
    Free(FreeCamera),
}

/// Free camera (`mjCAMERA_FREE`). `None` stands for the default of MuJoCo's `mjv_defaultCamera`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FreeCamera {
    /// Point that the camera looks at; `None` for the model's centre.
    pub lookat: Option<[f64; 3]>,
    /// Distance of the camera from `lookat`, in metres.
    pub distance: Option<f64>,
    /// Azimuth of the camera, in degrees.
    pub azimuth: Option<f64>,
    /// Elevation of the camera, in degrees.
    pub elevation: Option<f64>,
    /// Whether the camera's projection is orthographic instead of perspective.
    pub orthographic: Option<bool>,
    /// Whether `None` stands for the model's default (`mjv_defaultFreeCamera`) instead.
    pub uses_model_default: bool,
}

/// Buffers of a picture: RGB and optional depth of each pixel, row by row from the top.
#[derive(Debug)]
pub struct RenderTarget<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgb: &'a mut [u8],
    pub(super) depth: Option<&'a mut [f32]>,
}

impl<'a> RenderTarget<'a> {
    /// Creates a render target of this size.
    ///
    /// # Panics
    /// If a buffer has another length.
    pub fn new(width: u32, height: u32, rgb: &'a mut [u8], depth: Option<&'a mut [f32]>) -> Self {
        let pixels = width as usize * height as usize;
        assert!(rgb.len() == 3 * pixels, "a picture of {width} x {height} pixels");
        assert!(depth.as_ref().is_none_or(|depth| depth.len() == pixels), "a picture of {width} x {height} pixels");
        Self { width, height, rgb, depth }
    }
}
