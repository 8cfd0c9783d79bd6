#pragma once
// One case on one machine, or the same calls on two, which must give the same bits.

#include "tests/digests/cases.hpp"
#include "tests/digests/machine.hpp"

namespace livens::selftest {

/// Two NaNs are equal whatever their sign: x86 and the GPU make different ones, and a result file holds
/// neither but the canonical one.
class Comparison {
 public:
  /// `actual` may be null.
  Comparison(const PairKernels& pair, const Case& which, Machine& expected, Machine* actual);

  void run(const std::vector<std::int64_t>& stops);

  /// Values that differ, and the first of them.
  std::int64_t different() const { return different_; }
  const std::string& where() const { return where_; }
  /// Of the records of the expected machine: FNV-1a, 64 bits, over the bytes of the doubles, lowest first.
  /// Columns that came after the digests were written are compared between machines, but are not part of it.
  std::uint64_t digest() const;
  /// Instances for which a column is positive.
  std::int64_t count(Column column) const;

 private:
  void compare(const char* call, const char* array, const std::vector<double>& a,
               const std::vector<double>& b);
  void compare_states(const char* call);
  void compare_records(const char* call);
  bool is_younger(int column) const;

  const PairKernels& pair_;
  const Case& case_;
  Machine& machine_;
  Machine* other_;
  const Settings settings_;
  Population expected_, actual_;
  std::int64_t different_ = 0;
  std::string where_;
};

}  // namespace livens::selftest
