#include "ensembles/population.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/ensemble.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/statistics.hpp"

namespace livens::ensembles {
namespace {

std::int64_t padded(std::int64_t size) { return (size + tile_size - 1) / tile_size * tile_size; }

bool varies(const Request& request, Target target) {
  return std::any_of(request.variations.begin(), request.variations.end(),
                     [&](const Variation& variation) { return variation.target == target; });
}

void for_each_instance(Backend& backend, std::int64_t count, const std::function<void(std::int64_t)>& body) {
  backend.for_each_block(block_count(count), [&](std::int64_t block) {
    const std::int64_t last = std::min((block + 1) * block_size, count);
    for (std::int64_t instance = block * block_size; instance < last; ++instance) body(instance);
  });
}

}  // namespace

Population::Population(const Request& request, Range range, Backend& backend)
    : size_(range.size()),
      number_of_(size_),
      coordinates_(backend.system().coordinates),
      shared_parameters_(request.parameters),
      varied_parameters_(request.parameters.size()),
      varied_pointers_(request.parameters.size(), nullptr),
      recorded_(request.variations.size()) {
  if (size_ < 1) throw std::invalid_argument("ensemble.size: expected at least 1");
  for (std::int64_t i = 0; i < size_; ++i) number_of_[i] = request.number_of(range.first + i);
  const Sampler sampler(request.variations, request.seed);
  const std::int64_t count = padded(size_);
  for (auto* array : {&q_, &v_, &p_}) array->resize(count * coordinates_);
  records_.resize(count * backend.record_width());
  status_.resize(count);
  for (std::size_t entry = 0; entry < recorded_.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    recorded_[entry] = {variation.what, variation.count, std::vector<double>(size_ * variation.count)};
  }

  vary_parameters(request, sampler, backend);
  vary_steps(request, sampler);
  batch_ = {.size = count,
            .shared_parameters = shared_parameters_.data(),
            .varied = varied_pointers_.data(),
            .shared_step = request.step,
            .varied_step = varied_step_.empty() ? nullptr : varied_step_.data(),
            .steps_per_unit = steps_per_unit_.empty() ? nullptr : steps_per_unit_.data(),
            .q = q_.data(),
            .v = v_.data(),
            .p = p_.data(),
            .records = records_.data(),
            .first = range.first,
            .last = range.last};
  set_base_states(request, backend);
  vary_states(request, sampler, backend);
  backend.make_consistent(batch_, request.consistency, status_.data());
  refuse_uncountable_steps();
  for (Instances::Varied& varied : recorded_) make_nan_canonical(varied.values);
}

void Population::vary_parameters(const Request& request, const Sampler& sampler, Backend& backend) {
  for (std::size_t entry = 0; entry < request.variations.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    if (variation.target != Target::parameter) continue;
    for (int k = variation.first; k < variation.first + variation.count; ++k) {
      if (varied_parameters_[k].empty()) varied_parameters_[k].assign(padded(size_), shared_parameters_[k]);
      varied_pointers_[k] = varied_parameters_[k].data();
    }
    for_each_instance(backend, padded(size_), [&](std::int64_t i) {
      const double drawn = sampler.draw(entry, number_of(i));
      for (int k = variation.first; k < variation.first + variation.count; ++k) {
        varied_parameters_[k][i] = combine(variation.mode, varied_parameters_[k][i], drawn);
      }
    });
  }
  // Entries may overlap ("system.mass", "system.mass[0]"): a value is the one used only after all of them.
  for (std::size_t entry = 0; entry < request.variations.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    if (variation.target != Target::parameter) continue;
    for (std::int64_t i = 0; i < size_; ++i) {
      for (int k = 0; k < variation.count; ++k) {
        recorded_[entry].values[i * variation.count + k] = varied_parameters_[variation.first + k][i];
      }
    }
  }
}

void Population::vary_steps(const Request& request, const Sampler& sampler) {
  for (std::size_t entry = 0; entry < request.variations.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    if (variation.target != Target::step) continue;
    varied_step_.resize(padded(size_));
    steps_per_unit_.resize(padded(size_));
    for (std::int64_t i = 0; i < padded(size_); ++i) {
      const double drawn = sampler.draw(entry, number_of(i));
      const FittedStep fitted = fit_step(request.interval, combine(variation.mode, request.step, drawn));
      varied_step_[i] = fitted.step;
      steps_per_unit_[i] = fitted.steps;
    }
    std::copy_n(varied_step_.begin(), size_, recorded_[entry].values.begin());
  }
}

void Population::set_base_states(const Request& request, Backend& backend) {
  backend.initial_states(batch_);
  for (const auto& [given, array] : {std::pair{&request.q, &q_}, {&request.v, &v_}, {&request.p, &p_}}) {
    if (!given->has_value()) continue;
    for (std::int64_t i = 0; i < batch_.size; ++i) {
      std::copy((*given)->begin(), (*given)->end(), array->begin() + i * coordinates_);
    }
  }
  if (varies(request, Target::p) && !request.p.has_value()) backend.momenta(batch_);
}

void Population::vary_states(const Request& request, const Sampler& sampler, Backend& backend) {
  const auto array_of = [&](Target target) {
    if (target == Target::q) return q_.data();
    if (target == Target::v) return v_.data();
    return target == Target::p ? p_.data() : nullptr;
  };
  for (std::size_t entry = 0; entry < request.variations.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    double* array = array_of(variation.target);
    if (array == nullptr) continue;
    for_each_instance(backend, batch_.size, [&](std::int64_t i) {
      const double drawn = sampler.draw(entry, number_of(i));
      double* values = array + i * coordinates_ + variation.first;
      for (int k = 0; k < variation.count; ++k) values[k] = combine(variation.mode, values[k], drawn);
    });
  }
  for (std::size_t entry = 0; entry < request.variations.size(); ++entry) {
    const Variation& variation = request.variations[entry];
    const double* array = array_of(variation.target);
    if (array == nullptr) continue;
    for (std::int64_t i = 0; i < size_; ++i) {
      std::copy_n(array + i * coordinates_ + variation.first, variation.count,
                  recorded_[entry].values.begin() + i * variation.count);
    }
  }
  if (varies(request, Target::p) || request.p.has_value()) backend.velocities(batch_);
}

void Population::refuse_uncountable_steps() {
  for (std::size_t i = 0; i < steps_per_unit_.size(); ++i) {
    if (steps_per_unit_[i] != 0) continue;
    steps_per_unit_[i] = 1;
    if (status_[i] == static_cast<std::uint8_t>(Status::ok)) {
      status_[i] = static_cast<std::uint8_t>(Status::invalid_parameter);
    }
  }
}

std::int64_t Population::number_of(std::int64_t i) const { return number_of_[std::min(i, size_ - 1)]; }

void Population::take_initial_states(std::vector<double>& q, std::vector<double>& v) {
  for (auto [from, to] : {std::pair{&q_, &q}, {&v_, &v}}) {
    *to = std::move(*from);
    to->resize(size_ * coordinates_);
    make_nan_canonical(*to);
  }
}

void require_consistent_base(const Request& request, Backend& backend) {
  if (request.consistency != Consistency::require) return;
  Request base = request;
  base.variations.clear();
  if (Population(base, {0, 1}, backend).status()[0] ==
      static_cast<std::uint8_t>(Status::inconsistent_initial)) {
    throw InconsistentBase(
        "the base state violates the constraints; expected a consistent one, or \"project\"");
  }
}

}  // namespace livens::ensembles
