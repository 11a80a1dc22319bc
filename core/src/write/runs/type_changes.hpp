// Writes the sums by type of a comparison.
#pragma once

#include <roofline/write/compare.hpp>
#include <string>
#include <vector>

#include "base/members.hpp"

namespace roofline {

void write_type_change(JsonOut& out, const TypeChange& change);
[[nodiscard]] ObjectSchema type_change_schema();

void write_types_csv(const Comparison& comparison, const CompareOptions& options, const Sink& sink);

/// The sums as rows of texts, the titles first; `sides` aligns their columns.
struct TypeTable {
  std::vector<std::vector<std::string>> rows;
  std::string_view sides = "lrrrrr";
  std::size_t left_out = 0;  ///< types beyond the number listed
};
/// Without rows if only the operations are listed: they are few, or of one type.
[[nodiscard]] TypeTable type_table(const Comparison& comparison, const CompareOptions& options);

/// after - before: "+20 µs" is slower, "-5 µs" faster; "-": not known.
[[nodiscard]] std::string time_change_text(double time_saved_s);

}  // namespace roofline
