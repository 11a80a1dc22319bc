// Collectives in traces, as PyTorch describes them beside their kernels: what a rank sends over its link, whoever waits for whom.
#pragma once

#include <optional>
#include <roofline/machine/format.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {

struct Collective {
  std::string name;  ///< "allreduce of 1024 bf16 among 8"
  FormatId format = no_format;
  double read = 0, written = 0;  ///< elements in the rank's own memory
  double link_bytes = 0;         ///< in one direction, of one rank: as the ring algorithm moves them, which is the least
};

/// Of a kernel's args; empty: it is none, or they do not say how much it moves (a barrier, an uneven all-to-all).
[[nodiscard]] std::optional<Collective> collective_of(const Json& args);

}  // namespace roofline
