// Deflated data (RFC 1951), as ZIP archives keep it.
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// What `deflated` unpacks to: exactly `size` bytes. Fails where it is damaged, ends early, or unpacks to more or less.
[[nodiscard]] Result<std::string> inflate(std::string_view deflated, std::uint64_t size);

}  // namespace roofline
