// What NVRTC is given in place of a kernel header.

#include <gtest/gtest.h>

#include "host/compilation/nvrtc.hpp"

namespace livens::host {
namespace {

TEST(AsNvrtcReads, TheNumberOfATurnIsSpelledByItsType) {
  EXPECT_EQ(as_nvrtc_reads("unroll<n>([&](auto i) { at<i.value, i.value + 1>(); });"),
            "unroll<n>([&](auto i) { at<(decltype(i)::value), (decltype(i)::value) + 1>(); });");
  EXPECT_EQ(as_nvrtc_reads("[&](auto i, auto j, int c) { return j.value < c; }"),
            "[&](auto i, auto j, int c) { return (decltype(j)::value) < c; }");
}

TEST(AsNvrtcReads, WhatIsNoNumberOfATurnStays) {
  for (const char* text : {"r.value = a.value + b.value;",                // members of Dual
                           "[&](auto i) { A.value(i); other.i.value; }",  // functions; members of members
                           "[&](auto i) { return i.values + j.value; }",  // longer names; other names
                           "for (auto i : all) sum += i.value;"})         // no lambda
    EXPECT_EQ(as_nvrtc_reads(text), text);
}

}  // namespace
}  // namespace livens::host
