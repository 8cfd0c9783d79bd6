#pragma once
// Records of words for units.cpp, their files, and the templates that they fill. One file includes this.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using Words = std::vector<string>;
/// Words with names: a line of a file, "unit system=four_particle family=ems standard=true ..." with tabs between, or
/// what a template takes.
using Record = std::map<string, string>;
using Records = std::vector<Record>;

/// What CMake asks for: the words behind every --NAME.
std::map<string, Words> asked;

[[noreturn]] void refuse(const string& why) {
  std::cerr << "livens: " << why << "\n";
  std::exit(1);
}
const string& one(const string& name) {
  if (asked[name].size() != 1) refuse("--" + name + ": expected one word");
  return asked[name][0];
}

template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}
template <class T>
void add_once(std::vector<T>& all, const T& one) {
  if (!contains(all, one)) all.push_back(one);
}

bool is(const Record& record, const string& name) { return record.at(name) == "true"; }
/// The records that have one of these words for a name.
Records with(const string& name, const Words& words, Records records) {
  std::erase_if(records, [&](const Record& record) { return !contains(words, record.at(name)); });
  return records;
}
Words words(const string& name, const Records& records) {
  Words result;
  for (const Record& record : records) add_once(result, record.at(name));
  return result;
}

// ---- Files, relative to --directory

std::filesystem::path whole(const std::filesystem::path& path) {
  return std::filesystem::path(one("directory")) / path;
}

string read(const std::filesystem::path& path) {
  std::ifstream file(whole(path));
  if (!file) refuse("there is no " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file that says so already is left alone: what includes a newer one is compiled again.
void write(const std::filesystem::path& path, const string& text) {
  if (exists(whole(path)) && read(path) == text) return;
  create_directories(whole(path).parent_path());
  if (!(std::ofstream(whole(path)) << text << std::flush)) refuse("cannot write " + path.string());
}

/// The text, with its word in place of every @name@.
string filled(const string& text, const Record& words) {
  string result;
  std::size_t done = 0;
  for (std::size_t at; (at = text.find('@', done)) != string::npos;) {
    const string name = text.substr(at + 1, text.find('@', at + 1) - at - 1);
    if (!words.count(name)) refuse("no word for @" + name + "@");
    result += text.substr(done, at - done) + words.at(name);
    done = at + name.size() + 2;
  }
  return result + text.substr(done);
}
string for_each(const Records& records, const string& text) {
  string result;
  for (const Record& record : records) result += filled(text, record);
  return result;
}

/// A template in kernels/, filled. Lines that begin with @each LIST@ are written once for every record of the list.
void write(const string& path, const string& from, const Record& words,
           const std::map<string, Records>& lists = {}) {
  string text, block, list;
  const auto end_block = [&] {
    text += list.empty() ? filled(block, words) : for_each(lists.at(list), block);
    block.clear();
  };
  std::istringstream lines(read(one("root") + "/kernels/" + from));
  for (string line; std::getline(lines, line);) {
    const bool each = line.starts_with("@each ");
    const string of = each ? line.substr(6, line.find('@', 6) - 6) : "";
    if (of != list) end_block();
    list = of;
    block += line.substr(each ? of.size() + 7 : 0) + "\n";
  }
  end_block();
  write(path, text);
}

/// The lines of one kind in these files.
Records records(const string& kind, const Words& files) {
  Records result;
  for (const string& file : files) {
    std::istringstream lines(read(file));
    for (string line, word; std::getline(lines, line);) {
      std::istringstream words(line);
      Record record;
      if (std::getline(words, word, '\t'); word != kind) continue;
      while (std::getline(words, word, '\t'))
        record[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
      add_once(result, record);
    }
  }
  return result;
}
string joined(const Words& words) {
  string result;
  for (const string& word : words) result += " " + word;
  return result;
}
/// For CMake.
string set(const string& variable, const Words& words) { return "set(" + variable + joined(words) + ")\n"; }
string lines(const string& kind, const Records& records) {
  string result;
  for (const Record& record : records) {
    result += kind;
    for (const auto& [name, word] : record) result += "\t" + name + "=" + word;
    result += "\n";
  }
  return result;
}
