// Published serving runs (tests/data/README.md has the columns) and what the core says of each.
#pragma once

#include <memory>
#include <roofline/serving/operating_point.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measurements.hpp"

namespace roofline::validation {

/// The text of a file packed by gzip; throws where it cannot be read.
[[nodiscard]] std::string text_of_packed_file(const std::filesystem::path& path);

/// The times and rates that a run states; NaN: it does not.
struct ServingFigures {
  double tpot_s = unknown, ttft_s = unknown, output_tokens_per_s = unknown;
};

/// A measured deployment, ready to be asked what the core says of it under any terms.
class ServingRun {
 public:
  /// `models`: the folder of models and machines that are no presets. Throws where the core refuses the row.
  ServingRun(Measurement row, const std::filesystem::path& models);

  [[nodiscard]] const Measurement& row() const { return row_; }
  [[nodiscard]] const Stack& stack() const;
  [[nodiscard]] const ServingFigures& measured() const { return measured_; }
  [[nodiscard]] ServingFigures bound() const;
  /// With the stack's own terms where none are given.
  [[nodiscard]] ServingFigures estimate(const StackTerms& terms = {}) const;
  /// With the terms of another stack, in the formats of its own.
  [[nodiscard]] ServingFigures estimate_by(StackId stack) const;
  /// "aggregated", "disaggregated", "offline": one batch of which only the throughput is stated, or "medians": aggregated, but the times
  /// are medians, where estimates are means.
  [[nodiscard]] const std::string& mode() const { return mode_; }

 private:
  Measurement row_;
  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<ServingRequest> request_;
  ServingFigures measured_;
  std::string mode_;
};

/// "h200-sxm llama-3.1-70b"
[[nodiscard]] std::string block_of(const Measurement& row);
/// The part that a block falls into, by the hash of its name.
inline constexpr std::size_t serving_parts = 3;  ///< each is held back once
[[nodiscard]] std::size_t part_of(const std::string& block, std::size_t parts);

/// Ids of thirty runs of all kinds: two of a machine, model, engine and format, of five that state no speculation or cannot have it.
[[nodiscard]] std::span<const std::string_view> thirty_serving_runs();

/// Why a row is left out of fits and errors; empty: it is not.
[[nodiscard]] std::string serving_left_out(const Measurement& row);

/// The runs among the rows that are not left out.
[[nodiscard]] std::vector<std::unique_ptr<ServingRun>> serving_runs_of(const std::vector<Measurement>& rows,
                                                                       const std::filesystem::path& models);

}  // namespace roofline::validation
