// Fusion as compilers of networks do it.
#pragma once

#include "network/sized.hpp"

namespace roofline {

/// Element-wise operations, norms and quantisation become part of the node that makes their first input, where nothing else reads that:
/// their records are dropped, and the producer's first record gets what they compute ("fused_flops") and read besides ("fused_elements").
/// Views and changes of layout vanish.
void fold(SizedNetwork& network);

}  // namespace roofline
