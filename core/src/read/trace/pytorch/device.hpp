// Which device ran a trace, and as which of several ranks: by its deviceProperties and distributedInfo.
#pragma once

#include <roofline/machine/machine.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Names the preset with as many units and as much memory as the first of the devices (JSON), by its name where several have; none where
/// none fits. The preset, or null.
const Machine* name_device(std::string_view devices, Workload& workload);

/// "rank 3 of 8"; empty: of one alone, or not stated.
[[nodiscard]] std::string rank_of(std::string_view distributed_info);

}  // namespace roofline
