// A good spec becomes the request it describes; what it leaves out comes from the system and the contract.

#include "host/spec/spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/pairs/observing_pairs.hpp"
#include "toy_registry.hpp"

namespace livens::host {
namespace {

using ensembles::Law;
using ensembles::Mode;
using ensembles::Target;

Spec parse(const std::string& text, const Overrides& overrides = {}) {
  return parse_spec(text, "studies/toy.toml", toy_catalogue(), overrides);
}

TEST(Spec, DefaultsComeFromTheSystem) {
  const Spec spec = parse("[system]\nname = 'toy_pair'\n");
  EXPECT_EQ(spec.request.system, "toy_pair");
  EXPECT_EQ(spec.request.scheme, "ems");
  EXPECT_EQ(spec.request.form, "auto");
  EXPECT_EQ(spec.request.parameters, (std::vector<double>{1.0, 1.0, 10.0, 0.0}));
  EXPECT_EQ(spec.request.step, 0.1);
  EXPECT_EQ(spec.request.end, 1.0);
  EXPECT_EQ(spec.request.steps, 10);
  EXPECT_EQ(spec.request.settings.tolerance, 1e-10);
  EXPECT_EQ(spec.request.settings.max_iterations, 25);
  EXPECT_EQ(spec.request.settings.retry, 2);
  EXPECT_FALSE(spec.request.settings.compensated);
  EXPECT_FALSE(spec.request.q || spec.request.v || spec.request.p);
  EXPECT_EQ(spec.request.size, 1);
  EXPECT_EQ(spec.request.seed, 1u);
  EXPECT_EQ(spec.request.every, 10);
  EXPECT_EQ(spec.request.trajectories, 1);
  EXPECT_EQ(spec.request.quantiles.size(), 5u);
  EXPECT_EQ(spec.output, "toy.h5");
}

TEST(Spec, APrecisionArrives) {
  const Spec spec = parse("system.name = 'toy_pair'\nscheme.precision = 'mixed'\n");
  EXPECT_EQ(spec.request.settings.precision, Precision::mixed);
}

TEST(Spec, JointHistogramsAndColumnsArrive) {
  const Spec spec = parse(R"([system]
name = "toy_pair"
[ensemble]
size = 10
[[ensemble.vary]]
what = "initial.v[*]"
law = "uniform"
low = 0
high = 1
[output]
columns = ["final_q", "initial.v[*]"]
observe = ["energy"]
[[output.joint]]
of = ["initial.v[1]", { name = "work", low = -1, high = 2.5 }]
[[output.joint]]
name = "all"
of = ["energy", "work", "kinetic_energy"]
bins = [2, 30, 4]
at = "samples"
)");
  const std::vector<ensembles::Joint>& joints = spec.request.joints;
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints[0].name, "0");
  EXPECT_FALSE(joints[0].at_samples);
  EXPECT_EQ(joints[0].axes[0].varied, Target::v);
  EXPECT_EQ(joints[0].axes[0].entry, 1);
  EXPECT_EQ(joints[0].axes[0].bins, 60);
  EXPECT_FALSE(joints[0].axes[0].range);
  EXPECT_FALSE(joints[0].axes[1].varied);
  EXPECT_EQ(joints[0].axes[1].unit, "J");
  EXPECT_EQ(joints[0].axes[1].range, std::pair(-1.0, 2.5));
  EXPECT_EQ(joints[1].name, "all");
  EXPECT_TRUE(joints[1].at_samples);
  EXPECT_EQ(joints[1].axes[2].bins, 4);
  const auto left_out = [&](const char* name) {
    return std::find(spec.left_out.begin(), spec.left_out.end(), name) != spec.left_out.end();
  };
  for (const char* name : {"final_v", "newton_iterations", "max_energy_error", "final_energy"})
    EXPECT_TRUE(left_out(name)) << name;
  for (const char* name : {"final_q", "status", "parameters/initial.v[*]"})
    EXPECT_FALSE(left_out(name)) << name;
  EXPECT_TRUE(parse("system.name = 'toy_pair'\n").left_out.empty());
}

TEST(Spec, EveryKeyArrives) {
  const Spec spec = parse(R"([system]
name = "toy_pair"
mass = [2, 3.5]
damping = 0.5
[scheme]
name = "ems"
step = 0.25
steps = 7
form = "full"
retry = 0
compensated = true
precision = "double"
[scheme.newton]
tolerance = 0
max_iterations = 9
[initial]
q = [1, 2]
p = [3, 4]
consistency = "require"
[ensemble]
size = 12
seed = 5
on_failure = "error"
max_failed_fraction = 0.25
[[ensemble.vary]]
what = "initial.p[1]"
law = "normal"
mode = "add"
mean = 0.5
std = 0.25
[[ensemble.vary]]
what = "system.mass"
shared = true
law = "linspace"
mode = "multiply"
low = 1
high = 2
count = 3
[output]
file = "out.h5"
every = 3
sampling = "log"
trajectories = 2
quantiles = [0.5]
checkpoint_every = 0
)");
  const ensembles::Request& request = spec.request;
  EXPECT_EQ(request.parameters, (std::vector<double>{2.0, 3.5, 10.0, 0.5}));
  EXPECT_EQ(request.steps, 7);
  EXPECT_EQ(request.end, 1.75);
  EXPECT_EQ(request.form, "full");
  EXPECT_EQ(request.settings.retry, 0);
  EXPECT_TRUE(request.settings.compensated);
  EXPECT_EQ(request.settings.precision, Precision::full);
  EXPECT_EQ(request.settings.tolerance, 0.0);
  EXPECT_EQ(request.settings.max_iterations, 9);
  EXPECT_EQ(*request.q, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(*request.p, (std::vector<double>{3.0, 4.0}));
  EXPECT_EQ(request.consistency, Consistency::require);
  EXPECT_EQ(request.size, 12);
  EXPECT_EQ(request.seed, 5u);
  EXPECT_EQ(request.on_failure, ensembles::OnFailure::error);
  EXPECT_EQ(request.max_failed_fraction, 0.25);
  ASSERT_EQ(request.variations.size(), 2u);
  EXPECT_EQ(request.variations[0].target, Target::p);
  EXPECT_EQ(request.variations[0].first, 1);
  EXPECT_EQ(request.variations[0].count, 1);
  EXPECT_EQ(request.variations[0].law, Law::normal);
  EXPECT_EQ(request.variations[0].mode, Mode::add);
  EXPECT_EQ(request.variations[0].a, 0.5);
  EXPECT_EQ(request.variations[0].b, 0.25);
  EXPECT_EQ(request.variations[1].target, Target::parameter);
  EXPECT_EQ(request.variations[1].first, 0);
  EXPECT_EQ(request.variations[1].count, 2);
  EXPECT_EQ(request.variations[1].points, (std::vector<double>{1.0, 1.5, 2.0}));
  EXPECT_EQ(request.every, 3);
  EXPECT_EQ(request.sampling, ensembles::Sampling::log);
  EXPECT_EQ(request.trajectories, 2);
  EXPECT_EQ(spec.output, "out.h5");
  EXPECT_EQ(spec.checkpoint_every, 0.0);
}

TEST(Spec, SizeDefaultsToTheGrid) {
  const Spec spec = parse(
      "system.name = 'toy_pair'\n"
      "[[ensemble.vary]]\nwhat = 'system.stiffness'\nlaw = 'values'\nvalues = [1, nan, inf]\n"
      "[[ensemble.vary]]\nwhat = 'initial.q[0]'\nlaw = 'linspace'\nlow = 0\nhigh = 1\ncount = 4\n");
  EXPECT_EQ(spec.request.size, 12);
  EXPECT_EQ(spec.request.variations[0].first, 2);
  EXPECT_TRUE(std::isnan(spec.request.variations[0].points[1]));
}

TEST(Spec, AVaryingStepTakesAnInterval) {
  const Spec spec = parse(
      "system.name = 'toy_pair'\n[[ensemble.vary]]\nwhat = 'scheme.step'\nlaw = 'values'\nvalues = [0.1, "
      "0.2]\n"
      "[output]\ninterval = 0.5\n");
  EXPECT_EQ(spec.request.variations[0].target, Target::step);
  EXPECT_EQ(spec.request.interval, 0.5);
}

TEST(Spec, WhatIsObservedArrives) {
  const Spec spec = parse(
      "system.name = 'toy_pair'\noutput.observe = ['energy', 'q[1]', 'work']\n"
      "output.extremes = true\n");
  EXPECT_EQ(spec.request.observe, (std::vector<std::string>{"energy", "q[1]", "work"}));
  EXPECT_TRUE(spec.request.extremes);
  EXPECT_TRUE(spec.request.settings.largest_violations);
}

std::vector<std::string> observables_of(const Spec& spec) {
  std::vector<std::string> names;
  const Catalogue catalogue = observing(toy_catalogue(), spec.request);
  for (const ObservableInfo& one : catalogue.system("toy_pair")->info->observables) {
    names.emplace_back(one.name);
    for (const EntryAxis& axis : one.axes)
      if (axis.name) names.back() += " " + std::string(axis.name) + " " + std::to_string(axis.length);
  }
  return names;
}

TEST(Spec, DirectionsArrive) {
  const Spec spec = parse(
      "system.name = 'toy_pair'\n"
      "[tangent]\nof = ['initial.q', 'initial.v[1:2]', 'system.mass[1]', 'system.stiffness', 'scheme.step']\n"
      "[output]\nobserve = ['energy', { name = 'gap', expression = 'q[1] - q[0]' }]\n"
      "[[output.stop]]\nwhen = 'q[0]'\n"
      "[[ensemble.vary]]\nwhat = 'initial.q[1]'\nlaw = 'values'\nvalues = [1]\nmode = 'multiply'\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1]\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[1]'\nlaw = 'values'\nvalues = [1]\nmode = 'add'\n");
  ASSERT_TRUE(spec.request.tangent);
  const ensembles::Tangent& tangent = *spec.request.tangent;
  EXPECT_FALSE(tangent.state || tangent.momentum);
  EXPECT_EQ(tangent.names, (std::vector<std::string>{"initial.q[0]", "initial.q[1]", "initial.v[1]",
                                                     "system.mass[1]", "system.stiffness", "scheme.step"}));
  const std::vector<std::pair<WithRespectTo, int>> of = {
      {WithRespectTo::q, 0},         {WithRespectTo::q, 1},         {WithRespectTo::v, 1},
      {WithRespectTo::parameter, 1}, {WithRespectTo::parameter, 2}, {WithRespectTo::step, 0}};
  ASSERT_EQ(tangent.of.size(), of.size());
  for (std::size_t k = 0; k < of.size(); ++k)
    EXPECT_TRUE(tangent.of[k].of == of[k].first && tangent.of[k].entry == of[k].second) << k;
  EXPECT_EQ(tangent.q, (std::vector<Origin>{Origin::own, Origin::multiplied}));
  EXPECT_EQ(tangent.v, (std::vector<Origin>{Origin::given, Origin::own}));
  EXPECT_EQ(spec.request.settings.tolerance, 0.0);
  EXPECT_EQ(
      observables_of(spec),
      (std::vector<std::string>{"tangent/final_q coordinate 2 wrt 6", "tangent/final_p coordinate 2 wrt 6",
                                "tangent/final_v coordinate 2 wrt 6", "tangent/final_gap wrt 6", "stop_time",
                                "stop_condition", "tangent/stop_time wrt 6"}));
}

TEST(Spec, LawsBecomeSpreads) {
  const Spec spec = parse(
      "system.name = 'toy_pair'\nsystem.mass = [3, 5]\n"
      "[tangent]\nof = ['initial.q', 'initial.v', 'system.mass']\ncovariance = 'initial'\n[ensemble]\nsize = "
      "3\n"
      "[[ensemble.vary]]\nwhat = 'initial.q[*]'\nlaw = 'normal'\nmean = 1\nstd = 0.25\n"
      "[[ensemble.vary]]\nwhat = 'initial.v'\nlaw = 'uniform'\nlow = 0\nhigh = 12\nshared = true\n"
      "[[ensemble.vary]]\nwhat = 'system.mass[1]'\nlaw = 'exponential'\nmean = 0.5\nmode = 'multiply'\n");
  const double v = 12.0 / std::sqrt(12.0);
  EXPECT_EQ(spec.request.tangent->spreads,
            (std::vector<std::vector<double>>{
                {0.25, 0, 0, 0, 0, 0}, {0, 0.25, 0, 0, 0, 0}, {0, 0, v, v, 0, 0}, {0, 0, 0, 0, 0, 2.5}}));
}

TEST(Spec, TheStateHasItsDirections) {
  const Spec all = parse("system.name = 'toy_pair'\ntangent.of = 'state'\nscheme.newton.tolerance = 1e-9\n");
  EXPECT_TRUE(all.request.tangent->state && all.request.tangent->of.empty());
  EXPECT_EQ(all.request.tangent->names, (std::vector<std::string>{"state[0]", "state[1]"}));
  EXPECT_EQ(all.request.settings.tolerance, 1e-9);
  const Spec alone = parse("system.name = 'toy_pair'\ntangent.lyapunov = { count = 1, every = 7 }\n");
  EXPECT_EQ(alone.request.tangent->directions(), 0);
  EXPECT_EQ(alone.request.tangent->exponents, 1);
  EXPECT_EQ(alone.request.tangent->every, 7);
  EXPECT_EQ(observables_of(alone), (std::vector<std::string>{"lyapunov exponent 1"}));
  const Spec beside = parse(
      "system.name = 'toy_pair'\n[tangent]\nof = ['scheme.step']\nlyapunov = { count = 2, every = 7 }\n");
  EXPECT_EQ(
      observables_of(beside),
      (std::vector<std::string>{"tangent/final_q coordinate 2 wrt 1", "tangent/final_p coordinate 2 wrt 1",
                                "tangent/final_v coordinate 2 wrt 1", "lyapunov exponent 2"}));
}

TEST(Spec, TheStateIsGivenByMomentaWhereTheSpecOrALawNamesThem) {
  const std::string pair = "system.name = 'toy_pair'\ntangent.of = ['initial.p[1]']\n",
                    varied =
                        "[[ensemble.vary]]\nwhat = 'initial.p[0]'\nmode = 'add'\nlaw = 'values'\n"
                        "values = [1]\n";
  for (const std::string& text : {pair + "initial.p = [1, 2]\n", pair + varied}) {
    const ensembles::Tangent tangent = *parse(text).request.tangent;
    EXPECT_TRUE(tangent.momentum);
    EXPECT_EQ(tangent.v, (std::vector<Origin>{Origin::given, Origin::given}));
    EXPECT_EQ(tangent.q, (std::vector<Origin>{Origin::own, Origin::own}));
  }
}

TEST(Spec, ExtremesAreThoseOfTheErrorsUnlessAskedFor) {
  const Spec silent = parse("system.name = 'toy_pair'\noutput.observe = ['work']\n");
  EXPECT_FALSE(silent.request.extremes);
  EXPECT_TRUE(silent.request.settings.largest_violations);
  const Spec none = parse("system.name = 'toy_pair'\noutput.extremes = false\n");
  EXPECT_FALSE(none.request.extremes);
  EXPECT_FALSE(none.request.settings.largest_violations);
}

TEST(Spec, StepsAreCountedWithSlackForRounding) {
  // 0.3/0.1 is 2.9999999999999996.
  EXPECT_EQ(parse("system.name = 'toy_pair'\nscheme.step = 0.1\nscheme.end = 0.3\n").request.steps, 3);
}

TEST(Spec, OptionsReplaceValues) {
  Overrides overrides;
  overrides.size = 6;
  overrides.seed = 18446744073709551615u;
  overrides.steps = 3;
  overrides.output = "other.h5";
  const Spec spec = parse(
      "system.name = 'toy_pair'\nensemble.size = 9\nscheme.end = 5.0\noutput.file = 'a.h5'\n", overrides);
  EXPECT_EQ(spec.request.size, 6);
  EXPECT_EQ(spec.request.seed, 18446744073709551615u);
  EXPECT_EQ(spec.request.steps, 3);
  EXPECT_DOUBLE_EQ(spec.request.end, 0.3);
  EXPECT_EQ(spec.output, "other.h5");
  EXPECT_EQ(spec.overrides, "--size 6 --seed 18446744073709551615 --steps 3");
}

}  // namespace
}  // namespace livens::host
