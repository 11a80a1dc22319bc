// What would bring the activations of a network into the on-chip memory of a machine.
#pragma once

#include <optional>
#include <roofline/machine/machine.hpp>
#include <roofline/network/network.hpp>
#include <string>
#include <vector>

namespace roofline {

/// A memory beside the arithmetic units.
struct OnChipMemory {
  std::string name;
  double capacity = unknown;  ///< B; NaN: not known
};

/// The outermost memory of a machine within its device memory; the device memory of a machine that has no other, if it is an SRAM.
[[nodiscard]] OnChipMemory on_chip_memory(const Machine& machine);

/// All bytes are of the activations that are alive at once, as network_commands() counts them: weights are not among them.
struct MemoryAdvice {
  /// One node merged into another, so that the tensor between them is never there in full.
  struct Merge {
    std::string node, into;
    double tensor_bytes = 0;
    double bytes = 0;            ///< while they run
    double peak_bytes = 0;       ///< of the whole network
    bool by_tool_chain = false;  ///< the tool chain in force does so
  };
  /// Consecutive nodes run one stripe of the last one's output at a time. The tensors between them are there in stripes, with the rows
  /// that convolutions and pools need from neighbouring stripes computed again; all other tensors are there in full.
  struct Tiling {
    std::string first, last;
    std::size_t nodes = 0, tiles = 0;
    double rows = 0;        ///< of the output in a stripe; the last one may have fewer
    double bytes = 0;       ///< while they run
    double recomputed = 0;  ///< share of these nodes' multiply-adds that are computed again
  };
  /// One node alone, with input and output in the device memory: stripes of both are all that is on chip.
  struct Streaming {
    std::string node;
    std::size_t tiles = 0;
    double rows = 0, bytes = 0;
  };

  OnChipMemory memory;
  double peak_bytes = unknown;  ///< NaN: some shapes are not known
  std::string peak_at;
  double merged_peak_bytes = unknown;  ///< with all that the tool chain in force merges
  std::optional<Merge> merge;          ///< of those that remove a tensor of the peak's node, the one that leaves least
  std::vector<Tiling> tilings;         ///< for the peak, then for the peak that is left, until it fits or none lowers it
  double tiled_peak_bytes = unknown;   ///< with all of them
  std::optional<Streaming> streaming;  ///< of the node at the peak that the tilings leave, where that does not fit
  std::string finding;

  [[nodiscard]] bool fits() const { return peak_bytes <= memory.capacity; }
  [[nodiscard]] bool fits_tiled() const { return tiled_peak_bytes <= memory.capacity; }
};

/// Proposals where the peak exceeds the memory, none where it fits or one of the two is not known. Fails as network_commands() does.
[[nodiscard]] Result<MemoryAdvice> advise_memory(const Network& network, const DimensionValues& given, ToolChain tool_chain,
                                                 const OnChipMemory& memory);

}  // namespace roofline
