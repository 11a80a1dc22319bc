// The kernels that this processor can run.
#pragma once

#include <vector>

#include "kernels.hpp"

namespace roofline::measure {

/// Of each instruction set that this processor has, the slowest first: 128-bit vectors without fused multiply-adds, as WebAssembly has
/// them.
[[nodiscard]] std::vector<const Kernels*> runnable_kernels();

}  // namespace roofline::measure
