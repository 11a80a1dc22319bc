// The names that serving benchmarks give their figures.
#pragma once

#include <roofline/serving/measured_runs.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// What a benchmark states of one run: figures by their names, of which only lower-case letters and digits are kept, units included:
/// "Mean TPOT (ms)" and "mean_tpot_ms" are "meantpotms".
class StatedFigures {
 public:
  void add(std::string_view name, double value);
  [[nodiscard]] bool empty() const { return figures_.empty(); }
  /// A run that lacks a figure has NaN there.
  [[nodiscard]] ServingRun run() const;

 private:
  struct Figure {
    std::string name;
    double value;
  };
  std::vector<Figure> figures_;
};

/// What vLLM and SGLang print above their figures; a log may begin like JSON.
inline constexpr std::string_view summary_title = "Serving Benchmark Result";

/// Whether the name is that of a mean time per token or of a throughput.
[[nodiscard]] bool names_serving_figure(std::string_view name);

/// The runs of a table, of a list of metrics or of a printed summary. Rows without any figure are runs that failed: they are passed over.
[[nodiscard]] Result<std::vector<ServingRun>> parse_serving_tables(const std::string& text);

/// An error where the run has no time per token or no throughput.
[[nodiscard]] Result<void> check_run(const ServingRun& run);

}  // namespace roofline
