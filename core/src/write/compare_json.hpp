// The pieces of "roofline-compare/1" that the page's answer shares.
#pragma once

#include <roofline/compare.hpp>

#include "write/json_out.hpp"

namespace roofline {

void write_change(JsonOut& out, const Plan& a, const Plan& b, const OpChange& change);
void write_compare_summary(JsonOut& out, const Comparison& comparison);

}  // namespace roofline
