/* Environments of shared libraries, for pools of envpool_rs. ABI version 0.
 *
 * A library exports one function, `envpool_rs_library_0`. It returns a table of tasks; `make` of a task returns the functions
 * that play its lanes (environments of a pool), several lanes in each call.
 *
 * Every field of every struct has 8 bytes: double, int64_t, uint64_t or a pointer. Structs that begin with `size` may grow at
 * their end: `size` is sizeof(the struct) of the side that writes it, and fields beyond it count as zero. Fields that a library
 * does not use are zero. Text is UTF-8 and ends with a zero byte. Tables and functions stay valid until the process ends,
 * because libraries are never unloaded. No exception, panic or longjmp may leave a function of a library. */
#ifndef ENVPOOL_RS_H
#define ENVPOOL_RS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#ifdef _WIN32
#define EPR_EXPORT __declspec(dllexport)
#else
#define EPR_EXPORT __attribute__((visibility("default")))
#endif

/* The ABI's version: the number in the name of the exported function. Version 0 may still change. */
#define EPR_ABI_VERSION 0

/* Element types of arrays. */
enum {
    EPR_BOOL = 1, /* one byte, 0 or 1 */
    EPR_UINT8 = 2,
    EPR_INT8 = 3,
    EPR_INT16 = 4,
    EPR_INT32 = 5,
    EPR_INT64 = 6,
    EPR_FLOAT32 = 7,
    EPR_FLOAT64 = 8
};

/* Kinds of spaces, as in gymnasium. */
enum {
    EPR_BOX = 1,
    EPR_DISCRETE = 2,       /* int32 or int64, a single number: no dimensions */
    EPR_MULTI_DISCRETE = 3, /* int32 or int64 */
    EPR_MULTI_BINARY = 4,   /* int8 */
    EPR_TEXT = 5            /* observations only: uint8, one dimension, ASCII, padded with zeros */
};

/* Flags of an info: when gymnasium's infos contain it. Without a flag: after resets and steps. */
enum {
    EPR_AFTER_STEPS = 1,
    EPR_AFTER_TERMINATIONS = 2 /* after steps that terminate an episode */
};

/* Types of options. */
enum { EPR_OPTION_BOOL = 1, EPR_OPTION_INT = 2, EPR_OPTION_FLOAT = 3, EPR_OPTION_TEXT = 4 };

/* Flags of an option. */
enum {
    EPR_RANGE = 1, /* int, float: values lie in low..high, inclusive */
    EPR_PATH = 2,  /* text: a path of a file or folder, on which snapshots do not depend; empty if not given */
    EPR_DRAWN = 4  /* bool, int, float: neither sizes nor arrays depend on the value, which may differ between lanes and change
                      when an episode begins. epr_batch.option has the values in force; those of `make` are an example. An int
                      lies in -2^53..2^53 */
};

/* Flags of an environment. */
enum {
    EPR_PLAIN = 1,            /* states contain no pointers: the pool saves and loads them by copying their bytes */
    EPR_COLUMNS = 2,          /* states are columns: field f of all lanes lies in a row, 8 bytes for each lane. The lanes of each
                                 call are consecutive */
    EPR_UNIFORM = 4,          /* every step takes about the same time, below a microsecond: calls get 64 lanes and more, and
                                 may use 128 KiB of stack */
    EPR_SERIAL = 8,           /* the library has global state: one call at a time in the process */
    EPR_SEPARATE_SPACES = 16, /* players differ in their spaces: Dicts with an entry for each player, no row per player */
    EPR_TRUNCATION_WINS = 32, /* a step that reaches a limit is only truncated, even if it also terminates the episode */
    EPR_OWN_RANDOM = 64       /* draws from streams in its own states, seeded at resets, and not from epr_batch.random */
};

/* Bits of epr_batch.end. */
enum {
    EPR_TERMINATED = 1,
    EPR_TRUNCATED = 2,     /* a limit that the environment checks itself; the pool checks max_episode_steps */
    EPR_ZERO_DISCOUNT = 4, /* later rewards have discount 0, although the episode may continue */
    EPR_FAILED = 8         /* only this lane fails; epr_batch.error is its message, if written */
};

/* Bits of epr_batch.cause, for resets. */
enum {
    EPR_SEEDED = 1,       /* epr_batch.seed has a new seed; the pool has already seeded the lane's epr_random with it */
    EPR_NEXT_EPISODE = 2, /* autoreset after an episode; epr_batch.ended has its number of steps */
    EPR_AFTER_LIMIT = 4   /* the ended episode reached max_episode_steps */
};

/* numpy's PCG64: the random stream of a lane. The pool seeds it as numpy.random.default_rng(seed), saves and loads it. */
typedef struct epr_random {
    uint64_t state_low, state_high, increment_low, increment_high, has_uint32, uinteger;
} epr_random;

/* Functions of the pool for libraries. Values are those of numpy's Generator, bit for bit. */
typedef struct epr_host {
    uint64_t size;
    double (*random)(epr_random *);                              /* float64 in [0, 1) */
    double (*uniform)(epr_random *, double low, double high);    /* float64 in [low, high) */
    double (*normal)(epr_random *);                              /* mean 0, variance 1 */
    double (*exponential)(epr_random *);                         /* mean 1 */
    int64_t (*integers)(epr_random *, int64_t low, int64_t high); /* low..high-1; low if the range is empty */
    uint64_t (*next_u64)(epr_random *);
    uint64_t (*next_u32)(epr_random *);
    double (*random_f32)(epr_random *); /* random(dtype=float32), as a double */
    void (*seed)(epr_random *, uint64_t seed); /* default_rng(seed) */
} epr_host;

/* An array of each lane: a leaf of the observation or the action, or an info. */
typedef struct epr_array {
    uint64_t size;
    const char *name;      /* "" for a space that is one array; a key of a Dict; "camera.left" for a Dict in a Dict */
    uint64_t kind, dtype;  /* infos: EPR_BOX */
    uint64_t flags;        /* infos only */
    uint64_t dims;         /* number of dimensions; 0: a single number */
    const uint64_t *shape; /* [dims] */
    uint64_t bounds;       /* box: number of values in low and high: 0 (unbounded), 1, or one for each element */
    const double *low, *high;
    const int64_t *n;      /* discrete: [1] number of values; multi-discrete: [elements] */
    int64_t start;         /* discrete: the smallest value */
    const char *charset;   /* text: the allowed characters */
} epr_array;

/* Value of an option. */
typedef struct epr_value {
    uint64_t kind;    /* EPR_OPTION_... */
    int64_t integer;  /* bool: 0 or 1 */
    double number;
    const char *text; /* valid during the call */
} epr_value;

/* Option of a task. */
typedef struct epr_option {
    uint64_t size;
    const char *name, *doc; /* an identifier; one line of description */
    epr_value value;        /* the default; its kind is the option's type */
    double low, high;
    uint64_t flags;
    uint64_t choices;          /* text: number of allowed texts; 0: all */
    const char *const *choice; /* [choices] */
} epr_option;

/* Lanes of one call. Until the function returns, the lanes, their rows and `scratch` belong to the calling thread. */
typedef struct epr_batch {
    uint64_t size;
    uint64_t count;       /* number of lanes in the call */
    const uint32_t *lane; /* [count] numbers of the lanes, each once */
    uint64_t consecutive; /* 1 if lane[i] is lane[0] + i */
    uint64_t first_lane;  /* number in the pool of lane 0 */
    uint8_t *state;       /* field f of lane l: state + l * lane_stride + f * field_stride */
    uint64_t lane_stride, field_stride;
    epr_random *random;           /* of lane l: random + l */
    const uint8_t *cause;         /* reset: [count] */
    const uint64_t *seed;         /* reset: [count] */
    int64_t *elapsed;             /* reset: [count], initially 0: steps already counted in the new episode, if it continues a
                                     longer game */
    const double *reset_option;   /* reset: [reset_options] values, NaN for those not given; null: none given */
    const void *const *action;    /* step: item i of action k: action[k] + i * action_stride[k]. Discrete kinds are int32, boxes */
    const uint64_t *action_stride; /*      float64 if declared so, else float32. Checked: inside of the space, or finite */
    double *reward;               /* step: [count][players], initially 0 */
    uint8_t *end;                 /* reset, step: [count], initially 0 */
    void *const *out;             /* observe: leaves; inform: infos. Row i: out[k] + i * out_stride[k]; null: not needed */
    const uint64_t *out_stride;
    void *scratch;                /* scratch_size bytes of the thread: from its last call, or initially 0 */
    char *error;                  /* message of a failure, of at most error_size bytes with the final zero */
    uint64_t error_size;
    const int64_t *ended; /* reset: [count] steps of the ended episode */
    const double *option; /* the options of lane l with EPR_DRAWN, in the order of the task's options: option + l * drawn */
    uint64_t drawn;       /* number of options with EPR_DRAWN; bools are 0 or 1 */
} epr_batch;

/* A task with its options fixed: sizes, arrays and functions. Pools read it from several threads. */
typedef struct epr_env {
    uint64_t size;
    void *data;       /* data of the library, which pools do not read */
    uint64_t players; /* rows of each observation and action array, and rewards, of a lane; 0 counts as 1 */
    uint64_t flags;
    uint64_t observations, actions, infos;
    const epr_array *observation, *action, *info;
    uint64_t state_size, state_align; /* bytes of a lane; align: a power of two up to 64, 0 counts as 8. With EPR_COLUMNS: a
                                         multiple of 8, and align is 64 for each column */
    uint64_t scratch_size;
    uint64_t most_lanes;              /* maximum number of lanes in one call; 0: any number */
    uint64_t together;                /* without EPR_UNIFORM: number of lanes that gain from one call; 0: one lane */
    uint64_t lane_heap, shared_heap;  /* heap bytes of each lane, and of the environment, for the memory check */
    /* Functions return 0. Otherwise they have written epr_batch.error, and all lanes of the call fail. */
    int64_t (*create)(const struct epr_env *, epr_batch *);  /* states before their first reset; null: zeros */
    int64_t (*reset)(const struct epr_env *, epr_batch *);   /* required */
    int64_t (*step)(const struct epr_env *, epr_batch *);    /* required */
    int64_t (*observe)(const struct epr_env *, epr_batch *); /* required: writes all elements of the rows of `out` */
    int64_t (*inform)(const struct epr_env *, epr_batch *);  /* required with infos */
    int64_t (*destroy)(const struct epr_env *, epr_batch *); /* releases what `create` and later calls acquired; may be null */
    /* The following functions get one lane. */
    int64_t (*save)(const struct epr_env *, epr_batch *, uint8_t *bytes, uint64_t room, uint64_t *length);
                   /* without EPR_PLAIN: sets the length, and writes the bytes if length <= room; also of states that were
                      created and not reset; null: no snapshots */
    int64_t (*load)(const struct epr_env *, epr_batch *, const uint8_t *bytes, uint64_t length);
                   /* refuses damaged bytes; a refused state may be incomplete, and is destroyed or replaced next */
    int64_t (*is_valid)(const struct epr_env *, epr_batch *);  /* EPR_PLAIN: 0 if `step` can take a state from a snapshot */
    int64_t (*render)(const struct epr_env *, epr_batch *, uint8_t *rgb); /* [frame_height][frame_width][3] */
    int64_t (*render_text)(const struct epr_env *, epr_batch *, char *text, uint64_t room, uint64_t *length);
                   /* sets the length, and writes the text if length <= room */
    uint64_t frame_width, frame_height, frames_per_second; /* size in pixels and frame rate of `render` */
    int64_t (*check_reset)(const struct epr_env *, const double *reset_option, char *error, uint64_t error_size);
                   /* refuses inconsistent reset options; may be null */
    int64_t (*prepare)(struct epr_env *, char *error, uint64_t error_size);
                   /* loads files and models, once before lanes are created; must not change sizes and arrays; may be null */
    void (*unmake)(struct epr_env *); /* releases `data`; may be null */
} epr_env;

/* A named task. */
typedef struct epr_task {
    uint64_t size;
    const char *id;            /* "Name-v0" or "folder/Name-v0" */
    uint64_t max_episode_steps; /* 0: no limit */
    double reward_threshold;   /* mean return that counts as solved; NaN or 0: none */
    uint64_t options;
    const epr_option *option;
    uint64_t reset_options;
    const char *const *reset_option; /* names of the numbers that reset(options=...) takes */
    const void *data;          /* data of the library, which pools do not read */
    int64_t (*make)(const struct epr_task *, const epr_value *values, epr_env *env, char *error, uint64_t error_size);
                               /* fills in env: zeroed memory of 4096 bytes. values: [options]. Called with the
                                  defaults when the library is loaded, to describe the task, and for each pool */
} epr_task;

/* Tasks of a library. */
typedef struct epr_library {
    uint64_t size;
    const char *name, *version; /* written into snapshots */
    uint64_t tasks;
    const epr_task *const *task;
} epr_library;

/* The exported function. It is called when the library is loaded; null: the library cannot be used. */
EPR_EXPORT const epr_library *envpool_rs_library_0(const epr_host *host);

/* Returns the state of item i. With EPR_COLUMNS: its first field. */
static inline void *epr_state(const epr_batch *b, uint64_t i) { return b->state + (uint64_t)b->lane[i] * b->lane_stride; }
/* Returns field f of item i. */
static inline void *epr_field(const epr_batch *b, uint64_t i, uint64_t f) {
    return b->state + (uint64_t)b->lane[i] * b->lane_stride + f * b->field_stride;
}
/* Returns the random stream of item i. */
static inline epr_random *epr_stream(const epr_batch *b, uint64_t i) { return b->random + b->lane[i]; }
/* Returns the values of item i's options with EPR_DRAWN, in force since its episode began. */
static inline const double *epr_options(const epr_batch *b, uint64_t i) { return b->option + (uint64_t)b->lane[i] * b->drawn; }
/* Returns array k of the action of item i. */
static inline const void *epr_action(const epr_batch *b, uint64_t k, uint64_t i) {
    return (const uint8_t *)b->action[k] + i * b->action_stride[k];
}
/* Returns row i of output array k. */
static inline void *epr_out(const epr_batch *b, uint64_t k, uint64_t i) { return (uint8_t *)b->out[k] + i * b->out_stride[k]; }
/* Writes a message into `error`, and returns 1. */
static inline int64_t epr_write_error(char *error, uint64_t error_size, const char *text) {
    uint64_t i = 0;
    if (error && error_size) {
        for (; i + 1 < error_size && text[i]; i++) error[i] = text[i];
        error[i] = 0;
    }
    return 1;
}
/* Fails all lanes of a call with this message: return epr_error(b, "..."). */
static inline int64_t epr_error(const epr_batch *b, const char *text) { return epr_write_error(b->error, b->error_size, text); }

#ifdef __cplusplus
}
#include <exception>
/* Calls `play` and converts an exception to the error of the call: return epr_guarded(b, [&] { ... }); */
template <class Play> int64_t epr_guarded(const epr_batch *b, Play play) noexcept {
    try {
        play();
        return 0;
    } catch (const std::exception &exception) {
        return epr_error(b, exception.what());
    } catch (...) {
        return epr_error(b, "an exception that is not a std::exception");
    }
}
#endif
#endif
