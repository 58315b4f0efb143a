//! Rendering options and cameras.

/// Options for the contents and quality of pictures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RenderOptions {
    /// Shadows. Without them there is no shadow map either, which is most of a picture's cost.
    pub shadows: bool,
    /// Side length of the shadow map in pixels; `None` for the model's.
    pub shadow_size: Option<u32>,
    /// Reflections.
    pub reflections: bool,
    /// Skybox, if the model has one.
    pub skybox: bool,
    /// Haze at the horizon.
    pub haze: bool,
    /// Textures.
    pub textures: bool,
    /// Rays of rangefinder sensors.
    pub rangefinders: bool,
    /// Whether depth is in metres; otherwise it is GL's, 0 at the near plane and 1 at the far plane.
    pub depth_in_metres: bool,
    /// Samples per pixel; `None` for the model's.
    pub multisamples: Option<u8>,
    /// Maximum number of geoms in the scene.
    pub max_geoms: u32,
    /// Values of MuJoCo's `mjtVisFlag`s, by number.
    pub visual_flags: Vec<(u8, bool)>,
}

impl Default for RenderOptions {
    /// Returns the options of a model's default.
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

/// Camera of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Camera {
    /// Camera of the model, by id.
    Fixed(usize),
    /// Free camera.
    Free(FreeCamera),
}

/// Free camera (`mjCAMERA_FREE`). `None` stands for the default of MuJoCo's `mjv_defaultCamera`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FreeCamera {
    /// Point that it looks at; `None` for the model's centre.
    pub lookat: Option<[f64; 3]>,
    /// Distance from that point, in metres.
    pub distance: Option<f64>,
    /// Azimuth, in degrees.
    pub azimuth: Option<f64>,
    /// Elevation, in degrees.
    pub elevation: Option<f64>,
    /// Whether the projection is orthographic.
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
    /// Creates a frame of this size.
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
