// The operations that a view's filters let through: for every fold that shows what the table shows.
#pragma once

#include <roofline/frame/frame.hpp>

#include "analysis/blocks.hpp"

namespace roofline {

inline const std::uint8_t* mask_or_all(const std::vector<std::uint8_t>& mask) { return mask.empty() ? nullptr : mask.data(); }

inline OpMask in_scope(const FrameRequest& request) { return {mask_or_all(request.scope), nullptr, nullptr, nullptr}; }
/// Those in scope that the filter does not leave out by what they are; what was found of them comes later.
inline OpMask asked_for(const Workload& w, const FrameRequest& request) {
  return {mask_or_all(request.scope), mask_or_all(request.filter.ops), mask_or_all(request.filter.kinds), w.op_class.data()};
}

/// Calls visit(const OpBlock&) for the operations that `request` shows, in order.
template <class Visit>
void for_each_shown_block(const Plan& plan, const FrameRequest& request, MemoryAxis axis, Visit&& visit) {
  const Filter& filter = request.filter;
  const OpMask chosen = asked_for(plan.workload(), request);
  if (filter.keeps_all_found()) return for_each_block(plan, chosen, axis, visit);
  Compressed compressed;
  for_each_block(plan, chosen, axis, [&](const OpBlock& ops) {
    visit(compressed.of(ops, [&](std::size_t j) { return filter.keeps(ops.status[j], ops.bound[j]); }));
  });
}

}  // namespace roofline
