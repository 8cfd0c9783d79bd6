// A damaged result is refused whatever the damage, and a result that cannot be written leaves nothing behind.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "result_fixture.hpp"

namespace livens::host {
namespace {

TEST_F(ResultFileTest, IsRefusedWhenAByteHasChanged) {
  write();
  const std::string intact = bytes();
  // The check block byte by byte, the rest with a stride that is prime to its records.
  for (std::size_t i = 0; i < intact.size(); i += i + 153 < intact.size() ? 37 : 1) {
    std::string changed = intact;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    replace(changed);
    ASSERT_NE(refusal(path), "accepted") << "byte " << i;
  }
  replace(intact);
  EXPECT_EQ(refusal(path), "accepted");
}

TEST_F(ResultFileTest, IsRefusedWhenItIsTruncatedOrLonger) {
  write();
  const std::string intact = bytes();
  for (std::size_t length = 0; length < intact.size(); length += length + 213 < intact.size() ? 97 : 1) {
    replace(intact.substr(0, length));
    ASSERT_NE(refusal(path), "accepted") << "length " << length;
  }
  replace(intact + '\0');
  EXPECT_NE(refusal(path).find("truncated"), std::string::npos);
  replace(intact.substr(0, 1000) + intact.substr(1100));
  EXPECT_NE(refusal(path).find("its length is not"), std::string::npos);
  EXPECT_NE(refusal((directory / "absent.h5").string()).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal(directory.string()).find("cannot be read"), std::string::npos);
}

TEST_F(ResultFileTest, LeavesNothingBehindWhenItCannotBeWritten) {
  const ensembles::Result result = sample_result();
  const SystemInfo& system = *toy_catalogue().system("toy_pair")->info;
  const std::string nowhere = (directory / "absent" / "out.h5").string();
  try {
    write_result(nowhere, result, system, provenance);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()), nowhere + ": cannot be written (No such file or directory)");
  }
  EXPECT_THROW(write_result(directory.string(), result, system, provenance), FileError);
  EXPECT_THROW(check_writable("/dev/full"), FileError);
  EXPECT_TRUE(fs::is_empty(directory));
}

/// Writes in a child process that may not make files longer than `limit`, as on a full disk. Returns its exit
/// status.
int write_limited(const std::string& path, rlim_t limit) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);  // write() then fails with EFBIG
    const rlimit bound{limit, limit};
    setrlimit(RLIMIT_FSIZE, &bound);
    int status = 1;
    try {
      write_result(path, sample_result(), *toy_catalogue().system("toy_pair")->info, provenance);
    } catch (const FileError& error) {
      const std::string message = error.what();
      status = message.starts_with(path + ": cannot be written (") &&
                       message.find("File too large") != std::string::npos
                   ? 0
                   : 2;
    }
    std::exit(status);  // with the library's own clean-up: it must not stumble over the lost file
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ResultFileTest, AFullDiskKeepsTheOldResult) {
  write();
  const std::string old = bytes();
  for (const rlim_t limit : {0u, 100u, 512u, 2000u, 10000u}) {
    ASSERT_LT(limit, old.size());
    EXPECT_EQ(write_limited(path, limit), 0) << limit;
    EXPECT_EQ(bytes(), old);
    EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);
  }
}

}  // namespace
}  // namespace livens::host
