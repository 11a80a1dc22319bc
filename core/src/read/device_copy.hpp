// Recognises copies and fills in a device's trace by the names that profilers give them.
#pragma once

#include <algorithm>
#include <array>
#include <roofline/base/number.hpp>
#include <string_view>

#include "base/letters.hpp"

namespace roofline {

/// Bytes that a copy or a fill of `bytes` moves in device memory: a copy within the device counts twice, as it reads and writes. NaN: the
/// copy crosses a link to the host or another device, whose rate is not known. Other names count once.
[[nodiscard]] inline double device_memory_traffic(std::string_view name, double bytes) {
  constexpr std::array<std::string_view, 8> over_a_link = {"HtoD", "DtoH", "HtoH", "PtoP", "HtoA", "AtoH", "Host", "Peer"};
  constexpr std::array<std::string_view, 6> within = {"DtoD", "DtoA", "AtoD", "AtoA", "Device-to-Device", "DeviceToDevice"};
  const auto named = [&](std::string_view part) { return contains(name, part); };
  if (std::any_of(over_a_link.begin(), over_a_link.end(), named)) return unknown;
  return (std::any_of(within.begin(), within.end(), named) ? 2 : 1) * bytes;
}

inline constexpr const char* note_copies_over_links =
    "copies to or from the host or another device have times only: the rate of their link is not known";

}  // namespace roofline
