#include "host/backends/position_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensembles/statistics.hpp"
#include "host/backends/backends.hpp"
#include "host/results/result_layout.hpp"
#include "host/spec/registry.hpp"

namespace livens::host {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of the d entries from a and b on; NaN if one of them is.
double distance(const double* a, const double* b, int d) {
  double largest = 0.0;
  for (int i = 0; i < d; ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference)) return nan;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace

/// The true motion of a range.
struct AgainstTrueMotion::Motion : ensembles::Journal {
  ensembles::Range range;
  std::vector<ensembles::Trajectories> samples;
  ensembles::Instances instances;

  void add(const ensembles::SamplePart& part) override { samples.push_back(part.followed); }
  void add(ensembles::InstancesPart part) override { instances = std::move(part.instances); }
  bool wants_standing() override { return false; }
  void keep(const ensembles::Standing&) override {}
};

AgainstTrueMotion::AgainstTrueMotion(const Spec& spec, int threads, ensembles::Journal& next,
                                     ensembles::Progress progress)
    : request_(spec.request), next_(next), progress_(std::move(progress)) {
  request_.scheme = spec.error_against;
  request_.form = "auto";
  request_.observe.clear();
  request_.extremes = false;
  // At its standard tolerances, neither retried nor watched.
  request_.settings = standard_settings(*registered().scheme(spec.error_against));
  request_.settings.retry = 0;
  backend_ = make_backend(request_, "cpu", threads);
}

AgainstTrueMotion::~AgainstTrueMotion() = default;

const AgainstTrueMotion::Motion& AgainstTrueMotion::motion_of(ensembles::Range range) {
  if (!motion_ || motion_->range != range) {
    motion_ = std::make_unique<Motion>();
    motion_->range = range;
    ensembles::integrate(request_, *backend_, range, range.size() + ensembles::block_size, *motion_, {},
                         progress_);
  }
  return *motion_;
}

void AgainstTrueMotion::add(const ensembles::SamplePart& part) {
  const ensembles::Trajectories& motion = motion_of(part.range).samples.at(part.sample);
  const int d = backend_->system().coordinates;
  ensembles::SamplePart compared = part;
  for (std::size_t row = 0; row < motion.energy.size(); ++row)
    compared.followed.position_error.push_back(distance(&part.followed.q[row * d], &motion.q[row * d], d));
  next_.add(compared);
}

void AgainstTrueMotion::add(ensembles::InstancesPart part) {
  const ensembles::Instances& motion = motion_of(part.range).instances;
  const int d = backend_->system().coordinates;
  ensembles::Quantity own{position_error_name, "SI", position_error_description, {}};
  for (std::size_t i = 0; i < motion.status.size(); ++i) {
    const bool good = part.instances.status[i] == 0 && motion.status[i] == 0;
    own.values.push_back(good ? distance(&part.instances.final_q[i * d], &motion.final_q[i * d], d) : nan);
  }
  part.instances.observables.push_back(std::move(own));
  next_.add(std::move(part));
}

}  // namespace livens::host
