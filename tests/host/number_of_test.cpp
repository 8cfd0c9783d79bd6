#include "host/number_of.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "host/errors.hpp"

namespace livens::host {
namespace {

TEST(NumberOf, IsDecimalAndTheWholeText) {
  EXPECT_EQ(number_of<int>("010"), 10);
  EXPECT_EQ(number_of<int>("-3"), -3);
  EXPECT_EQ(number_of<double>("-0.5"), -0.5);
  EXPECT_EQ(number_of<double>("1e-3"), 1e-3);
  for (const char* text : {"", " 1", "1 ", "+1", "--1", "0x10", "1'000", "1,5", "ten"}) {
    EXPECT_FALSE(number_of<int>(text)) << text;
    EXPECT_FALSE(number_of<double>(text)) << text;
  }
  EXPECT_FALSE(number_of<int>("1.0"));
  EXPECT_FALSE(number_of<int>("1e3"));
}

TEST(NumberOf, FitsInItsType) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(number_of<std::int64_t>("9223372036854775807"), most);
  EXPECT_FALSE(number_of<std::int64_t>("9223372036854775808"));
  EXPECT_FALSE(number_of<std::uint64_t>("-1"));
  EXPECT_FALSE(number_of<double>("1e999"));
}

TEST(NumberOf, InTheEnvironmentIsNotNegative) {
  const char* const name = "LIVENS_TEST_OF_NUMBERS";
  unsetenv(name);
  EXPECT_FALSE(whole_number_in(name));
  setenv(name, "010", 1);
  EXPECT_EQ(whole_number_in(name), 10);
  for (const char* text : {"-1", "1.5", "a"}) {
    setenv(name, text, 1);
    EXPECT_THROW(whole_number_in(name), RequestError) << text;
  }
  unsetenv(name);
}

}  // namespace
}  // namespace livens::host
