// Values and first derivatives of expressions by the graph that is compiled and by the trees of the
// reference: text_judges.py compares them with its own. From the standard input, a line each: the text. The
// names are q0, q1, q2 and the vectors u of 3 and w of 3 entries for coordinates, the parameters k and c of 2
// entries, the constant n = 2, and the functions below. To the standard output, a line each: of either, "value
// derivatives...", "refused: why". Behind an @ there may be 9 numbers, the coordinates; then the second derivatives by these
// follow.

#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "expressions/derivatives.hpp"
#include "expressions/parser.hpp"
#include "reference/text/expression.hpp"
#include "reference/text/walk.hpp"

namespace {

constexpr int d = 9;
using Numbers = std::vector<double>;

struct Point {
  Numbers q, v, p, parameters;
  bool twice = false;  ///< second derivatives are wanted, too
};

void print(const Numbers& numbers) {
  for (const double x : numbers) std::printf(" %.17g", x);
}

/// Those of text_judges.py.
std::vector<livens::expressions::Function> functions() {
  using namespace livens::expressions;
  const auto of = [](const char* name, std::vector<std::string> arguments, std::vector<std::string> is) {
    Function function{name, {}, std::move(arguments), {}, is.size() > 1, nullptr};
    for (std::string& text : is) function.is.push_back({std::move(text), {}});
    return function;
  };
  const auto table = [](const char* name, Numbers x, Numbers y, Between between, Beyond beyond,
                        bool periodic) {
    return Function{
        name, {},    {"x"},
        {},   false, std::make_shared<TableFunction>(std::move(x), std::move(y), between, beyond, periodic)};
  };
  return {of("hill", {"s", "q0"}, {"q0*exp(-s^2) + u[0]*s"}),
          of("swing", {"t"}, {"k*sin(t) + tanh(t)^3", "t^2*gait(t)", "c[1]*bend(cos(t))"}),
          of("both", {"u"}, {"hill(u, k) - swing(u)[1]"}),
          table("bend", {-2.0, -0.5, 1.0, 1.25, 4.0}, {1.0, -1.0, 2.0, 0.5, 3.0}, Between::cubic,
                Beyond::linear, false),
          table("edge", {-2.0, -0.5, 1.0, 4.0}, {1.0, -1.0, 2.0, 0.5}, Between::linear, Beyond::hold, false),
          table("gait", {0.0, 0.75, 1.0, 2.5}, {0.5, -1.0, 2.0, 0.5}, Between::cubic, Beyond::error, true)};
}

void by_graph(const std::string& text, const Point& at) {
  using namespace livens::expressions;
  const Scope scope = {{{"q0", Leaf::position, 0, 1, false},
                        {"q1", Leaf::position, 1, 1, false},
                        {"q2", Leaf::position, 2, 1, false},
                        {"u", Leaf::position, 3, 3, true},
                        {"w", Leaf::position, 6, 3, true},
                        {"k", Leaf::parameter, 0, 1, false},
                        {"c", Leaf::parameter, 1, 2, true}},
                       {{"n", 2}},
                       true,
                       true,
                       true,
                       false,
                       functions()};
  try {
    Graph graph;
    const Value value = parse(graph, scope, text);
    std::vector<NodeId> roots{value.scalar()};
    for (const Leaf kind : {Leaf::position, Leaf::velocity, Leaf::momentum})
      for (const NodeId slope : gradient(graph, value.scalar(), kind, d)) roots.push_back(slope);
    if (at.twice) {
      const std::vector<NodeId> slopes(roots.begin() + 1, roots.begin() + 1 + d);
      for (int i = 0; i < d; ++i)
        for (const NodeId second : derivative(graph, slopes, Leaf::position, i)) roots.push_back(second);
    }
    Values values;
    values.position = at.q;
    values.velocity = at.v;
    values.momentum = at.p;
    values.parameters = at.parameters;
    print(evaluate(graph, roots, values));
  } catch (const Slip& slip) {
    std::printf(" refused: %s", slip.problem.c_str());
  } catch (const TooLarge&) {
    std::printf(" too large");
  }
}

/// The functions, as the reference has them.
void add_functions(livens::reference::Names& names) {
  using namespace livens;
  for (const expressions::Function& function : functions()) {
    if (const auto& table = function.table) {
      using enum expressions::Beyond;
      names.tables[function.name] = std::make_shared<reference::Table>(reference::TableDescription{
          table->x, table->y, table->between == expressions::Between::cubic ? "cubic" : "linear",
          table->beyond == error  ? "error"
          : table->beyond == hold ? "hold"
                                  : "linear",
          table->periodic});
      continue;
    }
    names.functions.push_back({function.name, function.arguments, {}, function.one_by_one});
    for (const expressions::Expression& entry : function.is) names.functions.back().is.push_back(entry.text);
  }
}

void by_reference(const std::string& text, const Point& at) {
  using namespace livens::reference;
  using enum Operation;
  Names names = {
      {{"q0", false, 1, 0}, {"q1", false, 1, 1}, {"q2", false, 1, 2}, {"u", true, 3, 3}, {"w", true, 3, 6}},
      {{"k", false, 1, 0}, {"c", true, 2, 1}},
      {{"n", 2}}};
  add_functions(names);
  try {
    const Expression tree = parse(text, "text", names, {position, velocity, momentum});
    Numbers result;
    for (int i = -1; i < 3 * d; ++i) {
      Leaves<Dual<double>> leaves;
      leaves.parameters = at.parameters;
      int place = 0;
      for (const auto& [from, to] : {std::pair{&at.q, &leaves.q}, {&at.v, &leaves.v}, {&at.p, &leaves.p}})
        for (const double x : *from) to->push_back({x, place++ == i ? 1.0 : 0.0});
      const Dual<double> value = walk(*tree, leaves)[0];
      result.push_back(i < 0 ? value.value : value.slope);
    }
    for (int i = 0; at.twice && i < d; ++i)
      for (int j = 0; j < d; ++j) {
        Leaves<Dual<Dual<double>>> leaves;
        leaves.parameters = at.parameters;
        for (int k = 0; k < d; ++k)
          leaves.q.push_back({Dual<double>(at.q[k], k == i ? 1.0 : 0.0), Dual<double>(k == j ? 1.0 : 0.0)});
        for (const double x : at.v) leaves.v.push_back(x);
        for (const double x : at.p) leaves.p.push_back(x);
        result.push_back(walk(*tree, leaves)[0].slope.slope);
      }
    print(result);
  } catch (const std::invalid_argument& problem) {
    std::printf(" refused: %s", problem.what());
  }
}

}  // namespace

int main() {
  Point at;
  // The place of text_judges.py.
  for (int i = 0; i < d; ++i) {
    at.q.push_back(std::ldexp(7 + 5 * i % 11, -3));
    at.v.push_back(std::ldexp(3 + 7 * i % 13, -3));
    at.p.push_back(std::ldexp(2 + 3 * i % 7, -2));
  }
  at.q[1] = -0.625;
  at.v[2] = -1.125;
  at.parameters = {1.75, 0.375, 2.5};
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t mark = line.find('@');
    Point here = at;
    if (mark != std::string::npos) {
      here.twice = true;
      std::istringstream numbers(line.substr(mark + 1));
      for (double& q : here.q) numbers >> q;
    }
    const std::string text = line.substr(0, mark);
    by_graph(text, here);
    std::printf(" |");
    by_reference(text, here);
    std::printf("\n");
  }
}
