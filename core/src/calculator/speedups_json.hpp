// What one format gains over the baseline, as members of an object: for the page's answer and for the command's document.
#pragma once

#include <roofline/calculator/calculator.hpp>

#include "base/members.hpp"

namespace roofline {

inline constexpr Member<FormatComparison> speedup_members[] = {
    {"speedup", schema::number, "over the baseline, by the bounds", field<&FormatComparison::speedup>},
    {"typical_speedup", schema::number, "of the typical times", field<&FormatComparison::typical_speedup>},
    {"fused_speedup", schema::number, "with conversions fused", field<&FormatComparison::fused_speedup>},
    {"sqnr_db", schema::number, "of normally distributed numbers", field<&FormatComparison::sqnr_db>}};

}  // namespace roofline
