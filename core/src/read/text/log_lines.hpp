// Colour codes and prefixes that terminals and log collectors add to lines.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// The text without colour codes and without the prefixes of log lines: timestamps of containers ("2026-01-02T03:04:05.678Z ") and of
/// Android's logcat ("01-02 03:04:05.678  123  456 I tag: ").
[[nodiscard]] std::string without_log_marks(std::string_view text);

}  // namespace roofline
