#pragma once
// The arrays of an ensemble, and the tiles in which its records stand.

#include <cstdint>

#include "kernels/description/compositions.hpp"
#include "kernels/description/quantity_table.hpp"
#include "kernels/description/settings.hpp"
#include "kernels/description/status.hpp"

namespace livens {

/// Instances are stored in tiles of this many, structure of arrays inside a tile, on every backend.
inline constexpr int tile_size = 32;

/// The arrays of an ensemble. They belong to the caller; N is a multiple of tile_size (the last instance is
/// repeated).
struct Batch {
  std::int64_t size;  ///< N
  const double*
      shared_parameters;         ///< one value per scalar parameter of the system, in the order of its list
  double* const* varied;         ///< per scalar parameter: N values, or null where it is shared
  double shared_step;            ///< h, s
  double* varied_step;           ///< N values or null
  std::int64_t* steps_per_beat;  ///< per instance, or null: 1. advance() counts in these beats
  double* q;                     ///< N,d initial coordinates, instance-major
  double* v;                     ///< N,d initial velocities
  double* p;                     ///< N,d initial momenta
  double* records;               ///< N/tile_size tiles of record_width columns of tile_size values
  std::int64_t first = 0, last = 0;       ///< the instances are [first, last) of the run, without the padding
  const std::int64_t* numbers = nullptr;  ///< N, what their draws are made from; null: their place in the run
  Composition composition = {};           ///< of a step: how it is cut into stages
  const double* given_q = nullptr;  ///< N,d before they were made consistent; null: nobody asks (tangents)
  const double* given_v = nullptr;  ///< N,d likewise
};

/// The step that led to a node: the records at its start, and how it was taken.
struct LastStep {
  const double* records;
  Settings settings;
};

/// State of one instance at a node; every pointer has room for the width given.
struct NodeView {
  double *q, *v, *p;               ///< d each
  double *lambda, *gamma;          ///< m each, of the step that ends at the node; NaN where there is none
  double* momentum;                ///< s
  double energy, total_energy, z;  ///< J, J, J s (z: NaN unless the scheme has an action)
  double* sampled = nullptr;       ///< the entries of sampled_rows, one after another; null: not wanted
};

/// Row of a tile in the records: records + column_offset(...) is a column of tile_size consecutive instances.
constexpr std::int64_t column_offset(std::int64_t tile, int record_width, int column) {
  return (tile * record_width + column) * tile_size;
}

/// Some columns, [first, last), of the first `tiles` tiles of the records.
struct RecordPart {
  std::int64_t tiles;
  int first, last;
};

/// A value of the record of instance i.
constexpr double recorded(const Batch& batch, int record_width, Column column, std::int64_t i) {
  return batch.records[column_offset(i / tile_size, record_width, static_cast<int>(column)) + i % tile_size];
}
constexpr bool is_ok(const Batch& batch, int record_width, std::int64_t i) {
  return recorded(batch, record_width, Column::status, i) == static_cast<double>(Status::ok);
}
constexpr bool has_failed(const Batch& batch, int record_width, std::int64_t i) {
  return is_failure(static_cast<Status>(recorded(batch, record_width, Column::status, i)));
}
/// True if instance i is good and has not come to beat `to`: it was left before a difficult step.
constexpr bool is_left(const Batch& batch, int record_width, std::int64_t to, std::int64_t i) {
  const std::int64_t per_beat = batch.steps_per_beat == nullptr ? 1 : batch.steps_per_beat[i];
  return is_ok(batch, record_width, i) &&
         recorded(batch, record_width, Column::steps, i) < static_cast<double>(to * per_beat);
}

}  // namespace livens
