// "roofline-summary/1": what any number of runs add up to (docs/guide/fleet.md). Read here, for merging and as operations;
// write/runs/summary.cpp writes it.
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

#include "workload/tally.hpp"

namespace roofline {

inline constexpr std::string_view summary_schema_id = "roofline-summary/1";

struct RunSums {
  std::string machine;   ///< JSON in its plain form; empty: nothing has been added
  std::string settings;  ///< "scenario" of an analysis, as JSON
  bool assumed = false;  ///< of some run nobody said that it was this machine
  std::uint64_t runs = 0;
  std::uint64_t left_out = 0;  ///< records with rates and no sizes
  Tally tally;

  /// The machine and the settings of something that is to be added; fails where it is not the same machine and settings.
  [[nodiscard]] Result<void> agree(const std::string& its_machine, const std::string& its_settings, bool its_assumed);
};

/// Adds the document at the beginning of `text`; how many bytes it took, white space behind it included. Without a document at all: 0.
/// Nothing is added where it fails.
[[nodiscard]] Result<std::size_t> add_summary(std::string_view text, RunSums& sums);

/// Text that reads the same for the same JSON value.
[[nodiscard]] Result<std::string> canonical_json(std::string_view json);

}  // namespace roofline
