// Which form of a scheme a text takes, and what it is called.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "ensembles/ensemble.hpp"
#include "expressions/text_system.hpp"
#include "host/checks/sample_request.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/spec_text.hpp"

namespace livens::host {
namespace {

TextSystem text_of_system(const std::string& system) {
  return read_text_file(LIVENS_EXAMPLES "/" + system + ".toml");
}

/// What is kept of a form, and found again, goes by its name.
TEST(FormsOfTexts, HaveFormsWithNamesOfTheirOwn) {
  for (const std::string system :
       {"double_four_bar", "double_spherical_pendulum", "foucault_pendulum", "four_particle", "heavy_top",
        "mass_spring", "rolling_disk", "spring_pendulum", "unit_circle"}) {
    const TextSystem text = text_of_system(system);
    for (const SchemeInfo* scheme : registered().schemes) {
      std::set<std::string> names;
      for (const FormOfText& form : forms_of(text, *scheme)) {
        EXPECT_TRUE(names.insert(form.known->form).second) << scheme->name << " on " << system;
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

TEST(FormsOfTexts, TakeAFormThatDampsWhereAnythingMayDamp) {
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

}  // namespace
}  // namespace livens::host
