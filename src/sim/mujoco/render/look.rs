//! What is drawn of a simulation, how well, and from where.

/// How well a simulation is drawn, and what of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Look {
    /// Shadows. Without them there is no map of them either, which is most of what a picture costs.
    pub shadows: bool,
    /// Side of the map of shadows in pixels; `None` for as many as the model says.
    pub shadow_size: Option<u32>,
    /// What mirrors show.
    pub reflections: bool,
    /// The sky, where the model has one.
    pub skybox: bool,
    /// Haze at the horizon.
    pub haze: bool,
    /// Textures.
    pub textures: bool,
    /// The rays of sensors that measure how far things are.
    pub rangefinders: bool,
    /// Whether depth is in metres, and not as GL has it: 0 where seeing begins, 1 where it ends.
    pub in_metres: bool,
    /// Samples of each pixel; `None` for as many as the model says.
    pub multisamples: Option<u8>,
    /// Shapes that are drawn at most.
    pub most_shapes: u32,
    /// MuJoCo's `mjtVisFlag`s by number, and what each is set to.
    pub visual_flags: Vec<(u8, bool)>,
}

impl Default for Look {
    /// As models come.
    fn default() -> Self {
        Self {
            shadows: true,
            shadow_size: None,
            reflections: true,
            skybox: true,
            haze: true,
            textures: true,
            rangefinders: true,
            in_metres: false,
            multisamples: None,
            most_shapes: 1000,
            visual_flags: Vec::new(),
        }
    }
}

/// Where a picture is taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Camera {
    /// One of the model's cameras.
    Fixed(usize),
    /// None of them.
    Free(FreeCamera),
}

/// A camera that is nobody's. What is `None` is as MuJoCo has it: a camera of no model.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FreeCamera {
    /// The point that it looks at; `None`: the model's centre.
    pub lookat: Option<[f64; 3]>,
    /// How far from it it is, in metres.
    pub distance: Option<f64>,
    /// In degrees.
    pub azimuth: Option<f64>,
    /// In degrees.
    pub elevation: Option<f64>,
    /// Whether lines that are parallel stay so.
    pub orthographic: Option<bool>,
    /// Whether what is `None` is as the model says instead.
    pub is_models: bool,
}

/// Where a picture goes: red, green and blue of each pixel, and how far away it is, row by row from the top.
#[derive(Debug)]
pub struct Frame<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgb: &'a mut [u8],
    pub(super) depth: Option<&'a mut [f32]>,
}

impl<'a> Frame<'a> {
    /// A picture of this size.
    ///
    /// # Panics
    /// Where there is not as much room as it needs.
    pub fn new(width: u32, height: u32, rgb: &'a mut [u8], depth: Option<&'a mut [f32]>) -> Self {
        let pixels = width as usize * height as usize;
        assert!(rgb.len() == 3 * pixels, "a picture of {width} x {height} pixels");
        assert!(depth.as_ref().is_none_or(|depth| depth.len() == pixels), "a picture of {width} x {height} pixels");
        Self { width, height, rgb, depth }
    }
}
