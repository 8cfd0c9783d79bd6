#pragma once
// The file of digests: what every pair comes to, bit for bit, on every machine. It is written again only by a
// commit that changes arithmetic, with the bounds against the reference holding.

#include <cstdint>
#include <map>
#include <string>

namespace livens::selftest {

using Digests = std::map<std::string, std::uint64_t>;

/// A JSON object of hexadecimal strings, an entry a line. Throws std::runtime_error, which names file and
/// line.
Digests read_digests(const std::string& path);
void write_digests(const std::string& path, const Digests& digests);

}  // namespace livens::selftest
