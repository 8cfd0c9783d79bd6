// Reads PTX as nvcc and NVRTC write it. What is not known here throws, with its line.

#include <set>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

using Text = std::string_view;
constexpr Text signs = "{}[]()|,;:=<>+@! \t\r\n", blanks = " \t\r\n", digits = "0123456789";
/// These say nothing about what is done: to the end of their line, and by themselves.
constexpr Text remarks[] = {"//",    ".version", ".target", ".address_size",
                            ".file", ".pragma",  ".loc\t",  ".loc "};
const std::set<Text> fillers = {".visible", ".weak", ".extern", "{", "}", ";"};
const std::map<Text, Space> spaces = {{".local", Space::local},
                                      {".param", Space::local},
                                      {".shared", Space::shared},
                                      {".const", Space::global},
                                      {".global", Space::global}};
/// Blocks have one dimension, grids two.
const std::map<Text, int> specials = {
    {"_", unread},           {"%tid.x", tid},       {"%ntid.x", ntid},
    {"%ctaid.x", ctaid_x},   {"%ctaid.y", ctaid_y}, {"%nctaid.x", nctaid_x},
    {"%nctaid.y", nctaid_y}, {"%laneid", laneid},   {"%lanemask_ge", lanemask_ge}};

class Reader {
 public:
  explicit Reader(Module& module) : m_(module), rest_(module.text) { take(); }

  void read() {
    while (!next_.empty()) {
      const Text word = take();
      if (word == ".entry" || word == ".func")
        function(word == ".entry" ? Space::arguments : Space::local);
      else if (const auto space = spaces.find(word); space != spaces.end())
        variable(space->second);
      else if (word == ".reg")  // .pred %p<10>, or .s32 r0
        take(), registers_.emplace(take(), m_.rows++), skip_to(";");
      else if (word == ".section")
        skip_to("}");
      else if (accept(":"))
        labels_[word] = m_.code.size();
      else if (!fillers.contains(word))
        instruction(word);
    }
    for (const auto& [branch, label] : branches_) {
      if (!labels_.contains(label)) fail("no label", label);
      m_.code[branch].target = labels_[label];
    }
    m_.local_bytes = (m_.local_bytes + 63) / 64 * 64;
  }

 private:
  [[noreturn]] void fail(const std::string& what, Text word) const {
    throw std::runtime_error(m_.line_of(word) + what + " '" + std::string(word) + "'");
  }

  /// The word or sign that is next. Behind it comes another one, or nothing at the end.
  Text take() {
    const auto skip = [&](std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); };
    const auto starts = [&](Text remark) { return rest_.starts_with(remark); };
    while (skip(rest_.find_first_not_of(blanks)), std::ranges::any_of(remarks, starts))
      skip(rest_.find('\n'));
    const Text word = next_;
    next_ = rest_.substr(0, std::max<std::size_t>(1, rest_.find_first_of(signs)));
    skip(next_.size());
    return word;
  }
  bool accept(Text word) { return next_ == word && !take().empty(); }
  void skip_to(Text sign) {
    while (!next_.empty() && take() != sign) continue;
  }

  static bool is_sign(Text word) { return signs.find(word[0]) != signs.npos; }
  static bool is_number(Text word) {
    return digits.find(word[word.size() > 1 && word[0] == '-']) != digits.npos;
  }
  /// 7, -7, 0x7; of floating point the bits, 0d and 0f with hexadecimal digits.
  Word number(Text word) const {
    if (!is_number(word)) fail("no number:", word);
    const bool floating = word.size() > 2 && std::strchr("dDfF", word[1]);
    return std::strtoull(word.data() + (floating ? 2 : 0), nullptr, floating ? 16 : 0);
  }
  int constant(Word value) {
    const auto [at, is_new] = m_.constants.emplace(value, m_.rows);
    m_.rows += is_new;
    return at->second;
  }
  /// The row that has a number, a register, or the address of a variable.
  int row_of(Text word) {
    if (is_number(word)) return constant(number(word));
    if (const auto there = m_.variables.find(word); there != m_.variables.end()) return there->second.row;
    if (word[0] != '%' && !registers_.contains(word)) fail("what is", word);
    const auto [at, is_new] = registers_.emplace(word, m_.rows);
    m_.rows += is_new;
    return at->second;
  }

  /// .align 8 .b8 name[64] = {1, 2}
  Variable variable(Space space) {
    std::size_t align = 1, unit = 1, count = 1;
    while (next_.starts_with('.')) {
      const Text word = take();
      if (word == ".align")
        align = number(take());
      else if (const auto width = word.find_first_of(digits); width != word.npos)  // .b8
        unit = number(word.substr(width)) / 8;
    }
    const std::string name(take());
    if (accept("[")) count = number(take()), skip_to("]");

    Variable made{0, 0, unit * count};
    if (space == Space::local) {
      align = std::max(align, unit);
      made.at = (m_.local_bytes + align - 1) / align * align;
      made.row = m_.rows++;
      m_.local_bytes = made.at + made.bytes;
      m_.local.push_back(made);
    } else {
      char* to = allocate(made.bytes, space);
      made.at = reinterpret_cast<Word>(to);
      made.row = constant(made.at);
      if (space == Space::shared) m_.shared.push_back(made);
      if (space == Space::global) std::memset(to, 0, made.bytes);
      if (accept("="))  // {1, 2}
        for (; next_ != ";"; take())
          if (!is_sign(next_) && next_ != "generic") {  // generic(variable)
            const auto other = m_.variables.find(next_);
            const Word item = other != m_.variables.end() ? other->second.at : number(next_);
            std::memcpy(to, &item, unit);
            to += unit;
          }
    }
    return m_.variables[name] = made;
  }
  /// .func (.param .b32 result) name(.param .b64 a) {
  void function(Space of_parameters) {
    registers_ = specials;
    Function made;
    Text name, word;
    while ((word = take()) != "{" && word != ";")
      if (word == ".param")
        made.parameters.push_back(variable(of_parameters));
      else if (name.empty() && word[0] != '.' && !is_sign(word))
        name = word;
    if (word == "{") made.first = m_.code.size();
    m_.functions[std::string(name)] = made;  // the definition behind its prototype
    // Through the address of a function nobody calls: such a call is not known here.
    m_.variables.try_emplace(std::string(name), Variable{constant(0), 0, 0});
  }

  /// @!%p ld.global.v2.f64 {%a, %b}, [%c+8];
  void instruction(Text word) {
    Instruction i;
    if (word == "@") {
      i.unless = accept("!");
      i.guard = row_of(take());
      word = take();
    }
    const Operation* const known = find_operation(word);
    if (!known) fail("not known here, or ptxas would choose its rounding:", word);
    static_cast<Operation&>(i) = *known;
    i.name = word;
    bool writes = i.writes, in_braces = false;
    for (Text operand; (operand = take()) != ";";) {
      if (operand == "{" || operand == "}") in_braces = operand == "{";
      if (operand == ",") writes = writes && in_braces;
      if (operand == "[") i.address = row_of(take());
      if (operand == "+") i.offset = number(take());
      if (is_sign(operand)) continue;
      if (word.starts_with("bra"))
        branches_.emplace_back(m_.code.size(), operand);
      else if (word.starts_with("call") && m_.functions.contains(operand))
        i.callee = &m_.functions.find(operand)->second;
      else
        (writes ? i.to : i.from).push_back(row_of(operand));
    }
    m_.code.push_back(i);
  }

  Module& m_;
  Text rest_, next_;
  std::map<Text, int> registers_;  // of a function
  std::map<Text, Place> labels_;
  std::vector<std::pair<std::size_t, Text>> branches_;
};

}  // namespace

void Module::read() {
  if (code.empty()) Reader(*this).read();
}
std::string Module::line_of(Text word) const {
  return "PTX, line " + std::to_string(1 + std::count(text.data(), word.data(), '\n')) + ": ";
}

}  // namespace livens::ptx
