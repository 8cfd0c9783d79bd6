#include "host/commands/bench.hpp"
#include "host/commands/certify.hpp"
#include "host/commands/check.hpp"
#include "host/commands/program.hpp"
#include "host/commands/verify.hpp"

int main(int argc, char** argv) {
  return livens::host::program(
      argc, argv, {livens::host::verify, livens::host::check, livens::host::bench, livens::host::certify});
}
