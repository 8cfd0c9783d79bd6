// liblivens in a program of somebody else's: with threads, with another locale, with files of its own. What a
// run reads belongs to the run.

#include <atomic>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <latch>
#include <locale>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/livens.hpp"

namespace {
std::atomic<int> changes_of_the_process = 0;
}

// In place of those of the C library, in this program.
extern "C" mode_t umask(mode_t mask) noexcept {
  ++changes_of_the_process;
  return static_cast<mode_t>(syscall(SYS_umask, mask));
}
extern "C" int chdir(const char* path) noexcept {
  ++changes_of_the_process;
  return static_cast<int>(syscall(SYS_chdir, path));
}

namespace livens {
namespace {

namespace fs = std::filesystem;

/// Every number of a result but the seconds, as bytes.
std::string bytes_of(const Result& result) {
  std::string bytes;
  for (const Array& array : result.arrays()) {
    bytes += array.name;
    std::visit(
        [&](auto values) { bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes()); },
        array.values);
  }
  return bytes;
}

/// An oscillator by the name that all of them have.
Ensemble oscillator(double stiffness, const std::string& more = "") {
  Ensemble ensemble = Ensemble::from_toml(R"(
[system.text]
name = "osc"
kinetic = "1/2*m*x'^2"
potential = ")" + std::to_string(static_cast<int>(stiffness)) +
                                          R"(/2*x^2"
coordinates = { x = 1 }
parameters = { m = 1.0 }
initial = { q = { x = 1.0 } }
[scheme]
name = "rattle"
step = 0.01
steps = 20
[ensemble]
size = 6
[[ensemble.vary]]
what = "initial.q[0]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
)" + more);
  return ensemble;
}

Ensemble circle() {
  Ensemble ensemble("unit_circle");
  ensemble.scheme("ems").option("order", 4).step(0.05).steps(40).size(20).every(10).trajectories(2);
  ensemble.vary("initial.v[1]", Distribution::normal(0.25, 0.1).added());
  return ensemble;
}

std::string run_of(const Ensemble& ensemble, const std::string& backend) {
  RunOptions options;
  options.backend = backend;
  options.threads = 1;
  return bytes_of(run(ensemble, options));
}

/// In a program with a comma in its numbers, and points between thousands, for C and for C++.
class Comma {
 public:
  Comma() {
    const fs::path directory = fs::temp_directory_path() / ("livens-comma-" + std::to_string(getpid()));
    fs::create_directories(directory);
    std::ofstream(directory / "source")
        << "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \"<U002C>\"\n"
           "thousands_sep \"<U002E>\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    const std::string made = (directory / "xx_XX").string(), source = (directory / "source").string();
    // Of glibc itself, unlike the locales of languages; it warns of all that is missing, and ends with 1.
    if (std::system(("localedef -c -f UTF-8 -i " + source + " " + made + " >/dev/null 2>&1").c_str()) != -1)
      setenv("LOCPATH", directory.c_str(), 1);
    is_set = setlocale(LC_NUMERIC, "xx_XX") != nullptr;
    fs::remove_all(directory);
    std::locale::global(std::locale(std::locale::classic(), new Points));
  }
  ~Comma() {
    std::locale::global(std::locale::classic());
    setlocale(LC_NUMERIC, "C");
  }
  bool is_set = false;

 private:
  struct Points : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
};

class InALocaleWithACommaTest : public ::testing::TestWithParam<std::string> {};

TEST_P(InALocaleWithACommaTest, NumbersAreTheSame) {
  const std::string alone = run_of(circle(), GetParam()), text = run_of(oscillator(4), GetParam());
  const Comma comma;
  ASSERT_TRUE(comma.is_set) << "localedef has made no locale";
  ASSERT_EQ(std::strtod("0,5", nullptr), 0.5);
  EXPECT_EQ(run_of(circle(), GetParam()), alone);
  EXPECT_EQ(run_of(oscillator(4), GetParam()), text);
}
INSTANTIATE_TEST_SUITE_P(Backends, InALocaleWithACommaTest, ::testing::Values("cpu", "reference"),
                         [](const auto& info) { return info.param; });

// Read, written and printed: the spec, the file and what the file says of itself.
TEST(InALocaleWithAComma, FilesAreTheSame) {
  const auto written = [](const std::string& name) {
    const std::string path = (fs::temp_directory_path() / (name + std::to_string(getpid()) + ".h5")).string();
    FileOptions to;
    to.path = path;
    to.overwrite = true;
    RunOptions options;
    options.backend = "cpu";
    run_to_file(circle().size(2000), to, options);
    const Result read = open_result(path);
    fs::remove(path);
    return read.spec() + bytes_of(read);
  };
  const std::string alone = written("alone");
  const Comma comma;
  EXPECT_EQ(written("comma"), alone);
}

/// What two runs make that begin at the same time, each on a thread of its own.
template <class Run>
std::pair<std::string, std::string> side_by_side(const Run& run) {
  std::pair<std::string, std::string> made;
  std::latch gate(2);
  const auto begin = [&](int stiffness, std::string& result) {
    gate.arrive_and_wait();
    try {
      result = run(stiffness);
    } catch (const Error& error) {
      result = error.what();
    }
  };
  std::thread one([&] { begin(1, made.first); }), other([&] { begin(50, made.second); });
  one.join();
  other.join();
  return made;
}

/// How many of `count` such pairs are not what either run makes alone.
template <class Run>
int wrong(int count, const Run& run) {
  const std::pair<std::string, std::string> alone{run(1), run(50)};
  EXPECT_NE(alone.first, alone.second);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += side_by_side(run) != alone;
  return wrong;
}

// Two of three pairs went wrong where the reference looked texts up by name.
TEST(Threads, TextsOfOneNameOnTheReference) {
  EXPECT_EQ(wrong(40, [](int k) { return run_of(oscillator(k), "reference"); }), 0);
}

TEST(Threads, TextsOfOneNameOnTheProcessor) {
  EXPECT_EQ(wrong(40, [](int k) { return run_of(oscillator(k), "cpu"); }), 0);
}

#if defined(LIVENS_WITH_SUNDIALS)
TEST(Threads, TextsOfOneNameAgainstTheTrueMotion) {
  const auto compared = [](int k) {
    const std::string path =
        (fs::temp_directory_path() / ("threads" + std::to_string(k) + "-" + std::to_string(getpid()) + ".h5"))
            .string();
    FileOptions to;
    to.path = path;
    to.overwrite = true;
    RunOptions options;
    options.backend = "cpu";
    options.threads = 1;
    run_to_file(oscillator(k, "[output]\nerror_against = \"reference_ode\"\n"), to, options);
    const std::string bytes = bytes_of(open_result(path));
    fs::remove(path);
    return bytes;
  };
  EXPECT_EQ(wrong(20, compared), 0);
}
#endif

// What belongs to the whole process: for as long as one thread has another mask, others make files that
// everybody may write to.
TEST(Threads, ARunLeavesTheProcessAlone) {
  const fs::path directory = fs::temp_directory_path() / ("livens-mask-" + std::to_string(getpid()));
  fs::create_directories(directory);
  const std::string path = (directory / "result.h5").string();
  const mode_t before = umask(027);
  const int calls = changes_of_the_process;
  FileOptions to;
  to.path = path;
  run_to_file(circle(), to, {});
  EXPECT_EQ(changes_of_the_process, calls);
  struct stat written {};
  stat(path.c_str(), &written);
  umask(before);
  fs::remove_all(directory);
  EXPECT_EQ(written.st_mode & 0777, 0640u);
}

}  // namespace
}  // namespace livens
