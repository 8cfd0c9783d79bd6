#pragma once
// The directory of a checkpoint. Nothing in it is reached through a symbolic link, and nothing is removed but
// what runs put there:
//
//   segments, standing   see checkpoint.hpp
//   NAME.partial-*       the result, or a standing, while it is written
//   rank-I-of-N          a directory with the same of each rank of an MPI run
//   claim-MARK           where the file system has no flock: this process has the directory, or asks for it

#include <string>
#include <vector>

namespace livens::host {

class Directory {
 public:
  /// Opens it, and makes it where there is none. Throws RequestError where something stands in it that no run
  /// has put there, FileError where it cannot be had, as where its name is a symbolic link.
  explicit Directory(std::string path);
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  const std::string& path() const { return path_; }
  bool has(const std::string& name) const;
  std::vector<std::string> names() const;

  /// Opens a regular file for reading and writing, and makes it where there is none. Throws FileError.
  int open_file(const std::string& name) const;
  /// True while the name still stands for the file of `descriptor`, of open_file(): another run may have
  /// removed it.
  bool holds(const std::string& name, int descriptor) const;

  /// Keeps other runs from the directory while `file`, of open_file(), is open and this object lives: by a
  /// lock on the file, or by a claim. Returns an empty string, or who has it. Throws FileError where neither
  /// can be had.
  std::string lock(const std::string& name, int file);

  void remove(const std::string& name) const;
  /// Removes the files of a run, then the directory if nothing else is left in it. Returns whether it is
  /// gone.
  bool remove_run();
  /// Removes what a run that was killed had not finished writing.
  void remove_partial() const;

 private:
  std::string claim();
  [[noreturn]] void fail(const std::string& name, const char* action) const;

  std::string path_;
  int descriptor_ = -1;
  std::string claim_;  // the name of its file
};

/// Directory of the checkpoint of a rank of `count`; of the run itself where there is one.
std::string rank_directory(const std::string& common, int rank, int count);

/// Throws RequestError where a checkpoint stands in `common` of a run of another number of ranks.
void refuse_other_ranks(const std::string& common, int count);

/// Removes what ranks have left in `common`, of runs that no longer live, and the directory if nothing else
/// is left in it.
void remove_ranks(const std::string& common);

}  // namespace livens::host
