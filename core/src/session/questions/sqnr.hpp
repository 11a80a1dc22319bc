// What the questions about precision share: which operands take a format, and what a format keeps of the numbers it is given.
#pragma once

#include <roofline/accuracy/mix.hpp>
#include <roofline/base/result.hpp>
#include <vector>

#include "base/json.hpp"

namespace roofline {

constexpr double default_min_sqnr_db = 30;  ///< what weights usually need; activations need more

/// The request's "roles"; all where it names none.
[[nodiscard]] Roles roles_of(const Json& request);

/// dB by FormatId, from {format: dB, null: exact}. NaN: not given.
[[nodiscard]] std::vector<double> sqnr_by_format(const Json& sqnr_db);

/// dB by FormatId. With "mean_of", {layer: {format: dB, null: exact}}: the SQNR of the layers' mean noise. Else "sqnr_db"; formats it
/// lacks come from "sample" (gaussian if both are absent). "sqnr_db" without "sample": its formats only, NaN for the others.
/// Those of a tensor of weights say nothing of other operands, which `roles` may have too: with_assumed_activations() applies.
[[nodiscard]] Result<std::vector<double>> sqnr_of(const Json& request);

/// SQNRs of weights, dB by FormatId, as SQNRs of all operands in `roles`: with activations at most those of normally distributed numbers.
[[nodiscard]] std::vector<double> with_assumed_activations(std::vector<double> weights_db, Roles roles);

}  // namespace roofline
