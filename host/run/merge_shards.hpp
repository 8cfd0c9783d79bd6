#pragma once
// The shards of an ensemble in, the result of the whole out.

#include <string>
#include <vector>

namespace livens::host {

/// Joins files that shards have written, in any order, and returns the summary. Throws RequestError where they are not
/// all the shards of one run.
std::string merge_shards(const std::vector<std::string>& paths, const std::string& output);

}  // namespace livens::host
