#pragma once
// What a Result of livens.hpp holds.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "host/livens.hpp"
#include "host/results/result_file.hpp"

namespace livens {

struct Result::State {
  host::ResultFile file;
  host::UnitOf units;
  std::string too_many;                          // too_many_failed()
  std::deque<std::vector<std::int64_t>> labels;  // 0, 1, ... of the axes
  std::vector<Array> arrays;                     // into the above
};

namespace host {

Result make_result(ResultFile file, UnitOf units, std::string too_many);

/// What a file has, each dataset found to be of its type and shape. The numbers that are not in the outline
/// of the reader stay there: the spans of these arrays are empty. Throws FileError.
Result listed(const ResultReader& file);

}  // namespace host
}  // namespace livens
