// Blocks with a scale and a minimum each: v ~ scale q - minimum, q from 0 up. Both are few bits, times two numbers in FP16 that several
// blocks share; or, of a block alone, in FP16 themselves.
#pragma once

#include <span>
#include <vector>

namespace roofline {

struct AffineLayout {
  double most = 15;    ///< of an element
  double scales = 63;  ///< the largest scale and minimum, in whole steps; 1: a block alone, whose minimum may have any sign
};

/// The least squared error that is found of `blocks`, which share the two numbers.
[[nodiscard]] double least_affine_noise(const std::vector<std::span<const double>>& blocks, const AffineLayout& layout);

}  // namespace roofline
