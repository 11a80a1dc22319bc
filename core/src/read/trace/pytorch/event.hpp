// One event of a trace of PyTorch's profiler: its values as they stand, and what they mean.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json.hpp"

namespace roofline {

/// JSON as it stands; empty: the event has no such member.
struct PyTorchEvent {
  std::string_view name, ts, dur, pid, tid, args;
  std::string_view external, correlation, bytes, dims, types, values;  ///< of args
};
/// False: it is no object with members.
[[nodiscard]] bool split_event(std::string_view text, PyTorchEvent& event);

/// NaN: it is no number.
[[nodiscard]] double event_number(std::string_view value);
/// The label of a rank that merged traces put before their processes: "TP00" of "[TP00] 99"; empty: there is none.
[[nodiscard]] std::string_view rank_label(std::string_view process);
/// A number as it is, a text by its digits behind a rank's label; 0: there is none.
[[nodiscard]] std::uint64_t event_identity(std::string_view value);
/// Null where it is no JSON.
[[nodiscard]] Json event_json(std::string_view value);

/// FLOPs of a kernel by format, as CUPTI counted its instructions: those of the tensor cores are not among them.
struct CountedFlops {
  double fp16 = 0, fp32 = 0, fp64 = 0;
  [[nodiscard]] double all() const { return fp16 + fp32 + fp64; }
  void add(const CountedFlops& more) { fp16 += more.fp16, fp32 += more.fp32, fp64 += more.fp64; }
};
[[nodiscard]] CountedFlops counted_flops(std::string_view args);

}  // namespace roofline
