// Words that tell which machine something ran on: a machine's name in a file's name, an architecture or a vendor's library in a kernel's.
#pragma once

#include <roofline/machine/machine.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Each such word of a text once, in the order in which they occur: lower case, its parts joined by '_' ("h100", "tpu_v5", "sm_90",
/// "cutlass"). Parts of longer words do not count: "output" does not name a TPU. GPUs without a preset are included, without their
/// vendor: "rtx_4090_laptop", which is not the RTX 4090.
[[nodiscard]] std::vector<std::string> words_of_machines(std::string_view text);

/// Whether such a word has the form of a vendor's name for a GPU ("rtx_4090_laptop"), with or without a preset.
[[nodiscard]] bool is_product(std::string_view word);

/// Whether its architecture is a core of CPUs ("znver4").
[[nodiscard]] bool is_cpu(const Machine& machine);

/// How well a machine fits a word, the best last. Readers of runs on a host add "cpu"; words_of_machines() never does.
enum class WordMatch : std::uint8_t {
  none,
  vendor,        ///< a library of its vendor's, or a kernel for an earlier architecture
  architecture,  ///< a kernel for its own architecture
  family,        ///< its name without the variant: "h100" of the H100 PCIe
  name           ///< its id, its name or an alias
};
[[nodiscard]] WordMatch match(const Machine& machine, std::string_view word);

}  // namespace roofline
