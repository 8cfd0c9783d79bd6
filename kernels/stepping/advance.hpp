#pragma once
// One instance, or W at once, from step to step: retries, failures, and what its record keeps.

#include "kernels/stepping/passage.hpp"

namespace livens::inline LIVENS_ISA {

/// Fills a record at node 0. `status`: why the instance cannot start, 0 if it can.
template <AnyScheme Scheme>
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
  if constexpr (StoppingSystem<typename Scheme::System>) record.stop = {};
  if constexpr (EventfulSystem<typename Scheme::System>) start_events(record);
  const auto measured = scheme.measure(record.carried, Measuring::all);
  // A coordinate that the energy does not see counts as well.
  const Mask<Scalar> overflowing =
      (status == Scalar(0.0)) & !(finite(measured.energy) & finite(norm_inf(n.q)) & finite(norm_inf(n.p)));
  Scalar reason = select(overflowing, code<Scalar>(Status::not_finite), status);
  if constexpr (WalledSystem<typename Scheme::System>) reason = start_among_walls(system, n, reason, record);
  record[Column::status] = reason;
  record.sum(Column::failed_step) = widen(select(reason == Scalar(0.0), Scalar(-1.0), Scalar(0.0)));
  record[Column::initial_energy] = measured.energy;
  record[Column::energy_scale] =
      max(Scalar(0.5) * dot(n.p, n.v) + system.potential_scale(n.q), abs(measured.energy));
  if constexpr (Scheme::System::momentum_maps > 0)
    for (int i = 0; i < Scheme::System::momentum_maps; ++i) record.initial_momentum(i) = measured.momentum[i];
  start_columns<Scheme>(measured, record);
}

/// True for a step with too many doubles for the registers of a thread; false without Newton's method.
template <class Scheme>
inline constexpr bool register_pressure_in_step = false;
template <class Scheme>
requires(requires { typename Scheme::Problem; }) inline constexpr bool register_pressure_in_step<Scheme> =
    register_pressure<typename Scheme::Problem, typename Scheme::Scalar>;
/// The constants that a thread under register pressure keeps in shared memory beside its record: the scheme
/// if that leaves room for eight warps on a multiprocessor, or else the system, or nothing.
enum class KeptConstants { none, system, scheme };
template <class Scheme>
constexpr KeptConstants kept_constants() {
  constexpr int room = block_bytes - bytes_of_places<Record<Scheme>>;
  if (!register_pressure_in_step<Scheme>) return KeptConstants::none;
  if (bytes_of_places<Scheme> <= room) return KeptConstants::scheme;
  return bytes_of_places<typename Scheme::System> <= room ? KeptConstants::system : KeptConstants::none;
}

/// q of a node, without the rest of it where the scheme has that by itself.
template <class Scheme>
LIVENS_HD auto position_at(const Scheme& scheme, const typename Scheme::Carried& carried) {
  if constexpr (requires { scheme.position(carried); })
    return scheme.position(carried);
  else
    return scheme.node(carried).q;
}

/// Brings what a record shows of directions up to date with what it carries, after steps h.
template <class Scheme>
LIVENS_HD void show_directions(const Scheme& scheme, const typename Scheme::Scalar& h,
                               Record<Scheme>& record) {
  scheme.show(record.carried, h * record.sum(Column::steps), h, record.tangents);
}
/// Of the lanes that have come to the end of another `every` steps h.
template <class Scheme>
LIVENS_HD void orthonormalise(const Scheme& scheme, const typename Scheme::Scalar& h,
                              const Mask<typename Scheme::Scalar>& good, Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  if constexpr (Scheme::exponents > 0) {
    const Scalar every = Scalar(static_cast<double>(Scheme::Tangents::every)),
                 turns = record.sum(Column::steps) / every;
    const Mask<Scalar> due = good & (rint(turns) * every == record.sum(Column::steps));
    if (any(due)) scheme.orthonormalise(due, h * record.sum(Column::steps), record.carried);
  }
}

/// Integrates every lane to its step number `last`. A lane that fails keeps its last good state; one whose
/// difficult step was left stands before it, with status ok.
template <class Scheme, DifficultSteps difficult, Pivoting pivoting = Pivoting::refused>
LIVENS_HD void advance_record(const Vec<typename Scheme::Scalar, Scheme::System::parameter_count>& parameters,
                              const typename Scheme::Scalar& h, const Composition& composition,
                              const Settings& settings, const Wide<typename Scheme::Scalar>& last,
                              Record<Scheme>& record) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Sum = Wide<Scalar>;
  constexpr bool kept = difficult == DifficultSteps::left && register_pressure_in_step<Scheme>;
  constexpr KeptConstants constants = kept ? kept_constants<Scheme>() : KeptConstants::none;
  SharedStorage<System, constants == KeptConstants::system> system_place(parameters);
  const System& system = *system_place;
  const Sum one = Sum(1.0), none = Sum(0.0);
  const Measuring every_step = settings.largest_violations ? Measuring::all : Measuring::energies;

  // Lanes step together, so that they are in the same stage. Where steps are careful careful_step() composes.
  const bool composed = difficult == DifficultSteps::left && composition.stages > 1;
  StagesTaken<Scheme> taken;

  Mask<Scalar> running = (record[Column::status] == Scalar(0.0)) & (record.sum(Column::steps) < last);
  if constexpr (WalledSystem<System> && difficult == DifficultSteps::left)
    running = running & !rests<System>(record.contact);
  const Mask<Scalar> moving = running;
  while (any(running)) {
    // All steps that are not composed are taken in the inner loop, with what is constant over them.
    SharedStorage<Scheme, constants == KeptConstants::scheme> scheme_place(
        system, stage_length(composition, taken.stage(), h), settings);
    const Scheme& scheme = *scheme_place;
    do {
      typename Scheme::Carried next;
      StepReport<Scalar> report;
      [[maybe_unused]] Happened<Scheme> happened;
      reload_shared<kept>();
      if constexpr (difficult == DifficultSteps::left) {
        report = scheme.template step<pivoting>(record.carried, running, next);
        running = running & report.outcome.good();
        if (composed && !taken.whole(composition, running, next, report, record)) break;
        if constexpr (WalledSystem<System>) running = running & is_free_of_walls(system, next);
        if constexpr (EventfulSystem<System>) running = running & !has_event(system, scheme, h, record, next);
        if constexpr (StoppingSystem<System>)
          running = running & !meets_stop(system, scheme, h, record, next);
      } else {
        const CarefulStep<Scheme> careful =
            pass_with_care(system, scheme, h, composition, settings, record, happened);
        next = careful.next;
        report = careful.report;
        if (report.outcome.good() && careful.substeps > 1)
          record.sum(Column::retried_steps) = record.sum(Column::retried_steps) + one;
      }
      reload_shared<kept>();
      ReachedNode<Scalar, System::momentum_maps> reached{
          scheme.measure(next, every_step), record.sum(Column::dissipated_energy) + widen(report.dissipated),
          record.sum(Column::work) + widen(report.work), Scalar(0.0)};
      const Scalar error = (reached.measured.energy - record[Column::initial_energy]) +
                           rounded<Scalar>(reached.dissipated - reached.work);
      reached.energy_error = error;
      const Mask<Scalar> overflowing = report.outcome.good() & !finite(error);
      report.outcome.status = select(overflowing, code<Scalar>(Status::not_finite), report.outcome.status);
      // Whether it is the motion that is not finite or the arithmetic without pivoting, a careful step says.
      if constexpr (difficult == DifficultSteps::left) running = running & !overflowing;
      if (settings.energy_balance > 0.0) {
        const Scalar limit =
            Scalar(settings.energy_balance) * max(reached.energy_scale(), record[Column::energy_scale]);
        report.outcome.status = select(report.outcome.good() & (abs(error) > limit),
                                       code<Scalar>(Status::energy_balance), report.outcome.status);
      }
      if constexpr (StoppingSystem<System> && difficult == DifficultSteps::redone)
        if (report.outcome.good() && happened.stop.time == happened.stop.time) {
          report.outcome.status = code<Scalar>(Status::stopped);
          record.stop = happened.stop;
        }
      const Mask<Scalar> good = running & report.outcome.good();
      const Mask<Scalar> lost = running & !good;
      if (any(lost)) {
        record[Column::status] = select(lost, report.outcome.status, record[Column::status]);
        Mask<Scalar> failed = lost;
        if constexpr (StoppingSystem<System>)
          failed = lost & !(report.outcome.status == code<Scalar>(Status::stopped));
        record.sum(Column::failed_step) =
            select(failed, record.sum(Column::steps), record.sum(Column::failed_step));
      }
      record.sum(Column::newton_iterations) =
          record.sum(Column::newton_iterations) + select(running, widen(report.outcome.iterations), none);
      if constexpr (WatchedSystem<System>) {
        const auto seen =
            system.watched(record.watch, position_at(scheme, record.carried), position_at(scheme, next),
                           rounded<Scalar>(widen(h) * record.sum(Column::steps)), h);
        assign_where<Scalar>(good, seen, record.watch);
      }
      if constexpr (difficult == DifficultSteps::redone)
        if (good) keep(happened, record);
      assign_where<Scalar>(good, next, record.carried);
      record[Column::energy_scale] = select(good, max(reached.energy_scale(), record[Column::energy_scale]),
                                            record[Column::energy_scale]);

      record.sum(Column::steps) = select(good, record.sum(Column::steps) + one, record.sum(Column::steps));
      update_columns<Scheme>(good, reached, every_step, record);
      if constexpr (TangentsOf<Scheme>::followed) orthonormalise(scheme, h, good, record);
      running = good & (record.sum(Column::steps) < last);
    } while (!composed && any(running));
  }
  if (every_step == Measuring::energies && any(moving)) {
    const Scheme scheme(system, h, settings);
    settle_columns<Scheme>(moving, scheme.measure(record.carried, Measuring::all), record);
  }
  if constexpr (TangentsOf<Scheme>::followed)
    if (any(moving)) show_directions(Scheme(system, h, settings), h, record);
}

}  // namespace livens::inline LIVENS_ISA
