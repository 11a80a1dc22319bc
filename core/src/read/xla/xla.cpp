#include "read/xla/xla.hpp"

#include "base/letters.hpp"

namespace roofline::xla {
Symbol symbol_of(std::string_view category) {
  const std::string c = lower(category);
  const auto has = [&](std::string_view part) { return c.find(part) != std::string::npos; };
  if (has("convolution")) return Symbol::square;
  if (has("dot") || has("gemm") || has("matmul") || has("megacore")) return Symbol::circle;
  if (has("elementwise") || has("loop fusion") || has("input fusion") || has("output fusion")) return Symbol::triangle;
  return Symbol::diamond;
}

Machine device(const std::string& name, FormatId format, const Figure& peak, const Figure& hbm,
               const std::array<Figure, channel_count>& channels) {
  Machine machine;
  machine.name = name.empty() ? "the profiled device" : name;
  for (const char c : lower(machine.name)) machine.id += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  machine.matrix.push_back({format, peak});
  machine.memories.push_back({"HBM", hbm, {}, {}, {}});
  for (const Channel read : {cmem_read, vmem_read}) {
    const Figure &in = channels[read], &out = channels[read + 1];
    if (in.known() || out.known()) machine.memories.push_back({read == cmem_read ? "CMEM" : "VMEM", {}, in, out, {}});
  }
  return machine;
}

}  // namespace roofline::xla
