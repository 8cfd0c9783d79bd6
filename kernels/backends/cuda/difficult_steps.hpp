#pragma once
// How far a device takes an instance with care. A difficult step is taken by a kernel of its own, slow and
// with a large stack; the instance goes back to the fast kernel as soon as that step is done. One that is
// left again and again is taken 2, 4, ... steps on, so that there are few launches whatever the instances
// need.

#include "kernels/backends/instances.hpp"

namespace livens::inline LIVENS_ISA {

/// The step to which instance i goes in a launch with care that takes each one `steps` steps on, at most to
/// beat `to`. Where it stands already if it has failed.
LIVENS_HD double careful_end(const Batch& batch, int record_width, std::int64_t to, double steps,
                             std::int64_t i) {
  const double at = recorded(batch, record_width, Column::steps, i);
  return is_ok(batch, record_width, i) ? min(load_steps<double>(batch, to, i), at + steps) : at;
}

}  // namespace livens::inline LIVENS_ISA
