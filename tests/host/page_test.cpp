// Text and tables within 80 columns.

#include <gtest/gtest.h>

#include <sstream>

#include "host/page.hpp"

namespace livens::host {
namespace {

TEST(Page, BreaksBetweenWords) {
  const std::string words = [] {
    std::string text = "first";
    for (int i = 0; i < 40; ++i) text += " word" + std::to_string(i);
    return text;
  }();
  std::istringstream lines(wrapped(words, 4));
  std::string joined;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), page_width) << line;
    if (count > 0) {
      EXPECT_EQ(line.find_first_not_of(' '), 4u) << line;
      line = line.substr(3);  // with one space
    }
    joined += line;
  }
  EXPECT_EQ(joined, words);
  EXPECT_GE(count, 4);
}

TEST(Page, KeepsLineBreaksAndLongWords) {
  EXPECT_EQ(wrapped("one\n\n  two", 2), "one\n\n    two");
  EXPECT_EQ(wrapped("\nafter an empty line"), "\nafter an empty line");
  const std::string path(100, 'x');
  EXPECT_EQ(wrapped("to " + path + " there", 2), "to\n  " + path + "\n  there");
  EXPECT_EQ(wrapped(""), "");
  EXPECT_EQ(width_of("\u03bb = 1"), 5u);
}

TEST(Page, TablesBreakTheirWidestCells) {
  Columns small("lr");
  small.row({"name", "n"});
  small.row({"a", "10"});
  EXPECT_EQ(small.text(), "name   n\na     10\n");
  Columns large("lll", 2);
  large.row({"name", "unit", "meaning"});
  large.row({"length", "m",
             "the length of a bar between two particles that are as far from each other as they can be"});
  EXPECT_EQ(large.text(),
            "  name    unit  meaning\n"
            "  length  m     the length of a bar between two particles that are as far from\n"
            "                each other as they can be\n");
  EXPECT_THROW(small.row({"one"}), std::logic_error);
}

}  // namespace
}  // namespace livens::host
