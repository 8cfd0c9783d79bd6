#pragma once

namespace livens::selftest {

/// Times advance() of every pair on the first device, by events, and writes JSON to the file (null: standard
/// output). 77 without a device, 1 when a pair could not be run.
int time_pairs(const char* file);

}  // namespace livens::selftest
