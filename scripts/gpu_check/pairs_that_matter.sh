# The pairs whose machine code is looked at first, each as SYSTEM SCHEME in the form taken by default.
pairs_that_matter="four_particle/ems double_spherical_pendulum/del_nullspace heavy_top/ems double_four_bar/ems
  double_spherical_pendulum/ems"
