// What one format gains over the baseline, as members of an object: for the page's answer and for the command's document.
#pragma once

#include <roofline/calculator/calculator.hpp>

#include "base/members.hpp"

namespace roofline {

inline constexpr Member<FormatComparison> speedup_members[] = {
    {"speedup", schema::number, "over the baseline, by the bounds", [](JsonOut& out, const FormatComparison& c) { out.value(c.speedup); }},
    {"typical_speedup", schema::number, "of the typical times",
     [](JsonOut& out, const FormatComparison& c) { out.value(c.typical_speedup); }},
    {"fused_speedup", schema::number, "with conversions fused",
     [](JsonOut& out, const FormatComparison& c) { out.value(c.fused_speedup); }},
    {"sqnr_db", schema::number, "of normally distributed numbers", [](JsonOut& out, const FormatComparison& c) { out.value(c.sqnr_db); }}};

}  // namespace roofline
