// Any bytes as XLA's .xplane.pb.
#include "one_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return roofline::check_reader(roofline::open_xplane, data, size);
}
