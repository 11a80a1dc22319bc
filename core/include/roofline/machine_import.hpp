// Machines that other tools measured.
#pragma once

#include <roofline/machine.hpp>
#include <string_view>

namespace roofline {

/// A machine from its own file (parse_machine), or from what a tool measured: ERT's roofline.json, clpeak's XML. By content.
[[nodiscard]] Result<Machine> import_machine(std::string_view text);

}  // namespace roofline
