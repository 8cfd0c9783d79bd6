// Runs, and who may interrupt them. The ensemble is integrated on a thread of its own, while the one that has
// called from Python holds no lock, but wakes now and then to see whether Ctrl-C was pressed, and to report.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "ensembles/thread.hpp"
#include "host/library/adjoint.hpp"
#include "host/library/boundary.hpp"
#include "host/library/checked.hpp"
#include "host/library/prepared.hpp"
#include "host/pairs/registry.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/run/failures_allowed.hpp"
#include "python/extension/module.hpp"

namespace livens::python {
namespace {

using Columns = std::vector<std::pair<std::string, Numbers>>;

std::vector<TableColumn> arrays_of(const Columns& columns) {
  std::vector<TableColumn> arrays;
  for (const auto& [what, values] : columns) {
    arrays.push_back({what, {}, {values.data(), values.size()}});
    for (std::size_t axis = 0; axis < values.ndim(); ++axis)
      arrays.back().shape.push_back(static_cast<std::int64_t>(values.shape(axis)));
  }
  return arrays;
}

/// A spec as Python hands it over.
struct Study {
  std::string toml, name;
  Columns columns;    ///< of a table in memory
  std::string table;  ///< how the spec calls it; empty: there is none

  Ensemble ensemble() const {
    Ensemble built = Ensemble::from_toml(toml, name);
    if (!table.empty()) built.table(arrays_of(columns), table);
    return built;
  }
};

/// How long Ctrl-C and a progress wait at most.
constexpr std::chrono::milliseconds pause{50};

class Listener {
 public:
  /// `progress(done, total, failed)`, `note(line)` and `compiling(what)` are called on this thread.
  Listener(nb::object progress, nb::object note, nb::object compiling)
      : progress_(std::move(progress)), note_(std::move(note)), compiling_(std::move(compiling)) {}

  /// Calls the body on a thread that has the stack a step needs; it must not touch Python.
  template <class Body>
  auto operator()(RunOptions options, Body body) {
    options.cancelled = [this] { return cancelled_.load(std::memory_order_relaxed); };
    options.progress = [this](const Progress& progress) {
      const std::lock_guard lock(mutex_);
      latest_ = progress;
    };
    options.note = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      notes_.push_back(line);
    };
    options.compiling = [this](const std::string& what) {
      const std::lock_guard lock(mutex_);
      compiled_.push_back(what);
    };
    std::optional<decltype(body(options))> result;
    {
      const nb::gil_scoped_release others;
      const ensembles::Thread thread([&] {
        try {
          result.emplace(body(options));
        } catch (...) {
          failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        ended_.notify_one();
      });
      while (!waited()) {
        const nb::gil_scoped_acquire python;
        look();
      }
    }
    look();
    if (raised_) std::rethrow_exception(raised_);
    if (failure_) std::rethrow_exception(failure_);
    return std::move(*result);
  }

 private:
  /// True when the run has ended.
  bool waited() {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, pause, [this] { return done_; });
  }

  /// Signals, and what there is to tell. The first exception ends the run, and is raised when it has ended.
  void look() {
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      std::vector<std::string> notes, compiled;
      std::optional<Progress> latest;
      {
        const std::lock_guard lock(mutex_);
        std::swap(notes, notes_);
        std::swap(compiled, compiled_);
        std::swap(latest, latest_);
      }
      if (!note_.is_none())
        for (const std::string& line : notes) note_(line);
      if (!compiling_.is_none())
        for (const std::string& what : compiled) compiling_(what);
      if (latest && !progress_.is_none()) progress_(latest->done, latest->total, latest->failed);
    } catch (...) {
      if (!raised_) raised_ = std::current_exception();
      cancelled_ = true;
    }
  }

  nb::object progress_, note_, compiling_;
  std::atomic<bool> cancelled_ = false;
  std::exception_ptr raised_, failure_;
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  bool done_ = false;
  std::optional<Progress> latest_;
  std::vector<std::string> notes_, compiled_;
};

RunOptions options_of(const std::string& backend, const std::vector<int>& devices, bool all_devices,
                      int threads) {
  RunOptions options;
  options.backend = backend;
  options.devices = devices;
  options.all_devices = all_devices;
  options.threads = threads;
  return options;
}

/// The numbers of a result by their path, without its first '/': those that functions of a study are made of.
std::vector<double> taken(ensembles::Result& result, const std::string& path) {
  const auto among = [&](std::vector<ensembles::Quantity>& list, const std::string& name) {
    for (ensembles::Quantity& one : list)
      if (one.name == name) return std::move(one.values);
    throw SpecError({Mistake{{}, "no array '" + path + "' in this result"}});
  };
  ensembles::Instances& instances = result.instances;
  ensembles::Trajectories& followed = result.trajectories;
  const std::string of_followed = "trajectories/", of_tangents = "tangent/trajectories/";
  if (path == "instances/final_q") return std::move(instances.final_q);
  if (path == "instances/final_v") return std::move(instances.final_v);
  if (path == "instances/final_p") return std::move(instances.final_p);
  if (path == "trajectories/q") return std::move(followed.q);
  if (path == "trajectories/v") return std::move(followed.v);
  if (path == "trajectories/p") return std::move(followed.p);
  if (path.starts_with(of_followed)) return among(followed.observed, path.substr(of_followed.size()));
  if (path.starts_with(of_tangents)) return among(followed.tangents, path.substr(of_tangents.size()));
  return among(instances.observables, path.starts_with("instances/") ? path.substr(10) : path);
}

std::vector<std::vector<double>> values_of(const std::vector<Numbers>& columns) {
  std::vector<std::vector<double>> values;
  for (const Numbers& column : columns) values.emplace_back(column.data(), column.data() + column.size());
  return values;
}

/// A Prepared, or an Adjoint, of a Study.
template <class Prepared>
class Repeated {
 public:
  explicit Repeated(const Study& study)
      : prepared_(host::at_boundary([&] { return std::make_unique<Prepared>(study.ensemble()); })) {}

  const std::vector<std::string>& warnings() const { return prepared_->warnings(); }

  /// The codes of the statuses, the times of the samples, what InstancesFailed would say, and the arrays asked
  /// for, their numbers one after another.
  nb::tuple run(const std::vector<Numbers>& columns, const std::vector<std::string>& paths) {
    ensembles::Result result = alone([&, values = values_of(columns)](const RunOptions& options) mutable {
      return prepared_->run(std::move(values), options.cancelled);
    });
    const std::string too_many = prepared_->too_many(result);
    nb::list arrays;
    for (const std::string& path : paths) arrays.append(handed_over(taken(result, path)));
    return nb::make_tuple(handed_over(std::move(result.instances.status)),
                          handed_over(std::move(result.time)), too_many, arrays);
  }

  /// Shape (N, K). `counted`: by "q", "p", "v" and "sampled" what sums count of each at these steps.
  nb::object gradients(const std::vector<Numbers>& columns, const std::vector<std::int64_t>& steps,
                       const std::vector<std::pair<std::string, Numbers>>& counted, std::int64_t kept_every) {
    host::CountedNodes nodes;
    nodes.beats = steps;
    nodes.kept_every = kept_every;
    for (const auto& [what, numbers] : counted) {
      auto& values = what == "q" ? nodes.q : what == "p" ? nodes.p : what == "v" ? nodes.v : nodes.sampled;
      values.assign(numbers.data(), numbers.data() + numbers.size());
    }
    std::vector<double> found = alone([&, values = values_of(columns)](const RunOptions& options) mutable {
      return prepared_->gradients(std::move(values), nodes, options.cancelled);
    });
    const auto rows = static_cast<std::int64_t>(columns.front().size());
    const std::int64_t width = static_cast<std::int64_t>(found.size()) / rows;
    return handed_over(std::move(found), {rows, width});
  }

 private:
  /// One call at a time, while threads of Python go on without its lock.
  template <class Body>
  auto alone(Body body) {
    return Listener(nb::none(), nb::none(), nb::none())({}, [&](const RunOptions& options) {
      return host::at_boundary([&] {
        const std::lock_guard one_call(one_call_);
        return body(options);
      });
    });
  }

  std::mutex one_call_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace

void add_runs(nb::module_& module) {
  nb::class_<Study>(module, "Study")
      .def(
          "__init__",
          [](Study* study, std::string toml, std::string name, Columns columns, std::string table) {
            new (study) Study{std::move(toml), std::move(name), std::move(columns), std::move(table)};
          },
          nb::arg("toml"), nb::arg("name"), nb::arg("columns"), nb::arg("table"))
      .def("check", [](const Study& study) { study.ensemble().check(); })
      .def("adjoint_names",
           [](const Study& study) {
             const host::AdjointNames names =
                 host::at_boundary([&] { return host::adjoint_names(study.ensemble()); });
             return nb::make_tuple(names.of, names.sampled);
           })
      .def("instances", [](const Study& study) { return instances_of(study.ensemble()); })
      .def("too_many", [](const Study& study, std::int64_t failed, std::int64_t size) {
        return host::at_boundary([&] {
          const host::Spec spec = host::checked(study.ensemble(), host::registered(), &host::hdf5_inputs());
          return host::too_many_failed(spec.request, failed, size);
        });
      });

  using Runs = Repeated<host::Prepared>;
  nb::class_<Runs>(module, "Repeated")
      .def(nb::init<const Study&>(), nb::arg("study"))
      .def("warnings", &Runs::warnings)
      .def("run", &Runs::run, nb::arg("columns"), nb::arg("paths"));
  using Adjoint = Repeated<host::Adjoint>;
  nb::class_<Adjoint>(module, "Adjoint")
      .def(nb::init<const Study&>(), nb::arg("study"))
      .def("warnings", &Adjoint::warnings)
      .def("run", &Adjoint::run, nb::arg("columns"), nb::arg("paths"))
      .def("gradients", &Adjoint::gradients, nb::arg("columns"), nb::arg("steps"), nb::arg("counted"),
           nb::arg("kept_every") = 0);

  module.def("check_table", [](const Columns& columns, const std::string& name) {
    Ensemble::from_toml("").table(arrays_of(columns), name);
  });
  module.def(
      "run",
      [](const Study& study, const std::string& backend, const std::vector<int>& devices, bool all_devices,
         int threads, nb::object progress, nb::object note, nb::object compiling) {
        const Ensemble ensemble = study.ensemble();
        return Listener(std::move(progress), std::move(note), std::move(compiling))(
            options_of(backend, devices, all_devices, threads),
            [&](const RunOptions& options) { return run(ensemble, options); });
      },
      nb::arg("study"), nb::arg("backend"), nb::arg("devices"), nb::arg("all_devices"), nb::arg("threads"),
      nb::arg("progress").none(), nb::arg("note").none(), nb::arg("compiling").none());

  module.def(
      "run_to_file",
      [](const Study& study, const std::string& path, bool resume, bool overwrite, const std::string& backend,
         const std::vector<int>& devices, bool all_devices, int threads, nb::object progress, nb::object note,
         nb::object compiling, std::optional<std::pair<std::int64_t, std::int64_t>> shard) {
        const Ensemble ensemble = study.ensemble();
        FileOptions to;
        to.path = path;
        to.resume = resume;
        to.overwrite = overwrite;
        if (shard) to.shard = ShardOption{shard->first, shard->second};
        const Written written = Listener(std::move(progress), std::move(note), std::move(compiling))(
            options_of(backend, devices, all_devices, threads),
            [&](const RunOptions& options) { return run_to_file(ensemble, to, options); });
        return nb::make_tuple(written.path, written.too_many);
      },
      nb::arg("study"), nb::arg("path"), nb::arg("resume"), nb::arg("overwrite"), nb::arg("backend"),
      nb::arg("devices"), nb::arg("all_devices"), nb::arg("threads"), nb::arg("progress").none(),
      nb::arg("note").none(), nb::arg("compiling").none() = nb::none(), nb::arg("shard").none() = nb::none());
  module.def("merge", &merge, nb::arg("parts"), nb::arg("path"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace livens::python
