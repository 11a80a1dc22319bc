// The operations of a file in numbers, as "roofline-operations/1": what a link carries instead of the file.
#pragma once

#include <cstddef>
#include <roofline/base/sink.hpp>
#include <roofline/workload/workload.hpp>

namespace roofline {

/// Reads as a workload with the same figures: work, bytes, times, formats and the sizes of products, but no shapes and no records. Beyond
/// `most` rows identical operations are merged; beyond that, those with the least time are added up by type, and "whole" is false.
void write_operation_rows(const Workload& workload, std::size_t most, const Sink& sink);

}  // namespace roofline
