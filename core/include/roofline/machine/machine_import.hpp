// Machines that other tools measured.
#pragma once

#include <roofline/machine/machine.hpp>
#include <string_view>

namespace roofline {

/// Whether a text is the `sum` file that ERT leaves in each run's folder.
[[nodiscard]] bool is_ert_sum(std::string_view text);

/// Whether a text is rocprof-compute's roofline.csv.
[[nodiscard]] bool is_rocprof_roofline(std::string_view text);

/// Whether a text is a log of STREAM, BabelStream or superbench's GPU STREAM.
[[nodiscard]] bool is_stream_log(std::string_view text);

/// A machine from its own file (parse_machine), or from what a tool measured: ERT's roofline.json or sum, clpeak's XML, rocprof-compute's
/// roofline.csv, or a log of STREAM or nccl-tests. The content decides which.
[[nodiscard]] Result<Machine> import_machine(std::string_view text);

}  // namespace roofline
