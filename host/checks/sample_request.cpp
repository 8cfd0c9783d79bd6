#include "host/checks/sample_request.hpp"

#include <fmt/format.h>

#include "host/pairs/text_pairs.hpp"

namespace livens::host {

using ensembles::Law;
using ensembles::Mode;
using ensembles::Request;
using ensembles::Target;

Request sample_request(const PairKernels& pair, std::int64_t steps, double velocity_spread,
                       const std::string& text) {
  const SystemInfo& info = *pair.system->info;
  Request request;
  request.system = info.name;
  request.text = text;
  request.scheme = pair.scheme->name;
  request.form = pair.form;
  request.step = info.default_step;
  request.steps = steps;
  request.end = request.step * static_cast<double>(steps);
  request.settings = standard_settings(*pair.scheme);
  request.settings.tolerance = 0.0;
  request.settings.retry = 0;
  request.settings.precision = pair.precision;
  request.size = 8;
  request.every = steps;
  request.trajectories = 8;
  request.quantiles = {0.5};
  request.parameters = default_parameters(info);
  if (const TextSystem* const text = text_of_equations(info)) text->complete(request.parameters);
  int first = 0;
  for (const ParameterInfo& parameter : info.parameters) {
    for (int i = 0; i < parameter.size() && parameter.domain == Domain::positive; ++i) {
      const std::string what = fmt::format("system.{}[{}]", parameter.name, i);
      request.variations.push_back(
          {what, Target::parameter, first + i, 1, Law::uniform, Mode::multiply, 0.9, 1.1, {}});
    }
    first += parameter.size();
  }
  for (int c = 0; c < info.coordinates; ++c)
    request.variations.push_back(
        {fmt::format("initial.v[{}]", c), Target::v, c, 1, Law::normal, Mode::add, 0.0, velocity_spread, {}});
  return request;
}

}  // namespace livens::host
