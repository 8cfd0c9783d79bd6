#pragma once
// One instance, or W at once, from step to step: the record that is kept of it, retries, failures,
// observables.

#include "kernels/schemes/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// Everything that is kept of an instance between calls; made of Scalars only, so that it can be stored
/// column by column.
template <class Scheme>
struct Record {
  using Scalar = typename Scheme::Scalar;
  static constexpr int common = static_cast<int>(Column::count);
  static constexpr int momentum_maps = Scheme::System::momentum_maps;

  Vec<Scalar, common + momentum_maps> columns;  ///< Column, then the initial momentum maps
  typename Scheme::Carried carried;

  static constexpr int width();
  LIVENS_HD Scalar& operator[](Column c) { return columns[static_cast<int>(c)]; }
  LIVENS_HD const Scalar& operator[](Column c) const { return columns[static_cast<int>(c)]; }
};
template <class Scheme>
constexpr int Record<Scheme>::width() {
  static_assert(sizeof(Record) % sizeof(Scalar) == 0);
  return static_cast<int>(sizeof(Record) / sizeof(Scalar));
}

/// Lane l of a struct of Scalars as the same struct of doubles, and back.
template <class Single, class Many>
LIVENS_HD Single extract_lane(const Many& many, int l) {
  if constexpr (sizeof(Single) == sizeof(Many)) {
    Single single;
    memcpy(&single, &many, sizeof single);
    return single;
  } else {
    constexpr int columns = sizeof(Single) / sizeof(double);
    constexpr int lanes = sizeof(Many) / sizeof(Single);
    double all[columns * lanes], one[columns];
    memcpy(all, &many, sizeof many);
    for (int c = 0; c < columns; ++c) one[c] = all[c * lanes + l];
    Single single;
    memcpy(&single, one, sizeof single);
    return single;
  }
}
template <class Single, class Many>
LIVENS_HD void insert_lane(Many& many, int l, const Single& single) {
  if constexpr (sizeof(Single) == sizeof(Many)) {
    memcpy(&many, &single, sizeof single);
  } else {
    constexpr int columns = sizeof(Single) / sizeof(double);
    constexpr int lanes = sizeof(Many) / sizeof(Single);
    double all[columns * lanes], one[columns];
    memcpy(all, &many, sizeof many);
    memcpy(one, &single, sizeof single);
    for (int c = 0; c < columns; ++c) all[c * lanes + l] = one[c];
    memcpy(&many, all, sizeof many);
  }
}
/// Lane by lane: a where the mask is set, else b.
template <class Scalar, class Many>
LIVENS_HD Many select_all(const Mask<Scalar>& mask, const Many& a, const Many& b) {
  if constexpr (lanes_of<Scalar> == 1) return mask ? a : b;
  constexpr int columns = sizeof(Many) / sizeof(Scalar);
  Vec<Scalar, columns> x, y;
  memcpy(&x, &a, sizeof a);
  memcpy(&y, &b, sizeof b);
  x = select<Scalar>(mask, x, y);
  Many r;
  memcpy(&r, &x, sizeof r);
  return r;
}

/// What a step leaves behind.
template <class Scheme>
struct StepResult {
  using Scalar = typename Scheme::Scalar;
  typename Scheme::Carried next;
  StepReport<Scalar> report;
  Scalar retried;  ///< 1 where the step was redone as substeps
};

/// Redoes the step of the failed lanes as 2, 4, ..., 2^retry substeps, one instance at a time. Lanes that
/// succeed get their next state and a good report; the others keep the reason of the whole step. By value, as
/// solve_flagged.
template <class Scheme, class Scalar>
LIVENS_HD_COLD StepResult<Scheme> retry_step(const Vec<Scalar, Scheme::System::parameter_count>& parameters,
                                             const Scalar& h, const Settings& settings,
                                             const Mask<Scalar>& failed, const typename Scheme::Carried& now,
                                             const StepResult<Scheme>& whole) {
  StepResult<Scheme> result = whole;
  auto& [next, report, retried] = result;
  using Single = typename Scheme::template Over<double>;
  using SingleSystem = typename Single::System;
  using Carried = typename Single::Carried;
  for (int l = 0; l < lanes_of<Scalar>; ++l) {
    if (!lane_mask(failed, l)) continue;
    const SingleSystem system(extract_lane<Vec<double, Scheme::System::parameter_count>>(parameters, l));
    const Carried start = extract_lane<Carried>(now, l);
    for (int level = 1; level <= settings.retry; ++level) {
      const int substeps = 1 << level;
      const Single scheme(system, lane(h, l) / substeps, settings);
      Carried at = start;
      StepReport<double> total{{0.0, lane(report.outcome.iterations, l)}, 0.0, 0.0};
      for (int i = 0; i < substeps && total.outcome.good(); ++i) {
        Carried to;
        const StepReport<double> part = scheme.step(at, true, to);
        total.outcome.status = part.outcome.status;
        total.outcome.iterations += part.outcome.iterations;
        total.dissipated += part.dissipated;
        total.work += part.work;
        at = to;
      }
      set_lane(report.outcome.iterations, l, total.outcome.iterations);
      if (!total.outcome.good()) continue;
      insert_lane(next, l, at);
      set_lane(report.outcome.status, l, 0.0);
      set_lane(report.dissipated, l, total.dissipated);
      set_lane(report.work, l, total.work);
      set_lane(retried, l, 1.0);
      break;
    }
  }
  return result;
}

/// Fills a record at node 0 from a consistent q, p. `status`: why the instance cannot start, 0 if it can.
template <class Scheme>
LIVENS_HD void start_record(const typename Scheme::System& system, const Scheme& scheme,
                            const Vec<typename Scheme::Scalar, Scheme::System::coordinates>& q,
                            const Vec<typename Scheme::Scalar, Scheme::System::coordinates>& p,
                            const typename Scheme::Scalar& status, Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  record.carried = scheme.start(q, p);
  for (int c = 0; c < Record<Scheme>::common; ++c) record.columns[c] = Scalar(0.0);
  const auto measured = scheme.measure(record.carried);
  const Scalar kinetic = Scalar(0.5) * dot(p, system.inertia.solve(p));
  record[Column::status] = status;
  record[Column::failed_step] = select(status == Scalar(0.0), Scalar(-1.0), Scalar(0.0));
  record[Column::initial_energy] = measured.energy;
  record[Column::energy_scale] = max(kinetic + system.potential_scale(q), abs(measured.energy));
  record[Column::constraint] = measured.constraint;
  record[Column::max_constraint] = measured.constraint;
  record[Column::velocity_constraint] = measured.velocity_constraint;
  record[Column::max_velocity_constraint] = measured.velocity_constraint;
  if constexpr (Scheme::System::momentum_maps > 0)
    for (int i = 0; i < Scheme::System::momentum_maps; ++i)
      record.columns[Record<Scheme>::common + i] = measured.momentum[i];
}

/// Integrates `count` steps of every lane (lanes may differ). A lane that fails keeps its last good state.
template <class Scheme>
LIVENS_HD void advance_record(const Vec<typename Scheme::Scalar, Scheme::System::parameter_count>& parameters,
                              const typename Scheme::Scalar& h, const Settings& settings,
                              const typename Scheme::Scalar& count, Record<Scheme>& record) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  const System system(parameters);
  const Scheme scheme(system, h, settings);
  const Scalar one = Scalar(1.0), zero = Scalar(0.0);
  const Scalar last = record[Column::steps] + count;

  Mask<Scalar> running = (record[Column::status] == zero) & (record[Column::steps] < last);
  while (any(running)) {
    typename Scheme::Carried next;
    StepReport<Scalar> report = scheme.step(record.carried, running, next);
    const Mask<Scalar> failed = running & !report.outcome.good();
    if (any(failed)) [[unlikely]] {
      const typename Scheme::Carried now = record.carried;
      const StepResult<Scheme> whole{next, report, zero};
      const StepResult<Scheme> redone = retry_step<Scheme>(parameters, h, settings, failed, now, whole);
      next = redone.next;
      report = redone.report;
      record[Column::retried_steps] = record[Column::retried_steps] + redone.retried;
    }
    const auto measured = scheme.measure(next);
    report.outcome.status = select(report.outcome.good() & !finite(measured.energy),
                                   code<Scalar>(Status::not_finite), report.outcome.status);
    const Mask<Scalar> good = running & report.outcome.good();
    const Mask<Scalar> lost = running & !good;
    if (any(lost)) {
      record[Column::status] = select(lost, report.outcome.status, record[Column::status]);
      record[Column::failed_step] = select(lost, record[Column::steps], record[Column::failed_step]);
    }
    record[Column::newton_iterations] =
        record[Column::newton_iterations] + select(running, report.outcome.iterations, zero);
    if (all(good)) {
      record.carried = next;
    } else {
      record.carried = select_all<Scalar>(good, next, record.carried);
    }

    const auto keep = [&](Column c, const Scalar& value) { record[c] = select(good, value, record[c]); };
    const auto raise = [&](Column c, const Scalar& value) { keep(c, max(value, record[c])); };
    keep(Column::steps, record[Column::steps] + one);
    keep(Column::dissipated_energy, record[Column::dissipated_energy] + report.dissipated);
    keep(Column::work, record[Column::work] + report.work);
    const Scalar error = (measured.energy - record[Column::initial_energy]) +
                         (record[Column::dissipated_energy] - record[Column::work]);
    keep(Column::energy_error, error);
    raise(Column::max_energy_error, abs(error));
    keep(Column::sum_squared_energy_error, fma(error, error, record[Column::sum_squared_energy_error]));
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
    running = good & (record[Column::steps] < last);
  }
}

}  // namespace livens::inline LIVENS_ISA
