// What an expression means: precedence, vectors, powers; and that reading needs no more stack than a little.

#include "expressions/parser.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace livens::expressions {
namespace {

const Scope scope = {{{"x", Leaf::position, 0, 1, false},
                      {"u", Leaf::position, 1, 3, true},
                      {"w", Leaf::position, 4, 3, true},
                      {"k", Leaf::parameter, 0, 1, false}},
                     {{"n", 3}},
                     true,
                     true,
                     true,
                     true};
const double q[] = {0.7, 1.0, 2.0, 4.0, -1.0, 0.5, 3.0};
const double v[] = {10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0};
const double p[] = {20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0};
const double k[] = {3.0};

double value_of(const std::string& text) {
  Graph graph;
  const NodeId root = parse(graph, scope, text).scalar();
  Values values;
  values.position = q;
  values.velocity = v;
  values.momentum = p;
  values.parameters = k;
  values.time = 5.0;
  return evaluate(graph, std::span(&root, 1), values).front();
}

TEST(Parser, Precedence) {
  EXPECT_EQ(value_of("1 + 2*3"), 7.0);
  EXPECT_EQ(value_of("2 - 3 - 4"), -5.0);
  EXPECT_EQ(value_of("16/4/2"), 2.0);
  EXPECT_EQ(value_of("-2^2"), -4.0);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("2^3^2"), 512.0);
  EXPECT_EQ(value_of("- -3"), 3.0);
  EXPECT_EQ(value_of("1/2*k*x^2"), 0.5 * (3.0 * (0.7 * 0.7)));
  EXPECT_EQ(value_of("(1 + 2)*3e0"), 9.0);
}

TEST(Parser, Vectors) {
  EXPECT_EQ(value_of("dot(u, w)"), 12.0);
  EXPECT_EQ(value_of("cross(u, w)[0]"), 4.0);
  EXPECT_EQ(value_of("cross(u, w)[1]"), -7.0);
  EXPECT_EQ(value_of("cross(u, w)[2]"), 2.5);
  EXPECT_EQ(value_of("norm(u)"), std::sqrt(21.0));
  EXPECT_EQ(value_of("(2*u - w/2)[1]"), 3.75);
  EXPECT_EQ(value_of("u'[2] + u[2]'"), 26.0);
  EXPECT_EQ(value_of("p(u)[1] + p(x) + t"), 22.0 + 20.0 + 5.0);
}

TEST(Parser, SumsAndLists) {
  EXPECT_EQ(value_of("sum(i, 0, 2, u[i])"), 7.0);
  EXPECT_EQ(value_of("sum(i, 0, n - 1, sum(j, 0, i, u[j]*w[i-j]))"), -1.0 - 2.0 + 0.5 - 4.0 + 1.0 + 3.0);
  EXPECT_EQ(value_of("sum(i, -1, 1, i*(-1)^i)"), 0.0);
  EXPECT_EQ(value_of("sum(i, 1, 0, u[7])"), 0.0) << "nothing is read";
  EXPECT_EQ(value_of("sum(i, 0, 1, i*u)[2]"), 4.0);
  EXPECT_EQ(value_of("list(i, 0, n - 1, i + u[2 - i])[n - 2]"), 3.0);
  EXPECT_EQ(value_of("dot(list(i, 1, 3, i), u)"), 1.0 + 4.0 + 12.0);
  EXPECT_THROW(value_of("sum(i, 0, 2, i) + i"), Slip) << "an index has its meaning inside";
  EXPECT_THROW(value_of("sum(i, 0, 2, sum(i, 0, 2, i))"), Slip);
  EXPECT_THROW(value_of("u[x]"), Slip);
  EXPECT_EQ(parse_count({{"n", 3}}, "2*n + 1"), 7);
  EXPECT_THROW(parse_count({{"n", 3}}, "n/2"), Slip);
}

TEST(Parser, PowersAndFunctions) {
  EXPECT_EQ(value_of("norm(u)^2"), 21.0);
  EXPECT_EQ(value_of("pi"), 3.14159265358979323846);
  EXPECT_DOUBLE_EQ(value_of("x^5"), std::pow(0.7, 5));
  EXPECT_DOUBLE_EQ(value_of("x^-3"), std::pow(0.7, -3));
  EXPECT_DOUBLE_EQ(value_of("x^(3/2)"), std::pow(0.7, 1.5));
  EXPECT_DOUBLE_EQ(value_of("x^(1/3)"), std::cbrt(0.7));
  EXPECT_DOUBLE_EQ(value_of("x^k"), std::pow(0.7, 3));
  EXPECT_DOUBLE_EQ(value_of("tan(x) + tanh(x) + exp(x)*log(x) + abs(-x)"),
                   std::tan(0.7) + std::tanh(0.7) + std::exp(0.7) * std::log(0.7) + 0.7);
}

TEST(Parser, VectorsAreWritten) {
  EXPECT_EQ(value_of("[1, x, k][2]"), 3.0);
  EXPECT_EQ(value_of("dot([1, 2, 3], u)"), 1.0 + 4.0 + 12.0);
  EXPECT_EQ(value_of("cross([1, 0, 0], [0, 1, 0])[2]"), 1.0);
  EXPECT_EQ(value_of("(u - [1, 1, 1])[n - 1]"), 3.0);
  EXPECT_EQ(value_of("[k][0]"), 3.0);
  EXPECT_THROW(value_of("[u, 1][0]"), Slip);
  EXPECT_THROW(value_of("[][0]"), Slip);
  EXPECT_THROW(value_of("[1, 2"), Slip);
}

TEST(Parser, InverseAndHyperbolicFunctions) {
  EXPECT_DOUBLE_EQ(value_of("asin(x) + acos(x)"), std::acos(0.0));
  EXPECT_DOUBLE_EQ(value_of("atan(k) + sinh(x)*cosh(x)"), std::atan(3.0) + std::sinh(0.7) * std::cosh(0.7));
  EXPECT_DOUBLE_EQ(value_of("atan2(-x, -k)"), std::atan2(-0.7, -3.0));
  EXPECT_TRUE(std::isnan(value_of("asin(k)")));
  EXPECT_THROW(value_of("atan2(x)"), Slip);
}

TEST(Parser, Choices) {
  EXPECT_EQ(value_of("min(x, k) + max(x, k)"), 3.7);
  EXPECT_EQ(value_of("sign(-x) + 2*sign(k) + 4*sign(x - x)"), 1.0);
  EXPECT_EQ(value_of("where(x < k, 1, 2) + where(x > k, 10, 20)"), 21.0);
  EXPECT_EQ(value_of("where(k <= 3, 1, 2) + where(k >= 3, 10, 20)"), 11.0);
  EXPECT_EQ(value_of("where(k < 3, 1, 2) + where(k > 3, 10, 20)"), 22.0);
  EXPECT_EQ(value_of("where(x < 0, sqrt(-x), 5)"), 5.0) << "what is not chosen may be no number";
  EXPECT_EQ(value_of("where(x < 1, u, [7, 8, 9])[1]"), 2.0);
  EXPECT_EQ(value_of("min(x + k, x - k)^2"), value_of("(x - k)^2"));
  EXPECT_TRUE(std::isnan(value_of("min(sqrt(-x), 1)")));
  EXPECT_TRUE(std::isnan(value_of("max(1, sqrt(-x))")));
  for (const char* text : {"x < k", "1 + (x < k)", "where(x, 1, 2)", "where(x < k, 1)", "where(x < k, u, 1)",
                           "where(x < k < 2, 1, 2)", "min(x)", "max(u, u)", "sign(u)"})
    EXPECT_THROW(value_of(text), Slip) << text;
}

TEST(Parser, OnlyANormIsSquaredAsOne) {
  const double r = std::sqrt(21.0), s = std::sqrt(10.25);  // of u and w
  // Whatever is made of a norm is another value: two units in the last place of its square.
  const auto is = [](const std::string& text, double value) {
    EXPECT_NEAR(value_of(text), value, 4.0 * 0x1p-53 * std::abs(value) + 1e-14) << text;
  };
  is("(norm(u) - k)^2", (r - 3.0) * (r - 3.0));
  is("(k - norm(u))^2", (r - 3.0) * (r - 3.0));
  is("(norm(u)/k - 1)^2", (r / 3.0 - 1.0) * (r / 3.0 - 1.0));
  is("(2*norm(u))^2", 84.0);
  is("(norm(u)*k)^2", 21.0 * 9.0);
  is("(k*norm(u))^2", 21.0 * 9.0);
  is("(norm(u)/k)^2", 21.0 / 9.0);
  is("(norm(u) + norm(w))^2", (r + s) * (r + s));
  is("(norm(u)*norm(w))^2", 21.0 * 10.25);
  is("(-norm(u) + k)^2", (3.0 - r) * (3.0 - r));
  is("sum(i, 0, 1, norm(u))^2", 84.0);
  is("sum(i, 0, 1, norm(u) - i)^2", (2.0 * r - 1.0) * (2.0 * r - 1.0));
  is("list(i, 0, 1, norm(u) - i)[1]^2", (r - 1.0) * (r - 1.0));
  is("abs(norm(u) - k)^2", (r - 3.0) * (r - 3.0));
  for (const char* square :
       {"norm(u)^2", "(norm(u))^2", "norm(u)^(3 - 1)", "(-norm(u))^2", "sum(i, 0, 0, norm(u))^2"})
    EXPECT_NEAR(value_of(square), 21.0, 21.0 * 0x1p-51) << square;
  EXPECT_EQ(value_of("norm(u)^2"), 21.0) << "the dot product itself, which is exact here";
  is("norm(list(i, 0, 1, n))^2", 18.0);
}

TEST(Parser, ExponentsAreWholeAsTheyAreWritten) {
  EXPECT_DOUBLE_EQ(value_of("x^64"), std::pow(0.7, 64));
  EXPECT_DOUBLE_EQ(value_of("(-x)^(129/2 - 1/2)"), std::pow(0.7, 64));
  EXPECT_NEAR(value_of("x^64.5"), std::pow(0.7, 64.5), 200 * 0x1p-53 * std::pow(0.7, 64.5));
  for (const char* text : {"x^65", "x^-65", "x^(60 + n + 2)", "x^1e300", "k^100", "x^65.0", "x^8^3"}) try {
      value_of(text);
      ADD_FAILURE() << text;
    } catch (const Slip& slip) {
      EXPECT_EQ(slip.problem, whole_exponent_too_large) << text;
    }
  // A function of numbers is not written as a number: then the base is positive, as for the reference.
  EXPECT_TRUE(std::isnan(value_of("(-x)^abs(2)")));
  EXPECT_THROW(value_of("u[abs(1)]"), Slip);
  EXPECT_EQ(value_of("(x - x)^0"), 1.0);
}

TEST(Parser, EqualPartsAreOneNode) {
  Graph graph;
  const NodeId a = parse(graph, scope, "sqrt(x^2 + 1)*k").scalar();
  EXPECT_EQ(parse(graph, scope, "sqrt( x*x+1 ) * k").scalar(), a);
  EXPECT_NE(parse(graph, scope, "sqrt(1 + x^2)*k").scalar(), a) << "the order of a sum is the text's";
}

TEST(Parser, LongTextsNeedNoStack) {
  std::string sum = "x", signs;
  while (sum.size() + 2 < 20000) sum += "+x";
  EXPECT_NEAR(value_of(sum), 0.7 * 10000, 10000 * 7000 * 0x1p-53);
  signs.assign(19998, '-');
  EXPECT_EQ(value_of(signs + "x"), 0.7);
  EXPECT_THROW(value_of(std::string(15000, '(') + "x"), Slip);
  std::string exponents = "x";
  while (exponents.size() < 10000) exponents += "^x";
  EXPECT_THROW(value_of(exponents), Slip);
  EXPECT_THROW(value_of(std::string(200001, '(')), Slip) << "longer than any expression";
}

}  // namespace
}  // namespace livens::expressions
