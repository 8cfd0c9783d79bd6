// Writes what fuzzing begins with: fuzz_seeds DIRECTORY makes DIRECTORY/result and DIRECTORY/checkpoint.

#include <filesystem>
#include <fstream>
#include <string>

#include "host/checkpoint/parts.hpp"
#include "host/checkpoint/segments.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/sample_result.hpp"

int main(int, char** argv) {
  using namespace livens;
  using namespace livens::host;
  const std::filesystem::path directory = argv[1];
  for (const char* target : {"result", "checkpoint"}) std::filesystem::create_directories(directory / target);
  const ensembles::Result result = sample_result();
  write_result((directory / "result" / "result.h5").string(), result,
               *toy_catalogue().system("toy_pair")->info, provenance);

  ensembles::SamplePart sample{{0, N}, 1, {}, result.trajectories};
  const std::vector<double> values = {1.0, 2.0};
  const std::vector<std::int64_t> numbers = {0, 1};
  sample.statistics.observables.resize(1);
  sample.statistics.observables[0].add(0, ensembles::summarize(values, numbers));
  const std::string seeds[] = {make_frame(0, FrameKind::sample, encode(sample)), encode(sample),
                               encode(ensembles::InstancesPart{{0, N}, result.instances}),
                               encode(ensembles::Standing{{0, N}, 5, 1, 0, 1.0, {1.0, 2.0}, {}, {}}),
                               encode(Identity{provenance, 1, N, {0, N}})};
  for (std::size_t kind = 0; kind < std::size(seeds); ++kind)
    std::ofstream(directory / "checkpoint" / std::to_string(kind), std::ios::binary)
        << static_cast<char>(kind) << seeds[kind];
}
