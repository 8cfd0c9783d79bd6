#pragma once
// What specs may take from HDF5 files: tables, and the ends of runs.

#include "host/spec/table.hpp"

namespace livens::host {

/// With the reader of HDF5.
const Hdf5Inputs& hdf5_inputs();

}  // namespace livens::host
