#pragma once

namespace livens::selftest {

/// The program: its exit status.
int main(int argc, char** argv);

}  // namespace livens::selftest
