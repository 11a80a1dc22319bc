#include <roofline/scenario/operands.hpp>

namespace roofline {

WhatIf with_format(WhatIf whatif, FormatId format, Roles roles) {
  const bool weights_only = Formats::catalogue()[format].weights_only;
  const auto where = [&](bool applies) { return applies ? std::optional(format) : std::nullopt; };
  whatif.weight = format;
  whatif.activation = where(roles != Roles::weights && !weights_only);
  whatif.output = whatif.kv = where(roles == Roles::all && !weights_only);
  return whatif;
}

}  // namespace roofline
