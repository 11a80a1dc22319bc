// docs/reference/validation-serving.md: what the estimates of serving are worth, by published runs.
#pragma once

#include <string>

#include "serving_runs.hpp"

namespace roofline::validation {

/// `held_back`: tests/data/serving_held_back.csv, which calibrate writes.
[[nodiscard]] std::string serving_report(const std::vector<Measurement>& rows, const std::filesystem::path& models,
                                         const std::string& held_back);

/// One sentence for validation.md: the median errors of that page.
[[nodiscard]] std::string serving_headline(const std::string& held_back);

}  // namespace roofline::validation
