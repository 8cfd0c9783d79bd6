#include "host/bench.hpp"
#include "host/program.hpp"
#include "host/verify.hpp"

int main(int argc, char** argv) {
  return livens::host::program(argc, argv, {livens::host::verify, livens::host::bench});
}
