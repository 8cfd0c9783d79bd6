#pragma once
// The parts of a run (ensembles/journal.hpp) as bytes: what the segments of a checkpoint and the shards of a
// result are made of.

#include <cstddef>
#include <string>
#include <string_view>

#include "ensembles/journal.hpp"

namespace livens::host {

/// Bytes of its numbers, in memory as well as encoded.
std::size_t bytes_of(const ensembles::SamplePart& part);
std::size_t bytes_of(const ensembles::InstancesPart& part);

std::string encode(const ensembles::SamplePart& part);
std::string encode(const ensembles::InstancesPart& part);
std::string encode(const ensembles::Standing& standing);

/// Throw Malformed (bytes.hpp) for bytes that encode() did not make.
ensembles::SamplePart decode_sample(std::string_view bytes);
ensembles::InstancesPart decode_instances(std::string_view bytes);
ensembles::Standing decode_standing(std::string_view bytes);

}  // namespace livens::host
