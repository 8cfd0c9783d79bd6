#pragma once
// How far an ensemble is from its true motion: the same instances are integrated once more by an accurate
// scheme (output.error_against), and the positions are compared.

#include <memory>
#include <vector>

#include "ensembles/ensemble.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Adds position_error to the parts on their way to another journal: the infinity norm of the difference in
/// q, of every instance at the end and of those followed at the samples, angles as they are; NaN where either
/// motion has failed. The true motion of a range is integrated when its first part comes.
class AgainstTrueMotion : public ensembles::Journal {
 public:
  /// `progress` is asked while the true motion is integrated, and may end the run; what it is told is that
  /// motion's.
  AgainstTrueMotion(const Spec& spec, int threads, ensembles::Journal& next, ensembles::Progress progress);
  ~AgainstTrueMotion() override;

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
  ensembles::Journal& next_;
  ensembles::Progress progress_;
  std::unique_ptr<Motion> motion_;
};

}  // namespace livens::host
