//! Keys of ViZDoom's configurations, with tables of their types and allowed values.

/// ViZDoom's `ScreenFormat`: pixel layout of the screen buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenFormat {
    /// `CRCGCB`: one plane each for red, green and blue.
    Crcgcb,
    /// `RGB24`: three bytes for each pixel, which are red, green and blue.
    Rgb24,
    /// `GRAY8`: one gray value for each pixel.
    Gray8,
    /// `DOOM_256_COLORS8`: one palette index for each pixel.
    Doom256Colors8,
    /// Other pixel layout, which this crate does not support; contains ViZDoom's name of the format.
    Other(&'static str),
}

/// Screen formats by their names in lower case.
pub(super) const FORMATS: [(&str, ScreenFormat); 10] = [
    ("crcgcb", ScreenFormat::Crcgcb),
    ("rgb24", ScreenFormat::Rgb24),
    ("rgba32", ScreenFormat::Other("RGBA32")),
    ("argb32", ScreenFormat::Other("ARGB32")),
    ("cbcgcr", ScreenFormat::Other("CBCGCR")),
    ("bgr24", ScreenFormat::Other("BGR24")),
    ("bgra32", ScreenFormat::Other("BGRA32")),
    ("abgr32", ScreenFormat::Other("ABGR32")),
    ("gray8", ScreenFormat::Gray8),
    ("doom_256_colors8", ScreenFormat::Doom256Colors8),
];

/// Supported screen resolutions: width and height in pixels.
pub(super) const RESOLUTIONS: [(u32, u32); 36] = [
    (160, 120),
    (200, 125),
    (200, 150),
    (256, 144),
    (256, 160),
    (256, 192),
    (320, 180),
    (320, 200),
    (320, 240),
    (320, 256),
    (400, 225),
    (400, 250),
    (400, 300),
    (512, 288),
    (512, 320),
    (512, 384),
    (640, 360),
    (640, 400),
    (640, 480),
    (800, 450),
    (800, 500),
    (800, 600),
    (1024, 576),
    (1024, 640),
    (1024, 768),
    (1280, 720),
    (1280, 800),
    (1280, 960),
    (1280, 1024),
    (1400, 787),
    (1400, 875),
    (1400, 1050),
    (1600, 900),
    (1600, 1000),
    (1600, 1200),
    (1920, 1080),
];

/// Type of the value of a configuration key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// `true` or `false`.
    Flag,
    /// Non-negative integer.
    Count,
    /// Finite number.
    Number,
    /// Any string.
    Text,
    /// Path of a file, relative to the folder of the configuration file.
    Path,
    /// List of names between braces.
    Names,
}

/// Configuration keys, with the type and the description of each value.
pub const KEYS: &[(&str, KeyKind, &str)] = &[
    ("available_buttons", KeyKind::Names, "names of the buttons of an action"),
    ("available_game_variables", KeyKind::Names, "names of the game variables of an observation"),
    ("doom_game_path", KeyKind::Path, "game file (IWAD)"),
    ("doom_scenario_path", KeyKind::Path, "scenario file (WAD)"),
    ("doom_config_path", KeyKind::Path, "the engine's own configuration file"),
    ("vizdoom_path", KeyKind::Path, "the engine"),
    ("doom_map", KeyKind::Text, "the map"),
    ("doom_skill", KeyKind::Count, "difficulty, 1 to 5"),
    ("game_args", KeyKind::Text, "additional arguments of the engine"),
    ("mode", KeyKind::Text, "ViZDoom's mode; only PLAYER is supported"),
    ("seed", KeyKind::Count, "ignored: resets seed environments"),
    ("ticrate", KeyKind::Count, "tics per second in asynchronous modes"),
    ("episode_start_time", KeyKind::Count, "tics played before an episode starts"),
    ("episode_timeout", KeyKind::Count, "tics after which an episode ends; 0 for never"),
    ("living_reward", KeyKind::Number, "reward of each tic"),
    ("death_penalty", KeyKind::Number, "penalty for dying"),
    ("death_reward", KeyKind::Number, "reward for dying"),
    ("map_exit_reward", KeyKind::Number, "reward for leaving the map by its exit"),
    ("kill_reward", KeyKind::Number, "reward of each kill"),
    ("item_reward", KeyKind::Number, "reward of each item"),
    ("secret_reward", KeyKind::Number, "reward of each secret"),
    ("frag_reward", KeyKind::Number, "reward of each frag"),
    ("hit_reward", KeyKind::Number, "reward of each hit"),
    ("hit_taken_reward", KeyKind::Number, "reward of each hit that the player takes"),
    ("hit_taken_penalty", KeyKind::Number, "penalty for each hit that the player takes"),
    ("damage_made_reward", KeyKind::Number, "reward of each point of damage"),
    ("damage_taken_reward", KeyKind::Number, "reward of each point of damage that the player takes"),
    ("damage_taken_penalty", KeyKind::Number, "penalty for each point of damage that the player takes"),
    ("health_reward", KeyKind::Number, "reward for each point of health gained"),
    ("armor_reward", KeyKind::Number, "reward for each point of armor gained"),
    ("screen_resolution", KeyKind::Text, "screen resolution, such as RES_320X240"),
    ("screen_format", KeyKind::Text, "screen format: GRAY8, or any other for RGB"),
    ("depth_buffer_enabled", KeyKind::Flag, "whether observations have a depth buffer"),
    ("labels_buffer_enabled", KeyKind::Flag, "whether observations have a labels buffer"),
    ("automap_buffer_enabled", KeyKind::Flag, "whether observations have an automap buffer"),
    ("audio_buffer_enabled", KeyKind::Flag, "whether observations have an audio buffer"),
    ("notifications_buffer_enabled", KeyKind::Flag, "whether observations have notifications"),
    ("objects_info_enabled", KeyKind::Flag, "whether the engine lists objects"),
    ("sectors_info_enabled", KeyKind::Flag, "whether the engine lists sectors"),
    ("automap_mode", KeyKind::Text, "automap mode: NORMAL, WHOLE, OBJECTS or OBJECTS_WITH_SIZE"),
    ("automap_rotate", KeyKind::Flag, "whether the automap rotates with the player"),
    ("automap_render_textures", KeyKind::Flag, "whether the automap has textures"),
    ("automap_render_objects_as_sprites", KeyKind::Flag, "whether the automap shows objects as sprites"),
    ("audio_sampling_rate", KeyKind::Text, "SR_11025, SR_22050 or SR_44100"),
    ("audio_buffer_size", KeyKind::Count, "tics of audio in an observation"),
    ("notifications_buffer_size", KeyKind::Count, "tics of notifications in an observation"),
    ("render_hud", KeyKind::Flag, "whether the screen has the HUD"),
    ("render_minimal_hud", KeyKind::Flag, "whether the HUD is the minimal one"),
    ("render_weapon", KeyKind::Flag, "whether the screen has the weapon"),
    ("render_crosshair", KeyKind::Flag, "whether the screen has a crosshair"),
    ("render_decals", KeyKind::Flag, "whether the screen has decals"),
    ("render_particles", KeyKind::Flag, "whether the screen has particles"),
    ("render_effects_sprites", KeyKind::Flag, "whether the screen has effect sprites (smoke, blood)"),
    ("render_messages", KeyKind::Flag, "whether the screen has messages"),
    ("render_corpses", KeyKind::Flag, "whether the screen has corpses"),
    ("render_screen_flashes", KeyKind::Flag, "whether the screen flashes"),
    ("render_all_frames", KeyKind::Flag, "whether skipped tics are rendered, too"),
    ("sound_enabled", KeyKind::Flag, "whether the engine plays sounds"),
    ("console_enabled", KeyKind::Flag, "whether the engine has its console"),
    ("window_visible", KeyKind::Flag, "whether the engine shows its window"),
];

/// Keys that set rewards for game variables: normalized key, index in [`Rewards::variables`], number of the game variable, and
/// the sign (-1 for a penalty).
pub(super) const VARIABLE_REWARDS: [(&str, usize, usize, f64); 12] = [
    ("killreward", 0, 0, 1.0),
    ("itemreward", 1, 1, 1.0),
    ("secretreward", 2, 2, 1.0),
    ("fragreward", 3, 3, 1.0),
    ("hitreward", 4, 5, 1.0),
    ("hittakenreward", 5, 6, 1.0),
    ("hittakenpenalty", 5, 6, -1.0),
    ("damagemadereward", 6, 7, 1.0),
    ("damagetakenreward", 7, 8, 1.0),
    ("damagetakenpenalty", 7, 8, -1.0),
    ("healthreward", 8, 9, 1.0),
    ("armorreward", 9, 10, 1.0),
];

/// Bit of `viz_render_mode` that enables flashes of the whole screen.
pub const SCREEN_FLASHES: u32 = 4096;

/// Keys that set single bits of `viz_render_mode`, each with its bit.
pub(super) const RENDER_FLAGS: [(&str, u32); 13] = [
    ("renderhud", 1),
    ("renderminimalhud", 2),
    ("renderweapon", 4),
    ("rendercrosshair", 8),
    ("renderdecals", 16),
    ("renderparticles", 32),
    ("rendereffectssprites", 64),
    ("rendermessages", 128),
    ("automaprotate", 256),
    ("automaprendertextures", 512),
    ("automaprenderobjectsassprites", 1024),
    ("rendercorpses", 2048),
    ("renderscreenflashes", SCREEN_FLASHES),
];

/// Returns the normalized form of a key, which is the same for `episode_timeout` and `episodeTimeout`.
pub(super) fn normalized_key(key: &str) -> String {
    key.trim().chars().filter(|character| *character != '_').collect::<String>().to_ascii_lowercase()
}

pub(super) fn key_kind(key: &str) -> Option<KeyKind> {
    let key = normalized_key(key);
    KEYS.iter().find(|(name, ..)| normalized_key(name) == key).map(|(_, kind, _)| *kind)
}

/// Returns a suggestion for an unknown key: the existing key with the longest common prefix. The suggestion is empty if the
/// prefix has fewer than 4 bytes.
pub(super) fn did_you_mean(key: &str) -> String {
    let shared = |name: &str| normalized_key(name).bytes().zip(key.bytes()).take_while(|(one, other)| one == other).count();
    let best = KEYS.iter().map(|(name, ..)| *name).max_by_key(|name| shared(name));
    best.filter(|name| shared(name) >= 4).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}
