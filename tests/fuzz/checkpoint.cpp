// Any bytes as frames of a checkpoint, and as what is inside them; the first byte says which.

#include <cstdint>
#include <string_view>

#include "host/checkpoint/parts.hpp"
#include "host/checkpoint/segments.hpp"
#include "host/files/bytes.hpp"
#include "host/results/identity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace livens::host;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 5) {
      case 0:
        visit_frames(bytes, [](FrameKind, std::string_view) {});
        break;
      case 1:
        decode_sample(bytes);
        break;
      case 2:
        decode_instances(bytes);
        break;
      case 3:
        decode_standing(bytes);
        break;
      default:
        decode_identity(bytes);
    }
  } catch (const Malformed&) {
  }
  return 0;
}
