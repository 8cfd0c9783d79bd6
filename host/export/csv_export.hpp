#pragma once
// A result as comma-separated tables, for spreadsheets and what reads nothing else.

#include <string>
#include <vector>

#include "host/results/result_file.hpp"

namespace livens::host {

/// Writes into a directory, which is made where it is missing:
///
///   instances.csv     a row an instance: number, what was varied, final state, status, errors, and of
///                     derivatives d(final_q[3])/d(initial.v[1])
///   statistics.csv    a row a quantity and sample: mean, std, min, max, rms, quantiles
///   histograms.csv    a row a quantity, sample and bin that is not empty: lower edge and count
///   trajectories.csv  a row an instance that is followed and sample
///
/// The first line has names; an entry of an array is final_q[0], or final_q[x] where its axis has labels. The
/// second line, behind "# ", has their units ("SI" where entries differ); in the statistics, whose units differ
/// by row, a column has them.
/// Numbers read back to the same bits; nan, inf and -inf are written so. The result is read portion by
/// portion. Returns the paths. Throws FileError, RequestError where one of the files exists, unless
/// `overwrite`.
std::vector<std::string> export_csv(const ResultReader& file, const std::string& directory, bool overwrite);

}  // namespace livens::host
