// The calculator: an operator by its shape, without a file, in several formats side by side. Every row it makes is a record of a
// commands.json, so it is read, derived and analysed like any other.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/base/result.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The formats of one row. Of an operand that the operator has not, the format does not matter.
struct RoleFormats {
  std::string name;  ///< "fp16", "int4:fp16"
  FormatId weight = no_format, activation = no_format, output = no_format, kv = no_format;
  /// "INT8"; "INT4 weights" where the activations stay as they are.
  [[nodiscard]] std::string spoken() const;
  [[nodiscard]] bool weights_alone() const;  ///< it is they that are spoken of
};

/// One operator, one shape, the formats to compare.
struct Calculation {
  const Operator* op = nullptr;
  std::string type;        ///< as the user writes it: "gemm"
  std::string parameters;  ///< a JSON object: {"m": 1, "n": 4096, "k": 4096}
  std::vector<RoleFormats> formats;

  [[nodiscard]] std::string title() const;  ///< "gemm m=1 n=4096 k=4096"
};

/// "fp16": every operand. "int4:fp16": weights, then activations; ":output" and ":kv" may follow, both as the activations without it.
[[nodiscard]] Result<RoleFormats> parse_formats(std::string_view text);

/// {"type": "gemm", "parameters": {"m": 1, ...}, "formats": ["fp16", "int4:fp16"]}; FP16 where no format is named. The parameters are the
/// operator's own and weight_type, output_type, kv_type, count, which hold for every row.
[[nodiscard]] Result<Calculation> parse_calculation(std::string_view json);

/// KEY=VALUE as typed: numbers, true, false and lists ("1,64,56,56") are told from words.
[[nodiscard]] Result<Calculation> parse_calculation(std::string_view type, const std::vector<std::string>& parameters,
                                                    const std::vector<std::string>& formats);

/// One row per format, in their order. Fails where the shape is wrong.
[[nodiscard]] Result<Workload> workload_of(const Calculation& calculation);

/// One format beside the baseline.
struct FormatComparison {
  std::uint32_t op = 0;              ///< row of the workload
  double speedup = unknown;          ///< predicted time of the baseline over its own
  double typical_speedup = unknown;  ///< of the typical times, conversions in kernels of their own
  double fused_speedup = unknown;    ///< of the typical times, conversions fused
  double sqnr_db = unknown;          ///< of normally distributed numbers, in the coarsest of its operands' formats
};

/// Every row beside the row `baseline`.
[[nodiscard]] std::vector<FormatComparison> compare_formats(const Plan& plan, std::uint32_t baseline);

/// "INT4 weights are the fastest: 2.4x FP16 (bound 2.9x), limited by DRAM." By the estimates, where there are any. Empty where there is
/// nothing to compare.
[[nodiscard]] Finding formats_finding(const Plan& plan, const std::vector<FormatComparison>& rows, std::uint32_t baseline);

/// The same as JSON, "comparison" in the document of `roofline op`: {"baseline": name, "rows": [{"index", "name", "speedup",
/// "typical_speedup", "fused_speedup", "sqnr_db"}]}.
[[nodiscard]] std::string comparison_json(const Plan& plan, std::uint32_t baseline);

/// The formulas with the numbers put in, and the formats side by side, for a terminal. The row `baseline` is what speed-ups refer to.
[[nodiscard]] std::string comparison_table(const Plan& plan, const Calculation& calculation, std::uint32_t baseline);

}  // namespace roofline
