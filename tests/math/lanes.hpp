#pragma once
// Lanes against scalars, for whatever instruction set the including file was compiled for.

namespace livens::tests {

/// Counts operations whose lanes differ from the scalar ones in any bit, over all pairs and triples of
/// special and ordinary values, with 4 and 8 lanes and two registers of them; `compared` counts all. Names
/// the first that differs.
struct LaneReport {
  long compared = 0, different = 0;
  const char* first = "";
};
LaneReport compare_lanes_avx512();

}  // namespace livens::tests
