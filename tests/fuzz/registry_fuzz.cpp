// Any text as an op_registry.json: refused with a message, or run on records without a fault.
#include <cmath>

#include "check.hpp"

using namespace roofline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Keys keys;
  Registry registry;
  const auto added = registry.add({reinterpret_cast<const char*>(data), size}, keys);
  if (!added) {
    check(!added.error().message.empty() && registry.empty());
    return 0;
  }
  for (
      const char* text :
      {R"({"type": "ID_MM", "data_type": "FP16", "input_mat1": [4, 5], "input_mat2": [5, 6], "macs": 7, "bytes": 9, "name": "a"})",
       R"({"input_shape": [1, 64, 1, 224, 224], "output_channels": 128, "kernel_size": [1, 3, 3], "stride": [1, 2, 2], "padding": [0, 1, 1]})",
       R"({"input_self": [], "input_other": [0, -1, NaN], "input_mat1": "x", "input_mat2": [[1], 2], "m": 1e308})"}) {
    const auto parsed = parse_record(text, keys);
    check(parsed.has_value());
    for (const RegistryOperation& operation : registry.operations()) {
      check(registry.find(operation.type) != nullptr);
      check(!operation.formulas().empty());
      const auto work = operation.derive((*parsed)->record, 2);
      if (!work) {
        check(!work.error().message.empty());
        continue;
      }
      for (const double v :
           {work->work.matrix_flops, work->work.vector_flops, work->work.weight, work->work.activation, work->work.output, work->bytes})
        check(v >= 0 && std::isfinite(v));
    }
  }
  return 0;
}
