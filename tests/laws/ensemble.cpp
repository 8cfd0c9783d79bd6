#include "tests/laws/ensemble.hpp"

#include <algorithm>
#include <cstring>

namespace livens::laws {
namespace {

constexpr std::size_t register_size = 16;  // of instances in double precision, two registers of AVX-512

}  // namespace

Arrays::Arrays(const SystemInfo& info, const std::vector<Instance>& instances) {
  const std::size_t given = instances.size(), size = (given + tile_size - 1) / tile_size * tile_size;
  varied_.resize(instances[0].parameters.size());
  for (std::size_t i = 0; i < size; ++i) {
    const Instance& instance = instances[std::min(i, given - 1)];
    for (std::size_t k = 0; k < varied_.size(); ++k) varied_[k].push_back(instance.parameters[k]);
    q.insert(q.end(), instance.q.begin(), instance.q.end());
    v.insert(v.end(), instance.v.begin(), instance.v.end());
    h.push_back(instance.h);
  }
  p.assign(size * info.coordinates, 0.0);
  shared_.assign(varied_.size(), 0.0);
  for (auto& values : varied_) varied_pointers_.push_back(values.data());
}

Batch Arrays::batch() {
  return {.size = size(),
          .shared_parameters = shared_.data(),
          .varied = varied_pointers_.data(),
          .shared_step = 0.0,
          .varied_step = h.data(),
          .steps_per_beat = nullptr,
          .q = q.data(),
          .v = v.data(),
          .p = p.data(),
          .records = records.data(),
          .composition = composition};
}

Ensemble::Ensemble(const PairKernels& pair, const std::vector<Instance>& instances,
                   const std::optional<Settings>& settings, std::vector<std::uint8_t> status)
    : pair_(pair),
      settings_(settings ? *settings : to_round_off(pair)),
      arrays_(*pair.system->info, instances) {
  arrays_.composition = composition_of(settings_.order);
  // What repeats the last instance runs where it fills up a register; the rest of the tile does not start.
  const std::uint8_t last = status.empty() ? 0 : status.back();
  status.resize(
      std::max(status.size(), (instances.size() + register_size - 1) / register_size * register_size), last);
  status.resize(arrays_.size(), static_cast<std::uint8_t>(Status::invalid_parameter));
  arrays_.records.assign(static_cast<std::size_t>(arrays_.size()) * pair.record_width, 0.0);
  pair.system->momenta(arrays_.batch(), 0, arrays_.size());
  pair.start(arrays_.batch(), settings_, status.data(), 0, arrays_.size());
}

void Ensemble::advance(int steps) {
  before_ = arrays_.records;
  pair_.advance(arrays_.batch(), settings_, steps_ + steps, 0, arrays_.size());
  steps_ += steps;
}

Node Ensemble::node(int instance) {
  const SystemInfo& info = *pair_.system->info;
  const std::size_t d = info.coordinates, m = info.constraints, s = info.momentum_maps;
  Node node{std::vector<double>(d),
            std::vector<double>(d),
            std::vector<double>(d),
            std::vector<double>(m),
            std::vector<double>(m),
            std::vector<double>(s),
            0.0,
            0.0,
            0.0};
  NodeView view{node.q.data(),
                node.v.data(),
                node.p.data(),
                node.lambda.data(),
                node.gamma.data(),
                node.momentum.data(),
                0.0,
                0.0,
                0.0};
  const LastStep last{before_.data(), settings_};
  pair_.node(arrays_.batch(), before_.empty() ? nullptr : &last, instance, view);
  node.energy = view.energy;
  node.total_energy = view.total_energy;
  node.z = view.z;
  return node;
}

std::vector<double> Ensemble::values_of(const std::vector<double>& records, int instance) const {
  std::vector<double> values(pair_.record_width);
  for (int c = 0; c < pair_.record_width; ++c)
    values[c] = records[column_offset(instance / tile_size, pair_.record_width, c) + instance % tile_size];
  return values;
}

std::vector<Settings> choices(const PairKernels& pair) {
  const Settings standard = Ensemble::to_round_off(pair);
  std::vector<Settings> choices = {standard};
  if (pair.fixed_options) return choices;
  for (const SchemeOption& option : pair.scheme->options)
    for (std::size_t word = 0; word < option.words.size(); ++word) {
      const double value = static_cast<double>(word);
      if (value == option.standard) continue;
      choices.push_back(standard);
      choices.back().options[option.place] = value;
    }
  return choices;
}

bool same_bits(std::vector<double> a, std::vector<double> b) {
  for (auto* list : {&a, &b})
    for (double& x : *list)
      if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= result)) result = difference;
  }
  return result;
}

double largest(const std::vector<double>& a) { return distance(a, std::vector<double>(a.size(), 0.0)); }

}  // namespace livens::laws
