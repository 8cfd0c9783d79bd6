#include "host/checks/laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensembles/ensemble.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/toml_text.hpp"
#include "expressions/without_bodies.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/cpu_backend.hpp"
#include "host/backends/reference_backend.hpp"
#include "host/checks/comparison.hpp"
#include "host/checks/impacts_of_pair.hpp"
#include "host/checks/promises.hpp"
#include "host/checks/sample_request.hpp"
#include "host/compilation/compiled.hpp"
#include "host/errors.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/true_motion_pairs.hpp"

namespace livens::host {
namespace {

using ensembles::Request;
using ensembles::Result;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t run_length = 64;

double largest(const double* values, int count) {
  double size = 0.0;
  for (int i = 0; i < count; ++i) size = std::max(size, std::abs(values[i]));
  return size;
}

/// A value and its bound of the instance that comes nearest to the bound, or exceeds it most; the first that
/// is not a number.
class Worst {
 public:
  void add(double value, double bound) {
    if (found_ && (value <= share_ * bound || std::isnan(value_))) return;
    found_ = true;
    value_ = value;
    bound_ = bound;
    share_ = value > 0.0 ? value / bound : 0.0;
  }
  /// Without an instance that came to its end there is nothing that could hold.
  Finding finding(const std::string& law, const std::string& scheme) const {
    return {law, scheme, found_ ? value_ : nothing, bound_};
  }

 private:
  bool found_ = false;
  double value_ = 0.0, bound_ = 0.0, share_ = 0.0;
};

class PairUnderTrial {
 public:
  PairUnderTrial(const Trial& trial, const PairKernels& pair,
                 const std::function<void(const Finding&)>& found)
      : trial_(trial),
        pair_(pair),
        info_(*pair.system->info),
        found_(found),
        mechanics_(mechanics_of(expressions::without_bodies(expressions::describe(
            parse_toml(trial.text.identity(), trial.text.name()), trial.text.name())))) {}

  void try_all() {
    const std::optional<Promises> promises = promises_of(pair_);
    const Request free = request(Damping::off), damped = request(Damping::on);
    const bool damps = pair_.damped && free.parameters != damped.parameters;
    const Request& general = damps ? damped : free;

    const Result motion = run(free);
    const bool conservative = largest_of(motion, "dissipated_energy") == 0.0;
    order(general);
    if (promises && promises->exact_energy) {
      energy("energy", free, motion);
      if (damps) energy("energy, damped", damped, run(damped));
    }
    // Whether other terms leave a momentum map as it is depends on what they are (equations/general.md).
    const TextFacts& facts = trial_.text.facts();
    if (promises && promises->momentum && info_.momentum_maps > 0 && conservative && !facts.forced &&
        !facts.general)
      momentum(free, motion);
    if (promises && info_.constraints > 0) {
      if (promises->position_constraint && facts.constraints > facts.velocity_rows) positions(free, motion);
      if (promises->velocity_constraint) velocities(free, motion);
    }
    bits(general);
    if (facts.impacts > 0)
      impacts(general, promises && (promises->velocity_constraint || info_.constraints == 0));
    agreement_with_reference(general);
  }

 private:
  enum class Damping { off, on };

  void report(const Finding& finding) const { found_(finding); }
  std::string scheme() const { return pair_.scheme->name; }

  /// Parameters that damp are zero, or where that is their default a quarter; those that must be positive
  /// stay as they are.
  Request request(Damping damping) const {
    const auto v = trial_.text.initial_velocity(default_parameters(info_));
    const double speed = largest(v.data(), static_cast<int>(v.size()));
    Request request =
        sample_request(pair_, run_length, 0.1 * (speed > 0.0 ? speed : 1.0), trial_.text.identity());
    set_step(request, trial_.step.value_or(info_.default_step), run_length);
    request.every = run_length / 16;  // sizes are looked up along the way
    std::size_t entry = 0;
    for (const ParameterInfo& parameter : info_.parameters)
      for (int i = 0; i < parameter.size(); ++i, ++entry) {
        double& value = request.parameters[entry];
        if (!parameter.damps || parameter.domain == Domain::positive) continue;
        if (damping == Damping::off) value = 0.0;
        if (damping == Damping::on && value == 0.0) value = 0.25;
      }
    return request;
  }
  static void set_step(Request& request, double step, std::int64_t steps) {
    request.step = step;
    request.steps = steps;
    request.end = step * static_cast<double>(steps);
    request.every = steps;
  }

  Result run(const Request& request) const {
    CpuBackend backend(compiled(pair_, Precision::full), instruction_set(), 1);
    return ensembles::run(request, backend, {});
  }

  static bool is_ok(const Result& result, std::size_t i) { return result.instances.status[i] == 0; }
  static double largest_of(const Result& result, const char* quantity) {
    double size = 0.0;
    for (const double x : result.instances[quantity]) size = std::max(size, std::abs(x));
    return size;
  }

  /// The sizes of an instance over its trajectory, infinity norms.
  struct Sizes {
    double q, p, v;
    double products;  ///< sum |q_c| |p_c|
  };
  Sizes sizes(const Result& result, std::size_t i) const {
    const int d = info_.coordinates;
    const std::size_t nodes = result.time.size();
    Sizes s{};
    for (std::size_t k = 0; k < nodes; ++k) {
      const std::size_t at = (i * nodes + k) * static_cast<std::size_t>(d);
      const double *q = &result.trajectories.q[at], *p = &result.trajectories.p[at],
                   *v = &result.trajectories.v[at];
      s.q = std::max(s.q, largest(q, d));
      s.p = std::max(s.p, largest(p, d));
      s.v = std::max(s.v, largest(v, d));
      double sum = 0.0;
      for (int c = 0; c < d; ++c) sum += std::abs(q[c] * p[c]);
      s.products = std::max(s.products, sum);
    }
    return s;
  }

  /// The error of the balance of energy, relative to the energies it is a sum of. A step rounds some twenty
  /// products of the size of the energy, with a systematic part of about eps a step, so that the bound grows
  /// with the steps and not with their square root; and it rounds q, which moves a velocity by eps |q|/h and
  /// the energy by p times that.
  void energy(const char* law, const Request& request, const Result& result) const {
    Worst worst;
    for (std::size_t i = 0; i < result.instances.status.size(); ++i) {
      if (!is_ok(result, i)) continue;
      const double scale = result.instances["energy_scale"][i];
      const double coordinates = sizes(result, i).products / (request.step * scale);
      worst.add(result.instances["max_energy_error"][i] / scale,
                8 * eps * static_cast<double>(request.steps) * std::max(1.0, coordinates));
    }
    report(worst.finding(law, scheme()));
  }

  /// Relative to the largest |q| |p|; a map without q is a sum of momenta alone. About 2 d products a step,
  /// each rounded to eps/2 of a term not more than a few times the initial ones; what rounding of q does to
  /// velocities it does to momenta.
  void momentum(const Request& request, const Result& result) const {
    Worst worst;
    for (std::size_t i = 0; i < result.instances.status.size(); ++i) {
      if (!is_ok(result, i)) continue;
      const Sizes s = sizes(result, i);
      worst.add(result.instances["max_momentum_error"][i] / (std::max(1.0, s.q) * s.p),
                16 * eps * static_cast<double>(request.steps) * std::max(1.0, s.q / (request.step * s.v)));
    }
    report(worst.finding("momentum maps", scheme()));
  }

  /// The largest over rows and nodes of sum_c |G_kc| (|x_c| at the node): what constraints are sums of.
  double terms(const Result& result, std::size_t i, const std::vector<double>& parameters,
               const std::vector<expressions::NodeId>& rows, const std::vector<double>& x) const {
    const auto d = static_cast<std::size_t>(info_.coordinates);
    double size = 0.0;
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      const std::size_t at = (i * result.time.size() + k) * d;
      expressions::Values values;
      values.position = std::span(result.trajectories.q).subspan(at, d);
      values.parameters = parameters;
      values.time = result.time[k];
      const std::vector<double> G = evaluate(mechanics_.graph, rows, values);
      for (std::size_t row = 0; row < G.size(); row += d) {
        double sum = 0.0;
        for (std::size_t c = 0; c < d; ++c) sum += std::abs(G[row + c] * x[at + c]);
        size = std::max(size, sum);
      }
    }
    return size;
  }
  /// The parameters of instance i.
  static std::vector<double> parameters_of(const Request& request, const Result& result, std::size_t i) {
    std::vector<double> parameters = request.parameters;
    std::size_t drawn = 0;
    for (const ensembles::Variation& variation : request.variations) {
      const ensembles::Instances::Varied& varied = result.instances.parameters[drawn++];
      if (variation.target == ensembles::Target::parameter)
        parameters[static_cast<std::size_t>(variation.first)] = varied.values[i];
    }
    return parameters;
  }

  /// g(q) is a sum of terms of the size of |G| |q|: to evaluate it costs some eps of that, and so does q,
  /// which is rounded.
  void positions(const Request& request, const Result& result) const {
    Worst worst;
    for (std::size_t i = 0; i < result.instances.status.size(); ++i) {
      if (!is_ok(result, i)) continue;
      const double size = terms(result, i, parameters_of(request, result, i), mechanics_.constraint_jacobian,
                                result.trajectories.q);
      worst.add(result.instances["max_constraint"][i], 16 * eps * size);
    }
    report(worst.finding("constraints on q", scheme()));
  }

  /// G v + g_t and A v + b, of rounded coordinates and of velocities that were solved for as h v: eps (|v| +
  /// |q|/h).
  void velocities(const Request& request, const Result& result) const {
    std::vector<expressions::NodeId> rows = mechanics_.constraint_jacobian;
    rows.insert(rows.end(), mechanics_.rate_matrix.begin(), mechanics_.rate_matrix.end());
    Worst worst;
    for (std::size_t i = 0; i < result.instances.status.size(); ++i) {
      if (!is_ok(result, i)) continue;
      const auto parameters = parameters_of(request, result, i);
      const double size = terms(result, i, parameters, rows, result.trajectories.v) +
                          terms(result, i, parameters, rows, result.trajectories.q) / request.step;
      worst.add(result.instances["max_velocity_constraint"][i], 64 * eps * size);
    }
    report(worst.finding("constraints on v", scheme()));
  }

  /// The distance of the positions at the end, over all instances that come there in both.
  static double distance(const Result& a, const Result& b) {
    double size = 0.0;
    bool any = false;
    const std::size_t d = static_cast<std::size_t>(a.coordinates);
    for (std::size_t i = 0; i < a.instances.status.size(); ++i) {
      if (!is_ok(a, i) || !is_ok(b, i)) continue;
      any = true;
      for (std::size_t c = i * d; c < (i + 1) * d; ++c)
        size = std::max(size, std::abs(a.instances.final_q[c] - b.instances.final_q[c]));
    }
    return any ? size : nothing;
  }

  /// The motion that schemes converge to: that of the accurate integrators where they run the system, else of
  /// a scheme of second order in steps 16 times smaller than the smallest.
  Result true_motion(Request request) const {
    const auto is_of_text = [&](const PairKernels& pair) { return pair.system->info == &info_; };
    for (const PairKernels& pair : trial_.catalogue.pairs) {
      if (!is_of_text(pair) || !is_true_motion(pair)) continue;
      request.scheme = pair.scheme->name;
      request.form = pair.form;
      request.settings = standard_settings(*pair.scheme);
      return ensembles::run(request, *make_backend(request, "cpu", 1), {});
    }
    for (const PairKernels& pair : trial_.catalogue.pairs) {
      if (!is_of_text(pair) || pair.scheme->order != 2) continue;
      const Settings settings = request.settings;
      request.scheme = pair.scheme->name;
      request.form = pair.form;
      request.settings = standard_settings(*pair.scheme, settings);
      set_step(request, request.step / 16.0, 16 * request.steps);
      CpuBackend backend(compiled(pair, Precision::full), instruction_set(), 1);
      return ensembles::run(request, backend, {});
    }
    refuse({trial_.text.name()}, "no scheme of second order runs it");
  }

  /// The error of q at a fixed time is C h^r (1 + a h + ...): the slope between two steps is off r by a h/2
  /// ln 2, which the next pair halves. So the distance of two slopes tells how far the finer one is from r; a
  /// step is looked for where that is little. Slopes that agree to 0.1 tell orders apart.
  void order(const Request& general) const {
    if (info_.constraints == info_.coordinates) return;  // the motion is given
    double h = general.step;
    double best = std::numeric_limits<double>::infinity(), slope = nothing;
    bool exact = true;
    // Whether there was an error to measure.
    const auto measure = [&](double step, std::int64_t steps) {
      Request request = general;
      set_step(request, step / 4.0, 4 * steps);
      const Result truth = true_motion(request);
      double error[3];
      for (int k = 0; k < 3; ++k) {
        set_step(request, step / (1 << k), steps << k);
        error[k] = distance(run(request), truth);
      }
      // Ten times what the accurate integrators leave of a motion, relative to its size.
      double size = 0.0;
      for (const double q : truth.instances.final_q)
        if (std::isfinite(q)) size = std::max(size, std::abs(q));
      if (error[2] < 1e-8 * size) return false;
      exact = false;
      const double first = std::log2(error[0] / error[1]), second = std::log2(error[1] / error[2]);
      if (std::abs(second - first) < best) {
        best = std::abs(second - first);
        slope = second;
      }
      return true;
    };
    constexpr std::int64_t steps = 16;
    for (int attempt = 0; attempt < 6 && best > 0.1; ++attempt) h *= measure(h, steps) ? 0.25 : 4.0;
    // What happens later, and is exact or not yet resolved before, as of a body that falls and is caught by a
    // stiff spring: over the same time.
    for (std::int64_t finer = 4; finer <= 256 && best > 0.1 && !exact; finer *= 4)
      measure(general.step / static_cast<double>(finer), finer * steps);
    if (exact) return;  // there is no error whose order could be measured
    const bool resolved = best < 0.3;
    report({"order", scheme(), resolved ? slope : nothing, pair_.scheme->order - 2.0 * std::max(best, 0.02),
            true});
  }

  /// The ensemble in every instruction set: the units in the last place by which any number differs.
  void bits(const Request& request) const {
    const std::vector<std::string> sets = instruction_sets();
    const Result best = run(request);
    for (const std::string& isa : sets) {
      if (isa == instruction_set()) continue;
      CpuBackend backend(compiled_for(pair_, Precision::full, isa), isa, 1);
      const auto ulp = ulp_difference(ensembles::run(request, backend, {}), best);
      report({"bits, " + isa, scheme(), static_cast<double>(ulp), 0.0});
    }
  }

  /// In as many steps as it takes to come to a wall.
  void impacts(Request request, bool velocity_constraint) const {
    set_step(request, request.step, static_cast<std::int64_t>(info_.default_end / request.step));
    try_impacts(
        mechanics_, request, [&](const Request& one) { return run(one); }, velocity_constraint, scheme(),
        found_);
  }

  /// Until every instance that meets a wall has done so.
  std::int64_t steps_to_impacts(Request request) const {
    const std::size_t walls = mechanics_.gaps.size();
    if (walls == 0) return 0;
    set_step(request, request.step, static_cast<std::int64_t>(info_.default_end / request.step));
    const Result motion = run(request);
    double last = 0.0;
    for (std::size_t i = 0; i < motion.instances.status.size(); ++i)
      last = std::fmax(last, first_impact(motion, i, walls).time);
    return static_cast<std::int64_t>(last / request.step);
  }

  /// The same scheme by the reference. The bound is that of `livens verify`: 64 eps for every step, times the
  /// condition of the last Newton matrix and the growth of a small perturbation.
  void agreement_with_reference(Request request) const {
    set_step(request, request.step, run_length / 2 + steps_to_impacts(request));
    JudgingBackend reference(with_compiled_system(pair_), {}, &trial_.judge);
    const Result expected = ensembles::run(request, reference, {});
    std::vector<double> round_off;
    for (std::int64_t i = 0; i < request.size; ++i) round_off.push_back(reference.round_off(i));
    const Agreement found = agreement(run(request), expected, round_off);
    const double difference = *std::ranges::max_element(found.difference);
    const bool alike = found.failed_alone == 0 && found.compared > 0;
    report({"reference", scheme(), alike ? difference : nothing, found.bound});
  }

  const Trial& trial_;
  const PairKernels& pair_;
  const SystemInfo& info_;
  const std::function<void(const Finding&)>& found_;
  const expressions::Mechanics mechanics_;
};

}  // namespace

void try_laws(const Trial& trial, const PairKernels& pair, const std::function<void(const Finding&)>& found) {
  PairUnderTrial(trial, pair, found).try_all();
}

}  // namespace livens::host
