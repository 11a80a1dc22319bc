// --fuse: neighbouring operations as if one kernel did them.
#pragma once

#include <string>
#include <vector>

#include "options/scenario.hpp"

namespace roofline::cli {

/// The rows that words such as "3-5", "3", "conv1" or "qk..pv" mean, ascending; a failure says which word means none, or several.
[[nodiscard]] Outcome<std::vector<std::uint32_t>> rows_to_fuse(const Workload& workload, const std::vector<std::string>& words);

/// What fusing them would save, as a table or json; the exit code. `registries`: as the workload was read with.
[[nodiscard]] int print_fusion(const Plan& plan, const std::vector<std::uint32_t>& rows, const std::vector<std::string>& registries,
                               const std::string& form);

}  // namespace roofline::cli
