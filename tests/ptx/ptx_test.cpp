// Faults that are planted in a kernel are found: those that a GPU may hide.

#include <gtest/gtest.h>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

const std::string last_first = "sub.s32 %n, %ntid.x, 1; shl.b32 %n, %n, 2; sub.s32 %a, %n, %t4;";

/// Every thread puts its number into shared memory, and fetches what another one has put there; between the
/// two is `between`, and behind it `address` has the place of the other.
std::string exchange(const std::string& between, const std::string& address = last_first) {
  return R"(
    .visible .entry exchange(.param .u64 out) {
    .shared .align 4 .b8 s[256];
    .reg .b64 %t, %t4, %s, %own, %n, %a, %other, %v, %p, %w, %f;
    mov.u32 %t, %tid.x; shl.b32 %t4, %t, 2; mov.u32 %s, s; add.s32 %own, %s, %t4; st.shared.u32 [%own], %t;)" +
         between + address + R"(
    add.s32 %other, %s, %a; ld.shared.u32 %v, [%other];
    ld.param.u64 %p, [out]; cvt.u64.u32 %w, %t4; add.s64 %p, %p, %w; st.global.u32 [%p], %v; ret; })";
}

using Results = std::array<std::uint32_t, 64>;
Results results(const std::string& text, unsigned threads, unsigned seed) {
  Results made;
  void* pointer = allocate(sizeof made);
  void* arguments[] = {&pointer};
  draw_orders(seed);
  Module module(text);
  launch(module, "exchange", {1, 1}, threads, arguments);
  std::memcpy(&made, pointer, sizeof made);
  release(pointer);
  return made;
}
/// True if the order in which threads go on can be seen.
bool depends_on_order(const std::string& text, unsigned threads) {
  for (unsigned seed = 1; seed < 20; ++seed)
    if (results(text, threads, seed) != results(text, threads, 0)) return true;
  return false;
}
/// What may not be is told.
bool fails(const std::string& text, unsigned threads = 32) try {
  return results(text, threads, 0), false;
} catch (const std::runtime_error&) {
  return true;
}

TEST(Ptx, WhatIsInOrderDoesNotDependOnTheOrder) {
  EXPECT_FALSE(depends_on_order(exchange("bar.sync 0;"), 64));
  EXPECT_FALSE(depends_on_order(exchange("bar.warp.sync -1;"), 32));
  EXPECT_EQ(results(exchange("bar.sync 0;"), 64, 0)[3], 60u);
}
TEST(Ptx, TwoWordsAreShiftedAsOne) {
  // A quarter of the word below comes along: 4 t + 1.
  for (const std::string shift : {"shf.l.wrap.b32 %a, %f, %t, 34;", "shf.r.wrap.b32 %a, %f, %t, 30;"}) {
    const std::string own = "mov.u32 %f, 1073741824; " + shift + " sub.s32 %a, %a, 1;";
    EXPECT_EQ(results(exchange("", own), 64, 0)[37], 37u) << shift;
  }
}
TEST(Ptx, AMissingBarrierIsSeen) {
  EXPECT_TRUE(depends_on_order(exchange(""), 64));
  EXPECT_TRUE(depends_on_order(exchange("bar.warp.sync -1;"), 64));
  // In a warp lanes in lock step do not show it: some have to be late.
  const std::string met_before = "bar.warp.sync -1; add.s32 %t, %t, 1; st.shared.u32 [%own], %t;";
  EXPECT_TRUE(depends_on_order(exchange(met_before), 32));
  EXPECT_FALSE(depends_on_order(exchange(met_before + "bar.warp.sync -1;"), 32));
}
TEST(Ptx, ARaceIsSeen) {
  EXPECT_TRUE(depends_on_order(exchange("st.shared.u32 [s], %t; bar.sync 0;", "mov.u32 %a, 0;"), 64));
}
TEST(Ptx, LanesThatDoNotMeetAreTold) {
  const std::string first = "setp.lt.u32 %p, %t, 16; ";
  EXPECT_TRUE(fails(exchange(first + "@%p bra $L; ret; $L: bar.warp.sync -1;")));
  EXPECT_FALSE(fails(exchange(first + "@%p bra $L; bar.sync 0; $L:")));
  EXPECT_TRUE(fails(exchange(first + "@!%p bra $L; bar.warp.sync 1; $L:")));
  EXPECT_FALSE(fails(exchange(first + "@!%p bra $L; bar.warp.sync 65535; $L:")));
  EXPECT_TRUE(fails(exchange(first + "@%p bra $L; bar.warp.sync -1; $L: bar.warp.sync -1;")));
  const std::string two = "setp.lt.u32 %p, %t, 32; @%p bra $A; bar.sync 0; bra $B; $A: bar.sync 0; $B:";
  EXPECT_TRUE(fails(exchange(two), 64));
}
TEST(Ptx, AccessesAreChecked) {
  for (const char* outside : {"256", "-4", "2"})
    EXPECT_TRUE(fails(exchange("", "mov.u32 %a, " + std::string(outside) + ";")));
  EXPECT_FALSE(fails(exchange("", "mov.u32 %a, 252;")));
  EXPECT_TRUE(fails(exchange(""), 65));
}
TEST(Ptx, ARoundingIsWritten) {
  EXPECT_FALSE(fails(exchange("", last_first + "add.rn.f64 %f, 0d3FF0000000000000, %f;")));
  for (const char* op : {"add.f64", "add.ftz.rn.f32", "sqrt.approx.f32", "mul.f32"})
    EXPECT_TRUE(fails(exchange("", last_first + op + " %f, %f, %f;"))) << op;
}

}  // namespace
}  // namespace livens::ptx
