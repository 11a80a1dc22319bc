// An operator by its shape: the request is that of parse_calculation.
#include <roofline/calculator.hpp>

#include "build/sources.hpp"

namespace roofline {

Result<Workload> build_operator(const Json& request, const Scenario&) {
  const auto calculation = parse_calculation(request.dump());
  if (!calculation) return Unexpected(calculation.error());
  return workload_of(*calculation);
}

}  // namespace roofline
