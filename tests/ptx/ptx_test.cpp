// Faults that are planted in a kernel are found: those that a GPU may hide.

#include <gtest/gtest.h>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

const std::string last_first = "sub.s32 %n, %ntid.x, 1;\nshl.b32 %n, %n, 2;\nsub.s32 %a, %n, %t4;";

/// Every thread puts its number into shared memory, and fetches what another one has put there; between the
/// two is `between`, and behind it `address` has the place of the other.
std::string exchange(const std::string& between, const std::string& address = last_first) {
  return ".visible .entry exchange(.param .u64 out) {\n.shared .align 4 .b8 s[256];\n"
         ".reg .b64 %t, %t4, %s, %own, %n, %a, %other, %v, %p, %w, %f;\nmov.u32 %t, %tid.x;\n"
         "shl.b32 %t4, %t, 2;\nmov.u32 %s, s;\nadd.s32 %own, %s, %t4;\nst.shared.u32 [%own], %t;\n" +
         between + "\n" + address +
         "\nadd.s32 %other, %s, %a;\nld.shared.u32 %v, [%other];\nld.param.u64 %p, [out];\n"
         "cvt.u64.u32 %w, %t4;\nadd.s64 %p, %p, %w;\nst.global.u32 [%p], %v;\nret;\n}\n";
}

std::vector<std::uint32_t> results(const std::string& text, unsigned threads, unsigned seed) {
  void* pointer = allocate(4 * 64);
  void* arguments[] = {&pointer};
  draw_orders(seed);
  Module module(text);
  launch(module, "exchange", {1, 1}, threads, arguments);
  std::vector<std::uint32_t> results(64);
  std::memcpy(results.data(), pointer, 4 * 64);
  release(pointer);
  return results;
}

/// True if the order in which threads go on can be seen.
bool depends_on_order(const std::string& text, unsigned threads) {
  for (unsigned seed = 1; seed < 20; ++seed)
    if (results(text, threads, seed) != results(text, threads, 0)) return true;
  return false;
}

TEST(Ptx, WhatIsInOrderDoesNotDependOnTheOrder) {
  EXPECT_FALSE(depends_on_order(exchange("bar.sync 0;"), 64));
  EXPECT_FALSE(depends_on_order(exchange("bar.warp.sync -1;"), 32));
  EXPECT_EQ(results(exchange("bar.sync 0;"), 64, 0)[3], 60u);
}
TEST(Ptx, AMissingBarrierIsSeen) {
  EXPECT_TRUE(depends_on_order(exchange(""), 64));
  EXPECT_TRUE(depends_on_order(exchange("bar.warp.sync -1;"), 64));
}
// Lanes in lock step do not show it: some have to be late.
TEST(Ptx, AMissingBarrierOfAWarpIsSeen) {
  const std::string met_before = "bar.warp.sync -1;\nadd.s32 %t, %t, 1;\nst.shared.u32 [%own], %t;";
  EXPECT_TRUE(depends_on_order(exchange(met_before), 32));
  EXPECT_FALSE(depends_on_order(exchange(met_before + "bar.warp.sync -1;"), 32));
}
TEST(Ptx, ARaceIsSeen) {
  EXPECT_TRUE(depends_on_order(exchange("st.shared.u32 [s], %t;\nbar.sync 0;", "mov.u32 %a, 0;"), 64));
}

/// The end of the message, or nothing.
std::string failure(const std::string& text, unsigned threads = 32) try {
  results(text, threads, 0);
  return "";
} catch (const std::runtime_error& error) {
  return error.what();
}

TEST(Ptx, LanesThatDoNotMeetAreNamed) {
  const std::string first = "setp.lt.u32 %p, %t, 16;\n";
  EXPECT_NE(failure(exchange(first + "@%p bra $L;\nret;\n$L:\nbar.warp.sync -1;")), "");
  EXPECT_EQ(failure(exchange(first + "@%p bra $L;\nbar.sync 0;\n$L:")), "");
  EXPECT_NE(failure(exchange(first + "@!%p bra $L;\nbar.warp.sync 1;\n$L:")), "");
  EXPECT_EQ(failure(exchange(first + "@!%p bra $L;\nbar.warp.sync 65535;\n$L:")), "");
  EXPECT_NE(failure(exchange(first + "@%p bra $L;\nbar.warp.sync -1;\n$L:\nbar.warp.sync -1;")), "");
  const std::string two = "setp.lt.u32 %p, %t, 32;\n@%p bra $A;\nbar.sync 0;\nbra $B;\n$A:\nbar.sync 0;\n$B:";
  EXPECT_NE(failure(exchange(two), 64), "");
}
TEST(Ptx, AccessesAreChecked) {
  EXPECT_EQ(failure(exchange("", "mov.u32 %a, 252;")), "");
  EXPECT_NE(failure(exchange("", "mov.u32 %a, 256;")), "");
  EXPECT_NE(failure(exchange("", "mov.u32 %a, -4;")), "");
  EXPECT_NE(failure(exchange("", "mov.u32 %a, 2;")), "");
  EXPECT_NE(failure(exchange(""), 65), "");
}
TEST(Ptx, ARoundingIsWritten) {
  EXPECT_EQ(failure(exchange("", last_first + "\nadd.rn.f64 %f, 0d3FF0000000000000, %f;")), "");
  for (const char* op : {"add.f64", "add.ftz.rn.f32", "sqrt.approx.f32", "mul.f32"})
    EXPECT_NE(failure(exchange("", last_first + '\n' + op + " %f, %f, %f;")), "") << op;
}

}  // namespace
}  // namespace livens::ptx
