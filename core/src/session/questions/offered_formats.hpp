// Which formats the page compares where the user names none.
#pragma once

#include <roofline/analysis/analysis.hpp>

namespace roofline {

/// All but the types of GGUF, which are for language models: not for networks, and not for operations on an NPU.
[[nodiscard]] bool is_offered(const Plan& plan, FormatId format);

}  // namespace roofline
