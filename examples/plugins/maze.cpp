// A maze in C++: states that own memory, and exceptions that become errors of the pool.
//
//     include=$(python -c 'import envpool_rs; print(envpool_rs.get_include())')
//     c++ -shared -fPIC -std=c++17 -O2 -I "$include" maze.cpp -o libmaze.so
//
// The player starts at S and searches for E; # is a wall. Walking into a wall, or to a cell visited before, costs 0.1.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "envpool_rs.h"

namespace {

// The map, and the arrays that depend on its size.
struct Maze {
    std::vector<std::string> rows;
    size_t start = 0, width = 0;
    uint64_t shape[2] = {0, 0};
    double low = 0, high = 3;
    int64_t moves = 4;
    epr_array observation{}, action{}, info{};

    // Reads the rows of the map, which are separated by '/'.
    explicit Maze(const std::string &map) {
        for (size_t begin = 0; begin <= map.size();) {
            size_t end = std::min(map.find('/', begin), map.size());
            rows.push_back(map.substr(begin, end - begin));
            begin = end + 1;
        }
        width = rows[0].size();
        std::string cells;
        for (const std::string &row : rows) {
            if (row.size() != width || row.empty()) throw std::invalid_argument("map: expected rows of the same length");
            cells += row;
        }
        if (std::count(cells.begin(), cells.end(), 'S') != 1 || std::count(cells.begin(), cells.end(), 'E') != 1)
            throw std::invalid_argument("map: expected one S and one E");
        size_t other = cells.find_first_not_of("SE#.");
        if (other != std::string::npos)
            throw std::invalid_argument(std::string("map: expected S, E, # and ., not ") + cells[other]);
        start = cells.find('S');
        shape[0] = rows.size(), shape[1] = width;
        observation.size = action.size = info.size = sizeof(epr_array);
        observation.name = action.name = "", info.name = "visited";
        observation.kind = info.kind = EPR_BOX, action.kind = EPR_DISCRETE;
        observation.dtype = EPR_UINT8, info.dtype = action.dtype = EPR_INT64;
        observation.dims = 2, observation.shape = shape;
        observation.bounds = 1, observation.low = &low, observation.high = &high;
        action.n = &moves;
    }

    char at(size_t cell) const { return rows[cell / width][cell % width]; }
    size_t cells() const { return rows.size() * width; }
};

// State of a lane. The pool owns the memory of the struct, and the struct's vector owns further memory. So functions
// create, destroy, save and load the state.
struct Lane {
    size_t cell;
    std::vector<uint8_t> visited;
};

const Maze &maze(const epr_env *env) { return *static_cast<const Maze *>(env->data); }
Lane &lane(const epr_batch *b, uint64_t i) { return *static_cast<Lane *>(epr_state(b, i)); }

int64_t create(const epr_env *env, epr_batch *b) {
    return epr_guarded(b, [&] {
        for (uint64_t i = 0; i < b->count; i++) new (epr_state(b, i)) Lane{0, std::vector<uint8_t>(maze(env).cells())};
    });
}

int64_t destroy(const epr_env *, epr_batch *b) {
    for (uint64_t i = 0; i < b->count; i++) lane(b, i).~Lane();
    return 0;
}

int64_t reset(const epr_env *env, epr_batch *b) {
    for (uint64_t i = 0; i < b->count; i++) {
        Lane &l = lane(b, i);
        l.cell = maze(env).start;
        std::fill(l.visited.begin(), l.visited.end(), uint8_t(0));
        l.visited[l.cell] = 1;
    }
    return 0;
}

int64_t step(const epr_env *env, epr_batch *b) {
    return epr_guarded(b, [&] {
        const Maze &m = maze(env);
        for (uint64_t i = 0; i < b->count; i++) {
            Lane &l = lane(b, i);
            size_t row = l.cell / m.width, column = l.cell % m.width;
            switch (*static_cast<const int32_t *>(epr_action(b, 0, i))) { // up, right, down, left
                case 0: row = row ? row - 1 : 0; break;
                case 1: column = std::min(column + 1, m.width - 1); break;
                case 2: row = std::min(row + 1, m.rows.size() - 1); break;
                default: column = column ? column - 1 : 0;
            }
            size_t target = row * m.width + column;
            if (m.at(target) == '#' || l.visited.at(target)) b->reward[i] = -0.1;
            if (m.at(target) == '#') continue;
            l.cell = target, l.visited.at(target) = 1;
            if (m.at(target) == 'E') b->reward[i] = 1, b->end[i] = EPR_TERMINATED;
        }
    });
}

// Writes each cell of the map: 0 for a free cell, 1 for a wall, 2 for the exit, 3 for the player.
int64_t observe(const epr_env *env, epr_batch *b) {
    const Maze &m = maze(env);
    for (uint64_t i = 0; i < b->count; i++) {
        auto *out = static_cast<uint8_t *>(epr_out(b, 0, i));
        for (size_t cell = 0; cell < m.cells(); cell++) out[cell] = m.at(cell) == '#' ? 1 : m.at(cell) == 'E' ? 2 : 0;
        out[lane(b, i).cell] = 3;
    }
    return 0;
}

int64_t inform(const epr_env *, epr_batch *b) {
    for (uint64_t i = 0; b->out[0] && i < b->count; i++) {
        const std::vector<uint8_t> &visited = lane(b, i).visited;
        *static_cast<int64_t *>(epr_out(b, 0, i)) = std::count(visited.begin(), visited.end(), 1);
    }
    return 0;
}

int64_t save(const epr_env *, epr_batch *b, uint8_t *bytes, uint64_t room, uint64_t *length) {
    const Lane &l = lane(b, 0);
    uint64_t cell = l.cell;
    *length = sizeof cell + l.visited.size();
    if (*length <= room) {
        std::memcpy(bytes, &cell, sizeof cell);
        std::memcpy(bytes + sizeof cell, l.visited.data(), l.visited.size());
    }
    return 0;
}

// Refuses bytes that do not hold a state of a lane with this map.
int64_t load(const epr_env *env, epr_batch *b, const uint8_t *bytes, uint64_t length) {
    return epr_guarded(b, [&] {
        const Maze &m = maze(env);
        uint64_t cell;
        if (length != sizeof cell + m.cells()) throw std::length_error("the state is of another map");
        std::memcpy(&cell, bytes, sizeof cell);
        if (cell >= m.cells() || m.at(cell) == '#') throw std::out_of_range("the player is not on the map");
        lane(b, 0).visited.assign(bytes + sizeof cell, bytes + length);
        lane(b, 0).cell = cell;
    });
}

void unmake(epr_env *env) { delete static_cast<Maze *>(env->data); }

int64_t make(const epr_task *, const epr_value *values, epr_env *env, char *error, uint64_t error_size) {
    epr_batch b{};
    b.error = error, b.error_size = error_size;
    return epr_guarded(&b, [&] {
        auto m = std::make_unique<Maze>(values[0].text);
        env->size = sizeof *env;
        env->players = 1;
        env->flags = EPR_UNIFORM;
        env->observations = env->actions = env->infos = 1;
        env->observation = &m->observation, env->action = &m->action, env->info = &m->info;
        env->state_size = sizeof(Lane), env->state_align = alignof(Lane), env->lane_heap = m->cells();
        env->create = create, env->destroy = destroy, env->reset = reset, env->step = step;
        env->observe = observe, env->inform = inform, env->save = save, env->load = load, env->unmake = unmake;
        env->data = m.release();
    });
}

epr_option map_option() {
    epr_option option{};
    option.size = sizeof option, option.name = "map", option.doc = "rows, separated by '/', of S, E, # and .";
    option.value.kind = EPR_OPTION_TEXT, option.value.text = "S.#/.../#.E";
    return option;
}

epr_task maze_task(const epr_option *option) {
    epr_task task{};
    task.size = sizeof task, task.id = "CppMaze-v0", task.max_episode_steps = 100;
    task.options = 1, task.option = option, task.make = make;
    return task;
}

} // namespace

extern "C" const epr_library *envpool_rs_library_0(const epr_host *) {
    static const epr_option option = map_option();
    static const epr_task task = maze_task(&option);
    static const epr_task *const tasks[] = {&task};
    static const epr_library library{sizeof library, "maze", "1.0.0", 1, tasks};
    return &library;
}
