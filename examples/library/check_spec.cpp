// check_spec SPEC.toml: says what is wrong with a spec, and runs nothing.

#include <cstdio>
#include <livens/livens.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: check_spec SPEC.toml\n");
    return 2;
  }
  try {
    livens::Ensemble::from_file(argv[1]).check();
    std::printf("%s can be run\n", argv[1]);
  } catch (const livens::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.status();
  }
}
