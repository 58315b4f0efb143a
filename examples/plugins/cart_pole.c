/* gymnasium's CartPole as a library with one task. Its numbers equal those of the built-in CartPole-v1 in every bit.
 *
 *     cc -shared -fPIC -O2 -ffp-contract=off -I "$(python -c 'import envpool_rs; print(envpool_rs.get_include())')" \
 *         cart_pole.c -o libcart_pole.so -lm
 */
#include <math.h>
#include <stdlib.h>

#include "envpool_rs.h"

#define PI 3.14159265358979323846

static const epr_host *host;

/* State of a lane: plain numbers, which pools save and load by copying them. */
typedef struct {
    double x, x_dot, theta, theta_dot;
} state;

/* Options of a pool, to which epr_env.data points. */
typedef struct {
    double gravity;
} options;

static int64_t reset(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        state *s = epr_state(b, i);
        epr_random *random = epr_stream(b, i);
        s->x = host->uniform(random, -0.05, 0.05);
        s->x_dot = host->uniform(random, -0.05, 0.05);
        s->theta = host->uniform(random, -0.05, 0.05);
        s->theta_dot = host->uniform(random, -0.05, 0.05);
    }
    return 0;
}

static int64_t step(const epr_env *env, epr_batch *b) {
    const double gravity = ((const options *)env->data)->gravity, length = 0.5, mass_pole = 0.1, mass = 1.1;
    const double pole_mass_length = mass_pole * length, tau = 0.02;
    for (uint64_t i = 0; i < b->count; i++) {
        state *s = epr_state(b, i);
        double force = *(const int32_t *)epr_action(b, 0, i) == 1 ? 10.0 : -10.0;
        double cosine = cos(s->theta), sine = sin(s->theta);
        double temp = (force + pole_mass_length * (s->theta_dot * s->theta_dot) * sine) / mass;
        double theta_acc = (gravity * sine - cosine * temp) / (length * (4.0 / 3.0 - mass_pole * (cosine * cosine) / mass));
        double x_acc = temp - pole_mass_length * theta_acc * cosine / mass;
        s->x += tau * s->x_dot;
        s->x_dot += tau * x_acc;
        s->theta += tau * s->theta_dot;
        s->theta_dot += tau * theta_acc;
        b->reward[i] = 1.0;
        if (fabs(s->x) > 2.4 || fabs(s->theta) > 12 * 2 * PI / 360) b->end[i] = EPR_TERMINATED;
    }
    return 0;
}

static int64_t observe(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++) {
        const state *s = epr_state(b, i);
        float *out = epr_out(b, 0, i);
        out[0] = (float)s->x, out[1] = (float)s->x_dot, out[2] = (float)s->theta, out[3] = (float)s->theta_dot;
    }
    return 0;
}

/* Checks a state from a snapshot, which may come from an untrusted file. */
static int64_t is_valid(const epr_env *env, epr_batch *b) {
    const state *s = epr_state(b, 0);
    (void)env;
    if (isfinite(s->x) && isfinite(s->x_dot) && isfinite(s->theta) && isfinite(s->theta_dot)) return 0;
    return epr_error(b, "state: expected finite numbers");
}

static void unmake(epr_env *env) { free(env->data); }

static int64_t make(const epr_task *task, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    static const uint64_t shape[] = {4};
    static const double high[] = {4.8, INFINITY, 24 * 2 * PI / 360, INFINITY};
    static const double low[] = {-4.8, -INFINITY, -24 * 2 * PI / 360, -INFINITY};
    static const int64_t actions[] = {2};
    static const epr_array observation = {.size = sizeof observation, .name = "", .kind = EPR_BOX, .dtype = EPR_FLOAT32,
                                          .dims = 1, .shape = shape, .bounds = 4, .low = low, .high = high};
    static const epr_array action = {.size = sizeof action, .name = "", .kind = EPR_DISCRETE, .dtype = EPR_INT64, .n = actions};
    (void)task;
    options *data = malloc(sizeof *data);
    if (!data) return epr_write_error(error, error_size, "out of memory");
    data->gravity = values[0].number;
    *env = (epr_env){.size = sizeof *env, .data = data, .players = 1, .flags = EPR_PLAIN | EPR_UNIFORM, .observations = 1,
                     .observation = &observation, .actions = 1, .action = &action, .state_size = sizeof(state),
                     .reset = reset, .step = step, .observe = observe, .is_valid = is_valid, .unmake = unmake};
    return 0;
}

static const epr_option gravity = {.size = sizeof gravity, .name = "gravity", .doc = "acceleration of the fall, in m/s2",
                                   .value = {.kind = EPR_OPTION_FLOAT, .number = 9.8}, .low = 0.0, .high = 100.0,
                                   .flags = EPR_RANGE};
static const epr_task task = {.size = sizeof task, .id = "CCartPole-v1", .max_episode_steps = 500, .reward_threshold = 475.0,
                              .options = 1, .option = &gravity, .make = make};
static const epr_task *const tasks[] = {&task};
static const epr_library library = {.size = sizeof library, .name = "cart_pole", .version = "1.0.0", .tasks = 1, .task = tasks};

const epr_library *envpool_rs_library_0(const epr_host *functions) {
    host = functions;
    return &library;
}
