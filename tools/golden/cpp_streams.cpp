// Writes tests/data/cpp_random.json: draws of std::mt19937 and of libstdc++'s distributions, for comparison in
// src/numeric/random/tests.
//
//     g++ -O2 -o /tmp/cpp_streams tools/golden/cpp_streams.cpp && /tmp/cpp_streams > tests/data/cpp_random.json
//
// For each seed, one generator draws 40 integers of each range, then 40 floats of each interval, which are written as their bits.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

int main() {
  const std::uint32_t seeds[] = {0, 1, 42, 5489, 2147483647u, 4294967293u};
  const std::int64_t ranges[][2] = {{0, 0},
                                    {0, 1},
                                    {0, 29},
                                    {-7, 3},
                                    {0, 3000000000},
                                    {1, 4294967295},
                                    {0, 4294967295},
                                    {0, 4294967296},
                                    {-5000000000, 7000000000},
                                    {0, 9223372036854775807},
                                    {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}};
  const double intervals[][2] = {{0.0, 1.0}, {-0.05, 0.05}, {3.0, 1e9}};
  std::printf("[");
  for (std::uint32_t seed : seeds) {
    std::mt19937 generator(seed);
    std::printf("%s\n{\"seed\": %u, \"integers\": [", seed == seeds[0] ? "" : ",", seed);
    bool first = true;
    for (const auto& range : ranges) {
      std::printf("%s\n[%lld, %lld, [", first ? "" : ",", (long long)range[0], (long long)range[1]);
      first = false;
      for (int i = 0; i < 40; ++i) {
        std::uniform_int_distribution<std::int64_t> draw(range[0], range[1]);
        std::printf("%s%lld", i ? ", " : "", (long long)draw(generator));
      }
      std::printf("]]");
    }
    std::printf("], \"floats\": [");
    first = true;
    for (const auto& interval : intervals) {
      std::printf("%s\n[%.17g, %.17g, [", first ? "" : ",", interval[0], interval[1]);
      first = false;
      for (int i = 0; i < 40; ++i) {
        std::uniform_real_distribution<double> draw(interval[0], interval[1]);
        const double value = draw(generator);
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        std::printf("%s%llu", i ? ", " : "", (unsigned long long)bits);
      }
      std::printf("]]");
    }
    std::printf("]}");
  }
  std::printf("\n]\n");
}
