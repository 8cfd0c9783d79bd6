// Systems of livens that have a header by hand, written as text (examples/systems): the same trajectories as those of the
// built-in ones in their full forms. Two evaluations of one scheme differ by the order of their roundings
// alone. Each is off the exact one by what `livens verify` allows a kernel beside the reference,
//   64 eps x steps x (condition of the last Newton matrix) x (growth of a small perturbation),
// so the two may be twice that apart.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ensembles/ensemble.hpp"
#include "expressions/text_system.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/backends/reference_backend.hpp"
#include "host/checks/comparison.hpp"
#include "host/checks/sample_request.hpp"
#include "host/compilation/compiled.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/spec_text.hpp"

namespace livens {

inline void PrintTo(const PairKernels& pair, std::ostream* out) {
  *out << pair.scheme->name << " on " << pair.system->info->name;
}

}  // namespace livens

namespace livens::host {
namespace {

TextSystem text_of_system(const std::string& system) {
  return read_text_file(LIVENS_EXAMPLES "/" + system + ".toml");
}

const PairKernels* text_pair(const TextSystem& text, const std::string& scheme) {
  const Catalogue catalogue = with_text(registered(), text);
  const SystemInfo* info = catalogue.system(text.name())->info;
  const auto found = std::ranges::find_if(catalogue.pairs, [&](const PairKernels& pair) {
    return pair.system->info == info && scheme == pair.scheme->name;
  });
  return found == catalogue.pairs.end() ? nullptr : &*found;
}

/// An assembly is data, too large to write down.
std::vector<KnownSystem> written_as_text() {
  std::vector<KnownSystem> written;
  for (const KnownSystem& system : known_systems())
    if (!system.capabilities.has(Capability::assembly)) written.push_back(system);
  return written;
}

/// Not where the class of the system is made of its text, which would be compared with itself. The built-in spring
/// pendulum has a discrete gradient of T of its own; that of a text is made along the text: another scheme, at O(h^2).
bool is_comparable(const KnownSystem& system) {
  return !system.from_text && system.info->name != std::string_view("spring_pendulum");
}

/// Pairs of livens in the form that a text has: full, or that of the contact schemes.
std::vector<PairKernels> built_in_pairs() {
  std::vector<PairKernels> pairs;
  for (const KnownSystem& system : written_as_text()) {
    if (!is_comparable(system)) continue;
    const TextSystem text = text_of_system(system.info->name);
    for (const PairKernels& pair : registered().pairs) {
      const bool same_form = pair.form == std::string_view("full") || system.info->nonholonomic;
      if (pair.system->info->name == std::string_view(system.info->name) && known_pair(pair) && same_form &&
          text_pair(text, pair.scheme->name))
        pairs.push_back(pair);
    }
  }
  return pairs;
}

/// Eight instances in the system's own step, from the state that the text says. The built-in V has the
/// discrete gradient of its text where it is taken by invariants.
ensembles::Request request_for(const PairKernels& pair, const TextSystem& text, double step) {
  const std::vector<double> parameters = default_parameters(text.info());
  ensembles::Request request = sample_request(pair, 20, 0.01);
  std::erase_if(request.variations,
                [](const auto& variation) { return variation.target == ensembles::Target::parameter; });
  request.q = text.initial_position(parameters);
  request.v = text.initial_velocity(parameters);
  request.step = step;
  request.end = step * static_cast<double>(request.steps);
  for (const SchemeOption& option : pair.scheme->options)
    for (std::size_t word = 0; option.is_word() && word < option.words.size(); ++word)
      if (option.words[word] == std::string_view("invariants"))
        request.settings.options[option.place] = static_cast<double>(word);
  return request;
}

ensembles::Result integrate(const PairKernels& pair, const ensembles::Request& request) {
  CpuBackend backend(compiled(pair, Precision::full), instruction_set(), 1);
  return ensembles::run(request, backend, {});
}

/// `text` is that of the built-in system, or what a test has made of it.
Agreement compared(const PairKernels& built_in, const TextSystem& text) {
  const double step = built_in.system->info->default_step;
  const PairKernels& pair = *text_pair(text, built_in.scheme->name);
  const ensembles::Result expected = integrate(built_in, request_for(built_in, text, step));
  ensembles::Request request = request_for(pair, text, step);
  request.text = text.identity();
  JudgingBackend reference(with_compiled_system(pair));
  ensembles::run(request, reference, {});
  std::vector<double> bounds;
  for (std::int64_t i = 0; i < request.size; ++i) bounds.push_back(2.0 * reference.round_off(i));
  return agreement(integrate(pair, request), expected, bounds);
}

class SystemsAsText : public ::testing::TestWithParam<PairKernels> {};

TEST_P(SystemsAsText, MoveAsTheBuiltInOnes) {
  const PairKernels& built_in = GetParam();
  const Agreement found = compared(built_in, text_of_system(built_in.system->info->name));
  EXPECT_EQ(found.compared, 8u);
  EXPECT_TRUE(found.holds());
  for (std::size_t k = 0; k < compared_quantities.size(); ++k)
    EXPECT_LE(found.difference[k], found.bound) << compared_quantities[k];
  // The top's inertias span four orders of magnitude.
  EXPECT_LT(found.bound, 1e-4) << "the bound is too wide to mean anything";
}

std::string name_of(const PairKernels& pair) {
  return std::string(pair.system->info->name) + "_" + pair.scheme->name + "_" + pair.form;
}
INSTANTIATE_TEST_SUITE_P(Pairs, SystemsAsText, ::testing::ValuesIn(built_in_pairs()),
                         [](const auto& info) { return name_of(info.param); });

TEST(SystemsAsTextAll, AreThere) {
  for (const KnownSystem& system : written_as_text()) {
    bool any = false;
    for (const PairKernels& pair : built_in_pairs())
      any = any || pair.system->info->name == std::string_view(system.info->name);
    EXPECT_EQ(any, is_comparable(system)) << system.info->name;
    EXPECT_NO_THROW(text_of_system(system.info->name));
  }
}

/// What is kept of a form, and found again, goes by its name.
TEST(SystemsAsTextAll, HaveFormsWithNamesOfTheirOwn) {
  for (const KnownSystem& system : written_as_text()) {
    const TextSystem text = text_of_system(system.info->name);
    for (const SchemeInfo* scheme : registered().schemes) {
      std::set<std::string> names;
      for (const FormOfText& form : forms_of(text, *scheme)) {
        EXPECT_TRUE(names.insert(form.known->form).second) << scheme->name << " on " << system.info->name;
        EXPECT_EQ(form_of(text, *scheme, form.known->form), form.known);
      }
    }
  }
}

using Change = std::function<void(ensembles::Request&)>;
/// The form that is taken of a scheme on the text, or on the built-in system of that name.
std::string form_taken(const TextSystem* text, const std::string& system, const std::string& scheme,
                       const Change& change) {
  const Catalogue catalogue = text ? with_text(registered(), *text) : registered();
  const SystemInfo& info = *catalogue.system(system)->info;
  const auto pair = std::ranges::find_if(catalogue.pairs, [&](const PairKernels& one) {
    return one.system->info == &info && scheme == one.scheme->name;
  });
  ensembles::Request request = sample_request(*pair, 1, 0.01, text ? text->identity() : "");
  request.form = "auto";
  change(request);
  return choose_pair(catalogue, request).pair->form;
}

TEST(SystemsAsTextAll, TakeAFormThatDampsWhereAnythingMayDamp) {
  const TextSystem top = text_of_system("heavy_top");
  const int damping = parameter_offset(top.info(), *find_parameter(top.info(), "damping"));
  const auto zero = [&](ensembles::Request& request) { request.parameters[damping] = 0.0; };
  const auto set = [&](ensembles::Request& request) { request.parameters[damping] = 0.1; };
  const auto along = [&](ensembles::Request& request) {
    ensembles::Tangent& tangent = request.tangent.emplace();
    tangent.of = {{WithRespectTo::parameter, damping}};
    tangent.names = {"damping"};
  };
  const auto all_drawn = [&](ensembles::Request& request) {
    ensembles::Variation& all = request.taken_over.emplace_back();
    all.target = ensembles::Target::parameter;
    all.first = 0;
    all.count = damping + 1;
    all.law = ensembles::Law::table;
  };
  EXPECT_EQ(form_taken(&top, top.name(), "ems", zero), "reduced");
  for (const Change& change : {Change(set), Change(along), Change(all_drawn)}) {
    EXPECT_EQ(form_taken(&top, top.name(), "ems", change), "condensed");
    EXPECT_EQ(form_taken(&top, top.name(), "rattle", change), "reduced") << "which damps";
    EXPECT_EQ(form_taken(nullptr, "heavy_top", "ems", change), "full");
  }
  const auto alpha = [](ensembles::Request& request) { request.settings.options[0] = 0.75; };
  EXPECT_EQ(form_taken(&top, top.name(), "vi_a", alpha), "condensed");
  std::string other = top.identity();
  const std::string factor = "1/2*damping*(";
  ASSERT_NE(other.find(factor), std::string::npos);
  other.replace(other.find(factor), factor.size(), "1/2*(0.8 - damping)*(");
  const TextSystem always = read_text_system(other, "other.toml");
  EXPECT_EQ(form_taken(&always, always.name(), "ems", zero), "condensed");
}

TEST(SystemsAsTextAll, AnotherTextIsSeen) {
  std::string other = text_of_system("mass_spring").identity();
  const std::string spring = "stiffness[1]/4*(x2^2 + x2^4)";
  ASSERT_NE(other.find(spring), std::string::npos);
  other.replace(other.find(spring), spring.size(), "1.000001*stiffness[1]/4*(x2^2 + x2^4)");
  for (const PairKernels& pair : built_in_pairs())
    if (pair.system->info->name == std::string_view("mass_spring")) {
      EXPECT_FALSE(compared(pair, read_text_system(other, "other.toml")).holds());
    }
}

}  // namespace
}  // namespace livens::host
