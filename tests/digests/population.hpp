#pragma once
// The instances of the self-test: parameters, steps and initial states spread around the defaults of a
// system, and a few instances that must fail, each in its own way.

#include <cstdint>
#include <vector>

#include "kernels/description/interface.hpp"

namespace livens::selftest {

/// The spread of a population: its size, what is varied and how far.
struct Spread {
  std::int64_t size;         ///< instances, a multiple of tile_size
  double parameters = 0.2;   ///< relative
  double velocities = 0.3;   ///< absolute, in the units of the system
  double step = 0.1;         ///< relative
  double step_factor = 1.0;  ///< of the default step of the system
  bool damped = false;       ///< parameters that are zero by default and may be positive become so
  bool failures = true;      ///< with the instances that must fail
};

/// Owns the arrays of a Batch. Two of the same system and spread are equal.
class Population {
 public:
  Population(const SystemInfo& system, int record_width, const Spread& spread);
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;

  const Batch& batch() const { return batch_; }
  void compose(const Composition& composition) { batch_.composition = composition; }
  std::vector<std::uint8_t>& status() { return status_; }
  /// Moves the velocities, once the backend has filled in the system's own.
  void disturb_velocities();

  std::vector<double> q, v, p, records;

 private:
  double random(std::int64_t instance, int entry) const;

  const SystemInfo& system_;
  Spread spread_;
  std::vector<double> shared_, step_;
  std::vector<std::vector<double>> varied_;
  std::vector<double*> pointers_;
  std::vector<std::int64_t> steps_per_beat_;
  std::vector<std::uint8_t> status_;
  Batch batch_{};
};

}  // namespace livens::selftest
