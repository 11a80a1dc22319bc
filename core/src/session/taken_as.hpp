// What a file is taken for where its content leaves a choice: {"model": ..., "columns": ..., "alone": true}, all
// optional.
#pragma once

#include <optional>
#include <roofline/llm/kernels_of_step.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct TakenAs {
  std::optional<ServedModel> model;  ///< of a trace: what ran there. The request of a language model, as build() takes it
  std::vector<std::pair<std::string, std::string>> columns;  ///< of a table: ReadOptions::columns, as {"elapsed": "time_us"}
  bool alone = false;                                        ///< not joined with what is open, though the two complete each other
};

[[nodiscard]] Result<TakenAs> parse_taken_as(std::string_view json);

}  // namespace roofline
