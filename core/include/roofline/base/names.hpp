// Looking things up by name: what counts as the same name, and what is close to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// "NVIDIA H100-SXM" -> "nvidiah100sxm": lower case, letters and digits only. How every look-up by name compares.
[[nodiscard]] std::string normalised(std::string_view name);

/// Candidates closest to `name` by edit distance, best first, at most three, none that is far off.
[[nodiscard]] std::vector<std::string> near_matches(std::string_view name, const std::vector<std::string>& candidates);

/// ": did you mean a or b?"; where nothing is near, ": " and what is said instead, if anything.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& near, std::string_view otherwise = {});

}  // namespace roofline
