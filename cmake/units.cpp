// Decides which units of kernels are compiled, and writes them. CMake compiles this program and runs it while it
// configures (livens_kernels.cmake): it hands over names and options, and includes lists of what there is to compile.
//
// A unit is a system with a family of schemes, at least one of which fits the system: so say the concepts, which
// fits.cpp asks, a program that is written here and run by CMake. For which instruction sets a unit is compiled, in
// which forms and precisions, compiled_for() decides by the options of the build.
//
//   units COMMAND [--NAME WORD...]...   writes into --directory, from the templates in kernels/:
//   choices         choices.cmake: systems and instruction sets by their names, not as all or native
//   fits            fits.cpp, whose output is to go to fits.txt
//   units           the units of fits.txt, units.txt, and units.cmake, which lists their sources for CMake
//   cuda            the units for a GPU in the file --units, and cuda.cmake
//   registry        the table of all units in the files --units, or of those --only
//   cuda_registry   the same for a GPU
//   known_pairs     the table of all that fits, compiled or not
#include <optional>

#include "class_name.hpp"
#include "records.hpp"

namespace {

// ---- Instruction sets

const Words isas = {"plain", "avx2", "avx512"};

/// The best one that this processor has.
string native_isa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
#endif
  return "plain";
}

/// What LIVENS_SYSTEMS, LIVENS_ISA and LIVENS_COMPLETE_ISA name.
void write_choices() {
  const string native = native_isa();
  const auto chosen = [&](const string& option, const string& special, const Words& known, const Words& all) {
    Words result;
    for (const string& word : asked[option])
      if (word == "all")
        result = all;
      else if (const string name = word == "native" ? native : word; contains(known, name))
        add_once(result, name);
      else if (word != "none" || special != "none")
        refuse(option + ": there is no '" + word + "'; expected all, " + special + ", or any of" +
               joined(known));
    return result;
  };
  const Words systems = asked["systems"], made = chosen("LIVENS_ISA", "native", isas, isas);
  write("choices.cmake",
        set("livens_systems", chosen("LIVENS_SYSTEMS", "none", systems, systems)) +
            set("livens_native_isa", {native}) + set("livens_isas", made) +
            set("livens_complete_isas", chosen("LIVENS_COMPLETE_ISA", "native", isas, made)));
}

/// The set for which steps of one instance at a time are compiled: plain for plain, and for all others the least of
/// them, since without fused instructions every fma is a call of the C library (decision 22).
string one_at_a_time(const string& isa) {
  return isa != "plain" && contains(asked["built-isas"], string("avx2")) ? "avx2" : isa;
}
Words one_at_a_time(const Words& isas) {
  Words result;
  for (const string& isa : isas) add_once(result, one_at_a_time(isa));
  return result;
}

// ---- Systems and schemes, by the names of their headers

/// One of livens by its name in a folder, or one of a program of one's own by its whole path; its family is its folder.
/// What is not in the folder is a system whose class is made of its text, written where CMake writes.
Record header(const string& word, const string& folder, const string& family) {
  const std::filesystem::path given = word;
  const bool own = given.is_absolute();
  const string path = own ? word : folder + word + ".hpp", name = class_name(given.stem());
  const string source = own ? path : one("root") + "/" + path;
  const bool from_text = !exists(std::filesystem::path(source));
  string known = path;
  if (from_text) {
    known = folder + "beside_text/" + word + ".hpp";
    if (!exists(std::filesystem::path(one("root") + "/" + known))) known = "";
  }
  const string file = from_text ? whole(path).string() : source;
  if (!exists(std::filesystem::path(file)))
    refuse("there is no " + path + (family.empty() ? "" : ", which the family " + family + " names"));
  if (read(file).find(" " + name) == string::npos)
    refuse(path + " does not define " + name + "; expected a class template of the name of the file");
  return {{"name", given.stem()},
          {"header", path},
          {"from_text", from_text ? "true" : "false"},
          {"known_header", known},
          {"class", name},
          {"own", own ? "true" : "false"},
          {"family", own ? given.parent_path().filename().string() : family}};
}
/// "ems: forms/vectors/ems_reduced schemes/ems" is a family and its headers.
Records headers(const string& list, const string& folder) {
  Records result;
  string family;
  for (const string& word : asked[list])
    if (word.back() == ':')
      family = word.substr(0, word.size() - 1);
    else
      result.push_back(header(word, folder, family));
  return result;
}
Records schemes() { return headers("families", "kernels/"); }
Records systems() { return headers("systems", "kernels/systems/"); }

/// for_each_scheme(), with the forms of a scheme in the order given, and what follows from it.
void write_list(const string& path, const Records& schemes) {
  write(path, "forms/all.hpp.in",
        {{"cuda_forms", one("cuda-forms")}, {"lower_precision", one("lower") == "OFF" ? "false" : "true"}},
        {{"schemes", schemes}});
}

/// fits.cpp or known_pairs.cpp
void write_all_that_fits() {
  write_list("known_schemes.hpp", schemes());
  write(one("command") + ".cpp", "backends/" + one("command") + ".cpp.in",
        {{"schemes_header", "known_schemes.hpp"}}, {{"systems", systems()}, {"schemes", schemes()}});
}

// ---- Units

/// What fits.txt says, form by form: a unit has what one of its forms has. LIVENS_LOWER_PRECISION and
/// LIVENS_CUDA_SCHEMES say which of them are compiled in lower precision and for a GPU.
Records fitting_units() {
  Records units;
  for (Record form : records("form", {"fits.txt"})) {
    form["unit"] = form["system"] + "_" + form["family"] + (asked.count("suffix") ? one("suffix") : "");
    std::size_t k = 0;
    while (k < units.size() && units[k]["unit"] != form["unit"]) ++k;
    if (k == units.size()) units.push_back(form);
    for (const string flag : {"standard", "lower", "without_clones"})
      if (is(form, flag)) units[k][flag] = "true";
  }
  for (Record& unit : units) {
    const auto wanted = [&](const string& option) {
      return one(option) == "standard" ? unit["standard"] : one(option) == "none" ? "false" : "true";
    };
    if (is(unit, "lower")) unit["lower"] = wanted("lower");
    unit["cuda"] = wanted("cuda-schemes");
  }
  return units;
}

/// What is compiled of a unit. A complete instruction set (LIVENS_COMPLETE_ISA) has every unit, in the forms of
/// LIVENS_FORMS. Another has the standard units, in their preferred forms: those with the scheme that the system takes
/// where none is named, and those with one's own. Lower precision is for complete sets, and for plain code, whose bits
/// they have to have.
std::optional<Record> compiled_for(const string& isa, const Words& complete_isas, Record unit) {
  const bool complete = contains(complete_isas, isa);
  if (!complete && !is(unit, "standard")) return {};
  if (!complete && isa != "plain") unit["lower"] = "false";
  unit["forms"] = complete ? one("forms") : "preferred";
  unit["isa"] = isa;
  return unit;
}

/// Writes a source, and says it to CMake with the names of its flags.
string source(const string& name, const string& from, const Record& words, const string& flags) {
  write(filled(name, words), "backends/" + from, words);
  return string("livens_source(") + (name.ends_with(".cu") ? "cuda_sources" : "sources") +
         " ${CMAKE_CURRENT_LIST_DIR}/" + filled(name, words) + " " + flags + ")\n";
}

/// Those whose functions are not in a library already.
Records new_ones(Records systems) {
  const Records library = records("system", asked["library"]);
  std::erase_if(systems, [&](const Record& system) { return contains(library, system); });
  return systems;
}

void write_units() {
  const Records units = fitting_units(), systems = records("system", {"fits.txt"});
  for (const string& family : words("family", schemes()))
    write_list(family + "/all.hpp", with("family", {family}, schemes()));
  for (const string& system : words("system", systems)) {
    const Words families = words("family", with("system", {system}, units));
    write_list("schemes_of_" + system + ".hpp", with("family", families, schemes()));
  }

  string sources;
  for (Record system : new_ones(systems))
    for (const string& isa : one_at_a_time(asked["isas"])) {
      system["isa"] = isa;
      sources += source("system_@system@_@isa@.cpp", "cpu/cpu_system.cpp.in", system, isa);
    }
  const Words complete = one_at_a_time(asked["complete-isas"]);
  for (Record unit : units) {
    unit["schemes_header"] = unit["family"] + "/all.hpp";
    for (const string& isa : one_at_a_time(asked["isas"]))
      if (const auto part = compiled_for(isa, complete, unit))
        sources += source("careful_@unit@_@isa@.cpp", "cpu/cpu_careful.cpp.in", *part, isa + " careful");
    for (const string& isa : asked["isas"])
      if (const auto part = compiled_for(isa, asked["complete-isas"], unit)) {
        const string clones = is(unit, "without_clones") ? " without_clones" : "";
        if (isa != "plain")  // the careful one is that
          sources += source("lanes_@unit@_@isa@.cpp", "cpu/cpu_lanes.cpp.in", *part, isa + clones);
        if (is(*part, "lower"))
          sources += source("lower_@unit@_@isa@.cpp", "cpu/cpu_lower.cpp.in", *part, isa);
      }
  }
  write("units.cmake",
        sources + set("livens_units", words("unit", units)) +
            set("livens_cuda_units", words("unit", with("cuda", {"true"}, units))) +
            set("livens_systems_but_assemblies", words("system", with("assembly", {"false"}, systems))) +
            for_each(systems, "set(livens_class_of_@system@ @class@)\n"));
  write("units.txt",
        lines("scheme", records("scheme", {"fits.txt"})) + lines("system", systems) + lines("unit", units));
}

void write_cuda() {
  string sources;
  for (const Record& system : new_ones(records("system", asked["units"])))
    sources += source("cuda_system_@system@.cu", "cuda/cuda_system.cu.in", system, "cuda");
  for (Record unit : with("cuda", {"true"}, records("unit", asked["units"]))) {
    // The same text in every build tree, for ccache.
    const std::filesystem::path beside = std::filesystem::path(one("units")).parent_path();
    unit["schemes_header"] = (beside / unit["family"] / "all.hpp").lexically_relative(one("directory"));
    sources += source("cuda_@unit@.cu", "cuda/cuda_pairs.cu.in", unit, "cuda");
    sources += source("cuda_careful_@unit@.cu", "cuda/cuda_careful.cu.in", unit, "cuda_careful");
  }
  write("cuda.cmake", sources);
}

// ---- Tables

Records asked_units() {
  const Records units = records("unit", asked["units"]);
  return asked.count("only") ? with("unit", asked["only"], units) : units;
}

void write_registry() {
  const Records units = asked_units();
  Records systems = records("system", asked["units"]);
  if (asked.count("only")) systems = with("system", words("system", units), systems);
  string functions;
  Record words;
  for (const string& isa : isas) {
    words[isa + "_tables"] = "";
    words[isa + "_made"] = contains(asked["isas"], isa) ? "true" : "false";
  }
  for (const string& isa : asked["isas"]) {
    string& table = words[isa + "_tables"];
    const string least = one_at_a_time(isa);
    functions += for_each(systems, "const SystemKernels& system_@system@_" + least + "();\n");
    table += for_each(systems, "        t.systems.push_back(system_@system@_" + least + "());\n");
    for (const Record& unit : units) {
      const auto part = compiled_for(isa, asked["complete-isas"], unit);
      if (!part) continue;
      string replacing;
      functions += filled("CompiledPairs careful_@unit@_" + least + "(Forms);\n", *part);
      for (const string name : {"lanes", "lower"})
        if (name == "lanes" ? isa != "plain" : is(*part, "lower")) {
          functions += filled("void " + name + "_@unit@_@isa@(CompiledPairs&);\n", *part);
          replacing += (replacing.empty() ? "" : ", ") + filled(name + "_@unit@_@isa@", *part);
        }
      const string pairs = filled("careful_@unit@_" + least + "(Forms::@forms@)", *part);
      table += "        t.add(" + (is(*part, "lower") ? pairs : "{" + pairs + ".full, {}}") + ", {" +
               replacing + "});\n";
    }
  }
  const Records schemes = records("scheme", asked["units"]);
  words["functions"] = functions;
  words["schemes"] = for_each(schemes, "&@class@Description::info, ");
  write("registry.cpp", "backends/registry.cpp.in", words, {{"schemes", schemes}});
}

void write_cuda_registry() {
  write("cuda_registry.cpp", "backends/cuda/cuda_registry.cpp.in", {},
        {{"units", with("cuda", {"true"}, asked_units())}});
}

}  // namespace

int main(int count, char** words) {
  Words* list = &asked["command"];
  for (const string& word : Words(words + 1, words + count))
    if (word.starts_with("--"))
      list = &asked[word.substr(2)];
    else
      list->push_back(word);
  const std::map<string, void (*)()> commands = {{"choices", write_choices},
                                                 {"fits", write_all_that_fits},
                                                 {"units", write_units},
                                                 {"cuda", write_cuda},
                                                 {"registry", write_registry},
                                                 {"cuda_registry", write_cuda_registry},
                                                 {"known_pairs", write_all_that_fits}};
  if (!commands.count(one("command"))) refuse("no command " + one("command"));
  commands.at(one("command"))();
}
