//! Options for rendering, and cameras.

/// Options for the contents and quality of pictures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenderOptions {
    /// Whether to draw shadows. Without shadows, no shadow map is rendered; rendering it takes most of the time of a picture.
    pub shadows: bool,
    /// Side length of the shadow map in pixels; `None` for the model's setting (`vis.quality.shadowsize`).
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
    /// Whether depth is in metres. Otherwise depth is OpenGL's: 0 at the near clipping plane and 1 at the far one.
    pub depth_in_metres: bool,
    /// Number of samples per pixel; `None` for the model's setting (`vis.quality.offsamples`).
    pub multisamples: Option<u8>,
    /// Maximum number of geoms in the scene.
    pub max_geoms: u32,
    /// MuJoCo's visualization flags (`mjtVisFlag`) that are changed: the number of each flag, and whether the flag is set.
    pub visual_flags: Vec<(u8, bool)>,
}

impl Default for RenderOptions {
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
    /// Camera that the model defines, by id.
    Fixed(usize),
    /// Free camera, which can have any pose and is not part of the model.
    Free(FreeCamera),
}

/// Free camera (`mjCAMERA_FREE`). A field that is `None` has the default of MuJoCo's `mjv_defaultCamera`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeCamera {
    /// Point that the camera looks at; `None` for the default point.
    pub lookat: Option<[f64; 3]>,
    /// Distance of the camera from `lookat`, in metres.
    pub distance: Option<f64>,
    /// Azimuth of the camera, in degrees.
    pub azimuth: Option<f64>,
    /// Elevation of the camera, in degrees.
    pub elevation: Option<f64>,
    /// Whether the camera's projection is orthographic instead of perspective.
    pub orthographic: Option<bool>,
    /// Whether fields that are `None` have defaults of `mjv_defaultFreeCamera`, not of `mjv_defaultCamera`.
    pub uses_model_default: bool,
}

impl FreeCamera {
    /// Camera of MuJoCo's `mjv_defaultCamera`.
    pub const DEFAULT: Self =
        Self { lookat: None, distance: None, azimuth: None, elevation: None, orthographic: None, uses_model_default: false };
}

/// Buffers that a picture is rendered into: RGB and optional depth of each pixel, row by row from the top.
#[derive(Debug)]
pub struct RenderTarget<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgb: &'a mut [u8],
    pub(super) depth: Option<&'a mut [f32]>,
}

impl<'a> RenderTarget<'a> {
    /// Creates a render target of `width` x `height` pixels from the buffers `rgb` and `depth`.
    ///
    /// # Panics
    /// If `rgb` or `depth` does not have the length for this size.
    pub fn new(width: u32, height: u32, rgb: &'a mut [u8], depth: Option<&'a mut [f32]>) -> Self {
        let pixels = width as usize * height as usize;
        assert!(rgb.len() == 3 * pixels, "a picture of {width} x {height} pixels");
        assert!(depth.as_ref().is_none_or(|depth| depth.len() == pixels), "a picture of {width} x {height} pixels");
        Self { width, height, rgb, depth }
    }
}
