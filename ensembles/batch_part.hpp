#pragma once
// Some instances of a batch as a batch of their own.

#include <algorithm>
#include <vector>

#include "kernels/description/interface.hpp"

namespace livens::ensembles {

/// Refers to the arrays of the whole, which must outlive it.
class BatchPart {
 public:
  /// Instances [first, last), multiples of tile_size.
  BatchPart(const Batch& whole, const SystemInfo& system, int record_width, std::int64_t first,
            std::int64_t last)
      : batch_(whole) {
    int entries = 0;
    for (const ParameterInfo& parameter : system.parameters) entries += parameter.size();
    const auto from = [](auto* values, std::int64_t at) { return values == nullptr ? nullptr : values + at; };
    for (int entry = 0; entry < entries; ++entry) varied_.push_back(from(whole.varied[entry], first));
    batch_.size = last - first;
    batch_.varied = varied_.data();
    batch_.varied_step = from(whole.varied_step, first);
    batch_.steps_per_beat = from(whole.steps_per_beat, first);
    for (double** states : {&batch_.q, &batch_.v, &batch_.p})
      *states = from(*states, first * system.coordinates);
    for (const double** states : {&batch_.given_q, &batch_.given_v})
      *states = from(*states, first * system.coordinates);
    batch_.records = from(whole.records, column_offset(first / tile_size, record_width, 0));
    batch_.first = whole.first + first;
    batch_.last = std::min(whole.first + last, whole.last);  // without the padding
    batch_.numbers = from(whole.numbers, first);
  }
  BatchPart(BatchPart&&) = default;

  const Batch& batch() const { return batch_; }

 private:
  std::vector<double*> varied_;
  Batch batch_;
};

}  // namespace livens::ensembles
