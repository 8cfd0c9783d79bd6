#include "host/compilation/compiled.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "host/compilation/plugin_file.hpp"
#include "host/errors.hpp"
#include "host/pairs/built_in_texts.hpp"
#include "host/pairs/observing_pairs.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/printable.hpp"
#include "taylor/built_in_series.hpp"
#if defined(LIVENS_WITH_CUDA)
#include "host/compilation/compiled_cuda.hpp"
#endif

namespace livens::host {
namespace {

ClassTemplate system_class(const SystemInfo& system);

/// The system's own class, and behind it the one that evaluates expressions.
ClassTemplate observing_class(const Observing& observing) {
  const ClassTemplate base = system_class(*observing.base);
  const std::string header =
      base.header.empty() ? base.text : fmt::format("#pragma once\n#include \"{}\"\n", base.header);
  return {"", expressions::observing_class_name,
          expressions::observing_header(*observing.base, text_of(*observing.base), observing.scope, base.name,
                                        header, observing.additions)};
}

ClassTemplate system_class(const SystemInfo& system) {
  if (const Observing* observing = observing_of(system)) return observing_class(*observing);
  if (const TextSystem* text = text_of(system)) return {"", text->class_name(), text->header()};
  const KnownSystem& known = *known_system(system.name);
  if (known.from_text)
    return {"", known.class_name,
            built_in_text(system.name)->built_in_header(system.name, known.class_name, known.header)};
  return {known.header, known.class_name};
}

ClassTemplate scheme_class(const PairKernels& pair) {
  const TextSystem* text = text_of(*pair.system->info);
  const KnownPair& known = text ? *form_of(*text, *pair.scheme, pair.form) : *known_pair(pair);
  return {known.header, known.class_name};
}

/// Without unknowns there is no matrix to mix precisions in.
Precision compiled_precision(const PairKernels& pair, Precision precision) {
  return precision == Precision::mixed && pair.unknowns == 0 ? Precision::full : precision;
}

TranslationUnit unit_of(const SystemInfo& system, const std::string& isa = instruction_set()) {
  return system_unit(kernel_headers(), system, system_class(system), isa);
}
TranslationUnit unit_of(const PairKernels& pair, Precision precision, PartOfPair part,
                        const std::string& isa = instruction_set()) {
  // A matrix in single precision is none of a careful step.
  if (part == PartOfPair::careful && precision == Precision::mixed) precision = Precision::full;
  return pair_unit(kernel_headers(), pair, system_class(*pair.system->info), scheme_class(pair), isa,
                   compiled_precision(pair, precision), part);
}

struct CudaUnits {
  TranslationUnit system, pair;
};
CudaUnits cuda_units_of(const PairKernels& pair, Precision precision, int architecture) {
  const ClassTemplate of_system = system_class(*pair.system->info);
  return {cuda_system_unit(kernel_headers(), *pair.system->info, of_system, architecture),
          cuda_pair_unit(kernel_headers(), pair, of_system, scheme_class(pair), architecture,
                         compiled_precision(pair, precision))};
}

bool has_functions(const PairKernels& pair, Precision precision) {
  return precision == Precision::mixed ? pair.advance_mixed != nullptr : pair.start != nullptr;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) throw FileError(path, std::strerror(errno));
  return bytes.str();
}

thread_local const Announcing::Told* announced = nullptr;

Provided provide(const TranslationUnit& unit) {
  const bool told = announced != nullptr && *announced;
  Provided provided = ObjectCache().provide(unit, kernel_headers(), [&] {
    if (told) (*announced)(printable(unit.description()));
  });
  if (!told && provided.seconds > 0.0 && isatty(STDERR_FILENO))
    tell(fmt::format("livens: compiled {} in {:.1f} s\n", printable(unit.description()), provided.seconds));
  return provided;
}

/// A pair, and where it comes from. Its address is what PairKernels::careful is asked with.
struct LoadedPair {
  PairKernels kernels;
  PairKernels listed;  ///< by the catalogue, without functions
  Precision precision;
  std::string isa;
  mutable std::atomic<const CarefulKernels*> careful = nullptr;
};

/// Objects that were loaded. Those of systems and pairs go by the SystemInfo whose names they carry, as two texts may
/// differ in names alone; it lives as long as the program, and to find them costs nothing. A node of a map stays where it is.
struct Loaded {
  std::recursive_mutex mutex;
  std::map<std::string, SystemKernels> systems;
  std::map<std::string, LoadedPair> pairs;
  std::map<std::string, PairKernels> with_compiled_systems;
  std::map<std::string, const taylor::FixedSeries*> series;
  std::map<std::string, const AdjointKernels*> adjoints;
};
Loaded& loaded() {
  static Loaded* const all = new Loaded;  // used by whatever runs until the end
  return *all;
}

const SystemKernels& loaded_system(const SystemKernels& system, const std::string& isa) {
  const auto [place, is_new] =
      loaded().systems.try_emplace(fmt::format("{} {}", isa, static_cast<const void*>(system.info)));
  if (is_new) {
    try {
      const Plugin& plugin = load_plugin(provide(unit_of(*system.info, isa)));
      place->second = *plugin.system;
      // Names and pointers of the program's own, as its tables have them.
      place->second.info = system.info;
      place->second.capabilities = system.capabilities;
    } catch (...) {
      loaded().systems.erase(place);
      throw;
    }
  }
  return place->second;
}

const CarefulKernels& careful_of(const void* asked_with) {
  const LoadedPair& pair = *static_cast<const LoadedPair*>(asked_with);
  if (const CarefulKernels* there = pair.careful) return *there;
  const std::lock_guard guard(loaded().mutex);
  if (!pair.careful)
    pair.careful =
        load_plugin(provide(unit_of(pair.listed, pair.precision, PartOfPair::careful, pair.isa))).careful;
  return *pair.careful;
}

/// Steps that meet walls, stops and events are difficult.
bool takes_difficult_steps(const SystemInfo& system) {
  const Observing* observing = observing_of(system);
  return has_impacts(system) ||
         (observing && !(observing->additions.stops.empty() && observing->additions.events.empty()));
}

const PairKernels& loaded_pair(const PairKernels& pair, const SystemKernels& system, Precision precision,
                               const std::string& isa) {
  const auto [place, is_new] = loaded().pairs.try_emplace(
      fmt::format("{} {} {} {} {}", isa, static_cast<const void*>(pair.system->info), pair.scheme->name,
                  pair.form, precision_name(precision)));
  LoadedPair& loaded_one = place->second;
  PairKernels& kernels = loaded_one.kernels;
  if (is_new) {
    try {
      kernels = *load_plugin(provide(unit_of(pair, precision, PartOfPair::steps, isa))).pair;
      kernels.system = &system;
      kernels.scheme = pair.scheme;
      kernels.form = pair.form;  // which of several the class does not know
      loaded_one.listed = pair;
      loaded_one.precision = precision;
      loaded_one.isa = isa;
      if (!kernels.careful) {
        kernels.careful = careful_of;
        kernels.careful_of = &loaded_one;
        if (takes_difficult_steps(*pair.system->info)) careful_of(&loaded_one);
      }
    } catch (...) {
      loaded().pairs.erase(place);
      throw;
    }
  }
  return kernels;
}

}  // namespace

Announcing::Announcing(const Told& told) : before_(std::exchange(announced, &told)) {}
Announcing::~Announcing() { announced = before_; }

const SystemKernels& compiled(const SystemKernels& system) {
  if (system.initial_states) return system;
  const std::lock_guard guard(loaded().mutex);
  return loaded_system(system, instruction_set());
}

const PairKernels& compiled(const PairKernels& pair, Precision precision) {
  if (has_functions(pair, precision)) return pair;
  const std::lock_guard guard(loaded().mutex);
  return loaded_pair(pair, compiled(*pair.system), precision, instruction_set());
}

const PairKernels& compiled_for(const PairKernels& pair, Precision precision, const std::string& isa) {
  const std::lock_guard guard(loaded().mutex);
  return loaded_pair(pair, loaded_system(*pair.system, isa), precision, isa);
}

const PairKernels& with_compiled_system(const PairKernels& pair) {
  const SystemKernels& system = compiled(*pair.system);
  if (&system == pair.system) return pair;
  const std::lock_guard guard(loaded().mutex);
  const std::string name = fmt::format("{} {} {} {}", static_cast<const void*>(&system), pair.scheme->name,
                                       pair.form, precision_name(pair.precision));
  PairKernels& same = loaded().with_compiled_systems.try_emplace(name, pair).first->second;
  same.system = &system;
  return same;
}

const taylor::FixedSeries& compiled_series(const SystemInfo& system, const std::string& plan) {
  const TranslationUnit unit = series_unit(kernel_headers(), system, plan, instruction_set());
  const Provided object = provide(unit);  // which nobody else waits for
  const std::lock_guard guard(loaded().mutex);
  const taylor::FixedSeries*& series = loaded().series[object.key];
  if (!series) series = load_plugin(object).series;
  return *series;
}

const AdjointKernels& compiled_adjoint(const PairKernels& pair) {
  const std::lock_guard guard(loaded().mutex);
  const TranslationUnit unit = unit_of(pair, Precision::full, PartOfPair::adjoint);
  const AdjointKernels*& adjoint = loaded().adjoints[unit.key(kernel_headers())];
  if (!adjoint) adjoint = load_plugin(provide(unit)).adjoint;
  return *adjoint;
}

CudaModules compiled_modules(const PairKernels& pair, Precision precision, int architecture) {
  const auto module_of = [](const TranslationUnit& unit) {
    const std::string path = provide(unit).object.string();
    return CudaModule{path, file_bytes(path)};
  };
  const CudaUnits units = cuda_units_of(pair, precision, architecture);
  return {module_of(units.system), module_of(units.pair)};
}

std::vector<Compilation> compile_ahead(const PairKernels& pair, Precision precision) {
  std::vector<Compilation> done;
  const auto add = [&](const TranslationUnit& unit, bool built_in) {
    done.push_back({unit, built_in, built_in ? 0.0 : provide(unit).seconds});
  };
  add(unit_of(*pair.system->info), pair.system->initial_states != nullptr);
  if (is_true_motion(pair)) return done;
  const bool built_in = has_functions(pair, precision);
  add(unit_of(pair, precision, PartOfPair::steps), built_in);
  // Of one instance at a time they are all there is, but for a matrix in single precision.
  if (!built_in && (instruction_set() != "plain" || compiled_precision(pair, precision) == Precision::mixed))
    add(unit_of(pair, precision, PartOfPair::careful), false);
  return done;
}

Compilation compile_series_ahead(const SystemInfo& system, const std::string& plan) {
  const TranslationUnit unit = series_unit(kernel_headers(), system, plan, instruction_set());
  const bool built_in = taylor::built_in_series(instruction_set(), plan) != nullptr;
  return {unit, built_in, built_in ? 0.0 : provide(unit).seconds};
}

std::vector<Compilation> compile_ahead_for_cuda(const PairKernels& pair, Precision precision,
                                                int architecture) {
  const CudaUnits units = cuda_units_of(pair, precision, architecture);
#if defined(LIVENS_WITH_CUDA)
  if (built_in_cuda(pair, precision)) return {{units.system, true, 0.0}, {units.pair, true, 0.0}};
#endif
  const double system_seconds = provide(units.system).seconds;
  return {{units.system, false, system_seconds}, {units.pair, false, provide(units.pair).seconds}};
}

}  // namespace livens::host
