// How a file is read where its content leaves a choice: {"model": ..., "columns": ..., "alone": true}, all optional.
#pragma once

#include <optional>
#include <roofline/llm/kernels_of_step.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct ReadOverrides {
  std::optional<ServedModel> model;  ///< of a trace: what ran there. The request of a language model, as build() takes it
  std::vector<std::pair<std::string, std::string>> columns;  ///< of a table: ReadOptions::columns, as {"elapsed": "time_us"}
  bool alone = false;                                        ///< not joined with what is open, though the two complete each other
};

[[nodiscard]] Result<ReadOverrides> parse_read_overrides(std::string_view json);

}  // namespace roofline
