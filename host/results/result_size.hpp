#pragma once
// The length of a result file before it is written, by the list of its datasets (result_layout.hpp).

#include <span>
#include <string>

#include "ensembles/joined_parts.hpp"
#include "ensembles/request.hpp"

namespace livens::host {

/// Bytes.
struct ResultSize {
  double numbers;     ///< of all datasets but the histograms, as they are in memory: exact
  double histograms;  ///< with the bins that were given
  double most;        ///< of the file: nothing compressed, and no dataset with longer attributes than any has
};

/// `bins`: of the sample that has the most, of each observable of the shape; joint histograms have those asked for,
/// which are the most there can be. `left_out`: as of a ResultFile. `compared`: with the true motion.
ResultSize result_size(const ensembles::Request& request, const SystemInfo& system,
                       const ensembles::Shape& shape, const std::vector<double>& bins,
                       std::span<const std::string> left_out, bool compared);

}  // namespace livens::host
