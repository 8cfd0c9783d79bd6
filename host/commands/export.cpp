// livens export: a result for tools that do not read HDF5, or not in groups.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include "host/commands/study_commands.hpp"
#include "host/errors.hpp"
#include "host/export/csv_export.hpp"
#include "host/export/netcdf_export.hpp"
#include "host/printable.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string file, format, output;
  bool overwrite = false;
};

void to_netcdf(const ResultReader& file, const std::string& output, bool overwrite) {
  std::error_code none;
  if (fs::equivalent(file.path(), output, none))
    refuse({output}, "is the result itself", "another file to write");
  if (!overwrite) refuse_overwriting_result(output);
  export_netcdf(file, output);
  fmt::print("written to {}\n", printable(output));
}

int export_result(const ExportArguments& arguments) {
  const bool csv = arguments.format == "csv";
  std::string output = arguments.output;
  if (output.empty()) output = fs::path(arguments.file).replace_extension(csv ? "" : ".nc").string();
  try {
    const ResultReader file(arguments.file);
    if (csv)
      for (const std::string& path : export_csv(file, output, arguments.overwrite))
        fmt::print("written to {}\n", printable(path));
    else
      to_netcdf(file, output, arguments.overwrite);
  } catch (const std::bad_alloc&) {
    throw std::system_error(ENOMEM, std::generic_category(), "a file cannot be read");
  }
  return exit_done;
}

}  // namespace

void add_export(CLI::App& app, Chosen& chosen) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "write a result file as CSV tables, or as flat netCDF");
  command->footer(
      "Examples:\n"
      "  livens export study.h5 csv              # study/instances.csv, ...\n"
      "  livens export study.h5 netcdf           # study.nc\n"
      "  python3 -c 'import pandas; print(pandas.read_csv(\"study/instances.csv\",\n"
      "    comment=\"#\").describe())'\n"
      "csv: instances.csv, statistics.csv, histograms.csv and trajectories.csv in a\n"
      "directory; a line of names, a line of units behind #, numbers to the last bit.\n"
      "netcdf: one file with everything in one group.");
  command->add_option("FILE.h5", arguments->file, "a result file")->required();
  command->add_option("FORMAT", arguments->format, "csv or netcdf")
      ->required()
      ->check(CLI::IsMember({"csv", "netcdf"}).description(""));
  command->add_option("-o,--output", arguments->output, "csv: a directory (FILE); netcdf: a file (FILE.nc)")
      ->type_name("OUT");
  command->add_flag("--force", arguments->overwrite, "replace files that stand there");
  command->callback([arguments, &chosen] { chosen = [arguments] { return export_result(*arguments); }; });
}

}  // namespace livens::host
