#pragma once
// The scheme taylor: the motion of a system by the Taylor series of the equations that a text says, groups of
// instances spread over threads. A record keeps the series of its instance, so that a node needs nothing
// else, and an interrupted run goes on to the bit. Instances start as the compiled kernels of the system say.

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ensembles/host_records.hpp"
#include "ensembles/request.hpp"
#include "expressions/text_system.hpp"
#include "host/backends/workers.hpp"
#include "taylor/group.hpp"

namespace livens::host {

/// Compiles steps written out for a plan of this text, for the processor's instruction set.
using CompileSeries = std::function<const taylor::FixedSeries&(const std::string& plan)>;

/// By parameter: it is zero for all instances.
std::vector<bool> zeros_of(const ensembles::Request& request);

/// The text of the plan of these steps (taylor/fixed_plan.hpp), empty where it is not worth to be written
/// out. `zeros`: as below.
std::string plan_to_write_out(const SystemInfo& system, const TextSystem& text,
                              const std::vector<bool>& zeros);

class TaylorBackend : public ensembles::HostRecords {
 public:
  /// `pair` is one of the catalogue's, with the functions of its system, and `text` that of its equations.
  /// `zeros`: the parameters that are zero for all instances, or empty; `tolerance`: that of the scheme.
  /// A built-in system has its steps written out; those of another are walked, until they are compiled by `compile`,
  /// which begins when a run has lasted for a while: the bits are the same, and a short run does not wait. Nothing is
  /// said where that fails.
  /// Throws RequestError where the expressions grow too large.
  TaylorBackend(const PairKernels& pair, const TextSystem& text, const std::vector<bool>& zeros,
                double tolerance, int threads, ensembles::StopAsked stop = {}, CompileSeries compile = {});

  std::string name() const override { return "cpu"; }
  std::string device() const override { return device_; }
  const SystemInfo& system() const override { return *pair_.system->info; }
  const SchemeInfo& scheme() const override { return *pair_.scheme; }
  std::string form() const override { return "accurate"; }
  int unknowns() const override { return 0; }
  int record_width() const override;

  void initial_states(const Batch& batch) override;
  void momenta(const Batch& batch) override;
  void velocities(const Batch& batch) override;
  void make_consistent(const Batch& batch, Consistency consistency, std::uint8_t* status) override;
  void start(const Batch& batch, const Settings& settings, const std::uint8_t* status) override;
  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override;
  void node(const Batch& batch, const LastStep* last, std::int64_t instance, NodeView& view) override;
  bool nodes_outlive_batch() const override { return true; }
  void for_each_block(std::int64_t blocks, const std::function<void(std::int64_t)>& body) override;

 protected:
  const taylor::Equations& equations() const { return *equations_; }
  double tolerance() const { return tolerance_; }
  /// Columns of a record before those of its series.
  int kept_columns() const;
  /// All parameters of an instance, flattened, those that follow from others too.
  void parameters_of(const Batch& batch, std::int64_t i, std::vector<double>& parameters) const;
  /// Throws Stopped where somebody asks for it.
  void pause() const;

 private:
  class Passengers;
  using With = std::function<void(taylor::Group&)>;
  void with_group(const With& body);
  void for_each_group(const Batch& batch, const std::function<void(std::int64_t first)>& body);
  /// Takes the steps from now on, in groups that begin.
  void take(const taylor::FixedSeries& written_out);
  void compile_beside();

  const PairKernels& pair_;
  const TextSystem text_;
  std::unique_ptr<const taylor::Equations> equations_;
  const taylor::Recurrences walked_;
  taylor::Recurrences written_out_;
  const taylor::Recurrences* recurrences_ = &walked_;  // the ones of these two that groups take
  double tolerance_;
  Workers workers_;
  std::string device_;
  ensembles::StopAsked stop_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<taylor::Group>> idle_;     // groups that no thread uses, all of recurrences_
  std::function<const taylor::FixedSeries&()> compile_;  // empty: there is nothing to compile
  std::once_flag compiles_;
  std::jthread compiling_;  // ends before all that it uses
};

}  // namespace livens::host
