#pragma once
// Another backend behind a wall: the records of the batch are not its own, as with a GPU. What has not been
// fetched is not a number, and what has been fetched is none again after the next call that may change it.

#include <algorithm>
#include <limits>
#include <vector>

#include "ensembles/backend.hpp"

namespace livens::ensembles {

template <class Near>
class DistantRecords : public Near {
 public:
  using Near::Near;

  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override {
    there_.assign(batch.size * this->record_width(), 0.0);
    Near::start(there(batch), settings, status);
    forget(batch);
  }
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    Near::advance(there(batch), settings, to);
    forget(batch);
  }
  std::vector<BlockStatistics> observe(const Batch& batch, std::int64_t size,
                                       std::span<const Column> columns) override {
    return Near::observe(there(batch), size, columns);
  }
  std::int64_t failed(const Batch& batch, std::int64_t size) override {
    return Near::failed(there(batch), size);
  }
  void fetch(const Batch& batch, const RecordPart& part) override {
    for (std::int64_t tile = 0; tile < part.tiles; ++tile) {
      const std::int64_t first = column_offset(tile, this->record_width(), part.first);
      std::copy_n(there_.begin() + first, (part.last - part.first) * tile_size, batch.records + first);
    }
  }
  void put(const Batch& batch) override {
    there_.assign(batch.records, batch.records + there_.size());
    Near::put(there(batch));
  }

 private:
  Batch there(Batch batch) {
    batch.records = there_.data();
    return batch;
  }
  void forget(const Batch& batch) {
    std::fill_n(batch.records, there_.size(), std::numeric_limits<double>::quiet_NaN());
  }

  std::vector<double> there_;
};

}  // namespace livens::ensembles
