#include "host/compilation/object_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <system_error>

#include "expressions/toml_text.hpp"
#include "host/checkpoint/process_mark.hpp"
#include "host/compilation/cache_directory.hpp"
#include "host/compilation/compiler.hpp"
#include "host/compilation/whole_object.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/files/sha256.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

constexpr const char *about_name = "about.toml", *unfinished = "unfinished-", *failed = "failed-";

/// The object of an entry, for the processor or for a GPU.
fs::path object_in(const fs::path& entry) {
  std::error_code none;
  const fs::path module = entry / "object.cubin";
  return fs::exists(module, none) ? module : entry / "object.so";
}

constexpr const char* cpp_compilers =
    "g++ (Debian: apt install g++), clang++, the Python package ziglang, or CXX to name one; or 'livens "
    "compile' of "
    "the spec where one is";
constexpr const char* cuda_compilers =
    "NVRTC (libnvrtc.so of a CUDA toolkit, or of the Python package nvidia-cuda-nvrtc with LIVENS_NVRTC to "
    "name it) or nvcc";

/// What has kept a compiler from its work and is no matter of the text, from what it has said; empty where it
/// was the text. Compilers print the messages of the C locale, that of Python's zig its own names.
std::string trouble_of_machine(const fs::path& log) {
  std::ifstream file(log, std::ios::binary);
  std::ostringstream said;
  if (file) said << file.rdbuf();
  // One that failed says why, unless there was no room for it.
  if (said.str().empty()) return "the compiler could not say why";
  for (const char* trouble :
       {"No space left on device", "NoSpaceLeft", "Disk quota exceeded", "DiskQuota", "File too large",
        "FileTooBig", "File size limit exceeded", "Read-only file system", "ReadOnlyFileSystem",
        "Cannot allocate memory", "out of memory", "OutOfMemory", "virtual memory exhausted", "Killed"})
    if (said.str().find(trouble) != std::string::npos) return trouble;
  return {};
}

toml::table read_about(const fs::path& directory) {
  std::ifstream file(directory / about_name, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return parse_toml(text.str(), (directory / about_name).string());
}

}  // namespace

ObjectCache::ObjectCache() : directory_(cache_directory()) { expect_own(directory_); }

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
  const fs::path object = object_in(entry);
  std::string expected;
  try {
    expected = read_about(entry)["sha256"].value_or(std::string());
  } catch (const toml::parse_error&) {
  }
  if (!fs::is_regular_file(fs::symlink_status(object, none)) || sha256_from(object.string(), 0) != expected)
    throw FileError(object.string(),
                    "is not the object that was compiled (its SHA-256 is another); it is not loaded. "
                    "'livens cache --clear' removes it");
  if (!is_whole_object(object.string()))
    throw FileError(
        object.string(),
        "is not whole; it is not loaded. 'livens cache --clear' removes it, and it is compiled anew");
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

Provided ObjectCache::provide(const TranslationUnit& unit, const KernelHeaders& headers,
                              const std::function<void()>& begins) const {
  const std::string key = unit.key(headers);
  const bool on_gpu = unit.architecture > 0;
  const std::unique_ptr<Compiler> compiler =
      on_gpu ? find_cuda_compiler(unit.architecture) : find_cpp_compiler();
  if (!compiler) {
    if (const auto found = find_of_any_compiler(key)) return {*found, key};
    refuse({},
           fmt::format("not compiled into this program: {}; and no {} was found", unit.description(),
                       on_gpu ? "compiler for GPUs" : "C++ compiler"),
           on_gpu ? cuda_compilers : cpp_compilers);
  }
  const std::string name = key + '-' + hexadecimal(sha256_of(compiler->name())).substr(0, 16);
  if (const auto found = find(name)) return {*found, key};
  create();
  const Lock lock(directory_ / (name + ".lock"));
  if (const auto found = find(name)) return {*found, key};
  if (begins) begins();
  const double seconds = compile_entry(unit, headers, *compiler, name);
  if (const auto made = find(name)) return {*made, key, seconds};
  throw FileError((directory_ / name).string(), "has gone while it was looked at",
                  "no 'livens cache --clear' meanwhile");
}

double ObjectCache::compile_entry(const TranslationUnit& unit, const KernelHeaders& headers,
                                  const Compiler& compiler, const std::string& name) const {
  const auto begin = std::chrono::steady_clock::now();
  std::error_code none;
  const std::string half = unfinished + name + '-';
  // Where a process was killed, its half is still there. Where there are no locks, others are at work on
  // theirs.
  const auto remove_halves = [&] {
    for (const auto& found : fs::directory_iterator(directory_, none))
      if (const std::string file = found.path().filename();
          file.starts_with(half) && has_ended(file.substr(half.size())))
        fs::remove_all(found.path(), none);
  };
  remove_halves();
  const fs::path entry = directory_ / (half + new_process_mark());
  if (mkdir(entry.c_str(), 0700) != 0) refuse_writing(directory_, errno);
  write_text(entry / unit.source_name(), filled(unit.source, {{"key", unit.key(headers)}}));
  if (!unit.system_header.empty()) write_text(entry / own_header, unit.system_header);
  const bool compiled = [&] {
    try {
      return compiler.compile(unit, headers, entry);
    } catch (const Interrupted&) {
      fs::remove_all(entry, none);
      throw;
    }
  }();
  if (!compiled) {
    if (const std::string trouble = trouble_of_machine(entry / "compiler.log"); !trouble.empty()) {
      fs::remove_all(entry, none);
      throw FileError(directory_.string(),
                      fmt::format("{} could not be compiled here ({})", unit.description(), trouble),
                      "room and memory for the compiler, or LIVENS_CACHE to name a directory elsewhere");
    }
    const fs::path kept = directory_ / (failed + name);
    fs::remove_all(kept, none);
    fs::rename(entry, kept, none);
    throw FileError(
        (kept / "compiler.log").string(),
        fmt::format("a fault of livens, not of the request: {} could not be compiled by {}; the directory "
                    "has all that a report needs",
                    unit.description(), compiler.name()));
  }
  const std::string object = (entry / unit.object_name()).string();
  if (!is_whole_object(object)) {
    fs::remove_all(entry, none);
    throw FileError(
        directory_.string(),
        fmt::format("the object of {} was not written whole by {}", unit.description(), compiler.name()),
        "room on the disk");
  }
  std::ostringstream about;
  about << toml::table{{"system", unit.system},
                       {"scheme", unit.scheme},
                       {"form", unit.form},
                       {"isa", unit.isa},
                       {"precision", unit.precision},
                       {"compiler", compiler.name()},
                       {"headers", headers.root.string()},
                       {"sha256", sha256_from(object, 0)}}
        << '\n';
  write_text(entry / about_name, about.str());
  remove_halves();  // the compiler of a killed process may have outlived it, and written there
  fs::rename(entry, directory_ / name, none);
  if (none) {
    // What is whole comes of another process, which was first where there are no locks.
    std::error_code missing;
    if (!fs::exists(directory_ / name / about_name, missing)) {
      fs::remove_all(directory_ / name, missing);
      fs::rename(entry, directory_ / name, none);
    }
    fs::remove_all(entry, missing);
  }
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
    const fs::path object = object_in(entry.path());
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
