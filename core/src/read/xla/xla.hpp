// What XLA's profilers have in common, whichever file they write: categories of operations, and the device's memories.
#pragma once

#include <array>
#include <roofline/machine/machine.hpp>
#include <roofline/workload/symbol.hpp>
#include <string>
#include <string_view>

namespace roofline::xla {

inline constexpr double giga = 1e9, tera = 1e12, gibi = 1024.0 * 1024 * 1024;

/// Channels beside HBM, as XProf names them.
enum Channel : std::uint8_t { cmem_read, cmem_write, vmem_read, vmem_write, channel_count };
inline constexpr const char* channel_names[channel_count] = {"CMEM Read", "CMEM Write", "VMEM Read", "VMEM Write"};
/// The bytes of all memories together: no machine has a rate for them, but there is an intensity.
inline constexpr const char* all_memories = "All memories";

/// Categories as markers: convolutions and matrix products, what works element by element, the rest.
[[nodiscard]] Symbol symbol_of(std::string_view category);

/// A device of one matrix peak. B/s of the channels; those that are not known are left out.
[[nodiscard]] Machine device(const std::string& name, FormatId format, const Figure& peak, const Figure& hbm,
                             const std::array<Figure, channel_count>& channels);

}  // namespace roofline::xla
