/* gymnasium's CartPole with a column for each field of the state, so that compilers vectorise the loops over lanes.
 *
 *     cc -shared -fPIC -O3 -march=native -ffast-math -fno-finite-math-only \
 *         -I "$(python -c 'import envpool_rs; print(envpool_rs.get_include())')" \
 *         cart_pole_columns.c -o libcart_pole_columns.so -lm
 *
 * With these flags, its numbers differ from the built-in CartPole-v1 in their last bits. With `-O2 -ffp-contract=off` they
 * are equal. */
#include <math.h>

#include "envpool_rs.h"

#define PI 3.14159265358979323846

static const epr_host *host;

/* Number of each field of the state. */
enum { X, X_DOT, THETA, THETA_DOT, FIELDS };

/* Returns field f of the first lane of a call with consecutive lanes. */
static inline double *column(const epr_batch *b, uint64_t f) { return epr_field(b, 0, f); }

static int64_t reset(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++)
        for (uint64_t f = 0; f < FIELDS; f++) *(double *)epr_field(b, i, f) = host->uniform(epr_stream(b, i), -0.05, 0.05);
    return 0;
}

/* Advances `count` lanes, whose fields and actions are consecutive in memory. */
static void advance(uint64_t count, double *restrict x, double *restrict x_dot, double *restrict theta,
                    double *restrict theta_dot, const int32_t *restrict action, double *restrict reward, uint8_t *restrict end) {
    const double gravity = 9.8, length = 0.5, mass_pole = 0.1, mass = 1.1, tau = 0.02, pole_mass_length = mass_pole * length;
    for (uint64_t i = 0; i < count; i++) {
        double force = action[i] ? 10.0 : -10.0, cosine = cos(theta[i]), sine = sin(theta[i]);
        double temp = (force + pole_mass_length * (theta_dot[i] * theta_dot[i]) * sine) / mass;
        double theta_acc = (gravity * sine - cosine * temp) / (length * (4.0 / 3.0 - mass_pole * (cosine * cosine) / mass));
        double x_acc = temp - pole_mass_length * theta_acc * cosine / mass;
        x[i] += tau * x_dot[i];
        x_dot[i] += tau * x_acc;
        theta[i] += tau * theta_dot[i];
        theta_dot[i] += tau * theta_acc;
        reward[i] = 1.0;
        end[i] = (fabs(x[i]) > 2.4) | (fabs(theta[i]) > 12 * 2 * PI / 360); /* EPR_TERMINATED is 1 */
    }
}

static int64_t step(const epr_env *env, epr_batch *b) {
    (void)env;
    if (b->consecutive && b->action_stride[0] == sizeof(int32_t)) {
        advance(b->count, column(b, X), column(b, X_DOT), column(b, THETA), column(b, THETA_DOT), b->action[0], b->reward,
                b->end);
        return 0;
    }
    for (uint64_t i = 0; i < b->count; i++)
        advance(1, epr_field(b, i, X), epr_field(b, i, X_DOT), epr_field(b, i, THETA), epr_field(b, i, THETA_DOT),
                epr_action(b, 0, i), b->reward + i, b->end + i);
    return 0;
}

static int64_t observe(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t i = 0; i < b->count; i++)
        for (uint64_t f = 0; f < FIELDS; f++) ((float *)epr_out(b, 0, i))[f] = (float)*(double *)epr_field(b, i, f);
    return 0;
}

/* Checks a state from a snapshot, which may come from an untrusted file. */
static int64_t is_valid(const epr_env *env, epr_batch *b) {
    (void)env;
    for (uint64_t f = 0; f < FIELDS; f++)
        if (!isfinite(*(double *)epr_field(b, 0, f))) return epr_error(b, "state: expected finite numbers");
    return 0;
}

static int64_t make(const epr_task *task, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    static const uint64_t shape[] = {FIELDS};
    static const double high[] = {4.8, INFINITY, 24 * 2 * PI / 360, INFINITY};
    static const double low[] = {-4.8, -INFINITY, -24 * 2 * PI / 360, -INFINITY};
    static const int64_t actions[] = {2};
    static const epr_array observation = {.size = sizeof observation, .name = "", .kind = EPR_BOX, .dtype = EPR_FLOAT32,
                                          .dims = 1, .shape = shape, .bounds = 4, .low = low, .high = high};
    static const epr_array action = {.size = sizeof action, .name = "", .kind = EPR_DISCRETE, .dtype = EPR_INT64, .n = actions};
    (void)task, (void)values, (void)error, (void)error_size;
    *env = (epr_env){.size = sizeof *env, .players = 1, .flags = EPR_PLAIN | EPR_COLUMNS | EPR_UNIFORM, .observations = 1,
                     .observation = &observation, .actions = 1, .action = &action, .state_size = FIELDS * sizeof(double),
                     .reset = reset, .step = step, .observe = observe, .is_valid = is_valid};
    return 0;
}

static const epr_task task = {.size = sizeof task, .id = "CColumnsCartPole-v1", .max_episode_steps = 500,
                              .reward_threshold = 475.0, .make = make};
static const epr_task *const tasks[] = {&task};
static const epr_library library = {.size = sizeof library, .name = "cart_pole_columns", .version = "1.0.0", .tasks = 1,
                                    .task = tasks};

const epr_library *envpool_rs_library_0(const epr_host *functions) {
    host = functions;
    return &library;
}
