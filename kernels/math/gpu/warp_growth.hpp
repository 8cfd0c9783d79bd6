#pragma once
// The growth flag of an elimination whose multipliers are spread over the lanes of a warp.

#include "kernels/math/lu.hpp"
#include "kernels/math/warp.hpp"

namespace livens::inline LIVENS_ISA {

/// The growth flag as the multipliers raise it. solve_unpivoted() takes their maximum in the
/// order of elimination, and max() forgets a NaN that a number follows: the flag is raised where one above
/// growth_limit comes after the last NaN, or that NaN is the last multiplier of all.
template <class Scalar>
class Growth {
 public:
  static constexpr int memory = 2 * warp_size;  ///< doubles that raised() needs

  /// A multiplier of lane l and its place in the order of elimination.
  LIVENS_HD void see(int l, int place, double multiplier) {
    if (abs(multiplier) <= growth_limit) return;
    set_lane(multiplier == multiplier ? large_ : lost_, l, static_cast<double>(place));
  }
  /// 1 in the lanes of every tile whose flag is raised, else 0.
  template <int tile>
  LIVENS_HD Scalar raised(double* memory, int last) const {
    Scalar flag = Scalar(0.0);
    if (!any((large_ >= Scalar(0.0)) | (lost_ >= Scalar(0.0)))) return flag;
    Scalar::each_lane([&](int l) {
      memory[l] = lane(large_, l);
      memory[warp_size + l] = lane(lost_, l);
    });
    Scalar::each_lane([&](int l) {
      double large = -1.0, lost = -1.0;
      for (int other = l / tile * tile; other < (l / tile + 1) * tile; ++other) {
        large = max(large, memory[other]);
        lost = max(lost, memory[warp_size + other]);
      }
      set_lane(flag, l, large > lost || (lost >= 0.0 && lost == last) ? 1.0 : 0.0);
    });
    return flag;
  }

 private:
  Scalar large_ = Scalar(-1.0), lost_ = Scalar(-1.0);  ///< place of the last one; -1: none
};

}  // namespace livens::inline LIVENS_ISA
