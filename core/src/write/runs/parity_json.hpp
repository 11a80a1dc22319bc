// Parity and fit as JSON: for `analyze -o json` and for the page.
#pragma once

#include <roofline/analysis/fit.hpp>
#include <roofline/analysis/parity.hpp>

#include "base/members.hpp"

namespace roofline {

/// At most `limit` rows, those with the longest measured (else predicted) time, in source order; the figures above them are of all rows.
void write_parity(JsonOut& out, const Plan& plan, const Parity& parity, std::size_t limit = static_cast<std::size_t>(-1));
[[nodiscard]] ObjectSchema parity_schema();

void write_fit(JsonOut& out, const Plan& plan, const Fit& fit);

}  // namespace roofline
