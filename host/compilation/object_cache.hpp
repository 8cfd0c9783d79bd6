#pragma once
// The directory of objects that were compiled on first use. An entry is a directory of its own, named by the
// key of its content and that of the compiler: unit.cpp, compiler.log, object.so (for a GPU unit.cu and
// object.cubin) and about.toml, which says what it is and has the object's SHA-256. It is written under
// another name and renamed, so that what is there is whole, whoever was killed meanwhile; a lock for every
// key sees to it that of several processes one compiles.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/compilation/translation_unit.hpp"

namespace livens::host {

/// What `livens cache` says of an entry.
struct CachedObject {
  std::filesystem::path directory;
  std::string system, scheme, form, isa, precision, compiler;
  std::int64_t bytes;
  double age;  ///< s
};

/// An object for a unit, and what it took to have it.
struct Provided {
  std::filesystem::path object;
  std::string key;       ///< that it was compiled for
  double seconds = 0.0;  ///< of compilation; 0: it was there
};

class Compiler;

class ObjectCache {
 public:
  /// LIVENS_CACHE, else XDG_CACHE_HOME/livens, else HOME/.cache/livens. It need not be there.
  /// Throws RequestError where none of these is set, or where it belongs to somebody else, or others may
  /// write to it.
  ObjectCache();

  /// The object of a unit, compiled where there is none. Without a compiler one of any other compiler serves:
  /// the bits are the same. Throws RequestError where there is no compiler, or nothing can be written;
  /// FileError where an object is not what was compiled, or the compiler fails.
  /// `begins` is called before something is compiled.
  Provided provide(const TranslationUnit& unit, const KernelHeaders& headers,
                   const std::function<void()>& begins = {}) const;

  std::vector<CachedObject> objects() const;
  /// Removes all that is there. Returns how many objects that were.
  std::size_t clear() const;
  const std::filesystem::path& directory() const { return directory_; }

 private:
  void create() const;
  std::optional<std::filesystem::path> find(const std::string& name) const;
  std::optional<std::filesystem::path> find_of_any_compiler(const std::string& key) const;
  double compile_entry(const TranslationUnit& unit, const KernelHeaders& headers, const Compiler& compiler,
                       const std::string& name) const;

  std::filesystem::path directory_;
};

}  // namespace livens::host
