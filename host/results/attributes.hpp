#pragma once
// The attributes of a dataset, as the file has them, and a result in memory.

#include <string>
#include <vector>

#include "ensembles/growth.hpp"
#include "host/livens.hpp"

namespace livens::host {

using Attributes = std::vector<Attribute>;

/// Of every dataset: unit and description, and both under the names that other tools know.
Attributes attributes_of(const std::string& unit, const std::string& description);

/// Of the statuses: what each code is called.
Attributes status_attributes();

/// Of a quantity whose growth with time was measured.
Attributes growth_attributes(const ensembles::Growth& growth);

}  // namespace livens::host
