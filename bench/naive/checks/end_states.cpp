#include <algorithm>
#include <array>
#include <cmath>

#include "checks/checks.hpp"
#include "naive.hpp"

namespace livens::naive {
namespace {

struct EndState {
  const char *system, *scheme;
  double step;
  int steps, first;  ///< the coordinates from `first` on
  std::array<double, 3> q;
  double bound;
};

// four_particle: mass 4 at t = 10 from the authors' own code. spring_pendulum: on record to eight decimals.
constexpr EndState end_states[] = {
    {"four_particle", "ems", 0.05, 200, 9, {.86875333741, 3.88822562141, 2.32002849891}, 1e-10},
    {"four_particle", "vi_a", 0.05, 200, 9, {.88670445628, 3.90890551110, 2.36874818248}, 1e-10},
    {"four_particle", "vi_b", 0.05, 200, 9, {.97879294338, 3.92736736308, 2.42706488177}, 1e-10},
    {"four_particle", "ggl_mp", 0.05, 200, 9, {.87645284405, 3.90991866585, 2.36047997444}, 1e-10},
    {"spring_pendulum", "livens", 0.01, 100, 0, {1.02215969, 2.35597075, 1.54143495}, 6e-9},
};

}  // namespace

void check_end_states() {
  for (const EndState& s : end_states) {
    const auto result = run(s.system, s.scheme, s.step, s.steps, 1e-13);
    double error = 0;
    for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(result.final_q[s.first + i] - s.q[i]));
    expect(std::string(s.system) + " " + s.scheme + ", end state", error, s.bound);
  }
  // P4 is the left end of the fourth bar.
  const auto q = run("double_four_bar", "ggl_vi", 0.001, 10000, 1e-13).final_q;
  expect("double_four_bar ggl_vi, x of joint P4 at t = 10 against the authors' code",
         std::abs(q[18] - 0.5 * q[20] - .32857496), 6e-9);
}

}  // namespace livens::naive
