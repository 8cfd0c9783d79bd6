#pragma once
// What crosses the boundary of liblivens: an Error of livens.hpp, or what a callback has thrown.

#include <exception>
#include <functional>

namespace livens::host {

/// What a callback has thrown, on its way through a run.
struct CallbackFailure {
  std::exception_ptr thrown;
};

/// The callback, with what it throws kept apart from what goes wrong inside.
template <class... Arguments>
std::function<void(Arguments...)> guarded(std::function<void(Arguments...)> callback) {
  if (!callback) return {};
  return [callback = std::move(callback)](Arguments... arguments) {
    try {
      callback(arguments...);
    } catch (...) {
      throw CallbackFailure{std::current_exception()};
    }
  };
}

/// Throws what is being handled as what livens.hpp documents.
[[noreturn]] void throw_as_error();

template <class Action>
auto at_boundary(Action action) {
  try {
    return action();
  } catch (...) {
    throw_as_error();
  }
}

}  // namespace livens::host
