// The k largest of many keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/simd.hpp"

namespace roofline {

/// An operation and its sort key: larger keys first, then lower indices.
struct Ranked {
  double key;
  std::uint32_t index;
};
inline bool comes_before(const Ranked& a, const Ranked& b) { return a.key != b.key ? a.key > b.key : a.index < b.index; }

/// Keeps the k largest keys, ties by the lower index. Keys are never NaN. Candidates collect in a buffer of about 2k entries that is cut
/// to k when full, so that an operation costs constant time on average.
class TopK {
 public:
  explicit TopK(std::size_t k) : k_(k) { buffer_.reserve(2 * k_ + 64); }

  void offer(const double* keys, const std::uint32_t* index, std::size_t count) {
    if (k_ == 0) return;
    constexpr std::size_t group = 32;  // once k large keys are known, few groups contain another
    const simd::Pair threshold = simd::both(threshold_);
    std::size_t j = 0;
    for (; j + group <= count; j += group) {
      simd::Mask reached{};
      for (std::size_t i = 0; i < group; i += 2) reached |= simd::At<false>{j + i}.load(keys) >= threshold;
      if ((reached[0] | reached[1]) != 0) offer_each(keys + j, index + j, group);
    }
    offer_each(keys + j, index + j, count - j);
  }

  /// Best first.
  [[nodiscard]] std::vector<std::uint32_t> take() {
    std::sort(buffer_.begin(), buffer_.end(), comes_before);
    if (buffer_.size() > k_) buffer_.resize(k_);
    std::vector<std::uint32_t> out;
    out.reserve(buffer_.size());
    for (const Ranked& e : buffer_) out.push_back(e.index);
    return out;
  }

 private:
  void offer_each(const double* keys, const std::uint32_t* index, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      if (!(keys[j] >= threshold_)) continue;
      buffer_.push_back({keys[j], index[j]});
      if (buffer_.size() >= 2 * k_ + 64) shrink();
    }
  }
  void shrink() {
    std::nth_element(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(k_) - 1, buffer_.end(), comes_before);
    buffer_.resize(k_);
    threshold_ = buffer_.back().key;
    for (const Ranked& e : buffer_) threshold_ = std::min(threshold_, e.key);
  }
  std::size_t k_;
  double threshold_ = -std::numeric_limits<double>::infinity();
  std::vector<Ranked> buffer_;
};

}  // namespace roofline
