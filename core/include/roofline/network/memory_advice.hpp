// Proposals that fit the activations of a network into the on-chip memory of a machine.
#pragma once

#include <optional>
#include <roofline/machine/machine.hpp>
#include <roofline/network/network.hpp>
#include <string>
#include <vector>

namespace roofline {

/// A memory on the chip.
struct OnChipMemory {
  std::string name;
  double capacity = unknown;  ///< B; NaN: not known
};

/// The outermost memory inside the device memory; the device memory itself if the machine has no other and it is an SRAM.
[[nodiscard]] OnChipMemory on_chip_memory(const Machine& machine);

/// What `machine` compiles a network for, with `by` merging operations. If Machine::uses_host_memory(), chip_bytes is its on-chip memory
/// (unlimited_chip_bytes if not stated), and only_format its one matrix format, if it has exactly one.
[[nodiscard]] NetworkTarget target_on(const Machine& machine, ToolChain by);

/// All bytes are activations alive at once, as network_commands() counts them, without weights.
struct MemoryAdvice {
  /// One node merged into another, so that the tensor between them is never held in full.
  struct Merge {
    std::string node, into;
    double tensor_bytes = 0;
    double bytes = 0;                        ///< while they run
    double peak_bytes = 0;                   ///< of the whole network
    bool by_tool_chain = false;              ///< the chosen tool chain does so
    [[nodiscard]] std::string text() const;  ///< "Merge relu1 into conv1"
  };
  /// Consecutive nodes run one stripe of the last one's output at a time. Only stripes of the tensors between them are held; rows
  /// that convolutions and pools need from neighbouring stripes are computed again. All other tensors are held in full.
  struct Tiling {
    std::string first, last;
    std::size_t nodes = 0, tiles = 0;
    double rows = 0;                         ///< of the output in a stripe; the last one may have fewer
    double bytes = 0;                        ///< while they run
    double recomputed = 0;                   ///< share of these nodes' multiply-adds that are computed again
    [[nodiscard]] std::string text() const;  ///< "conv1 to conv2 in 4 tiles of 8 rows"
  };
  /// One node whose input and output stay in the device memory; only stripes of both are on chip.
  struct Streaming {
    std::string node;
    std::size_t tiles = 0;
    double rows = 0, bytes = 0;
    [[nodiscard]] std::string text() const;  ///< "conv1 in 4 tiles of 8 rows, input and output in the device memory"
  };

  OnChipMemory memory;
  double peak_bytes = unknown;  ///< NaN: some shapes are not known
  std::string peak_at;
  double merged_peak_bytes = unknown;  ///< with every merge of the chosen tool chain, and integers kept between quantised layers
  std::optional<Merge> merge;          ///< of the merges at the peak's node, the one with the lowest peak after it
  std::vector<Tiling> tilings;         ///< for the peak, then for the next peak, until all fits or none lowers it
  double tiled_peak_bytes = unknown;   ///< with all of them
  std::optional<Streaming> streaming;  ///< of the node at the remaining peak, if that does not fit
  std::string finding;

  [[nodiscard]] bool fits() const { return peak_bytes <= memory.capacity; }
  [[nodiscard]] bool fits_merged() const { return merged_peak_bytes <= memory.capacity; }
  [[nodiscard]] bool fits_tiled() const { return tiled_peak_bytes <= memory.capacity; }
};

/// Makes proposals if the peak exceeds the memory, also with the tool chain's merges; none if one of the two is not known. Fails as
/// network_commands() does.
[[nodiscard]] Result<MemoryAdvice> advise_memory(const Network& network, const DimensionValues& given, ToolChain tool_chain,
                                                 const OnChipMemory& memory);

}  // namespace roofline
