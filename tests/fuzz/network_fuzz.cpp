// Any bytes as an ONNX model.
#include "one_network.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return roofline::check_network("model.onnx", data, size);
}
