/* PufferLib's Breakout as it is, for tests that call it by ctypes: one game, with libc's rand(). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "breakout.h"

#define EXPORT __attribute__((visibility("default")))

static Breakout game;

/* Starts a game by PufferLib's order of calls. */
EXPORT void original_reset(unsigned seed, int frameskip) {
    game = (Breakout){.frameskip = frameskip, .width = 576, .height = 330, .paddle_width = 62, .paddle_height = 8, .ball_width = 32,
                      .ball_height = 32, .brick_width = 32, .brick_height = 12, .brick_rows = 6, .brick_cols = 18};
    allocate(&game);
    srand(seed);
    c_reset(&game);
}

/* Steps the game with `count` actions; writes its 118 numbers, its reward and its flag after each. */
EXPORT void original_steps(int count, const float *actions, float *observations, float *rewards, unsigned char *terminals) {
    for (int i = 0; i < count; i++) {
        game.actions[0] = actions[i];
        c_step(&game);
        for (int k = 0; k < 118; k++) observations[118 * i + k] = game.observations[k];
        rewards[i] = game.rewards[0];
        terminals[i] = game.terminals[0];
    }
}
