#pragma once
// The record of one instance, number by number, for those who take instances one by one and know the system
// at run time: its columns, and what they keep of a node.

#include "kernels/description/interface.hpp"
#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// First number of the record of instance i; columns lie tile_size apart.
LIVENS_HD double* record_of(const Batch& batch, std::int64_t i, int width) {
  return batch.records + column_offset(i / tile_size, width, 0) + i % tile_size;
}
LIVENS_HD double& column(double* record, Column c) { return record[static_cast<int>(c) * tile_size]; }

LIVENS_HD void fail(double* record, Status status, std::int64_t step) {
  column(record, Column::status) = static_cast<double>(status);
  column(record, Column::failed_step) = static_cast<double>(step);
}

/// What a record keeps of a node.
struct Measures {
  double energy_error, constraint, velocity_constraint, momentum_error, dissipated, work;

  /// Of a column that has a formula.
  template <Column c>
  LIVENS_HD double at() const {
    if constexpr (c == Column::energy_error)
      return energy_error;
    else if constexpr (c == Column::constraint)
      return constraint;
    else if constexpr (c == Column::velocity_constraint)
      return velocity_constraint;
    else if constexpr (c == Column::momentum_error)
      return momentum_error;
    else if constexpr (c == Column::dissipated_energy)
      return dissipated;
    else {
      static_assert(c == Column::work);
      return work;
    }
  }
};

/// The columns that have formulas, and those that follow them.
LIVENS_HD void write_node(double* record, const Measures& node) {
  unroll<column_count>([&](auto row) {
    constexpr Column written = columns[decltype(row)::value].column;
    if constexpr (has_formula(columns[decltype(row)::value].kind)) {
      const double value = node.at<written>();
      column(record, written) = value;
      unroll<column_count>([&](auto other) {
        constexpr Kind kind = columns[decltype(other)::value].kind;
        if constexpr (columns[decltype(other)::value].of == columns[decltype(row)::value].column) {
          double& kept = column(record, columns[decltype(other)::value].column);
          if constexpr (kind == Kind::mean_square)
            kept += value * value;
          else
            kept = max(kind == Kind::largest ? value : abs(value), kept);
        }
      });
    }
  });
}

/// A step that changes the values of the stop conditions from before(k) to after(k), k < count, meets one
/// (kernels/stepping/stop.hpp): the record then has the time, time_of(k), and the number of the first, behind
/// its `momentum_maps`.
template <class Before, class After, class TimeOf>
LIVENS_HD bool meets_stop(double* record, int momentum_maps, int count, const Before& before,
                          const After& after, const TimeOf& time_of) {
  bool met = false;
  double* const kept = record + (column_count + momentum_maps) * tile_size;
  for (int k = 0; k < count; ++k) {
    const double f0 = before(k), f1 = after(k);
    if (!((f0 > 0.0 && f1 <= 0.0) || (f0 < 0.0 && f1 >= 0.0))) continue;
    const double time = time_of(k);
    if (met && !(time < kept[0])) continue;
    met = true;
    kept[0] = time;
    kept[tile_size] = static_cast<double>(k);
  }
  return met;
}

}  // namespace livens::inline LIVENS_ISA
