#pragma once
// An Ensemble of livens.hpp as what the rest of host/ works with.

#include "host/livens.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {

/// Throws RequestError. `hdf5`: null where HDF5 files are not to be read. `adjoint`: as Inputs has it.
Spec checked(const Ensemble& ensemble, const Catalogue& catalogue, const Hdf5Inputs* hdf5,
             bool adjoint = false);

}  // namespace livens::host
