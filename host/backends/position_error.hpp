#pragma once
// The distance of an ensemble from its true motion: the same instances are integrated once more by an
// accurate scheme (output.error_against), and the positions are compared.

#include <memory>

#include "ensembles/ensemble.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Adds position_error to the parts of a run on their way to a journal: the infinity norm of the
/// difference in q, of every instance at the end and of those followed at the samples, angles as they are;
/// NaN where either motion has failed.
class AgainstTrueMotion : public ensembles::Journal {
 public:
  /// `checkpoint` holds the true motion; what is compared goes to `next`.
  AgainstTrueMotion(const Spec& spec, int threads, Checkpoint& checkpoint, ensembles::Journal& next,
                    const ensembles::StopAsked& stop = {});
  ~AgainstTrueMotion() override;

  /// Integrates the true motion of a range, from where the checkpoint says, and leaves it there: the first
  /// stage of a run. As ensembles::integrate(). `progress` is told that motion's.
  void integrate(ensembles::Range range, const ensembles::Progress& progress);

  void add(const ensembles::SamplePart& part) override;
  void add(ensembles::InstancesPart part) override;
  bool wants_standing() override { return next_.wants_standing(); }
  void keep(const ensembles::Standing& standing) override { next_.keep(standing); }
  void done(const ensembles::Standing& standing) override { next_.done(standing); }

 private:
  struct Motion;
  const Motion& motion_of(ensembles::Range range);

  ensembles::Request request_;  // of the true motion
  std::unique_ptr<ensembles::Backend> backend_;
  Checkpoint& checkpoint_;
  ensembles::Journal& next_;
  std::unique_ptr<Motion> motion_;
};

}  // namespace livens::host
