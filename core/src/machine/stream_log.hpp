// Logs of STREAM, of the benchmarks named after it, and of nccl-tests, as a machine.
#pragma once

#include <roofline/machine/machine.hpp>
#include <string_view>

namespace roofline {

[[nodiscard]] Result<Machine> import_stream_log(std::string_view text);

}  // namespace roofline
