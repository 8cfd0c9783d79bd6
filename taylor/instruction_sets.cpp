#include <string_view>

#include "taylor/recurrences.hpp"

namespace livens {

namespace plain {
extern const taylor::Recurrences taylor_recurrences;
}
namespace avx2 {
extern const taylor::Recurrences taylor_recurrences;
}
namespace avx512 {
extern const taylor::Recurrences taylor_recurrences;
}

namespace taylor {

const Recurrences* recurrences(std::string_view instruction_set) {
  if (instruction_set == "plain") return &plain::taylor_recurrences;
#if defined(LIVENS_TAYLOR_AVX2)
  if (instruction_set == "avx2") return &avx2::taylor_recurrences;
#endif
#if defined(LIVENS_TAYLOR_AVX512)
  if (instruction_set == "avx512") return &avx512::taylor_recurrences;
#endif
  return nullptr;
}

}  // namespace taylor
}  // namespace livens
