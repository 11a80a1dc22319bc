// The pieces of "roofline-compare/1" that the page's answer shares.
#pragma once

#include <roofline/analysis/compare.hpp>

#include "base/members.hpp"

namespace roofline {

void write_change(JsonOut& out, const Plan& a, const Plan& b, const OpChange& change);

/// "sum_by" and "by_type": at most `rows` types.
void write_sums_by_type(JsonOut& out, const Comparison& comparison, std::size_t rows);

/// "summary" of the operations listed, and "all" of everything: the same where no filter leaves anything out.
void write_compare_totals(JsonOut& out, const Plan& a, const Plan& b, const Comparison& comparison);

[[nodiscard]] ObjectSchema compare_schema();
[[nodiscard]] ObjectSchema run_schema();
[[nodiscard]] ObjectSchema change_schema();
[[nodiscard]] ObjectSchema change_totals_schema();
/// Of judged_comparison_json().
[[nodiscard]] ObjectSchema judged_comparison_schema();

}  // namespace roofline
