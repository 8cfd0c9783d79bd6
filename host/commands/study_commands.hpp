#pragma once
// The subcommands around a run: a spec to begin with, several runs beside each other, results for other
// tools. Each adds itself to the program; `chosen` is what to call where its name was typed.

#include <functional>

namespace CLI {
class App;
}

namespace livens::host {

using Chosen = std::function<int()>;

void add_new(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_export(CLI::App& app, Chosen& chosen);
void add_problems(CLI::App& app, Chosen& chosen);

}  // namespace livens::host
