// Whole numbers in binary files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace roofline {

/// The unsigned number in `count` bytes from index `at`, least significant byte first. Requires count <= 8 and at + count <= bytes.size().
[[nodiscard]] inline std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

}  // namespace roofline
