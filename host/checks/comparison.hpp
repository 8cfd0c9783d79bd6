#pragma once
// Two results of one ensemble: as close as round-off allows, or the same bits.

#include <array>
#include <cstdint>
#include <vector>

#include "ensembles/result.hpp"

namespace livens::host {

/// The quantities that are compared, at the end of a run; the energy at the samples of the trajectories.
inline constexpr std::array<const char*, 4> compared_quantities = {"q", "p", "v", "energy"};

/// A result against the reference's. Instances that fail on both sides are not compared. One that the kernels
/// mark for its energy balance has a motion the reference goes on with; it is not compared.
struct Agreement {
  std::size_t compared = 0;            ///< instances
  std::size_t failed = 0;              ///< on both sides, or marked
  std::size_t failed_alone = 0;        ///< on one side: the two do not agree
  std::array<double, 4> difference{};  ///< largest, relative to the largest of the reference's values
  double bound = 0.0;                  ///< the largest round-off of an instance compared

  bool holds() const;
};
/// `round_off`: what it may make of an instance, relative to the size of a quantity.
Agreement agreement(const ensembles::Result& result, const ensembles::Result& expected,
                    const std::vector<double>& round_off);

/// Largest distance of two results in units in the last place.
std::int64_t ulp_difference(const ensembles::Result& a, const ensembles::Result& b);

}  // namespace livens::host
