// A wrong order of a backend's calls does not compile.

#include "ensembles/stages.hpp"

#include <gtest/gtest.h>

#include <concepts>

namespace livens::ensembles {
namespace {

template <class S>
concept Draws = requires(S stage, const Draw& draw) {
  stage.draw(draw);
};
template <class S>
concept Starts = requires(S stage, const Settings& settings) {
  std::move(stage).start(settings, nullptr);
};
template <class S>
concept MadeConsistent = requires(S stage) {
  std::move(stage).make_consistent(Consistency::project, nullptr);
};
template <class S>
concept Advances = requires(S stage, const Settings& settings) {
  stage.advance(settings, 1);
};
template <class S>
concept HandsOverAsItStays = requires(S& stage, const Settings& settings) {
  stage.start(settings, nullptr);
};

static_assert(Draws<Parameters> && !MadeConsistent<Parameters> && !Starts<Parameters> &&
              !Advances<Parameters>);
static_assert(Draws<InitialStates> && MadeConsistent<InitialStates> && !Starts<InitialStates> &&
              !Advances<InitialStates>);
static_assert(!Draws<ConsistentStates> && Starts<ConsistentStates> && !Advances<ConsistentStates>);
static_assert(!Draws<Motion> && !Starts<Motion> && Advances<Motion>);
static_assert(!Draws<Nodes> && !Starts<Nodes> && !Advances<Nodes>);
static_assert(!HandsOverAsItStays<ConsistentStates>);
// Only the first stage is made of a backend.
static_assert(std::constructible_from<Parameters, Backend&, const Batch&>);
static_assert(!std::constructible_from<InitialStates, Backend&, const Batch&>);
static_assert(!std::constructible_from<ConsistentStates, Backend&, const Batch&>);
static_assert(!std::constructible_from<Motion, Backend&, const Batch&>);
static_assert(!std::constructible_from<Nodes, Backend&, const Batch&>);

TEST(Stages, AWrongOrderDoesNotCompile) { SUCCEED(); }

}  // namespace
}  // namespace livens::ensembles
