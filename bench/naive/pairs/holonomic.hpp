// The loops of a system with holonomic constraints and a constant, regular mass matrix.
#pragma once

#include <array>
#include <string_view>

#include "naive.hpp"
#include "schemes/del_multiplier.hpp"
#include "schemes/ems.hpp"
#include "schemes/ggl_mp.hpp"
#include "schemes/ggl_vi.hpp"
#include "schemes/livens.hpp"
#include "schemes/rattle.hpp"
#include "schemes/vi_a.hpp"
#include "schemes/vi_b.hpp"
#include "trajectory.hpp"

namespace livens::naive {

// del_nullspace is compared with the multiplier form: same trajectory, and what a loop written for one study
// uses.
template <class System>
constexpr auto holonomic_pairs(std::string_view name) {
  return std::array{
      pair<System, Ems>(name, "ems"),
      pair<System, GglVi>(name, "ggl_vi"),
      pair<System, ViA>(name, "vi_a"),
      pair<System, ViB>(name, "vi_b"),
      pair<System, GglMp>(name, "ggl_mp"),
      pair<System, Livens>(name, "livens"),
      pair<System, Rattle>(name, "rattle"),
      pair<System, DelMultiplier>(name, "del_multiplier"),
      pair<System, DelMultiplier>(name, "del_nullspace"),
  };
}

}  // namespace livens::naive
