// The machine and the settings of a document.
#pragma once

#include <optional>
#include <roofline/analysis/analysis.hpp>

#include "base/members.hpp"

namespace roofline {

/// `basis`: how the scenario came by it; a what-if's machine has none.
void write_machine(JsonOut& out, const Machine& machine, std::optional<MachineBasis> basis = {});
void write_scenario(JsonOut& out, const Plan& plan);

[[nodiscard]] ObjectSchema scenario_schema();
[[nodiscard]] ObjectSchema scenario_formats_schema();
[[nodiscard]] ObjectSchema overhead_schema();
/// In the plain form, numbers only.
[[nodiscard]] ObjectSchema machine_schema();

}  // namespace roofline
