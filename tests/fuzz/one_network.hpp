// Any bytes as a network's file: refused with a reason, or a commands.json that the core reads without a fault.
#pragma once

#include <roofline/network/memory_advice.hpp>
#include <roofline/network/network.hpp>

#include "check.hpp"

namespace roofline {

inline int check_network(std::string_view name, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const BytesAtHand source(bytes);
  const auto network = open_network(name, source);
  if (!network) return check(!network.error().message.empty()), 0;
  DimensionValues given;
  for (const Dimension& d : (*network)->open_dimensions()) given.emplace_back(d.name, "7");
  for (const DimensionValues& values : {DimensionValues(), given}) {
    const auto advice = advise_memory(**network, values, ToolChain::vela, {"SRAM", 4096});
    check(!advice || !(advice->peak_bytes < 0));
    for (const ToolChain by : {ToolChain::none, ToolChain::all}) {
      const auto text = network_commands(**network, values, by);
      if (!text) {
        check(!text.error().message.empty());
        continue;
      }
      const auto workload = read(*text, {});
      check(workload.has_value());
      for (const double flops : workload->matrix_flops) check(!(flops < 0));
    }
  }
  return 0;
}

}  // namespace roofline
