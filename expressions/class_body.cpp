#include "expressions/class_body.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>

#include "expressions/derivatives.hpp"

namespace livens::expressions {
namespace {

/// Words of 64 bits that a row of so many columns takes.
std::size_t words_of(int columns) { return (static_cast<std::size_t>(columns) + 63) / 64; }
/// A bit for every column, the words of every row one after the other: where entries are not zero.
std::vector<std::uint64_t> rows_of(const std::vector<bool>& nonzero, int columns) {
  const auto width = static_cast<std::size_t>(columns);
  std::vector<std::uint64_t> rows(nonzero.size() / width * words_of(columns));
  for (std::size_t e = 0; e < nonzero.size(); ++e)
    if (nonzero[e])
      rows[e / width * words_of(columns) + e % width / 64] |= std::uint64_t{1} << e % width % 64;
  return rows;
}
/// The bit of a column in a row of a table.
std::string bit(const std::string& table, const std::string& row, const std::string& column, int columns) {
  if (words_of(columns) == 1) return table + "[" + row + "] >> " + column + " & 1";
  return table + "[" + std::to_string(words_of(columns)) + " * (" + row + ") + " + column + " / 64] >> " +
         column + " % 64 & 1";
}
std::string table(const char* name, const std::vector<std::uint64_t>& rows) {
  std::string result = std::string("    constexpr unsigned long long ") + name + "[] = {";
  for (std::size_t k = 0; k < rows.size(); ++k) result += (k > 0 ? ", " : "") + std::to_string(rows[k]) + "u";
  return result + "};\n";
}

bool mentions(const std::string& body, const std::string& name) {
  const auto in_name = [&](std::size_t i) {
    return i < body.size() && (std::isalnum(static_cast<unsigned char>(body[i])) || body[i] == '_');
  };
  for (std::size_t at = body.find(name); at != body.npos; at = body.find(name, at + 1))
    if ((at == 0 || !in_name(at - 1)) && !in_name(at + name.size())) return true;
  return false;
}

struct Argument {
  std::string type, name;
};
/// Of "const Vec<Q, 3>& q, const Scalar& t".
std::vector<Argument> arguments_of(const std::string& all) {
  std::vector<Argument> result;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= all.size(); ++at) {
    if (at < all.size() && all[at] == '<') ++depth;
    if (at < all.size() && all[at] == '>') --depth;
    if (all.empty() || (at < all.size() && (all[at] != ',' || depth > 0))) continue;
    const std::size_t space = all.rfind(' ', at - 1);
    result.push_back({all.substr(begin, space - begin), all.substr(space + 1, at - space - 1)});
    begin = at + 2;
  }
  return result;
}
/// Q of "const Vec<Q, 3>&", or 0.
char number_in(const std::string& type) {
  const std::string opening = "const Vec<";
  return type.starts_with(opening) && type[opening.size() + 1] == ',' ? type[opening.size()] : '\0';
}

}  // namespace

std::string text(int i) { return std::to_string(i); }

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

std::string wrapped(const std::string& lines) {
  constexpr std::size_t widest = 108, indent = 8;
  std::string result;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    std::string line = lines.substr(begin, end - begin);
    const auto may_end = [&](std::size_t at) {  // behind a comma or a label
      return (line[at] == ',' || line[at] == ':') && line[at + 1] == ' ';
    };
    while (line.size() > widest) {
      std::size_t last = widest;
      while (last > indent && !may_end(last)) --last;
      if (last == indent) break;
      result += line.substr(0, last + 1) + "\n";
      line = std::string(indent, ' ') + line.substr(last + 2);
    }
    result += line + "\n";
    begin = end + 1;
  }
  return result;
}

std::vector<bool> ClassBody::nonzero(const std::vector<NodeId>& nodes) const {
  std::vector<bool> result;
  for (const NodeId id : nodes) result.push_back(!is_zero(id));
  return result;
}

std::vector<NodeId> ClassBody::jacobian(const std::vector<NodeId>& nodes, Leaf kind) {
  const auto d = static_cast<std::size_t>(d_);
  std::vector<NodeId> result(nodes.size() * d);
  for (std::size_t j = 0; j < d; ++j) {
    const std::vector<NodeId> column = derivative(g_, nodes, kind, static_cast<int>(j));
    for (std::size_t i = 0; i < nodes.size(); ++i) result[i * d + j] = column[i];
  }
  return result;
}

std::string member_function(const std::string& head, const std::string& arguments, const std::string& body) {
  std::vector<std::string> all, numbers;
  for (const Argument& one : arguments_of(arguments)) {
    all.push_back(mentions(body, one.name) ? one.type + " " + one.name : one.type);
    if (const char number = number_in(one.type)) numbers.push_back(std::string("class ") + number);
  }
  const std::string over = numbers.empty() ? "" : "  template <" + joined(numbers) + ">\n";
  return over + "  LIVENS_HD " + head + "(" + joined(all) + ") const {\n" + wrapped(body) + "  }\n";
}

LeafNames ClassBody::names_among(const std::string& arguments) const {
  LeafNames names = names_;
  for (const Argument& one : arguments_of(arguments))
    for (const auto& [leaf, number] : {std::pair{names_.position, &names.position_number},
                                       {names_.end, &names.end_number},
                                       {names_.velocity, &names.velocity_number},
                                       {names_.end_velocity, &names.end_velocity_number}})
      if (one.name == leaf) *number = number_in(one.type);
  return names;
}

void ClassBody::function(const std::string& head, const std::string& arguments, const std::string& body) {
  body_ += member_function(head, arguments, body);
}

void ClassBody::scalar(const char* name, const std::string& arguments, NodeId root) {
  const LeafNames names = names_among(arguments);
  const Code code = code_of(g_, std::span(&root, 1), names, &members_);
  function(number_of(g_, std::span(&root, 1), names) + " " + name, arguments,
           code.statements + "    return " + code.values[0] + ";\n");
}

void ClassBody::of_values(const std::string& name, const std::string& arguments, const char* type,
                          const std::string& sizes, const std::vector<NodeId>& roots) {
  const LeafNames names = names_among(arguments);
  const Code code = code_of(g_, roots, names, &members_);
  function(std::string(type) + "<" + number_of(g_, roots, names) + ", " + sizes + "> " + name, arguments,
           code.statements + "    return {{" + joined(code.values) + "}};\n");
}

void ClassBody::matrix(const char* name, const std::string& arguments, const std::vector<NodeId>& roots,
                       Others others) {
  const std::string rows = text(static_cast<int>(roots.size()) / d_);
  const std::string type = "Mat<Scalar, " + rows + ", " + text(d_) + ">";
  const Code code = code_of(g_, roots, names_, &members_);
  std::string body = code.statements + "    " + type + " r;\n";
  if (others == Others::zero) body += "    for (Scalar& entry : r.data) entry = Scalar(0.0);\n";
  for (std::size_t e = 0; e < roots.size(); ++e)
    if (!is_zero(roots[e]))
      body += "    r(" + text(static_cast<int>(e) / d_) + ", " + text(static_cast<int>(e) % d_) +
              ") = " + code.values[e] + ";\n";
  function(type + " " + name, arguments, body + "    return r;\n");
}

void ClassBody::patterned_matrix(const std::string& name, const std::string& arguments,
                                 const std::vector<NodeId>& roots, int columns) {
  body_ += "  struct " + name + "_pattern {\n";
  pattern("nonzero(int i, int j)", "i", nonzero(roots), columns);
  body_ += "  };\n";
  std::vector<NodeId> stored;
  for (const NodeId id : roots)
    if (!is_zero(id)) stored.push_back(id);
  if (stored.empty()) stored.push_back(g_.constant(0.0));  // no array is empty
  const std::string rows = text(static_cast<int>(roots.size()) / columns);
  of_values(name, arguments, "PatternedMat", rows + ", " + text(columns) + ", " + name + "_pattern", stored);
}

/// A switch, and no table: a compiler copies a local table for every call in a constant expression, and asks for
/// each (k, i, j) of d^2 g_k.
void ClassBody::pattern(const std::string& head, const std::string& row, const std::vector<bool>& nonzero,
                        int columns) {
  const std::vector<std::uint64_t> words = rows_of(nonzero, columns);
  std::map<std::uint64_t, std::string> cases;
  for (std::size_t at = 0; at < words.size(); ++at)
    if (words[at] != 0) cases[words[at]] += "case " + std::to_string(at) + ": ";
  const std::string many = std::to_string(words_of(columns));
  const bool one_word = words_of(columns) == 1;
  std::string body = "    unsigned long long word = 0;\n    switch (" +
                     (one_word ? row : many + " * (" + row + ") + j / 64") + ") {\n";
  for (const auto& [word, labels] : cases)
    body += "      " + labels + "word = " + std::to_string(word) + "u; break;\n";
  body_ += "  static constexpr bool " + head + " {\n" + wrapped(body) + "      default: break;\n    }\n" +
           "    return word >> " + (one_word ? "j" : "j % 64") + " & 1;\n  }\n";
}

void ClassBody::listed(const char* name, const std::vector<bool>& holds) {
  body_ += std::string("  static constexpr bool ") + name + "(int i) {\n" + table("row", rows_of(holds, d_)) +
           "    return " + bit("row", "0", "i", d_) + ";\n  }\n";
}

void ClassBody::by_value(const std::string& name, const std::string& indices, const std::string& row,
                         const std::vector<NodeId>& nodes) {
  std::vector<NodeId> values;
  for (const NodeId id : nodes)
    if (!is_zero(id) && std::find(values.begin(), values.end(), id) == values.end()) values.push_back(id);
  std::string body;
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::vector<bool> here;
    for (const NodeId id : nodes) here.push_back(id == values[k]);
    const std::string entries = "row" + std::to_string(k);
    body += table(entries.c_str(), rows_of(here, d_)) + "    if (" + bit(entries, row, "j", d_) +
            ") return " + one(values[k]) + ";\n";
  }
  function("Scalar " + name, indices, body + "    return Scalar(0.0);\n");
}

}  // namespace livens::expressions
