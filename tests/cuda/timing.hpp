#pragma once

namespace livens::selftest {

/// Times advance() of every pair on the first device, by events, and writes JSON to the file (null: standard
/// output). 77 without a device, 1 when a pair could not be run.
int time_pairs(const char* file);

/// A few steps of a pair in the form taken by default, after as many that warm up. 77 without a device, 1
/// where there is no such pair.
int advance_pair(const char* system, const char* scheme);

}  // namespace livens::selftest
