#include "read/table/same_kernels.hpp"

#include <cmath>
#include <cstring>

#include "read/operations/operations.hpp"
#include "workload/builder.hpp"

namespace roofline {

bool SameKernels::seen(const Amounts& a, std::string_view name) {
  const double nanoseconds = a.time * a.count * 1e9;
  if (name.find("::") == std::string_view::npos || !known(a.time) || !a.placed() || std::fmod(std::round(nanoseconds), 1000) == 0)
    return false;
  std::uint64_t hash = 0;
  for (const double part : {a.time, a.count, a.flops}) {
    std::uint64_t bits = 0;
    if (known(part)) std::memcpy(&bits, &part, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 31;
  }
  const std::uint32_t word = names_.intern(name), found = index_.find(hash, [](std::uint32_t) { return true; });
  if (found == HashIndex::none) {
    index_.insert(hash, static_cast<std::uint32_t>(name_of_.size()));
    name_of_.push_back(word);
    return false;
  }
  if (name_of_[found] == word) return false;
  if (left_out_++ == 0) outer_ = names_[name_of_[found]], inner_ = name;
  return true;
}

void SameKernels::report(WorkloadBuilder& rows) const {
  if (left_out_ == 0) return;
  rows.note(Severity::warning, quantity(left_out_, "row") + (left_out_ == 1 ? " has" : " have") +
                                   " the same work, count and time as an earlier one under another name (" + in_quotes(inner_) +
                                   " inside " + in_quotes(outer_) + "): the same kernels, counted once");
}

}  // namespace roofline
