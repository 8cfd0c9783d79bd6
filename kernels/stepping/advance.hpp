#pragma once
// One instance, or W at once, from step to step: the record that is kept of it, retries, failures,
// observables.

#include "kernels/schemes/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// What is kept of a system's own observables; nothing where it has none.
template <class System>
struct WatchOf {
  struct type {};
};
template <WatchedSystem System>
struct WatchOf<System> {
  using type = typename System::Watch;
};

/// Counts, and sums over the steps: in double precision always, since floats stop counting at 2^24.
constexpr bool is_sum(Column c) {
  return c == Column::failed_step || c == Column::steps || c == Column::newton_iterations ||
         c == Column::retried_steps || c == Column::sum_squared_energy_error ||
         c == Column::dissipated_energy || c == Column::work;
}

/// Everything that is kept of an instance between calls: Scalars, so that it can be stored column by column,
/// and in single precision the sums beside them.
template <class Scheme>
struct Record {
  using Scalar = typename Scheme::Scalar;
  static constexpr int momentum_maps = Scheme::System::momentum_maps;
  static constexpr int common = static_cast<int>(Column::count), shared = common + momentum_maps;
  static constexpr bool sums_apart = !std::is_same_v<Wide<Scalar>, Scalar>;
  struct NoSums {};

  Vec<Scalar, shared> columns;  ///< Column, then the initial momentum maps
  [[no_unique_address]] typename WatchOf<typename Scheme::System>::type watch;  ///< the observables first
  typename Scheme::Carried carried;
  /// Those of Column that are sums; their places in `columns` are not used then.
  [[no_unique_address]] std::conditional_t<sums_apart, Vec<Wide<Scalar>, common>, NoSums> sums;

  static constexpr int width();
  LIVENS_HD Scalar& operator[](Column c) { return columns[static_cast<int>(c)]; }
  LIVENS_HD const Scalar& operator[](Column c) const { return columns[static_cast<int>(c)]; }
  LIVENS_HD Wide<Scalar>& sum(Column c) { return sum_of(*this, c); }
  LIVENS_HD const Wide<Scalar>& sum(Column c) const { return sum_of(*this, c); }

 private:
  template <class Self>
  static LIVENS_HD auto& sum_of(Self& self, Column c) {
    if constexpr (sums_apart)
      return self.sums[static_cast<int>(c)];
    else
      return self.columns[static_cast<int>(c)];
  }
};
template <class Scheme>
constexpr int Record<Scheme>::width() {
  struct Stored {
    Vec<Scalar, shared> columns;
    [[no_unique_address]] typename WatchOf<typename Scheme::System>::type watch;
    typename Scheme::Carried carried;
  };
  static_assert(sizeof(Stored) % sizeof(Scalar) == 0);
  return static_cast<int>(sizeof(Stored) / sizeof(Scalar));
}

/// Lane by lane: a where the mask is set, else b.
template <class Scalar, class Many>
LIVENS_HD Many select_all(const Mask<Scalar>& mask, const Many& a, const Many& b) {
  constexpr int columns = sizeof(Many) / sizeof(Scalar);
  Vec<Scalar, columns> x, y;
  memcpy(&x, &a, sizeof a);
  memcpy(&y, &b, sizeof b);
  x = select<Scalar>(mask, x, y);
  Many r;
  memcpy(&r, &x, sizeof r);
  return r;
}
/// b becomes a where the mask is set. For one instance no `b = mask ? a : b`: where a member is empty nvcc
/// makes that choice byte by byte, each byte in a register of its own.
template <class Scalar, class Many>
LIVENS_HD void assign_where(const Mask<Scalar>& mask, const Many& a, Many& b) {
  if constexpr (lanes_of<Scalar> == 1) {
    if (mask) b = a;
  } else {
    b = all(mask) ? a : select_all<Scalar>(mask, a, b);
  }
}

/// What becomes of a step that Newton's method without pivoting does not solve at once: the instance is left
/// where it is, for a later call; or every step is taken with care here, one instance at a time. A step that
/// is not difficult has the same bits either way.
enum class DifficultSteps { left, redone };

/// How a step ended that was taken with care.
template <class Scheme>
struct CarefulStep {
  typename Scheme::Carried next;
  StepReport<typename Scheme::Scalar> report;
  int substeps;
};

/// One step with all the care there is: with pivoting where that is needed, and where it fails as 2, 4, ...,
/// 2^retry substeps.
template <class Scheme>
LIVENS_HD_COLD CarefulStep<Scheme> careful_step(const typename Scheme::System& system,
                                                const typename Scheme::Scalar& h, const Settings& settings,
                                                const typename Scheme::Carried& now) {
  using Scalar = typename Scheme::Scalar;
  const Scalar none = Scalar(0.0);
  CarefulStep<Scheme> result{now, {{none, none}, none, none}, 1};
  auto& [next, report, substeps] = result;
  for (int level = 0; level <= settings.retry; ++level) {
    const Scalar whole = report.outcome.status;
    substeps = 1 << level;
    const Scheme scheme(system, h / Scalar(static_cast<double>(substeps)), settings);
    typename Scheme::Carried at = now;
    StepReport<Scalar> total{{none, report.outcome.iterations}, none, none};
    for (int i = 0; i < substeps && total.outcome.good(); ++i) {
      const StepReport<Scalar> part = scheme.template step<Pivoting::where_needed>(at, true, next);
      total.outcome.status = part.outcome.status;
      total.outcome.iterations += part.outcome.iterations;
      total.dissipated += part.dissipated;
      total.work += part.work;
      at = next;
    }
    report = total;
    if (report.outcome.good()) break;
    // What is told of a step that fails in every way is why it failed as a whole.
    if (level > 0) report.outcome.status = whole;
  }
  return result;
}

/// Fills a record at node 0. `status`: why the instance cannot start, 0 if it can.
template <class Scheme>
LIVENS_HD void start_record(const typename Scheme::System& system, const Scheme& scheme,
                            const NodeState<typename Scheme::Scalar, Scheme::System::coordinates>& n,
                            const typename Scheme::Scalar& status, Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  record.carried = scheme.start(n);
  for (int c = 0; c < Record<Scheme>::common; ++c) {
    record.columns[c] = Scalar(0.0);
    record.sum(static_cast<Column>(c)) = Wide<Scalar>(0.0);
  }
  if constexpr (WatchedSystem<typename Scheme::System>) record.watch = system.watch(n.q);
  const auto measured = scheme.measure(record.carried);
  const Scalar kinetic = Scalar(0.5) * dot(n.p, n.v);
  // A coordinate that the energy does not see counts as well.
  const Mask<Scalar> overflowing =
      (status == Scalar(0.0)) & !(finite(measured.energy) & finite(norm_inf(n.q)) & finite(norm_inf(n.p)));
  const Scalar reason = select(overflowing, code<Scalar>(Status::not_finite), status);
  record[Column::status] = reason;
  record.sum(Column::failed_step) = widen(select(reason == Scalar(0.0), Scalar(-1.0), Scalar(0.0)));
  record[Column::initial_energy] = measured.energy;
  record[Column::energy_scale] = max(kinetic + system.potential_scale(n.q), abs(measured.energy));
  record[Column::constraint] = measured.constraint;
  record[Column::max_constraint] = measured.constraint;
  record[Column::velocity_constraint] = measured.velocity_constraint;
  record[Column::max_velocity_constraint] = measured.velocity_constraint;
  if constexpr (Scheme::System::momentum_maps > 0)
    for (int i = 0; i < Scheme::System::momentum_maps; ++i)
      record.columns[Record<Scheme>::common + i] = measured.momentum[i];
}

/// Whether a step has too many doubles for the registers of a thread; those without Newton's method do not.
template <class Scheme>
inline constexpr bool crowded_step = false;
template <class Scheme>
requires(requires {
  typename Scheme::Problem;
}) inline constexpr bool crowded_step<Scheme> = crowded<typename Scheme::Problem, typename Scheme::Scalar>;
/// What a crowded thread keeps in shared memory beside its record: the scheme if that leaves room for eight
/// warps on a multiprocessor, or else the system, or nothing.
enum class KeptConstants { none, system, scheme };
template <class Scheme>
constexpr KeptConstants kept_constants() {
  constexpr int room = block_bytes - bytes_of_places<Record<Scheme>>;
  if (!crowded_step<Scheme>) return KeptConstants::none;
  if (bytes_of_places<Scheme> <= room) return KeptConstants::scheme;
  return bytes_of_places<typename Scheme::System> <= room ? KeptConstants::system : KeptConstants::none;
}

/// Integrates every lane to its step number `last`. A lane that fails keeps its last good state; one whose
/// difficult step was left stands before it, with status ok.
template <class Scheme, DifficultSteps difficult, Pivoting pivoting = Pivoting::refused>
LIVENS_HD void advance_record(const Vec<typename Scheme::Scalar, Scheme::System::parameter_count>& parameters,
                              const typename Scheme::Scalar& h, const Settings& settings,
                              const Wide<typename Scheme::Scalar>& last, Record<Scheme>& record) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Sum = Wide<Scalar>;
  constexpr bool kept = difficult == DifficultSteps::left && crowded_step<Scheme>;
  constexpr KeptConstants constants = kept ? kept_constants<Scheme>() : KeptConstants::none;
  SharedStorage<System, constants == KeptConstants::system> system_place(parameters);
  const System& system = *system_place;
  SharedStorage<Scheme, constants == KeptConstants::scheme> scheme_place(system, h, settings);
  const Scheme& scheme = *scheme_place;
  const Sum one = Sum(1.0), none = Sum(0.0);
  const Scalar zero = Scalar(0.0);

  Mask<Scalar> running = (record[Column::status] == zero) & (record.sum(Column::steps) < last);
  while (any(running)) {
    typename Scheme::Carried next;
    StepReport<Scalar> report;
    reload_shared<kept>();
    if constexpr (difficult == DifficultSteps::left) {
      report = scheme.template step<pivoting>(record.carried, running, next);
      running = running & report.outcome.good();
    } else {
      const CarefulStep<Scheme> taken = careful_step<Scheme>(system, h, settings, record.carried);
      next = taken.next;
      report = taken.report;
      if (report.outcome.good() && taken.substeps > 1)
        record.sum(Column::retried_steps) = record.sum(Column::retried_steps) + one;
    }
    reload_shared<kept>();
    const auto measured = scheme.measure(next);
    const Sum dissipated = record.sum(Column::dissipated_energy) + widen(report.dissipated);
    const Sum work = record.sum(Column::work) + widen(report.work);
    const Scalar error =
        (measured.energy - record[Column::initial_energy]) + rounded<Scalar>(dissipated - work);
    report.outcome.status = select(report.outcome.good() & !finite(error), code<Scalar>(Status::not_finite),
                                   report.outcome.status);
    if (settings.energy_balance > 0.0) {
      const Scalar limit = Scalar(settings.energy_balance) * record[Column::energy_scale];
      report.outcome.status = select(report.outcome.good() & (abs(error) > limit),
                                     code<Scalar>(Status::energy_balance), report.outcome.status);
    }
    const Mask<Scalar> good = running & report.outcome.good();
    const Mask<Scalar> lost = running & !good;
    if (any(lost)) {
      record[Column::status] = select(lost, report.outcome.status, record[Column::status]);
      record.sum(Column::failed_step) =
          select(lost, record.sum(Column::steps), record.sum(Column::failed_step));
    }
    record.sum(Column::newton_iterations) =
        record.sum(Column::newton_iterations) + select(running, widen(report.outcome.iterations), none);
    if constexpr (WatchedSystem<System>) {
      const auto seen = system.watched(record.watch, scheme.node(record.carried).q, scheme.node(next).q,
                                       rounded<Scalar>(widen(h) * record.sum(Column::steps)), h);
      assign_where<Scalar>(good, seen, record.watch);
    }
    assign_where<Scalar>(good, next, record.carried);

    const auto keep_sum = [&](Column c, const Sum& value) {
      record.sum(c) = select(good, value, record.sum(c));
    };
    const auto keep = [&](Column c, const Scalar& value) { record[c] = select(good, value, record[c]); };
    const auto raise = [&](Column c, const Scalar& value) { keep(c, max(value, record[c])); };
    keep_sum(Column::steps, record.sum(Column::steps) + one);
    keep_sum(Column::dissipated_energy, dissipated);
    keep_sum(Column::work, work);
    keep(Column::energy_error, error);
    raise(Column::max_energy_error, abs(error));
    keep_sum(Column::sum_squared_energy_error,
             fma(widen(error), widen(error), record.sum(Column::sum_squared_energy_error)));
    keep(Column::constraint, measured.constraint);
    raise(Column::max_constraint, measured.constraint);
    keep(Column::velocity_constraint, measured.velocity_constraint);
    raise(Column::max_velocity_constraint, measured.velocity_constraint);
    if constexpr (System::momentum_maps > 0) {
      Scalar momentum_error = zero;
      for (int i = 0; i < System::momentum_maps; ++i)
        momentum_error =
            max(momentum_error, abs(measured.momentum[i] - record.columns[Record<Scheme>::common + i]));
      keep(Column::momentum_error, momentum_error);
      raise(Column::max_momentum_error, momentum_error);
    }
    running = good & (record.sum(Column::steps) < last);
  }
}

}  // namespace livens::inline LIVENS_ISA
