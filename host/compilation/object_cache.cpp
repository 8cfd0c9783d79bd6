#include "host/compilation/object_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "expressions/toml_text.hpp"
#include "host/checkpoint/sha256.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

constexpr const char *object_name = "object.so", *about_name = "about.toml", *unfinished = "unfinished-",
                     *failed = "failed-";

fs::path chosen_directory() {
  const auto absolute = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value == '/' ? fs::path(value) : fs::path();
  };
  if (const char* own = std::getenv("LIVENS_CACHE"); own && *own) return fs::absolute(own);
  if (const fs::path cache = absolute("XDG_CACHE_HOME"); !cache.empty()) return cache / "livens";
  if (const fs::path home = absolute("HOME"); !home.empty()) return home / ".cache" / "livens";
  throw RequestError(
      "there is no place for objects compiled on first use; expected LIVENS_CACHE, XDG_CACHE_HOME or "
      "HOME to name a directory");
}

/// Throws RequestError unless the directory is this user's, and nobody else may put objects into it.
void expect_own(const fs::path& directory) {
  struct stat state {};
  if (lstat(directory.c_str(), &state) != 0) {
    if (errno == ENOENT) return;
    throw RequestError(
        fmt::format("{}: cannot be used as a cache ({})", directory.string(), std::strerror(errno)));
  }
  const char* problem = !S_ISDIR(state.st_mode)               ? "is no directory"
                        : state.st_uid != geteuid()           ? "belongs to another user"
                        : state.st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others (chmod 700)"
                                                              : nullptr;
  if (problem)
    throw RequestError(
        fmt::format("{}: {}; expected a directory of this user's alone for objects compiled on first "
                    "use (LIVENS_CACHE)",
                    directory.string(), problem));
}

[[noreturn]] void refuse_writing(const fs::path& path, int error) {
  throw RequestError(
      fmt::format("{}: cannot be written ({}), and the object that is needed is not there; expected "
                  "LIVENS_CACHE to name a directory that can, or 'livens compile SPEC' where it can",
                  path.string(), std::strerror(error)));
}

void write(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw FileError(path.string(), std::strerror(errno));
}

toml::table read_about(const fs::path& directory) {
  std::ifstream file(directory / about_name, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return parse_toml(text.str(), (directory / about_name).string());
}

/// Held by one process at a time, as long as it lives. Where the file system knows no locks, several compile
/// the same object, and the first one that is done is taken.
class Lock {
 public:
  explicit Lock(const fs::path& path)
      : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0) refuse_writing(path.parent_path(), errno);
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  Lock(const Lock&) = delete;
  /// Whoever waits for the file that goes finds the object when its turn comes.
  ~Lock() {
    unlink(path_.c_str());
    close(file_);
  }

 private:
  fs::path path_;
  int file_;
};

}  // namespace

ObjectCache::ObjectCache() : directory_(chosen_directory()) { expect_own(directory_); }

void ObjectCache::create() const {
  std::error_code error;
  fs::create_directories(directory_.parent_path(), error);
  if (mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST) refuse_writing(directory_, errno);
  expect_own(directory_);
}

std::optional<fs::path> ObjectCache::find(const std::string& name) const {
  const fs::path entry = directory_ / name;
  std::error_code none;
  if (!fs::is_regular_file(entry / about_name, none)) return {};
  expect_own(entry);
  const fs::path object = entry / object_name;
  std::string expected;
  try {
    expected = read_about(entry)["sha256"].value_or(std::string());
  } catch (const toml::parse_error&) {
  }
  if (!fs::is_regular_file(fs::symlink_status(object, none)) || sha256_from(object.string(), 0) != expected)
    throw FileError(object.string(),
                    "is not the object that was compiled (its SHA-256 is another); it is not loaded. "
                    "'livens cache --clear' removes it");
  return object;
}

std::optional<fs::path> ObjectCache::find_of_any_compiler(const std::string& key) const {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory_, none))
    if (std::string name = entry.path().filename(); name.starts_with(key + '-'))
      names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names)
    if (auto found = find(name)) return found;
  return {};
}

Provided ObjectCache::provide(const Unit& unit, const KernelHeaders& headers) const {
  const std::string key = unit.key(headers);
  const std::optional<Compiler> compiler = find_compiler();
  if (!compiler) {
    if (const auto found = find_of_any_compiler(key)) return {*found, key};
    throw RequestError(
        fmt::format("{} is not compiled into this program, and no C++ compiler was found; expected g++ "
                    "(Debian: apt install g++), clang++, the Python package ziglang, or CXX to name one",
                    unit.description()));
  }
  const std::string name = key + '-' + hexadecimal(sha256_of(compiler->name())).substr(0, 16);
  if (const auto found = find(name)) return {*found, key};
  create();
  const Lock lock(directory_ / (name + ".lock"));
  if (const auto found = find(name)) return {*found, key};
  const double seconds = compile_entry(unit, headers, *compiler, name);
  if (const auto made = find(name)) return {*made, key, seconds};
  throw FileError((directory_ / name).string(),
                  "has gone while it was looked at; expected no 'livens cache --clear' "
                  "meanwhile");
}

double ObjectCache::compile_entry(const Unit& unit, const KernelHeaders& headers, const Compiler& compiler,
                                  const std::string& name) const {
  const auto begin = std::chrono::steady_clock::now();
  std::error_code none;
  // Where a process was killed, its half is still there; nobody else is at work on this key.
  for (const auto& entry : fs::directory_iterator(directory_, none))
    if (entry.path().filename().string().starts_with(unfinished + name)) fs::remove_all(entry.path(), none);
  const fs::path entry = directory_ / fmt::format("{}{}-{}", unfinished, name, getpid());
  if (mkdir(entry.c_str(), 0700) != 0) refuse_writing(directory_, errno);
  write(entry / "unit.cpp", filled(unit.source, {{"key", unit.key(headers)}}));
  if (!unit.system_header.empty()) write(entry / "own_system.hpp", unit.system_header);
  const auto flags = kernel_flags(compiler.gnu, unit.isa, unit.scheme_header);
  if (!compile(compiler, flags, headers, entry)) {
    const fs::path kept = directory_ / (failed + name);
    fs::remove_all(kept, none);
    fs::rename(entry, kept, none);
    throw FileError(
        (kept / "compiler.log").string(),
        fmt::format("a fault of livens, not of the request: {} could not be compiled by {}; the directory "
                    "has all that a report needs",
                    unit.description(), compiler.name()));
  }
  std::ostringstream about;
  about << toml::table{{"system", unit.system},
                       {"scheme", unit.scheme},
                       {"form", unit.form},
                       {"isa", unit.isa},
                       {"precision", unit.precision},
                       {"compiler", compiler.name()},
                       {"sha256", sha256_from((entry / object_name).string(), 0)}}
        << '\n';
  write(entry / about_name, about.str());
  if (!fs::exists(directory_ / name / about_name, none)) fs::remove_all(directory_ / name, none);
  fs::rename(entry, directory_ / name, none);
  // Another process was first, where there are no locks.
  if (none) fs::remove_all(entry, none);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<CachedObject> ObjectCache::objects() const {
  std::vector<CachedObject> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory_, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(unfinished) || name.starts_with(failed) ||
        !fs::exists(entry.path() / about_name, none))
      continue;
    toml::table about;
    try {
      about = read_about(entry.path());
    } catch (const toml::parse_error&) {
      continue;  // removed by now, or damaged: clear() takes it
    }
    const auto word = [&](const char* key) { return about[key].value_or(std::string()); };
    const fs::path object = entry.path() / object_name;
    struct stat state {};
    if (stat(object.c_str(), &state) != 0) continue;
    found.push_back({entry.path(), word("system"), word("scheme"), word("form"), word("isa"),
                     word("precision"), word("compiler"), state.st_size,
                     std::difftime(std::time(nullptr), state.st_mtime)});
  }
  std::sort(found.begin(), found.end(), [](const CachedObject& a, const CachedObject& b) {
    return std::tie(a.system, a.scheme, a.form, a.isa, a.precision) <
           std::tie(b.system, b.scheme, b.form, b.isa, b.precision);
  });
  return found;
}

std::size_t ObjectCache::clear() const {
  const std::size_t count = objects().size();
  std::vector<fs::path> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory_, none)) all.push_back(entry.path());
  for (const fs::path& path : all) {
    // Nothing that a user may have put there.
    const std::string name = path.filename();
    const bool ours = name.starts_with(unfinished) || name.starts_with(failed) || name.ends_with(".lock") ||
                      fs::exists(path / about_name, none);
    std::error_code error;
    if (ours) fs::remove_all(path, error);
    if (error) throw FileError(path.string(), error.message());
  }
  return count;
}

}  // namespace livens::host
