#pragma once
// Result files as a stranger may make them: an intact shard with one place of it, or several, made something
// else by HDF5's own calls, and sealed again, so that length and checksum fit.

#include <span>
#include <string>
#include <vector>

#include "tests/host/sample_result.hpp"

namespace livens::host {

/// Writes the intact shard that everything begins with: all of an ensemble, which `merge` takes alone. The
/// spec and the options are those of its run.
void write_sample_shard(const std::string& path, const std::string& spec = provenance.spec,
                        const std::string& overrides = provenance.overrides);

/// Puts the check block that fits behind a file.
void seal(const std::string& path);

/// A dataset, a group, or an attribute of one.
struct PlaceInFile {
  std::string object, attribute;  ///< no attribute: the object itself
  std::string text() const { return object + (attribute.empty() ? "" : "@" + attribute); }
};

/// Everything in a file, in the order of its names.
std::vector<PlaceInFile> places_in(const std::string& path);

/// The changes that may be made to a place, in words.
std::span<const char* const> changes_of(const PlaceInFile& place);

/// Makes the change of that number and seals the file. Links and storage out of the file lead to `elsewhere`,
/// an intact result. False where HDF5 itself does not do that.
bool change(const std::string& path, const PlaceInFile& place, std::size_t number,
            const std::string& elsewhere);

}  // namespace livens::host
