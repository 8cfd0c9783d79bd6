// Patterns of rows that take more than one word of 64 bits: those of the last of twelve bodies, whose coordinates are
// 66 to 71.
#define LIVENS_ISA expressions_plain
#include "text_many_bodies.hpp"

#include <gtest/gtest.h>

namespace livens {
namespace {

using System = text_many_bodies<double>;

TEST(ManyColumns, ArePutIntoSeveralWords) {
  for (int j = 0; j < 72; ++j) {
    EXPECT_EQ(System::constrains(33, j), j == 68 || j == 69) << j;  // (d1.d1 - 1)/2
    EXPECT_EQ(System::constrains(35, j), j >= 68) << j;             // d1.d2
    EXPECT_EQ(System::constrains(58, j), j == 60 || j == 62 || j == 66 || j == 68)
        << j;  // D[0] of the last joint
    EXPECT_EQ(System::curved(35, 70, j), j == 68) << j;
    EXPECT_EQ(System::curved(0, 2, j), j == 2) << j;
  }
}

}  // namespace
}  // namespace livens
