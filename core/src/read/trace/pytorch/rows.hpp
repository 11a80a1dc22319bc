// What a trace of PyTorch holds once it has been read, and the rows that follow from it.
#pragma once

#include <roofline/read/read.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "read/trace/pytorch/calls.hpp"
#include "read/trace/pytorch/collective.hpp"
#include "read/trace/pytorch/steps.hpp"

namespace roofline {

class WorkloadBuilder;

/// One kernel, copy or fill on the device.
struct DeviceWork {
  double begin_us, duration_s, bytes;  ///< bytes: if `counted`, an index into PyTorchTrace::counted
  std::uint64_t external, correlation;
  std::uint32_t name;    ///< by PyTorchTrace::names
  std::uint16_t stream;  ///< by PyTorchTrace::streams
  bool kernel;
  bool counted = false;  ///< it is a range with counters
};

struct PyTorchTrace {
  HostOps host;
  Calls calls;
  std::vector<DeviceWork> work;
  Interner names;                                                ///< of kernels
  std::unordered_map<std::uint32_t, Collective> collectives;     ///< by their name
  std::vector<std::pair<std::uint64_t, std::uint64_t>> streams;  ///< process and thread
  std::vector<CountedFlops> counted;
  TraceSteps steps;
  std::string rank;                   ///< "rank 3 of 8"; empty: the only one
  std::size_t merged_ranks = 0;       ///< that a tool merged into the trace; 0: it names none
  bool unlabelled_processes = false;  ///< operators of several processes, which no label tells apart
  std::size_t unreadable = 0;         ///< events
};

/// A row for each operator of one shape and format, with the time of the kernels that it launched, and for each other kernel; with
/// ReadOptions::each_launch for each kernel. Notes what the rows leave open. All events are there.
void add_rows(PyTorchTrace& trace, const ReadOptions& options, WorkloadBuilder& rows);

}  // namespace roofline
