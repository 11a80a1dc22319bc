// What one workload may hold.
#pragma once

#include <cstdint>
#include <limits>

namespace roofline {

/// A reader stops with an error before it would pass one of these. Tests lower them.
struct WorkloadLimits {
  /// Their indices are 32 bits wide, and the last of those stands for none.
  std::uint64_t operations = std::numeric_limits<std::uint32_t>::max();
  /// Places of names are 32 bits wide. Names beyond are left out, and a warning says so.
  std::uint64_t text_bytes = std::numeric_limits<std::uint32_t>::max();
  /// Of columns and text. Where addresses are 32 bits wide, a quarter of them stays free for what is worked out from those.
  std::uint64_t memory_bytes = sizeof(void*) == 4 ? std::uint64_t{3} << 30 : std::numeric_limits<std::uint64_t>::max();
};

}  // namespace roofline
