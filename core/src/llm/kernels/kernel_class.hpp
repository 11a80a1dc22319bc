// What a kernel of an inference engine does, by its name. Names are those of cuBLAS, hipBLASLt (Cijk_), CUTLASS, FlashAttention,
// FlashInfer, AITER, Triton, vLLM and SGLang.
#pragma once

#include <cstdint>
#include <string_view>

namespace roofline {

enum class KernelClass : std::uint8_t {
  other,
  embedding,
  norm,
  product,  ///< of two matrices, and not of a mixture of experts
  rope,
  cache,  ///< writes keys and values
  attention,
  activation,
  experts,
  sum,      ///< all-reduce
  exchange  ///< all-to-all
};

[[nodiscard]] KernelClass kernel_class(std::string_view name);

/// Whether it finishes what the kernel before it began: it adds up the parts of a split product or attention.
[[nodiscard]] bool finishes_another(std::string_view name);

}  // namespace roofline
