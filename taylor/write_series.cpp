// Writes C++ of the steps of a text, written out, and the name of its plan: a program of the build.
//   write_series TEXT.toml NAME SERIES.cpp PLAN.inc

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "expressions/text_system.hpp"
#include "taylor/equations.hpp"
#include "taylor/fixed_plan.hpp"

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return content.str();
}

void write(const std::string& path, const std::string& content) {
  std::ofstream file(path);
  file << content;
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

/// What a run has whose parameters are the defaults: the terms of those that are zero are left out.
std::string plan_of(const livens::TextSystem& text) {
  std::vector<bool> zeros;
  for (const livens::ParameterInfo& parameter : text.info().parameters)
    for (const double value : parameter.defaults) zeros.push_back(value == 0.0);
  const livens::taylor::Equations equations(text.mechanics(), static_cast<int>(zeros.size()), {}, {}, {},
                                            zeros);
  const livens::taylor::Plan plan = equations.plan();
  return livens::taylor::worth_writing_out(plan) ? livens::taylor::fixed_plan(plan) : "";
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::fputs("usage: write_series TEXT.toml NAME SERIES.cpp PLAN.inc\n", stderr);
    return 2;
  }
  try {
    const std::string name = words[2];
    const std::string plan = plan_of(livens::read_text_system(content_of(words[1]), words[1]));
    write(words[3],
          fmt::format("// Written by taylor/write_series.cpp.\n#include \"taylor/fixed_series.hpp\"\n\n"
                      "namespace livens::inline LIVENS_ISA {{\nnamespace {{\n{0}}}\n"
                      "extern const taylor::FixedSeries series_of_{1};\n"
                      "const taylor::FixedSeries series_of_{1} = {2};\n}}\n",
                      plan, name, plan.empty() ? "{}" : "fixed_series<FixedPlan>"));
    write(words[4], fmt::format("R\"plan({})plan\"\n", plan));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_series: %s\n", error.what());
    return 1;
  }
}
