// Writers: an analysis as JSON, CSV, SVG or a text table. Output goes to a sink in pieces, so that a million ops need no second copy.
#pragma once

#include <optional>
#include <roofline/analysis/mark.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/sink.hpp>
#include <roofline/frame/frame.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct WriteOptions {
  std::optional<std::size_t> top = {};  ///< only the N ops with the most lost (else predicted) time, still in source order
  std::vector<std::pair<std::string, std::string>> summary = {};  ///< further members of the JSON summary: names with JSON text
  std::string memory = {};       ///< whose intensity is on the x axis: a name of Plan::axes(); "" and "bottleneck": of each op's own
  std::vector<Mark> marks = {};  ///< beside the operations, on the chart
  std::string comparison = {};   ///< of an operator in several formats, as JSON (calculator.hpp); empty: null
};

void write_json(const OpSet& ops, const WriteOptions& options, const Sink& sink);  ///< "roofline-analysis/1"
void write_csv(const OpSet& ops, const WriteOptions& options, const Sink& sink);
void write_table(const OpSet& ops, const WriteOptions& options, const Sink& sink);  ///< the 20 ops with the most lost time, and the summary
void write_svg(const OpSet& ops, const WriteOptions& options, const Sink& sink);

/// Each operation as write_json() has it in "ops", on a line of its own. `first`: how many came before the workload's own.
void write_op_lines(const OpSet& ops, std::uint64_t first, const Sink& sink);

/// The "summary" of write_json() alone.
[[nodiscard]] std::string summary_json(const OpSet& ops, const WriteOptions& options);

/// `list` and `show` as JSON. kind: "machines", "models", "formats", "operators" or "stacks"; show_json() takes the singular.
[[nodiscard]] Result<std::string> list_json(std::string_view kind);
[[nodiscard]] Result<std::string> show_json(std::string_view kind, std::string_view id);

}  // namespace roofline
