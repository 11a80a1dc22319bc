// What a dropped or given file is, by content.
#pragma once

#include <cstdint>
#include <string_view>

namespace roofline {

enum class FileKind : std::uint8_t { operations, registry, config, machine, model, unknown };

/// `text` must be followed by a NUL byte, as in std::string.
[[nodiscard]] FileKind detect(std::string_view text);

}  // namespace roofline
