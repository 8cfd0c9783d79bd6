#pragma once
// liblivens: ensembles from a program of your own (docs/library.md). A spec becomes a run, a run a result:
//
//   livens::Ensemble ensemble("unit_circle");
//   ensemble.scheme("ems").step(0.01).end(10.0).size(1000);
//   ensemble.vary("initial.v[0]", livens::Distribution::normal(0.0, 0.1).added());
//   const livens::Result result = livens::run(ensemble);
//   std::span<const double> final_q = result.numbers("/instances/final_q");  // N,d
//
// Names, units and what a number means are those of docs/contract.md. Everything throws an Error and nothing
// else, but for what a callback of yours has thrown, which comes back as it was.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "expressions/mistake.hpp"

namespace livens {

/// What went wrong, in one line (of a spec, one for each mistake), and the exit status that the program
/// livens would end with (contract, section 1). An Error that is none of those below is a fault of livens
/// itself, with status 255.
class Error : public std::runtime_error {
 public:
  Error(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};
/// The spec, or an option, is wrong; or this build or machine cannot do what it asks for. Status 2.
struct SpecError : Error {
  explicit SpecError(std::vector<Mistake> found) : Error(2, printed(found)), mistakes(std::move(found)) {}
  std::vector<Mistake> mistakes;  ///< at least one, with file, line, key, what is wrong and what was expected
};
/// More instances failed than the spec allows (Result::check()). Status 3.
struct InstancesFailed : Error {
  explicit InstancesFailed(const std::string& message) : Error(3, message) {}
};
/// A result or checkpoint could not be read, or a file not written. Status 4.
struct ResultError : Error {
  explicit ResultError(const std::string& message) : Error(4, message) {}
};
/// A device failed during the run. Status 4.
struct DeviceError : Error {
  explicit DeviceError(const std::string& message) : Error(4, message) {}
};
/// RunOptions::cancelled has said so. Status 130.
struct Cancelled : Error {
  explicit Cancelled(const std::string& message) : Error(130, message) {}
};

namespace host {
struct Table;
}

/// A value of a spec, as TOML.
class Value {
 public:
  Value(bool truth) : toml_(truth ? "true" : "false") {}
  template <std::integral T>
  Value(T number) : toml_(std::to_string(number)) {}
  Value(double number);
  Value(const char* text) : Value(std::string(text)) {}
  Value(const std::string& text);
  Value(const std::vector<double>& numbers);
  Value(const std::vector<std::int64_t>& numbers);
  Value(const std::vector<std::string>& texts);

  const std::string& toml() const { return toml_; }

 private:
  std::string toml_;
};

/// The law of a varied quantity. Its values replace those of the spec, unless they are added or multiplied.
class Distribution {
 public:
  static Distribution normal(double mean, double std);
  static Distribution uniform(double low, double high);
  static Distribution lognormal(double mu, double sigma);
  static Distribution triangular(double low, double peak, double high);
  static Distribution exponential(double mean);
  static Distribution truncated_normal(double mean, double std, double low, double high);
  static Distribution linspace(double low, double high, std::int64_t count);
  static Distribution logspace(double low, double high, std::int64_t count);
  static Distribution values(const std::vector<double>& values);
  Distribution added() const { return with("mode", "add"); }
  Distribution multiplied() const { return with("mode", "multiply"); }
  /// One draw for all entries of a quantity that has several.
  Distribution shared() const { return with("shared", true); }

 private:
  friend class Ensemble;
  using Keys = std::vector<std::pair<std::string, Value>>;
  explicit Distribution(Keys keys) : keys_(std::move(keys)) {}
  Distribution with(const char* key, const Value& value) const;
  Keys keys_;
};

/// An array of a table: N numbers, or N,k for a quantity of k entries ("initial.v"), the last axis fastest.
struct TableColumn {
  std::string name;  ///< what its values are of
  std::vector<std::int64_t> shape;
  std::span<const double> values;
};

/// An ensemble to integrate: a spec (contract, section 2), from TOML or built here. Nothing is checked before
/// check() or a run: then it is what any spec is, with the same messages. Those about a spec that was built
/// name the lines of to_toml().
class Ensemble {
 public:
  /// Of a system by its name; all else as the system has it.
  explicit Ensemble(const std::string& system);
  /// A spec as text; `name` stands for its file in messages, and for the file of the result.
  static Ensemble from_toml(const std::string& text, const std::string& name = "spec.toml");
  /// Throws SpecError where the file cannot be read.
  static Ensemble from_file(const std::string& path);

  /// Any key by its dotted name, e.g. "scheme.newton.tolerance". Of a spec from TOML it replaces the value,
  /// as `livens run --set` does.
  Ensemble& set(const std::string& key, const Value& value);
  /// One more [[ensemble.vary]].
  Ensemble& vary(const std::string& what, const Distribution& law);
  /// A table without a file: columns named by what they are values of, and row after row of their values, a
  /// row an instance, which are copied. The spec names it `name`: the same numbers in a file of that name are
  /// the same run. Throws SpecError unless the values make up rows.
  Ensemble& table(const std::vector<std::string>& columns, std::span<const double> values,
                  const std::string& name = "table.csv");
  /// The same of arrays. Throws SpecError unless all have as many rows.
  Ensemble& table(const std::vector<TableColumn>& columns, const std::string& name = "table.csv");

  Ensemble& parameter(const std::string& name, const Value& value) { return set("system." + name, value); }
  Ensemble& scheme(const std::string& name) { return set("scheme.name", name); }
  Ensemble& option(const std::string& name, const Value& value) { return set("scheme." + name, value); }
  Ensemble& step(double seconds) { return set("scheme.step", seconds); }
  Ensemble& end(double seconds) { return set("scheme.end", seconds); }
  Ensemble& steps(std::int64_t count) { return set("scheme.steps", count); }
  Ensemble& form(const std::string& name) { return set("scheme.form", name); }
  Ensemble& precision(const std::string& name) { return set("scheme.precision", name); }
  Ensemble& newton_tolerance(double tolerance) { return set("scheme.newton.tolerance", tolerance); }
  Ensemble& initial_q(const std::vector<double>& q) { return set("initial.q", q); }
  Ensemble& initial_v(const std::vector<double>& v) { return set("initial.v", v); }
  Ensemble& initial_p(const std::vector<double>& p) { return set("initial.p", p); }
  Ensemble& initial_from(const std::string& result) { return set("initial.from", result); }
  Ensemble& consistency(const std::string& name) { return set("initial.consistency", name); }
  Ensemble& size(std::int64_t instances) { return set("ensemble.size", instances); }
  Ensemble& seed(std::int64_t seed) { return set("ensemble.seed", seed); }
  Ensemble& design(const std::string& name) { return set("ensemble.design", name); }
  Ensemble& table_file(const std::string& path) { return set("ensemble.table.file", path); }
  Ensemble& on_failure(const std::string& reaction) { return set("ensemble.on_failure", reaction); }
  Ensemble& every(std::int64_t steps) { return set("output.every", steps); }
  Ensemble& interval(double seconds) { return set("output.interval", seconds); }
  Ensemble& trajectories(std::int64_t instances) { return set("output.trajectories", instances); }
  Ensemble& quantiles(const std::vector<double>& levels) { return set("output.quantiles", levels); }
  Ensemble& observe(const std::vector<std::string>& names) { return set("output.observe", names); }

  /// The spec. Of one from TOML the text as it was given: what set() has replaced is not in it.
  std::string to_toml() const;
  const std::string& name() const { return name_; }
  /// What set() has replaced in a spec from TOML: "key=value".
  const std::vector<std::string>& replaced() const { return replaced_; }

  const std::shared_ptr<const host::Table>& table_in_memory() const { return table_; }

  /// Throws the SpecError that a run would begin with. What HDF5 files that the spec names say is not looked
  /// at.
  void check() const;

 private:
  struct Section {
    std::string name;  // "scheme.newton"
    std::vector<std::pair<std::string, std::string>> values;
  };
  Ensemble(std::string text, std::string name) : name_(std::move(name)), text_(std::move(text)) {}
  Section& section(const std::string& name);

  std::string name_;
  std::optional<std::string> text_;    // of a spec from TOML
  std::vector<std::string> replaced_;  // in it
  std::vector<Section> sections_;      // of a spec that is built
  std::vector<Section> variations_;
  std::shared_ptr<const host::Table> table_;
};

/// The names of the systems, and of the schemes that run one, that this program was built with.
std::vector<std::string> systems();
std::vector<std::string> schemes_of(const std::string& system);

/// How far a run is, in instances times steps (times output intervals where scheme.step varies).
struct Progress {
  std::int64_t done, total;
  std::int64_t failed;  ///< instances so far
};

/// A part of the ensemble has come to a sample.
struct Sample {
  std::int64_t number, count;  ///< of the samples
  double time;                 ///< s
  std::int64_t first, last;    ///< the instances [first, last); all of them in a run in memory
  std::int64_t ok;             ///< of these
};

/// Where a run takes place, and who hears of it. None of it changes a number of the result.
struct RunOptions {
  std::string backend = "auto";   ///< "cpu", "cuda", "reference"; "auto": cuda where there is a device
  int threads = 0;                ///< of the processor; 0: all
  bool all_devices = false;       ///< all GPUs
  std::vector<int> devices = {};  ///< CUDA device indices; empty: one
  double memory = 0.25;           ///< GiB: state of the instances integrated at a time, in a run to a file

  /// Called about twice a second, and `sample` at every sample, on any thread of the run, but one call at a
  /// time of each.
  std::function<void(const Progress&)> progress = {};
  std::function<void(const Sample&)> sample = {};
  /// Told in a line what is worth knowing and no error.
  std::function<void(const std::string&)> note = {};
  /// Told what begins to be compiled on first use, on the thread that has called or, of difficult steps, on any of the run.
  /// Without it the standard error has it, where that is a terminal.
  std::function<void(const std::string& what)> compiling = {};
  /// Asked often, on all threads of the run, and so not to block: true ends the run with Cancelled within a
  /// second or two, after a checkpoint where there is one.
  std::function<bool()> cancelled = {};
};

/// An attribute of a dataset.
struct Attribute {
  std::string name;
  std::variant<double, std::int64_t, std::vector<double>, std::vector<std::uint8_t>, std::string> value;
};

/// One of the datasets of a result file (contract, section 4), in memory.
struct Array {
  std::string name;  ///< e.g. "/instances/final_q"
  std::string unit, description;
  std::vector<std::int64_t> shape;  ///< the last axis varies fastest
  std::variant<std::span<const double>, std::span<const std::int64_t>, std::span<const std::uint8_t>> values;
  /// A name for every axis, e.g. "instance", "coordinate"; the array of one axis that has its name, in the
  /// same group or in one above it, are its labels.
  std::vector<std::string> axes;
  std::vector<Attribute> attributes;  ///< all that the dataset has, unit and description among them
};

/// What came of an ensemble. Copies share the numbers, which live as long as one of them.
class Result {
 public:
  struct State;
  explicit Result(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  const std::vector<Array>& arrays() const;
  bool has(std::string_view name) const;
  /// Throws SpecError where there is none of that name.
  const Array& operator[](std::string_view name) const;
  /// The values of an array of that type; SpecError where it has another one.
  std::span<const double> numbers(std::string_view name) const;
  std::span<const std::int64_t> counts(std::string_view name) const;
  std::span<const std::uint8_t> codes(std::string_view name) const;

  std::int64_t size() const;    ///< N
  std::int64_t failed() const;  ///< instances whose status is neither ok nor stopped
  const std::string& system() const;
  const std::string& scheme() const;
  const std::string& form() const;
  const std::string& spec() const;  ///< TOML
  const std::string& backend() const;
  const std::string& device() const;
  double wall_seconds() const;  ///< of the stepping
  /// The table that `livens run` prints.
  std::string summary() const;

  /// Throws InstancesFailed where more instances failed than ensemble.on_failure and max_failed_fraction of
  /// the spec allow.
  void check() const;
  /// Writes the file that `livens run` would have written. Throws ResultError.
  void save(const std::string& path) const;

 private:
  std::shared_ptr<const State> state_;
};

/// Names of the codes in /instances/status, by their number.
std::vector<std::string> status_names();

/// Integrates an ensemble; all of it is in memory, at once. Instances that fail are part of the result.
Result run(const Ensemble& ensemble, const RunOptions& options = {});

/// Part `index`, from 0, of `count`.
struct ShardOption {
  std::int64_t index, count;
};

struct FileOptions {
  std::string path = {};                  ///< of the result; empty: output.file of the spec
  std::optional<ShardOption> shard = {};  ///< only this part of the ensemble, for `livens merge`
  bool resume = false;     ///< go on from the checkpoint of an interrupted run, if there is one
  bool overwrite = false;  ///< an existing file; else it is refused, unless the run is resumed
};

/// What is known of a result that was written.
struct Written {
  std::string path, summary;
  std::string json;           ///< the summary for programs: what `livens info --json` says of the file
  std::int64_t size, failed;  ///< instances, and those that are not ok
  std::string too_many;       ///< what Result::check() would throw; empty: nothing
  /// Where the time went, s: what is compiled on first use, the steps with their statistics, the end of the file.
  double compiling = 0.0, stepping = 0.0, writing = 0.0;
};

/// The same into a file, portion by portion, with checkpoints: an ensemble of any size.
Written run_to_file(const Ensemble& ensemble, const FileOptions& to, const RunOptions& options = {});

/// How many instances it has. Checks it, as check(), and reads what it names.
std::int64_t instances_of(const Ensemble& ensemble);

/// Joins the files of all shards of a run into that of the whole, as `livens merge`; its summary.
std::string merge(const std::vector<std::string>& parts, const std::string& path);

/// Reads a result file. Throws ResultError.
Result open_result(const std::string& path);

}  // namespace livens
