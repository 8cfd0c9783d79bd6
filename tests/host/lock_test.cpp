// Locks between processes: one has a directory or an entry of the cache at a time, and what a killed one
// leaves is in nobody's way; on file systems with flock and without.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "host/checkpoint/directory.hpp"
#include "host/checkpoint/process_mark.hpp"
#include "host/compilation/cache_directory.hpp"

namespace {
int flock_fails_with = 0;  // errno; 0: it does not
}

// In place of that of the C library, in this program.
extern "C" int flock(int file, int operation) noexcept {
  if (flock_fails_with == 0) return static_cast<int>(syscall(SYS_flock, file, operation));
  errno = flock_fails_with;
  return -1;
}

namespace livens::host {
namespace {

namespace fs = std::filesystem;

/// A process that does `body` and ends with what that returns.
pid_t process(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  return child;
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class LockTest : public ::testing::TestWithParam<int> {
 protected:
  LockTest() : place_(fs::temp_directory_path() / ("livens-locks-" + std::to_string(getpid()))) {
    flock_fails_with = GetParam();
    fs::create_directories(place_);
  }
  ~LockTest() override {
    flock_fails_with = 0;
    fs::remove_all(place_);
  }

  std::string directory() const { return (place_ / "result.h5.checkpoint").string(); }

  /// False where another process is where one alone may be.
  bool alone() const {
    const std::string here = (place_ / "here").string();
    const int mine = open(here.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (mine < 0) return false;
    close(mine);
    usleep(500);
    return unlink(here.c_str()) == 0;
  }

  const fs::path place_;
};

TEST_P(LockTest, OneRunAtATimeHasADirectory) {
  constexpr int wrong = 1, never = 2;
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i)
    children.push_back(process([&] {
      int had = 0;
      for (int round = 0; round < 2000 && had < 5; ++round) {
        Directory one(directory());
        const int file = one.open_file("segments");
        if (one.lock("segments", file).empty()) {
          if (!alone()) return wrong;
          ++had;
        }
        close(file);
        usleep(static_cast<unsigned>(1 + (i * 131 + round * 17) % 997));
      }
      return had > 0 ? 0 : never;
    }));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  for (const auto& left : fs::directory_iterator(directory())) EXPECT_EQ(left.path().filename(), "segments");
}

TEST_P(LockTest, TwoOfOneProcessExcludeEachOther) {
  Directory one(directory()), other(directory());
  const int mine = one.open_file("segments"), theirs = other.open_file("segments");
  EXPECT_EQ(one.lock("segments", mine), "");
  EXPECT_NE(other.lock("segments", theirs), "");
  close(mine);
  close(theirs);
}

TEST_P(LockTest, AKilledRunIsInNobodysWay) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t holder = process([&] {
    Directory one(directory());
    const char held = one.lock("segments", one.open_file("segments")).empty() ? 'y' : 'n';
    if (write(ready[1], &held, 1) == 1) pause();
    return 0;
  });
  char held = 0;
  ASSERT_EQ(read(ready[0], &held, 1), 1);
  EXPECT_EQ(held, 'y');
  Directory one(directory());
  const int file = one.open_file("segments");
  const std::string who = one.lock("segments", file);
  if (GetParam() == 0)
    EXPECT_EQ(who, "another run");
  else
    EXPECT_TRUE(who.starts_with("process " + std::to_string(holder) + " on ")) << who;
  kill(holder, SIGKILL);
  siginfo_t ended;
  // Not asked for yet by this process, its parent: a zombie holds nothing.
  waitid(P_PID, static_cast<id_t>(holder), &ended, WEXITED | WNOWAIT);
  EXPECT_EQ(one.lock("segments", file), "");
  status_of(holder);
  close(file);
  close(ready[0]);
  close(ready[1]);
}

TEST_P(LockTest, ARunLeavesNothing) {
  {
    Directory one(directory());
    const int file = one.open_file("segments");
    ASSERT_EQ(one.lock("segments", file), "");
    EXPECT_TRUE(one.remove_run());
    close(file);
  }
  EXPECT_FALSE(fs::exists(directory()));
}

INSTANTIATE_TEST_SUITE_P(FileSystems, LockTest, ::testing::Values(0, ENOSYS, EOPNOTSUPP, ENOLCK),
                         [](const auto& info) {
                           return info.param == 0        ? "flock"
                                  : info.param == ENOSYS ? "not_implemented"
                                  : info.param == ENOLCK ? "no_locks"
                                                         : "not_supported";
                         });

// Who held the lock removed its file and then let go: who waited had a lock on a file without a name, and who
// came next another one.
class CacheLock : public LockTest {};

TEST_P(CacheLock, OneProcessAtATimeHasAnEntry) {
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i)
    children.push_back(process([&] {
      for (int round = 0; round < 50; ++round) {
        const Lock lock(place_ / "entry.lock");
        if (!alone()) return 1;
      }
      return 0;
    }));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
  EXPECT_TRUE(fs::is_empty(place_));
}

TEST_P(CacheLock, IsFreeAfterAKill) {
  const pid_t holder = process([&] {
    const Lock lock(place_ / "entry.lock");
    raise(SIGKILL);
    return 0;
  });
  status_of(holder);
  const Lock lock(place_ / "entry.lock");
  EXPECT_TRUE(alone());
}

INSTANTIATE_TEST_SUITE_P(FileSystems, CacheLock, ::testing::Values(0), [](const auto&) { return "flock"; });

TEST(ProcessMark, SaysWhoseItIs) {
  const std::string own = new_process_mark();
  EXPECT_NE(own, new_process_mark());
  EXPECT_FALSE(has_ended(own));
  EXPECT_TRUE(described(own).starts_with("process " + std::to_string(getpid()) + " on ")) << described(own);
  int line[2];
  ASSERT_EQ(pipe(line), 0);
  const pid_t child = process([&] {
    const std::string mark = new_process_mark();
    return write(line[1], mark.data(), mark.size()) > 0 ? 0 : 1;
  });
  EXPECT_EQ(status_of(child), 0);
  char text[256];
  const ssize_t length = read(line[0], text, sizeof text);
  ASSERT_GT(length, 0);
  EXPECT_TRUE(has_ended(std::string(text, static_cast<std::size_t>(length))));
  close(line[0]);
  close(line[1]);
}

TEST(ProcessMark, NothingIsKnownOfOtherMachines) {
  // A number that no process has: of this machine it would have ended.
  EXPECT_FALSE(has_ended("0-4194303-1-0123.456-elsewhere"));
  for (const char* text :
       {"", "-", "0-", "a-b-c-d-e", "0-0-1-2-3", "0--5-1-2-3", "99999999999999999999-1-1-1-1"})
    EXPECT_FALSE(has_ended(text)) << text;
}

}  // namespace
}  // namespace livens::host
