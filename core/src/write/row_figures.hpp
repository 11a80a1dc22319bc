// The figures of a row of the page's table. To add one, add a line to row_json.cpp and a column to web/src/widgets/columns.tsx.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <span>
#include <string_view>

namespace roofline {

struct AnalysedRow {
  const Plan& plan;
  const OpAnalysis& today;
  const OpWhatIf& then;
};
struct RowFigure {
  std::string_view name, meaning;
  double (*value)(const AnalysedRow& row);  ///< NaN: not known
};
[[nodiscard]] std::span<const RowFigure> row_figures();

}  // namespace roofline
