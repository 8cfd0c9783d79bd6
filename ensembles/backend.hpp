#pragma once
// The machine an ensemble runs on: CPU lanes and threads, a GPU, or the Eigen reference. All arrays are the
// caller's.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backends/interface.hpp"

namespace livens::ensembles {

/// Integrates the instances of a Batch. Ranges are instances [first, last), multiples of tile_size.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;    ///< "cpu", "cuda", "reference"
  virtual std::string device() const = 0;  ///< e.g. "AMD EPYC, avx512, 2 threads"
  virtual const SystemInfo& system() const = 0;
  virtual const SchemeInfo& scheme() const = 0;
  virtual std::string form() const = 0;
  virtual int unknowns() const = 0;
  virtual int record_width() const = 0;

  virtual void initial_states(const Batch&) = 0;
  virtual void momenta(const Batch&) = 0;
  virtual void velocities(const Batch&) = 0;
  virtual void make_consistent(const Batch&, Consistency, std::uint8_t* status) = 0;
  virtual void start(const Batch&, const Settings&, const std::uint8_t* status) = 0;
  /// Integrates to unit `to`; the records know where they stand.
  virtual void advance(const Batch&, const Settings&, std::int64_t to) = 0;
  virtual void node(const Batch&, const double* before, std::int64_t instance, NodeView&) = 0;

  /// Calls body(block) for every block in [0, blocks), on the backend's host threads.
  virtual void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) = 0;
};

}  // namespace livens::ensembles
