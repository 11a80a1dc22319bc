// Copies and fills among a device's kernels, by the names that profilers give them.
#pragma once

#include <algorithm>
#include <array>
#include <roofline/base/number.hpp>
#include <string_view>

namespace roofline {

/// What a copy or a fill of so many bytes moves in the device's memory; a copy within it reads and writes. NaN: it goes to or from the
/// host or another device, over a link that the machine's figures do not have.
[[nodiscard]] inline double bytes_in_device_memory(std::string_view name, double bytes) {
  constexpr std::array<std::string_view, 9> over_a_link = {"HtoD",    "DtoH",    "PtoP",         "HtoA",        "AtoH",
                                                           "Host-to", "to-Host", "HostToDevice", "DeviceToHost"};
  constexpr std::array<std::string_view, 3> within = {"DtoD", "Device-to-Device", "DeviceToDevice"};
  const auto named = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (std::any_of(over_a_link.begin(), over_a_link.end(), named)) return unknown;
  return (std::any_of(within.begin(), within.end(), named) ? 2 : 1) * bytes;
}

inline constexpr const char* copies_over_links =
    "copies to and from the host or another device cross a link whose rate is not known: time only";

}  // namespace roofline
