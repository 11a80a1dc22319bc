// How accurate an estimate is, and which figures it is based on.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <string>

namespace roofline {

/// Whether the estimate for the scenario's machine uses figures measured on other machines: its achievable fractions of peak and bandwidth
/// were not measured, or its launch overhead is not known.
[[nodiscard]] bool estimate_is_assumed(const Scenario& scenario, StackUse use);

/// Whether the estimate includes kernel launches; without them, many small operations come out too short. A CPU has none.
[[nodiscard]] bool launch_is_known(const Scenario& scenario, StackUse use);

/// How far typical times of such a workload were off on published runs; null: of its kind on its stack none are known.
[[nodiscard]] const StackError* typical_error(const Plan& plan);
/// "(half of 188 published decode runs within 11%, nine in ten within 29%)"; empty without an error.
[[nodiscard]] std::string error_text(const StackError* error);
/// The same for the scenario's machine; if no benchmark of it is known, says so instead of the error on other machines.
[[nodiscard]] std::string error_text(const StackError* error, const Scenario& scenario, StackUse use);
/// {"stack", "name", "basis", "kind", "error_median", "error_p90", "rows", "within", "errors": {kind: {...}}}, and "terms" (s) where they
/// are given.
[[nodiscard]] std::string estimate_json(const Plan& plan, const TypicalTerms* terms);

}  // namespace roofline
