#pragma once
// What the axes of a result are labelled with.

#include <string>
#include <vector>

namespace livens::ensembles {

/// Of the entries of q and of the rows of constraints, one for each; empty where they are 0, 1, ...
struct Labels {
  std::vector<std::string> coordinates, rows;

  bool operator==(const Labels&) const = default;
};

}  // namespace livens::ensembles
