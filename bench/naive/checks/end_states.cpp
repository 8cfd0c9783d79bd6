#include <cmath>

#include "checks/checks.hpp"
#include "naive.hpp"

namespace livens::naive {

void check_end_states() {
  // Mass 4 at t = 10.
  const auto four = run("four_particle", "ems", 0.05, 200, 1e-13).final_q;
  const double published[] = {.86875333741, 3.88822562141, 2.32002849891};
  for (int i = 0; i < 3; ++i)
    expect("four_particle ems, end state against the authors' code", std::abs(four[9 + i] - published[i]),
           1e-10);
  // P4 is the left end of the fourth bar.
  const auto q = run("double_four_bar", "ggl_vi", 0.001, 10000, 1e-13).final_q;
  expect("double_four_bar ggl_vi, x of joint P4 at t = 10 against the authors' code",
         std::abs(q[18] - 0.5 * q[20] - .32857496), 6e-9);
}

}  // namespace livens::naive
