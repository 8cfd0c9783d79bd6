#include "reference/text/text_system.hpp"

namespace livens::reference {

TextSystem::Trees TextSystem::trees() const {
  const Model model{"", {}};
  Parameters standard(model);
  const std::vector<double> parameters = values(standard);
  const System system = make(standard);
  const bool mass_is_constant = system.mass_coordinates == 0 && !system.mass_moves;
  return {kinetic_,  potential_, rayleigh_, action_damping_, constraints_, nonholonomic_,   force_,
          position_, velocity_,  dropped_,  parameters,      d_,           mass_is_constant};
}

}  // namespace livens::reference
