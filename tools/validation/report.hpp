// docs/reference/validation.md and its picture: what the estimate is worth, by all the measurements there are.
#pragma once

#include <string>

#include "measurements.hpp"

namespace roofline::validation {

struct Report {
  std::string markdown, svg;
};
/// `held_back`: tests/data/held_back.csv, which calibrate writes. `serving`: a sentence on the page of serving.
[[nodiscard]] Report report(const std::vector<Measurement>& rows, const std::filesystem::path& models, const std::string& held_back,
                            const std::string& serving);

/// What stands below it of networks on NPUs. `held_back`: tests/data/held_back_npu.csv.
[[nodiscard]] std::string npu_report(const std::vector<Measurement>& rows, const std::filesystem::path& models,
                                     const std::string& held_back);

}  // namespace roofline::validation
