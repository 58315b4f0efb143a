/* PufferLib's Breakout as a library with one task. The game is written in C, independently of this interface.
 *
 * breakout.h and raylib.h are parts of PufferLib's source distribution, which this repository does not contain:
 *
 *     cc -shared -fPIC -O2 -ffp-contract=off -fvisibility=hidden -ffunction-sections -Wl,--gc-sections \
 *         -I "$(python -c 'import envpool_rs; print(envpool_rs.get_include())')" \
 *         -I pufferlib-3.0.0/pufferlib/ocean/breakout -I pufferlib-3.0.0/raylib-5.5_linux_amd64/include \
 *         ocean_breakout.c -o libocean_breakout.so -lm
 *
 * The game has three properties that this file adapts to the interface:
 * - It calls rand(), whose state belongs to the process. In this file, each lane has the state of glibc's rand() after
 *   srand(seed), so that a lane has the same episodes as PufferLib's environment with that seed.
 * - It holds pointers to its arrays. They are set before each call, and are null between calls: states are plain bytes.
 * - It resets itself in the step that ends an episode. So that step returns the next episode's first observation, and
 *   autoreset does nothing. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "envpool_rs.h"

/* glibc's rand(): an additive feedback generator of 31 words. */
typedef struct {
    uint32_t word[31], front;
} libc_random;

static _Thread_local libc_random *stream; /* stream of the lane that this thread steps */

static int draw(libc_random *r) {
    uint32_t rear = (r->front + 28) % 31;
    r->word[r->front] += r->word[rear];
    int drawn = (int)(r->word[r->front] >> 1);
    r->front = (r->front + 1) % 31;
    return drawn;
}

static void seed(libc_random *r, uint32_t number) {
    int32_t word = number ? (int32_t)number : 1;
    for (int i = 0; i < 31; i++) {
        r->word[i] = (uint32_t)word;
        int64_t next = 16807 * (int64_t)(word % 127773) - 2836 * (int64_t)(word / 127773);
        word = (int32_t)(next < 0 ? next + 2147483647 : next);
    }
    r->front = 3;
    for (int i = 0; i < 310; i++) draw(r);
}

static int lane_rand(void) { return draw(stream); }

#define rand lane_rand
#include "breakout.h"
#undef rand

enum { ROWS = 6, COLUMNS = 18, BRICKS = ROWS * COLUMNS, OBSERVATION = 10 + BRICKS };

/* State of a lane. */
typedef struct {
    Breakout game;
    libc_random random;
    float brick_x[BRICKS], brick_y[BRICKS], brick_states[BRICKS];
} lane;

/* Options of a pool, to which epr_env.data points. */
typedef struct {
    int frameskip;
} options;

/* Arrays that the game writes in one step, through its pointers. */
typedef struct {
    float observation[OBSERVATION + 1], action, reward;
    unsigned char terminal;
} step_arrays;

/* Sets the pointers of a game to the arrays of one step. */
static Breakout *bind(lane *l, step_arrays *arrays) {
    Breakout *game = &l->game;
    stream = &l->random;
    game->brick_x = l->brick_x, game->brick_y = l->brick_y, game->brick_states = l->brick_states;
    game->observations = arrays->observation, game->actions = &arrays->action, game->rewards = &arrays->reward;
    game->terminals = &arrays->terminal;
    return game;
}

/* Sets the pointers of a game to null, and clears its statistics of past episodes. */
static void unbind(lane *l) {
    Breakout *game = &l->game;
    stream = NULL;
    game->brick_x = game->brick_y = game->brick_states = NULL;
    game->observations = game->actions = game->rewards = NULL;
    game->terminals = NULL;
    memset(&game->log, 0, sizeof game->log);
}

/* Sets the sizes that PufferLib's Python class gives to the game by default. */
static void set_sizes(Breakout *game, const options *o) {
    game->frameskip = o->frameskip;
    game->width = 576, game->height = 330;
    game->paddle_width = 62, game->paddle_height = 8, game->ball_width = 32, game->ball_height = 32;
    game->brick_width = 32, game->brick_height = 12, game->brick_rows = ROWS, game->brick_cols = COLUMNS;
    game->num_bricks = BRICKS;
}

static int64_t create(const epr_env *env, epr_batch *b) {
    for (uint64_t i = 0; i < b->count; i++) {
        lane *l = epr_state(b, i);
        step_arrays arrays = {0};
        memset(l, 0, sizeof *l);
        set_sizes(&l->game, env->data);
        seed(&l->random, 0);
        generate_brick_positions(bind(l, &arrays));
        unbind(l);
    }
    return 0;
}

static int64_t reset(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        if ((b->cause[i] & EPR_NEXT_EPISODE) && !(b->cause[i] & EPR_AFTER_LIMIT)) continue; /* the game has reset itself */
        lane *l = epr_state(b, i);
        step_arrays arrays = {0};
        if (b->cause[i] & EPR_SEEDED) seed(&l->random, (uint32_t)b->seed[i]);
        c_reset(bind(l, &arrays));
        unbind(l);
    }
    return 0;
}

static int64_t step(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        lane *l = epr_state(b, i);
        step_arrays arrays = {.action = (float)*(const int32_t *)epr_action(b, 0, i)};
        c_step(bind(l, &arrays));
        unbind(l);
        b->reward[i] = arrays.reward;
        if (arrays.terminal) b->end[i] = EPR_TERMINATED;
    }
    return 0;
}

static int64_t observe(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        lane *l = epr_state(b, i);
        step_arrays arrays = {0};
        compute_observations(bind(l, &arrays));
        unbind(l);
        memcpy(epr_out(b, 0, i), arrays.observation, OBSERVATION * sizeof(float));
    }
    return 0;
}

static int64_t inform(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        const Breakout *game = &((const lane *)epr_state(b, i))->game;
        if (b->out[0]) *(int64_t *)epr_out(b, 0, i) = game->score;
        if (b->out[1]) *(int64_t *)epr_out(b, 1, i) = game->num_balls;
    }
    return 0;
}

/* Returns whether a number from a snapshot is valid in the state of a game. */
static bool is_near(float number) { return fabsf(number) < 1e4f; }

static int64_t is_valid(const epr_env *env, epr_batch *b) {
    const lane *l = epr_state(b, 0);
    const Breakout *game = &l->game;
    Breakout expected = {0};
    set_sizes(&expected, env->data);
    bool same = game->frameskip == expected.frameskip && game->width == expected.width && game->height == expected.height &&
                game->paddle_height == expected.paddle_height && game->ball_width == expected.ball_width &&
                game->ball_height == expected.ball_height && game->brick_width == expected.brick_width &&
                game->brick_height == expected.brick_height && game->brick_rows == ROWS && game->brick_cols == COLUMNS &&
                game->num_bricks == BRICKS && !game->client && !game->observations && !game->actions && !game->rewards &&
                !game->terminals && !game->brick_x && !game->brick_y && !game->brick_states;
    bool near = is_near(game->paddle_x) && is_near(game->paddle_y) && is_near(game->ball_x) && is_near(game->ball_y) &&
                is_near(game->ball_vx) && is_near(game->ball_vy) && is_near(game->paddle_width) && is_near(game->ball_speed);
    if (!same || !near || l->random.front >= 31) return epr_error(b, "the state is not of a game with these options");
    return 0;
}

static void unmake(epr_env *env) { free(env->data); }

static int64_t make(const epr_task *task, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    static const uint64_t shape[] = {OBSERVATION};
    static const int64_t moves[] = {3};
    static const epr_array observation = {.size = sizeof observation, .name = "", .kind = EPR_BOX, .dtype = EPR_FLOAT32,
                                          .dims = 1, .shape = shape};
    static const epr_array action = {.size = sizeof action, .name = "", .kind = EPR_DISCRETE, .dtype = EPR_INT64, .n = moves};
    static const epr_array info[] = {{.size = sizeof *info, .name = "score", .kind = EPR_BOX, .dtype = EPR_INT64},
                                     {.size = sizeof *info, .name = "balls", .kind = EPR_BOX, .dtype = EPR_INT64}};
    (void)task;
    options *data = malloc(sizeof *data);
    if (!data) return epr_write_error(error, error_size, "out of memory");
    data->frameskip = (int)values[0].integer;
    *env = (epr_env){.size = sizeof *env, .data = data, .players = 1, .flags = EPR_PLAIN | EPR_UNIFORM | EPR_OWN_RANDOM,
                     .observations = 1, .observation = &observation, .actions = 1, .action = &action, .infos = 2, .info = info,
                     .state_size = sizeof(lane), .create = create, .reset = reset, .step = step, .observe = observe,
                     .inform = inform, .is_valid = is_valid, .unmake = unmake};
    return 0;
}

static const epr_option frameskip = {.size = sizeof frameskip, .name = "frameskip", .doc = "frames of each step",
                                     .value = {.kind = EPR_OPTION_INT, .integer = 4}, .low = 1, .high = 64, .flags = EPR_RANGE};
static const epr_task task = {.size = sizeof task, .id = "ocean/Breakout-v0", .options = 1, .option = &frameskip, .make = make};
static const epr_task *const tasks[] = {&task};
static const epr_library library = {.size = sizeof library, .name = "ocean_breakout", .version = "3.0.0", .tasks = 1,
                                    .task = tasks};

EPR_EXPORT const epr_library *envpool_rs_library_0(const epr_host *host) {
    (void)host;
    return &library;
}
