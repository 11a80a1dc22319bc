#include "llm/kernels/kernel_class.hpp"

#include <array>
#include <string>

#include "base/letters.hpp"

namespace roofline {
namespace {

struct Word {
  std::string_view word;
  KernelClass kernel;
};

// The first that occurs decides: what is part of another word stands after it.
constexpr auto words = std::to_array<Word>({
    {"kv_indices", KernelClass::other},  // where the pages are: bookkeeping of attention
    {"allreduce", KernelClass::sum},
    {"all_reduce", KernelClass::sum},
    {"cross_device_reduce", KernelClass::sum},
    {"alltoall", KernelClass::exchange},
    {"all_to_all", KernelClass::exchange},
    {"nccl", KernelClass::other},
    {"rmsnorm", KernelClass::norm},
    {"rms_norm", KernelClass::norm},
    {"layernorm", KernelClass::norm},
    {"layer_norm", KernelClass::norm},
    {"reshape_and_cache", KernelClass::cache},
    {"concat_and_cache", KernelClass::cache},
    {"store_kv", KernelClass::cache},
    {"set_kv_buffer", KernelClass::cache},
    {"attention", KernelClass::attention},
    {"attn", KernelClass::attention},
    {"fmha", KernelClass::attention},
    {"flash_fwd", KernelClass::attention},
    {"batchdecode", KernelClass::attention},
    {"batchprefill", KernelClass::attention},
    {"mla_", KernelClass::attention},
    {"matmul_ogs", KernelClass::experts},
    {"finalize_matmul", KernelClass::experts},
    {"fused_moe", KernelClass::experts},
    {"moe_gemm", KernelClass::experts},
    {"moe_sum", KernelClass::experts},
    {"fmoe", KernelClass::experts},
    {"ck_moe", KernelClass::experts},
    {"group_gemm", KernelClass::experts},
    {"grouped_gemm", KernelClass::experts},
    {"groupgemm", KernelClass::experts},
    {"groupedgemm", KernelClass::experts},
    {"grouped_mm", KernelClass::experts},
    {"rotary", KernelClass::rope},
    {"_rope", KernelClass::rope},
    {"rope_", KernelClass::rope},
    {"ropekernel", KernelClass::rope},
    {"act_and_mul", KernelClass::activation},
    {"silu", KernelClass::activation},
    {"swiglu", KernelClass::activation},
    {"gelu", KernelClass::activation},
    {"cijk_", KernelClass::product},
    {"gemm", KernelClass::product},
    {"gemv", KernelClass::product},
    {"matmul", KernelClass::product},
    {"cutlass", KernelClass::product},
    {"nvjet", KernelClass::product},
    {"xmma", KernelClass::product},
    {"wvsplitk", KernelClass::product},
    {"embedding", KernelClass::embedding},
    {"gather", KernelClass::embedding},
    {"indexselect", KernelClass::embedding},
    {"index_select", KernelClass::embedding},
});

}  // namespace

KernelClass kernel_class(std::string_view name) {
  const std::string text = lower(name);
  for (const Word& w : words)
    if (text.find(w.word) != std::string::npos) return w.kernel;
  return KernelClass::other;
}

bool finishes_another(std::string_view name) {
  const std::string text = lower(name);
  for (const std::string_view word : {"splitkreduce", "splitk_reduce", "reduce_segments", "mergestates", "merge_state"})
    if (text.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace roofline
