// The form of a pair follows from what is asked.

#include "host/pairs/catalogue.hpp"

#include <gtest/gtest.h>

#include "host/spec/spec.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

std::string form_of(const std::string& more) {
  const Spec spec = parse_spec("system.name = 'toy_pair'\n" + more, "toy.toml", toy_catalogue());
  return choose_pair(toy_catalogue(), spec.request).pair->form;
}

TEST(ChoosePair, PrefersTheReducedForm) { EXPECT_EQ(form_of(""), "reduced"); }

TEST(ChoosePair, TakesTheFormThatIsNamed) { EXPECT_EQ(form_of("scheme.form = 'full'\n"), "full"); }

TEST(ChoosePair, TakesTheFullFormForWhatTheReducedCannotDo) {
  EXPECT_EQ(form_of("system.damping = 0.1\n"), "full");
  EXPECT_EQ(form_of("scheme.compensated = true\n"), "full");
  EXPECT_EQ(form_of("ensemble.size = 3\n[[ensemble.vary]]\nwhat = 'system.damping'\nlaw = 'uniform'\nlow = "
                    "0\nhigh = 1\n"),
            "full");
  EXPECT_EQ(form_of("ensemble.size = 3\n[[ensemble.vary]]\nwhat = 'system.stiffness'\nlaw = 'uniform'\nlow = "
                    "0\nhigh = 1\n"),
            "reduced");
}

TEST(ChoosePair, TakesThePairOfThePrecision) {
  const auto precision_of = [](const std::string& precision) {
    const Spec spec = parse_spec("system.name = 'toy_pair'\nscheme.precision = '" + precision + "'\n",
                                 "toy.toml", toy_catalogue());
    return choose_pair(toy_catalogue(), spec.request).pair->precision;
  };
  EXPECT_EQ(precision_of("double"), Precision::full);
  EXPECT_EQ(precision_of("mixed"), Precision::full);
  EXPECT_EQ(precision_of("single"), Precision::single);
}

TEST(Parameters, AreFlattenedInTheirOrder) {
  const SystemInfo& system = *toy_catalogue().system("toy_pair")->info;
  EXPECT_EQ(parameter_count(system), 4);
  EXPECT_EQ(parameter_offset(system, *find_parameter(system, "mass")), 0);
  EXPECT_EQ(parameter_offset(system, *find_parameter(system, "damping")), 3);
  EXPECT_EQ(find_parameter(system, "length"), nullptr);
}

}  // namespace
}  // namespace livens::host
