// A comparison of two runs as JSON ("roofline-compare/1"), CSV or a text table.
#pragma once

#include <roofline/analysis/compare.hpp>
#include <roofline/write/write.hpp>

namespace roofline {

struct CompareOptions {
  std::optional<std::size_t> top = {};  ///< most rows; nullopt: all, or the default number in a table of operations
  bool unchanged = false;               ///< whether the table lists what did not change, or has it in one line
  bool by_type = false;                 ///< tables and CSV list types in place of operations; JSON has both
};

void write_compare_json(const Plan& a, const Plan& b, const Comparison& comparison, const CompareOptions& options, const Sink& sink);
void write_compare_csv(const Plan& a, const Plan& b, const Comparison& comparison, const CompareOptions& options, const Sink& sink);
void write_compare_table(const Plan& a, const Plan& b, const Comparison& comparison, const CompareOptions& options, const Sink& sink);

/// What conditions are about: the members of "summary", and those of the document without its operations.
[[nodiscard]] std::string judged_comparison_json(const Plan& a, const Plan& b, const Comparison& comparison);

}  // namespace roofline
