#include "host/results/dataset_reader.hpp"

#include <algorithm>

namespace livens::host {

using hdf5::Failure;

void expect_statuses(const std::vector<std::uint8_t>& codes, const std::string& name) {
  if (std::any_of(codes.begin(), codes.end(), [](std::uint8_t code) { return code >= status_count; }))
    throw Failure{name + " has a code that is none"};
}

void DatasetReader::growth(const std::string& name, ensembles::Growth& growth) const {
  const std::vector<double> interval = file_.numbers(name, "growth_interval");
  const std::vector<double> window = file_.numbers(name, "growth_window");
  if (interval.size() != 2 || window.size() != 2) throw Failure{name + " has an unexpected growth"};
  growth = {file_.number(name, "growth_exponent"), interval[0], interval[1], window[0], window[1]};
}

hdf5::Lengths DatasetReader::stored(const Shape& shape) const {
  hdf5::Lengths lengths = lengths_of(shape);
  if (rows_) lengths.at(0) = rows_->all;
  return lengths;
}

}  // namespace livens::host
