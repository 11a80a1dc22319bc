// Which formats the page compares where the user names none.
#pragma once

#include <roofline/analysis/analysis.hpp>

namespace roofline {

/// Formats of weights, or of activations too. The compiler of an NPU takes those that the machine computes, or stores and dequantises; the
/// types of GGUF are for language models, not for networks.
[[nodiscard]] bool is_offered(const Plan& plan, FormatId format, bool activations);

}  // namespace roofline
