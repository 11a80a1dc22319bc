// The operator calls of a PyTorch trace, grouped by name and arguments.
#pragma once

#include <algorithm>
#include <optional>
#include <roofline/operators/operator.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "base/interner.hpp"
#include "read/trace/pytorch/call_formats.hpp"
#include "read/trace/pytorch/event.hpp"
#include "read/trace/pytorch/host_ops.hpp"

namespace roofline {

/// Calls of one operator with equal arguments.
struct Call {
  std::string name, shapes, types, values;
  SourceRange record = {};  ///< of the first
  const Operator* op = nullptr;
  CallFormats formats = {};
  std::optional<Work> work = {};
  bool complex = false;  ///< some operand is: no work is derived
};

class Calls {
 public:
  /// The index of the event's call. Events with equal text are parsed once.
  std::uint32_t index_of(std::string_view name, const PyTorchEvent& event, bool* is_new);
  [[nodiscard]] const Call& operator[](std::uint32_t call) const { return calls_[call]; }
  void set_record(std::uint32_t call, SourceRange record) { calls_[call].record = record; }

  /// Convolutions whose shapes are spread over several calls.
  void complete_convolutions(HostOps& host);
  /// The host records a view of a tensor as a call, but it moves nothing.
  void forget_work_of_views();

  [[nodiscard]] bool any_called(std::string_view name) const {
    return std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) { return call.name == name; });
  }
  [[nodiscard]] bool shapes_recorded() const {
    return std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.shapes != "null"; });
  }

 private:
  std::uint32_t add(std::string_view name, const PyTorchEvent& event, bool* is_new);
  std::uint32_t add(const Call& call, const std::string& key, bool* is_new);

  std::vector<Call> calls_;
  Interner keys_;                  // of calls_: what tells them apart
  ByWord<std::uint32_t> written_;  // calls by events' words as they stand
  std::string words_;              // of the event at hand
};

}  // namespace roofline
