// A GPU by clpeak, which measures it through OpenCL.
#pragma once

#include <roofline/base/result.hpp>
#include <string>

namespace roofline::cli {

/// Runs clpeak, whose progress goes to standard error, and returns the XML that it wrote. Errors: it is not installed, or wrote nothing.
[[nodiscard]] Result<std::string> run_clpeak();

}  // namespace roofline::cli
