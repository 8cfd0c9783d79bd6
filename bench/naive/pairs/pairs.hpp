// The loops of each system, instantiated in a translation unit of its own; naive.cpp collects them.
#pragma once

#include <span>

#include "naive.hpp"

namespace livens::naive {

std::span<const Pair> four_particle_pairs();
std::span<const Pair> heavy_top_pairs();
std::span<const Pair> double_four_bar_pairs();
std::span<const Pair> double_spherical_pendulum_pairs();
std::span<const Pair> unit_circle_pairs();
std::span<const Pair> other_pairs();

}  // namespace livens::naive
