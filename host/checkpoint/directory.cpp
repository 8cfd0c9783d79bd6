#include "host/checkpoint/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include "host/checkpoint/process_mark.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

bool is_partial(const std::string& name) {
  return name.starts_with("result.partial-") || name.starts_with("standing.partial-");
}

bool is_of_a_run(const std::string& name) {
  return name == "segments" || name == "standing" || is_partial(name);
}

constexpr std::string_view claim_prefix = "claim-";

/// N of "rank-I-of-N".
std::optional<int> ranks_of(const std::string& name) {
  const char *at = name.data(), *last = at + name.size();
  int numbers[2];
  for (const auto& [prefix, number] : {std::pair{std::string("rank-"), &numbers[0]}, {"-of-", &numbers[1]}}) {
    if (!std::string_view(at, last).starts_with(prefix)) return {};
    const auto [end, error] = std::from_chars(at + prefix.size(), last, *number);
    if (error != std::errc()) return {};
    at = end;
  }
  return at == last ? std::optional(numbers[1]) : std::nullopt;
}

std::string why() { return std::strerror(errno); }

}  // namespace

Directory::Directory(std::string path) : path_(std::move(path)) {
  if (mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST)
    throw FileError(path_, fmt::format("cannot be created ({})", why()));
  descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) {
    struct stat found;
    const bool link = lstat(path_.c_str(), &found) == 0 && S_ISLNK(found.st_mode);
    throw FileError(path_, fmt::format("cannot be used ({})", link ? "a symbolic link" : why()));
  }
  for (const std::string& name : names()) {
    if (is_of_a_run(name) || name.starts_with(claim_prefix) || ranks_of(name)) continue;
    close(descriptor_);
    refuse({path_}, fmt::format("holds '{}', which no run has put there", name),
           "another output, or that moved");
  }
}

Directory::~Directory() {
  if (!claim_.empty()) unlinkat(descriptor_, claim_.c_str(), 0);
  close(descriptor_);
}

bool Directory::has(const std::string& name) const {
  struct stat found;
  return fstatat(descriptor_, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
}

std::vector<std::string> Directory::names() const {
  std::vector<std::string> names;
  const int own = openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(own < 0 ? nullptr : fdopendir(own), closedir);
  if (!list) return names;  // removed in the meantime
  while (const dirent* entry = readdir(list.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

int Directory::open_file(const std::string& name) const {
  // Not to wait for whoever is at the other end of a FIFO.
  const int file =
      openat(descriptor_, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0) {
    if (errno == ELOOP) throw FileError(path_ + "/" + name, "cannot be written (a symbolic link)");
    fail(name, "cannot be written");
  }
  struct stat found;
  if (fstat(file, &found) == 0 && S_ISREG(found.st_mode)) return file;
  close(file);
  throw FileError(path_ + "/" + name, "cannot be written (not a regular file)");
}

bool Directory::holds(const std::string& name, int descriptor) const {
  struct stat mine, named;
  return fstat(descriptor, &mine) == 0 &&
         fstatat(descriptor_, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

std::string Directory::lock(const std::string& name, int file) {
  int problem = 0;
  do problem = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  while (problem == EINTR);
  if (problem == 0) return {};
  if (problem == EWOULDBLOCK) return "another run";
  if (problem == ENOSYS || problem == EOPNOTSUPP || problem == ENOLCK) return claim();
  errno = problem;
  fail(name, "cannot be locked");
}

// Who asks makes a file of its own and then looks for others: of two that ask at the same time one at least
// sees the other, and who sees one takes its own back. No name is used twice, so that the claim of a process
// that has ended can be removed at any time and by anybody.
std::string Directory::claim() {
  if (!claim_.empty()) return {};
  std::string other;
  std::minstd_rand random(std::random_device{}());
  // Several that ask at once may all give way: they ask again, each after a time of its own.
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (attempt > 0) usleep(1000 * (1 + random() % (4u << attempt)));
    const std::string own = std::string(claim_prefix) + new_process_mark();
    const int file = openat(descriptor_, own.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) fail(own, "cannot be written");
    close(file);
    other.clear();
    for (const std::string& name : names()) {
      if (!name.starts_with(claim_prefix) || name == own) continue;
      if (has_ended(name.substr(claim_prefix.size()))) {
        remove(name);
      } else {
        other = name;
      }
    }
    if (other.empty()) {
      claim_ = own;
      return {};
    }
    remove(own);
  }
  return fmt::format("{}, which has left {}/{}; where that has ended, remove this file",
                     described(std::string_view(other).substr(claim_prefix.size())), path_, other);
}

void Directory::remove(const std::string& name) const {
  if (unlinkat(descriptor_, name.c_str(), 0) != 0 && errno != ENOENT) fail(name, "cannot be removed");
}

bool Directory::remove_run() {
  // First what says that there is something to go on from: a process may die between any two removals.
  remove("standing");
  for (const std::string& name : names())
    if (is_of_a_run(name)) remove(name);
  if (!claim_.empty()) remove(std::exchange(claim_, {}));
  return rmdir(path_.c_str()) == 0 || errno == ENOENT;
}

void Directory::remove_partial() const {
  for (const std::string& name : names())
    if (is_partial(name)) remove(name);
}

void Directory::fail(const std::string& name, const char* action) const {
  throw FileError(path_ + "/" + name, fmt::format("{} ({})", action, why()));
}

std::string rank_directory(const std::string& common, int rank, int count) {
  return count == 1 ? common : fmt::format("{}/rank-{}-of-{}", common, rank, count);
}

void refuse_other_ranks(const std::string& common, int count) {
  const Directory directory(common);
  const auto refuse_run_of = [&](const std::string& launched) {
    refuse({common}, fmt::format("holds an interrupted run of {}", launched),
           "--resume in the same way, or the directory removed");
  };
  if (count > 1 && directory.has("standing")) refuse_run_of("one process");
  for (const std::string& name : directory.names()) {
    const auto ranks = ranks_of(name);
    if (ranks && *ranks != count && directory.has(name + "/standing"))
      refuse_run_of(fmt::format("{} ranks", *ranks));
  }
}

void remove_ranks(const std::string& common) {
  if (access(common.c_str(), F_OK) != 0) return;
  try {
    const Directory directory(common);
    for (const std::string& name : directory.names()) {
      if (!ranks_of(name)) continue;
      Directory rank(common + "/" + name);
      const int segments = rank.open_file("segments");
      // A rank that lives holds the lock.
      if (!rank.has("standing") && rank.lock("segments", segments).empty()) rank.remove_run();
      close(segments);
    }
    rmdir(common.c_str());
  } catch (const std::runtime_error&) {
    // Somebody else has put something there. It stays, and so do the directories.
  }
}

}  // namespace livens::host
