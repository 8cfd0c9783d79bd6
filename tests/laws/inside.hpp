#pragma once
// For laws that look inside one system and its schemes, over double: the system and the schemes that fit it
// come from the build.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include LAWS_SCHEMES_HEADER
#include LAWS_SYSTEM_HEADER
#include "kernels/stepping/projection.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar>
using Tested = LAWS_SYSTEM<Scalar>;
using TestedSystem = Tested<double>;
inline constexpr int tested_coordinates = TestedSystem::coordinates;

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// Defaults times random factors; what is zero by default becomes a small positive number.
inline Vec<double, TestedSystem::parameter_count> random_parameters(Random& random) {
  Vec<double, TestedSystem::parameter_count> r;
  int k = 0;
  for (const ParameterInfo& parameter : TestedSystem::info().parameters)
    for (int i = 0; i < parameter.size(); ++i)
      r[k++] = (parameter.defaults[i] != 0.0 ? parameter.defaults[i] : 0.3) * uniform(random, 0.6, 1.6);
  return r;
}
template <int N>
Vec<double, N> random_vector(Random& random, double size) {
  Vec<double, N> r;
  for (int i = 0; i < N; ++i) r[i] = uniform(random, -size, size);
  return r;
}

/// Registers check<Scheme>() under law/system_scheme_form for every scheme that fits the system.
class Check : public ::testing::Test {
 public:
  explicit Check(void (*body)()) : body_(body) {}
  void TestBody() override { body_(); }

 private:
  void (*body_)();
};
inline bool register_check(const char* law, const std::string& name, const char* file, int line,
                           void (*body)()) {
  ::testing::RegisterTest(law, name.c_str(), nullptr, nullptr, file, line,
                          [body]() -> ::testing::Test* { return new Check(body); });
  return true;
}
inline std::string tested_system() { return TestedSystem::info().name; }
template <class Scheme>
std::string tested_pair() {
  return tested_system() + "_" + Scheme::info().name + "_" + Scheme::form;
}

}  // namespace livens::inline LIVENS_ISA
