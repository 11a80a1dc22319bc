#include "read/trace/pytorch/host_ops.hpp"

#include <algorithm>
#include <tuple>

#include "base/sort_stably.hpp"

namespace roofline {

void HostOps::add_launch(double begin, std::uint64_t thread, std::uint64_t correlation) {
  if (correlation != 0) launches_.push_back({correlation, begin, thread});
}

void HostOps::settle() {
  std::sort(ops_.begin(), ops_.end(),
            [](const HostOp& a, const HostOp& b) { return std::tuple(a.thread, a.begin, -a.end) < std::tuple(b.thread, b.begin, -b.end); });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < ops_.size(); ++i) {
    while (!open.empty() && (ops_[open.back()].thread != ops_[i].thread || ops_[open.back()].end < ops_[i].end)) open.pop_back();
    ops_[i].parent = open.empty() ? none : open.back();
    open.push_back(i);
    if (ops_[i].external != 0) by_external_.emplace_back(ops_[i].external, i);
  }
  std::sort(by_external_.begin(), by_external_.end());
  const auto earlier = [](const Launch& a, const Launch& b) { return a.correlation < b.correlation; };
  if (!std::is_sorted(launches_.begin(), launches_.end(), earlier)) sort_stably(launches_, earlier);
}

/// The first of that number; null: there is none.
const HostOps::Launch* HostOps::launch_of(std::uint64_t correlation) const {
  const auto found = std::lower_bound(launches_.begin(), launches_.end(), correlation,
                                      [](const Launch& launch, std::uint64_t number) { return launch.correlation < number; });
  return found != launches_.end() && found->correlation == correlation ? &*found : nullptr;
}

std::uint32_t HostOps::launcher(std::uint64_t external, std::uint64_t correlation) const {
  const Launch* launch = launch_of(correlation);
  const std::uint32_t around = launch ? innermost(*launch) : none;
  const auto named = std::lower_bound(by_external_.begin(), by_external_.end(), std::pair(external, std::uint32_t{0}));
  if (named == by_external_.end() || named->first != external) return around;
  // Old traces write the correlation where the operator's number belongs: then the launch lies elsewhere.
  const bool contradicted = around != none && external == correlation && around != named->second;
  return contradicted ? around : named->second;
}

double HostOps::launched_at(std::uint64_t correlation, double otherwise) const {
  const Launch* launch = launch_of(correlation);
  return launch ? launch->begin : otherwise;
}

std::uint32_t HostOps::innermost(const Launch& launch) const {
  const auto after = std::upper_bound(ops_.begin(), ops_.end(), launch, [](const Launch& l, const HostOp& op) {
    return std::tuple(l.thread, l.begin) < std::tuple(op.thread, op.begin);
  });
  if (after == ops_.begin()) return none;
  for (auto i = static_cast<std::uint32_t>(after - ops_.begin() - 1); i != none; i = ops_[i].parent)
    if (ops_[i].thread == launch.thread && ops_[i].end >= launch.begin) return i;
  return none;
}

}  // namespace roofline
