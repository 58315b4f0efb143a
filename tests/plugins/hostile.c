/* Libraries with one mistake each, for tests of how pools refuse them.
 *
 * The mistake is the part of the file's name between `libhostile_` and the extension: tests copy the compiled file. Without a
 * known mistake, the library is correct: a counter that is observed, with an info, two options and a reset option. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "envpool_rs.h"

static char mistake[128], task_id[160];
static const epr_host *host;

#define MISTAKE(name) (strcmp(mistake, name) == 0)

/* Stores the mistake that the name of this library's file contains. */
static void read_mistake(void) {
    Dl_info info;
    if (!dladdr((void *)&read_mistake, &info) || !info.dli_fname) return;
    const char *name = strstr(info.dli_fname, "libhostile_");
    if (!name) return;
    name += strlen("libhostile_");
    size_t length = strcspn(name, ".");
    if (length >= sizeof mistake) return;
    memcpy(mistake, name, length);
    mistake[length] = 0;
}

/* --- the environment -------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t steps;
    double value;
    int64_t *heap;
    int64_t padding;
} state;

static int64_t calls; /* hidden state, which snapshots do not contain */

/* Fills the buffer of messages without a final zero. */
static int64_t unterminated(char *error, uint64_t error_size) {
    memset(error, 'x', error_size);
    return 1;
}

static int64_t create(const epr_env *env, epr_batch *b) {
    (void)env;
    if (MISTAKE("create_fails")) return epr_error(b, "no memory for the counter");
    for (uint64_t i = 0; i < b->count; i++) ((state *)epr_state(b, i))->heap = NULL;
    return 0;
}

static int64_t reset(const epr_env *env, epr_batch *b) {
    (void)env;
    if (MISTAKE("reset_fails")) return epr_error(b, "the level is missing");
    if (MISTAKE("reset_fails_silently")) return -7;
    for (uint64_t i = 0; i < b->count; i++) {
        state *s = epr_state(b, i);
        s->steps = 0;
        s->value = host->uniform(epr_stream(b, i), 0.0, 1.0);
        if (b->reset_option && !isnan(b->reset_option[0])) s->value = b->reset_option[0];
        if (b->elapsed) b->elapsed[i] = MISTAKE("elapsed_negative") ? -5 : MISTAKE("elapsed_huge") ? INT64_MAX : 0;
        if (MISTAKE("reset_unknown_end")) b->end[i] = 64;
        if (MISTAKE("reset_lane_fails") && b->lane[i] == 1) b->end[i] = EPR_FAILED;
        if (MISTAKE("not_plain")) s->heap = malloc(8);
    }
    return 0;
}

static int64_t step(const epr_env *env, epr_batch *b) {
    (void)env;
    calls++;
    if (MISTAKE("step_fails")) return epr_error(b, "the simulation diverged");
    if (MISTAKE("step_fails_silently")) return 3;
    if (MISTAKE("step_text_unterminated")) return unterminated(b->error, b->error_size);
    if (MISTAKE("step_text_is_not_utf8")) return epr_error(b, "caf\xe9");
    if (MISTAKE("slow_step")) nanosleep(&(struct timespec){30, 0}, NULL);
    if (MISTAKE("changes_the_batch")) b->count = 1000000, b->state = NULL, b->error_size = 1 << 30;
    if (MISTAKE("changes_the_lanes")) ((uint32_t *)b->lane)[0] = 4000000;
    for (uint64_t i = 0; i < b->count && !MISTAKE("changes_the_batch"); i++) {
        state *s = epr_state(b, i);
        s->steps++;
        s->value += *(const int32_t *)epr_action(b, 0, i);
        b->reward[i] = s->value;
        if (s->steps == 20) b->end[i] = EPR_TERMINATED;
        if (MISTAKE("reward_nan")) b->reward[i] = NAN;
        if (MISTAKE("reward_infinite")) b->reward[i] = -INFINITY;
        if (MISTAKE("end_unknown_bits")) b->end[i] = 32;
        if (MISTAKE("lane_fails") && b->lane[i] == 1) b->end[i] = EPR_FAILED, epr_error(b, "this lane is broken");
        if (MISTAKE("lane_fails_silently") && b->lane[i] == 1) b->end[i] = EPR_FAILED;
        if (MISTAKE("hidden_state")) s->value += 1e-3 * (double)(calls % 7);
        if (MISTAKE("own_random")) s->value += 1e-6 * (double)(rand() % 1000);
        if (MISTAKE("draws_from_another_lane")) s->value += host->random(b->random + (b->lane[i] ? 0 : 1));
        if (MISTAKE("depends_on_the_call")) s->value += 1e-3 * (double)b->count;
        if (MISTAKE("writes_before_the_state")) ((int64_t *)s)[-1] = 7;
        if (MISTAKE("writes_after_the_state")) ((int64_t *)(s + 1))[0] = 7;
        if (MISTAKE("writes_the_action")) *(int32_t *)epr_action(b, 0, i) = 1;
        if (MISTAKE("writes_rewards_of_others") && i + 1 == b->count) b->reward[b->count] = 1.0;
        if (MISTAKE("writes_end_of_others") && i + 1 == b->count) b->end[b->count] = 1;
        if (MISTAKE("not_plain")) s->value += 1e-3 * (double)(((uintptr_t)s->heap >> 4) % 1000);
    }
    return 0;
}

static int64_t observe(const epr_env *env, epr_batch *b) {
    (void)env;
    if (MISTAKE("observe_fails")) return epr_error(b, "the camera is broken");
    if (MISTAKE("observe_fails_later")) {
        static int64_t observed;
        if (++observed > 3) return epr_error(b, "the camera broke");
    }
    for (uint64_t i = 0; i < b->count; i++) {
        state *s = epr_state(b, i);
        float *out = epr_out(b, 0, i);
        out[0] = (float)s->steps;
        if (!MISTAKE("observation_unwritten")) out[1] = (float)s->value;
        if (MISTAKE("observation_nan")) out[1] = NAN;
        if (MISTAKE("observation_out_of_bounds")) out[0] = 1000.0f;
        if (MISTAKE("writes_before_the_row")) out[-1] = 5.0f;
        if (MISTAKE("writes_after_the_row")) out[2] = 5.0f;
        if (MISTAKE("observe_changes_the_state")) s->value += 0.25;
    }
    return 0;
}

static int64_t inform(const epr_env *env, epr_batch *b) {
    (void)env;
    if (MISTAKE("inform_fails")) return epr_error(b, "no statistics");
    for (uint64_t i = 0; b->out[0] && i < b->count; i++) {
        if (MISTAKE("info_unwritten")) continue;
        *(int64_t *)epr_out(b, 0, i) = ((state *)epr_state(b, i))->steps;
        if (MISTAKE("writes_after_the_info")) ((int64_t *)epr_out(b, 0, i))[1] = 7;
    }
    return 0;
}

static int64_t destroy(const epr_env *env, epr_batch *b) {
    (void)env;
    return MISTAKE("destroy_fails") ? epr_error(b, "cannot be destroyed") : 0;
}

static int64_t save(const epr_env *env, epr_batch *b, uint8_t *bytes, uint64_t room, uint64_t *length) {
    static uint64_t saved;
    (void)env;
    if (MISTAKE("save_fails")) return epr_error(b, "the disk is full");
    *length = sizeof(state);
    if (MISTAKE("save_length_grows")) *length = sizeof(state) + 8 * ++saved;
    if (MISTAKE("save_length_huge")) *length = UINT64_MAX / 2;
    if (MISTAKE("save_length_unset")) return 0;
    if (MISTAKE("save_writes_beyond") && room >= sizeof(state)) memset(bytes, 7, room + 8);
    if (MISTAKE("save_differs") && room >= sizeof(state)) {
        memset(bytes, (int)(++saved % 256), sizeof(state));
        return 0;
    }
    if (*length <= room) memcpy(bytes, epr_state(b, 0), sizeof(state));
    return 0;
}

static int64_t load(const epr_env *env, epr_batch *b, const uint8_t *bytes, uint64_t length) {
    (void)env;
    if (MISTAKE("load_refuses")) return epr_error(b, "this state is from another world");
    if (MISTAKE("load_refuses_silently")) return 1;
    if (length != sizeof(state)) return epr_error(b, "the state has another length");
    memcpy(epr_state(b, 0), bytes, sizeof(state));
    if (MISTAKE("load_forgets")) ((state *)epr_state(b, 0))->value = 0;
    return 0;
}

static int64_t is_valid(const epr_env *env, epr_batch *b) {
    (void)env;
    const state *s = epr_state(b, 0);
    if (MISTAKE("is_valid_refuses")) return epr_error(b, "steps: expected other numbers");
    return s->steps < 0 || s->steps > 20 ? epr_error(b, "steps: expected 0 to 20") : 0;
}

static int64_t render(const epr_env *env, epr_batch *b, uint8_t *rgb) {
    if (MISTAKE("render_fails")) return epr_error(b, "no screen");
    memset(rgb, 128, env->frame_width * env->frame_height * 3);
    if (MISTAKE("render_writes_beyond")) rgb[env->frame_width * env->frame_height * 3] = 7;
    return 0;
}

static int64_t render_text(const epr_env *env, epr_batch *b, char *text, uint64_t room, uint64_t *length) {
    (void)env, (void)b;
    const char *line = MISTAKE("render_text_is_not_utf8") ? "caf\xe9" : "text\n";
    *length = MISTAKE("render_text_length_huge") ? UINT64_MAX / 2 : strlen(line);
    if (*length <= room) memcpy(text, line, *length);
    return 0;
}

static int64_t check_reset(const epr_env *env, const double *option, char *error, uint64_t error_size) {
    (void)env;
    if (MISTAKE("check_reset_fails_silently") && option[0] > 5) return 1;
    return option[0] > 5 ? epr_write_error(error, error_size, "start: expected at most 5") : 0;
}

static int64_t prepare(epr_env *env, char *error, uint64_t error_size) {
    if (MISTAKE("prepare_changes_sizes")) env->state_size = 8;
    return MISTAKE("prepare_fails") ? epr_write_error(error, error_size, "levels.bin is missing") : 0;
}

/* --- tables ------------------------------------------------------------------------------------------------------------ */

static uint64_t two[] = {2}, zero[] = {0}, huge[] = {1ull << 40, 1ull << 40};
static double low[] = {0, -100}, high[] = {20, 100}, nans[] = {NAN, NAN}, falling[] = {30, -200};
static int64_t three[] = {3}, none[] = {0}, negative[] = {-2};

static void spoil_arrays(epr_env *e, epr_array *observation, epr_array *action, epr_array *info) {
    if (MISTAKE("array_size_wrong")) observation->size = 3;
    if (MISTAKE("array_name_null")) observation->name = NULL;
    if (MISTAKE("array_name_is_not_utf8")) observation->name = "caf\xe9";
    if (MISTAKE("array_kind_unknown")) observation->kind = 77;
    if (MISTAKE("array_dtype_unknown")) observation->dtype = 99;
    if (MISTAKE("array_dims_huge")) observation->dims = 1ull << 40;
    if (MISTAKE("array_shape_null")) observation->shape = NULL;
    if (MISTAKE("array_shape_zero")) observation->shape = zero;
    if (MISTAKE("array_shape_overflows")) observation->dims = 2, observation->shape = huge;
    if (MISTAKE("bounds_count_wrong")) observation->bounds = 5;
    if (MISTAKE("bounds_null")) observation->low = NULL;
    if (MISTAKE("bounds_nan")) observation->high = nans;
    if (MISTAKE("bounds_low_above_high")) observation->low = falling;
    if (MISTAKE("discrete_n_null")) action->n = NULL;
    if (MISTAKE("discrete_n_zero")) action->n = none;
    if (MISTAKE("discrete_n_negative")) action->n = negative;
    if (MISTAKE("discrete_start_huge")) action->start = INT64_MAX;
    if (MISTAKE("discrete_dtype_float")) action->dtype = EPR_FLOAT32;
    if (MISTAKE("action_is_text")) action->kind = EPR_TEXT, action->dtype = EPR_UINT8, action->dims = 1, action->shape = two;
    if (MISTAKE("text_without_charset")) observation->kind = EPR_TEXT, observation->dtype = EPR_UINT8;
    if (MISTAKE("names_missing")) e->observations = 2;
    if (MISTAKE("names_twice")) observation[0].name = observation[1].name = "speed", e->observations = 2;
    if (MISTAKE("name_is_a_prefix")) observation[0].name = "a", observation[1].name = "a.b", e->observations = 2;
    if (MISTAKE("name_with_empty_part")) observation[0].name = "a..b";
    if (MISTAKE("info_flags_unknown")) info->flags = 1 << 20;
    if (MISTAKE("info_name_empty")) info->name = "";
    if (MISTAKE("info_name_taken")) info->name = "env_id";
    if (MISTAKE("info_kind_discrete")) info->kind = EPR_DISCRETE;
}

static void spoil_env(epr_env *e) {
    if (MISTAKE("env_size_zero")) e->size = 0;
    if (MISTAKE("env_size_huge")) e->size = 1ull << 40;
    if (MISTAKE("players_huge")) e->players = 1ull << 40;
    if (MISTAKE("flags_unknown")) e->flags |= 1ull << 30;
    if (MISTAKE("observations_none")) e->observations = 0;
    if (MISTAKE("observations_huge")) e->observations = 1ull << 40;
    if (MISTAKE("observations_null")) e->observation = NULL;
    if (MISTAKE("actions_none")) e->actions = 0;
    if (MISTAKE("actions_null")) e->action = NULL;
    if (MISTAKE("infos_negative")) e->infos = (uint64_t)-1;
    if (MISTAKE("infos_null")) e->info = NULL;
    if (MISTAKE("state_size_huge")) e->state_size = 1ull << 60;
    if (MISTAKE("state_align_three")) e->state_align = 3;
    if (MISTAKE("state_align_huge")) e->state_align = 4096;
    if (MISTAKE("columns_of_odd_size")) e->flags |= EPR_COLUMNS, e->state_size = 12;
    if (MISTAKE("columns_not_plain")) e->flags = EPR_COLUMNS;
    if (MISTAKE("scratch_huge")) e->scratch_size = 1ull << 60;
    if (MISTAKE("lane_heap_huge")) e->lane_heap = 1ull << 60;
    if (MISTAKE("lane_heap_overflows")) e->lane_heap = UINT64_MAX;
    if (MISTAKE("together_huge")) e->together = UINT64_MAX;
    if (MISTAKE("reset_missing")) e->reset = NULL;
    if (MISTAKE("step_missing")) e->step = NULL;
    if (MISTAKE("observe_missing")) e->observe = NULL;
    if (MISTAKE("inform_missing")) e->inform = NULL;
    if (MISTAKE("load_missing")) e->load = NULL;
    if (MISTAKE("save_missing")) e->save = NULL;
    if (MISTAKE("no_snapshots")) e->save = NULL, e->load = NULL;
    if (MISTAKE("render_without_size")) e->frame_width = 0;
    if (MISTAKE("frame_huge")) e->frame_width = 1ull << 40;
}

static int64_t make(const epr_task *task, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    static epr_array observation[2], action, info;
    (void)task;
    if (MISTAKE("make_fails")) return epr_write_error(error, error_size, "no licence for this machine");
    if (MISTAKE("make_fails_silently")) return 1;
    if (MISTAKE("make_text_unterminated")) return unterminated(error, error_size);
    if (MISTAKE("make_does_nothing")) return 0;
    if (MISTAKE("make_refuses_speed") && values[0].number > 5)
        return epr_write_error(error, error_size, "speed: expected at most 5");
    observation[0] = (epr_array){.size = sizeof(epr_array), .name = "", .kind = EPR_BOX, .dtype = EPR_FLOAT32, .dims = 1,
                                 .shape = two, .bounds = 2, .low = low, .high = high};
    observation[1] = observation[0];
    action = (epr_array){.size = sizeof(epr_array), .name = "", .kind = EPR_DISCRETE, .dtype = EPR_INT64, .n = three};
    info = (epr_array){.size = sizeof(epr_array), .name = "steps", .kind = EPR_BOX, .dtype = EPR_INT64};
    *env = (epr_env){.size = sizeof *env, .players = 1, .flags = EPR_PLAIN, .observations = 1, .observation = observation,
                     .actions = 1, .action = &action, .infos = 1, .info = &info, .state_size = sizeof(state), .create = create,
                     .reset = reset, .step = step, .observe = observe, .inform = inform, .destroy = destroy,
                     .is_valid = is_valid, .render = render, .render_text = render_text, .frame_width = 8, .frame_height = 4,
                     .frames_per_second = 10, .check_reset = check_reset, .prepare = prepare};
    if (strncmp(mistake, "save", 4) == 0 || strncmp(mistake, "load", 4) == 0 || MISTAKE("no_snapshots"))
        env->flags = 0, env->save = save, env->load = load;
    spoil_arrays(env, observation, &action, &info);
    spoil_env(env);
    return 0;
}

static void spoil_option(epr_option *o) {
    if (MISTAKE("option_size_wrong")) o->size = 1;
    if (MISTAKE("option_name_null")) o->name = NULL;
    if (MISTAKE("option_name_with_space")) o->name = "top speed";
    if (MISTAKE("option_name_taken")) o->name = "num_envs";
    if (MISTAKE("option_name_is_check")) o->name = "check";
    if (MISTAKE("option_name_is_keyword")) o->name = "class";
    if (MISTAKE("option_kind_unknown")) o->value.kind = 9;
    if (MISTAKE("option_default_out_of_range")) o->value.number = 50;
    if (MISTAKE("option_default_nan")) o->value.number = NAN;
    if (MISTAKE("option_low_above_high")) o->low = 20;
    if (MISTAKE("option_bounds_nan")) o->high = NAN;
    if (MISTAKE("option_flags_unknown")) o->flags |= 1 << 9;
    if (MISTAKE("option_is_a_path_of_numbers")) o->flags |= EPR_PATH;
}

static void spoil_choices(epr_option *o) {
    static const char *const hole[] = {"red", NULL};
    if (MISTAKE("option_twice")) o->name = "speed";
    if (MISTAKE("option_text_null")) o->value.text = NULL;
    if (MISTAKE("option_default_not_a_choice")) o->value.text = "blue";
    if (MISTAKE("option_choices_null")) o->choice = NULL;
    if (MISTAKE("option_choice_null")) o->choice = hole;
    if (MISTAKE("option_choices_huge")) o->choices = 1ull << 40;
}

static void spoil_task(epr_task *t) {
    static const char *const hole[] = {NULL};
    if (MISTAKE("task_size_wrong")) t->size = 7;
    if (MISTAKE("id_null")) t->id = NULL;
    if (MISTAKE("id_empty")) t->id = "";
    if (MISTAKE("id_with_spaces")) t->id = "My Task-v0";
    if (MISTAKE("id_without_version")) t->id = "MyTask";
    if (MISTAKE("id_is_not_utf8")) t->id = "caf\xe9-v0";
    if (MISTAKE("id_taken")) t->id = "CartPole-v1";
    if (MISTAKE("max_episode_steps_negative")) t->max_episode_steps = (uint64_t)-1;
    if (MISTAKE("options_huge")) t->options = 1ull << 40;
    if (MISTAKE("options_null")) t->option = NULL;
    if (MISTAKE("reset_options_null")) t->reset_option = NULL;
    if (MISTAKE("reset_option_name_null")) t->reset_option = hole;
    if (MISTAKE("reset_options_huge")) t->reset_options = 1ull << 40;
    if (MISTAKE("make_missing")) t->make = NULL;
}

static void spoil_library(epr_library *l) {
    if (MISTAKE("library_size_zero")) l->size = 0;
    if (MISTAKE("name_null")) l->name = NULL;
    if (MISTAKE("name_empty")) l->name = "";
    if (MISTAKE("name_is_not_utf8")) l->name = "caf\xe9";
    if (MISTAKE("version_null")) l->version = NULL;
    if (MISTAKE("no_tasks")) l->tasks = 0;
    if (MISTAKE("tasks_huge")) l->tasks = 1ull << 40;
    if (MISTAKE("tasks_null")) l->task = NULL;
}

const epr_library *envpool_rs_library_0(const epr_host *functions) {
    static const char *const colours[] = {"red", "green"}, *const starts[] = {"start"};
    static epr_option option[2];
    static epr_task task;
    static const epr_task *tasks[2] = {&task, &task};
    static epr_library library;
    host = functions;
    read_mistake();
    if (MISTAKE("library_null")) return NULL;
    snprintf(task_id, sizeof task_id, "hostile/%s-v0", mistake);
    option[0] = (epr_option){.size = sizeof(epr_option), .name = "speed", .doc = "in m/s", .low = 0, .high = 10,
                             .value = {.kind = EPR_OPTION_FLOAT, .number = 1}, .flags = EPR_RANGE};
    option[1] = (epr_option){.size = sizeof(epr_option), .name = "colour", .doc = "of the counter", .choices = 2,
                             .choice = colours, .value = {.kind = EPR_OPTION_TEXT, .text = "red"}};
    task = (epr_task){.size = sizeof task, .id = task_id, .max_episode_steps = 50, .options = 2, .option = option,
                      .reset_options = 1, .reset_option = starts, .make = make};
    library = (epr_library){.size = sizeof library, .name = "hostile", .version = "1.0", .tasks = 1, .task = tasks};
    spoil_option(&option[0]);
    spoil_choices(&option[1]);
    spoil_task(&task);
    if (MISTAKE("task_null")) tasks[0] = NULL;
    if (MISTAKE("id_twice")) library.tasks = 2;
    spoil_library(&library);
    return &library;
}
