#include "read/xla/xla.hpp"

#include "base/letters.hpp"

namespace roofline::xla {
Symbol symbol_of(std::string_view category) {
  const std::string c = lower(category);
  if (contains(c, "convolution")) return Symbol::square;
  if (contains(c, "dot") || contains(c, "gemm") || contains(c, "matmul") || contains(c, "megacore")) return Symbol::circle;
  if (contains(c, "elementwise") || contains(c, "loop fusion") || contains(c, "input fusion") || contains(c, "output fusion"))
    return Symbol::triangle;
  return Symbol::diamond;
}

Machine device(const std::string& name, FormatId format, const Figure& peak, const Figure& hbm,
               const std::array<Figure, channel_count>& channels) {
  Machine machine;
  machine.name = name.empty() ? "the profiled device" : name;
  machine.id = hyphenated(machine.name);
  machine.matrix.push_back({format, peak});
  machine.memories.push_back({"HBM", hbm, {}, {}, {}});
  for (const Channel read : {cmem_read, vmem_read}) {
    const Figure &in = channels[read], &out = channels[read + 1];
    if (in.known() || out.known()) machine.memories.push_back({read == cmem_read ? "CMEM" : "VMEM", {}, in, out, {}});
  }
  return machine;
}

}  // namespace roofline::xla
