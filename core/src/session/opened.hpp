// What is open, for the page.
#pragma once

#include <roofline/workload/workload.hpp>

#include "base/json.hpp"

namespace roofline {

/// The words of `before`, the run kept to compare with, are in its lists too, with no operations: filters apply to both runs. May be null.
[[nodiscard]] Json opened(const Workload& workload, const Workload* before);

/// Of a trace of an inference engine's steps: which model ran is not in it. {"context": whether the steps leave that open}, else null.
[[nodiscard]] Json asks_for_model(const Workload& workload);

}  // namespace roofline
