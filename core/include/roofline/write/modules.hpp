// Sums by module (sum_by_module()) as JSON and as a table.
#pragma once

#include <roofline/analysis/modules.hpp>
#include <string>
#include <vector>

namespace roofline {

/// {"finding", "modules": [...]}: an object for each module.
[[nodiscard]] std::string modules_json(const Plan& plan, const std::vector<ModuleSums>& modules);

/// The finding, and a line for each of the first `most` modules.
[[nodiscard]] std::string modules_table(const Plan& plan, const std::vector<ModuleSums>& modules, std::size_t most);

}  // namespace roofline
