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

}  // namespace host
}  // namespace livens
