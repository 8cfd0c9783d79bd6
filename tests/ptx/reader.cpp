// Reads PTX as nvcc and NVRTC write it. What is not known here throws, with its line.

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "ptx.hpp"

namespace livens::ptx {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Reader {
 public:
  explicit Reader(Module& module) : m_(module), rest_(module.text) {
    advance();
    // Blocks have one dimension, grids two.
    specials_ = {{"_", unread},           {"%tid.x", tid},       {"%ntid.x", ntid},
                 {"%ctaid.x", ctaid_x},   {"%ctaid.y", ctaid_y}, {"%nctaid.x", nctaid_x},
                 {"%nctaid.y", nctaid_y}, {"%laneid", laneid},   {"%lanemask_ge", lanemask_ge}};
    for (const char* name : {"%tid.y", "%tid.z", "%ctaid.z"}) specials_[name] = constant(0);
    for (const char* name : {"%ntid.y", "%ntid.z", "%nctaid.z"}) specials_[name] = constant(1);
  }

  void read() {
    while (!next_.empty()) {
      const std::string_view word = take();
      if (word == ".version" || word == ".target" || word == ".address_size" || word == ".file")
        skip_line();
      else if (word == ".section")
        while (take() != "}") continue;
      else if (word == ".entry" || word == ".func")
        function(word == ".entry");
      else if (word == ".global" || word == ".const" || word == ".shared")
        variable(word);
      else if (word != ".visible" && word != ".weak" && word != ".extern")
        fail("what is '" + std::string(word) + "'?");
    }
    m_.local_bytes = (m_.local_bytes + 63) / 64 * 64;
  }

 private:
  struct Symbol {
    int row;
    std::int64_t offset;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("PTX, line " + std::to_string(line_) + ": " + what);
  }
  /// Makes the word or sign that comes next `next_`; nothing at the end.
  void advance() {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.\"-";
    while (!rest_.empty() &&
           (std::isspace(static_cast<unsigned char>(rest_[0])) || rest_.starts_with("//"))) {
      line_ += rest_[0] == '\n';
      rest_.remove_prefix(rest_[0] == '/' ? std::min(rest_.find('\n'), rest_.size()) : 1);
    }
    next_ =
        rest_.substr(0, std::max<std::size_t>(1, std::min(rest_.find_first_not_of(letters), rest_.size())));
    rest_.remove_prefix(next_.size());
  }
  std::string_view take() {
    if (next_.empty()) fail("the text ends");
    const std::string_view word = next_;
    return advance(), word;
  }
  bool accept(std::string_view word) {
    if (next_ != word) return false;
    return advance(), true;
  }
  void expect(std::string_view word) {
    if (take() != word) fail("expected '" + std::string(word) + "'");
  }
  void skip_line() {
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    advance();
  }

  Word number(std::string_view word) const {
    const bool floating = word.size() > 2 && word[0] == '0' && std::strchr("dDfF", word[1]);
    if (!floating && !is_digit(word[word[0] == '-'])) fail("what is '" + std::string(word) + "'?");
    return std::strtoull(word.data() + (floating ? 2 : 0), nullptr, floating ? 16 : 0);
  }
  int constant(Word value) {
    const auto [there, is_new] = m_.constants.emplace(value, m_.rows);
    m_.rows += is_new;
    return there->second;
  }
  /// %r7 has been declared as %r<10>.
  int row_of(std::string_view name) {
    if (const auto special = specials_.find(name); special != specials_.end()) return special->second;
    if (!declared_.contains(name) &&
        !declared_.contains(name.substr(0, name.find_last_not_of("0123456789") + 1)))
      fail("what is '" + std::string(name) + "'?");
    const auto [there, is_new] = registers_.emplace(name, m_.rows);
    m_.rows += is_new;
    return there->second;
  }
  /// A number, the address of a variable, or a register.
  Symbol value(std::string_view word) {
    if (is_digit(word[word[0] == '-'])) return {constant(number(word)), 0};
    const auto symbol = symbols_.find(word);
    return symbol != symbols_.end() ? symbol->second : Symbol{row_of(word), 0};
  }

  struct Declared {
    std::string_view name;
    Variable variable;
    std::size_t unit;
  };
  /// .align 8 .b8 name[64]: behind what ends at `end`.
  Declared declared(std::int64_t& end) {
    std::int64_t align = 1, unit = 1, count = 1;
    for (std::string_view word; next_[0] == '.';)
      if ((word = take()) == ".align")
        align = static_cast<std::int64_t>(number(take()));
      else if (is_digit(word.back()))  // .b8
        unit = std::atoll(word.data() + 2) / 8;
    const std::string_view name = take();
    if (accept("[")) {
      count = static_cast<std::int64_t>(number(take()));
      expect("]");
    }
    const std::int64_t first =
        (end + std::max(align, unit) - 1) / std::max(align, unit) * std::max(align, unit);
    end = first + unit * count;
    return {name, {first, unit * count}, static_cast<std::size_t>(unit)};
  }
  void variable(std::string_view space) {
    if (space == ".shared" || space == ".local" || space == ".param") {
      const Declared d = declared(space == ".shared" ? m_.shared_bytes : m_.local_bytes);
      symbols_[d.name] = {space == ".shared" ? of_shared : of_local, d.variable.at};
      return expect(";");
    }
    std::int64_t end = 0;
    const Declared d = declared(end);
    char* to = m_.memory.emplace_back(global_memory(static_cast<std::size_t>(end))).get();
    std::memset(to, 0, static_cast<std::size_t>(end));
    m_.globals[std::string(d.name)] = {reinterpret_cast<std::int64_t>(to), end};
    symbols_[d.name] = {constant(0), reinterpret_cast<std::int64_t>(to)};
    if (accept("="))
      for (accept("{"); next_ != ";" && !accept("}"); accept(","), to += d.unit) {
        const bool address = accept("generic") && accept("(");  // generic(variable)
        const std::string_view word = take();
        // Through the address of a function nobody calls: such a call is not known here.
        const Word item = address                       ? static_cast<Word>(symbols_[word].offset)
                          : m_.functions.contains(word) ? 0
                                                        : number(word);
        if (address) expect(")");
        std::memcpy(to, &item, d.unit);
      }
    expect(";");
  }
  std::vector<Variable> parameters(bool of_kernel) {
    std::vector<Variable> all;
    std::int64_t buffer = 0, &end = of_kernel ? buffer : m_.local_bytes;
    for (expect("("); !accept(")"); accept(",")) {
      expect(".param");
      const Declared d = declared(end);
      symbols_[d.name] = {of_kernel ? of_arguments : of_local, d.variable.at};
      all.push_back(d.variable);
    }
    return all;
  }

  void function(bool is_kernel) {
    Function f;
    if (next_ == "(") f.result = parameters(false).at(0);
    const std::string name(take());
    if (next_ == "(") f.parameters = parameters(is_kernel);
    while (next_ != "{" && next_ != ";") take();  // .maxntid 128, 1, 1
    if (take() == "{") body(f);
    m_.functions[name] = std::move(f);  // the definition behind its prototype
  }
  void body(Function& f) {
    registers_.clear(), declared_.clear();
    std::map<std::string_view, int> labels;
    std::vector<std::pair<std::size_t, std::string_view>> branches;
    f.first = static_cast<int>(m_.code.size());
    for (int depth = 1; depth > 0;) {
      const std::string_view word = take();
      if (word == "{")
        ++depth;
      else if (word == "}")
        --depth;
      else if (word == ".loc" || word == ".pragma")
        skip_line();
      else if (word == ".reg")  // .pred %p<10>
        for (take(); !accept(";");) declared_.insert(take());
      else if (word[0] == '.')
        variable(word);
      else if (accept(":"))
        labels[word] = static_cast<int>(m_.code.size());
      else if (const std::string_view label = instruction(word); !label.empty())
        branches.emplace_back(m_.code.size() - 1, label);
    }
    for (const auto& [branch, label] : branches) {
      if (!labels.contains(label)) fail("no label " + std::string(label));
      m_.code[branch].target = labels[label];
    }
  }

  /// Returns the label of a branch.
  std::string_view instruction(std::string_view word) {
    int guard = -1;
    const bool guarded = word == "@", unless = guarded && accept("!");
    if (guarded) guard = row_of(take()), word = take();
    const auto found = operations().find(word);
    if (found == operations().end())
      fail("'" + std::string(word) + "' is not known here, or lets ptxas choose its rounding");
    Instruction i{found->second, word, line_, guard, unless};
    std::string_view label;
    if (i.flow == Flow::branch)
      label = take();
    else if (i.flow == Flow::call)
      i.target = call();
    else
      operands(i);
    expect(";");
    m_.code.push_back(i);
    return label;
  }
  /// %d|%p, {%a, %b}, [%c+8]
  void operands(Instruction& i) {
    bool writes = i.writes, in_braces = false;
    while (next_ != ";") {
      const std::string_view word = take();
      if (word == "{" || word == "}")
        in_braces = word == "{";
      else if (word == ",")
        writes = writes && in_braces;
      else if (word == "+")
        i.offset += static_cast<std::int64_t>(number(take()));
      else if (word != "[" && word != "]" && word != "|")
        operand(i, value(word), writes);
    }
    // Of all threads of the block, at the one barrier that there is here.
    if (i.flow == Flow::barrier && (i.from[0] != constant(0) || i.from_count > 1 + i.to_count))
      fail("a barrier of some threads");
  }
  void operand(Instruction& i, Symbol symbol, bool writes) {
    if (writes ? i.to_count == 4 : i.from_count == 5) fail("too many operands");
    if (symbol.offset != 0 && (writes || !i.address || i.from_count > 0))
      fail("an address where there can be none");
    (writes ? i.to[i.to_count++] : i.from[i.from_count++]) = symbol.row;
    i.offset += symbol.offset;
  }
  int call() {
    Call call{};
    if (accept("(")) {
      call.result = value(take()).offset;
      expect(")");
      expect(",");
    }
    const auto callee = m_.functions.find(take());
    if (callee == m_.functions.end()) fail("no such function");
    call.function = &callee->second;
    if (accept(","))
      for (expect("("); !accept(")"); accept(",")) call.arguments.push_back(value(take()).offset);
    m_.calls.push_back(call);
    return static_cast<int>(m_.calls.size()) - 1;
  }

  Module& m_;
  std::string_view rest_, next_;
  int line_ = 1;
  std::map<std::string_view, int> specials_;
  std::map<std::string_view, int> registers_;  // of a function
  std::set<std::string_view> declared_;        // likewise
  std::map<std::string_view, Symbol> symbols_;
};

}  // namespace

void Module::read() {
  if (code.empty()) Reader(*this).read();
}

}  // namespace livens::ptx
