#include "workload/sizes_index.hpp"

#include <array>
#include <cstdint>

#include "base/bit_cast.hpp"

namespace roofline {
namespace {

using Bits = std::array<std::uint64_t, sizeof(OpSizes) / sizeof(std::uint64_t)>;

/// NaN equals NaN.
bool same_bits(const OpSizes& a, const OpSizes& b) { return bit_cast<Bits>(a) == bit_cast<Bits>(b); }

}  // namespace

void SizesIndex::append(Workload& to, std::size_t row, const OpSizes& sizes) {
  if (!sizes.known()) {
    if (!to.sizes.empty()) to.sizes.push_back(0);
    return;
  }
  if (to.sizes.empty()) {
    to.sizes.reserve(to.op_class.capacity());
    to.sizes.resize(row);
    to.distinct_sizes.emplace_back();
  }
  const auto same = [&](std::uint32_t i) { return same_bits(to.distinct_sizes[i], sizes); };
  if (!same(last_)) {
    const std::uint64_t hash = hash_text({reinterpret_cast<const char*>(&sizes), sizeof sizes});
    last_ = index_.find(hash, same);
    if (last_ == HashIndex::none) {
      last_ = static_cast<std::uint32_t>(to.distinct_sizes.size());
      to.distinct_sizes.push_back(sizes);
      index_.insert(hash, last_);
    }
  }
  to.sizes.push_back(last_);
}

}  // namespace roofline
