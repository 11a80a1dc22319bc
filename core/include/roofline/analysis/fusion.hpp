// Neighbouring operations as if one kernel did them: what one writes and the next reads again stays on chip.
#pragma once

#include <array>
#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <roofline/read/tensors.hpp>
#include <string>
#include <vector>

namespace roofline {

/// How it is known that an operation reads what the one before it writes.
enum class TensorMatch : std::uint8_t {
  shape,     ///< a tensor of the same shape, lengths of 1 aside
  view,      ///< the same lengths in another order, or neighbouring ones multiplied: a view of it
  elements,  ///< as many elements; a shape is not known
  none,      ///< it reads no such tensor
  unknown,   ///< the tensors are not known
};
template <>
inline constexpr auto names_of<TensorMatch> = std::to_array<const char*>({"shape", "view", "elements", "none", "unknown"});

/// What passes from one operation to the next.
struct Passed {
  std::uint32_t from = 0, to = 0;  ///< rows
  TensorMatch match = TensorMatch::unknown;
  double elements = unknown;                             ///< of the tensor that `from` writes, in one occurrence; NaN: not known
  double occurrences = 1;                                ///< of both in turn: the fewer of the two rows'
  std::string tensor, read_as;                           ///< "[1, 128, 112, 112]" where its shape is known; "input_self [128, 112, 112]"
  double written_bytes = unknown, read_bytes = unknown;  ///< that go, all occurrences; 0 where nothing passes, NaN: not known
  [[nodiscard]] bool matched() const { return match < TensorMatch::none; }
  [[nodiscard]] double bytes() const { return written_bytes + read_bytes; }
};

/// One resource's work: all parts' together, and with the traffic between them gone.
struct FusedResource {
  double work = unknown, fused_work = unknown;  ///< FLOPs or bytes; NaN where some part's is not known
  double time_s = 0, fused_time_s = 0;          ///< at its rate, over the parts whose work is known
};

/// Times are in s, over all occurrences.
struct Fusion {
  struct Part {
    std::uint32_t op = 0;
    OpAnalysis alone;
    double fused_bytes = unknown;  ///< of the device memory, without what passes between the parts
  };
  std::vector<Part> parts;               ///< in the order of the file
  std::vector<Passed> between;           ///< parts.size() - 1
  std::vector<FusedResource> resources;  ///< as Plan::resources()
  double flops = unknown, bytes = unknown, fused_bytes = unknown;
  double parts_s = unknown;    ///< their bounds, one after the other; NaN: some part has none
  double overlap_s = unknown;  ///< the bound of one kernel that moves all the same
  double fused_s = unknown;    ///< the bound without the traffic between them
  std::uint8_t bound_by = no_resource;
  double launch_s = unknown, fused_launch_s = unknown;  ///< launching the parts, and one kernel; the bounds are without
  double time_s = unknown;                              ///< measured; NaN: some part has no time
  Range fused_time_s;                                   ///< what of it would be left
  std::vector<std::string> remarks;
  Finding finding;
  [[nodiscard]] double saved_bytes() const { return bytes - fused_bytes; }
  [[nodiscard]] double speedup() const { return parts_s / fused_s; }
};

/// `rows`: two or more of the plan's workload, ascending. `tensors`: of each of them, from its record; an empty one, or none at all, where
/// there is no record: then numbers of elements tell. An error says what is wrong with the rows.
[[nodiscard]] Result<Fusion> fuse(const Plan& plan, const std::vector<std::uint32_t>& rows,
                                  const std::vector<OperationTensors>& tensors = {});

}  // namespace roofline
