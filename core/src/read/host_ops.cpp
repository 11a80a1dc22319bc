#include "read/host_ops.hpp"

#include <algorithm>
#include <tuple>

namespace roofline {

void HostOps::add_launch(double begin, std::uint64_t thread, std::uint64_t correlation) {
  if (correlation != 0) launches_.emplace(correlation, Launch{begin, thread});
}

void HostOps::settle() {
  std::sort(ops_.begin(), ops_.end(),
            [](const HostOp& a, const HostOp& b) { return std::tuple(a.thread, a.begin, -a.end) < std::tuple(b.thread, b.begin, -b.end); });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < ops_.size(); ++i) {
    while (!open.empty() && (ops_[open.back()].thread != ops_[i].thread || ops_[open.back()].end < ops_[i].end)) open.pop_back();
    ops_[i].parent = open.empty() ? none : open.back();
    open.push_back(i);
    if (ops_[i].external != 0) by_external_.emplace(ops_[i].external, i);
  }
}

std::uint32_t HostOps::launcher(std::uint64_t external, std::uint64_t correlation) const {
  const auto launch = launches_.find(correlation);
  const std::uint32_t around = launch == launches_.end() ? none : innermost(launch->second);
  const auto named = by_external_.find(external);
  if (named == by_external_.end()) return around;
  // Old traces write the correlation where the operator's number belongs: then the launch lies elsewhere.
  const bool contradicted = around != none && external == correlation && around != named->second;
  return contradicted ? around : named->second;
}

double HostOps::launched_at(std::uint64_t correlation, double otherwise) const {
  const auto launch = launches_.find(correlation);
  return launch == launches_.end() ? otherwise : launch->second.begin;
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
