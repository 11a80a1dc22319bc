// Blocks with a scale and a minimum each: v ~ scale q - minimum, q >= 0. Both are small integers times two FP16 numbers that several blocks
// share; a block that shares with none has them in FP16.
#pragma once

#include <span>
#include <vector>

namespace roofline {

struct AffineLayout {
  double most = 15;    ///< of an element
  double scales = 63;  ///< the largest scale and minimum, in whole steps; 1: a block alone, whose minimum may have any sign
};

/// The least squared error found for `blocks`, which share the two FP16 numbers.
[[nodiscard]] double least_affine_noise(const std::vector<std::span<const double>>& blocks, const AffineLayout& layout);

}  // namespace roofline
