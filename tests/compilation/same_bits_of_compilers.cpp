// What g++ and clang++ make of a text, for plain code and for the widest instruction set that this processor
// has: the same bits. So an object of any compiler may stand for any other in a cache (decision 23).

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "ensembles/ensemble.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/compilation/compiler.hpp"
#include "host/compilation/plugin_file.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "kernels/backends/registry.hpp"

namespace livens::host {
namespace {

/// CXX for as long as it lives.
class ChosenCompiler {
 public:
  explicit ChosenCompiler(const char* name) {
    if (const char* before = std::getenv("CXX")) before_ = before;
    setenv("CXX", name, 1);
  }
  ChosenCompiler(const ChosenCompiler&) = delete;
  ~ChosenCompiler() {
    if (before_)
      setenv("CXX", before_->c_str(), 1);
    else
      unsetenv("CXX");
  }

 private:
  std::optional<std::string> before_;
};

bool is_there(const char* name) {
  const ChosenCompiler chosen(name);
  try {
    return find_cpp_compiler() != nullptr;
  } catch (const std::exception&) {
    return false;
  }
}

struct Case {
  const char *system, *scheme;
};

class Study {
 public:
  explicit Study(const Case& of)
      : case_(of), text_(read(of.system)), catalogue_(with_text(registered(), text_)) {
    for (const PairKernels& pair : catalogue_.pairs)
      if (pair.system->info == &text_info() && pair.scheme->name == std::string_view(of.scheme))
        pair_ = &pair;
  }

  ensembles::Result integrate(const char* compiler, const std::string& isa) const {
    const ChosenCompiler chosen(compiler);
    const KernelHeaders headers = kernel_headers();
    const ClassTemplate system_class{"", text_.class_name(), text_.header()};
    const KnownPair& form = *form_of(text_, *pair_->scheme, pair_->form);
    SystemKernels system = *object(system_unit(headers, text_info(), system_class, isa), headers).system;
    system.info = pair_->system->info;
    system.capabilities = pair_->system->capabilities;
    const auto part = [&](PartOfPair one) -> const Plugin& {
      return object(pair_unit(headers, *pair_, system_class, {form.header, form.class_name, {}}, isa,
                              Precision::full, one),
                    headers);
    };
    PairKernels pair = *part(PartOfPair::steps).pair;
    if (!pair.careful) {
      pair.careful_of = part(PartOfPair::careful).careful;
      pair.careful = [](const void* of) -> const CarefulKernels& {
        return *static_cast<const CarefulKernels*>(of);
      };
    }
    pair.system = &system;
    pair.scheme = pair_->scheme;
    CpuBackend backend(pair, isa, 1);
    return ensembles::run(request(), backend, {});
  }

 private:
  static TextSystem read(const std::string& name) {
    const std::string path = LIVENS_EXAMPLES "/" + name + ".toml";
    std::ifstream file(path);
    return read_text_system(std::string((std::istreambuf_iterator<char>(file)), {}), path);
  }
  /// That of the catalogue: the text that was read first under this identity.
  const SystemInfo& text_info() const { return *catalogue_.systems.front().info; }
  static const Plugin& object(const TranslationUnit& unit, const KernelHeaders& headers) {
    return load_plugin(ObjectCache().provide(unit, headers));
  }
  ensembles::Request request() const {
    ensembles::Request request;
    request.system = case_.system;
    request.scheme = case_.scheme;
    request.form = pair_->form;
    request.parameters = default_parameters(text_info());
    request.step = 0.02;
    request.steps = 100;
    request.end = 2.0;
    request.settings = standard_settings(*pair_->scheme);
    request.size = 50;  // registers full of instances, and a part
    request.every = 100;
    for (int c = 0; c < text_info().coordinates; ++c)
      request.variations.push_back({"initial.v[" + std::to_string(c) + "]",
                                    ensembles::Target::v,
                                    c,
                                    1,
                                    ensembles::Law::normal,
                                    ensembles::Mode::add,
                                    0.0,
                                    0.1,
                                    {}});
    return request;
  }

  Case case_;
  TextSystem text_;
  Catalogue catalogue_;
  const PairKernels* pair_ = nullptr;
};

class Compilers : public testing::TestWithParam<Case> {};

TEST_P(Compilers, MakeTheSameBits) {
  if (!is_there("g++") || !is_there("clang++")) GTEST_SKIP() << "g++ or clang++ is not there";
  const Study study(GetParam());
  const ensembles::Result expected = study.integrate("g++", "plain");
  ASSERT_GT(std::ranges::count(expected.instances.status, 0), 45);
  for (const Isa isa : {Isa::plain, best_isa()})
    for (const char* compiler : {"g++", "clang++"}) {
      const ensembles::Result made = study.integrate(compiler, isa_name(isa));
      const std::string what = std::string(compiler) + ", " + isa_name(isa);
      EXPECT_EQ(made.instances.status, expected.instances.status) << what;
      EXPECT_EQ(made.instances.final_q, expected.instances.final_q) << what;
      EXPECT_EQ(made.instances.final_v, expected.instances.final_v) << what;
    }
}

// A form each of a constant mass matrix, of one that depends on q, of constraints of either kind, and of
// loads.
INSTANTIATE_TEST_SUITE_P(Texts, Compilers,
                         testing::Values(Case{"charged_particle", "ems"},
                                         Case{"double_pendulum_angles", "livens"},
                                         Case{"bead_on_catenary", "rattle"},
                                         Case{"chaplygin_sleigh", "contact_2"},
                                         Case{"driven_cart", "del_multiplier"}),
                         [](const auto& test) { return std::string(test.param.system); });

}  // namespace
}  // namespace livens::host
