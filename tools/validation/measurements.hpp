// Published measurements (tests/data/README.md has the columns) and what the core says of each: its bound, its estimate, its terms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <roofline/llm/inference.hpp>
#include <string>
#include <vector>

namespace roofline::validation {

struct Measurement {
  std::map<std::string, std::string> text;  ///< by column
  [[nodiscard]] const std::string& operator[](const std::string& column) const { return text.at(column); }
  [[nodiscard]] double number(const std::string& column, double otherwise) const;  ///< of an empty field: `otherwise`
  [[nodiscard]] std::string library() const;  ///< of a kernel, from its conditions: "hipBLASLt"; of a run: its engine
};

/// The rows of such a file; throws std::runtime_error where a line has not its header's fields.
[[nodiscard]] std::vector<Measurement> measurements_of(const std::string& csv);

[[nodiscard]] std::string text_of_file(const std::filesystem::path& path);  ///< throws where it cannot be read

/// Of a whole network on an NPU, by its multiply-adds and the size of its input.
[[nodiscard]] bool is_network(const Measurement& row);

/// A measured run, ready to be asked what the core says of it under any terms.
class Run {
 public:
  /// `models`: the folder of models and machines that are no presets. Throws where the core refuses it.
  Run(Measurement row, const std::filesystem::path& models);

  [[nodiscard]] const Measurement& row() const { return row_; }
  [[nodiscard]] const Stack& stack() const;
  [[nodiscard]] const Machine& machine() const { return scenario_->machine; }
  [[nodiscard]] double measured_s() const { return measured_s_; }
  [[nodiscard]] double bound_s() const;
  /// With the stack's own terms where none are given.
  [[nodiscard]] double estimate_s(const StackTerms& terms = {}) const;
  /// What the estimate is the sum of.
  [[nodiscard]] TypicalTerms terms() const;

 private:
  [[nodiscard]] LlmTotals totals() const;
  Measurement row_;
  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<LlmRequest> request_;  ///< of a language model
  Workload kernel_;                      ///< otherwise: of a kernel, or a network
  double measured_s_ = unknown;
};

/// The runs among the rows: language models and kernels, without the rows that are flagged and those of compilers in development.
[[nodiscard]] std::vector<std::unique_ptr<Run>> runs_of(const std::vector<Measurement>& rows, const std::filesystem::path& models);

/// Why a row is left out of fits and errors; empty: it is not.
[[nodiscard]] std::string left_out(const Measurement& row);

/// FNV-1a, the same everywhere: which part a block falls into.
[[nodiscard]] std::uint32_t stable_hash(const std::string& text);

[[nodiscard]] double quantile(std::vector<double> values, double at);

}  // namespace roofline::validation
