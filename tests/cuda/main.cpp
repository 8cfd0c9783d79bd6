#include "tests/cuda/selftest.hpp"

int main(int argc, char** argv) { return livens::selftest::main(argc, argv); }
