// Traces launch by launch: what ran one after the other is what tells a model's operators in kernels that have no operator.
#pragma once

#include <roofline/read/read.hpp>
#include <string_view>

namespace roofline {

/// Of a trace of PyTorch's profiler (UTF-8 text, all of it): a row for each kernel and copy, in the order in which they began, with its
/// whole name, its time and step, and no work. An error where it is no such trace.
[[nodiscard]] Result<Workload> read_launches(std::string_view text, const ReadOptions& options);

}  // namespace roofline
