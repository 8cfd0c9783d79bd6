#pragma once
// A spec that is read once and run again and again, with other values in its table: what a fit does.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/result.hpp"
#include "host/livens.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

class Prepared {
 public:
  /// Of an ensemble whose table is in memory. `adjoint`: as Inputs has it. Throws RequestError, as a run of it would.
  explicit Prepared(const Ensemble& ensemble, bool adjoint = false);

  /// What is worth knowing of the spec and no error, in lines.
  const std::vector<std::string>& warnings() const { return spec_.warnings; }

  /// As the run in memory of the ensemble with these values in the columns of its table, in their order, an
  /// entry each; and trajectories of all instances where it has any. The same bits. One call at a time.
  /// Throws RequestError, and Interrupted where `cancelled` says so.
  ensembles::Result run(std::vector<std::vector<double>> columns, const std::function<bool()>& cancelled);
  /// What ensemble.on_failure and max_failed_fraction say to that; empty: nothing.
  std::string too_many(const ensembles::Result& result) const;

 protected:
  const Spec& spec() const { return spec_; }
  /// Puts values into the columns of the table, and says on what such a run goes.
  ensembles::Backend& with(std::vector<std::vector<double>> columns, const std::function<bool()>& cancelled);

 private:
  Spec spec_;
  std::shared_ptr<std::function<bool()>> cancelled_;
  bool adjoint_;  // which is of the processor, and of one instance at a time
  int threads_ = 0;
  std::unique_ptr<ensembles::Backend> backend_;  // with as many threads as the last run had work for
};

}  // namespace livens::host
