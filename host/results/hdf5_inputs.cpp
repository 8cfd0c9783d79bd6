#include "host/results/hdf5_inputs.hpp"

#include "host/results/hdf5_reading.hpp"
#include "host/results/result_file.hpp"

namespace livens::host {
namespace {

std::shared_ptr<const std::vector<double>> shared(std::vector<double>& values) {
  return std::make_shared<const std::vector<double>>(std::move(values));
}

Table::Column read_column(const hdf5::Source& file, const std::string& path, const std::string& name,
                          std::int64_t& rows) {
  const hdf5::Lengths shape = file.shape_of(path);
  constexpr std::int64_t widest = 1 << 20;
  if (shape.empty() || shape.size() > 2 || (shape.size() == 2 && (shape[1] < 1 || shape[1] > widest)))
    throw hdf5::Failure{path + " is no array of N, or of N,k numbers"};
  rows = shape[0];
  std::vector<double> values;
  file.read(path, shape, values);
  return {name, shape.size() == 2 ? static_cast<int>(shape[1]) : 1, shared(values)};
}

Table read_table(const std::string& path, const std::string& group) {
  const hdf5::Turn turn = hdf5::take_turn();
  hdf5::prepare();
  try {
    const hdf5::Source file(path);
    const std::string at = group.ends_with('/') ? group : group + "/";
    Table table;
    for (const std::string& name : file.names_in(group)) {
      std::int64_t rows = 0;
      table.columns.push_back(read_column(file, at + name, name, rows));
      if (table.columns.size() > 1 && rows != table.rows)
        throw hdf5::Failure{at + name + " has another number of rows than " + table.columns.front().name};
      table.rows = rows;
    }
    return table;
  } catch (const hdf5::Failure& failure) {
    throw FileError(path, "cannot be read as a table (" + failure.reason + ")");
  }
}

EndOfRun read_end_of_run(const std::string& path) {
  const ResultReader reader(path);
  const ResultFile& outline = reader.outline();
  for (const std::string& name : outline.left_out)
    if (name == "final_q" || name == "final_v" || name == "final_p" || name.starts_with("parameters/system."))
      throw FileError(path, "is without " + name + ", which output.columns left out there");
  ensembles::Instances instances = reader.instances();
  EndOfRun end{outline.provenance.spec,   outline.provenance.overrides, outline.result.size,
               outline.shard.has_value(), shared(instances.final_q),    shared(instances.final_v),
               shared(instances.final_p), std::move(instances.status),  {}};
  for (ensembles::Instances::Varied& varied : instances.parameters)
    if (varied.what.starts_with("system."))
      end.parameters.push_back({varied.what, varied.width, shared(varied.values)});
  return end;
}

}  // namespace

const Hdf5Inputs& hdf5_inputs() {
  static constexpr Hdf5Inputs inputs{read_table, read_end_of_run};
  return inputs;
}

}  // namespace livens::host
