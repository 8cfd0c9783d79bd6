#include "host/backends/position_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ensembles/statistics.hpp"
#include "host/backends/backends.hpp"
#include "host/errors.hpp"
#include "host/layout/result_layout.hpp"
#include "host/pairs/registry.hpp"

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

/// The part of the true motion that a comparison needs, on its way to the checkpoint.
class Positions : public ensembles::Journal {
 public:
  explicit Positions(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}
  void add(const ensembles::SamplePart& part) override {
    if (part.followed.energy.empty()) return;
    ensembles::SamplePart kept{part.range, part.sample, {}, {}};
    kept.followed.q = part.followed.q;
    checkpoint_.add(kept);
  }
  void add(ensembles::InstancesPart part) override {
    ensembles::InstancesPart kept{part.range, {}};
    kept.instances.final_q = std::move(part.instances.final_q);
    kept.instances.status = std::move(part.instances.status);
    checkpoint_.add(std::move(kept));
  }
  bool wants_standing() override { return checkpoint_.wants_standing(); }
  void keep(const ensembles::Standing& standing) override { checkpoint_.keep(standing); }

 private:
  Checkpoint& checkpoint_;
};

void append(std::vector<double>& all, const std::vector<double>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

}  // namespace

/// The true motion of a range.
struct AgainstTrueMotion::Motion {
  ensembles::Range range;
  std::map<std::int64_t, std::vector<double>> followed;  // q by sample, R,d
  std::vector<double> final_q;                           // N,d
  std::vector<std::uint8_t> status;

  bool holds(const ensembles::Range& part) const {
    return range.first <= part.first && part.last <= range.last;
  }
};

AgainstTrueMotion::AgainstTrueMotion(const Spec& spec, int threads, Checkpoint& checkpoint,
                                     ensembles::Journal& next, const ensembles::StopAsked& stop)
    : request_(spec.request), checkpoint_(checkpoint), next_(next) {
  request_.scheme = spec.error_against;
  request_.form = "auto";
  request_.observe.clear();
  request_.expressions.clear();
  request_.stops.clear();
  request_.events.clear();
  request_.tangent.reset();
  request_.joints.clear();
  request_.extremes = false;
  // At its standard tolerances, neither retried nor watched.
  request_.settings = standard_settings(*registered().scheme(spec.error_against));
  request_.settings.retry = 0;
  backend_ = make_backend(request_, "cpu", threads, {}, stop);
}

AgainstTrueMotion::~AgainstTrueMotion() = default;

void AgainstTrueMotion::integrate(ensembles::Range range, const ensembles::Progress& progress) {
  if (checkpoint_.standing() && checkpoint_.stage() == Stage::run) return;  // it was done
  checkpoint_.enter(Stage::true_motion);
  Positions journal(checkpoint_);
  // In small portions: an accurate scheme that goes on in the middle of a portion begins it again.
  ensembles::integrate(request_, *backend_, range, ensembles::block_size, journal, checkpoint_.standing(),
                       progress);
  checkpoint_.enter(Stage::run);
}

/// A part of a run is made of whole portions: both are cut at multiples of a block.
const AgainstTrueMotion::Motion& AgainstTrueMotion::motion_of(ensembles::Range range) {
  if (motion_ && motion_->range == range) return *motion_;
  motion_ = std::make_unique<Motion>(Motion{range, {}, {}, {}});
  checkpoint_.visit(
      Stage::true_motion,
      [&](const ensembles::SamplePart& part) {
        if (motion_->holds(part.range)) append(motion_->followed[part.sample], part.followed.q);
      },
      [&](const ensembles::InstancesPart& part) {
        if (!motion_->holds(part.range)) return;
        append(motion_->final_q, part.instances.final_q);
        const auto& status = part.instances.status;
        motion_->status.insert(motion_->status.end(), status.begin(), status.end());
      });
  if (static_cast<std::int64_t>(motion_->status.size()) != range.size())
    throw FileError(checkpoint_.directory(), "damaged (the true motion is not all there)");
  return *motion_;
}

void AgainstTrueMotion::add(const ensembles::SamplePart& part) {
  const int d = backend_->system().coordinates;
  ensembles::SamplePart compared = part;
  if (const std::size_t rows = part.followed.energy.size(); rows > 0) {
    const std::vector<double>& q = motion_of(part.range).followed.at(part.sample);
    for (std::size_t row = 0; row < rows; ++row)
      compared.followed.position_error.push_back(distance(&part.followed.q[row * d], &q[row * d], d));
  }
  next_.add(compared);
}

void AgainstTrueMotion::add(ensembles::InstancesPart part) {
  const Motion& motion = motion_of(part.range);
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
