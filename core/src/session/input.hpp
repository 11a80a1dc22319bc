// What the session says about what it opens, and about what went wrong.
#pragma once

#include <roofline/workload/workload.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {

/// {"error": {...}}
[[nodiscard]] std::string failed(const Error& error);

/// What is open, for the page. The words of the run kept are in its lists too, with no operations: filters apply to both runs.
[[nodiscard]] Json opened(const Workload& workload, const Workload* before);

}  // namespace roofline
