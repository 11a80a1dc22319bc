// What terminals and log collectors put around the lines of a program.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// The text without colours, and without what stands before its lines in logs: a time as containers write it ("2026-01-02T03:04:05.678Z "),
/// and Android's logcat ("01-02 03:04:05.678  123  456 I tag: ").
[[nodiscard]] std::string without_log_marks(std::string_view text);

}  // namespace roofline
