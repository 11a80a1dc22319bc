// What one format gains over the baseline, as members of an object: for the page's answer and for the command's document.
#pragma once

#include <roofline/calculator/calculator.hpp>

#include "base/json_out.hpp"

namespace roofline {

inline void write_speedups(JsonOut& out, const FormatComparison& c) {
  out.member("speedup", c.speedup);
  out.member("typical_speedup", c.typical_speedup);
  out.member("fused_speedup", c.fused_speedup);
  out.member("sqnr_db", c.sqnr_db);
}

}  // namespace roofline
