#pragma once
// The whole program behind main(): arguments in, exit status out.

namespace livens::host {

int program(int argc, const char* const* argv);

}  // namespace livens::host
