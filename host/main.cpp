#include "host/program.hpp"

int main(int argc, char** argv) { return livens::host::program(argc, argv); }
