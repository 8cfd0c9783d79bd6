#include "host/printable.hpp"

#include <gtest/gtest.h>

namespace livens::host {
namespace {

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(printable(R"(four_particle: 12 %, \ and "quotes")"), R"(four_particle: 12 %, \ and "quotes")");
  // Two, three and four bytes; the last code before the surrogates, and the last of all.
  for (const char* text : {"\u00a0\u00e9\u07ff", "\u0800\u20ac\ud7ff\uffff", "\U00010000\U0010ffff"})
    EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, WhatATerminalObeysIsWritten) {
  EXPECT_EQ(printable("a\nb\tc"), R"(a\nb\tc)");
  EXPECT_EQ(printable(std::string_view("\0\x1b[2J\r\x7f", 7)), R"(\x00\x1b[2J\x0d\x7f)");
  // U+0080 to U+009F; U+009B begins a sequence as ESC [ does.
  EXPECT_EQ(printable("\xc2\x80\xc2\x9b\xc2\x9f"), "\\u0080\\u009b\\u009f");
}

TEST(Printable, WhatIsNoUtf8IsWrittenByteByByte) {
  EXPECT_EQ(printable("\x9b[2J"), R"(\x9b[2J)");    // what a terminal of Latin-1 would obey
  EXPECT_EQ(printable("\xc1\x9b"), R"(\xc1\x9b)");  // longer than the shortest form
  EXPECT_EQ(printable("\xe0\x82\x9b"), R"(\xe0\x82\x9b)");
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
  EXPECT_EQ(printable("\xe2\x82"), R"(\xe2\x82)");                  // cut off
  EXPECT_EQ(printable("\xe2\x82 a"), R"(\xe2\x82 a)");
}

TEST(Shortened, IsWithoutItsMiddleAndWholeAtTheCuts) {
  EXPECT_EQ(shortened(std::string(4 * 4096, 'a')),
            std::string(4 * 4096, 'a'));  // the longest path, in escapes
  std::string word;
  while (word.size() < 50'000'000) word += "\u20ac";
  const std::string line = shortened("x.toml:1: key: '" + word + "'; expected a number");
  EXPECT_LT(line.size(), 30'000u);
  EXPECT_TRUE(line.starts_with("x.toml:1: key: '"));
  EXPECT_TRUE(line.ends_with("'; expected a number"));
  EXPECT_NE(line.find("more bytes]"), std::string::npos);
  EXPECT_EQ(printable(line), line);
}

}  // namespace
}  // namespace livens::host
