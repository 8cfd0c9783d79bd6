#pragma once
// A table of pairs for the tests of host/: two systems whose "motion" is arithmetic that a test can predict.
//
//   toy_pair  d=2, m=1, s=1; parameters mass[2] (positive), stiffness (non_negative), damping (non_negative)
//             ems     reduced (no damping, no compensation) and full (both)
//             ggl_vi  full (damping)
//   toy_slide d=1, m=0, s=0; parameters offset (real), drag (non_negative, damps)
//             livens  full (no damping)
//
// A step adds step*v to q and 1e-12 to the energy error; |v[0]| > 100 fails at step 3 with newton_diverged.

#include "host/pairs/catalogue.hpp"

namespace livens::host {

Catalogue toy_catalogue();

}  // namespace livens::host
